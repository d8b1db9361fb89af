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

/** Work of a fixed size, and what it takes on the machine for which the limits are written, when that is quiet. */
const yardstick = `[${'{"a":1,"b":[]},'.repeat(400_000)}0]`
const yardstickMs = 60

/** How many times as long the same work takes here and now: never less than 1, so that a fast machine does not hide slow work. */
function slowness(): number {
  const takesMs: number[] = []
  for (let round = 0; round < rounds; round++) {
    const before = process.threadCpuUsage()
    JSON.parse(yardstick)
    const { user, system } = process.threadCpuUsage(before)
    takesMs.push((user + system) / 1_000)
  }
  return Math.max(1, Math.min(...takesMs) / yardstickMs)
}

/**
 * The same of the cheapest of five tries, or of the first that keeps to `mostMs`: the first includes compiling, and a busy
 * machine may interrupt. Work that is slow is slow each time. On a slow machine the time is divided by its slowness.
 */
export async function cheapestTurnMs(mostMs: number, work: () => Promise<unknown>): Promise<number> {
  let cheapestMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries && cheapestMs > mostMs; count++) {
    const turnMs = await longestTurnMs(work)
    cheapestMs = Math.min(cheapestMs, turnMs <= mostMs ? turnMs : turnMs / slowness())
  }
  return cheapestMs
}
