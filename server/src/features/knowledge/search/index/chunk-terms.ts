/**
 * The form of a chunk in the index: the terms of its fields, in order. Scores are computed from this form. When the
 * chunk is removed, the form tells which statistics to take back.
 */
import { analyse, analyseName } from '../../../../platform/analysis/analyse.ts'
import { detectLanguage } from '../../../../platform/analysis/detect-language.ts'
import { languages } from '../../../../platform/analysis/languages.ts'
import type { LanguageCode } from '../../../../platform/analysis/stop-words.ts'

/** The fields by which a chunk is found. Title and name are the document's, so all of its chunks share them. */
export type ChunkFields = {
  title: string | null
  /** The file's name. */
  name: string
  /** The headings above the chunk, one a line. */
  headings: string
  text: string
}

/** A number per field, in the order in which the fields are encoded. */
export type FieldCounts = [title: number, name: number, headings: number, text: number]

/**
 * A layout that is quick to search for a few terms. First come four bytes (lowest first) for the number of terms of
 * each field. Then come a byte for each term's size, with 128 added for a stop word, and a byte for each term's hash.
 * The terms in UTF-8 come last. The highest byte of the name's number is the language's: a name has few terms.
 */
export type EncodedTerms = Uint8Array

export const fieldCount = 4
export const headerSize = 4 * fieldCount
export const stopFlag = 128

export function encodeTerms({ title, name, headings, text }: ChunkFields): EncodedTerms {
  const language = languageOf(title, headings, text)
  const fields = [
    analyse(title ?? '', language),
    analyseName(name, language),
    analyse(headings, language),
    analyse(text, language),
  ]
  const tokens = fields.flat()
  const units = tokens.reduce((sum, { term }) => sum + term.length, 0)
  const encoded = new Uint8Array(headerSize + 2 * tokens.length + maxBytesPerUnit * units)
  for (const [field, { length }] of fields.entries()) {
    new DataView(encoded.buffer).setUint32(4 * field, length, true)
  }
  encoded[languageAt] = languages.indexOf(language)
  let at = headerSize + 2 * tokens.length
  for (const [place, { term, isStop }] of tokens.entries()) {
    const size = writeTerm(encoded, at, term)
    encoded[headerSize + place] = size | (isStop ? stopFlag : 0)
    encoded[headerSize + tokens.length + place] = hashTerm(encoded.subarray(at, at + size))
    at += size
  }
  return encoded.slice(0, at)
}

/** Depends on the chunk alone, not on the chunks indexed with it. English if no language is detected. */
const languageOf = (title: string | null, headings: string, text: string): LanguageCode =>
  detectLanguage(text) ?? detectLanguage(`${title ?? ''}\n${headings}`) ?? 'en'

const languageAt = 7

/** The language by which the chunk was analysed. */
export const readLanguage = (encoded: EncodedTerms): LanguageCode =>
  languages[encoded[languageAt] ?? 0] ?? 'en'

const encoder = new TextEncoder()
export const encodeTerm = (term: string): Uint8Array => encoder.encode(term)

/** The most bytes in UTF-8 for a unit of UTF-16. */
const maxBytesPerUnit = 3

/** Returns how many bytes it wrote. Writes ASCII letters by hand: the encoder costs more than such a term. */
function writeTerm(encoded: Uint8Array, at: number, term: string): number {
  for (let i = 0; i < term.length; i++) {
    const unit = term.charCodeAt(i)
    if (unit > 127) return encoder.encodeInto(term, encoded.subarray(at)).written
    encoded[at + i] = unit
  }
  return term.length
}

/** A hash from 0 to 255. */
export const hashTerm = (term: Uint8Array): number => {
  let hash = 0
  for (const byte of term) hash = Math.imul(hash ^ byte, 0x01000193)
  return (hash ^ (hash >>> 8) ^ (hash >>> 16)) & 255
}

/** How many terms each field has, stop words included. */
export function readFieldSizes(encoded: EncodedTerms): FieldCounts {
  return [readSize(encoded, 0), readSize(encoded, 4) & 0xffffff, readSize(encoded, 8), readSize(encoded, 12)]
}

/** Reads by hand: this runs for each candidate, and a `DataView` for four numbers costs more than to read them. */
const readSize = (encoded: EncodedTerms, at: number): number =>
  (encoded[at] ?? 0) |
  ((encoded[at + 1] ?? 0) << 8) |
  ((encoded[at + 2] ?? 0) << 16) |
  ((encoded[at + 3] ?? 0) << 24)

/** `counts`: how often each term is in each field. `lengths`: how many terms a field has, without stop words. */
export type TermCounts = { counts: Map<string, FieldCounts>; lengths: FieldCounts }

/** How many terms each field has, stop words left out. */
export function readLengths(encoded: EncodedTerms): FieldCounts {
  const lengths: FieldCounts = [0, 0, 0, 0]
  let place = headerSize
  for (const [field, size] of readFieldSizes(encoded).entries()) {
    let length = 0
    for (const end = place + size; place < end; place++) if ((encoded[place] ?? 0) < stopFlag) length++
    lengths[field as 0] = length
  }
  return lengths
}

export function countTerms(encoded: EncodedTerms): TermCounts {
  const counts = new Map<string, FieldCounts>()
  const sizes = readFieldSizes(encoded)
  const all = sizes[0] + sizes[1] + sizes[2] + sizes[3]
  const readTerm = createTermReader(encoded.subarray(headerSize + 2 * all))
  let place = headerSize
  let at = 0
  for (const [field, size] of sizes.entries()) {
    for (const end = place + size; place < end; place++) {
      const length = (encoded[place] ?? 0) & ~stopFlag
      const term = readTerm(at, at + length)
      at += length
      const known = counts.get(term) ?? [0, 0, 0, 0]
      known[field as 0]++
      counts.set(term, known)
    }
  }
  return { counts, lengths: readLengths(encoded) }
}

/** Decodes all terms at once if they are ASCII: a call for each term would take longer than the rest. */
function createTermReader(terms: Uint8Array): (start: number, end: number) => string {
  const decoder = new TextDecoder()
  const text = decoder.decode(terms)
  if (text.length === terms.length) return (start, end) => text.slice(start, end)
  return (start, end) => decoder.decode(terms.subarray(start, end))
}
