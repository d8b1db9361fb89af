/** Rows of documents and of their versions. Most queries leave out documents in the trash. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { pageOfMatching } from '../../../platform/database/lists/matching-page.ts'
import { listInScope, type Page, type PageRequest } from '../../../platform/database/page.ts'
import { deletes } from '../../../platform/database/rows.ts'
import { knowledgeTables } from '../../../platform/database/schema/knowledge.ts'
import { engineOf, statementInScope } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import { bothFilters, type Filter } from '../../../platform/narrowing.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'
import { checkCost, documentsAtOnce, readCondition } from '../filter/cost.ts'
import { insertFields, writeFields } from '../filter/fields-store.ts'
import { documentMatches } from '../filter/matches.ts'
import { collectionsOf, countDocuments } from './collections-store.ts'
import type { DocumentStatus } from './schemas.ts'

export type StoredDocument = Selectable<Tables['documents']>
export type DocumentRow = StoredDocument & {
  /** The oldest other document in the collection with the same content; null if there is no older one. */
  duplicate_of: string | null
}
const unlistedColumns = [
  ...(['workspace_id', 'environment', 'given_title', 'blob_id', 'text_length'] as const),
  ...(['deleted_at', 'erase_at', 'revision'] as const),
] satisfies (keyof StoredDocument)[]

/** The columns of a document that are shown. */
export type ShownDocumentRow = Omit<DocumentRow, (typeof unlistedColumns)[number]>

const listedColumns = knowledgeTables.documents.columns
  .filter(column => !unlistedColumns.some(unlisted => unlisted === column))
  .map(column => `documents.${column as Exclude<keyof ShownDocumentRow, 'duplicate_of'>}` as const)

export type NewDocumentRow = Insertable<Tables['documents']>

export type DocumentFilter = {
  collectionId?: string
  status?: DocumentStatus
  externalId?: string
  matching?: Filter
}

/**
 * Leaves out documents whose collection is deleted or out of reach. The collection is looked up for each document: a
 * list of all collections would cost more with each collection.
 */
const documentsInCollections = (scope: Scope, query: Query) => {
  const itsCollection = collectionsOf(scope, query)
    .select('collections.id')
    .where(sql<boolean>`collections.id = documents.collection_id`)
  const documents = query
    .selectFrom('documents')
    .where('documents.workspace_id', '=', scope.workspaceId)
    .where('documents.environment', '=', scope.environment)
    .where('documents.deleted_at', 'is', null)
    .where(({ exists }) => exists(itsCollection))
  const reached = reachesCollection(scope, 'documents.collection_id')
  return reached === null ? documents : documents.where(reached)
}

/** `documentsInCollections`, narrowed by the scope's filter if it has one. */
const documentsOf = (scope: Scope, query: Query) => {
  const documents = documentsInCollections(scope, query)
  const { documentFilter } = scope
  if (documentFilter === undefined) return documents
  return documents.where(documentMatches(engineOf(query), documentFilter))
}

const selectDocuments = (scope: Scope, query: Query) =>
  documentsOf(scope, query).selectAll('documents').select(duplicateFor(scope))

/** Looked up instead of stored, so that it stays true after changes of the other document. */
export const duplicateOf = sql<string | null>`(
  SELECT min(other.id) FROM documents AS other
  WHERE other.collection_id = documents.collection_id AND other.sha256 = documents.sha256
    AND other.id < documents.id AND other.deleted_at IS NULL
)`.as('duplicate_of')

/** Null under a filter of the scope: the other document may not match the filter, and its id would reveal it. */
const duplicateFor = ({ documentFilter }: Scope) =>
  documentFilter === undefined ? duplicateOf : sql<string | null>`NULL`.as('duplicate_of')

export async function listDocuments(
  scope: Scope,
  query: Query,
  filter: DocumentFilter,
  page: PageRequest,
): Promise<Page<ShownDocumentRow>> {
  const { collectionId, status, externalId, matching: asked } = filter
  // Picked by name: the filter object may have more fields than its type declares.
  const selection = { collectionId, status, externalId }
  const matching = bothFilters(scope.documentFilter, asked)
  if (matching === null) return pagesOfDocuments(scope, query, selection, page)
  const { condition } = await readCondition(scope, query, matching)
  const options = { idColumn: 'documents.id', unfiltered: documentsOf(scope, query).select('documents.id') }
  let told = 0
  return pageOfMatching(selectChosen(scope, query, selection), page, options, {
    tested: sql<number>`CASE WHEN ${condition} THEN 1 ELSE 0 END`,
    atOnce: documentsAtOnce(matching),
    tell: slice => {
      told += slice.length
      checkCost(matching, told)
      return slice.map(({ tested }) => tested === 1)
    },
  })
}

