/**
 * Writes the search index. A new version's chunks are indexed slice by slice, while search still finds the last
 * version. `publishVersion` switches to the new version. The replaced chunks are then removed, again slice by slice.
 */
import type { Scope } from '../../../../platform/caller.ts'
import type { Database, Tx } from '../../../../platform/database/database.ts'
import { createTurns } from '../../../../platform/turns.ts'
import { insertSearchVectors, markMissingVectors } from '../../records/vectors-store.ts'
import { type ChunkFields, type EncodedTerms, encodeTerms } from './chunk-terms.ts'
import {
  addStatistics,
  deleteCollection,
  deleteSegment,
  type HiddenSegments,
  hideDocument,
  type IndexEntry,
  insertEntries,
  insertSegment,
  listHiddenSegments,
  lockIndex,
  lockOrMakeIndex,
  readTerms,
  reservePlaces,
  type Segment,
  setRemoved,
  showVersion,
} from './index-store.ts'
import { packPostings } from './postings.ts'
import { type ChunkProfile, changeOf, profileOf } from './statistics.ts'

/** What is indexed of a document besides its chunks. */
export type IndexedDocument = {
  id: string
  version: number
  collectionId: string
  title: string | null
  /** The file's name. */
  name: string
}

/** `headings` are the headings above the chunk, one a line. */
export type IndexedChunk = { id: string; headings: string; text: string }

/** A chunk whose text has been analysed. The analysis takes longer than the write. */
export type PreparedChunk = { chunkId: string; terms: EncodedTerms }

/** `hasVectors` is false if no model has made vectors of the chunks. By default the vectors are looked up. */
export type WrittenChunks = {
  document: IndexedDocument
  chunks: readonly PreparedChunk[]
  hasVectors?: boolean
}

/** The most chunks of a slice. A slice takes the one writer about 10 ms. */
export const chunksPerSlice = 16

export type IndexWriter = ReturnType<typeof createIndexWriter>

/** Analyses chunks outside of any transaction. */
export const prepareChunks = (
  { title, name }: Pick<ChunkFields, 'title' | 'name'>,
  chunks: readonly IndexedChunk[],
): PreparedChunk[] =>
  chunks.map(({ id, headings, text }) => ({
    chunkId: id,
    terms: encodeTerms({ title, name, headings, text }),
  }))

