/**
 * The SQL of collections and their vectors: which model serves a collection, and which chunks still lack a vector.
 */

import { sql } from 'kysely'
import type { Environment } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { WholeScope } from '../records/document-jobs.ts'
import type { VectorModel } from '../records/vectors-store.ts'

/** The model whose vectors serve the collection; null before any does. */
export async function findServingModel(query: Query, collectionId: string): Promise<VectorModel | null> {
  const model = await query
    .selectFrom('collection_embeddings')
    .innerJoin('embedding_models', 'embedding_models.number', 'collection_embeddings.model_number')
    .selectAll('embedding_models')
    .where('collection_id', '=', collectionId)
    .executeTakeFirst()
  return model ?? null
}

/** The models that serve collections of an index, each with the collection's number in the index. */
export async function listServingModels(
  query: Query,
  index: number,
): Promise<(VectorModel & { collection: number })[]> {
  return query
    .selectFrom('search_collections')
    .innerJoin(
      'collection_embeddings',
      'collection_embeddings.collection_id',
      'search_collections.collection_id',
    )
    .innerJoin('embedding_models', 'embedding_models.number', 'collection_embeddings.model_number')
    .selectAll('embedding_models')
    .select('search_collections.number as collection')
    .where('search_collections.index_number', '=', index)
    .where('search_collections.removed', '=', 0)
    .execute()
}

/** Makes the model serve the collection if the collection has no chunks yet. */
export async function claimEmptyCollection(tx: Tx, collectionId: string, model: number): Promise<void> {
  await sql`INSERT INTO collection_embeddings (collection_id, model_number, pending)
    SELECT ${collectionId}, CAST(${model} AS BIGINT), 0
    WHERE NOT EXISTS (
      SELECT 1 FROM search_collections WHERE collection_id = ${collectionId} AND chunk_count > 0
    )
    ON CONFLICT (collection_id) DO UPDATE SET model_number = excluded.model_number, pending = 0`.execute(tx)
}

/** From the commit on searches use this model's vectors. */
export async function serveBy(tx: Tx, collectionId: string, model: number): Promise<void> {
  const columns = { model_number: model, pending: 0, error_code: null, error_message: null }
  await tx
    .insertInto('collection_embeddings')
    .values({ collection_id: collectionId, ...columns })
    .onConflict(conflict => conflict.column('collection_id').doUpdateSet(columns))
    .execute()
}

export async function noteFailure(tx: Tx, collectionId: string, error: { code: string; message: string }) {
  const columns = { error_code: error.code, error_message: error.message }
  await tx
    .insertInto('collection_embeddings')
    .values({ collection_id: collectionId, model_number: null, pending: 1, ...columns })
    .onConflict(conflict => conflict.column('collection_id').doUpdateSet(columns))
    .execute()
}

export type CollectionVectors = {
  collectionId: string
  model: string | null
  pending: boolean
  error: { code: string; message: string } | null
}

export async function describeCollections(
  query: Query,
  collectionIds: readonly string[],
): Promise<CollectionVectors[]> {
  if (collectionIds.length === 0) return []
  const rows = await query
    .selectFrom('collection_embeddings')
    .leftJoin('embedding_models', 'embedding_models.number', 'collection_embeddings.model_number')
    .selectAll('collection_embeddings')
    .select('embedding_models.name')
    .where('collection_id', 'in', [...collectionIds])
    .execute()
  return rows.map(row => ({
    collectionId: row.collection_id,
    model: row.name,
    pending: row.pending === 1,
    error: row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
  }))
}

export type Unserved = { scope: WholeScope; collectionId: string }

