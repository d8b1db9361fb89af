/** One list of several: by the chunks' ranks alone, since a text's score and a vector's similarity do not compare. */
import type { Candidate } from './search-store.ts'

export type RankedList = {
  name: 'text' | 'vector'
  /** The model of the vectors; null for text. */
  model: string | null
  /** Best first. */
  chunks: readonly (Candidate & { score: number })[]
}

/** Where a chunk stands in a list, from 1, and its score there. */
export type Standing = { name: RankedList['name']; model: string | null; rank: number; score: number }

export type FusedChunk = Candidate & { score: number; standings: Standing[] }

/** As in Cormack, Clarke and Büttcher, "Reciprocal rank fusion", 2009: no single list's first rank decides alone. */
const rankOffset = 60

/** Best first, equal scores in the order of their ids. A single list keeps its own scores, and so its order. */
export function fuse(lists: readonly RankedList[]): FusedChunk[] {
  const [only] = lists
  if (only !== undefined && lists.length === 1)
    return only.chunks.map((chunk, place) => standAlone(only, chunk, place))
  const chunks = new Map<string, FusedChunk>()
  for (const { name, model, chunks: ranked } of lists) {
    for (const [place, { score, ...candidate }] of ranked.entries()) {
      const rank = place + 1
      const part = 1 / (rankOffset + rank)
      const standing = { name, model, rank, score }
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

/** Field by field: this runs for each of hundreds of chunks. */
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
