/** The versions of a document: the text, the passages and the file of each kept version, and restoring a version. */
import type { ReceivedFile } from '../../../platform/blobs/blobs.ts'
import type { Caller } from '../../../platform/caller.ts'
import { toOptionalTimestamp } from '../../../platform/clock.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found, invalidField, ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Passage } from '../../../platform/tool.ts'
import {
  type ChunkRow,
  headingsOf,
  listChunks,
  readChunkTexts,
  readPassageRows,
} from '../records/chunks-store.ts'
import {
  type DocumentRow,
  findDocument,
  findStoredDocument,
  findVersion,
  listVersions,
  type VersionRow,
} from '../records/documents-store.ts'
import type { Chunk, DocumentContent, DocumentVersion } from '../records/schemas.ts'
import type { Uploads } from './document-uploads.ts'

export type VersionsService = ReturnType<typeof createVersionsService>

export function createVersionsService(
  dependencies: Pick<Platform, 'database' | 'blobs'> & {
    uploads: Uploads
  },
) {
  const { database, blobs, uploads } = dependencies

  const find = async (caller: Caller, id: string): Promise<DocumentRow> =>
    found(await findDocument(caller.scope, database.read, id))

  /** Copies the version's file: every version has its own file, so that each can be removed without the others. */
  const withCopy = async <T>(row: DocumentRow, version: number, use: (file: ReceivedFile) => Promise<T>) => {
    const stored = await requireVersion(database.read, row, version)
    const { name, mediaType: statedMediaType, sizeBytes: maxBytes } = stored
    const stream = await blobs.open(stored.blobId)
    const file = await blobs.receive(stream, { name, statedMediaType, maxBytes })
    try {
      return await use(file)
    } finally {
      await blobs.discard(file)
    }
  }

  return {
    /** The latest version first, then the versions that it replaced. */
    async list(
      caller: Caller,
      documentId: string,
      { page, pageSize }: PageRequest,
    ): Promise<Page<DocumentVersion>> {
      const row = await find(caller, documentId)
      const kept = await listVersions(database.read, documentId)
      const all = [presentLatest(row), ...kept.map(version => presentKept(row, version))]
      return { items: all.slice((page - 1) * pageSize, page * pageSize), total: all.length }
    },

    async get(caller: Caller, documentId: string, version: number): Promise<DocumentVersion> {
      const row = await find(caller, documentId)
      if (version === row.version) return presentLatest(row)
      return presentKept(row, found(await findVersion(database.read, documentId, version)))
    },

    /** Makes a new version with a kept version's content; `unchanged` if the document already has this content. */
    async restore(caller: Caller, documentId: string, version: number, ifMatch: string | null) {
      const row = await find(caller, documentId)
      if (version !== row.version) found(await findVersion(database.read, documentId, version))
      return withCopy(row, version, file =>
        uploads.replace(caller, documentId, file, {
          ifMatch,
          action: 'document.restore_version',
          details: { restored: version },
        }),
      )
    },

    /** Makes a new version of the latest file. Throws `document_in_progress` while a version is in progress. */
    async reprocess(caller: Caller, documentId: string, ifMatch: string | null): Promise<DocumentRow> {
      const latest = await find(caller, documentId)
      const { row } = await withCopy(latest, latest.version, file =>
        uploads.replace(caller, documentId, file, { ifMatch, action: 'document.reprocess', isAgain: true }),
      )
      return row
    },
  }
}

const presentLatest = (row: DocumentRow): DocumentVersion => ({
  documentId: row.id,
  version: row.version,
  status: row.status,
  isServed: row.version === row.served_version,
  name: row.name,
  title: row.title,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  textLength: row.text_length,
  pageCount: row.page_count,
  warnings: decodeJson(row.warnings),
  replacedAt: null,
})

const presentKept = (row: DocumentRow, version: VersionRow): DocumentVersion => ({
  documentId: row.id,
  version: version.version,
  status: 'ready',
  isServed: version.version === row.served_version,
  name: version.name,
  title: version.title,
  mediaType: version.media_type,
  sizeBytes: version.size_bytes,
  sha256: version.sha256,
  textLength: version.text_length,
  pageCount: version.page_count,
  warnings: decodeJson(version.warnings),
  replacedAt: toOptionalTimestamp(version.replaced_at),
})

// The text and the file of a version: the latest one or a replaced one.

