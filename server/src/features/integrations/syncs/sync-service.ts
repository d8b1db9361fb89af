/** The operations on connections' syncs: start, follow, list, cancel. Also how syncs are shown. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Caller } from '../../../platform/caller.ts'
import { dayMs, type Patience, toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found, notFound, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import { bySlices } from '../../../platform/schedules/rounds.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import type { DocumentService } from '../../knowledge/documents/documents-service.ts'
import { type ConnectionRow, findConnection } from '../records/store.ts'
import type {
  ConnectionItem,
  ConnectionItemStatus,
  ConnectionSync,
  NewConnectionSync,
} from '../records/sync-schemas.ts'
import { documentsOf, type ItemRow, listItems } from './items-store.ts'
import { endSync } from './sync-attempt.ts'
import type { StartSync } from './sync-start.ts'
import {
  type ConnectionSyncRow,
  deleteSyncsEndedBefore,
  findSync,
  listSyncs,
  lockSync,
} from './syncs-store.ts'

/** The ids of a sync and of its connection. Each operation throws 404 if they do not belong together. */
type SyncIds = { connectionId: string; syncId: string }

export type ConnectionSyncService = ReturnType<typeof createConnectionSyncService>

const keptMs = 30 * dayMs
const tidiedAtOnce = 500
const shortestLookMs = 50
const longestLookMs = 500

export function createConnectionSyncService(
  dependencies: Pick<Platform, 'database' | 'jobs' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
    start: StartSync
    documents: Pick<DocumentService, 'get'>
  },
) {
  const { database, jobs, audit, clock, start, documents } = dependencies

  const find = async ({ scope }: Caller, { connectionId, syncId }: SyncIds): Promise<ConnectionSyncRow> => {
    const sync = await findSync(scope, database.read, syncId)
    if (sync?.connection_id !== connectionId) throw notFound()
    // The connection may now be kept in another collection, which the caller may not reach.
    found(await findConnection(scope, database.read, connectionId))
    return sync
  }

  /**
   * Ends once every document that the sync made or changed can be found, or failed to be read. Ends at the deadline
   * at the latest.
   */
  const documentsSettled = async (
    caller: Caller,
    sync: ConnectionSyncRow,
    { deadlineMs, signal }: { deadlineMs: number; signal: AbortSignal },
  ): Promise<void> => {
    const leftMs = () => (signal.aborted ? 0 : deadlineMs - performance.now())
    if (sync.added + sync.changed === 0) return
    const taken = documentsOf(caller.scope, database.read, sync.connection_id, { takenBy: sync.id })
    for await (const id of taken) {
      const waitMs = leftMs()
      if (waitMs <= 0) return
      await documents.get(caller, id, { waitMs, signal }).catch(unlessGone)
    }
  }

  /** Looks at the row again and again, since any process may work on the sync. */
  const settled = async (
    caller: Caller,
    ids: SyncIds,
    { waitMs, signal }: Patience,
  ): Promise<ConnectionSyncRow> => {
    const deadlineMs = performance.now() + waitMs
    let sync = await find(caller, ids)
    for (
      let lookMs = shortestLookMs;
      sync.finished_at === null;
      lookMs = Math.min(lookMs * 2, longestLookMs)
    ) {
      const leftMs = deadlineMs - performance.now()
      if (leftMs <= 0 || signal.aborted) break
      // A caller that has hung up does not read the answer.
      await sleep(Math.min(lookMs, leftMs), undefined, { signal }).catch(() => undefined)
      sync = await find(caller, ids)
    }
    if (sync.finished_at !== null) await documentsSettled(caller, sync, { deadlineMs, signal })
    return sync
  }

  return {
    async start(
      caller: Caller,
      connectionId: string,
      wanted: NewConnectionSync,
      patience: Patience,
    ): Promise<ConnectionSyncRow> {
      const syncId = await start(caller, connectionId, wanted, 'request')
      return settled(caller, { connectionId, syncId }, patience)
    },

    async list(
      caller: Caller,
      connectionId: string,
      { status }: { status?: ConnectionSyncRow['status'] },
      page: PageRequest,
    ): Promise<Page<ConnectionSyncRow>> {
      found(await findConnection(caller.scope, database.read, connectionId))
      return listSyncs(caller.scope, database.read, connectionId, status, page)
    },

    get: settled,

    /** Documents that were written stay. A sync that has already ended is answered unchanged. */
    async cancel(caller: Caller, ids: SyncIds): Promise<ConnectionSyncRow> {
      await find(caller, ids)
      return database.write(async tx => {
        const sync = found(await lockSync(caller.scope, tx, ids.syncId))
        if (sync.finished_at !== null) return sync
        if (sync.job_id !== null) await jobs.cancel(tx, sync.job_id)
        await audit.record(tx, caller, {
          action: 'integration.sync_cancel',
          resourceId: ids.connectionId,
          details: { syncId: sync.id },
        })
        return endSync(dependencies, tx, caller.scope, sync, { status: 'cancelled' })
      })
    },

    async items(
      caller: Caller,
      ids: SyncIds,
      { status }: { status?: ConnectionItemStatus },
      page: PageRequest,
    ): Promise<Page<ItemRow>> {
      return listItems(caller.scope, database.read, await find(caller, ids), status, page)
    },

    /** For housekeeping, in every workspace: forgets syncs that ended 30 days ago. Returns their number. */
    async tidy(): Promise<number> {
      const endedBefore = clock() - keptMs
      return bySlices(
        limit => database.write(tx => deleteSyncsEndedBefore(tx, endedBefore, limit)),
        tidiedAtOnce,
      )
    },
  }
}

/** Ignores that the document was deleted meanwhile. */
function unlessGone(error: unknown): void {
  if (!(error instanceof ServiceError && error.code === 'not_found')) throw error
}

// Syncs of connections and their items, as the API shows them.

export const presentSync = (row: ConnectionSyncRow): ConnectionSync => ({
  id: row.id,
  connectionId: row.connection_id,
  collectionId: row.collection_id,
  status: row.status,
  phase: row.finished_at === null ? row.phase : null,
  startedBy: row.started_by,
  full: row.is_full === 1,
  listed: row.listed,
  added: row.added,
  changed: row.changed,
  unchanged: row.unchanged,
  deleted: row.deleted,
  failed: row.failed,
  waitingUntil: toOptionalTimestamp(row.waiting_until),
  error: errorOf(row),
  createdAt: toTimestamp(row.created_at),
  startedAt: toOptionalTimestamp(row.started_at),
  updatedAt: toTimestamp(row.updated_at),
  finishedAt: toOptionalTimestamp(row.finished_at),
})

export const presentItem = (row: ItemRow): ConnectionItem => ({
  externalId: row.external_id,
  title: row.title,
  status: itemStatusOf(row),
  documentId: row.document_id,
  error: errorOf(row),
  updatedAt: toTimestamp(row.updated_at),
})

function itemStatusOf({ gone, error_code, pending }: ItemRow): ConnectionItem['status'] {
  if (gone === 1) return 'gone'
  if (error_code !== null) return 'failed'
  return pending === 1 ? 'pending' : 'synced'
}

export const presentPlan = (row: ConnectionRow) => ({
  collectionId: row.sync_collection_id,
  everyMinutes: row.sync_every_minutes,
  nextSyncAt: toOptionalTimestamp(row.next_sync_at),
})

const errorOf = (row: { error_code: string | null; error_message: string | null }) =>
  row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' }
