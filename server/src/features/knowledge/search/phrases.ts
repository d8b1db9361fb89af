/** Tells whether the words of a phrase stand side by side in a chunk. */
import { type EncodedTerms, headerSize, readFieldSizes, stopFlag } from './chunk-terms.ts'
import { createTermFinder } from './scan.ts'

/** For each place of the phrase, the terms that may stand there. */
export type Phrase = readonly (readonly string[])[]

/** How often each phrase stands in one of the chunk's fields, from the first of its words to the last. */
export type PhraseCounter = (encoded: EncodedTerms) => number[]

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

/** Where the phrase begins among a text's terms, in their order. */
export function findPhrase(terms: readonly string[], phrase: Phrase): number[] {
  const starts: number[] = []
  for (let start = 0; start + phrase.length <= terms.length; start++) {
    if (phrase.every((any, offset) => any.includes(terms[start + offset] ?? ''))) starts.push(start)
  }
  return starts
}
