/**
 * The server's work beside requests and jobs: each minute for work that must go on, each hour for expired records.
 */
import { join } from 'node:path'
import { parsingFolder } from './features/knowledge/feature.ts'
import type { Features, Services } from './features.ts'
import type { Idempotency } from './http/idempotency/idempotency.ts'
import { removeAbandoned } from './platform/blobs/folder.ts'
import { dayMs, hourMs, minuteMs } from './platform/clock.ts'
import type { Jobs } from './platform/jobs/jobs.ts'
import { bySlices } from './platform/schedules/rounds.ts'
import { eachHour, eachMinute, type Schedule } from './platform/schedules/schedules.ts'
import type { Dependencies } from './start/dependencies.ts'

/** The tasks of each server in any role: all servers receive files or count usage. */
export const serverSchedules = (
  { blobFolder, settings, clock }: Pick<Dependencies, 'blobFolder' | 'settings' | 'clock'>,
  { requestMeter, authenticator }: Pick<Services, 'requestMeter' | 'authenticator'>,
): Schedule[] => [
  {
    name: 'remove unfinished uploads',
    everyMs: hourMs,
    // Files of a process that was killed may already exist at the start.
    atStart: true,
    scope: 'process',
    async run() {
      const folders = [join(blobFolder, 'staging'), join(settings.dataDir, parsingFolder)]
      const removed = await Promise.all(folders.map(folder => removeAbandoned(folder, clock, dayMs)))
      return removed.reduce((sum, count) => sum + count)
    },
  },
  eachMinute('write counted requests', requestMeter.flush),
  eachMinute('write when keys and people were last active', authenticator.flush),
]

/** The tasks of servers that work on jobs, including those of the features. */
export const workerSchedules = (
  { schedules, services: { jobs } }: Pick<Features, 'schedules' | 'services'>,
  idempotency: Pick<Idempotency, 'purge'>,
): Schedule[] => [
  ...schedules,
  {
    name: 'remove ended jobs',
    everyMs: 10 * minuteMs,
    scope: 'database',
    run: () => removeEndedJobs(jobs),
  },
  eachHour('remove stored replies', idempotency.purge),
]

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
  await database.write(tx => store.purgeVerdicts(tx))
  return removed
}
