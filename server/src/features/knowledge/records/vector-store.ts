/** The SQL of chunks' vectors: kept as long as their chunks, and found again by what was embedded. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Engine, Query, Tx } from '../../../platform/database/database.ts'
import { ModelError } from '../../../platform/models/model-error.ts'

export type VectorModel = { number: number; name: string; dimensions: number }

export const findModel = (query: Query, name: string): Promise<VectorModel | undefined> =>
  query.selectFrom('embedding_models').selectAll().where('name', '=', name).executeTakeFirst()

/** Throws `ModelError` where the model once answered vectors of another length: the two could not be compared. */
export function checkDimensions(model: VectorModel, dimensions: number): void {
  if (model.dimensions === dimensions) return
  throw new ModelError(
    'model_invalid_response',
    `The embedding model ${model.name} now answers ${dimensions} numbers and once answered ${model.dimensions}: name another model`,
  )
}

/** The model's number, given to it at its first vectors. */
export async function findOrMakeModel(tx: Tx, name: string, dimensions: number): Promise<number> {
  for (;;) {
    const known = await findModel(tx, name)
    if (known !== undefined) {
      checkDimensions(known, dimensions)
      return known.number
    }
    // Where another model takes the number at the same moment, this one takes the next.
    await sql`INSERT INTO embedding_models (number, name, dimensions)
      SELECT coalesce(max(number), 0) + 1, ${name}, CAST(${dimensions} AS BIGINT) FROM embedding_models
      WHERE true ON CONFLICT DO NOTHING`.execute(tx)
  }
}

export type StoredVector = { bits: Uint8Array; vector: Uint8Array }

/** The vectors that the scope has of texts with these hashes. */
export async function findVectors(
  scope: Scope,
  query: Query,
  engine: Engine,
  model: number,
  hashes: readonly string[],
): Promise<Map<string, StoredVector>> {
  const [wanted, hash] =
    engine === 'sqlite'
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

/** The chunks must be there. Those that have a vector of the model keep it. */
export async function insertVectors(
  scope: Scope,
  tx: Tx,
  model: number,
  vectors: readonly ChunkVector[],
): Promise<void> {
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
