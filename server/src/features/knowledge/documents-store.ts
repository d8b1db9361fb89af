/** Rows of documents and of their chunks. A document that is being erased is not there. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Engine, Query, Tx } from '../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { collectionsOf } from './collections-store.ts'
import type { DocumentStatus } from './schemas.ts'

export type DocumentRow = Selectable<Tables['documents']>
export type ChunkRow = Selectable<Tables['chunks']>

export type DocumentFilter = { collectionId?: string; status?: DocumentStatus; externalId?: string }

/** Through its collection, which can be outside the key's narrowing or under erasure. */
const documentsOf = (scope: Scope, query: Query) =>
  query
    .selectFrom('documents')
    .where('documents.workspace_id', '=', scope.workspaceId)
    .where('documents.environment', '=', scope.environment)
    .where('documents.deleted_at', 'is', null)
    .where('documents.collection_id', 'in', collectionsOf(scope, query).select('collections.id'))

export function listDocuments(
  scope: Scope,
  query: Query,
  filter: DocumentFilter,
  page: PageRequest,
): Promise<Page<DocumentRow>> {
  let rows = documentsOf(scope, query).selectAll()
  if (filter.collectionId !== undefined) rows = rows.where('collection_id', '=', filter.collectionId)
  if (filter.status !== undefined) rows = rows.where('status', '=', filter.status)
  if (filter.externalId !== undefined) rows = rows.where('external_id', '=', filter.externalId)
  return pageOf(rows, page)
}

export const findDocument = (scope: Scope, query: Query, id: string): Promise<DocumentRow | undefined> =>
  documentsOf(scope, query).selectAll().where('documents.id', '=', id).executeTakeFirst()

export const findDocuments = (scope: Scope, query: Query, ids: readonly string[]): Promise<DocumentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : documentsOf(scope, query)
        .selectAll()
        .where('documents.id', 'in', [...ids])
        .execute()

export function lockDocument(
  scope: Scope,
  tx: Tx,
  engine: Engine,
  id: string,
): Promise<DocumentRow | undefined> {
  const row = documentsOf(scope, tx).selectAll().where('documents.id', '=', id)
  return (engine === 'postgres' ? row.forUpdate() : row).executeTakeFirst()
}

export const findByExternalId = (
  scope: Scope,
  query: Query,
  collectionId: string,
  externalId: string,
): Promise<{ id: string } | undefined> =>
  documentsOf(scope, query)
    .select('documents.id')
    .where('collection_id', '=', collectionId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()

export async function insertDocument(
  _scope: Scope,
  tx: Tx,
  row: Insertable<Tables['documents']>,
): Promise<void> {
  await tx.insertInto('documents').values(row).execute()
}

/** Every change of a document counts its revision up. */
export async function updateDocument(
  scope: Scope,
  tx: Tx,
  id: string,
  change: Updateable<Tables['documents']>,
): Promise<void> {
  await tx
    .updateTable('documents')
    .set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .execute()
}

/** In order, the chunks that hold any of the code points from `from` up to `to`, be it in the gap behind them. */
export const readChunkTexts = (
  query: Query,
  version: { documentId: string; version: number },
  from: number,
  to: number,
): Promise<Pick<ChunkRow, 'start_offset' | 'text' | 'gap'>[]> =>
  query
    .selectFrom('chunks')
    .select(['start_offset', 'text', 'gap'])
    .where('document_id', '=', version.documentId)
    .where('document_version', '=', version.version)
    .where('start_offset', '<', to)
    .where('position', '>=', ({ selectFrom }) =>
      selectFrom('chunks as first')
        .select(sql<number>`coalesce(max(first.position), 0)`.as('position'))
        .where('first.document_id', '=', version.documentId)
        .where('first.document_version', '=', version.version)
        .where('first.start_offset', '<=', from),
    )
    .orderBy('position')
    .execute()

export async function insertChunks(tx: Tx, rows: readonly Insertable<Tables['chunks']>[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('chunks').values(rows).execute()
}

/** Removes what an earlier attempt left of a version. */
export async function deleteChunks(tx: Tx, documentId: string, version: number): Promise<void> {
  await tx
    .deleteFrom('chunks')
    .where('document_id', '=', documentId)
    .where('document_version', '=', version)
    .execute()
}

/** For erasure only: the document, whatever has become of its collection. */
export const findErasable = (
  scope: Scope,
  query: Query,
  id: string,
): Promise<{ id: string; blob_id: string } | undefined> =>
  query
    .selectFrom('documents')
    .select(['id', 'blob_id'])
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .executeTakeFirst()

/** Some documents of a collection that is being erased. */
export const listErasable = (
  scope: Scope,
  query: Query,
  collectionId: string,
  limit: number,
): Promise<{ id: string; blob_id: string }[]> =>
  query
    .selectFrom('documents')
    .select(['id', 'blob_id'])
    .where('workspace_id', '=', scope.workspaceId)
    .where('collection_id', '=', collectionId)
    .limit(limit)
    .execute()

/** The row goes last, and takes its chunks along. */
export async function deleteDocumentRow(scope: Scope, tx: Tx, id: string): Promise<void> {
  await tx
    .deleteFrom('documents')
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .execute()
}
