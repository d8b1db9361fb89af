/** Jobs that have ended, kept for a while so that what became of them can be read. */
import { dayMs, hourMs } from '../clock.ts'
import { bySlices } from '../schedules/rounds.ts'
import type { Jobs } from './jobs.ts'

const keptMs = { done: hourMs, cancelled: 30 * dayMs, dead: 30 * dayMs } as const
const jobsAtOnce = 500

/** Returns how many were removed. */
export async function removeEndedJobs({ internal: { database, store } }: Jobs): Promise<number> {
  let removed = 0
  for (const state of ['done', 'cancelled', 'dead'] as const) {
    removed += await bySlices(
      limit => database.write(tx => store.purge(tx, state, keptMs[state], limit)),
      jobsAtOnce,
    )
  }
  return removed
}
