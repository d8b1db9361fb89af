/**
 * Finds the vectors nearest to a query by comparing signs: the number of differing signs grows with the angle. Every
 * vector of the searched collections is compared in a few milliseconds. The caller then ranks the nearest by full vectors.
 */
import { setImmediate as nextTurn } from 'node:timers/promises'
import type { Database, Query } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { signsOf, wordsFor } from '../records/vector-bytes.ts'
import { readNewVectors } from '../records/vectors-store.ts'
import { placesPerCollection } from '../search/index/index-store.ts'
import type { Best } from '../search/ranking/narrowing.ts'
import type { NearestRequest, SignIndexes } from './sign-indexes.ts'

/** Returns what picks the nearest chunks by their numbers. Throws `vector_unavailable` if there are too many. */
export type Nearest = (request: NearestRequest) => Promise<Best>

/** What is held of all indexes together; the one that was not searched for longest goes first. */
const maxHeldBytes = 256 * 1024 * 1024
/** Counting goes on for so long before others get their turn. */
const sliceMs = 4
const vectorsBetweenLooks = 1_000

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

  const signsFor = async ({ index, chunkCount, model }: NearestRequest): Promise<Signs> => {
    const key = `${index} ${model.number}`
    let signs = held.get(key)
    // What was removed from the index is still held: where that is much, all is read again.
    if (signs === undefined || signs.count() > 2 * chunkCount + vectorsBetweenLooks) {
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
    if (request.chunkCount > maxVectors) {
      const found = await signIndexes.nearest(request)
      if ('best' in found) return found.best
      throw new ServiceError(
        'vector_unavailable',
        `Vectors are scanned up to ${maxVectors} chunks, there are ${request.chunkCount}, and ${found.reason}: search with mode=text, or have the operator raise ATRIUM_VECTOR_SCAN_LIMIT`,
      )
    }
    const signs = await signsFor(request)
    return countDifferences(signs, request.collections, signsOf(request.vector))
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

async function countDifferences(
  signs: Signs,
  collections: readonly number[],
  query: Int32Array,
): Promise<Best> {
  const parts = collections.flatMap(collection => {
    const own = signs.of(collection)
    return own === undefined ? [] : [{ collection, signs: own, count: own.count }]
  })
  const total = parts.reduce((sum, { count }) => sum + count, 0)
  const numbers = new Float64Array(total)
  const differences = new Uint16Array(total)
  let at = 0
  let turnEndsMs = performance.now() + sliceMs
  for (const { collection, signs: own, count } of parts) {
    for (let start = 0; start < count; start += vectorsBetweenLooks) {
      const end = Math.min(count, start + vectorsBetweenLooks)
      countPart(own, start, end, query, differences, at)
      for (let i = start; i < end; i++)
        numbers[at++] = collection * placesPerCollection + (own.places[i] ?? 0)
      if (performance.now() < turnEndsMs) continue
      await nextTurn()
      turnEndsMs = performance.now() + sliceMs
    }
  }
  const counted = { numbers, differences, byDifference: countEach(differences, query.length * 32) }
  return (isWanted, limit) => pick(counted, isWanted, limit)
}

/** Writes for each vector from `start` to `end` how many of its signs differ from the query's. */
function countPart(
  { words }: CollectionSigns,
  start: number,
  end: number,
  query: Int32Array,
  differences: Uint16Array,
  at: number,
): void {
  const size = query.length
  let word = start * size
  for (let place = at; place < at + end - start; place++) {
    let count = 0
    for (let i = 0; i < size; i++) {
      // The ones in a word, counted side by side: in pairs, in fours, in bytes, and the bytes added up.
      let ones = (words[word++] as number) ^ (query[i] as number)
      ones -= (ones >>> 1) & 0x55555555
      ones = (ones & 0x33333333) + ((ones >>> 2) & 0x33333333)
      count += Math.imul((ones + (ones >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24
    }
    differences[place] = count
  }
}

/** How many vectors have each number of differences. */
function countEach(differences: Uint16Array, most: number): Int32Array {
  const counts = new Int32Array(most + 1)
  for (let i = 0; i < differences.length; i++) {
    const difference = differences[i] as number
    counts[difference] = (counts[difference] as number) + 1
  }
  return counts
}

type Counted = { numbers: Float64Array; differences: Uint16Array; byDifference: Int32Array }

/** The wanted numbers with the fewest differences; of equal ones those that were added earlier. */
function pick(
  { numbers, differences, byDifference }: Counted,
  isWanted: (number: number) => boolean,
  limit: number,
): number[] {
  // To ask for each number would take longer than to count its differences: only the nearest are asked for, and more
  // of them where too few are wanted.
  for (let most = limit; ; most *= 8) {
    const threshold = thresholdFor(byDifference, most)
    const near: { number: number; difference: number }[] = []
    for (let i = 0; i < numbers.length; i++) {
      const difference = differences[i] as number
      const number = numbers[i] as number
      if (difference <= threshold && isWanted(number)) near.push({ number, difference })
    }
    if (near.length < limit && most < numbers.length) continue
    // The sort is stable: equal ones stay in the order in which they were added.
    near.sort((a, b) => a.difference - b.difference)
    return near.slice(0, limit).map(({ number }) => number)
  }
}

/** The fewest differences that at least so many vectors have, where there are so many. */
function thresholdFor(byDifference: Int32Array, count: number): number {
  let sum = 0
  for (let difference = 0; difference < byDifference.length; difference++) {
    sum += byDifference[difference] as number
    if (sum >= count) return difference
  }
  return byDifference.length
}

/** What one collection has: its chunks' places, and for each as many words as a vector's signs take. */
type CollectionSigns = { places: Int32Array; words: Int32Array; count: number }

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
    /** How many vectors are held, some of which may be gone from the index. */
    count: (): number => count,
    sizeBytes: (): number => [...collections.values()].reduce((sum, signs) => sum + bytesOf(signs), 0),
    of: (collection: number): CollectionSigns | undefined => collections.get(collection),
    /** Reads what was added since the last time. */
    refresh(query: Query): Promise<void> {
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
