/** The SQL of archives: the rows of imports, and the reads of a collection for its export. */
import { type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import { countOf, inserts, revises } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import { placesPerCollection } from '../search/index/index-store.ts'

export type ImportRow = Selectable<Tables['imports']>

/** Each import makes a new collection. A narrowed key sees only imports that made one of its collections. */
export const findImport = (scope: Scope, query: Query, id: string): Promise<ImportRow | undefined> => {
  const row = query
    .selectFrom('imports')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
  const reached = reachesCollection(scope, 'collection_id')
  if (reached === null) return row.executeTakeFirst()
  if (scope.collectionIds !== undefined) return row.where(reached).executeTakeFirst()
  // An import in progress may have no collection yet, so no access rule applies to it.
  return row.where(({ eb, or }) => or([eb('collection_id', 'is', null), reached])).executeTakeFirst()
}

export const insertImport = inserts('imports')

/** Every change increases the revision. */
export const updateImport = revises('imports')

export const countUnderWay = (scope: Scope, query: Query): Promise<number> =>
  countOf(
    query
      .selectFrom('imports')
      .where('workspace_id', '=', scope.workspaceId)
      .where('environment', '=', scope.environment)
      .where('finished_at', 'is', null),
  )

/** Bytes of files that interrupted or failed imports have left, and that are being erased. */
export async function sumAbandonedBytes(scope: Scope, query: Query): Promise<number> {
  const [row] = await query
    .selectFrom('collections')
    .select(({ fn }) => fn.sum<number | null>('stored_bytes').as('bytes'))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    // A collection in the trash has a time of erasure. A collection that an import has not shown has none.
    .where('deleted_at', 'is not', null)
    .where('erase_at', 'is', null)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('imports')
            .select('imports.id')
            .where('imports.workspace_id', '=', scope.workspaceId)
            .whereRef('imports.collection_id', '=', 'collections.id'),
        ),
      ),
    )
    .execute()
  return Number(row?.bytes ?? 0)
}

export const findExported = (query: Query, collectionId: string, id: string) =>
  query
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .where('collection_id', '=', collectionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

/** The segments of a served version, in index order: place, chunk count, and position of the first chunk. */
export async function readSegments(query: Query, documentId: string, version: number) {
  const { rows } = await sql<{ first: number; count: number; position: number }>`
    SELECT first_number AS first, last_number - first_number + 1 AS count, chunks.position AS position
    FROM search_segments
    JOIN search_chunks ON search_chunks.number = search_segments.first_number
    JOIN chunks ON chunks.id = search_chunks.chunk_id
    WHERE search_segments.document_id = ${documentId} AND search_segments.document_version = ${version}
      AND search_segments.live = 1
    ORDER BY first_number`.execute(query)
  return rows.map(({ first, ...segment }) => ({ place: first % placesPerCollection, ...segment }))
}

/** The chunks of a version from `position` on, at most `limit`, each with its vector of the model. */
export const readChunks = (
  query: Query,
  version: { documentId: string; version: number },
  position: number,
  limit: number,
  model: number | null,
) =>
  query
    .selectFrom('chunks')
    .leftJoin('chunk_vectors', join =>
      join
        .onRef('chunk_vectors.chunk_id', '=', 'chunks.id')
        .on('chunk_vectors.model_number', '=', model ?? 0),
    )
    .selectAll('chunks')
    .select(['chunk_vectors.vector', 'chunk_vectors.text_hash'])
    .where('document_id', '=', version.documentId)
    .where('document_version', '=', version.version)
    .where('position', '>=', position)
    .where('position', '<', position + limit)
    .orderBy('position')
    .execute()
