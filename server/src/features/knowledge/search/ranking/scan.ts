/** Reads a chunk's encoded terms once and counts the query's words, pairs and phrases in it. */
import {
  type EncodedTerms,
  encodeTerm,
  type FieldCounts,
  fieldCount,
  hashTerm,
  headerSize,
  readFieldSizes,
  stopFlag,
} from '../index/chunk-terms.ts'

/** The counts of a chunk, by the place of a word or a pair in the lists that the scanner was made for. */
export type Occurrences = {
  counts: FieldCounts[]
  /**
   * How often a pair's words are side by side in title, headings or text; stop words between the words are skipped.
   * With a stop word between them, the other order counts too: "impairment of goodwill" is goodwill impairment.
   */
  pairCounts: number[]
  /** The fields' lengths without stop words. */
  lengths: FieldCounts
}

/** The result is valid until the next call. */
type Scanner = (encoded: EncodedTerms) => Occurrences

/** `words` are lists of terms: each term of a list counts as the word. `pairs` are places in `words`. */
export function createScanner(
  words: readonly (readonly string[])[],
  pairs: readonly (readonly [first: number, second: number])[],
): Scanner {
  const terms = [...new Set(words.flat())]
  const { hasHash, find } = createTermFinder(terms)
  const wordsOf = terms.map(term => words.flatMap((own, word) => (own.includes(term) ? [word] : [])))
  const pairsOf = createPairTable(words, terms, pairs)

  // Every chunk uses the same arrays: otherwise a search would make thousands of them.
  const counts = words.map((): FieldCounts => [0, 0, 0, 0])
  const pairCounts = pairs.map(() => 0)
  const lengths: FieldCounts = [0, 0, 0, 0]
  const occurrences = { counts, pairCounts, lengths }
  const countPairs = (first: number, second: number): void => {
    const beside = pairsOf.get(first * terms.length + second)
    if (beside !== undefined) for (const pair of beside) pairCounts[pair] = (pairCounts[pair] ?? 0) + 1
  }

  return encoded => {
    for (const count of counts) count.fill(0)
    pairCounts.fill(0)
    const sizes = readFieldSizes(encoded)
    const all = sizes[0] + sizes[1] + sizes[2] + sizes[3]
    let token = headerSize
    let at = headerSize + 2 * all
    for (let field = 0; field < fieldCount; field++) {
      const end = token + (sizes[field] ?? 0)
      let length = 0
      let previous = -1
      let isParted = false
      for (; token < end; token++) {
        const flagged = encoded[token] ?? 0
        const size = flagged & ~stopFlag
        const isStop = flagged !== size
        if (!isStop) length++
        const place = hasHash[encoded[token + all] ?? 0] === 0 ? -1 : find(encoded, at, size)
        at += size
        if (place >= 0) {
          const own = wordsOf[place] ?? []
          for (let i = 0; i < own.length; i++) {
            const count = counts[own[i] ?? 0]
            if (count !== undefined) count[field as 0]++
          }
          if (previous >= 0 && field !== nameField) {
            countPairs(previous, place)
            if (isParted && place !== previous) countPairs(place, previous)
          }
          previous = place
          isParted = false
        } else if (isStop) isParted = true
        else previous = -1
      }
      lengths[field as 0] = length
    }
    return occurrences
  }
}

/** Finds the words that are in a file's name: 1 at the place of each. The result is valid until the next call. */
export function createNameScanner(
  words: readonly (readonly string[])[],
): (encoded: EncodedTerms) => Uint8Array {
  const terms = [...new Set(words.flat())]
  const { hasHash, find } = createTermFinder(terms)
  const wordsOf = terms.map(term => words.flatMap((own, word) => (own.includes(term) ? [word] : [])))
  const found = new Uint8Array(words.length)
  return encoded => {
    found.fill(0)
    const [title, name, headings, text] = readFieldSizes(encoded)
    const all = title + name + headings + text
    let at = headerSize + 2 * all
    for (let token = headerSize; token < headerSize + title + name; token++) {
      const size = (encoded[token] ?? 0) & ~stopFlag
      const isOfName = token >= headerSize + title && hasHash[encoded[token + all] ?? 0] !== 0
      const place = isOfName ? find(encoded, at, size) : -1
      if (place >= 0) for (const word of wordsOf[place] ?? []) found[word] = 1
      at += size
    }
    return found
  }
}

