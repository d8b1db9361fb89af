/** Lists the passages of one document in order, so that a reader can see the text around a search result. */
import type { Caller } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import type { Passage } from '../../../platform/tool.ts'
import { readPassageRows } from '../records/chunks-store.ts'
import { findStoredDocument } from '../records/documents-store.ts'

export type PassagesRequest = {
  documentId: string
  /** Only in these collections; empty for all that the caller reaches. */
  collectionIds: readonly string[]
  /** From the passage at this code point on, or from the beginning of this page on. */
  from: { offset: number } | { page: number }
  limit: number
}

export type DocumentPassages = {
  passages: Passage[]
  /** Code points of the whole text. */
  textLength: number
}

export type PassagesService = ReturnType<typeof createPassagesService>

export const createPassagesService = ({ database }: { database: Database }) => ({
  /** Of the version that is served. Null if there is no such document, or it has no text yet. */
  async read(
    { scope }: Caller,
    { documentId, collectionIds, from, limit }: PassagesRequest,
  ): Promise<DocumentPassages | null> {
    const document = await findStoredDocument(scope, database.read, documentId)
    if (document === undefined || document.served_version === null) return null
    if (collectionIds.length > 0 && !collectionIds.includes(document.collection_id)) return null
    const version = { documentId, version: document.served_version }
    const { rows, textLength } = await readPassageRows(database.read, version, from, limit)
    const title = document.title ?? document.name
    return {
      textLength,
      passages: rows.map(row => ({
        chunkId: row.id,
        documentId,
        documentVersion: document.served_version ?? document.version,
        title,
        text: row.text,
        page: row.page,
        startOffset: row.start_offset,
        endOffset: row.end_offset,
      })),
    }
  },
})
