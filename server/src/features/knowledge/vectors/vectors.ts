/** Everything about vectors, made from what it needs: the stage of ingestion, the search, and the job that fills gaps. */
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import type { Platform } from '../../../platform/platform.ts'
import { createEmbedQueue, createVectorSweep, embedQueue } from './embed-collection.ts'
import { createEmbedTexts } from './embed-texts.ts'
import { createEmbeddingStage } from './embedding-stage.ts'
import { createNearest } from './nearest.ts'
import { createSignIndexes, signIndexQueue } from './sign-indexes.ts'
import { createVectorSearch } from './vector-search.ts'

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
    /** Queues a job for each collection that lacks vectors, and one for what indexes are missing; returns how many lack some. */
    async sweep(): Promise<number> {
      const count = await sweepCollections()
      await signIndexes.sweep()
      return count
    },
  }
}
