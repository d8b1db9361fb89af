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

/**
 * The most processor time of this thread between two turns of its event loop while the work is under way. Nothing else
 * gets its turn meanwhile, so that this is the longest that anybody waits for.
 */
async function longestTurnMs(work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let before = process.threadCpuUsage()
  let next = setImmediate(look)
  function look(): void {
    const { user, system } = process.threadCpuUsage(before)
    longestMs = Math.max(longestMs, (user + system) / 1_000)
    before = process.threadCpuUsage()
    next = setImmediate(look)
  }
  try {
    await work()
    await new Promise(setImmediate)
  } finally {
    clearImmediate(next)
  }
  return longestMs
}

const tries = 5

/**
 * The same of the cheapest of five tries, or of the first that keeps to `mostMs`: the first includes compiling, and a busy
 * machine may interrupt. Work that is slow is slow each time.
 */
export async function cheapestTurnMs(mostMs: number, work: () => Promise<unknown>): Promise<number> {
  let cheapestMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries && cheapestMs > mostMs; count++)
    cheapestMs = Math.min(cheapestMs, await longestTurnMs(work))
  return cheapestMs
}
