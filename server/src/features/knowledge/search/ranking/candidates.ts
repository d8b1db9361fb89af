/**
 * Picks the chunks that are worth scoring: the chunks with the greatest sum of their terms' impacts. All postings of
 * all words count, so no chunk is lost to a bound. Sums are whole numbers, so both databases yield the same
 * candidates in any order of addition.
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
 * How many candidates are scored, besides the chunks of named documents. Few chunks answer a query of few words. A
 * query of whole paragraphs matches loosely, so more chunks are scored.
 */
export const maxCandidates = (terms: number): number => Math.min(500, Math.max(300, 60 * terms))

/** The greatest sum of all words is scaled to this number. It leaves room for rounding. */
const greatestSum = 2 ** 23
/** Sums stay below 2^28, so that a sum and a place of 2^25 fit into one exact number. */
const greatestRaise = 2 ** 28 - 2 * greatestSum

export type ImpactSums = {
  /** Adds a word by the lists of its chunks. If a chunk has several terms of the word, the greatest level counts. */
  add(word: Pick<IndexedWord, 'weight' | 'terms'>, lists: readonly Postings[]): void
  /** Adds a score to each chunk from `first` to `last` that has one of the words. */
  raise(first: number, last: number, score: number): void
  /** The best `limit` wanted chunks, best first. At equal sums, the chunk that was indexed earlier comes first. */
  best(isWanted: (number: number) => boolean, limit: number): number[]
}

/** `words` are all words that will be added. */
export function createImpactSums(words: readonly Pick<IndexedWord, 'weight'>[]): ImpactSums {
  const greatest = words.reduce((sum, { weight }) => sum + weight * impactOf[3], 0)
  const scale = greatestSum / greatest
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
      // A list of one term has a chunk once. For several terms, `counted` keeps by place the level + 1 that counts.
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
    raise(first, last, score) {
      const raised = Math.min(greatestRaise, Math.round(scale * score))
      for (let block = blockOf(first); block <= blockOf(last); block++) {
        const sums = blocks.get(block)
        const start = Math.max(0, first - block * placesPerBlock)
        const end = Math.min(placesPerBlock - 1, last - block * placesPerBlock)
        for (let place = start; sums !== undefined && place <= end; place++) {
          const sum = sums[place] ?? 0
          if (sum > 0) sums[place] = sum + raised
        }
      }
    },
    best(isWanted, limit) {
      ordered ??= [...blocks].sort(([a], [b]) => a - b)
      return bestOf(ordered, isWanted, limit)
    },
  }
}

/** The sums of a block's chunks by their places; 0 if nothing was added. */
type Block = readonly [block: number, sums: Int32Array]

/** `impacts` has a 0, then the impacts of the levels. */
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

/** There is room for this many times `limit` numbers: to make room takes longer than to look at a sum. */
const roomy = 4

/** The wanted numbers with the greatest `limit` sums, greatest first. At equal sums, the first number comes first. */
function bestOf(blocks: readonly Block[], isWanted: (number: number) => boolean, limit: number): number[] {
  // One number holds a sum and a place: the greater, the better. A power of two, so that the number divides exactly.
  const places = 2 ** Math.ceil(Math.log2(blocks.length * placesPerBlock))
  const kept = new Float64Array(Math.min(roomy * limit, blocks.length * placesPerBlock))
  let count = 0
  // A later chunk with an equal sum is never better than the kept ones.
  let least = 0
  for (const [index, [block, sums]] of blocks.entries()) {
    for (let place = 0; place < placesPerBlock; place++) {
      const sum = sums[place] ?? 0
      if (sum <= least || !isWanted(block * placesPerBlock + place)) continue
      if (count === kept.length) {
        kept.sort().copyWithin(0, count - limit)
        count = limit
        least = Math.ceil((kept[0] ?? 0) / places)
        if (sum <= least) continue
      }
      kept[count++] = sum * places - (index * placesPerBlock + place)
    }
  }
  return Array.from(kept.subarray(0, count).sort().reverse().subarray(0, limit), key => {
    const at = Math.ceil(key / places) * places - key
    return (blocks[Math.floor(at / placesPerBlock)]?.[0] ?? 0) * placesPerBlock + (at % placesPerBlock)
  })
}

/** Returns a test for the chunks that have a term of each list. */
export function createMatch(lists: readonly (readonly Postings[])[]): (number: number) => boolean {
  // By place: how many lists, from the first on, have the chunk.
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

/** In how many wanted chunks a term has each level. */
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
