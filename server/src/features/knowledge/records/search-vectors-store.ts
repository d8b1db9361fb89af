/** The SQL of the vectors in the search index: they come and go with their chunks' postings. */
import { sql } from 'kysely'
import type { Engine, Query, Tx } from '../../../platform/database/database.ts'
import { decodeVector } from './vector-bytes.ts'
import type { VectorModel } from './vector-store.ts'

/** Brings the vectors of a segment's chunks, by whatever models, into the index, which the caller has locked. */
export async function insertSearchVectors(
  tx: Tx,
  index: number,
  { firstNumber, lastNumber }: { firstNumber: number; lastNumber: number },
): Promise<void> {
  await sql`INSERT INTO search_vectors (index_number, model_number, number, bits)
    SELECT CAST(${index} AS BIGINT), chunk_vectors.model_number, search_chunks.number, chunk_vectors.bits
    FROM search_chunks JOIN chunk_vectors ON chunk_vectors.chunk_id = search_chunks.chunk_id
    WHERE search_chunks.number BETWEEN ${firstNumber} AND ${lastNumber}
    ORDER BY search_chunks.number ON CONFLICT DO NOTHING`.execute(tx)
}

export async function deleteSearchVectors(
  tx: Tx,
  { firstNumber, lastNumber }: { firstNumber: number; lastNumber: number },
): Promise<void> {
  await tx
    .deleteFrom('search_vectors')
    .where('number', '>=', firstNumber)
    .where('number', '<=', lastNumber)
    .execute()
}

/** Has the collection's job look for the chunks of a segment that lack a vector of the model that serves it. */
export async function markMissingVectors(
  tx: Tx,
  collectionId: string,
  { firstNumber, lastNumber }: { firstNumber: number; lastNumber: number },
): Promise<void> {
  await sql`UPDATE collection_embeddings SET pending = 1
    WHERE collection_id = ${collectionId} AND pending = 0 AND model_number IS NOT NULL AND (
      SELECT count(*) FROM search_vectors WHERE search_vectors.number BETWEEN ${firstNumber} AND ${lastNumber}
        AND search_vectors.model_number = collection_embeddings.model_number
    ) < ${lastNumber - firstNumber + 1}`.execute(tx)
}

export type ScannedRow = { sequence: number; number: number; bits: Uint8Array }

/** In the order in which they were added. */
export const readNewVectors = (
  query: Query,
  { index, model, after }: { index: number; model: number; after: number },
  limit: number,
): Promise<ScannedRow[]> =>
  query
    .selectFrom('search_vectors')
    .select(['sequence', 'number', 'bits'])
    .where('index_number', '=', index)
    .where('model_number', '=', model)
    .where('sequence', '>', after)
    .orderBy('sequence')
    .limit(limit)
    .execute()

export type FullVector = { number: number; vector: Float32Array }

/** Of the numbers' chunks those that are there and have a vector of the model. */
export async function readFullVectors(
  query: Query,
  engine: Engine,
  model: VectorModel,
  numbers: readonly number[],
): Promise<FullVector[]> {
  const wanted =
    engine === 'sqlite'
      ? sql`IN (SELECT value FROM json_each(${JSON.stringify(numbers)}))`
      : sql`= ANY (${numbers}::bigint[])`
  // One row of everything strung together: hundreds of rows with a buffer each keep the garbage collector busy.
  const strung =
    engine === 'sqlite'
      ? sql`group_concat(number) AS numbers, CAST(group_concat(vector, '') AS BLOB) AS vectors`
      : sql`string_agg(number::text, ',') AS numbers, string_agg(vector, '') AS vectors`
  const { rows } = await sql<{ numbers: string | null; vectors: Uint8Array | null }>`
    SELECT ${strung} FROM search_chunks JOIN chunk_vectors
      ON chunk_vectors.chunk_id = search_chunks.chunk_id AND chunk_vectors.model_number = ${model.number}
    WHERE search_chunks.number ${wanted}`.execute(query)
  const { numbers: found, vectors } = rows[0] ?? {}
  if (found == null || vectors == null) return []
  const numbersInFull = decodeVector(vectors)
  return found.split(',').map((number, place) => {
    const start = place * model.dimensions
    return { number: Number(number), vector: numbersInFull.subarray(start, start + model.dimensions) }
  })
}
