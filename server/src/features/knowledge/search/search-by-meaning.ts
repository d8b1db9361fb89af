/** What the search asks of the vectors, which are made of what it has indexed. */
import type { Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'
import type { VectorModel } from '../records/vectors-store.ts'
import type { RankedList } from './fuse.ts'
import type { Best } from './narrowing.ts'
import type { Reach, ReachRequest } from './reach.ts'

/** Collections that one model serves, with what is near to the query in them. */
export type NearInModel = {
  model: VectorModel
  vector: Float32Array
  nearest: Best
  /** By the number of a chunk, which never gets another vector of the model. */
  similarities: Map<number, number>
}

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
