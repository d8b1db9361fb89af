/** Checks whether quotes still appear in the documents that they were taken from: the schemas and the search. */
import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable, stringEnum } from '../../../platform/schemas.ts'
import { findStoredVersion, maxContentLength, readText } from '../documents/versions-service.ts'
import { type DocumentRow, findDocuments } from '../records/documents-store.ts'

const maxQuoteLength = 10_000

export const CitationToVerify = Type.Closed('CitationToVerify', {
  documentId: idOf('document', { description: 'The document that was quoted.' }),
  documentVersion: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 999_999_999,
      description: 'Version to check; by default the one that search finds now.',
    }),
  ),
  quote: Type.String({
    minLength: 1,
    maxLength: maxQuoteLength,
    pattern: '\\S',
    description: 'The words to check.',
  }),
  startOffset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 1e9, description: 'Expected start, in code points.' }),
  ),
  endOffset: Type.Optional(
    Type.Integer({
      minimum: 0,
      maximum: 1e9,
      description: 'Expected end, exclusive; only with `startOffset`.',
    }),
  ),
})
export type CitationToVerify = Static<typeof CitationToVerify>

export const CitationsToVerify = Type.Closed('CitationsToVerify', {
  citations: Type.Array(CitationToVerify, { minItems: 1, maxItems: 100 }),
})

export const VerifiedCitation = Type.Closed('VerifiedCitation', {
  documentId: idOf('document'),
  documentVersion: nullable(Type.Integer({ description: 'The version that was checked.' })),
  status: stringEnum(['verified', 'moved', 'changed', 'missing'], {
    description:
      '`verified`: the quote is there word for word. `moved`: it is elsewhere in this version. `changed`: this version does not contain it. `missing`: there is no such document, version or text.',
  }),
  startOffset: nullable(Type.Integer({ description: 'Start of the quote, in code points of the text.' })),
  endOffset: nullable(Type.Integer({ description: 'End of the quote, exclusive.' })),
})
export type VerifiedCitation = Static<typeof VerifiedCitation>

export const citationsExample = {
  citations: [
    {
      documentId: exampleId('document'),
      documentVersion: 1,
      quote: 'Everybody has 28 days of paid leave a year.',
      startOffset: 210,
      endOffset: 253,
    },
  ],
}

export const verifiedExample: VerifiedCitation = {
  documentId: exampleId('document'),
  documentVersion: 1,
  status: 'verified',
  startOffset: 210,
  endOffset: 253,
}

export type CitationsService = ReturnType<typeof createCitationsService>

/** The limit of all searched texts, each counted once per quote: some seconds of work. */
const maxSoughtLength = 100_000_000

type Text = { documentId: string; version: number; textLength: number }
type Quote = { index: number; words: string; citation: CitationToVerify }

export function createCitationsService({ database }: { database: Database }) {
  const { read } = database

  /** The text that a citation is checked against; null if there is none. */
  const textOf = async (row: DocumentRow | undefined, version: number | undefined): Promise<Text | null> => {
    if (row === undefined) return null
    const stored = await findStoredVersion(read, row, version ?? row.served_version ?? row.version)
    if (stored === undefined || stored.textLength === null) return null
    return { documentId: stored.documentId, version: stored.version, textLength: stored.textLength }
  }

  const standsWhereItStood = async (
    text: Text,
    { words, citation }: Quote,
  ): Promise<QuotePosition | null> => {
    const { startOffset, endOffset } = citation
    if (startOffset === undefined) return null
    const end = Math.min(
      endOffset ?? startOffset + codePoints(citation.quote),
      startOffset + maxContentLength,
    )
    const there = await readText(read, text, startOffset, end)
    if (wordsOf(there) !== words) return null
    return { startOffset, endOffset: startOffset + codePoints(there) }
  }

  const search = async (text: Text, sought: readonly Quote[], signal: AbortSignal) => {
    const found = createQuoteSearch(
      sought.map(({ words, citation }) => ({ words, nearOffset: citation.startOffset ?? null })),
    )
    for (let from = 0; from < text.textLength; from += maxContentLength) {
      found.add(await readText(read, text, from, from + maxContentLength))
      // SQLite answers without waiting, so other requests get their turn here.
      await setImmediate()
      signal.throwIfAborted()
    }
    return found.positions()
  }

  return {
    /**
     * Returns results in the order of the citations. A document that the caller cannot reach is `missing`, like one
     * that never existed. Throws 400 naming the citations that would make the request search through too much text.
     */
    async verify(
      caller: Caller,
      citations: readonly CitationToVerify[],
      signal: AbortSignal,
    ): Promise<VerifiedCitation[]> {
      const ids = [...new Set(citations.map(({ documentId }) => documentId))]
      const rows = await findDocuments(caller.scope, read, ids)
      const verified: VerifiedCitation[] = citations.map(missing)
      const byText = new Map<string, { text: Text; sought: Quote[] }>()
      const tooMuch: number[] = []
      let soughtLength = 0
      for (const [index, citation] of citations.entries()) {
        const row = rows.find(({ id }) => id === citation.documentId)
        const text = await textOf(row, citation.documentVersion)
        if (text === null) continue
        const one = { index, words: wordsOf(citation.quote), citation }
        const position = await standsWhereItStood(text, one)
        if (position !== null) verified[index] = present('verified', text, position)
        else {
          const group = byText.get(`${text.documentId} ${text.version}`) ?? { text, sought: [] }
          byText.set(`${text.documentId} ${text.version}`, group)
          group.sought.push(one)
          soughtLength += text.textLength
          if (soughtLength > maxSoughtLength) tooMuch.push(index)
        }
      }
      if (tooMuch.length > 0) throw tooLong(tooMuch)
      for (const { text, sought } of byText.values()) {
        const positions = await search(text, sought, signal)
        for (const [at, { index, citation }] of sought.entries()) {
          const position = positions[at] ?? null
          const status = citation.startOffset === undefined ? 'verified' : 'moved'
          verified[index] =
            position === null ? present('changed', text, null) : present(status, text, position)
        }
      }
      return verified
    },
  }
}

