/** From ranked lists to passages: fuses lists, takes the best chunks of each document, and merges neighbours. */
import type { Engine, Query } from '../../../platform/database/database.ts'
import { sandboxEmbeddingName } from '../../../platform/models/embedding/sandbox-embedding.ts'
import { readBorders, readPositions } from './passages-store.ts'
import type { Candidate } from './ranking/search-store.ts'

export type RankedList = {
  name: 'text' | 'vector'
  /** The model of the vectors; null for text. */
  model: string | null
  /** Best first. */
  chunks: readonly (Candidate & { score: number })[]
}

/** A chunk's rank in a list, from 1, and its score there. */
export type Standing = { name: RankedList['name']; model: string | null; rank: number; score: number }

export type FusedChunk = Candidate & { score: number; standings: Standing[] }

/** The weight of the similarity if the two lists agree on nothing, and the weight added if they agree fully. */
const leastVectorWeight = 0.2
const agreementWeight = 0.3
/** The lists agree fully if half of the nearest chunks are among the text's best. */
const nearestCompared = 20
const textCompared = 100
const fullAgreement = 0.5
/** The sandbox model knows no more about the texts than the words do. */
const sandboxShare = 0.25

/**
 * Fuses several lists into one, best first, with equal scores in the order of their ids. A text's score counts as a
 * part of the best score. A similarity counts by its place between the least and the greatest of its list. Each is
 * weighted by its list. Ranks alone would let weak vectors push the text's best results away (decision 5). A single
 * list keeps its own scores.
 */
export function fuse(lists: readonly RankedList[]): FusedChunk[] {
  const [only] = lists
  if (only !== undefined && lists.length === 1)
    return only.chunks.map((chunk, place) => standAlone(only, chunk, place))
  const weights = weighLists(lists)
  const chunks = new Map<string, FusedChunk>()
  for (const [list, { name, model, chunks: ranked }] of lists.entries()) {
    const greatest = ranked[0]?.score ?? 0
    const least = name === 'text' ? 0 : (ranked.at(-1)?.score ?? 0)
    for (const [place, { score, ...candidate }] of ranked.entries()) {
      const standing = { name, model, rank: place + 1, score }
      const share = greatest === least ? 1 : (score - least) / (greatest - least)
      const part = (weights[list] ?? 0) * share
      const known = chunks.get(candidate.chunkId)
      if (known === undefined) {
        chunks.set(candidate.chunkId, { ...candidate, score: part, standings: [standing] })
      } else {
        known.score += part
        known.standings.push(standing)
      }
    }
  }
  return [...chunks.values()].sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
}

/** Vectors count for more if the text's best results are near as well. They count alone if the text found nothing. */
function weighLists(lists: readonly RankedList[]): number[] {
  const text = lists.find(({ name, chunks }) => name === 'text' && chunks.length > 0)
  if (text === undefined) return lists.map(() => 1)
  const best = new Set(text.chunks.slice(0, textCompared).map(({ chunkId }) => chunkId))
  const ofVectors = lists.map(({ name, model, chunks }) => {
    if (name === 'text' || chunks.length === 0) return 0
    const nearest = chunks.slice(0, nearestCompared)
    const agreement = nearest.filter(({ chunkId }) => best.has(chunkId)).length / nearest.length
    const weight = leastVectorWeight + agreementWeight * Math.min(1, agreement / fullAgreement)
    return model === sandboxEmbeddingName ? sandboxShare * weight : weight
  })
  return lists.map((list, place) => (list === text ? 1 - Math.max(...ofVectors) : (ofVectors[place] ?? 0)))
}

/** Field by field, for speed: this runs for each of hundreds of chunks. */
const standAlone = (
  { name, model }: RankedList,
  { number, chunkId, documentId, terms, score }: RankedList['chunks'][number],
  place: number,
): FusedChunk => ({
  number,
  chunkId,
  documentId,
  terms,
  score,
  standings: [{ name, model, rank: place + 1, score }],
})

/** Chunks that follow each other on one page of their document. A result names the best one. */
export type Passage = {
  /** The best chunk, which gives the passage its rank and its score. */
  best: FusedChunk
  /** All chunks, in the document's order. */
  chunkIds: string[]
}

