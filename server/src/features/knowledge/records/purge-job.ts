/** The job that takes what was erased out of the database's files. */
import { secondMs } from '../../../platform/clock.ts'
import type { NewJob } from '../../../platform/jobs/job.ts'

export const purgeQueue = 'knowledge-purge'

/** What is erased within so long is purged together. */
const periodMs = 2 * secondMs

/** Runs when the period is over, and so after whatever was erased in it. */
export function purgeJob(now: number): NewJob {
  const runAt = (Math.floor(now / periodMs) + 1) * periodMs
  return { queue: purgeQueue, workspaceId: null, payload: {}, runAt, uniqueKey: String(runAt) }
}
