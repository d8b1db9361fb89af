/** Search by vectors: which collections have them, what the query's vector is, and which chunks are nearest to it. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import { secondMs } from '../../../platform/clock.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import { ModelError } from '../../../platform/models/model-error.ts'
import { similarity } from '../records/vector-bytes.ts'
import { readFullVectors, type VectorModel } from '../records/vectors-store.ts'
import type { RankedList } from '../search/merge.ts'
import { type Reach, readReach } from '../search/ranking/reach.ts'
import { readCandidates } from '../search/ranking/search-store.ts'
import type { NearInModel, VectorSearch } from '../search/search.ts'
import { listServingModels } from './collection-vectors-store.ts'
import type { Nearest } from './nearest.ts'

/** So many of the nearest by their signs are compared in full. With fewer of them the best are missed more often. */
const candidateCount = 400
/** So many are read before others get their turn: a millisecond or two, for they lie far apart. */
const comparedAtOnce = 100
/** Of the vectors in memory some are gone from the index; where these are many, more are looked at. */
const maxRounds = 4

export function createVectorSearch(dependencies: {
  database: Database
  embeddings: Embeddings
  nearest: Nearest
}): VectorSearch {
  const { database, embeddings, nearest } = dependencies
  const queryVector = createQueryVectors(embeddings)
  return {
    async prepare(scope, { query: text, ...request }) {
      if (embeddings.modelOf(scope.environment) === null) return null
      const reach = await readReach(database.engine, scope, database.read, request)
      if (reach === null) return { state: '', models: [] }
      const served = await readServed(database.read, reach)
      if (served.length === 0) return null
      const models = await Promise.all(
        served.map(async ({ model, collections }) => {
          const vector = await queryVector(scope.workspaceId, model.name, text)
          const { number: index, readableCount: chunkCount } = reach.index
          const near = {
            model,
            vector,
            nearest: await nearest({
              index,
              chunkCount,
              model,
              collections,
              vector,
              narrowing: reach.narrowing,
            }),
            similarities: new Map<number, number>(),
          }
          await compareInParts(near, await reach.best(candidateCount, near.nearest))
          return near
        }),
      )
      return { state: stateOf(served), models }
    },

    async rank(query, reach, { state, models }) {
      if (stateOf(await readServed(query, reach)) !== state) return null
      const lists: RankedList[] = []
      for (const near of models) lists.push(await rankByModel(query, reach, near))
      return lists
    },
  }

  /** A snapshot on SQLite leaves no turn to others: what is read here need not be read in it. */
  async function compareInParts(near: NearInModel, numbers: readonly number[]): Promise<void> {
    for (let start = 0; start < numbers.length; start += comparedAtOnce) {
      await compare(database.read, near, numbers.slice(start, start + comparedAtOnce))
      await nextTurn()
    }
  }

  async function compare(query: Query, near: NearInModel, numbers: readonly number[]): Promise<void> {
    const found = await readFullVectors(query, database.engine, near.model, numbers)
    for (const { number, vector } of found) near.similarities.set(number, similarity(near.vector, vector))
  }

  async function rankByModel(query: Query, reach: Reach, near: NearInModel): Promise<RankedList> {
    const candidates = await readCandidates(query, database.engine, await readNearest(query, reach, near))
    const chunks = candidates.flatMap(candidate => {
      const score = near.similarities.get(candidate.number)
      return score === undefined ? [] : { ...candidate, score }
    })
    chunks.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    return { name: 'vector', model: near.model.name, chunks }
  }

  async function readNearest(query: Query, reach: Reach, near: NearInModel): Promise<readonly number[]> {
    for (let round = 1, wanted = candidateCount; ; round++, wanted *= 2) {
      const numbers = await reach.best(wanted, near.nearest)
      const unread = numbers.filter(number => !near.similarities.has(number))
      if (unread.length > 0) await compare(query, near, unread)
      const found = numbers.filter(number => near.similarities.has(number))
      const isEnough = found.length >= candidateCount / 2 || numbers.length < wanted
      if (isEnough || round === maxRounds) return found
    }
  }
}

type Served = { model: VectorModel; collections: number[] }

/** In the order of the models' numbers. */
async function readServed(query: Query, { index }: Reach): Promise<Served[]> {
  const searched = index.collections === null ? null : new Set(index.collections.map(({ number }) => number))
  const served = new Map<number, Served>()
  for (const { collection, ...model } of await listServingModels(query, index.number)) {
    if (searched !== null && !searched.has(collection)) continue
    const known = served.get(model.number) ?? { model, collections: [] }
    known.collections.push(collection)
    served.set(model.number, known)
  }
  return [...served.values()].sort((a, b) => a.model.number - b.model.number)
}

const stateOf = (served: readonly Served[]): string =>
  served.map(({ model, collections }) => `${model.number}: ${collections.join(' ')}`).join('; ')

/** Owners, which are workspaces, take turns. Throws `embedding_unavailable` if the model does not answer. */
type QueryVector = (owner: string, model: string, text: string) => Promise<Float32Array>

const mostKept = 500
/** A client waits for the search. */
const timeoutMs = 10 * secondMs

/** Vectors of queries, kept for a while: for the next page the same query is asked again. */
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
    // Deleted and set again, it becomes the youngest: a Map keeps the order of insertion.
    kept.delete(key)
    kept.set(key, vector)
    vector.catch(() => kept.delete(key))
    const [oldest] = kept.keys()
    if (kept.size > mostKept && oldest !== undefined) kept.delete(oldest)
    return vector
  }
}
