/** Searches the chunks of a workspace: a thread finds passages, and a reranker sorts them if there is one. */
import type { Scope } from '../../../platform/caller.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Reranker } from '../../../platform/models/reranker.ts'
import type { PassageRequest, PreparedVectors, SearchResults, Wanted } from './find-passages.ts'
import type { Explanation, SearchResult } from './present.ts'
import { readClauses } from './ranking/query.ts'
import type { ReachRequest } from './ranking/reach.ts'

export type SearchRequest = PassageRequest & {
  /** How many of the best results to leave out, for later pages; by default none. */
  offset?: number
  limit: number
  /** If there is a reranker, it is asked unless this is false. */
  rerank?: boolean
}

/**
 * Throws `vector_unavailable` and `embedding_unavailable` if the mode needs vectors. Throws `overloaded` if too many
 * search, and the signal's reason once it is aborted.
 */
export type Search = (scope: Scope, request: SearchRequest, signal?: AbortSignal) => Promise<SearchResults>

/** Runs `findPassages` for an owner, which is a workspace. */
export type Find = (owner: string, wanted: Wanted, signal?: AbortSignal) => Promise<SearchResults | null>

/** Asks the embedding model, and holds the signs of vectors. */
export type VectorSearch = {
  /** Null if none of the collections has vectors. Throws `embedding_unavailable` and `vector_unavailable`. */
  prepare(scope: Scope, request: ReachRequest & { query: string }): Promise<PreparedVectors | null>
}

/** How many of the best results are sent to the reranker. The results after them keep their places. */
const rerankedAtOnce = 50
/** How often a collection may change its model while one search is in progress. */
const maxChanges = 3

export function createSearch(dependencies: {
  find: Find
  /** Without it search is by text only. */
  vectors?: VectorSearch
  reranker?: Reranker | null
}): Search {
  const { find, vectors, reranker = null } = dependencies

  return async (scope, { offset = 0, limit, rerank: isWanted = true, ...request }, signal) => {
    // Test keys never use the reranker: it is an outside service and costs money.
    const isReranked =
      reranker !== null && isWanted && scope.environment === 'live' && offset < rerankedAtOnce
    const shown = isReranked
      ? { from: 0, to: Math.max(rerankedAtOnce, offset + limit) }
      : { from: offset, to: offset + limit }
    const found = await findPrepared(scope, request, shown, signal)
    if (!isReranked) return found
    const reranked = await rerank(reranker, request.query, found.results)
    return { ...found, results: reranked.slice(offset, offset + limit) }
  }

  async function findPrepared(
    scope: Scope,
    request: PassageRequest,
    shown: Wanted['shown'],
    signal: AbortSignal | undefined,
  ): Promise<SearchResults> {
    for (let change = 0; ; change++) {
      const prepared = await prepareVectors(scope, request)
      const found = await find(scope.workspaceId, { scope, request, shown, ...prepared }, signal)
      if (found !== null) return found
      if (change === maxChanges)
        throw new ServiceError('unavailable', 'The collections are changing their model')
    }
  }

  async function prepareVectors(
    scope: Scope,
    request: PassageRequest,
  ): Promise<Pick<Wanted, 'vectors' | 'fallback'>> {
    const { mode = 'auto' } = request
    if (mode === 'text' || vectors === undefined) {
      if (mode === 'vector' || mode === 'hybrid') throw noVectors()
      return { vectors: null, fallback: null }
    }
    const meaning = meaningOf(request)
    // A query with exclusions only has no meaning to compare.
    if (meaning === '') return { vectors: null, fallback: null }
    try {
      const prepared = await vectors.prepare(scope, { ...request, query: meaning })
      if (prepared !== null) return { vectors: prepared, fallback: null }
      if (mode !== 'auto') throw noVectors()
      return { vectors: null, fallback: 'None of the collections has vectors' }
    } catch (error) {
      const isMissing = error instanceof ServiceError && vectorFaults.some(code => code === error.code)
      if (mode !== 'auto' || !isMissing) throw error
      return { vectors: null, fallback: error.message }
    }
  }
}

/** The query without its exclusions. They would draw the query's vector near to what is excluded. */
const meaningOf = ({ query, syntax }: PassageRequest): string =>
  readClauses(query, syntax)
    .flatMap(({ text, isExcluded }) => (isExcluded ? [] : text))
    .join(' ')
    .trim()

const vectorFaults = ['vector_unavailable', 'embedding_unavailable'] as const

const noVectors = (): ServiceError =>
  new ServiceError(
    'vector_unavailable',
    'None of the collections has vectors: search with mode=auto, which takes what there is, or mode=text',
  )

/** The best results in the reranker's order, or in their own order if the reranker fails. */
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
