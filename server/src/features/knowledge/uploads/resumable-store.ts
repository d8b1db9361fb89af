/** Rows of resumable uploads. An expired upload counts as missing. */
import type { Selectable, Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { deletes, inserts, updates } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'

export type UploadRow = Selectable<Tables['uploads']>

/** Only its bytes change an upload, so their number is its revision. */
export const revisionOf = ({ id, offset_bytes }: UploadRow): { id: string; revision: number } => ({
  id,
  revision: offset_bytes,
})

const uploadsOf = (scope: Scope, query: Query) => {
  const uploads = query
    .selectFrom('uploads')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
  const reached = reachesCollection(scope, 'collection_id')
  return reached === null ? uploads : uploads.where(reached)
}

export const listUploads = (scope: Scope, query: Query, nowMs: number, page: PageRequest) =>
  pageOf(uploadsOf(scope, query).where('expires_at', '>', nowMs).selectAll(), page)

export const findUpload = (scope: Scope, query: Query, nowMs: number, id: string) =>
  uploadsOf(scope, query).where('id', '=', id).where('expires_at', '>', nowMs).selectAll().executeTakeFirst()

export const lockUpload = (scope: Scope, tx: Tx, nowMs: number, id: string) =>
  uploadsOf(scope, tx)
    .where('id', '=', id)
    .where('expires_at', '>', nowMs)
    .selectAll()
    .forUpdate()
    .executeTakeFirst()

/** The number and total bytes of the environment's uploads in progress, including those that the key cannot reach. */
export async function sumOpenUploads({ workspaceId, environment }: Scope, query: Query, nowMs: number) {
  const row = await query
    .selectFrom('uploads')
    .select(({ fn }) => [
      fn.countAll<number>().as('uploads'),
      fn.sum<number | null>('length_bytes').as('bytes'),
    ])
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .where('status', 'in', ['open', 'finishing'])
    .where('expires_at', '>', nowMs)
    .executeTakeFirstOrThrow()
  return { uploads: Number(row.uploads), bytes: Number(row.bytes ?? 0) }
}

export const insertUpload = inserts('uploads')

export const updateUpload = updates('uploads')

/** False if another request holds the lock by now: then nothing was changed. */
export async function updateLocked(
  scope: Scope,
  tx: Tx,
  upload: { id: string; token: string },
  change: Updateable<Tables['uploads']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('uploads')
    .set(change)
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', upload.id)
    .where('lock_token', '=', upload.token)
    .executeTakeFirst()
  return numUpdatedRows > 0n
}

export const deleteUpload = deletes('uploads')

/** For housekeeping only, in all workspaces. An upload that is being made a document is left to its job. */
export const listExpiredUploads = (query: Query, nowMs: number, { after, limit }: RowRange) =>
  query
    .selectFrom('uploads')
    .select(['id', 'workspace_id', 'environment'])
    .where('expires_at', '<=', nowMs)
    .where('status', '<>', 'finishing')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** For housekeeping only: the ids of uploads whose file is still needed. */
export async function findUploadIds(query: Query, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await query
    .selectFrom('uploads')
    .select('id')
    .where('id', 'in', [...ids])
    .where('status', 'in', ['open', 'finishing'])
    .execute()
  return new Set(rows.map(({ id }) => id))
}

/** For the start of a server that is alone on its database: the previous holders of these locks are dead. */
export async function releaseLocks(tx: Tx): Promise<void> {
  await tx.updateTable('uploads').set({ lock_until: 0, lock_token: null }).execute()
}
