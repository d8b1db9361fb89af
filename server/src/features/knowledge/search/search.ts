/** Text search over the chunks of a workspace: understand the query, pick candidates, score, show the best. */
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Engine, Query } from '../../../platform/database/database.ts'
import { bestOf, chooseLists, type FoundTerm, maxCandidates } from './candidates.ts'
import { type Highlight, highlight } from './highlight.ts'
import { placesPerCollection } from './index-store.ts'
import { parseQuery, type QueryTerm } from './query.ts'
import { inverseFrequency } from './relevance.ts'
import { createScorer, type ScorePart, type Scorer } from './score.ts'
import {
  type Candidate,
  findSearchedIndex,
  type Hidden,
  inSnapshot,
  readCandidates,
  readChunks,
  readHidden,
  readPostings,
  readTermCounts,
  type SearchedIndex,
} from './search-store.ts'
import { chunksWith, type LevelCounts, meanLengthsOf } from './statistics.ts'

export type SearchRequest = {
  /** Any text; what is beyond 4,000 characters is left out. */
  query: string
  /** All that the scope can reach, unless given. */
  collectionIds?: readonly string[]
  /** How many of the best results to leave out, for later pages; none unless given. */
  offset?: number
  limit: number
  /** Adds each result's parts of its score. */
  explain?: boolean
}

export type SearchResult = {
  chunkId: string
  documentId: string
  documentVersion: number
  collectionId: string
  title: string | null
  text: string
  /** The headings above the chunk, one a line. */
  headings: string
  page: number | null
  /** In Unicode code points of the document's extracted text; `endOffset` is the first one behind the chunk. */
  startOffset: number
  endOffset: number
  score: number
  /** In code points within `text`. */
  highlights: Highlight[]
  parts?: ScorePart[]
}

/** `total` is the exact length of the ranked list, of which `results` are a part, best first. */
export type SearchResults = { total: number; results: SearchResult[] }

export type Search = (scope: Scope, request: SearchRequest) => Promise<SearchResults>

/** A document that matches everywhere must not push the others off the page. */
const maxChunksOfDocument = 3

/** A query of whole paragraphs is asked by its most telling terms. */
const maxTerms = 64

export function createSearch({ database }: { database: Database }): Search {
  return (scope, request) =>
    inSnapshot(database, async query => {
      const ranking = await rankChunks(database.engine, scope, query, request)
      if (ranking === null) return { total: 0, results: [] }
      const { offset = 0, limit } = request
      const shown = ranking.ranked.slice(offset, offset + limit)
      const results = await present(scope, query, { ...ranking, ranked: shown }, request.explain ?? false)
      return { total: ranking.ranked.length, results }
    })
}

type RankedChunk = Candidate & { score: number }

type Ranking = { ranked: RankedChunk[]; terms: readonly FoundTerm[]; scorer: Scorer }

/** Null where nothing can be found. */
async function rankChunks(
  engine: Engine,
  scope: Scope,
  query: Query,
  request: SearchRequest,
): Promise<Ranking | null> {
  const { terms: asked, pairs } = parseQuery(request.query)
  const index = await findSearchedIndex(scope, query, reachable(scope, request.collectionIds))
  if (index === null || asked.length === 0) return null
  const words = asked.map(({ term }) => term)
  const terms = weigh(
    asked,
    await readTermCounts(query, engine, index.number, words),
    index.totals.chunkCount,
  )
  const share = shareOf(index)
  if (terms.length === 0 || share === 0) return null

  const lists = chooseLists(terms, share)
  const postings = await readPostings(query, engine, index, lists)
  const hidden = await readHidden(query, index.number)
  const numbers = bestOf(
    lists.map(({ weight }, place) => ({ weight, numbers: postings[place] ?? [] })),
    createFilter(index, hidden),
    maxCandidates(terms.length),
  )
  const scorer = createScorer(terms, pairs, meanLengthsOf(index.totals))
  return { ranked: rank(await readCandidates(query, engine, numbers), scorer), terms, scorer }
}