const tooLong = (indexes: readonly number[]): ServiceError => {
  const message = `is not where it should stand, and with those before it more than ${maxSoughtLength} characters of text would be searched through: send it in a request of its own`
  const errors = indexes.slice(0, 50).map(index => ({ field: `citations.${index}`, message }))
  return new ServiceError('validation_failed', undefined, { errors })
}

const missing = ({ documentId, documentVersion }: CitationToVerify): VerifiedCitation => ({
  documentId,
  documentVersion: documentVersion ?? null,
  status: 'missing',
  startOffset: null,
  endOffset: null,
})

const present = (
  status: 'verified' | 'moved' | 'changed',
  { documentId, version }: Text,
  position: QuotePosition | null,
): VerifiedCitation => ({
  documentId,
  documentVersion: version,
  status,
  startOffset: position?.startOffset ?? null,
  endOffset: position?.endOffset ?? null,
})

// Finds quotes in a long text that comes piece by piece: word for word, where every run of white space counts as one
// space.

/** `nearOffset` is where the quote should be; null if any place will do. */
type SoughtQuote = { words: string; nearOffset: number | null }

/** Offsets count code points of the text. */
type QuotePosition = { startOffset: number; endOffset: number }

/** Letters, case and punctuation count. Spacing and line breaks do not. */
export const wordsOf = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

/** Holds at most one piece of the text, and the end of the text before it, as long as the longest quote. */
export function createQuoteSearch(quotes: readonly SoughtQuote[]) {
  const best = quotes.map((): QuotePosition | null => null)
  const borders = quotes.map(({ words }) => bordersOf(words))
  const longest = Math.max(0, ...quotes.map(({ words }) => words.length))
  let held = ''
  let heldAt = 0

  const consider = (index: number, place: QuotePosition): void => {
    const near = quotes[index]?.nearOffset ?? 0
    const known = best[index]
    if (known == null || Math.abs(place.startOffset - near) < Math.abs(known.startOffset - near)) {
      best[index] = place
    }
  }

  return {
    /** Adds the next piece of the text. */
    add(piece: string): void {
      const text = held + piece
      const plain = text.replaceAll(/\s+/gu, ' ')
      const finds = quotes.flatMap(({ words }, index) =>
        placesIn(plain, words, borders[index] ?? noBorders).map(at => ({ index, at, words })),
      )
      if (finds.length > 0) {
        const offsetOf = offsetsIn(text, plain)
        for (const { index, at, words } of finds) {
          const startOffset = heldAt + offsetOf(at)
          consider(index, { startOffset, endOffset: heldAt + offsetOf(at + words.length - 1) + 1 })
        }
      }
      const keptFrom = tailStart(text, longest)
      heldAt += codePoints(text.slice(0, keptFrom))
      held = text.slice(keptFrom)
    },
    /** For each quote, the position nearest to `nearOffset`; null if the text does not contain the quote. */
    positions: (): (QuotePosition | null)[] => best,
  }
}

/** The limit of places for each quote in a piece. A text that repeats one word would have a place for each word. */
const mostPlaces = 1_000

/** Steps grow with the sum of the two lengths. `indexOf` takes their product if both texts repeat themselves. */
function placesIn(plain: string, words: string, borders: Uint16Array): number[] {
  const places: number[] = []
  let matched = 0
  for (let at = 0; at < plain.length && places.length < mostPlaces; at++) {
    const unit = plain.charCodeAt(at)
    while (matched > 0 && words.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (words.charCodeAt(matched) === unit) matched += 1
    if (matched < words.length) continue
    places.push(at + 1 - matched)
    matched = borders[matched - 1] ?? 0
  }
  return places
}

const noBorders = new Uint16Array()

/** For each prefix of the words, the length of its longest end that is also a prefix (Knuth, Morris, Pratt). */
function bordersOf(words: string): Uint16Array {
  const borders = new Uint16Array(words.length)
  let length = 0
  for (let at = 1; at < words.length; at++) {
    const unit = words.charCodeAt(at)
    while (length > 0 && words.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    if (words.charCodeAt(length) === unit) length += 1
    borders[at] = length
  }
  return borders
}

/** Maps a place in the plain form to its offset in the text, in code points. Takes places in any order. */
function offsetsIn(text: string, plain: string): (place: number) => number {
  const offsets = new Uint32Array(plain.length + 1)
  let place = 0
  let offset = 0
  let inSpace = false
  for (const character of text) {
    const isSpace = /\s/u.test(character)
    if (!isSpace || !inSpace) {
      for (let unit = 0; unit < character.length; unit++) offsets[place++] = offset
    }
    inSpace = isSpace
    offset += 1
  }
  offsets[place] = offset
  return at => offsets[at] ?? offset
}

/** The start of the tail that has so many characters other than white space. Never splits a surrogate pair. */
function tailStart(text: string, characters: number): number {
  let left = characters
  let start = text.length
  while (start > 0 && left > 0) {
    start -= 1
    if (!/\s/u.test(text[start] ?? '')) left -= 1
  }
  const code = text.charCodeAt(start)
  return start > 0 && code >= 0xdc00 && code <= 0xdfff ? start - 1 : start
}

function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
