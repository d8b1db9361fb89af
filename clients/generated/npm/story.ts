/** What the programs of generated TypeScript share: the door of a server, and steps that are counted. */
export const api = `${process.env.ATRIUM_ORIGIN}/api/v1`
export const door: { key: string; collectionId: string } = JSON.parse(process.env.ATRIUM_SANDBOX ?? '{}')
export const words = 'Once upon a time there was a goose.'
export const absentId = 'agt_01m8h7fs88b10zxfysyhwme600'

/** Runs the steps in order; the closing line is what the lane reads. */
export async function tell(steps: Record<string, () => Promise<void>>): Promise<void> {
  let [passed, failed] = [0, 0]
  for (const [title, work] of Object.entries(steps))
    await work().then(
      () => {
        passed++
        console.log('ok  ', title)
      },
      (error: unknown) => {
        failed++
        console.log('FAIL', title, '|', error instanceof Error ? error.message : JSON.stringify(error))
      },
    )
  console.log(`${passed} passed, ${failed} failed`)
  process.exit(failed > 0 ? 1 : 0)
}

/** The field of a reply, or what came in its place. */
export function must<Data>({ data, error }: { data?: Data; error?: unknown }): Data {
  if (data === undefined) throw new Error(`No data: ${JSON.stringify(error)}`)
  return data
}

export function check(isFine: boolean, found: unknown): void {
  if (!isFine) throw new Error(JSON.stringify(found))
}
