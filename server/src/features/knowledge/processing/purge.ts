/**
 * Removes erased text from SQLite's files. A deleted word stays in FTS5's segments until they are merged, and a deleted
 * row stays in the write-ahead log until the log is restarted.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import { hourMs, minuteMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Job, Queue } from '../../../platform/jobs/job.ts'
import { mergePostings } from '../search/index/index-store.ts'

/** Every posting is rewritten, so the pauses leave most of the writer's time to other work. */
const pausePerWork = 4
/** What is deleted under way can be in what was merged already; it has a job of its own, so there is an end. */
const maxRounds = 3

/** Each step can be done again. */
export function createPurgeQueue(emptyLog: NonNullable<Database['emptyLog']>): Queue {
  return {
    concurrency: 1,
    leaseMs: minuteMs,
    maxAttempts: 20,
    timeoutMs: hourMs,
    async handle(job) {
      for (let round = 1; round <= maxRounds; round++) if (!(await mergeAll(job))) break
      if (!(await emptyLog()))
        throw new Error('A reader still needs the write-ahead log: it is emptied later')
    },
  }
}

/** Answers whether there was something to merge. */
async function mergeAll(job: Job): Promise<boolean> {
  const merge = async (begin: boolean): Promise<boolean> => {
    const startedAtMs = performance.now()
    const isMore = await job.write(tx => mergePostings(tx, { begin }))
    if (isMore)
      await sleep(pausePerWork * (performance.now() - startedAtMs), undefined, { signal: job.signal })
    return isMore
  }
  if (!(await merge(true))) return false
  while (await merge(false)) job.signal.throwIfAborted()
  return true
}
