/**
 * Embedding as a stage of ingestion. A document becomes ready even if the provider is down, and is found by its text.
 * The collection's job adds the vectors once the provider answers again.
 */

import { createHash } from 'node:crypto'
import type { Scope } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import type { Database, Tx } from '../../../platform/database/database.ts'
import { type Embeddings, maxTextsAtOnce } from '../../../platform/models/embedding/embeddings.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { Platform } from '../../../platform/platform.ts'
import { encodeSigns, encodeVector, signsOf } from '../records/vector-bytes.ts'
import {
  addUsage,
  checkDimensions,
  findModel,
  findOrMakeModel,
  findVectors,
  insertVectors,
  type StoredVector,
  type Usage,
} from '../records/vectors-store.ts'
import { lockOrMakeIndex } from '../search/index/index-store.ts'
import { claimEmptyCollection, findServingModel } from './collection-vectors-store.ts'

/** A model that has failed is left alone for a while, so that not every document waits for it. */
const pauseMs = 30 * secondMs
/** The longest time that a document waits for its slice's vectors. */
const patienceMs = 60 * secondMs

type EmbeddedDocument = { id: string; version: number; collectionId: string; title: string | null }
type EmbeddedChunk = { id: string; headings: string; text: string }

export type DocumentEmbedder = {
  /**
   * Does not throw if a model fails, only the signal's reason and unexpected errors. The returned function writes the
   * vectors, in the transaction that writes the chunks: after the chunks, and before the index.
   */
  embed(chunks: readonly EmbeddedChunk[], signal: AbortSignal): Promise<(tx: Tx) => Promise<void>>
}

export type EmbeddingStage = ReturnType<typeof createEmbeddingStage>

export function createEmbeddingStage(
  dependencies: Pick<Platform, 'database' | 'clock' | 'log'> & {
    embeddings: Embeddings
    embedTexts: EmbedTexts
  },
) {
  const { database, embeddings, embedTexts, clock, log } = dependencies
  const pausedUntil = new Map<string, number>()

  /** Null if the model is not available at the moment. */
  const tryModel = async (scope: Scope, name: string, texts: readonly string[], signal: AbortSignal) => {
    if (clock() < (pausedUntil.get(name) ?? 0)) return null
    const patience = AbortSignal.timeout(patienceMs)
    try {
      return await embedTexts(scope, name, texts, AbortSignal.any([signal, patience]))
    } catch (error) {
      signal.throwIfAborted()
      if (!(error instanceof ModelError) && !patience.aborted) throw error
      pausedUntil.set(name, clock() + pauseMs)
      log.warn('A document is found by its text alone until its vectors can be made', { model: name, error })
      return null
    }
  }

  return {
    /** Null if there is no model. Sends no request to a provider. */
    async begin(scope: Scope, { collectionId, title }: EmbeddedDocument): Promise<DocumentEmbedder | null> {
      const wanted = embeddings.modelOf(scope.environment)
      if (wanted === null) return null
      const serving = await findServingModel(database.read, collectionId)
      // While a collection changes its model, a new document gets vectors of both models.
      const names = [...new Set([wanted, serving?.name ?? wanted])]
      return {
        async embed(chunks, signal) {
          const texts = chunks.map(chunk => textOf(title, chunk))
          const tried = await Promise.all(names.map(name => tryModel(scope, name, texts, signal)))
          const made = tried.filter(embedded => embedded !== null)
          return async tx => {
            // Locks in the order of every writer: first the index, then the collection's row.
            await lockOrMakeIndex(scope, tx)
            for (const embedded of made) {
              const model = await writeVectors(scope, tx, chunks, embedded)
              if (model !== null && embedded.model === wanted) {
                await claimEmptyCollection(tx, collectionId, model)
              }
            }
          }
        },
      }
    },
  }
}

/** Returns the model's number; null if there was nothing to write. */
export async function writeVectors(
  scope: Scope,
  tx: Tx,
  chunks: readonly { id: string }[],
  { model: name, dimensions, vectors, usage }: EmbeddedTexts,
): Promise<number | null> {
  if (dimensions === null) return null
  const model = await findOrMakeModel(tx, name, dimensions)
  const rows = vectors.flatMap((vector, place) => {
    const chunk = chunks[place]
    return chunk === undefined ? [] : [{ chunkId: chunk.id, ...vector }]
  })
  await insertVectors(scope, tx, model, rows)
  await addUsage(scope, tx, name, usage)
  return model
}

/** The vectors of texts: stored ones of the workspace, and the rest from the model. */
type EmbeddedTexts = {
  model: string
  /** Null if there was nothing to embed. */
  dimensions: number | null
  /** In the order of the texts. */
  vectors: (StoredVector & { textHash: string })[]
  usage: Usage
}

/** Throws `ModelError`, or the signal's reason once that is aborted. */
export type EmbedTexts = (
  scope: Scope,
  model: string,
  texts: readonly string[],
  signal: AbortSignal,
) => Promise<EmbeddedTexts>

/**
 * The text that is embedded for a chunk. It includes title and headings: a passage alone may not tell its subject.
 */
export const textOf = (title: string | null, { headings, text }: { headings: string; text: string }) =>
  [title ?? '', headings, text].filter(part => part !== '').join('\n')

export function createEmbedTexts(dependencies: { database: Database; embeddings: Embeddings }): EmbedTexts {
  const { database, embeddings } = dependencies
  return async (scope, name, texts, signal) => {
    const hashes = texts.map(text => createHash('sha256').update(text).digest('hex'))
    const textByHash = new Map(hashes.map((hash, place) => [hash, texts[place] ?? '']))
    const model = await findModel(database.read, name)
    const vectors =
      model === undefined
        ? new Map<string, StoredVector>()
        : await findVectors(scope, database.read, model.number, [...textByHash.keys()])
    const missing = [...textByHash].filter(([hash]) => !vectors.has(hash))
    let dimensions = model?.dimensions ?? null
    let tokens = 0
    const requests = Array.from({ length: Math.ceil(missing.length / maxTextsAtOnce) }, async (_, place) => {
      const batch = missing.slice(place * maxTextsAtOnce, (place + 1) * maxTextsAtOnce)
      const made = await embeddings.embed(
        scope.workspaceId,
        name,
        batch.map(([, text]) => text),
        signal,
      )
      tokens += made.tokens
      for (const [at, vector] of made.vectors.entries()) {
        if (model !== undefined) checkDimensions(model, vector.length)
        dimensions = vector.length
        const bits = encodeSigns(signsOf(vector))
        vectors.set(batch[at]?.[0] ?? '', { bits, vector: encodeVector(vector) })
      }
    })
    await Promise.all(requests)
    return {
      model: name,
      dimensions,
      vectors: hashes.map(textHash => {
        const stored = vectors.get(textHash)
        if (stored === undefined) throw new Error('A text was not embedded')
        return { textHash, ...stored }
      }),
      usage: { texts: texts.length, reusedTexts: texts.length - missing.length, tokens },
    }
  }
}
