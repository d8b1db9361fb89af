/** Rows of collections. The queries leave out deleted collections. */
import type { Selectable, Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { listInScope, type PageRequest } from '../../../platform/database/page.ts'
import { deletes, inserts } from '../../../platform/database/rows.ts'
import { statement, statementInScope } from '../../../platform/database/statement.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'

export type CollectionRow = Selectable<Tables['collections']>

export const collectionsOf = (scope: Scope, query: Query) => {
  const collections = query
    .selectFrom('collections')
    .where('collections.workspace_id', '=', scope.workspaceId)
    .where('collections.environment', '=', scope.environment)
    .where('collections.deleted_at', 'is', null)
  const reached = reachesCollection(scope, 'collections.id')
  return reached === null ? collections : collections.where(reached)
}

export const listCollections = (scope: Scope, query: Query, page: PageRequest) =>
  pagesOfCollections(scope, query, {}, page)

const pagesOfCollections = listInScope(
  (scope, query) => collectionsOf(scope, query).selectAll(),
  (_scope, query) => ({ columns: { named: { query, name: 'name', texts: ['name', 'description'] } } }),
)

export const findCollection = async (scope: Scope, query: Query, id: string) =>
  (await collectionById(scope, query, { id })).rows[0]

const collectionById = statementInScope((scope, query, { id }: { id: string }) =>
  collectionsOf(scope, query).selectAll().where('id', '=', id),
)

/** The row, locked until the transaction ends. */
export const lockCollection = (scope: Scope, tx: Tx, id: string) =>
  collectionsOf(scope, tx).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/** The given ids that name collections of the scope. */
export async function existingCollectionIds(
  scope: Scope,
  query: Query,
  ids: readonly string[],
): Promise<Set<string>> {
  if (ids.length === 0) return new Set()
  const rows = await collectionsOf(scope, query)
    .select('id')
    .where('id', 'in', [...ids])
    .execute()
  return new Set(rows.map(row => row.id))
}

export const insertCollection = inserts('collections')

export async function updateCollection(
  scope: Scope,
  tx: Tx,
  row: { id: string; revision: number },
  change: Updateable<Tables['collections']>,
): Promise<void> {
  await tx
    .updateTable('collections')
    .set({ ...change, revision: row.revision + 1 })
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', row.id)
    .execute()
}

/** Adds to the counts of a collection, even of one in the trash. Negative numbers subtract. */
export async function addToCollection(
  scope: Scope,
  tx: Tx,
  id: string,
  { documents = 0, chunks = 0, bytes = 0, storedBytes = 0 }: Partial<Counts>,
): Promise<void> {
  await addCounts(tx, { workspaceId: scope.workspaceId, id, documents, chunks, bytes, storedBytes })
}

type Counts = { documents: number; chunks: number; bytes: number; storedBytes: number }

const addCounts = statement((tx, added: Counts & { workspaceId: string; id: string }) =>
  tx
    .updateTable('collections')
    .set(({ eb }) => ({
      document_count: eb('document_count', '+', added.documents),
      chunk_count: eb('chunk_count', '+', added.chunks),
      size_bytes: eb('size_bytes', '+', added.bytes),
      stored_bytes: eb('stored_bytes', '+', added.storedBytes),
    }))
    .where('workspace_id', '=', added.workspaceId)
    .where('id', '=', added.id),
)

export const deleteCollectionRow = deletes('collections')

/** Keeps the team access of a deleted collection, and takes it out of the trash. False if it had none. */
export async function emptyKeptRow(scope: Scope, tx: Tx, id: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('collections')
    .set({ name: '', description: null, erase_at: null })
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .where('access', '=', 'teams')
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** The documents of the collections that the scope can reach, or of one of them, by the collections' counts. */
export async function countDocuments(scope: Scope, query: Query, collectionId?: string): Promise<number> {
  const [row] = (await sumDocuments(scope, query, { collectionId })).rows
  return Number(row?.documents ?? 0)
}

const sumDocuments = statementInScope(
  (scope, query, { collectionId }: { collectionId: string | undefined }) => {
    const collections = collectionsOf(scope, query)
    const counted =
      collectionId === undefined ? collections : collections.where('collections.id', '=', collectionId)
    return counted.select(({ fn }) => fn.sum<number | null>('document_count').as('documents'))
  },
)