/** The collections to search; null for all. What the scope is narrowed to, no request widens. */
function reachable(
  { collectionIds: allowed }: Scope,
  wanted: readonly string[] | undefined,
): readonly string[] | null {
  if (allowed === undefined) return wanted ?? null
  return wanted === undefined ? allowed : wanted.filter(id => allowed.includes(id))
}

/** The terms that the index has, with their weights: the most telling ones, where there are very many. */
function weigh(
  asked: readonly QueryTerm[],
  counts: ReadonlyMap<string, LevelCounts>,
  chunkCount: number,
): FoundTerm[] {
  const found = asked.flatMap(({ term, weight, onlyInName }) => {
    const levels = counts.get(term)
    if (levels === undefined) return []
    const frequency = inverseFrequency(chunksWith(levels), chunkCount)
    return [{ term, weight: weight * frequency, inverseFrequency: frequency, onlyInName, counts: levels }]
  })
  if (found.length <= maxTerms) return found
  return found.sort((a, b) => b.weight - a.weight || (a.term < b.term ? -1 : 1)).slice(0, maxTerms)
}

/** The part of the index's chunks that is searched: from 0 to 1. */
function shareOf({ totals, collections }: SearchedIndex): number {
  if (collections === null) return 1
  return collections.reduce((sum, { chunkCount }) => sum + chunkCount, 0) / totals.chunkCount
}

/** Tells the chunks that may be found: those of the searched collections that are not hidden. */
function createFilter({ collections }: SearchedIndex, hidden: Hidden): (number: number) => boolean {
  const searched = collections === null ? null : new Set(collections.map(({ number }) => number))
  const removed = new Set(hidden.collections)
  let collection = -1
  let isSearched = false
  return number => {
    const own = Math.floor(number / placesPerCollection)
    // Numbers come in runs of the same collection.
    if (own !== collection) {
      collection = own
      isSearched = !removed.has(own) && (searched === null || searched.has(own))
    }
    return isSearched && !isWithin(number, hidden.segments)
  }
}

function isWithin(number: number, segments: Hidden['segments']): boolean {
  let low = 0
  let high = segments.length
  while (low < high) {
    const middle = (low + high) >> 1
    if ((segments[middle]?.first ?? 0) <= number) low = middle + 1
    else high = middle
  }
  return number <= (segments[low - 1]?.last ?? -1)
}

/** Best first, equal scores in the order of their ids, and of one document the best few only. */
function rank(candidates: readonly Candidate[], scorer: Scorer): RankedChunk[] {
  const scored = candidates.map(candidate => ({ ...candidate, score: scorer.score(candidate.terms) }))
  scored.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
  const taken = new Map<string, number>()
  return scored.filter(({ documentId, score }) => {
    const count = (taken.get(documentId) ?? 0) + 1
    taken.set(documentId, count)
    return count <= maxChunksOfDocument && score > 0
  })
}

async function present(
  scope: Scope,
  query: Query,
  { ranked, terms, scorer }: Ranking,
  explain: boolean,
): Promise<SearchResult[]> {
  const ids = ranked.map(({ chunkId }) => chunkId)
  const chunks = new Map((await readChunks(scope, query, ids)).map(chunk => [chunk.id, chunk]))
  const words = new Set(terms.filter(({ onlyInName }) => !onlyInName).map(({ term }) => term))
  return ranked.flatMap(({ chunkId, score, terms: encoded }) => {
    const chunk = chunks.get(chunkId)
    // Erased between two statements, by another process on the same SQLite file.
    if (chunk === undefined) return []
    return {
      chunkId,
      documentId: chunk.document_id,
      documentVersion: chunk.document_version,
      collectionId: chunk.collection_id,
      title: chunk.title,
      text: chunk.text,
      headings: chunk.headings,
      page: chunk.page,
      startOffset: chunk.start_offset,
      endOffset: chunk.end_offset,
      score,
      highlights: highlight(chunk.text, words),
      ...(explain ? { parts: scorer.explain(encoded) } : {}),
    }
  })
}
