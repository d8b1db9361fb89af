/** Search over the chunks of a workspace: ranked by text, by vectors or by both, and the best shown as passages. */
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Reranker } from '../../../platform/models/reranker.ts'
import type { VectorModel } from '../records/vectors-store.ts'
import {
  bestOfEachDocument,
  type FusedChunk,
  fuse,
  mergeNeighbours,
  perDocumentOf,
  type RankedList,
} from './merge.ts'
import { type Explanation, present, type SearchResult, type UsedMode } from './present.ts'
import type { Best } from './ranking/narrowing.ts'
import { readClauses } from './ranking/query.ts'
import { type Reach, type ReachRequest, readReach } from './ranking/reach.ts'
import { rankByText, type TextRanking } from './ranking/text-ranking.ts'
import type { SearchMode } from './search-schemas.ts'

export type SearchRequest = ReachRequest & {
  /** Any text; what is beyond 4,000 characters is left out. */
  query: string
  /** `auto` unless given: `hybrid` where a searched collection has vectors, else `text`. */
  mode?: SearchMode
  /** How many of the best results to leave out, for later pages; none unless given. */
  offset?: number
  limit: number
  /** How many chunks of one document there may be; unless given, the more the fewer documents match (`perDocumentOf`). */
  perDocument?: number
  /** Where there is a reranker it is asked, unless this is false. */
  rerank?: boolean
  /** Adds to each result how it came to its place. */
  explain?: boolean
}

/** `total` is the exact length of the ranked list, of which `results` are a part, best first. */
export type SearchResults = { total: number; results: SearchResult[] }

/** Throws `vector_unavailable` and `embedding_unavailable` if vectors were asked for by name. */
export type Search = (scope: Scope, request: SearchRequest) => Promise<SearchResults>

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

/** What the search asks of the vectors, which are made of what it has indexed. */
export type VectorSearch = {
  /**
   * What needs time, before the snapshot in which the search reads. Null if none of the collections has vectors.
   * Throws `embedding_unavailable` and `vector_unavailable`.
   */
  prepare(scope: Scope, request: ReachRequest & { query: string }): Promise<PreparedVectors | null>
  /** Within the snapshot: a list for each model; null if the collections' models have changed since. */
  rank(query: Query, reach: Reach, prepared: PreparedVectors): Promise<RankedList[] | null>
}

const maxResults = 1_000
/** What is sent of the best results; those behind them keep their places. */
const rerankedAtOnce = 50
/** How often a collection may change its model while one search is in progress. */
const maxChanges = 3

