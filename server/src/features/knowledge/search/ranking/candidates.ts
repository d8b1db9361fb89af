/**
 * Picks the chunks that are worth scoring: those with the greatest sum of what each term's impact level stands for. All
 * postings of all words count, so nothing is lost to a bound; sums are whole numbers, so both databases yield the same
 * candidates, whatever the order in which they are added up.
 */
import {
  blockOf,
  bytesPerPosting,
  levelOf,
  type PostingBlock,
  type Postings,
  placeOf,
  placesPerBlock,
  readPosting,
} from '../index/postings.ts'
import { impactLevels, impactOf } from '../index/relevance.ts'
import type { LevelCounts } from '../index/statistics.ts'
import type { WeighedWord } from './score.ts'

/** A word of the query with the counts of each of its terms. */
export type IndexedWord = WeighedWord & { counts: readonly LevelCounts[] }

/**
 * How many candidates are scored, and so how many results there can be. A query of few words is answered by few chunks;
 * one of whole paragraphs matches loosely, so that more has to be looked at.
 */
export const maxCandidates = (terms: number): number => Math.min(1_000, Math.max(300, 60 * terms))

/** What the greatest sum is scaled to. */
const sumBits = 24
const halfBits = sumBits / 2

export type ImpactSums = {
  /** Adds a word by the lists of its chunks. Where a chunk has several of its terms, the greatest level counts. */
  add(word: Pick<IndexedWord, 'weight' | 'terms'>, lists: readonly Postings[]): void
  /** The best `limit` of those that are wanted, best first. Of equal ones those that were indexed earlier come first. */
  best(isWanted: (number: number) => boolean, limit: number): number[]
}

/** `words` are all that are going to be added. */
export function createImpactSums(words: readonly Pick<IndexedWord, 'weight'>[]): ImpactSums {
  const greatest = words.reduce((sum, { weight }) => sum + weight * impactOf[3], 0)
  // Half of them are left for what rounding adds.
  const scale = 2 ** (sumBits - 1) / greatest
  const blocks = new Map<number, Int32Array>()
  let ordered: Block[] | null = null

  const sumsOf = (block: number): Int32Array => {
    let sums = blocks.get(block)
    if (sums === undefined) {
      sums = new Int32Array(placesPerBlock)
      blocks.set(block, sums)
    }
    return sums
  }

  return {
    add({ weight, terms }, lists) {
      const impacts = Int32Array.of(
        0,
        ...impactLevels.map(level => Math.max(1, Math.round(scale * weight * impactOf[level]))),
      )
      // A chunk has one term once; of several terms, what counts already is kept by places: its level + 1.
      const counted = terms.length > 1 ? new Map<number, Uint8Array>() : null
      for (const { bytes, blocks: parts } of lists) {
        for (const part of parts) {
          const { block } = part
          if (counted === null) addPart(sumsOf(block), bytes, part, impacts)
          else {
            const known = counted.get(block) ?? new Uint8Array(placesPerBlock)
            counted.set(block, known)
            raisePart(sumsOf(block), known, bytes, part, impacts)
          }
        }
      }
    },
    best(isWanted, limit) {
      ordered ??= [...blocks].sort(([a], [b]) => a - b)
      // More and more of the best are looked at: nearly always all of the first ones are wanted.
      for (let looked = limit; ; looked *= 4) {
        const best = bestOf(ordered, looked)
        const found = best.filter(({ number }) => isWanted(number))
        if (found.length < limit && best.length >= looked) continue
        found.sort((a, b) => b.sum - a.sum || a.number - b.number)
        return found.slice(0, limit).map(({ number }) => number)
      }
    },
  }
}

/** The sums of a block's chunks by their places; 0 where none has been added. */
type Block = readonly [block: number, sums: Int32Array]

/** `impacts` are those of the levels, behind a 0. */
function addPart(
  sums: Int32Array,
  bytes: Uint8Array,
  { start, end }: PostingBlock,
  impacts: Int32Array,
): void {
  for (let at = start; at < end; at += bytesPerPosting) {
    const posting = readPosting(bytes, at)
    const place = placeOf(posting)
    sums[place] = (sums[place] ?? 0) + (impacts[levelOf(posting) + 1] ?? 0)
  }
}

