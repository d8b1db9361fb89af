/** The SQL that reads a collection for its archive. */
import { sql } from 'kysely'
import type { Query } from '../../../platform/database/database.ts'
import { placesPerCollection } from '../search/index/index-store.ts'

/** In the order of their ids, those that are not in the trash. The collection has been found within its scope. */
export async function listDocumentIds(
  query: Query,
  collectionId: string,
  after: string,
  limit: number,
): Promise<string[]> {
  const rows = await query
    .selectFrom('documents')
    .select('id')
    .where('collection_id', '=', collectionId)
    .where('deleted_at', 'is', null)
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()
  return rows.map(row => row.id)
}

export const findExported = (query: Query, collectionId: string, id: string) =>
  query
    .selectFrom('documents')
    .selectAll()
    .where('id', '=', id)
    .where('collection_id', '=', collectionId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()

export type PlacedSegment = { place: number; position: number; count: number }

/** Where the chunks of a served version lie in the index, in their order there. */
export async function readSegments(
  query: Query,
  documentId: string,
  version: number,
): Promise<PlacedSegment[]> {
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

/** A slice of a version's chunks, with their vectors of a model. */
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
