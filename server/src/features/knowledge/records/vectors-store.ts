/** The SQL of vectors. Vectors of chunks stay as long as the chunks, vectors in the index as long as its postings. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { engineOf, isOneOf } from '../../../platform/database/statement.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { decodeVector } from './vector-bytes.ts'

export type VectorModel = { number: number; name: string; dimensions: number }

export const findModel = (query: Query, name: string): Promise<VectorModel | undefined> =>
  query.selectFrom('embedding_models').selectAll().where('name', '=', name).executeTakeFirst()

/** Throws `ModelError` if the model returned vectors of another length before: the two lengths cannot be compared. */
export function checkDimensions(model: VectorModel, dimensions: number): void {
  if (model.dimensions === dimensions) return
  throw new ModelError(
    'model_invalid_response',
    `The embedding model ${model.name} now answers ${dimensions} numbers and once answered ${model.dimensions}: name another model`,
  )
}

/** The model's number. A model gets its number with its first vectors. */
export async function findOrMakeModel(tx: Tx, name: string, dimensions: number): Promise<number> {
  for (;;) {
    const known = await findModel(tx, name)
    if (known !== undefined) {
      checkDimensions(known, dimensions)
      return known.number
    }
    // If another model takes the number at the same moment, this model takes the next one.
    await sql`INSERT INTO embedding_models (number, name, dimensions)
      SELECT coalesce(max(number), 0) + 1, ${name}, CAST(${dimensions} AS BIGINT) FROM embedding_models
      WHERE true ON CONFLICT DO NOTHING`.execute(tx)
  }
}

export type StoredVector = { bits: Uint8Array; vector: Uint8Array }

/** The scope's vectors of texts with these hashes. */
export async function findVectors(
  scope: Scope,
  query: Query,
  model: number,
  hashes: readonly string[],
): Promise<Map<string, StoredVector>> {
  const [wanted, hash] =
    engineOf(query) === 'sqlite'
      ? [sql`json_each(${JSON.stringify(hashes)}) AS wanted`, sql`wanted.value`]
      : [sql`unnest(${hashes}::text[]) AS wanted (hash)`, sql`wanted.hash`]
  const { rows } = await sql<StoredVector & { text_hash: string }>`
    SELECT text_hash, bits, vector FROM ${wanted} JOIN chunk_vectors ON chunk_id = (
      SELECT same.chunk_id FROM chunk_vectors AS same
      WHERE same.workspace_id = ${scope.workspaceId} AND same.environment = ${scope.environment}
        AND same.model_number = ${model} AND same.text_hash = ${hash} LIMIT 1
    ) AND model_number = ${model}`.execute(query)
  return new Map(rows.map(({ text_hash, ...stored }) => [text_hash, stored]))
}

export type ChunkVector = StoredVector & { chunkId: string; textHash: string }

/** The chunks must exist. A chunk that has a vector of the model keeps it. */
export async function insertVectors(scope: Scope, tx: Tx, model: number, vectors: readonly ChunkVector[]) {
  if (vectors.length === 0) return
  await tx
    .insertInto('chunk_vectors')
    .values(
      vectors.map(({ chunkId, textHash, bits, vector }) => ({
        chunk_id: chunkId,
        model_number: model,
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        text_hash: textHash,
        bits,
        vector,
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

export type Usage = { texts: number; reusedTexts: number; tokens: number }

export async function addUsage(scope: Scope, tx: Tx, model: string, usage: Usage): Promise<void> {
  await sql`INSERT INTO embedding_usage (workspace_id, environment, model, texts, reused_texts, tokens)
    VALUES (${scope.workspaceId}, ${scope.environment}, ${model},
      ${usage.texts}, ${usage.reusedTexts}, ${usage.tokens})
    ON CONFLICT (workspace_id, environment, model) DO UPDATE SET
      texts = embedding_usage.texts + excluded.texts,
      reused_texts = embedding_usage.reused_texts + excluded.reused_texts,
      tokens = embedding_usage.tokens + excluded.tokens`.execute(tx)
}

type Segment = { firstNumber: number; lastNumber: number }

/** Copies the vectors of a segment's chunks, of every model, into the index. The caller has locked the index. */
export async function insertSearchVectors(tx: Tx, index: number, { firstNumber, lastNumber }: Segment) {
  await sql`INSERT INTO search_vectors (index_number, model_number, number, bits)
    SELECT CAST(${index} AS BIGINT), chunk_vectors.model_number, search_chunks.number, chunk_vectors.bits
    FROM search_chunks JOIN chunk_vectors ON chunk_vectors.chunk_id = search_chunks.chunk_id
    WHERE search_chunks.number BETWEEN ${firstNumber} AND ${lastNumber}
    ORDER BY search_chunks.number ON CONFLICT DO NOTHING`.execute(tx)
}

export async function deleteSearchVectors(tx: Tx, { firstNumber, lastNumber }: Segment): Promise<void> {
  await tx
    .deleteFrom('search_vectors')
    .where('number', '>=', firstNumber)
    .where('number', '<=', lastNumber)
    .execute()
}

/** Tells the collection's job to look for chunks, if some in the segment lack a vector of the collection's model. */
export async function markMissingVectors(tx: Tx, collectionId: string, { firstNumber, lastNumber }: Segment) {
  await sql`UPDATE collection_embeddings SET pending = 1
    WHERE collection_id = ${collectionId} AND pending = 0 AND model_number IS NOT NULL AND (
      SELECT count(*) FROM search_vectors WHERE search_vectors.number BETWEEN ${firstNumber} AND ${lastNumber}
        AND search_vectors.model_number = collection_embeddings.model_number
    ) < ${lastNumber - firstNumber + 1}`.execute(tx)
}

/** New vectors after `after`, in the order in which they were added. */
export const readNewVectors = (
  query: Query,
  { index, model, after }: { index: number; model: number; after: number },
  limit: number,
) =>
  query
    .selectFrom('search_vectors')
    .select(['sequence', 'number', 'bits'])
    .where('index_number', '=', index)
    .where('model_number', '=', model)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()

/** The vectors of the chunks with these numbers, without chunks that are gone or have no vector of the model. */
export async function readFullVectors(query: Query, model: VectorModel, numbers: readonly number[]) {
  // One row with all values joined: hundreds of rows with a buffer each keep the garbage collector busy.
  const strung =
    engineOf(query) === 'sqlite'
      ? sql`group_concat(number) AS numbers, CAST(group_concat(vector, '') AS BLOB) AS vectors`
      : sql`string_agg(number::text, ',') AS numbers, string_agg(vector, '') AS vectors`
  const { rows } = await sql<{ numbers: string | null; vectors: Uint8Array | null }>`
    SELECT ${strung} FROM search_chunks JOIN chunk_vectors
      ON chunk_vectors.chunk_id = search_chunks.chunk_id AND chunk_vectors.model_number = ${model.number}
    WHERE search_chunks.number ${isOneOf(engineOf(query), numbers, sql`bigint`)}`.execute(query)
  const { numbers: found, vectors } = rows[0] ?? {}
  if (found == null || vectors == null) return []
  const numbersInFull = decodeVector(vectors)
  return found.split(',').map((number, place) => {
    const start = place * model.dimensions
    return { number: Number(number), vector: numbersInFull.subarray(start, start + model.dimensions) }
  })
}
