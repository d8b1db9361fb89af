/** Search by vectors: which collections have them, what the query's vector is, and which chunks are nearest to it. */
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import type { Embeddings } from '../../../platform/models/embedding/embeddings.ts'
import type { Best } from '../filter/narrowing.ts'
import type { RankedList } from '../search/fuse.ts'
import { type Reach, type ReachRequest, readReach } from '../search/reach.ts'
import { readCandidates } from '../search/search-store.ts'
import { listServingModels } from './collection-vectors-store.ts'
import type { Nearest } from './nearest.ts'
import type { QueryVector } from './query-vectors.ts'
import { type FullVector, readFullVectors } from './search-vectors-store.ts'
import { similarity } from './vector-bytes.ts'
import type { VectorModel } from './vector-store.ts'

/** Collections that one model serves, with what is near to the query in them. */
type NearInModel = { model: VectorModel; vector: Float32Array; nearest: Best }

/** `state` names the models of the searched collections: another one means that what was found no longer counts. */
export type PreparedVectors = { state: string; models: NearInModel[] }

export type VectorSearch = {
  /**
   * What needs time, before the snapshot in which the search reads. Null where none of the collections has vectors.
   * Throws `embedding_unavailable` and `vector_unavailable`.
   */
  prepare(scope: Scope, request: ReachRequest & { query: string }): Promise<PreparedVectors | null>
  /** Within the snapshot: a list for each model; null where the collections' models have changed since. */
  rank(query: Query, reach: Reach, prepared: PreparedVectors): Promise<RankedList[] | null>
}

/** So many of the nearest by their signs are compared in full. With fewer of them the best are missed more often. */
const candidateCount = 400
/** Of the vectors in memory some are gone from the index; where these are many, more are looked at. */
const maxRounds = 4

export function createVectorSearch(dependencies: {
  database: Database
  embeddings: Embeddings
  queryVector: QueryVector
  nearest: Nearest
}): VectorSearch {
  const { database, embeddings, queryVector, nearest } = dependencies
  return {
    async prepare(scope, { query: text, ...request }) {
      if (embeddings.modelOf(scope.environment) === null) return null
      const reach = await readReach(database.engine, scope, database.read, request)
      if (reach === null) return { state: '', models: [] }
      const served = await readServed(database.read, reach)
      if (served.length === 0) return null
      const models = await Promise.all(
        served.map(async ({ model, collections }) => {
          const vector = await queryVector(model.name, text)
          const { number: index, totals } = reach.index
          const { chunkCount } = totals
          return { model, vector, nearest: await nearest({ index, chunkCount, model, collections, vector }) }
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

  async function rankByModel(query: Query, reach: Reach, near: NearInModel): Promise<RankedList> {
    const { numbers, found } = await readNearest(query, reach, near)
    const similarities = new Map(
      found.map(({ chunkId, vector }) => [chunkId, similarity(near.vector, vector)]),
    )
    const candidates = await readCandidates(query, database.engine, numbers)
    const chunks = candidates.flatMap(candidate => {
      const score = similarities.get(candidate.chunkId)
      return score === undefined ? [] : { ...candidate, score }
    })
    chunks.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
    return { name: 'vector', model: near.model.name, chunks }
  }

  async function readNearest(
    query: Query,
    reach: Reach,
    { model, nearest: pick }: NearInModel,
  ): Promise<{ numbers: readonly number[]; found: FullVector[] }> {
    for (let round = 1, wanted = candidateCount; ; round++, wanted *= 2) {
      const numbers = await reach.best(wanted, pick)
      const found = await readFullVectors(query, database.engine, model, numbers)
      const isEnough = found.length >= candidateCount / 2 || numbers.length < wanted
      if (isEnough || round === maxRounds) return { numbers, found }
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
