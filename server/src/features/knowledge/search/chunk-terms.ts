/**
 * A chunk as the index keeps it: the terms of its fields in their order. It is what is scored and, when the chunk
 * goes, what tells which statistics to take back.
 */
import { analyse, analyseName, type Token } from './analyse.ts'

/** What a chunk is found by. Title and name are its document's, and so the same in all of its chunks. */
export type ChunkFields = {
  title: string | null
  /** The file's name. */
  name: string
  /** The headings above the chunk, one a line. */
  headings: string
  text: string
}

/** Terms in UTF-8: before each one a mark, and an end behind each of title, name, headings and text. */
export type EncodedTerms = Uint8Array

/** What stands in an encoding beside terms; everything else is a part of one. */
export const termMark = ' '
export const stopMark = '\t'
export const fieldEnd = '\n'

/** A number per field, in the order in which they are encoded. */
export type FieldCounts = [title: number, name: number, headings: number, text: number]

export const encodeTerms = ({ title, name, headings, text }: ChunkFields): EncodedTerms => {
  const tokens = [analyse(title ?? ''), analyseName(name), analyse(headings), analyse(text)]
  return new TextEncoder().encode(tokens.map(encodeField).join(''))
}

const encodeField = (tokens: readonly Token[]): string => {
  let field = ''
  for (const { term, isStop } of tokens) field += (isStop ? stopMark : termMark) + term
  return field + fieldEnd
}

/** How often each term stands in each field, and how many terms a field has, stop words left out. */
export type TermCounts = { counts: Map<string, FieldCounts>; lengths: FieldCounts }

export function countTerms(encoded: EncodedTerms): TermCounts {
  const counts = new Map<string, FieldCounts>()
  const lengths: FieldCounts = [0, 0, 0, 0]
  for (const [field, line] of new TextDecoder().decode(encoded).split(fieldEnd).entries()) {
    for (const [, mark, term = ''] of line.matchAll(/([ \t])([^ \t]+)/g)) {
      const known = counts.get(term) ?? [0, 0, 0, 0]
      known[field as 0]++
      counts.set(term, known)
      if (mark === termMark) lengths[field as 0]++
    }
  }
  return { counts, lengths }
}
