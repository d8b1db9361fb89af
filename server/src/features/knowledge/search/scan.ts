/** Reads a chunk's encoded terms once and counts what a query asks for: it runs for each of hundreds of candidates. */
import { type EncodedTerms, type FieldCounts, fieldEnd, stopMark, termMark } from './chunk-terms.ts'

/** What stands in a chunk, by the place of a term or a pair in the lists that the scanner was made for. */
export type Occurrences = {
  counts: FieldCounts[]
  /** How often a pair stands side by side in title, headings or text, stop words between them left out. */
  pairCounts: number[]
  /** The fields' lengths without stop words. */
  lengths: FieldCounts
}

export type Scanner = (encoded: EncodedTerms) => Occurrences

/** `pairs` are places in `terms`. */
export function createScanner(
  terms: readonly string[],
  pairs: readonly (readonly [first: number, second: number])[],
): Scanner {
  const { filter, find } = createTermFinder(terms)
  const pairPlaces = new Map(pairs.map(([first, second], place) => [first * terms.length + second, place]))

  return encoded => {
    const counts = terms.map((): FieldCounts => [0, 0, 0, 0])
    const pairCounts = pairs.map(() => 0)
    const lengths: FieldCounts = [0, 0, 0, 0]
    const end = encoded.length
    let field = 0
    let previous = -1
    let at = 0
    while (at < end) {
      const mark = encoded[at++]
      if (mark === fieldEndByte) {
        field++
        previous = -1
        continue
      }
      const start = at
      let hash = hashSeed
      // Behind a term there is always another's mark or the end of its field.
      for (let byte = encoded[at] ?? 0; byte > lastMarkByte; byte = encoded[++at] ?? 0) {
        hash = Math.imul(hash ^ byte, hashFactor)
      }
      if (mark === termMarkByte) lengths[field as 0]++
      const place = filter[hash & filterMask] === 0 ? -1 : find(hash, encoded, start, at)
      if (place >= 0) {
        const count = counts[place]
        if (count !== undefined) count[field as 0]++
        if (previous >= 0 && field !== nameField) {
          const pair = pairPlaces.get(previous * terms.length + place)
          if (pair !== undefined) pairCounts[pair] = (pairCounts[pair] ?? 0) + 1
        }
        previous = place
      } else if (mark === termMarkByte) previous = -1
    }
    return { counts, pairCounts, lengths }
  }
}

const termMarkByte = termMark.charCodeAt(0)
const fieldEndByte = fieldEnd.charCodeAt(0)
const lastMarkByte = Math.max(termMarkByte, fieldEndByte, stopMark.charCodeAt(0))
const nameField = 1

// FNV-1a.
const hashSeed = 0x811c9dc5 | 0
const hashFactor = 0x01000193

const filterMask = 4_095

type TermFinder = {
  /** 0 at the last bits of a hash that no term has: so nearly all others are told at once. */
  filter: Uint8Array
  /** Answers the place of the term that stands from `start` to `end`, or -1. */
  find(hash: number, encoded: EncodedTerms, start: number, end: number): number
}

function createTermFinder(terms: readonly string[]): TermFinder {
  const filter = new Uint8Array(filterMask + 1)
  const byHash = new Map<number, { place: number; bytes: Uint8Array }[]>()
  for (const [place, term] of terms.entries()) {
    const bytes = new TextEncoder().encode(term)
    const hash = bytes.reduce((mixed, byte) => Math.imul(mixed ^ byte, hashFactor), hashSeed)
    filter[hash & filterMask] = 1
    byHash.set(hash, [...(byHash.get(hash) ?? []), { place, bytes }])
  }
  return {
    filter,
    find: (hash, encoded, start, end) => {
      for (const { place, bytes } of byHash.get(hash) ?? []) {
        if (bytes.length === end - start && bytes.every((byte, i) => byte === encoded[start + i]))
          return place
      }
      return -1
    },
  }
}
