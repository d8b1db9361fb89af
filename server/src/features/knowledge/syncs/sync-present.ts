/** Sync sessions as they are answered; those that are open are counted as they stand at the moment. */
import { toTimestamp } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import type { MissingEntry, Sync } from './sync-schemas.ts'
import { countEntries, type EntryRow, type SyncRow } from './sync-store.ts'

export async function presentSync(query: Query, sync: SyncRow): Promise<Sync> {
  if (sync.status !== 'open') return presentRow(sync)
  const { prior: _prior, ...counts } = await countEntries(query, sync)
  return presentRow({ ...sync, ...counts })
}

/** With the counts that the row has: of an open session, those of its manifest. */
export const presentRow = (sync: SyncRow): Sync => ({
  id: sync.id,
  collectionId: sync.collection_id,
  status: sync.status,
  entries: sync.entries,
  added: sync.added,
  changed: sync.changed,
  unchanged: sync.unchanged,
  deleted: sync.deleted,
  failed: sync.failed,
  maxDeleteShare: sync.max_delete_share,
  createdAt: toTimestamp(sync.created_at),
  updatedAt: toTimestamp(sync.updated_at),
  expiresAt: toTimestamp(sync.expires_at),
  finishedAt: sync.finished_at === null ? null : toTimestamp(sync.finished_at),
})

export const presentMissing = ({ external_id, sha256, prior_sha256 }: EntryRow): MissingEntry => ({
  externalId: external_id,
  sha256,
  reason: prior_sha256 === null ? 'new' : 'changed',
})
