/** What a search finds within one snapshot of the database: ranked by text, by vectors or by both, and shown as passages. */
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
import { readClauses } from './ranking/query.ts'
import { type Reach, type ReachRequest, readReach } from './ranking/reach.ts'
import { rankByText, type TextRanking } from './ranking/text-ranking.ts'
import type { SearchMode } from './search-schemas.ts'

/** Plain data: it is copied to the thread that finds the passages. */
export type Wanted = {
  scope: Scope
  request: PassageRequest
  /** Which of the ranked passages are shown. */
  shown: { from: number; to: number }
  vectors: PreparedVectors | null
  /** Why there are no vectors where `auto` would have liked some. */
  fallback: string | null
}

export type PassageRequest = ReachRequest & {
  /** Any text; what is beyond 4,000 characters is left out. */
  query: string
  /** `auto` unless given: `hybrid` where a searched collection has vectors, else `text`. */
  mode?: SearchMode
  /** How many chunks of one document there may be; unless given, the more the fewer documents match (`perDocumentOf`). */
  perDocument?: number
  /** Adds to each result how it came to its place. */
  explain?: boolean
}

/** `total` is the exact length of the ranked list, of which `results` are a part, best first. */
export type SearchResults = { total: number; results: SearchResult[] }

/** `state` names the models of the searched collections: another one means that what was prepared no longer counts. */
export type PreparedVectors = { state: string; models: PreparedModel[] }

/** Collections that one model serves, the query's vector by it, and what its nearest are picked from. */
export type PreparedModel = { model: VectorModel; vector: Float32Array; near: Near }

/** The signs of each collection's vectors, in memory that all threads share; or the nearest, nearest first. */
export type Near = { kind: 'signs'; collections: CollectionSigns[] } | { kind: 'listed'; numbers: number[] }

/** What one collection has: its chunks' places, and for each as many words as a vector's signs take. */
export type CollectionSigns = { collection: number; places: Int32Array; words: Int32Array; count: number }

/** A list for each model; null if the collections' models have changed since the vectors were prepared. */
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
  const { scope, request, shown, fallback } = wanted
  const lists = await rank(engine, query, wanted, rankByVectors)
  if (lists === null) return null
  const { perDocument = perDocumentOf(lists.fused) } = request
  const ranked = bestOfEachDocument(lists.fused, perDocument).slice(0, maxResults)
  const passages = await mergeNeighbours(query, engine, ranked)
  const results = await present(scope, query, engine, passages.slice(shown.from, shown.to), {
    ranking: lists.ranking,
    explained: request.explain === true ? { ...lists.explained, fallback } : null,
  })
  return { total: passages.length, results }
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
  const ranking = await rankByText(engine, query, reach, request.query)
  const byVectors = vectors === null ? [] : await rankByVectors(engine, query, reach, vectors)
  if (byVectors === null) return null
  const byText: RankedList[] =
    isVectorOnly || ranking === null ? [] : [{ name: 'text', model: null, chunks: ranking.ranked }]
  const lists = [...byText, ...byVectors.map(list => accepted(list, ranking, request.query))]
  return { fused: fuse(lists), ranking, explained: { mode, isFused: lists.length > 1 } }
}

/** What a query asks for in quotes, or excludes, holds for what its meaning finds as well. */
function accepted(list: RankedList, ranking: TextRanking | null, query: string): RankedList {
  if (ranking !== null) return { ...list, chunks: list.chunks.filter(({ terms }) => ranking.accepts(terms)) }
  // Without a ranking nothing has what the query demands, or that is unknown.
  const hasDemands = readClauses(query).some(({ kind, isExcluded }) => isExcluded || kind === 'phrase')
  return hasDemands ? { ...list, chunks: [] } : list
}
