/** Assembles all that concerns vectors: the stage of ingestion, the search, and the job that fills gaps. */

import { secondMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { Platform } from '../../../platform/platform.ts'
import { findSearchedIndex, type SearchedIndex } from '../search/ranking/searched-index.ts'
import type { VectorSearch } from '../search/search.ts'
import { createEmbedQueue, createVectorSweep, embedQueue } from './embed-collection.ts'
import { createEmbeddingStage, createEmbedTexts } from './embedding-stage.ts'
import { createNearest, type Nearest } from './nearest.ts'
import { readServed, stateOf } from './rank-by-vectors.ts'
import { createSignIndexes, signIndexQueue } from './sign-indexes.ts'

export function createVectors(
  dependencies: Pick<Platform, 'database' | 'jobs' | 'clock' | 'log'> & {
    embeddings: Embeddings
    maxVectors: number
  },
) {
  const embedTexts = createEmbedTexts(dependencies)
  const signIndexes = createSignIndexes(dependencies)
  const sweepCollections = createVectorSweep(dependencies)
  return {
    stage: createEmbeddingStage({ ...dependencies, embedTexts }),
    search: createVectorSearch({
      ...dependencies,
      nearest: createNearest({ ...dependencies, signIndexes }),
    }),
    queues: {
      [embedQueue]: createEmbedQueue({ ...dependencies, embedTexts }),
      [signIndexQueue]: signIndexes.queue,
    },
    /**
     * Queues a job for each collection that lacks vectors, and one for missing indexes. Returns the number of such
     * collections.
     */
    async sweep(): Promise<number> {
      const count = await sweepCollections()
      await signIndexes.sweep()
      return count
    },
  }
}

/**
 * Prepares a search by vectors: the models, the query's vector for each, and the vectors to pick the nearest from.
 */
function createVectorSearch(dependencies: {
  database: Database
  embeddings: Embeddings
  nearest: Nearest
}): VectorSearch {
  const { database, embeddings, nearest } = dependencies
  const queryVector = createQueryVectors(embeddings)
  return {
    async prepare(scope, { query: text, ...request }) {
      if (embeddings.modelOf(scope.environment) === null) return null
      const index = await findSearchedIndex(scope, database.read, request.collectionIds)
      if (index === null || isEmpty(index)) return { state: '', models: [] }
      const served = await readServed(database.read, index)
      if (served.length === 0) return null
      const models = await Promise.all(
        served.map(async ({ model, collections }) => {
          const vector = await queryVector(scope.workspaceId, model.name, text)
          const near = await nearest({ scope, request, index, model, collections, vector })
          return { model, vector, near }
        }),
      )
      return { state: stateOf(served), models }
    },
  }
}

const isEmpty = ({ totals, collections }: SearchedIndex): boolean =>
  totals.chunkCount === 0 || collections?.every(({ chunkCount }) => chunkCount === 0) === true

/** Owners are workspaces, and take turns. Throws `embedding_unavailable` if the model does not answer. */
type QueryVector = (owner: string, model: string, text: string) => Promise<Float32Array>

const mostKept = 500
/** Short, since a client waits for the search. */
const timeoutMs = 10 * secondMs

/** Keeps the vectors of queries for a while: the next page of results asks for the same query again. */
function createQueryVectors(embeddings: Embeddings): QueryVector {
  const kept = new Map<string, Promise<Float32Array>>()

  const embed = async (owner: string, model: string, text: string): Promise<Float32Array> => {
    const timeout = AbortSignal.timeout(timeoutMs)
    try {
      const { vectors } = await embeddings.embed(owner, model, [text], timeout)
      const [vector] = vectors
      if (vector === undefined) throw new Error('The query was not embedded')
      return vector
    } catch (error) {
      if (!(error instanceof ModelError) && !timeout.aborted) throw error
      const reason =
        error instanceof ModelError ? error.message : 'The embedding model did not answer in time'
      throw new ServiceError('embedding_unavailable', reason, {
        cause: error,
        headers: { 'Retry-After': '10' },
      })
    }
  }

  return (owner, model, text) => {
    const key = `${model}\n${text}`
    const vector = kept.get(key) ?? embed(owner, model, text)
    // Deleted and set again, the entry becomes the youngest: a Map keeps the order of insertion.
    kept.delete(key)
    kept.set(key, vector)
    vector.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return vector
  }
}