/** A document that matches everywhere must not push other matching documents off the page. */
const leastPerDocument = 3
/** The most chunks of a document, if only a single document matches. */
const mostPerDocument = 30
/** A document matches about as well as the best one if its best chunk has at least this part of the best score. */
const sharesPlace = 0.9

/** How many chunks of one document are shown: more if fewer documents match about as well as the best one. */
export function perDocumentOf(ranked: readonly FusedChunk[]): number {
  const best = ranked[0]?.score ?? 0
  const matching = new Set<string>()
  for (const { documentId, score } of ranked) {
    if (score < sharesPlace * best) break
    matching.add(documentId)
  }
  return Math.max(leastPerDocument, Math.ceil(mostPerDocument / Math.max(1, matching.size)))
}

/** The first `most` chunks of each document, in order. */
export function bestOfEachDocument(ranked: readonly FusedChunk[], most: number): FusedChunk[] {
  const taken = new Map<string, number>()
  return ranked.filter(({ documentId }) => {
    const count = (taken.get(documentId) ?? 0) + 1
    taken.set(documentId, count)
    return count <= most
  })
}

/** The most chunks of one passage. If few documents match, the list may have all chunks of a document. */
const mostInPassage = 3

/** The passages, in the order of their best chunks. */
export async function mergeNeighbours(
  query: Query,
  engine: Engine,
  ranked: readonly FusedChunk[],
): Promise<Passage[]> {
  const positions = await readPositions(query, engine, await idsThatMayTouch(query, engine, ranked))
  const byPosition = new Map<string, FusedChunk>()
  const keyOf = ({ documentId }: FusedChunk, at: Position, position: number): string =>
    `${documentId} ${at.version} ${at.page} ${position}`
  for (const chunk of ranked) {
    const at = positions.get(chunk.chunkId)
    if (at !== undefined) byPosition.set(keyOf(chunk, at, at.position), chunk)
  }
  const taken = new Set<string>()
  return ranked.flatMap(best => {
    if (taken.has(best.chunkId)) return []
    const at = positions.get(best.chunkId)
    if (at === undefined) return { best, chunkIds: [best.chunkId] }
    const beside = (step: 1 | -1, most: number): string[] => {
      const ids: string[] = []
      for (let position = at.position + step; ids.length < most; position += step) {
        const neighbour = byPosition.get(keyOf(best, at, position))
        if (neighbour === undefined || taken.has(neighbour.chunkId)) break
        ids.push(neighbour.chunkId)
      }
      return ids
    }
    const after = beside(1, mostInPassage - 1)
    const before = beside(-1, mostInPassage - 1 - after.length)
    const chunkIds = [...before.reverse(), best.chunkId, ...after]
    for (const id of chunkIds) taken.add(id)
    return { best, chunkIds }
  })
}

type Position = { version: number; position: number; page: number | null }

/**
 * Finds the chunks that may have a neighbour in the list. Few chunks have one, and to read a chunk's position takes
 * longer than to score it. Neighbours are also neighbours in the index, unless a segment ends between them.
 */
async function idsThatMayTouch(
  query: Query,
  engine: Engine,
  ranked: readonly FusedChunk[],
): Promise<string[]> {
  const counts = countByDocument(ranked)
  const together = ranked.filter(({ documentId }) => (counts.get(documentId) ?? 0) > 1)
  const numbers = new Set(together.map(({ number }) => number))
  const borders = await readBorders(query, engine, [...numbers])
  const atBorder = countByDocument(together.filter(({ number }) => borders.has(number)))
  return together
    .filter(
      ({ number, documentId }) =>
        numbers.has(number - 1) ||
        numbers.has(number + 1) ||
        (borders.has(number) && (atBorder.get(documentId) ?? 0) > 1),
    )
    .map(({ chunkId }) => chunkId)
}

function countByDocument(chunks: readonly FusedChunk[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const { documentId } of chunks) counts.set(documentId, (counts.get(documentId) ?? 0) + 1)
  return counts
}
