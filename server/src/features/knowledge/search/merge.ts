/** Of each document the best few chunks, and those that stand side by side as one result. */
import type { Engine, Query } from '../../../platform/database/database.ts'
import type { FusedChunk } from './fuse.ts'
import { readBorders, readPositions } from './passages-store.ts'

/** Chunks that follow each other in their document, on one page: a result names one. */
export type Passage = {
  /** The best of them, which gives the passage its place and its score. */
  best: FusedChunk
  /** All of them, in the document's order. */
  chunkIds: string[]
}

/** The first `most` of each document, in their order. */
export function bestOfEachDocument(ranked: readonly FusedChunk[], most: number): FusedChunk[] {
  const taken = new Map<string, number>()
  return ranked.filter(({ documentId }) => {
    const count = (taken.get(documentId) ?? 0) + 1
    taken.set(documentId, count)
    return count <= most
  })
}

/** In the order of the best chunk of each. */
export async function mergeNeighbours(
  query: Query,
  engine: Engine,
  ranked: readonly FusedChunk[],
): Promise<Passage[]> {
  const positions = await readPositions(query, engine, await idsThatMayTouch(query, engine, ranked))
  const byPosition = new Map<string, FusedChunk>()
  const keyOf = ({ documentId }: FusedChunk, at: Place, position: number): string =>
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
    const beside = (step: 1 | -1): string[] => {
      const ids: string[] = []
      for (let position = at.position + step; ; position += step) {
        const neighbour = byPosition.get(keyOf(best, at, position))
        if (neighbour === undefined) return ids
        ids.push(neighbour.chunkId)
      }
    }
    const chunkIds = [...beside(-1).reverse(), best.chunkId, ...beside(1)]
    for (const id of chunkIds) taken.add(id)
    return { best, chunkIds }
  })
}

type Place = { version: number; position: number; page: number | null }

/**
 * Few chunks have a neighbour in the list, and to read where one stands takes longer than to score it. Neighbours are
 * also neighbours in the index, unless a segment ends between them.
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
