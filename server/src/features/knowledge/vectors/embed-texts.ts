/** Vectors of texts: those that the workspace has already, and the rest from the model. */
import { createHash } from 'node:crypto'
import type { Scope } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { type Embeddings, maxTextsAtOnce } from '../../../platform/models/embedding/embeddings.ts'
import { encodeSigns, encodeVector, signsOf } from '../records/vector-bytes.ts'
import {
  checkDimensions,
  findModel,
  findVectors,
  type StoredVector,
  type Usage,
} from '../records/vectors-store.ts'

export type EmbeddedTexts = {
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

/** What is embedded of a chunk: also what stands above it, for a passage alone may not say what it is about. */
export const textOf = (
  title: string | null,
  { headings, text }: { headings: string; text: string },
): string => [title ?? '', headings, text].filter(part => part !== '').join('\n')

export function createEmbedTexts(dependencies: { database: Database; embeddings: Embeddings }): EmbedTexts {
  const { database, embeddings } = dependencies
  return async (scope, name, texts, signal) => {
    const hashes = texts.map(text => createHash('sha256').update(text).digest('hex'))
    const textByHash = new Map(hashes.map((hash, place) => [hash, texts[place] ?? '']))
    const model = await findModel(database.read, name)
    const vectors =
      model === undefined
        ? new Map<string, StoredVector>()
        : await findVectors(scope, database.read, database.engine, model.number, [...textByHash.keys()])
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
