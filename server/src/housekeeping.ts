/** What the server does by itself, beside requests and jobs: each minute for what must go on, each hour for what has run out. */

import type { Services } from './features.ts'
import type { Idempotency } from './http/idempotency.ts'
import { sweepStaging } from './platform/blobs/folder.ts'
import { dayMs, hourMs, minuteMs } from './platform/clock.ts'
import { removeEndedJobs } from './platform/jobs/ended-jobs.ts'
import type { Schedule } from './platform/schedules.ts'
import type { Dependencies } from './start/dependencies.ts'

/** What each server does for itself, whatever its role: all of them receive files or count what is used. */
export const serverSchedules = (
  { blobFolder, clock }: Pick<Dependencies, 'blobFolder' | 'clock'>,
  { requestMeter, authenticator }: Pick<Services, 'requestMeter' | 'authenticator'>,
): Schedule[] => [
  {
    name: 'remove unfinished uploads',
    everyMs: hourMs,
    // What a process that was killed has left lies there already.
    atStart: true,
    scope: 'process',
    run: () => sweepStaging(blobFolder, clock, dayMs),
  },
  eachMinute('write counted requests', requestMeter.flush),
  eachMinute('write when keys and people were last active', authenticator.flush),
]

/** What servers do that work on jobs. */
export const workerSchedules = (services: Services, idempotency: Pick<Idempotency, 'purge'>): Schedule[] => [
  // At the start too: a model may have been set while the server was down.
  { ...eachMinute('find missing vectors', services.sweepVectors), atStart: true },
  eachMinute('repair abandoned documents', services.reapDocuments),
  eachMinute('repair abandoned runs', services.reapRuns),
  eachMinute('end runs whose approvals have expired', services.approvals.expire),
  eachMinute('wake webhooks that have something to send', services.webhookHousekeeping.sweep),
  eachMinute('measure what collections hold', services.usageHistory.measure),
  eachMinute('refresh credentials of connections', services.integrations.refreshSoonExpiring),
  eachMinute('start scheduled syncs', services.sweepSchedules),
  {
    name: 'remove ended jobs',
    everyMs: 10 * minuteMs,
    scope: 'database',
    run: () => removeEndedJobs(services.jobs),
  },
  eachHour('remove stored replies', idempotency.purge),
  eachHour('remove files without a document', services.sweepOrphans),
  eachHour('empty the trash', services.trash.sweep),
  eachHour('end expired sync sessions', services.syncs.tidy),
  eachHour('remove old syncs of connections', services.connectionSyncs.tidy),
  eachHour('remove expired resumable uploads', services.resumableUploads.tidy),
  eachHour('remove old events', services.events.tidy),
  eachHour('erase deleted workspaces', services.sweepWorkspaces),
  eachHour('remove expired sessions', services.sessions.tidy),
  eachHour('remove expired links', services.links.tidy),
  eachHour('remove old webhook deliveries', services.webhookHousekeeping.tidy),
  eachHour('remove old usage', services.usageHistory.tidy),
]

/** In every server that has it: what must go on waits for no other server's turn. */
const eachMinute = (name: string, run: Schedule['run']): Schedule => ({
  name,
  everyMs: minuteMs,
  scope: 'process',
  run,
})

/** In one of the servers that share the database. */
const eachHour = (name: string, run: Schedule['run']): Schedule => ({
  name,
  everyMs: hourMs,
  scope: 'database',
  run,
})