export function createIndexWriter({ engine }: Pick<Database, 'engine'>) {
  const removeSlice = async (tx: Tx, index: number, which: HiddenSegments): Promise<number> => {
    const segments = await listHiddenSegments(tx, index, which)
    const slice = cutSlice(segments)
    if (slice.length === 0) return 0
    const profiles: ChunkProfile[] = []
    for (const segment of slice) profiles.push(...(await readTerms(tx, segment)).map(profileOf))
    const change = changeOf(profiles, -1)
    await addStatistics(tx, engine, index, change)
    const terms = [...change.terms.keys()]
    for (const segment of slice) await deleteSegment(tx, engine, index, segment, terms)
    return sizeOf(segments) - sizeOf(slice)
  }

  const removeHidden = async (scope: Scope, tx: Tx, which: HiddenSegments): Promise<number> => {
    const index = await lockIndex(scope, tx)
    return index === null ? 0 : removeSlice(tx, index, which)
  }

  /** Writes consecutive chunks of each document, at most `chunksPerSlice` in all. All terms are counted at once. */
  const writeTogether = async (scope: Scope, tx: Tx, written: readonly WrittenChunks[]): Promise<void> => {
    const filled = written.filter(({ chunks }) => chunks.length > 0)
    const count = filled.reduce((sum, { chunks }) => sum + chunks.length, 0)
    if (count === 0) return
    if (count > chunksPerSlice) {
      throw new RangeError(`${count} chunks at once: a slice has at most ${chunksPerSlice}`)
    }
    // SQLite answers without waiting. Without these turns, a whole slice would be one turn of the event loop.
    const othersTurn = createTurns()
    const profiles = filled.map(({ chunks }) => chunks.map(({ terms }) => profileOf(terms)))
    const index = await lockOrMakeIndex(scope, tx)
    const segments: (Segment & Pick<WrittenChunks, 'hasVectors'> & { collectionId: string })[] = []
    const entries: IndexEntry[] = []
    for (const [place, { document, chunks, hasVectors = true }] of filled.entries()) {
      const { id: documentId, version: documentVersion, collectionId } = document
      const { collection, firstNumber } = await reservePlaces(tx, index, collectionId, chunks.length)
      const lastNumber = firstNumber + chunks.length - 1
      const segment = { firstNumber, lastNumber, collection, documentId, documentVersion }
      await insertSegment(tx, index, segment)
      segments.push({ ...segment, collectionId, hasVectors })
      for (const [offset, profile] of (profiles[place] ?? []).entries()) {
        const chunk = chunks[offset]
        if (chunk !== undefined) {
          entries.push({ ...chunk, number: firstNumber + offset, collection, documentId, profile })
        }
      }
    }
    await othersTurn()
    await insertEntries(tx, engine, index, entries)
    await othersTurn()
    for (const segment of segments) {
      if (segment.hasVectors) await insertSearchVectors(tx, index, segment)
      await markMissingVectors(tx, segment.collectionId, segment)
    }
    const indexed = entries.map(({ profile }) => profile)
    await addStatistics(tx, engine, index, changeOf(indexed, 1))
    await othersTurn()
    await packPostings(tx, engine, index, entries)
  }

  return {
    writeTogether,

    /**
     * Indexes consecutive chunks of a version, at most `chunksPerSlice`. Search returns them only after
     * `publishVersion`. Discard a version that was begun before, or its chunks are indexed twice.
     */
    writeChunks: (
      scope: Scope,
      tx: Tx,
      document: IndexedDocument,
      chunks: readonly PreparedChunk[],
    ): Promise<void> => writeTogether(scope, tx, [{ document, chunks }]),

    /**
     * After the commit, search finds this version and no other. Removes a slice of the replaced chunks and returns
     * how many are left. If any are left, call `removeReplaced` in separate transactions until it returns 0.
     */
    async publishVersion(scope: Scope, tx: Tx, documentId: string, version: number): Promise<number> {
      const index = await lockIndex(scope, tx)
      if (index === null) return 0
      await showVersion(tx, index, documentId, version)
      if (version === 1) return 0
      return removeSlice(tx, index, { documentId, beforeVersion: version })
    },

    /** Removes a slice of the versions before `version`, and returns how many of their chunks are left. */
    removeReplaced: (scope: Scope, tx: Tx, documentId: string, version: number): Promise<number> =>
      removeHidden(scope, tx, { documentId, beforeVersion: version }),

    /** Removes a slice of a version's hidden chunks, and returns how many of them are left. */
    discardVersion: (scope: Scope, tx: Tx, documentId: string, version: number): Promise<number> =>
      removeHidden(scope, tx, { documentId, version }),

    /** After the commit, search finds nothing of the document. Removes a slice; returns how many chunks are left. */
    async removeDocument(scope: Scope, tx: Tx, documentId: string): Promise<number> {
      const index = await lockIndex(scope, tx)
      if (index === null) return 0
      await hideDocument(tx, index, documentId)
      return removeSlice(tx, index, { documentId })
    },

    /** After the commit, search finds nothing of the collection, even if its documents change. */
    async hideCollection(scope: Scope, tx: Tx, collectionId: string): Promise<void> {
      const index = await lockIndex(scope, tx)
      if (index !== null) await setRemoved(tx, index, collectionId, 1)
    },

    /** After the commit, search finds the collection's documents again. */
    async showCollection(scope: Scope, tx: Tx, collectionId: string): Promise<void> {
      const index = await lockIndex(scope, tx)
      if (index !== null) await setRemoved(tx, index, collectionId, 0)
    },

    /** Removes the index's row of a collection whose documents have all been removed. */
    async forgetCollection(scope: Scope, tx: Tx, collectionId: string): Promise<void> {
      const index = await lockIndex(scope, tx)
      if (index !== null) await deleteCollection(tx, index, collectionId)
    },
  }
}

/** The first whole segments that fit into one slice, and at least one. */
function cutSlice(segments: readonly Segment[]): Segment[] {
  let end = 1
  while (end < segments.length && sizeOf(segments.slice(0, end + 1)) <= chunksPerSlice) end++
  return segments.slice(0, end)
}

const sizeOf = (segments: readonly Segment[]): number =>
  segments.reduce((sum, { firstNumber, lastNumber }) => sum + lastNumber - firstNumber + 1, 0)
