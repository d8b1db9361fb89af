/**
 * A chunk as the index keeps it: the terms of its fields in their order. It is what is scored and, when the chunk
 * goes, what tells which statistics to take back.
 */
import { analyse, analyseName } from './analyse.ts'

/** What a chunk is found by. Title and name are its document's, and so the same in all of its chunks. */
export type ChunkFields = {
  title: string | null
  /** The file's name. */
  name: string
  /** The headings above the chunk, one a line. */
  headings: string
  text: string
}

/** A number per field, in the order in which they are encoded. */
export type FieldCounts = [title: number, name: number, headings: number, text: number]

/**
 * Made to be read quickly by who looks for a few terms only: four bytes (lowest first) for the number of terms of each
 * field; a byte for each term's size, 128 added where it is a stop word; a byte for its hash; the terms in UTF-8.
 */
export type EncodedTerms = Uint8Array

export const fieldCount = 4
export const headerSize = 4 * fieldCount
export const stopFlag = 128

export function encodeTerms({ title, name, headings, text }: ChunkFields): EncodedTerms {
  const fields = [analyse(title ?? ''), analyseName(name), analyse(headings), analyse(text)]
  const tokens = fields.flat()
  const terms = tokens.map(({ term }) => encodeTerm(term))
  const encoded = new Uint8Array(terms.reduce((size, term) => size + 2 + term.length, headerSize))
  for (const [field, { length }] of fields.entries()) {
    new DataView(encoded.buffer).setUint32(4 * field, length, true)
  }
  let at = headerSize + 2 * terms.length
  for (const [place, term] of terms.entries()) {
    encoded[headerSize + place] = term.length | (tokens[place]?.isStop ? stopFlag : 0)
    encoded[headerSize + terms.length + place] = hashTerm(term)
    encoded.set(term, at)
    at += term.length
  }
  return encoded
}

const encoder = new TextEncoder()
export const encodeTerm = (term: string): Uint8Array => encoder.encode(term)

/** From 0 to 255. */
export const hashTerm = (term: Uint8Array): number => {
  let hash = 0
  for (const byte of term) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & 255
}

/** How many terms each field has, stop words included. */
export function readFieldSizes(encoded: EncodedTerms): FieldCounts {
  return [readSize(encoded, 0), readSize(encoded, 4), readSize(encoded, 8), readSize(encoded, 12)]
}

/** By hand: this runs for each candidate, and a `DataView` made for four numbers costs more than they do. */
const readSize = (encoded: EncodedTerms, at: number): number =>
  (encoded[at] ?? 0) |
  ((encoded[at + 1] ?? 0) << 8) |
  ((encoded[at + 2] ?? 0) << 16) |
  ((encoded[at + 3] ?? 0) << 24)

/** How often each term stands in each field, and how many terms a field has, stop words left out. */
export type TermCounts = { counts: Map<string, FieldCounts>; lengths: FieldCounts }

export function countTerms(encoded: EncodedTerms): TermCounts {
  const counts = new Map<string, FieldCounts>()
  const lengths: FieldCounts = [0, 0, 0, 0]
  const decoder = new TextDecoder()
  const sizes = readFieldSizes(encoded)
  let place = headerSize
  let at = headerSize + 2 * (sizes[0] + sizes[1] + sizes[2] + sizes[3])
  for (const [field, size] of sizes.entries()) {
    for (const end = place + size; place < end; place++) {
      const flagged = encoded[place] ?? 0
      const length = flagged & ~stopFlag
      const term = decoder.decode(encoded.subarray(at, at + length))
      at += length
      const known = counts.get(term) ?? [0, 0, 0, 0]
      known[field as 0]++
      counts.set(term, known)
      if (flagged === length) lengths[field as 0]++
    }
  }
  return { counts, lengths }
}
