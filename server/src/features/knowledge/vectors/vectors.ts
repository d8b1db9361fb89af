/** Everything about vectors, made from what it needs: the stage of ingestion, the search, and the job that fills gaps. */
import type { Clock } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Faults } from '../../../platform/faults.ts'
import type { Queues } from '../../../platform/jobs/job.ts'
import type { Jobs } from '../../../platform/jobs/jobs.ts'
import type { Log } from '../../../platform/log.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import type { VectorSearch } from '../search/search.ts'
import { createEmbedQueue, createVectorSweep, embedQueue } from './embed-collection.ts'
import { createEmbedTexts } from './embed-texts.ts'
import { createEmbeddingStage, type EmbeddingStage } from './embedding-stage.ts'
import { createNearest } from './nearest.ts'
import { createQueryVectors } from './query-vectors.ts'
import { createSignIndexes, signIndexQueue } from './sign-indexes.ts'
import { createVectorSearch } from './vector-search.ts'

export type Vectors = {
  stage: EmbeddingStage
  search: VectorSearch
  queues: Queues
  /** Queues a job for each collection that lacks vectors, and one for what indexes are missing; answers how many lack some. */
  sweep(): Promise<number>
}

export function createVectors(dependencies: {
  database: Database
  jobs: Jobs
  embeddings: Embeddings
  clock: Clock
  log: Log
  faults: Faults
  maxVectors: number
}): Vectors {
  const embedTexts = createEmbedTexts(dependencies)
  const signIndexes = createSignIndexes(dependencies)
  const sweepCollections = createVectorSweep(dependencies)
  return {
    stage: createEmbeddingStage({ ...dependencies, embedTexts }),
    search: createVectorSearch({
      ...dependencies,
      queryVector: createQueryVectors(dependencies),
      nearest: createNearest({ ...dependencies, signIndexes }),
    }),
    queues: {
      [embedQueue]: createEmbedQueue({ ...dependencies, embedTexts }),
      [signIndexQueue]: signIndexes.queue,
    },
    async sweep() {
      const count = await sweepCollections()
      await signIndexes.sweep()
      return count
    },
  }
}
