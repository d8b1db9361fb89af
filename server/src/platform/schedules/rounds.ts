/** Rounds of repeated work over a bounded number of rows. A row that fails does not hold up the others. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { type Sleep, systemSleep } from '../clock.ts'
import type { Log } from '../log.ts'

/** A part of a listing in the order of ids: up to `limit` rows behind `after`. */
export type RowRange = { after: string; limit: number }

export type RoundOptions<Row extends { id: string }, Outcome> = {
  list(range: RowRange): Promise<readonly Row[]>
  /** Null if there was nothing to do after all. */
  work(row: Row): Promise<Outcome | null>
  log: Log
  /** What the log says of a row that failed; the next round of that row tries again. */
  failure: string
  /** How many rows a round takes; 100 unless given. */
  rowsAtOnce?: number
  /** How many rows are worked on at the same time; 1 unless given. */
  concurrency?: number
}

/** Each call is a round. It goes on where the last round ended, and returns the outcomes of its rows. */
export function createRounds<Row extends { id: string }, Outcome>(options: RoundOptions<Row, Outcome>) {
  const { list, work, log, failure, rowsAtOnce = 100, concurrency = 1 } = options
  let after = ''
  return async () => {
    const rows = await list({ after, limit: rowsAtOnce })
    // Rows that fail stay listed, so the next round must not begin with the same full page.
    after = rows.length < rowsAtOnce ? '' : (rows.at(-1)?.id ?? '')
    const outcomes: Outcome[] = []
    const waiting = rows.values()
    const takeTurns = async (): Promise<void> => {
      for (const row of waiting) {
        try {
          const outcome = await work(row)
          if (outcome !== null) outcomes.push(outcome)
        } catch (error) {
          log.warn(failure, { id: row.id, error })
        }
      }
    }
    await Promise.all(Array.from({ length: concurrency }, takeTurns))
    return outcomes
  }
}

/** The rest waits for the next round. */
const rowsOfRound = 500_000

/**
 * Removes or changes rows in slices. Each slice has its own transaction, so that other writes need not wait long.
 * `workOnSlice` takes up to `limit` rows and returns how many it took. Returns the sum, which is bounded.
 */
export async function bySlices(workOnSlice: (limit: number) => Promise<number>, rowsAtOnce: number) {
  let total = 0
  while (total < rowsOfRound) {
    const count = await workOnSlice(rowsAtOnce)
    total += count
    if (count < rowsAtOnce) break
    await nextTurn()
  }
  return total
}

/** Does something repeatedly until it is stopped: the loop of periodic tasks, heartbeats and pollers. */
type Repetition = {
  /** The name in the log. */
  name: string
  /** From the end of one round to the beginning of the next, give or take a fifth. */
  everyMs: number
  /** Runs at the start too; otherwise the first round comes after `everyMs`. */
  atStart?: boolean
  run(): Promise<unknown>
}

/**
 * A round that fails is logged, and the next round comes in its time. A round never begins before the last one has
 * ended.
 * Returns a function that stops the loop. It resolves once a round in progress has ended.
 */
export function repeat(
  { name, everyMs, atStart = false, run }: Repetition,
  { log, sleep = systemSleep }: { log: Log; sleep?: Sleep },
): () => Promise<void> {
  const stopping = new AbortController()
  const { signal } = stopping
  // Random, so that processes that were started together do not all ask at the same moment.
  const pause = (): Promise<void> => sleep(everyMs * (0.8 + Math.random() * 0.4), signal)
  const runRounds = async (): Promise<void> => {
    if (!atStart) await pause()
    while (!signal.aborted) {
      try {
        await run()
      } catch (error) {
        log.warn('A periodic task failed; it is tried again in its next round', { task: name, error })
      }
      await pause()
    }
  }
  const ended = runRounds().catch(error => {
    // Stopping the loop cuts its pause short.
    if (!signal.aborted) log.error('A periodic task has stopped', { task: name, error })
  })
  return () => {
    stopping.abort()
    return ended
  }
}
