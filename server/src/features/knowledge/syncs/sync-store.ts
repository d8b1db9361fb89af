/** Rows of sync sessions, of their manifests, and of the documents that they have yet to delete. */
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, inserts, revises } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'

export type SyncRow = Selectable<Tables['syncs']>

const syncsOf = (scope: Scope, query: Query) => {
  const syncs = query
    .selectFrom('syncs')
    .where('syncs.workspace_id', '=', scope.workspaceId)
    .where('syncs.environment', '=', scope.environment)
  const reached = reachesCollection(scope, 'syncs.collection_id')
  return reached === null ? syncs : syncs.where(reached)
}

export const listSyncs = (scope: Scope, query: Query, collectionId: string, page: PageRequest) =>
  pageOf(syncsOf(scope, query).where('collection_id', '=', collectionId).selectAll(), page)

export const findSync = (scope: Scope, query: Query, id: string): Promise<SyncRow | undefined> =>
  syncsOf(scope, query).where('syncs.id', '=', id).selectAll().executeTakeFirst()

export const lockSync = (scope: Scope, tx: Tx, id: string) =>
  syncsOf(scope, tx).where('syncs.id', '=', id).selectAll().forUpdate().executeTakeFirst()

/** The collection's session that is open or completing. */
export const findSyncUnderWay = (scope: Scope, query: Query, collectionId: string) =>
  syncsOf(scope, query)
    .where('collection_id', '=', collectionId)
    .where('status', 'in', ['open', 'completing'])
    .selectAll()
    .executeTakeFirst()

export const insertSync = inserts('syncs')

export const updateSync = revises('syncs')

export type EntryRow = Selectable<Tables['sync_entries']>

/** Few enough for the parameters of one statement, and for one turn of the event loop. */
export const entriesAtOnce = 250

/** The positions of these external ids in the manifest, if it has them already. */
export const findPositions = (query: Query, syncId: string, externalIds: readonly string[]) =>
  query
    .selectFrom('sync_entries')
    .select(['external_id', 'position'])
    .where('sync_id', '=', syncId)
    .where('external_id', 'in', [...externalIds])
    .execute()

/** The hashes of the collection's documents with these external ids. */
export const findHashes = (query: Query, collectionId: string, externalIds: readonly string[]) =>
  query
    .selectFrom('documents')
    .select(['external_id', 'sha256'])
    .where('collection_id', '=', collectionId)
    .where('external_id', 'in', [...externalIds])
    .where('deleted_at', 'is', null)
    .execute()

export async function insertEntries(tx: Tx, rows: readonly EntryRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('sync_entries').values(rows).execute()
}

export type SyncCounts = { added: number; changed: number; unchanged: number; failed: number }

/** How far the manifest and the collection agree now. An uploaded file may differ from the manifest's hash. */
export async function countEntries(query: Query, sync: SyncRow): Promise<SyncCounts & { prior: number }> {
  const row = await entriesBesideDocuments(query, sync)
    .select([
      sql<number>`count(CASE WHEN ${isMissing} THEN NULL WHEN entry.prior_sha256 IS NULL THEN 1 END)`.as(
        'added',
      ),
      sql<number>`count(CASE WHEN ${isMissing} THEN NULL WHEN entry.prior_sha256 <> entry.sha256 THEN 1 END)`.as(
        'changed',
      ),
      sql<number>`count(CASE WHEN ${isMissing} THEN NULL WHEN entry.prior_sha256 = entry.sha256 THEN 1 END)`.as(
        'unchanged',
      ),
      sql<number>`count(CASE WHEN ${isMissing} THEN 1 END)`.as('failed'),
      sql<number>`count(entry.prior_sha256)`.as('prior'),
    ])
    .executeTakeFirstOrThrow()
  return {
    added: Number(row.added),
    changed: Number(row.changed),
    unchanged: Number(row.unchanged),
    failed: Number(row.failed),
    prior: Number(row.prior),
  }
}

const entriesBesideDocuments = (query: Query, { id, collection_id }: SyncRow) =>
  query
    .selectFrom('sync_entries as entry')
    .leftJoin('documents as document', join =>
      join
        .onRef('document.external_id', '=', 'entry.external_id')
        .on('document.collection_id', '=', collection_id)
        .on('document.external_id', 'is not', null)
        .on('document.deleted_at', 'is', null),
    )
    .where('entry.sync_id', '=', id)

