/**
 * What the nearest vectors to a query are picked from. The signs of all vectors are held in memory, once for all threads;
 * where there are too many, the database's own index answers.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Query } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { wordsFor } from '../records/vector-bytes.ts'
import { readNewVectors } from '../records/vectors-store.ts'
import type { CollectionSigns, Near } from '../search/find-passages.ts'
import { placesPerCollection } from '../search/index/index-store.ts'
import type { NearestRequest, SignIndexes } from './sign-indexes.ts'

/** Throws `vector_unavailable` if there are too many. */
export type Nearest = (request: NearestRequest) => Promise<Near>

/** What is held of all indexes together; the one that was not searched for longest goes first. */
const maxHeldBytes = 256 * 1024 * 1024
/** How many vectors may be held that the index no longer has, besides as many as it has. */
const mostGone = 1_000

export function createNearest({
  database,
  signIndexes,
  maxVectors,
}: {
  database: Database
  signIndexes: SignIndexes
  /** How many chunks an index may have to be searched so. */
  maxVectors: number
}): Nearest {
  const held = new Map<string, Signs>()

  const signsFor = async ({ index: searched, model }: NearestRequest): Promise<Signs> => {
    const { number: index, readableCount } = searched
    const key = `${index} ${model.number}`
    let signs = held.get(key)
    // What was removed from the index is still held: where that is much, all is read again.
    if (signs === undefined || signs.count() > 2 * readableCount + mostGone) {
      signs = createSigns(index, model.number, wordsFor(model.dimensions))
    }
    // Deleted and set again, it becomes the youngest: a Map keeps the order of insertion.
    held.delete(key)
    held.set(key, signs)
    await signs.refresh(database.read)
    dropOldest(held)
    return signs
  }

  return async request => {
    const { readableCount: chunkCount } = request.index
    if (chunkCount > maxVectors) {
      const found = await signIndexes.nearest(request)
      if ('numbers' in found) return { kind: 'listed', numbers: found.numbers }
      throw new ServiceError(
        'vector_unavailable',
        `Vectors are scanned up to ${maxVectors} chunks, there are ${chunkCount}, and ${found.reason}: search with mode=text, or have the operator raise ATRIUM_VECTOR_SCAN_LIMIT`,
      )
    }
    const signs = await signsFor(request)
    return {
      kind: 'signs',
      collections: request.collections.flatMap(collection => signs.of(collection) ?? []),
    }
  }
}

function dropOldest(held: Map<string, Signs>): void {
  let sizeBytes = [...held.values()].reduce((sum, signs) => sum + signs.sizeBytes(), 0)
  for (const [key, signs] of held) {
    if (sizeBytes <= maxHeldBytes || held.size === 1) return
    held.delete(key)
    sizeBytes -= signs.sizeBytes()
  }
}

type Signs = ReturnType<typeof createSigns>

/** A few milliseconds of the event loop. */
const rowsAtOnce = 1_000

/** The signs of an index's vectors by one model, held in memory by collection: read once, and then only what is new. */
function createSigns(index: number, model: number, wordsPerVector: number) {
  const collections = new Map<number, CollectionSigns>()
  let count = 0
  let sequence = 0

  const add = (number: number, bits: Uint8Array): void => {
    const collection = Math.floor(number / placesPerCollection)
    const signs = withRoom(collections.get(collection), collection, wordsPerVector)
    collections.set(collection, signs)
    signs.places[signs.count] = number % placesPerCollection
    // Copied: what a database answers need not begin where a word may.
    const words = new Int32Array(new Uint8Array(bits).buffer)
    signs.words.set(words.subarray(0, wordsPerVector), signs.count * wordsPerVector)
    signs.count += 1
  }

  const read = async (query: Query): Promise<void> => {
    for (;;) {
      const rows = await readNewVectors(query, { index, model, after: sequence }, rowsAtOnce)
      for (const row of rows) {
        add(row.number, row.bits)
        sequence = row.sequence
      }
      count += rows.length
      if (rows.length < rowsAtOnce) return
      await nextTurn()
    }
  }

  let reading: Promise<void> = Promise.resolve()
  return {
    /** How many vectors are held, some of which may be gone from the index. */
    count: (): number => count,
    sizeBytes: (): number => [...collections.values()].reduce((sum, signs) => sum + bytesOf(signs), 0),
    /** As they are now: what is added later is not in it. */
    of(collection: number): CollectionSigns | undefined {
      const signs = collections.get(collection)
      return signs === undefined ? undefined : { ...signs }
    },
    /** Reads what was added since the last time. */
    refresh(query: Query): Promise<void> {
      // One after the other, else two searches would add the same rows.
      reading = reading.catch(() => undefined).then(() => read(query))
      return reading
    },
  }
}

const firstRoom = 64

/** Threads read what was there when they were asked; what is added stands behind it, or in larger arrays. */
function withRoom(signs: CollectionSigns | undefined, collection: number, wordsPerVector: number) {
  if (signs !== undefined && signs.count < signs.places.length) return signs
  const room = signs === undefined ? firstRoom : signs.places.length * 2
  const larger = {
    collection,
    places: sharedWords(room),
    words: sharedWords(room * wordsPerVector),
    count: signs?.count ?? 0,
  }
  if (signs !== undefined) {
    larger.places.set(signs.places)
    larger.words.set(signs.words)
  }
  return larger
}

const sharedWords = (count: number): Int32Array =>
  new Int32Array(new SharedArrayBuffer(count * Int32Array.BYTES_PER_ELEMENT))

const bytesOf = ({ places, words }: CollectionSigns): number => places.byteLength + words.byteLength