export function createSearch(dependencies: {
  database: Database
  /** Without it search is by text only. */
  vectors?: VectorSearch
  reranker?: Reranker | null
}): Search {
  const { database, vectors, reranker = null } = dependencies

  return async (scope, request) => {
    const { offset = 0, limit } = request
    // A reranker costs money and is an outside service: test keys reach neither.
    const isReranked =
      reranker !== null && request.rerank !== false && scope.environment === 'live' && offset < rerankedAtOnce
    const shown = isReranked
      ? { from: 0, to: Math.max(rerankedAtOnce, offset + limit) }
      : { from: offset, to: offset + limit }
    const { total, results } = await findPassages(scope, request, shown)
    if (!isReranked) return { total, results }
    const reranked = await rerank(reranker, request.query, results)
    return { total, results: reranked.slice(offset, offset + limit) }
  }

  async function findPassages(
    scope: Scope,
    request: SearchRequest,
    shown: { from: number; to: number },
  ): Promise<SearchResults> {
    for (let change = 0; ; change++) {
      const { prepared, fallback } = await prepareVectors(scope, request)
      const found = await database.snapshot(scope.workspaceId, async query => {
        const lists = await rank(scope, query, request, prepared)
        if (lists === null) return null
        const { perDocument = perDocumentOf(lists.fused) } = request
        const ranked = bestOfEachDocument(lists.fused, perDocument).slice(0, maxResults)
        const passages = await mergeNeighbours(query, database.engine, ranked)
        const results = await present(scope, query, database.engine, passages.slice(shown.from, shown.to), {
          ranking: lists.ranking,
          explained: request.explain === true ? { ...lists.explained, fallback } : null,
        })
        return { total: passages.length, results }
      })
      if (found !== null) return found
      if (change === maxChanges)
        throw new ServiceError('unavailable', 'The collections are changing their model')
    }
  }

  /** `fallback` says why there are no vectors where `auto` would have liked some. */
  async function prepareVectors(
    scope: Scope,
    request: SearchRequest,
  ): Promise<{ prepared: PreparedVectors | null; fallback: string | null }> {
    const { mode = 'auto' } = request
    if (mode === 'text' || vectors === undefined) {
      if (mode === 'vector' || mode === 'hybrid') throw noVectors()
      return { prepared: null, fallback: null }
    }
    const meaning = meaningOf(request.query)
    // Exclusions alone ask for nothing that could be near.
    if (meaning === '') return { prepared: null, fallback: null }
    try {
      const prepared = await vectors.prepare(scope, { ...request, query: meaning })
      if (prepared !== null) return { prepared, fallback: null }
      if (mode !== 'auto') throw noVectors()
      return { prepared: null, fallback: 'None of the collections has vectors' }
    } catch (error) {
      const isMissing = error instanceof ServiceError && vectorFaults.some(code => code === error.code)
      if (mode !== 'auto' || !isMissing) throw error
      return { prepared: null, fallback: error.message }
    }
  }

  /** Null if the collections' models have changed since the vectors were prepared. */
  async function rank(
    scope: Scope,
    query: Query,
    request: SearchRequest,
    prepared: PreparedVectors | null,
  ): Promise<Ranked | null> {
    const isVectorOnly = prepared !== null && request.mode === 'vector'
    const mode: UsedMode = isVectorOnly ? 'vector' : prepared === null ? 'text' : 'hybrid'
    const reach = await readReach(database.engine, scope, query, request)
    if (reach === null) return { fused: [], ranking: null, explained: { mode, isFused: false } }
    const ranking = await rankByText(database.engine, query, reach, request.query)
    const byVectors = prepared === null ? [] : await vectors?.rank(query, reach, prepared)
    if (byVectors === null || byVectors === undefined) return null
    const byText: RankedList[] =
      isVectorOnly || ranking === null ? [] : [{ name: 'text', model: null, chunks: ranking.ranked }]
    const lists = [...byText, ...byVectors.map(list => accepted(list, ranking, request.query))]
    return { fused: fuse(lists), ranking, explained: { mode, isFused: lists.length > 1 } }
  }
}

type Ranked = {
  fused: FusedChunk[]
  ranking: TextRanking | null
  explained: { mode: UsedMode; isFused: boolean }
}

/** What a query asks for in quotes, or excludes, holds for what its meaning finds as well. */
function accepted(list: RankedList, ranking: TextRanking | null, query: string): RankedList {
  if (ranking !== null) return { ...list, chunks: list.chunks.filter(({ terms }) => ranking.accepts(terms)) }
  // Without a ranking nothing has what the query demands, or that is unknown.
  const hasDemands = readClauses(query).some(({ kind, isExcluded }) => isExcluded || kind === 'phrase')
  return hasDemands ? { ...list, chunks: [] } : list
}

/** The query without what it excludes, which would draw its vector near to just that. */
const meaningOf = (query: string): string =>
  readClauses(query)
    .flatMap(({ text, isExcluded }) => (isExcluded ? [] : text))
    .join(' ')
    .trim()

const vectorFaults = ['vector_unavailable', 'embedding_unavailable'] as const

const noVectors = (): ServiceError =>
  new ServiceError(
    'vector_unavailable',
    'None of the collections has vectors: search with mode=auto, which takes what there is, or mode=text',
  )

/** The best results in the order that the reranker gives them; in the order that they have where it fails. */
async function rerank(
  reranker: Reranker,
  query: string,
  results: readonly SearchResult[],
): Promise<SearchResult[]> {
  const [best, rest] = [results.slice(0, rerankedAtOnce), results.slice(rerankedAtOnce)]
  if (best.length === 0) return []
  const texts = best.map(({ title, text }) => (title === null ? text : `${title}\n${text}`))
  const reranking = await reranker.rank(query, texts)
  if (reranking.kind === 'failed') {
    return results.map(result => explained(result, { failure: reranking.reason }))
  }
  const ranked = reranking.places.flatMap(({ place, score }, rank) => {
    const result = best[place]
    return result === undefined
      ? []
      : explained({ ...result, score }, { model: reranker.model, rank: rank + 1, score })
  })
  const taken = new Set(reranking.places.map(({ place }) => place))
  return [...ranked, ...best.filter((_, place) => !taken.has(place)), ...rest]
}

const explained = (result: SearchResult, mark: NonNullable<Explanation['rerank']>): SearchResult =>
  result.explanation === undefined
    ? result
    : { ...result, explanation: { ...result.explanation, rerank: mark } }
