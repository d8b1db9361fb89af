/**
 * Ranks by vectors within the snapshot of a search. The nearest are found by their signs, which differ more the
 * larger the angle is. The best of these are compared in full.
 */
import type { Engine, Query } from '../../../platform/database/database.ts'
import { createTurns } from '../../../platform/turns.ts'
import { signsOf, similarity } from '../records/vector-bytes.ts'
import { readFullVectors, type VectorModel } from '../records/vectors-store.ts'
import type { CollectionSigns, PreparedModel, RankByVectors } from '../search/find-passages.ts'
import { placesPerCollection } from '../search/index/index-store.ts'
import type { RankedList } from '../search/merge.ts'
import type { Best } from '../search/ranking/narrowing.ts'
import type { Reach } from '../search/ranking/reach.ts'
import { readCandidates } from '../search/ranking/search-store.ts'
import type { SearchedIndex } from '../search/ranking/searched-index.ts'
import { listServingModels } from './collection-vectors-store.ts'

/** This many of the nearest by signs are compared in full. With fewer of them the best are missed more often. */
const candidateCount = 400
/**
 * Takes a millisecond or two, since these vectors lie far apart. In between others have a turn, or the search ends.
 */
const comparedAtOnce = 100
/** Some vectors in memory are gone from the index. If too few are left, each further round looks at twice as many. */
const maxRounds = 4

export const rankByVectors: RankByVectors = async (engine, query, reach, { state, models }) => {
  if (stateOf(await readServed(query, reach.index)) !== state) return null
  const lists: RankedList[] = []
  for (const prepared of models) lists.push(await rankByModel(engine, query, reach, prepared))
  return lists
}

export type Served = { model: VectorModel; collections: number[] }

/** The models of the searched collections, in the order of their numbers. */
export async function readServed(query: Query, index: SearchedIndex): Promise<Served[]> {
  const searched = index.collections === null ? null : new Set(index.collections.map(({ number }) => number))
  const served = new Map<number, Served>()
  for (const { collection, ...model } of await listServingModels(query, index.number)) {
    if (searched !== null && !searched.has(collection)) continue
    const known = served.get(model.number) ?? { model, collections: [] }
    known.collections.push(collection)
    served.set(model.number, known)
  }
  return [...served.values()].sort((a, b) => a.model.number - b.model.number)
}

export const stateOf = (served: readonly Served[]): string =>
  served.map(({ model, collections }) => `${model.number}: ${collections.join(' ')}`).join('; ')

async function rankByModel(
  engine: Engine,
  query: Query,
  reach: Reach,
  prepared: PreparedModel,
): Promise<RankedList> {
  const { model, vector, near } = prepared
  const nearest =
    near.kind === 'signs' ? await nearestBySigns(near.collections, signsOf(vector)) : listed(near.numbers)
  const similarities = new Map<number, number>()
  const compare = async (numbers: readonly number[]): Promise<void> => {
    const unread = numbers.filter(number => !similarities.has(number))
    for (let start = 0; start < unread.length; start += comparedAtOnce) {
      const some = unread.slice(start, start + comparedAtOnce)
      for (const found of await readFullVectors(query, model, some))
        similarities.set(found.number, similarity(vector, found.vector))
    }
  }
  const candidates = await readCandidates(
    query,
    engine,
    await readNearest(reach, nearest, similarities, compare),
  )
  const chunks = candidates.flatMap(candidate => {
    const score = similarities.get(candidate.number)
    return score === undefined ? [] : { ...candidate, score }
  })
  chunks.sort((a, b) => b.score - a.score || (a.chunkId < b.chunkId ? -1 : 1))
  return { name: 'vector', model: model.name, chunks }
}

async function readNearest(
  reach: Reach,
  nearest: Best,
  similarities: ReadonlyMap<number, number>,
  compare: (numbers: readonly number[]) => Promise<void>,
): Promise<readonly number[]> {
  for (let round = 1, wanted = candidateCount; ; round++, wanted *= 2) {
    const numbers = await reach.best(wanted, nearest)
    await compare(numbers)
    const found = numbers.filter(number => similarities.has(number))
    const isEnough = found.length >= candidateCount / 2 || numbers.length < wanted
    if (isEnough || round === maxRounds) return found
  }
}

const listed =
  (numbers: readonly number[]): Best =>
  (isWanted, limit) =>
    numbers.filter(isWanted).slice(0, limit)

const vectorsBetweenTurns = 1_000

/** Every vector of the collections is compared, in a few milliseconds. */
async function nearestBySigns(collections: readonly CollectionSigns[], query: Int32Array): Promise<Best> {
  const othersTurn = createTurns()
  const total = collections.reduce((sum, { count }) => sum + count, 0)
  const numbers = new Float64Array(total)
  const differences = new Uint16Array(total)
  let at = 0
  for (const signs of collections) {
    const first = signs.collection * placesPerCollection
    for (let start = 0; start < signs.count; start += vectorsBetweenTurns) {
      const end = Math.min(signs.count, start + vectorsBetweenTurns)
      countPart(signs, start, end, query, differences, at)
      for (let i = start; i < end; i++) numbers[at++] = first + (signs.places[i] ?? 0)
      await othersTurn()
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
      // Counts the ones of a word side by side: in pairs, in fours, in bytes, and then adds up the bytes.
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

/** The wanted numbers with the fewest differences; of equal ones, the earlier added come first. */
function pick(
  { numbers, differences, byDifference }: Counted,
  isWanted: (number: number) => boolean,
  limit: number,
): number[] {
  // Asking for each number would take longer than counting its differences. So only the nearest are asked for, and
  // more of them if too few are wanted.
  for (let most = limit; ; most *= 8) {
    const threshold = thresholdFor(byDifference, most)
    const near: { number: number; difference: number }[] = []
    for (let i = 0; i < numbers.length; i++) {
      const difference = differences[i] as number
      const number = numbers[i] as number
      if (difference <= threshold && isWanted(number)) near.push({ number, difference })
    }
    if (near.length < limit && most < numbers.length) continue
    // The sort is stable: numbers with equal differences stay in the order in which they were added.
    near.sort((a, b) => a.difference - b.difference)
    return near.slice(0, limit).map(({ number }) => number)
  }
}

/** The smallest number of differences that at least `count` vectors do not exceed, if there are so many. */
function thresholdFor(byDifference: Int32Array, count: number): number {
  let sum = 0
  for (let difference = 0; difference < byDifference.length; difference++) {
    sum += byDifference[difference] as number
    if (sum >= count) return difference
  }
  return byDifference.length
}
