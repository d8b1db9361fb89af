/** Load on one address, and figures of what came back. */
import autocannon from 'autocannon'
import type { Measured } from './process.ts'
import { rounded } from './table.ts'

/** How many replies a second of the server's processor time gives, whatever else the machine does meanwhile. */
export async function loadPerCpuSecond(
  server: Pick<Measured, 'url' | 'cpuSeconds'>,
  path: string,
  { seconds, headers }: { seconds: number; headers: Record<string, string> },
): Promise<number> {
  const before = await server.cpuSeconds()
  const result = await autocannon({
    url: `${server.url}${path}`,
    connections: 16,
    duration: seconds,
    headers,
  })
  const failed = result.non2xx + result.errors + result.timeouts
  if (failed > 0) throw new Error(`${failed} requests for ${path} failed`)
  return result['2xx'] / ((await server.cpuSeconds()) - before)
}

/** Runs `work` for each item, so many at a time; returns how long each took, in milliseconds. */
export async function eachAtOnce<Item>(
  items: readonly Item[],
  atOnce: number,
  work: (item: Item, index: number) => Promise<unknown>,
): Promise<number[]> {
  const times: number[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    for (let index = next++; index < items.length; index = next++) {
      const startedAt = performance.now()
      await work(items[index] as Item, index)
      times.push(performance.now() - startedAt)
    }
  }
  await Promise.all(Array.from({ length: atOnce }, lane))
  return times
}

/** The value below which this share of the values lies. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN
}

export const median = (values: readonly number[]): number => percentile(values, 0.5)

/** The median, and from where to where the rounds spread. */
export const spread = (values: readonly number[], digits = 0): string =>
  `${rounded(median(values), digits)} (${rounded(Math.min(...values), digits)}–${rounded(Math.max(...values), digits)})`