type Selection = { [Name in 'collectionId' | 'status' | 'externalId']: DocumentFilter[Name] | undefined }

/** Selects without regard to the scope's filter. */
function selectChosen(scope: Scope, query: Query, { collectionId, status, externalId }: Partial<Selection>) {
  let rows = documentsInCollections(scope, query).select(listedColumns).select(duplicateFor(scope))
  if (collectionId !== undefined) rows = rows.where('collection_id', '=', collectionId)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (externalId !== undefined) rows = rows.where('external_id', '=', externalId)
  return rows
}

const pagesOfDocuments = listInScope(selectChosen, (scope, query, { collectionId, status, externalId }) => {
  const isFiltered = status !== undefined || externalId !== undefined
  const total = isFiltered ? {} : { total: () => countDocuments(scope, query, collectionId) }
  return { unfiltered: selectChosen(scope, query, {}), ...total }
})

export type Unsettled = { inProgress: number; failed: number }

/** More documents than are ever in progress at once. */
const mostInProgress = 1_000_000

/** How many documents of each collection are in progress, and how many failed. The scope reaches the collections. */
export async function countUnsettled(
  scope: Scope,
  query: Query,
  collectionIds: readonly string[],
): Promise<Map<string, Unsettled>> {
  if (collectionIds.length === 0) return new Map()
  // Each query uses an index of the few documents in its state. SQLite alone would read the whole workspace.
  const inState = {
    failed: query.selectFrom('documents').selectAll().where('status', '=', sql.lit('failed')),
    inProgress: query
      .selectFrom('documents')
      .selectAll()
      .where('status', '<>', sql.lit('ready'))
      .where('status', '<>', sql.lit('failed'))
      .orderBy('updated_at')
      .limit(mostInProgress),
  }
  const countsOf = async (state: keyof typeof inState): Promise<Map<string, number>> => {
    const rows = await query
      .selectFrom(inState[state].as('unsettled'))
      .select(({ fn }) => ['collection_id', fn.countAll<number>().as('count')])
      .where('workspace_id', '=', scope.workspaceId)
      .where('environment', '=', scope.environment)
      .where('collection_id', 'in', [...collectionIds])
      .where('deleted_at', 'is', null)
      .groupBy('collection_id')
      .execute()
    return new Map(rows.map(({ collection_id: id, count }) => [id, Number(count)]))
  }
  const [failed, inProgress] = [await countsOf('failed'), await countsOf('inProgress')]
  return new Map(
    collectionIds.map(id => [id, { inProgress: inProgress.get(id) ?? 0, failed: failed.get(id) ?? 0 }]),
  )
}

export const findDocument = async (
  scope: Scope,
  query: Query,
  id: string,
): Promise<DocumentRow | undefined> => (await documentById(scope, query, { id })).rows[0]

const documentById = statementInScope((scope, query, { id }: { id: string }) =>
  selectDocuments(scope, query).where('documents.id', '=', id),
)

/** Like `findDocument`, without reading the document's duplicates. */
export const findStoredDocument = (scope: Scope, query: Query, id: string) =>
  documentsOf(scope, query).selectAll('documents').where('documents.id', '=', id).executeTakeFirst()

export const findDocuments = (scope: Scope, query: Query, ids: readonly string[]): Promise<DocumentRow[]> =>
  ids.length === 0
    ? Promise.resolve([])
    : selectDocuments(scope, query)
        .where('documents.id', 'in', [...ids])
        .execute()

export const lockDocument = (scope: Scope, tx: Tx, id: string) =>
  selectDocuments(scope, tx).where('documents.id', '=', id).forUpdate().executeTakeFirst()

export const findByExternalId = (scope: Scope, query: Query, collectionId: string, externalId: string) =>
  documentsOf(scope, query)
    .select('documents.id')
    .where('collection_id', '=', collectionId)
    .where('external_id', '=', externalId)
    .executeTakeFirst()

