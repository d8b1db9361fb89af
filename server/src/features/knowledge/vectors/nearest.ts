/**
 * Provides the vectors among which a search picks the nearest. The signs of all vectors are held in memory, once for
 * all threads. If there are too many, the database's own index finds the nearest.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Query } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { wordsFor } from '../records/vector-bytes.ts'
import { readNewVectors } from '../records/vectors-store.ts'
import type { CollectionSigns, Near } from '../search/find-passages.ts'
import { placesPerCollection } from '../search/index/index-store.ts'
import type { NearestRequest, SignIndexes } from './sign-indexes.ts'

/** Throws `vector_unavailable` if there are too many chunks and no index of the database. */
export type Nearest = (request: NearestRequest) => Promise<Near>

/** The limit for the signs of all indexes together. The index whose last search is longest ago is dropped first. */
const maxHeldBytes = 256 * 1024 * 1024
/** Signs may be held of twice as many vectors as the index has, and of this many more. */
const mostGone = 1_000

export function createNearest({
  database,
  signIndexes,
  maxVectors,
}: {
  database: Database
  signIndexes: SignIndexes
  /** The most chunks that an index may have to be searched in memory. */
  maxVectors: number
}): Nearest {
  const held = new Map<string, Signs>()

  const signsFor = async ({ index: searched, model }: NearestRequest): Promise<Signs> => {
    const { number: index, readableCount } = searched
    const key = `${index} ${model.number}`
    let signs = held.get(key)
    // Vectors that were removed from the index are still held. If there are many, all are read again.
    if (signs === undefined || signs.count() > 2 * readableCount + mostGone) {
      signs = createSigns(index, model.number, wordsFor(model.dimensions))
    }
    // Deleted and set again, the entry becomes the youngest: a Map keeps the order of insertion.
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

/** The signs of an index's vectors by one model, held in memory by collection: read once, and then only new ones. */
function createSigns(index: number, model: number, wordsPerVector: number) {
  const collections = new Map<number, CollectionSigns>()
  let count = 0
  let sequence = 0

  const add = (number: number, bits: Uint8Array): void => {
    const collection = Math.floor(number / placesPerCollection)
    const signs = withRoom(collections.get(collection), collection, wordsPerVector)
    collections.set(collection, signs)
    signs.places[signs.count] = number % placesPerCollection
    // The bytes are copied, since those from a database may not begin where a word may.
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
    /** The signs as they are now; signs that are added later are not in the result. */
    of(collection: number): CollectionSigns | undefined {
      const signs = collections.get(collection)
      return signs === undefined ? undefined : { ...signs }
    },
    /** Reads the vectors that were added since the last refresh. */
    refresh(query: Query): Promise<void> {
      // The reads run one after the other, else two searches would add the same rows.
      reading = reading.catch(() => undefined).then(() => read(query))
      return reading
    },
  }
}

const firstRoom = 64

/**
 * Threads read the signs that existed when they were asked. New signs are added behind those, or in larger arrays.
 */
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
