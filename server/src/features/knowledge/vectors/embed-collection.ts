/**
 * The job that computes missing vectors of a collection's chunks: after the operator chose or changed the model, and
 * after the provider was down. The old model's vectors serve until all vectors of the new model exist.
 */
import { hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Job, NewJob, Queue } from '../../../platform/jobs/job.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import type { Platform } from '../../../platform/platform.ts'
import { listDocumentIds } from '../records/documents-store.ts'
import { findModel, insertSearchVectors } from '../records/vectors-store.ts'
import { lockIndex, placesPerCollection } from '../search/index/index-store.ts'
import {
  deleteOtherSearchVectors,
  deleteOtherVectors,
  findPlaces,
  listUnserved,
  lockChunks,
  noteFailure,
  readUnembedded,
  serveBy,
  type UnembeddedChunk,
  type Unserved,
} from './collection-vectors-store.ts'
import { type EmbedTexts, textOf, writeVectors } from './embedding-stage.ts'

export const embedQueue = 'knowledge-embed'

const collectionsAtOnce = 200
/** Places looked through at once for chunks without a vector: a few milliseconds. */
const placesAtOnce = 5_000
const chunksAtOnce = 64
const documentsAtOnce = 200
const deletedAtOnce = 200

/** Queues a job for every collection that needs one; a collection whose job is in progress gets no other. */
export function createVectorSweep(
  dependencies: Pick<Platform, 'database' | 'jobs'> & {
    embeddings: Embeddings
  },
): () => Promise<number> {
  const { database, jobs, embeddings } = dependencies
  return async () => {
    let count = 0
    for (const environment of ['live', 'test'] as const) {
      const model = embeddings.modelOf(environment)
      if (model === null) continue
      const unserved = await listUnserved(database.read, environment, model, collectionsAtOnce)
      for (const collection of unserved) {
        await database.write(tx => jobs.enqueue(tx, embedCollectionJob(collection)))
      }
      count += unserved.length
    }
    return count
  }
}

const embedCollectionJob = (payload: Unserved): NewJob => ({
  queue: embedQueue,
  workspaceId: payload.scope.workspaceId,
  payload,
  uniqueKey: `embed ${payload.collectionId}`,
})

/** Every step can be done again, so an attempt that was cut short goes on where it ended. */
export function createEmbedQueue(dependencies: {
  database: Database
  embeddings: Embeddings
  embedTexts: EmbedTexts
}): Queue<Unserved> {
  const { database, embeddings, embedTexts } = dependencies

  const embedMissing = async (job: Job<Unserved>, name: string): Promise<void> => {
    const { collectionId } = job.payload
    let done = 0
    for (;;) {
      const places = await findPlaces(database.read, collectionId)
      if (places === undefined) return
      const from = places.number * placesPerCollection
      while (done < places.next_place) {
        job.signal.throwIfAborted()
        const last = Math.min(done + placesAtOnce, places.next_place) - 1
        const range = { first: from + done, last: from + last }
        const model = (await findModel(database.read, name))?.number ?? null
        const chunks = await readUnembedded(database.read, model, range, chunksAtOnce)
        await embedChunks(job, name, chunks)
        const lastChunk = chunks.at(-1)
        done =
          lastChunk !== undefined && chunks.length === chunksAtOnce ? lastChunk.number - from + 1 : last + 1
      }
      if (await swap(job, name, done)) return
    }
  }

  const embedChunks = async (job: Job<Unserved>, name: string, chunks: readonly UnembeddedChunk[]) => {
    if (chunks.length === 0) return
    const { scope } = job.payload
    const texts = chunks.map(chunk => textOf(chunk.title, chunk))
    const embedded = await embedTexts(scope, name, texts, job.signal)
    await job.write(async tx => {
      const index = await lockIndex(scope, tx)
      if (index === null) return
      const ids = chunks.map(({ id }) => id)
      const there = await lockChunks(tx, ids)
      // Chunks that were deleted meanwhile keep their place in the list, so that each vector stays with its chunk.
      const kept = chunks.map((chunk, place) => ({ chunk, vector: embedded.vectors[place] }))
      const present = kept.filter(({ chunk }) => there.has(chunk.id))
      const vectors = present.flatMap(({ vector }) => vector ?? [])
      await writeVectors(
        scope,
        tx,
        present.map(({ chunk }) => chunk),
        { ...embedded, vectors },
      )
      for (const { chunk } of present) {
        await insertSearchVectors(tx, index, { firstNumber: chunk.number, lastNumber: chunk.number })
      }
    })
  }

  /** False if chunks were added after the ones that were looked at. */
  const swap = (job: Job<Unserved>, name: string, done: number): Promise<boolean> =>
    job.write(async tx => {
      const { scope, collectionId } = job.payload
      // Every writer of chunks holds the index's lock, so no chunk is added between this read and the commit.
      await lockIndex(scope, tx)
      const places = await findPlaces(tx, collectionId)
      const model = await findModel(tx, name)
      if (places === undefined || model === undefined) return true
      if (places.next_place > done) return false
      await serveBy(tx, collectionId, model.number)
      return true
    })

  const removeOthers = async (job: Job<Unserved>, name: string): Promise<void> => {
    const { collectionId } = job.payload
    const model = await findModel(database.read, name)
    const places = await findPlaces(database.read, collectionId)
    if (model === undefined || places === undefined) return
    const from = places.number * placesPerCollection
    for (let first = 0; first < places.next_place; first += deletedAtOnce) {
      const range = { first: from + first, last: from + first + deletedAtOnce - 1 }
      await job.write(tx => deleteOtherSearchVectors(tx, model.number, range))
    }
    for (let after = ''; ; ) {
      const ids = await listDocumentIds(database.read, 'all', collectionId, { after, limit: documentsAtOnce })
      for (const id of ids) {
        while (await job.write(tx => deleteOtherVectors(tx, id, model.number, deletedAtOnce))) {
          job.signal.throwIfAborted()
        }
      }
      const last = ids.at(-1)
      if (last === undefined) return
      after = last
    }
  }

  return {
    concurrency: 2,
    leaseMs: 60 * secondMs,
    maxAttempts: 5,
    backoffMs: 10 * secondMs,
    maxBackoffMs: 5 * minuteMs,
    // What is done stays done; the next job goes on from there.
    timeoutMs: 6 * hourMs,
    async handle(job) {
      const { scope, collectionId } = job.payload
      const name = embeddings.modelOf(scope.environment)
      if (name === null) return
      try {
        await embedMissing(job, name)
        await removeOthers(job, name)
      } catch (error) {
        if (error instanceof ModelError) {
          const { code, message } = error
          await job.write(tx => noteFailure(tx, collectionId, { code, message }))
        }
        throw error
      }
    },
  }
}
