/** Many calls, a few of them at a time; one that fails does not stop the others. */

const lanes = 4

export async function inLanes(
  ids: readonly string[],
  call: (id: string) => Promise<unknown>,
): Promise<{ done: string[]; failure: Error | null }> {
  const left = [...ids]
  const done: string[] = []
  let failure: Error | null = null
  const work = async (): Promise<void> => {
    for (let id = left.shift(); id !== undefined; id = left.shift()) {
      try {
        await call(id)
        done.push(id)
      } catch (error) {
        // One of them is told; the records that are still there show the rest.
        failure ??= error instanceof Error ? error : new Error(String(error))
      }
    }
  }
  await Promise.all(Array.from({ length: lanes }, work))
  return { done, failure }
}