/** Collections with chunks that another model or no model serves, or that have chunks without a vector. */
export async function listUnserved(
  query: Query,
  environment: Environment,
  model: string,
  limit: number,
): Promise<Unserved[]> {
  const rows = await query
    .selectFrom('collections')
    .innerJoin('search_collections', 'search_collections.collection_id', 'collections.id')
    .leftJoin('collection_embeddings', 'collection_embeddings.collection_id', 'collections.id')
    .leftJoin('embedding_models', 'embedding_models.number', 'collection_embeddings.model_number')
    .select(['collections.id', 'collections.workspace_id'])
    .where('collections.environment', '=', environment)
    .where('collections.deleted_at', 'is', null)
    .where('search_collections.removed', '=', 0)
    .where('search_collections.chunk_count', '>', 0)
    .where(({ eb, or }) =>
      or([
        eb('embedding_models.name', 'is', null),
        eb('embedding_models.name', '!=', model),
        eb('collection_embeddings.pending', '=', 1),
      ]),
    )
    .orderBy('collections.id')
    .limit(limit)
    .execute()
  return rows.map(row => ({
    scope: { workspaceId: row.workspace_id, environment },
    collectionId: row.id,
  }))
}

/** The collection's number in the index, and the place that its next chunk will take. */
export const findPlaces = (query: Query, collectionId: string) =>
  query
    .selectFrom('search_collections')
    .select(['number', 'next_place'])
    .where('collection_id', '=', collectionId)
    .where('removed', '=', 0)
    .executeTakeFirst()

export type UnembeddedChunk = {
  number: number
  id: string
  title: string | null
  headings: string
  text: string
}

/** The indexed chunks from `first` to `last` that have no vector of the model, in the order of their numbers. */
export const readUnembedded = (
  query: Query,
  model: number | null,
  range: { first: number; last: number },
  limit: number,
): Promise<UnembeddedChunk[]> =>
  query
    .selectFrom('search_chunks')
    .innerJoin('chunks', 'chunks.id', 'search_chunks.chunk_id')
    .innerJoin('documents', 'documents.id', 'chunks.document_id')
    .select(['search_chunks.number', 'chunks.id', 'documents.title', 'chunks.headings', 'chunks.text'])
    .where('search_chunks.number', '>=', range.first)
    .where('search_chunks.number', '<=', range.last)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('search_vectors')
            .select('search_vectors.number')
            .whereRef('search_vectors.number', '=', 'search_chunks.number')
            .where('search_vectors.model_number', '=', model ?? 0),
        ),
      ),
    )
    .orderBy('search_chunks.number')
    .limit(limit)
    .execute()

/** The ids of the chunks that still exist. These chunks cannot be deleted until the transaction ends. */
export async function lockChunks(tx: Tx, ids: readonly string[]): Promise<Set<string>> {
  const rows = await tx
    .selectFrom('chunks')
    .select('id')
    .where('id', 'in', [...ids])
    .forKeyShare()
    .execute()
  return new Set(rows.map(row => row.id))
}

/** Removes a slice of a document's vectors by other models; returns whether there may be more. */
export async function deleteOtherVectors(tx: Tx, documentId: string, model: number, limit: number) {
  const { rows } = await sql<{ chunk_id: string; model_number: number }>`
    SELECT chunk_id, model_number FROM chunk_vectors JOIN chunks ON chunks.id = chunk_vectors.chunk_id
    WHERE chunks.document_id = ${documentId} AND model_number <> ${model} LIMIT ${limit}`.execute(tx)
  for (const row of rows) {
    await tx
      .deleteFrom('chunk_vectors')
      .where('chunk_id', '=', row.chunk_id)
      .where('model_number', '=', row.model_number)
      .execute()
  }
  return rows.length === limit
}

/** Removes other models' vectors from the index, for the chunks from `first` to `last`. */
export async function deleteOtherSearchVectors(
  tx: Tx,
  model: number,
  range: { first: number; last: number },
): Promise<void> {
  await tx
    .deleteFrom('search_vectors')
    .where('number', '>=', range.first)
    .where('number', '<=', range.last)
    .where('model_number', '!=', model)
    .execute()
}
