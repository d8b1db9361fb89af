/** Finds the passages of a search within one snapshot of the database, ranked by text, by vectors or by both. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../../platform/caller.ts'
import type { Engine, Query } from '../../../platform/database/database.ts'
import type { VectorModel } from '../records/vectors-store.ts'
import {
  bestOfEachDocument,
  type FusedChunk,
  fuse,
  mergeNeighbours,
  perDocumentOf,
  type RankedList,
} from './merge.ts'
import { present, type SearchResult, type UsedMode } from './present.ts'
import { readClauses, type Syntax } from './ranking/query.ts'
import { type Reach, type ReachRequest, readReach } from './ranking/reach.ts'
import { rankByText, type TextRanking } from './ranking/text-ranking.ts'
import type { SearchMode } from './search-schemas.ts'

/** Plain data: it is copied to the thread that finds the passages. */
export type Wanted = {
  scope: Scope
  request: PassageRequest
  /** The range of ranked passages to show. */
  shown: { from: number; to: number }
  vectors: PreparedVectors | null
  /** Why `auto` got no vectors although it asked for them. */
  fallback: string | null
}

export type PassageRequest = ReachRequest & {
  /** Any text. Characters beyond the first 4,000 are left out. */
  query: string
  /** Whether quotes, hyphens and stars of the query mean something; by default all of them. */
  syntax?: Syntax
  /** By default `auto`: `hybrid` if a searched collection has vectors, else `text`. */
  mode?: SearchMode
  /** The most chunks of one document. By default more if fewer documents match (`perDocumentOf`). */
  perDocument?: number
  /** Adds to each result an explanation of its rank. */
  explain?: boolean
}

/**
 * `total` is the exact length of the ranked list. `results` are a part of the list, best first. `ignored` are the
 * query's exclusions if nothing is found with them: then the results are those without.
 */
export type SearchResults = { total: number; results: SearchResult[]; ignored?: string[] }

/** `state` names the models of the searched collections. If it changes, the prepared vectors are invalid. */
export type PreparedVectors = { state: string; models: PreparedModel[] }

/** A model that serves collections, the query's vector by this model, and the source of the nearest chunks. */
export type PreparedModel = { model: VectorModel; vector: Float32Array; near: Near }

/** The signs of each collection's vectors, in memory that all threads share; or the nearest chunks, nearest first. */
export type Near = { kind: 'signs'; collections: CollectionSigns[] } | { kind: 'listed'; numbers: number[] }

/** The chunks' places in one collection, and the words that hold the signs of each chunk's vector. */
export type CollectionSigns = { collection: number; places: Int32Array; words: Int32Array; count: number }

/** Returns a list for each model; null if the collections' models have changed since the vectors were prepared. */
export type RankByVectors = (
  engine: Engine,
  query: Query,
  reach: Reach,
  vectors: PreparedVectors,
) => Promise<RankedList[] | null>

const maxResults = 1_000

/** Null if the collections' models have changed since the vectors were prepared. */
export async function findPassages(
  engine: Engine,
  query: Query,
  wanted: Wanted,
  rankByVectors: RankByVectors,
): Promise<SearchResults | null> {
  const { scope, shown, fallback } = wanted
  let { request } = wanted
  let lists = await rank(engine, query, wanted, rankByVectors)
  const ignored = lists?.fused.length === 0 ? exclusionsOf(request) : []
  if (ignored.length > 0) {
    request = { ...request, syntax: 'inclusive' }
    lists = await rank(engine, query, { ...wanted, request }, rankByVectors)
  }
  if (lists === null) return null
  const { perDocument = perDocumentOf(lists.fused) } = request
  const ranked = bestOfEachDocument(lists.fused, perDocument).slice(0, maxResults)
  const passages = await mergeNeighbours(query, engine, ranked)
  const results = await present(scope, query, engine, passages.slice(shown.from, shown.to), {
    ranking: lists.ranking,
    explained: request.explain === true ? { ...lists.explained, fallback } : null,
  })
  return withoutUndefined({
    total: passages.length,
    results,
    ignored: ignored.length > 0 ? ignored : undefined,
  })
}

/** What the query excludes, if it asks for something else as well. */
function exclusionsOf({ query, syntax }: PassageRequest): string[] {
  const clauses = readClauses(query, syntax)
  const isAsked = clauses.some(({ isExcluded }) => !isExcluded)
  return isAsked ? clauses.flatMap(({ isExcluded, text }) => (isExcluded ? [text] : [])) : []
}

type Ranked = {
  fused: FusedChunk[]
  ranking: TextRanking | null
  explained: { mode: UsedMode; isFused: boolean }
}

async function rank(
  engine: Engine,
  query: Query,
  { scope, request, vectors }: Wanted,
  rankByVectors: RankByVectors,
): Promise<Ranked | null> {
  const isVectorOnly = vectors !== null && request.mode === 'vector'
  const mode: UsedMode = isVectorOnly ? 'vector' : vectors === null ? 'text' : 'hybrid'
  const reach = await readReach(engine, scope, query, request)
  if (reach === null) return { fused: [], ranking: null, explained: { mode, isFused: false } }
  const ranking = await rankByText(engine, query, reach, request.query, {
    syntax: request.syntax ?? 'all',
  })
  const byVectors = vectors === null ? [] : await rankByVectors(engine, query, reach, vectors)
  if (byVectors === null) return null
  const byText: RankedList[] =
    isVectorOnly || ranking === null ? [] : [{ name: 'text', model: null, chunks: ranking.ranked }]
  const lists = [...byText, ...byVectors.map(list => accepted(list, ranking, request))]
  return { fused: fuse(lists), ranking, explained: { mode, isFused: lists.length > 1 } }
}

/** The query's phrases in quotes and its exclusions also apply to chunks that the vectors find. */
function accepted(
  list: RankedList,
  ranking: TextRanking | null,
  { query, syntax }: PassageRequest,
): RankedList {
  if (ranking !== null) return { ...list, chunks: list.chunks.filter(({ terms }) => ranking.accepts(terms)) }
  // Without a ranking, no chunk meets the query's demands, or this is unknown.
  const hasDemands = readClauses(query, syntax).some(
    ({ kind, isExcluded }) => isExcluded || kind === 'phrase',
  )
  return hasDemands ? { ...list, chunks: [] } : list
}
