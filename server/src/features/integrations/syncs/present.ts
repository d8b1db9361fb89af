/** Syncs of connections and their items as they are answered. */
import { toOptionalTimestamp, toTimestamp } from '../../../platform/clock.ts'
import type { ConnectionRow } from '../records/store.ts'
import type { ConnectionItem, ConnectionSync } from '../records/sync-schemas.ts'
import type { ItemRow } from './items-store.ts'
import type { ConnectionSyncRow } from './syncs-store.ts'

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