/** There is no document, or it still has its old content although the manifest asked for another one. */
const isMissing = sql<boolean>`(document.id IS NULL
  OR (document.sha256 = entry.prior_sha256 AND entry.prior_sha256 <> entry.sha256))`

/** The entries that were asked for and not uploaded: as of now for an open session, else as of the session's end. */
export function listMissing(query: Query, sync: SyncRow, page: PageRequest): Promise<Page<EntryRow>> {
  const rows =
    sync.status === 'open'
      ? entriesBesideDocuments(query, sync).where(isMissing)
      : query.selectFrom('sync_entries as entry').where('sync_id', '=', sync.id).where('missing', '=', 1)
  return pageOf(rows.selectAll('entry'), page, { idColumn: 'entry.external_id' })
}

export async function markMissing(tx: Tx, sync: SyncRow): Promise<void> {
  await tx
    .updateTable('sync_entries')
    .set({ missing: 1 })
    .where('sync_id', '=', sync.id)
    .where('external_id', 'in', entriesBesideDocuments(tx, sync).where(isMissing).select('entry.external_id'))
    .execute()
}

/** The source's documents that the manifest lacks, without documents created since the session began. */
export const goneDocuments = (query: Query, { id, collection_id, created_at }: SyncRow) =>
  query
    .selectFrom('documents as document')
    .where('document.collection_id', '=', collection_id)
    .where('document.external_id', 'is not', null)
    .where('document.deleted_at', 'is', null)
    .where('document.created_at', '<=', created_at)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('sync_entries as entry')
            .select('entry.external_id')
            .where('entry.sync_id', '=', id)
            .whereRef('entry.external_id', '=', 'document.external_id'),
        ),
      ),
    )

export const countGone = (query: Query, sync: SyncRow): Promise<number> => countOf(goneDocuments(query, sync))

export const firstGone = (query: Query, sync: SyncRow, limit: number) =>
  goneDocuments(query, sync)
    .select(['document.id', 'document.external_id'])
    .orderBy('document.id')
    .limit(limit)
    .execute()

/** Removes a slice of the manifest's entries, of all or of those that are not missing, and returns their number. */
export async function deleteEntries(tx: Tx, syncId: string, which: 'all' | 'settled'): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('sync_entries')
    .where('sync_id', '=', syncId)
    .where('external_id', 'in', ({ selectFrom }) => {
      const entries = selectFrom('sync_entries').select('external_id').where('sync_id', '=', syncId)
      return (which === 'all' ? entries : entries.where('missing', '=', 0)).limit(entriesDeletedAtOnce)
    })
    .executeTakeFirst()
  return Number(numDeletedRows)
}

const entriesDeletedAtOnce = 2_000

/** For housekeeping only, in all workspaces: open sessions that have expired. */
export const listExpired = (query: Query, nowMs: number, range: RowRange): Promise<SyncRow[]> =>
  rowsIn(query, range).where('status', '=', 'open').where('expires_at', '<=', nowMs).execute()

/** For housekeeping only, in all workspaces: sessions that ended before this time. */
export const listForgettable = (query: Query, endedBefore: number, range: RowRange): Promise<SyncRow[]> =>
  rowsIn(query, range).where('finished_at', '<=', endedBefore).execute()

const rowsIn = (query: Query, { after, limit }: RowRange) =>
  query.selectFrom('syncs').selectAll().where('id', '>', after).orderBy('id').limit(limit)

export async function deleteSyncRow(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('syncs').where('id', '=', id).execute()
}

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
export const countNamed = (
  scope: Scope,
  query: Query,
  collectionId: string,
  ids: readonly string[],
): Promise<number> => countOf(namedDocuments(scope, query, collectionId, ids))

/** Marks for deletion those of these documents that the collection holds; returns their number. */
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

export const nextDeletions = (query: Query, syncId: string, limit: number) =>
  query
    .selectFrom('sync_deletions')
    .select(['document_id', 'version'])
    .where('sync_id', '=', syncId)
    .orderBy('document_id')
    .limit(limit)
    .execute()

/** Returns false if the document was no longer to be deleted. */
export async function settleDeletion(tx: Tx, syncId: string, documentId: string): Promise<boolean> {
  const { numDeletedRows } = await tx
    .deleteFrom('sync_deletions')
    .where('sync_id', '=', syncId)
    .where('document_id', '=', documentId)
    .executeTakeFirst()
  return numDeletedRows > 0n
}
