/** What work costs, in time of the processor: a busy machine makes it later, and hardly dearer. */

const rounds = 5
const leastMs = 5

/**
 * How many times as dear the second work is as the first. Each is counted at its cheapest, and done as often as it takes to be
 * measured at all.
 */
export async function costRatio(first: () => unknown, second: () => unknown): Promise<number> {
  const costsMs: [number[], number[]] = [[], []]
  for (let round = 0; round < rounds; round++) {
    costsMs[0].push(await costMs(first))
    costsMs[1].push(await costMs(second))
  }
  return Math.min(...costsMs[1]) / Math.min(...costsMs[0])
}

async function costMs(work: () => unknown): Promise<number> {
  const before = process.cpuUsage()
  for (let count = 1; ; count++) {
    await work()
    const { user, system } = process.cpuUsage(before)
    const spentMs = (user + system) / 1_000
    if (spentMs >= leastMs) return spentMs / count
  }
}