function raisePart(
  sums: Int32Array,
  counted: Uint8Array,
  bytes: Uint8Array,
  { start, end }: PostingBlock,
  impacts: Int32Array,
): void {
  for (let at = start; at < end; at += bytesPerPosting) {
    const posting = readPosting(bytes, at)
    const place = placeOf(posting)
    const before = counted[place] ?? 0
    const level = levelOf(posting) + 1
    if (level <= before) continue
    counted[place] = level
    sums[place] = (sums[place] ?? 0) + (impacts[level] ?? 0) - (impacts[before] ?? 0)
  }
}

/** The greatest `limit`, in the order of their numbers; of equal ones the first. */
function bestOf(blocks: readonly Block[], limit: number): { number: number; sum: number }[] {
  const best: { number: number; sum: number }[] = []
  const { least, ofLeast } = leastOfBest(blocks, limit)
  const lowest = Math.max(1, least)
  let equal = 0
  for (const [block, sums] of blocks) {
    for (let place = 0; place < placesPerBlock; place++) {
      const sum = sums[place] ?? 0
      if (sum < lowest || (sum === least && equal++ >= ofLeast)) continue
      best.push({ number: block * placesPerBlock + place, sum })
    }
  }
  return best
}

/**
 * The least of the greatest `limit`, and how many of those are equal to it; 0 where there are fewer. By counting: to sort
 * all takes far longer.
 */
function leastOfBest(blocks: readonly Block[], limit: number): { least: number; ofLeast: number } {
  const high = new Int32Array(2 ** halfBits)
  for (const [, sums] of blocks) {
    for (let place = 0; place < placesPerBlock; place++) {
      const half = (sums[place] ?? 0) >> halfBits
      high[half] = (high[half] ?? 0) + 1
    }
  }
  const upper = lastToReach(high, limit)
  const low = new Int32Array(2 ** halfBits)
  for (const [, sums] of blocks) {
    for (let place = 0; place < placesPerBlock; place++) {
      const sum = sums[place] ?? 0
      if (sum >> halfBits !== upper.value) continue
      const half = sum & (low.length - 1)
      low[half] = (low[half] ?? 0) + 1
    }
  }
  const lower = lastToReach(low, upper.left)
  return { least: (upper.value << halfBits) | lower.value, ofLeast: lower.left }
}

/** From the greatest value on, the one with which `wanted` are reached, and how many are left for it. */
function lastToReach(counts: Int32Array, wanted: number): { value: number; left: number } {
  let left = wanted
  for (let value = counts.length - 1; value > 0; value--) {
    const count = counts[value] ?? 0
    if (count >= left) return { value, left }
    left -= count
  }
  return { value: 0, left }
}

/** Tells the chunks that have a term of each of the lists. */
export function createMatch(lists: readonly (readonly Postings[])[]): (number: number) => boolean {
  // By places: how many lists, from the first on, have the chunk.
  const blocks = new Map<number, Uint8Array>()
  for (const [list, ofTerms] of lists.entries()) {
    for (const { bytes, blocks: parts } of ofTerms) {
      for (const { block, start, end } of parts) {
        const had = blocks.get(block) ?? (list === 0 ? new Uint8Array(placesPerBlock) : undefined)
        if (had === undefined) continue
        blocks.set(block, had)
        for (let at = start; at < end; at += bytesPerPosting) {
          const place = placeOf(readPosting(bytes, at))
          if (had[place] === list) had[place] = list + 1
        }
      }
    }
  }
  return number => blocks.get(blockOf(number))?.[number % placesPerBlock] === lists.length
}

/** In how many of the wanted chunks a term has each of the levels. */
export function countLevels(ofTerm: readonly Postings[], isWanted: (number: number) => boolean): LevelCounts {
  const counts: LevelCounts = [0, 0, 0, 0]
  for (const { bytes, blocks } of ofTerm) {
    for (const { block, start, end } of blocks) {
      for (let at = start; at < end; at += bytesPerPosting) {
        const posting = readPosting(bytes, at)
        if (isWanted(block * placesPerBlock + placeOf(posting))) counts[levelOf(posting)]++
      }
    }
  }
  return counts
}