/** The fields by which a version is read. `textLength` is null if the version has no text (yet). */
type StoredVersion = {
  documentId: string
  version: number
  name: string
  mediaType: string
  sizeBytes: number
  sha256: string
  blobId: string
  textLength: number | null
}

export const maxContentLength = 100_000

/** Undefined if the document never had this version, or no longer keeps it. */
export async function findStoredVersion(
  query: Query,
  row: DocumentRow,
  version: number,
): Promise<StoredVersion | undefined> {
  const kept = version === row.version ? row : await findVersion(query, row.id, version)
  if (kept === undefined) return undefined
  return {
    documentId: row.id,
    version,
    name: kept.name,
    mediaType: kept.media_type,
    sizeBytes: kept.size_bytes,
    sha256: kept.sha256,
    blobId: kept.blob_id,
    textLength: kept.text_length,
  }
}

/** The text of the given version, by default of the served version. */
export async function readContent(
  query: Query,
  row: DocumentRow,
  { version, from, to }: { version?: number; from: number; to?: number },
): Promise<DocumentContent> {
  if (to !== undefined && to < from) throw invalidField('to', 'must not lie before `from`')
  const stored = await requireText(query, row, version)
  const end = Math.min(to ?? from + maxContentLength, from + maxContentLength, stored.textLength)
  return {
    documentId: row.id,
    version: stored.version,
    startOffset: Math.min(from, stored.textLength),
    endOffset: Math.max(end, Math.min(from, stored.textLength)),
    length: stored.textLength,
    text: await readText(query, stored, from, end),
  }
}

/** The chunks of the given version, by default of the served version, in the order of the text. */
export async function readChunks(
  query: Query,
  row: DocumentRow,
  version: number | undefined,
  page: PageRequest,
): Promise<Page<Chunk>> {
  const stored = await requireText(query, row, version)
  const { items, total } = await listChunks(query, stored, page)
  return { items: items.map(presentChunk), total }
}

const presentChunk = (row: ChunkRow): Chunk => ({
  id: row.id,
  documentId: row.document_id,
  documentVersion: row.document_version,
  position: row.position,
  headings: headingsOf(row.headings),
  text: row.text,
  location: { page: row.page, startOffset: row.start_offset, endOffset: row.end_offset },
})

/** The given, served or latest version, in this order. Throws if the version has no text (yet). */
export async function requireText(query: Query, row: DocumentRow, version: number | undefined) {
  const stored = await requireVersion(query, row, version ?? row.served_version ?? row.version)
  const { textLength } = stored
  if (textLength !== null) return { ...stored, textLength }
  throw new ServiceError(
    'version_without_text',
    `Version ${stored.version} has no text: it is ${row.status}`,
    { details: { version: stored.version, status: row.status } },
  )
}

/** The code points of a version's text from `from` up to `to`; fewer if the text ends before. */
export async function readText(
  query: Query,
  version: Pick<StoredVersion, 'documentId' | 'version'>,
  from: number,
  to: number,
): Promise<string> {
  const chunks = from < to ? await readChunkTexts(query, version, from, to) : []
  const text = chunks.map(chunk => chunk.text + chunk.gap).join('')
  const first = chunks[0]?.start_offset ?? from
  return Array.from(text)
    .slice(from - first, to - first)
    .join('')
}

/** Throws 400 naming `version` if the document does not have the version. */
export async function requireVersion(
  query: Query,
  row: DocumentRow,
  version: number,
): Promise<StoredVersion> {
  const stored = await findStoredVersion(query, row, version)
  if (stored !== undefined) return stored
  throw invalidField('version', `The document has no version ${version}, or keeps it no more`)
}

// Lists the passages of one document in order, so that a reader can see the text around a search result.

type PassagesRequest = {
  documentId: string
  /** The collections to read from; empty for all that the caller reaches. */
  collectionIds: readonly string[]
  /** Starts at the passage at this code point, or at the beginning of this page. */
  from: { offset: number } | { page: number }
  limit: number
}

type DocumentPassages = {
  passages: Passage[]
  /** Length of the whole text, in code points. */
  textLength: number
}

export type PassagesService = ReturnType<typeof createPassagesService>

export const createPassagesService = ({ database }: { database: Database }) => ({
  /** Reads the served version. Null if there is no such document, or if no version is served yet. */
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
        headings: headingsOf(row.headings),
        text: row.text,
        page: row.page,
        startOffset: row.start_offset,
        endOffset: row.end_offset,
      })),
    }
  },
})
