/**
 * Picks the chunks that are worth scoring: those with the greatest sum of what each term's impact level stands for.
 * The lists of chunks by term and level come from the database's index; which lists are read, and what is made of
 * them, is decided here by the statistics alone, so that both databases yield the same candidates.
 */
import { type ImpactLevel, impactLevels, impactOf } from '../index/relevance.ts'
import type { LevelCounts } from '../index/statistics.ts'
import type { WeighedWord } from './score.ts'

/** A word of the query with the counts of each of its terms. */
export type IndexedWord = WeighedWord & { counts: readonly LevelCounts[] }

/** The chunks in which one of the terms has an impact level. */
export type PostingList = { terms: readonly string[]; level: ImpactLevel; weight: number }

/**
 * How many candidates are scored, and so how many results there can be. A query of few words is answered by few chunks;
 * one of whole paragraphs matches loosely, so that more has to be looked at.
 */
export const maxCandidates = (terms: number): number => Math.min(1_000, Math.max(300, 60 * terms))

/** How many postings a query may read, unless it has too few candidates by then: a few milliseconds' worth. */
const maxPostings = 20_000

/**
 * The lists to read, heaviest first. A word that most chunks contain weighs little: its lists come last, and where the
 * better ones suffice they are left out, so that it only counts in the score. `share` is the part of the index's
 * chunks that is searched.
 */
export function chooseLists(
  words: readonly IndexedWord[],
  share: number,
): { chosen: PostingList[]; leftOut: PostingList[] } {
  const wanted = maxCandidates(words.length)
  const lists = words.flatMap(({ terms, weight, counts }, word) =>
    impactLevels.flatMap(level => {
      const own = terms.filter((_, place) => (counts[place]?.[level] ?? 0) > 0)
      const expected = share * counts.reduce((sum, ofTerm) => sum + ofTerm[level], 0)
      return own.length === 0 ? [] : [{ word, terms: own, level, weight: weight * impactOf[level], expected }]
    }),
  )
  lists.sort((a, b) => b.weight - a.weight || a.word - b.word)
  const chosen: PostingList[] = []
  const leftOut: PostingList[] = []
  let expected = 0
  for (const list of lists) {
    const isTooMuch = expected + list.expected > maxPostings && expected >= wanted
    if (!isTooMuch) expected += list.expected
    const { terms, level, weight } = list
    ;(isTooMuch ? leftOut : chosen).push({ terms, level, weight })
  }
  return { chosen, leftOut }
}

/** The best `limit` of the numbers in the lists, in no particular order. Of equal ones those that were indexed earlier. */
export function bestOf(
  lists: readonly { weight: number; numbers: readonly number[] }[],
  isWanted: (number: number) => boolean,
  limit: number,
): number[] {
  const all = sumByNumber(lists)
  let count = 0
  // Plain loops here and below: they run over thousands of numbers, and iterators make an object of each.
  for (let i = 0; i < all.numbers.length; i++) {
    const number = all.numbers[i] ?? 0
    if (!isWanted(number)) continue
    all.numbers[count] = number
    all.sums[count] = all.sums[i] ?? 0
    count++
  }
  const numbers = all.numbers.subarray(0, count)
  if (count <= limit) return [...numbers]
  const sums = all.sums.subarray(0, count)
  const threshold = sums.slice().sort()[count - limit] ?? 0
  const above: number[] = []
  const equal: number[] = []
  for (let i = 0; i < count; i++) {
    const sum = sums[i] ?? 0
    if (sum > threshold) above.push(numbers[i] ?? 0)
    else if (sum === threshold) equal.push(numbers[i] ?? 0)
  }
  return [...above, ...equal.sort((a, b) => a - b).slice(0, limit - above.length)]
}

/** Each number once, with the sum of its lists' weights. A `Map` of numbers this large takes several times as long. */
function sumByNumber(lists: readonly { weight: number; numbers: readonly number[] }[]): {
  numbers: Float64Array
  sums: Float64Array
} {
  const most = lists.reduce((total, list) => total + list.numbers.length, 0)
  const numbers = new Float64Array(most)
  const sums = new Float64Array(most)
  // Open addressing: a slot holds the place in `numbers` + 1, and 0 while it is free.
  const slotMask = 2 ** Math.ceil(Math.log2(2 * most + 2)) - 1
  const slots = new Int32Array(slotMask + 1)
  let count = 0
  for (const list of lists) {
    for (const number of list.numbers) {
      let slot = (Math.imul(number, 0x9e3779b1) ^ (number / 2 ** 30)) & slotMask
      let entry = slots[slot] ?? 0
      while (entry > 0 && numbers[entry - 1] !== number) {
        slot = (slot + 1) & slotMask
        entry = slots[slot] ?? 0
      }
      if (entry === 0) {
        numbers[count] = number
        entry = ++count
        slots[slot] = entry
      }
      sums[entry - 1] = (sums[entry - 1] ?? 0) + list.weight
    }
  }
  return { numbers: numbers.subarray(0, count), sums: sums.subarray(0, count) }
}
