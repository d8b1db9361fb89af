/** The signs of an index's vectors by one model, held in memory by collection: read once, and then only what is new. */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Query } from '../../../platform/database/database.ts'
import { readNewVectors } from '../records/vectors-store.ts'
import { placesPerCollection } from '../search/index/index-store.ts'

/** What one collection has: its chunks' places, and for each as many words as a vector's signs take. */
export type CollectionSigns = { places: Int32Array; words: Int32Array; count: number }

export type Signs = {
  readonly wordsPerVector: number
  /** How many vectors are held, some of which may be gone from the index. */
  count(): number
  sizeBytes(): number
  of(collection: number): CollectionSigns | undefined
  /** Reads what was added since the last time. */
  refresh(query: Query): Promise<void>
}

/** A few milliseconds of the event loop. */
const rowsAtOnce = 1_000

export function createSigns(index: number, model: number, wordsPerVector: number): Signs {
  const collections = new Map<number, CollectionSigns>()
  let count = 0
  let sequence = 0

  const add = (number: number, bits: Uint8Array): void => {
    const collection = Math.floor(number / placesPerCollection)
    const signs = withRoom(collections.get(collection), wordsPerVector)
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
    wordsPerVector,
    count: () => count,
    sizeBytes: () => [...collections.values()].reduce((sum, signs) => sum + bytesOf(signs), 0),
    of: collection => collections.get(collection),
    refresh(query) {
      // One after the other, else two searches would add the same rows.
      reading = reading.catch(() => undefined).then(() => read(query))
      return reading
    },
  }
}

const firstRoom = 64

function withRoom(signs: CollectionSigns | undefined, wordsPerVector: number): CollectionSigns {
  if (signs !== undefined && signs.count < signs.places.length) return signs
  const room = signs === undefined ? firstRoom : signs.places.length * 2
  const larger = {
    places: new Int32Array(room),
    words: new Int32Array(room * wordsPerVector),
    count: signs?.count ?? 0,
  }
  if (signs !== undefined) {
    larger.places.set(signs.places)
    larger.words.set(signs.words)
  }
  return larger
}

const bytesOf = ({ places, words }: CollectionSigns): number => places.byteLength + words.byteLength