export async function insertDocument(scope: Scope, tx: Tx, row: NewDocumentRow): Promise<DocumentRow> {
  const inserted = await tx
    .insertInto('documents')
    .values(row)
    .returningAll()
    .returning(duplicateOf)
    .executeTakeFirstOrThrow()
  await insertFields(scope, tx, row.id, decodeJson(row.metadata))
  return inserted
}

/** Every change of a document increases its revision. */
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
  if (change.metadata !== undefined) await writeFields(scope, tx, id, decodeJson(change.metadata))
}

/** For cleanup only: locks the document, even if the document or its collection is deleted. */
export const lockStored = (scope: Scope, tx: Tx, id: string): Promise<StoredDocument | undefined> =>
  tx
    .selectFrom('documents')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .forUpdate()
    .executeTakeFirst()

/**
 * The ids of a collection's documents after `after`, in order: all documents, or only the documents that were not
 * deleted by themselves. The caller has found the collection within its scope.
 */
export async function listDocumentIds(
  query: Query,
  which: 'all' | 'untrashed',
  collectionId: string,
  { after, limit }: RowRange,
): Promise<string[]> {
  const documents = query.selectFrom('documents').select('id').where('collection_id', '=', collectionId)
  const wanted = which === 'all' ? documents : documents.where('deleted_at', 'is', null)
  const rows = await wanted.where('id', '>', after).orderBy('id').limit(limit).execute()
  return rows.map(({ id }) => id)
}

/** Call this last, after everything that belongs to the document is deleted. */
export const deleteDocumentRow = deletes('documents')

/**
 * The given blob ids that are in use, in any workspace: files of documents and of earlier versions, and archives
 * still to be imported. Files of deleted documents are in use too.
 */
export async function usedBlobIds(query: Query, ids: readonly string[]): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const of = (table: 'documents' | 'document_versions' | 'imports') =>
    query
      .selectFrom(table)
      .select('blob_id')
      .where('blob_id', 'in', [...ids])
  const rows = await of('documents')
    .union(of('document_versions'))
    .union(of('imports').where('finished_at', 'is', null))
    .execute()
  return new Set(rows.map(row => row.blob_id))
}

/** A sync session that is completing no longer deletes the document: it was uploaded again. */
export async function keepFromDeletion(tx: Tx, { id, collection_id }: DocumentRow): Promise<void> {
  const completing = tx
    .selectFrom('syncs')
    .select('id')
    .where('collection_id', '=', collection_id)
    .where('status', '=', 'completing')
  await tx
    .deleteFrom('sync_deletions')
    .where('document_id', '=', id)
    .where('sync_id', 'in', completing)
    .execute()
}

/** A replaced version: it was ready once, and its file and chunks are kept. */
export type VersionRow = Selectable<Tables['document_versions']>

/** Copies the latest version from the document's row, before another version takes its place. */
export async function keepVersion(tx: Tx, row: DocumentRow, replacedAt: number): Promise<void> {
  await tx
    .insertInto('document_versions')
    .values({
      document_id: row.id,
      version: row.version,
      name: row.name,
      title: row.title,
      media_type: row.media_type,
      size_bytes: row.size_bytes,
      sha256: row.sha256,
      blob_id: row.blob_id,
      text_length: row.text_length ?? 0,
      page_count: row.page_count,
      warnings: row.warnings,
      chunk_count: row.chunk_count,
      replaced_at: replacedAt,
    })
    .execute()
}

/** The replaced versions, newest first. The caller has found the document within its scope. */
export const listVersions = (query: Query, documentId: string): Promise<VersionRow[]> =>
  query
    .selectFrom('document_versions')
    .selectAll()
    .where('document_id', '=', documentId)
    .orderBy('version', 'desc')
    .execute()

export const findVersion = (query: Query, documentId: string, version: number) =>
  query
    .selectFrom('document_versions')
    .selectAll()
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .executeTakeFirst()

export async function deleteVersionRow(tx: Tx, documentId: string, version: number): Promise<void> {
  await tx
    .deleteFrom('document_versions')
    .where('document_id', '=', documentId)
    .where('version', '=', version)
    .execute()
}
