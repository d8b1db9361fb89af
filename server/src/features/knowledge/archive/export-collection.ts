/** A collection as a stream of archive entries: its record, then each document with its versions. */

import { Readable } from 'node:stream'
import { createGzip } from 'node:zlib'
import { toTimestamp } from '../../../platform/clock.ts'
import type { Database } from '../../../platform/database/database.ts'
import { decodeJson } from '../../../platform/database/json.ts'
import { fieldValues } from '../../../platform/filter/field-values.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Metadata } from '../filter/filter.ts'
import type { TableRow } from '../records/chunks-store.ts'
import type { CollectionRow } from '../records/collections-store.ts'
import { listDocumentIds, listVersions, type VersionRow } from '../records/documents-store.ts'
import { listTables } from '../records/tables-store.ts'
import { findServingModel } from '../vectors/collection-vectors-store.ts'
import { findExported, readChunks, readSegments } from './archive-store.ts'
import {
  type ArchiveCounts,
  type ArchivedChunk,
  type ArchivedCollection,
  type ArchivedDocument,
  type ArchivedTable,
  entryNames,
  holdAll,
} from './format.ts'

const documentsAtOnce = 200
/** Makes a part of about one megabyte, vectors included. */
const chunksPerPart = 100
/** An import takes so many values of an entry; a table has ten. */
const tablesPerPart = 500

type Dependencies = Pick<Platform, 'database' | 'blobs'>

/**
 * Exports each document as it was at one moment. A document that is created or deleted meanwhile may be missing or
 * included. Throws if a document is erased while its chunks or files are read. Adds what was written to `counts`.
 */
export async function* exportCollection(
  dependencies: Dependencies,
  row: CollectionRow,
  number: number,
  counts: ArchiveCounts,
): Bytes {
  const { database } = dependencies
  const model = await findServingModel(database.read, row.id)
  counts.collections += 1
  yield* jsonEntry(entryNames.collection(number), {
    id: row.id,
    environment: row.environment,
    name: row.name,
    description: row.description,
    embedding: model === null ? null : { model: model.name, dimensions: model.dimensions },
    createdAt: toTimestamp(row.created_at),
    updatedAt: toTimestamp(row.updated_at),
  } satisfies ArchivedCollection)
  let document = 0
  for (let after: string | undefined = ''; after !== undefined; ) {
    const ids: string[] = await listDocumentIds(database.read, 'untrashed', row.id, {
      after,
      limit: documentsAtOnce,
    })
    for (const id of ids) {
      const found = await readDocument(database, row, id)
      if (found === null) continue
      document += 1
      const names = { collection: number, document }
      yield* exportDocument(dependencies, names, found, model?.number ?? null, counts)
    }
    after = ids.at(-1)
  }
}

type Exported = {
  record: ArchivedDocument
  /** `texts` lists the versions that have text, `files` the versions that have a file. */
  texts: { version: number; chunkCount: number }[]
  files: { version: number; sizeBytes: number; blobId: string }[]
}

/** Null if the document no longer exists. */
const readDocument = (
  database: Database,
  collection: { id: string; workspace_id: string },
  id: string,
): Promise<Exported | null> =>
  database.snapshot(collection.workspace_id, async query => {
    const row = await findExported(query, collection.id, id)
    if (row === undefined) return null
    const versions = (await listVersions(query, id)).reverse()
    const served = row.served_version
    // A document that is indexed again has its whole text, even if the indexing failed.
    const isRead = row.text_length !== null
    const segments = served === null ? [] : await readSegments(query, id, served)
    const record: ArchivedDocument = {
      ...presentContent(row),
      id,
      externalId: row.external_id,
      givenTitle: row.given_title,
      textLength: row.text_length,
      servedVersion: served,
      status: isRead ? 'ready' : row.status === 'failed' ? 'failed' : 'queued',
      error:
        isRead || row.error_code === null ? null : { code: row.error_code, message: row.error_message ?? '' },
      metadata: knownMetadata(decodeJson(row.metadata)),
      createdAt: toTimestamp(row.created_at),
      updatedAt: toTimestamp(row.updated_at),
      versions: versions.map(version => ({
        ...presentContent(version),
        textLength: version.text_length,
        replacedAt: toTimestamp(version.replaced_at),
      })),
      // While the version is indexed again, only a part of its segments is there.
      segments: holdAll(segments, row.chunk_count) ? segments : [],
    }
    return {
      record,
      texts: [
        ...versions.map(({ version, chunk_count }) => ({ version, chunkCount: chunk_count })),
        ...(isRead ? [{ version: row.version, chunkCount: row.chunk_count }] : []),
      ],
      files: [...versions, row].map(({ version, size_bytes, blob_id }) => ({
        version,
        sizeBytes: size_bytes,
        blobId: blob_id,
      })),
    }
  })

const presentContent = (
  row: Omit<VersionRow, 'document_id' | 'replaced_at' | 'text_length' | 'blob_id'>,
) => ({
  version: row.version,
  name: row.name,
  title: row.title,
  mediaType: row.media_type,
  sizeBytes: row.size_bytes,
  sha256: row.sha256,
  pageCount: row.page_count,
  warnings: decodeJson(row.warnings),
  chunkCount: row.chunk_count,
})

/** Leaves out values of types that were accepted only before filters existed. */
function knownMetadata(metadata: Record<string, unknown>): Metadata {
  const known = new Set(fieldValues(metadata).map(({ name }) => name))
  return Object.fromEntries(Object.entries(metadata).filter(([name]) => known.has(name))) as Metadata
}

