/** A version's text and file: of the latest version or of one that was replaced. */
import type { Query } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { invalidField, ServiceError } from '../../../platform/errors.ts'
import { type ChunkRow, listChunks, readChunkTexts } from '../records/chunks-store.ts'
import { type DocumentRow, findVersion } from '../records/documents-store.ts'
import type { Chunk, DocumentContent } from '../records/schemas.ts'

/** What a version is read by; `textLength` is null if it has no text (yet). */
export type StoredVersion = {
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

/** Undefined if the document never had this version, or keeps it no more. */
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

/** The text of the version that is served, unless another is asked for. */
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

/** The chunks of the version that is served, unless another is asked for, in the order of its text. */
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
  headings: row.headings === '' ? [] : row.headings.split('\n'),
  text: row.text,
  location: { page: row.page, startOffset: row.start_offset, endOffset: row.end_offset },
})

/** The version that is served, or the latest if none is, unless another is asked for. Throws if it has no text (yet). */
async function requireText(query: Query, row: DocumentRow, version: number | undefined) {
  const stored = await requireVersion(query, row, version ?? row.served_version ?? row.version)
  const { textLength } = stored
  if (textLength !== null) return { ...stored, textLength }
  throw new ServiceError(
    'version_without_text',
    `Version ${stored.version} has no text: it is ${row.status}`,
    { details: { version: stored.version, status: row.status } },
  )
}

/** The code points of a version's text from `from` up to `to`; fewer where it ends before. */
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

/** Throws 400 naming `version`. */
export async function requireVersion(
  query: Query,
  row: DocumentRow,
  version: number,
): Promise<StoredVersion> {
  const stored = await findStoredVersion(query, row, version)
  if (stored !== undefined) return stored
  throw invalidField('version', `The document has no version ${version}, or keeps it no more`)
}
