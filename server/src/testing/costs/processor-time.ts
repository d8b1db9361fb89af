/** What work costs, in time of the processor: a busy machine makes it later, and hardly dearer. */
import { collectGarbage } from './collect-garbage.ts'

const rounds = 5
const leastMs = 5

const sum = ({ user, system }: NodeJS.CpuUsage): number => (user + system) / 1_000

/**
 * Milliseconds of processor time of this thread. Linux counts the work of a thread up to its last tick, which may be 4 ms
 * ago; asking for the time of the whole process counts it up to now.
 */
function threadMs(): number {
  process.cpuUsage()
  return sum(process.threadCpuUsage())
}

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
    const spentMs = sum(process.cpuUsage(before))
    if (spentMs >= leastMs) return spentMs / count
  }
}

/**
 * The most time between two turns of this thread's event loop while the work is in progress. Nothing else gets its turn
 * meanwhile, so other work waits for at most that time.
 */
async function longestTurnMs(clockMs: () => number, work: () => Promise<unknown>): Promise<number> {
  let longestMs = 0
  let beforeMs = clockMs()
  let next = setImmediate(look)
  function look(): void {
    const nowMs = clockMs()
    longestMs = Math.max(longestMs, nowMs - beforeMs)
    beforeMs = nowMs
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

const tries = 12

/**
 * Work of a fixed size, and what it takes on the machine for which the limits are written, when that is quiet. It takes memory
 * from the system too, which a machine with busy neighbours may give ten times as slowly.
 */
const yardstick = `[${'{"a":1,"b":[]},'.repeat(400_000)}0]`
const freshBytes = 80 * 1024 * 1024
const yardstickMs = 60

const latestMs: number[] = []

/**
 * How many times as long the same work takes here and now: never less than 1, so that a fast machine does not hide slow
 * work. It is the cheapest of the latest five rounds. Only one of them is new: five would take seconds of a slow machine.
 */
function slowness(): number {
  do {
    const beforeMs = threadMs()
    JSON.parse(yardstick)
    Buffer.allocUnsafeSlow(freshBytes).fill(1)
    latestMs.push(threadMs() - beforeMs)
  } while (latestMs.length < rounds)
  latestMs.splice(0, latestMs.length - rounds)
  return Math.max(1, Math.min(...latestMs) / yardstickMs)
}

/**
 * The processor time of the longest turn, of the cheapest of twelve tries, or of the first that keeps to `mostMs`: the
 * first includes compiling, and a busy machine may interrupt. Work that is slow is slow each time. On a slow machine the
 * time is divided by its slowness. The time on the clock, which is never less and cheaper to read, comes first.
 * A shard may keep 700 MB of earlier test files: a collection before each try but the first keeps the collector out of
 * the turn.
 */
export async function cheapestTurnMs(mostMs: number, work: () => Promise<unknown>): Promise<number> {
  let cheapestMs = await longestTurnMs(() => performance.now(), work)
  if (cheapestMs <= mostMs) return cheapestMs
  cheapestMs = Number.POSITIVE_INFINITY
  for (let count = 0; count < tries && cheapestMs > mostMs; count++) {
    if (count > 0) collectGarbage()
    const turnMs = await longestTurnMs(threadMs, work)
    cheapestMs = Math.min(cheapestMs, turnMs <= mostMs ? turnMs : turnMs / slowness())
  }
  return cheapestMs
}