/** Maps the places of two neighbouring terms to the pairs of words that the terms form. */
function createPairTable(
  words: readonly (readonly string[])[],
  terms: readonly string[],
  pairs: readonly (readonly [first: number, second: number])[],
): ReadonlyMap<number, readonly number[]> {
  const places = new Map(terms.map((term, place) => [term, place]))
  const table = new Map<number, number[]>()
  for (const [pair, [first, second]] of pairs.entries()) {
    for (const one of words[first] ?? []) {
      for (const other of words[second] ?? []) {
        const key = (places.get(one) ?? 0) * terms.length + (places.get(other) ?? 0)
        table.set(key, [...(table.get(key) ?? []), pair])
      }
    }
  }
  return table
}

const nameField = 1

/** For each place of the phrase, the terms that may stand there. */
export type Phrase = readonly (readonly string[])[]

/** How often each phrase stands in one of the chunk's fields, from the first of its words to the last. */
type PhraseCounter = (encoded: EncodedTerms) => number[]

export function createPhraseCounter(phrases: readonly Phrase[]): PhraseCounter {
  const terms = [...new Set(phrases.flat(2))]
  const { hasHash, find } = createTermFinder(terms)
  const places = new Map(terms.map((term, place) => [term, place]))
  const wanted = phrases.map(phrase => phrase.map(any => new Set(any.map(term => places.get(term) ?? -1))))

  // Plain loops and one array for all: this runs for each of thousands of chunks, nearly all of which have no phrase.
  let found = new Int32Array(256)

  return encoded => {
    const counts = phrases.map(() => 0)
    const sizes = readFieldSizes(encoded)
    const all = sizes[0] + sizes[1] + sizes[2] + sizes[3]
    let token = headerSize
    let at = headerSize + 2 * all
    for (const size of sizes) {
      if (size > found.length) found = new Int32Array(2 * size)
      for (let index = 0; index < size; index++, token++) {
        const length = (encoded[token] ?? 0) & ~stopFlag
        found[index] = hasHash[encoded[token + all] ?? 0] === 0 ? -1 : find(encoded, at, length)
        at += length
      }
      for (let place = 0; place < wanted.length; place++) {
        counts[place] = (counts[place] ?? 0) + countIn(found, size, wanted[place] ?? [])
      }
    }
    return counts
  }
}

function countIn(found: Int32Array, size: number, phrase: readonly ReadonlySet<number>[]): number {
  let count = 0
  for (let start = 0; start + phrase.length <= size; start++) {
    let same = 0
    while (same < phrase.length && isAmong(phrase[same], found[start + same])) same++
    if (same === phrase.length) count++
  }
  return count
}

const isAmong = (any: ReadonlySet<number> | undefined, place: number | undefined): boolean =>
  place !== undefined && place >= 0 && any?.has(place) === true

/** The places among a text's terms where the phrase begins, in order. */
export function findPhrase(terms: readonly string[], phrase: Phrase): number[] {
  const starts: number[] = []
  for (let start = 0; start + phrase.length <= terms.length; start++) {
    if (phrase.every((any, offset) => any.includes(terms[start + offset] ?? ''))) starts.push(start)
  }
  return starts
}

type TermFinder = {
  /** 1 at the hashes of the terms. It rules out nearly all other terms. */
  hasHash: Uint8Array
  /** Returns the place of the term at `at`, or -1. */
  find(encoded: EncodedTerms, at: number, size: number): number
}

function createTermFinder(terms: readonly string[]): TermFinder {
  const wanted = terms.map((term, place) => ({ term: encodeTerm(term), place }))
  const hasHash = new Uint8Array(256)
  for (const { term } of wanted) hasHash[hashTerm(term)] = 1
  const bySize = Array.from({ length: stopFlag }, (_, size) =>
    wanted.filter(({ term }) => term.length === size),
  )
  return {
    hasHash,
    find(encoded, at, size) {
      const sameSize = bySize[size] ?? []
      for (let i = 0; i < sameSize.length; i++) {
        const { term, place } = sameSize[i] ?? none
        let same = 0
        while (same < size && term[same] === encoded[at + same]) same++
        if (same === size) return place
      }
      return -1
    },
  }
}

const none = { term: new Uint8Array(), place: -1 }
