/** Rows of what a sync session has yet to delete. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { goneDocuments, type SyncRow } from './sync-store.ts'

export async function keepGone(tx: Tx, sync: SyncRow): Promise<void> {
  await tx
    .insertInto('sync_deletions')
    .columns(['sync_id', 'document_id', 'version'])
    .expression(
      goneDocuments(tx, sync).select([
        sql<string>`${sync.id}`.as('sync_id'),
        'document.id',
        'document.version',
      ]),
    )
    .execute()
}

const namedDocuments = (scope: Scope, query: Query, collectionId: string, ids: readonly string[]) =>
  query
    .selectFrom('documents')
    .where('workspace_id', '=', scope.workspaceId)
    .where('collection_id', '=', collectionId)
    .where('id', 'in', [...ids])
    .where('deleted_at', 'is', null)

/** How many of these documents the collection holds. */
export async function countNamed(
  scope: Scope,
  query: Query,
  collectionId: string,
  ids: readonly string[],
): Promise<number> {
  const row = await namedDocuments(scope, query, collectionId, ids)
    .select(({ fn }) => fn.countAll<number>().as('held'))
    .executeTakeFirstOrThrow()
  return Number(row.held)
}

/** Keeps those of these documents that the collection holds for deletion; answers how many they are. */
export async function keepNamed(
  scope: Scope,
  tx: Tx,
  { id, collection_id }: SyncRow,
  documentIds: readonly string[],
): Promise<number> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('sync_deletions')
    .columns(['sync_id', 'document_id', 'version'])
    .expression(
      namedDocuments(scope, tx, collection_id, documentIds).select([
        sql<string>`${id}`.as('sync_id'),
        'id',
        'version',
      ]),
    )
    .executeTakeFirst()
  return Number(numInsertedOrUpdatedRows ?? 0)
}

export const nextDeletions = (
  query: Query,
  syncId: string,
  limit: number,
): Promise<{ document_id: string; version: number }[]> =>
  query
    .selectFrom('sync_deletions')
    .select(['document_id', 'version'])
    .where('sync_id', '=', syncId)
    .orderBy('document_id')
    .limit(limit)
    .execute()

export async function settleDeletion(tx: Tx, syncId: string, documentId: string): Promise<void> {
  await tx
    .deleteFrom('sync_deletions')
    .where('sync_id', '=', syncId)
    .where('document_id', '=', documentId)
    .execute()
}