async function* exportDocument(
  { database, blobs }: Dependencies,
  names: { collection: number; document: number },
  { record, texts, files }: Exported,
  model: number | null,
  counts: ArchiveCounts,
): Bytes {
  const { collection, document } = names
  counts.documents += 1
  yield* jsonEntry(entryNames.document(collection, document), record)
  let part = 0
  for (const { version, chunkCount } of texts) {
    for (let position = 0; position < chunkCount; position += chunksPerPart) {
      const from = { documentId: record.id, version }
      const rows = await readChunks(database.read, from, position, chunksPerPart, model)
      if (rows.length !== Math.min(chunksPerPart, chunkCount - position)) {
        throw new Error(`The document ${record.id} was erased while it was exported`)
      }
      counts.chunks += rows.length
      const [first, last] = [rows[0]?.start_offset ?? 0, rows.at(-1)?.end_offset ?? 0]
      const tables = await listTables(database.read, from, { first, last })
      const chunks = rows.map(row => presentChunk(row, tables))
      for (const lines of tables.length > tablesPerPart ? chunks.map(chunk => [chunk]) : [chunks]) {
        part += 1
        yield* linesEntry(entryNames.chunks(collection, document, part), lines)
      }
    }
  }
  for (const { version, sizeBytes, blobId } of files) {
    counts.files += 1
    counts.fileBytes += sizeBytes
    yield* fileEntry(entryNames.file(collection, document, version), sizeBytes, await blobs.open(blobId))
  }
}

const presentChunk = (
  row: Awaited<ReturnType<typeof readChunks>>[number],
  tables: readonly TableRow[],
): ArchivedChunk => {
  const chunk: ArchivedChunk = {
    id: row.id,
    version: row.document_version,
    position: row.position,
    headings: row.headings,
    text: row.text,
    gap: row.gap,
    page: row.page,
    startOffset: row.start_offset,
    endOffset: row.end_offset,
  }
  const begun = tables.filter(
    table => table.start_offset >= row.start_offset && table.start_offset < row.end_offset,
  )
  if (begun.length > 0) chunk.tables = begun.map(presentTable)
  if (row.vector !== null && row.text_hash !== null) {
    chunk.vector = Buffer.from(row.vector).toString('base64')
    chunk.hash = row.text_hash
  }
  return chunk
}

const presentTable = (row: TableRow): ArchivedTable => ({
  startOffset: row.start_offset,
  rowsOffset: row.rows_offset,
  endOffset: row.end_offset,
  page: row.page,
  headings: row.headings,
  titles: row.titles,
  columns: row.columns,
  columnCount: row.column_count,
  rowCount: row.row_count,
})

// Streams the entries of an archive: bytes are made only as they are read.

export type Bytes = AsyncGenerator<Buffer, void, undefined>

export async function* jsonEntry(name: string, value: unknown): Bytes {
  yield* textEntry(name, `${JSON.stringify(value)}\n`)
}

/** Writes one line of JSON for each value. */
async function* linesEntry(name: string, values: readonly unknown[]): Bytes {
  yield* textEntry(name, values.map(value => `${JSON.stringify(value)}\n`).join(''))
}

async function* textEntry(name: string, text: string): Bytes {
  const bytes = Buffer.from(text)
  yield Buffer.concat([tarHeader(name, bytes.length), bytes, tarPadding(bytes.length)])
}

/** Throws if the file does not have exactly `sizeBytes` bytes. */
async function* fileEntry(name: string, sizeBytes: number, file: Readable): Bytes {
  let sent = 0
  try {
    yield tarHeader(name, sizeBytes)
    for await (const piece of file) {
      const bytes = piece as Buffer
      sent += bytes.length
      if (sent > sizeBytes) break
      yield bytes
    }
  } finally {
    // Closes the file even if the reader stops after the header.
    file.destroy()
  }
  if (sent !== sizeBytes) throw new Error(`${name} has not the ${sizeBytes} bytes that its record states`)
  yield tarPadding(sizeBytes)
}

/** Streams the archive to a client or a file. If `entries` throws, the stream is cut off, which readers detect. */
export function packArchive(entries: () => Bytes): Readable {
  const packed = createGzip({ level: 4 })
  const source = Readable.from(withEnd(entries), { objectMode: false })
  source.on('error', error => packed.destroy(error))
  packed.on('close', () => source.destroy())
  return source.pipe(packed)
}

async function* withEnd(entries: () => Bytes): Bytes {
  yield* entries()
  yield tarEnd()
}

const blockSize = 512

/**
 * The header before a file in a tar archive (POSIX ustar), 512 bytes. Throws if the name has more than 100 bytes or
 * the size more than eleven octal digits. No entry of an Atrium archive does.
 */
function tarHeader(name: string, sizeBytes: number): Buffer {
  if (Buffer.byteLength(name) > 100 || sizeBytes >= 8 ** 11)
    throw new RangeError(`${name} does not fit into a tar archive`)
  const block = Buffer.alloc(blockSize)
  block.write(name, 0)
  block.write('0000600', 100)
  block.write('0000000', 108)
  block.write('0000000', 116)
  block.write(octal(sizeBytes), 124)
  block.write(octal(0), 136)
  // The checksum counts its own eight bytes as spaces.
  block.write('        0', 148)
  block.write('ustar\x0000', 257)
  const sum = block.reduce((total, byte) => total + byte, 0)
  block.write(`${sum.toString(8).padStart(6, '0')}\0 `, 148)
  return block
}

const octal = (value: number): string => value.toString(8).padStart(11, '0')

/** The zero bytes that fill up a file's last block. */
const tarPadding = (sizeBytes: number): Buffer =>
  Buffer.alloc((blockSize - (sizeBytes % blockSize)) % blockSize)

/** A tar archive ends with two empty blocks. */
const tarEnd = (): Buffer => Buffer.alloc(2 * blockSize)
