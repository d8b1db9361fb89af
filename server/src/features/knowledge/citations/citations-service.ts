/** Whether quotes still stand in the documents that they were taken from. */
import { setImmediate } from 'node:timers/promises'
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import { findStoredVersion, maxContentLength, readText } from '../documents/document-contents.ts'
import { type DocumentRow, findDocuments } from '../records/documents-store.ts'
import type { CitationToVerify, VerifiedCitation } from './citations-schemas.ts'
import { codePoints, createQuoteSearch, type QuotePosition, wordsOf } from './quotes.ts'

export type CitationsService = ReturnType<typeof createCitationsService>

/** Of all texts that are searched through, each once for each of its quotes: some seconds of work. */
const maxSoughtLength = 100_000_000

type Text = { documentId: string; version: number; textLength: number }
type Quote = { index: number; words: string; citation: CitationToVerify }

export function createCitationsService({ database }: { database: Database }) {
  const { read } = database

  /** The text that a citation is to be held against; null where there is none. */
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

  const search = async (
    text: Text,
    sought: readonly Quote[],
    signal: AbortSignal,
  ): Promise<(QuotePosition | null)[]> => {
    const found = createQuoteSearch(
      sought.map(({ words, citation }) => ({ words, nearOffset: citation.startOffset ?? null })),
    )
    for (let from = 0; from < text.textLength; from += maxContentLength) {
      found.add(await readText(read, text, from, from + maxContentLength))
      // SQLite answers without waiting: others get their turn here.
      await setImmediate()
      signal.throwIfAborted()
    }
    return found.positions()
  }

  return {
    /**
     * In the order of the citations. What is not the caller's is `missing`, like what never was. Throws 400 naming the
     * citations that would make the request search through too much text.
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
