/** What the server does by itself, beside requests and jobs: each minute for what must go on, each hour for what has run out. */

import type { Services } from './features.ts'
import type { Idempotency } from './http/idempotency.ts'
import { sweepStaging } from './platform/blobs/folder.ts'
import { takeTurn } from './platform/chore-turns.ts'
import type { Chore } from './platform/chores.ts'
import { dayMs, hourMs, minuteMs } from './platform/clock.ts'
import type { Log } from './platform/log.ts'
import type { Dependencies } from './start/dependencies.ts'

/** What each process does for itself, whatever its role: files arrive in the staging of every one. */
export const ownChores = ({
  blobFolder,
  clock,
  log,
}: Pick<Dependencies, 'blobFolder' | 'clock' | 'log'>): Chore[] => [
  {
    name: 'removing unfinished uploads',
    everyMs: hourMs,
    // What a process that was killed has left lies there already.
    atStart: true,
    work: async () =>
      tellCleared(log, 'removing unfinished uploads', await sweepStaging(blobFolder, clock, dayMs)),
  },
]

/** How often a process asks whether it is its turn at what one of them does each hour. */
const askForTurnMs = 5 * minuteMs

/** What is done for all that share the database. */
export function sharedChores(
  { database, log }: Pick<Dependencies, 'database' | 'log'>,
  services: Services,
  idempotency: Pick<Idempotency, 'purge'>,
): Chore[] {
  const eachMinute: Record<string, () => Promise<unknown>> = {
    'putting documents right that were left behind': services.reapDocuments,
    'putting runs right that were left behind': services.reapRuns,
    'ending runs whose approvals came too late': services.approvals.expire,
    'waking webhooks that have something to send': services.webhookHousekeeping.sweep,
    'noting what collections hold': services.usageHistory.measure,
    'refreshing credentials of connections': services.integrations.refreshSoonExpiring,
    'beginning scheduled syncs': services.sweepSchedules,
  }
  const eachHour: Record<string, () => Promise<number>> = {
    'removing stored replies': idempotency.purge,
    'removing files without a document': services.sweepOrphans,
    'emptying the trash': services.trash.sweep,
    'ending sync sessions': services.syncs.tidy,
    'forgetting syncs of connections': services.connectionSyncs.tidy,
    'removing resumable uploads': services.resumableUploads.tidy,
    'removing events': services.events.tidy,
    'erasing deleted workspaces': services.sweepWorkspaces,
    'removing sessions': services.sessions.tidy,
    'removing links': services.links.tidy,
    'removing deliveries': services.webhookHousekeeping.tidy,
    'removing usage': services.usageHistory.tidy,
  }
  return [
    // At the start too: a model may have been set while the server was down.
    { name: 'looking for missing vectors', everyMs: minuteMs, atStart: true, work: services.sweepVectors },
    ...Object.entries(eachMinute).map(([name, work]) => ({ name, everyMs: minuteMs, work })),
    ...Object.entries(eachHour).map(([name, clear]) => ({
      name,
      everyMs: askForTurnMs,
      work: async () => {
        if (await takeTurn(database, name, hourMs)) tellCleared(log, name, await clear())
      },
    })),
  ]
}

function tellCleared(log: Log, chore: string, count: number): void {
  if (count > 0) log.debug('Cleared away what had run out', { chore, count })
}
