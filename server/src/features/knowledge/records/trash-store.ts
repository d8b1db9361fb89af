/** Rows of documents and collections in the trash, and of those that are due to be erased. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf } from '../../../platform/database/rows.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { type CollectionRow, collectionsOf } from './collections-store.ts'
import type { WholeScope } from './document-jobs.ts'
import { type DocumentRow, duplicateOf, type StoredDocument } from './documents-store.ts'

export type Removal = {
  ifMatch: string | null
  dryRun: boolean
  /** Erases at once with every trace, instead of after the days in the trash. Also works for items in the trash. */
  erase: boolean
}

/** A row of the trash has both times. */
export type TrashedDocumentRow = DocumentRow & { deleted_at: number; erase_at: number }
export type TrashedCollectionRow = CollectionRow & { deleted_at: number; erase_at: number }

/** Documents that were deleted by themselves. Documents of a deleted collection are restored with the collection. */
const trashedDocuments = (scope: Scope, query: Query, now: number) =>
  query
    .selectFrom('documents')
    .where('documents.workspace_id', '=', scope.workspaceId)
    .where('documents.environment', '=', scope.environment)
    .where('documents.deleted_at', 'is not', null)
    .where('documents.erase_at', '>', now)
    .where(({ exists }) =>
      exists(
        collectionsOf(scope, query)
          .select('collections.id')
          .where(sql<boolean>`collections.id = documents.collection_id`),
      ),
    )

const trashedCollections = (scope: Scope, query: Query, now: number) => {
  const collections = query
    .selectFrom('collections')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('deleted_at', 'is not', null)
    .where('erase_at', '>', now)
  const reached = reachesCollection(scope, 'collections.id')
  return reached === null ? collections : collections.where(reached)
}

export const listTrashedDocuments = (scope: Scope, query: Query, now: number, page: PageRequest) =>
  pageOf(
    trashedDocuments(scope, query, now)
      .selectAll('documents')
      .select(duplicateOf)
      .$castTo<TrashedDocumentRow>(),
    page,
  )

export const listTrashedCollections = (scope: Scope, query: Query, now: number, page: PageRequest) =>
  pageOf(trashedCollections(scope, query, now).selectAll().$castTo<TrashedCollectionRow>(), page)

export const lockTrashedDocument = (scope: Scope, tx: Tx, id: string, now: number) =>
  trashedDocuments(scope, tx, now)
    .selectAll('documents')
    .select(duplicateOf)
    .where('documents.id', '=', id)
    .forUpdate()
    .executeTakeFirst()

export const lockTrashedCollection = (scope: Scope, tx: Tx, id: string, now: number) =>
  trashedCollections(scope, tx, now).selectAll().where('id', '=', id).forUpdate().executeTakeFirst()

/**
 * For the search index: locks a document that was not deleted by itself. Its collection may be in the trash, since the
 * collection's restore does not index it. Leaves out collections that are being imported or erased.
 */
export const lockIndexed = (
  { workspaceId, environment }: WholeScope,
  tx: Tx,
  id: string,
  now: number,
): Promise<StoredDocument | undefined> =>
  tx
    .selectFrom('documents')
    .selectAll('documents')
    .where('documents.id', '=', id)
    .where('documents.workspace_id', '=', workspaceId)
    .where('documents.environment', '=', environment)
    .where('documents.deleted_at', 'is', null)
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('collections')
          .select('collections.id')
          .where(sql<boolean>`collections.id = documents.collection_id`)
          .where(({ or, eb }) => or([eb('deleted_at', 'is', null), eb('erase_at', '>', now)])),
      ),
    )
    .forUpdate()
    .executeTakeFirst()

export type TrashCounts = { documents: number; collections: number }

export type TrashContents = TrashCounts & { documentIds: string[]; collectionIds: string[] }

/** The counts and the first ids of the trash. */
export async function contentsOfTrash(
  scope: Scope,
  query: Query,
  now: number,
  limit: number,
): Promise<TrashContents> {
  const documents = trashedDocuments(scope, query, now)
  const collections = trashedCollections(scope, query, now)
  const first = await documents.select('documents.id').orderBy('documents.id').limit(limit).execute()
  const firstCollections = await collections.select('id').orderBy('id').limit(limit).execute()
  return {
    documents: await countOf(documents),
    collections: await countOf(collections),
    documentIds: first.map(({ id }) => id),
    collectionIds: firstCollections.map(({ id }) => id),
  }
}

/**
 * Makes everything in the trash due for erasure. Each update checks `deleted_at` a second time. After PostgreSQL has
 * waited for a row that a restore locked, it checks again only conditions on the row itself.
 */
export async function makeTrashDue(scope: Scope, tx: Tx, now: number): Promise<TrashCounts> {
  const documents = await tx
    .updateTable('documents')
    .set({ erase_at: now })
    .where('id', 'in', trashedDocuments(scope, tx, now).select('documents.id'))
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  const collections = await tx
    .updateTable('collections')
    .set({ erase_at: now })
    .where('id', 'in', trashedCollections(scope, tx, now).select('id'))
    .where('deleted_at', 'is not', null)
    .executeTakeFirstOrThrow()
  return { documents: Number(documents.numUpdatedRows), collections: Number(collections.numUpdatedRows) }
}

/** Some rows that are due for erasure in a scope. */
export const listDue = (
  { workspaceId, environment }: WholeScope,
  query: Query,
  table: 'documents' | 'collections',
  now: number,
  limit: number,
): Promise<{ id: string }[]> =>
  query
    .selectFrom(table)
    .select('id')
    .where('erase_at', '<=', now)
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .limit(limit)
    .execute()

/** The scopes in all workspaces that have rows due for erasure, at most `limit` of them. */
export async function listDueScopes(query: Query, now: number, limit: number): Promise<WholeScope[]> {
  const due = (table: 'documents' | 'collections') =>
    query.selectFrom(table).select(['workspace_id', 'environment']).where('erase_at', '<=', now)
  const rows = await due('documents').union(due('collections')).limit(limit).execute()
  return rows.map(row => ({ workspaceId: row.workspace_id, environment: row.environment }))
}

export const notInTrash = (id: string): ServiceError =>
  new ServiceError('not_in_trash', undefined, { details: { id } })
