/** Imports one document of an archive into a hidden collection: validates every part, then writes it. */

import { randomBytes } from 'node:crypto'
import type { BlobStore } from '../../../platform/blobs/blobs.ts'
import { safePath } from '../../../platform/blobs/file-name.ts'
import type { Scope } from '../../../platform/caller.ts'
import type { Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { type IdKind, idPrefixes } from '../../../platform/ids.ts'
import type { Platform } from '../../../platform/platform.ts'
import { insertChunks, type TableRow } from '../records/chunks-store.ts'
import { addToCollection } from '../records/collections-store.ts'
import { insertDocument } from '../records/documents-store.ts'
import { decodeVector, encodeSigns, signsOf } from '../records/vector-bytes.ts'
import { type ChunkVector, insertVectors } from '../records/vectors-store.ts'
import { type ArchivedChunk, type ArchivedDocument, type ArchivedTable, damaged, holdAll } from './format.ts'
import type { ArchiveEntry } from './read-archive.ts'

/** Where the documents of a collection go. */
export type Target = Pick<Platform, 'blobs' | 'newId'> & {
  scope: Scope
  collectionId: string
  shiftId: ReturnType<typeof createIdShift>
  /** Null if the import does not take the archive's vectors. */
  model: { number: number; dimensions: number } | null
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export type DocumentImport = {
  id: string
  record: ArchivedDocument
  chunks(lines: readonly ArchivedChunk[]): Promise<void>
  file(version: number, entry: ArchiveEntry): Promise<void>
  /** Throws `ArchiveFault` if a text or a file that the record names is missing. */
  finish(): void
}

/** The text of a version as far as it has come, beside what the record states about it. */
type Progress = {
  chunkCount: number
  textLength: number
  pageCount: number
  position: number
  offset: number
}

export async function beginDocument(target: Target, record: ArchivedDocument): Promise<DocumentImport> {
  checkRecord(record)
  const { scope, collectionId, newId, shiftId } = target
  const id = shiftId('document', record.id)
  const contents = [...record.versions, record]
  const files = new Map(contents.map(content => [content.version, { content, blobId: newId('blob') }]))
  // Each version that has text is followed, so no count of chunks is taken on trust.
  const texts = new Map<number, Progress>(
    contents.flatMap(({ version, chunkCount, textLength, pageCount }) =>
      textLength === null
        ? []
        : [[version, { chunkCount, textLength, pageCount: pageCount ?? 0, position: 0, offset: 0 }]],
    ),
  )
  const blobOf = (version: number): string => files.get(version)?.blobId ?? ''
  await target.write(async tx => {
    if (record.externalId !== null) await refuseRepeated(tx, collectionId, record.externalId)
    await insertDocument(scope, tx, documentRow(scope, collectionId, id, record, blobOf(record.version)))
    for (const version of record.versions) {
      await tx
        .insertInto('document_versions')
        .values(versionRow(id, version, blobOf(version.version)))
        .execute()
    }
    await addToCollection(scope, tx, collectionId, {
      documents: 1,
      chunks: record.chunkCount,
      bytes: record.sizeBytes,
      storedBytes: contents.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0),
    })
  })

  return {
    id,
    record,
    async chunks(lines) {
      for (const line of lines) follow(texts.get(line.version), line, record.id)
      const rows = lines.map(line => ({
        id: shiftId('chunk', line.id),
        workspace_id: scope.workspaceId,
        environment: scope.environment,
        collection_id: collectionId,
        document_id: id,
        document_version: line.version,
        position: line.position,
        headings: line.headings,
        text: line.text,
        gap: line.gap,
        page: line.page,
        start_offset: line.startOffset,
        end_offset: line.endOffset,
      }))
      const { model } = target
      const vectors =
        model === null ? [] : lines.flatMap((line, at) => vectorOf(line, rows[at]?.id ?? '', model))
      const tables = lines.flatMap(line =>
        (line.tables ?? []).map((table, at, all) => {
          if (at > 0 && (all[at - 1]?.startOffset ?? 0) >= table.startOffset)
            throw damaged(`The chunk ${line.id} has tables that are not in order`)
          checkTable(texts.get(line.version), line, table)
          return tableRow(id, line.version, table)
        }),
      )
      await target.write(async tx => {
        await insertChunks(tx, rows, tables)
        if (model !== null) await insertVectors(scope, tx, model.number, vectors)
      })
    },
    async file(version, entry) {
      const wanted = files.get(version)
      if (wanted === undefined || entry.sizeBytes !== wanted.content.sizeBytes) {
        throw damaged(`${entry.name} is not a file that the document's record names`)
      }
      files.delete(version)
      await storeFile(target.blobs, entry, wanted.content, wanted.blobId)
    },
    finish() {
      const isShort = [...texts.values()].some(
        text => text.position !== text.chunkCount || text.offset !== text.textLength,
      )
      if (isShort) throw damaged(`The document ${record.id} has not all the text that its record states`)
      if (files.size > 0) throw damaged(`The document ${record.id} lacks a file`)
    },
  }
}

async function refuseRepeated(tx: Tx, collectionId: string, externalId: string): Promise<void> {
  const same = await tx
    .selectFrom('documents')
    .select('id')
    .where('collection_id', '=', collectionId)
    .where('external_id', '=', externalId)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (same !== undefined) throw damaged(`The external id ${externalId} is there twice`)
}

function checkRecord(record: ArchivedDocument): void {
  const { id, versions, servedVersion, status, segments } = record
  const fault = (message: string) => damaged(`The document ${id} ${message}`)
  const numbers = [...versions.map(({ version }) => version), record.version]
  if (numbers.some((version, at) => at > 0 && version <= (numbers[at - 1] ?? 0))) {
    throw fault('has versions that are not in order')
  }
  // Exactly the text of a ready document is found, so a served version is one whose chunks follow.
  const isRead = record.textLength !== null
  if (isRead !== (status === 'ready') || isRead !== (servedVersion === record.version)) {
    throw fault('has another status than its text and the version that is found')
  }
  if (!isRead && record.pageCount !== null) throw fault('has pages, and no text')
  const served = [...versions, record].find(({ version }) => version === servedVersion)
  if (
    servedVersion !== null &&
    (served === undefined || (served.chunkCount !== record.chunkCount && served !== record))
  ) {
    throw fault('is found by a version that it has not')
  }
  if (servedVersion === null && (record.chunkCount > 0 || segments.length > 0)) {
    throw fault('has chunks that are found, and no version of them')
  }
  if (segments.length > 0 && !holdAll(segments, record.chunkCount)) {
    throw fault('has other segments than chunks')
  }
}

/** Accepts only the next chunk of the version. The chunks' texts and gaps, in order, are the whole text. */
function follow(text: Progress | undefined, chunk: ArchivedChunk, documentId: string): void {
  const length = codePoints(chunk.text)
  const isNext =
    text !== undefined &&
    chunk.position === text.position &&
    text.position < text.chunkCount &&
    chunk.startOffset === text.offset &&
    chunk.endOffset === chunk.startOffset + length &&
    (chunk.page ?? 0) <= text.pageCount
  if (!isNext)
    throw damaged(`The chunk ${chunk.id} of the document ${documentId} does not follow the one before`)
  text.position += 1
  text.offset = chunk.endOffset + codePoints(chunk.gap)
}

function checkTable(text: Progress | undefined, chunk: ArchivedChunk, table: ArchivedTable): void {
  const { startOffset, rowsOffset, endOffset } = table
  const isThere =
    text !== undefined &&
    startOffset >= chunk.startOffset &&
    startOffset < chunk.endOffset &&
    rowsOffset >= startOffset &&
    endOffset >= rowsOffset &&
    endOffset <= text.textLength &&
    table.columnCount <= text.textLength &&
    table.rowCount <= text.textLength &&
    (table.page ?? 0) <= text.pageCount
  if (!isThere) throw damaged(`A table of the chunk ${chunk.id} lies elsewhere than its text`)
}

const tableRow = (id: string, version: number, table: ArchivedTable): TableRow => ({
  document_id: id,
  document_version: version,
  start_offset: table.startOffset,
  rows_offset: table.rowsOffset,
  end_offset: table.endOffset,
  page: table.page,
  headings: table.headings,
  titles: table.titles,
  columns: table.columns,
  column_count: table.columnCount,
  row_count: table.rowCount,
})

/** The text must be well-formed. Reading code points takes ten times as long, and a gap may have millions. */
function codePoints(text: string): number {
  let count = text.length
  for (let at = 0; at < text.length; at++) if ((text.charCodeAt(at) & 0xfc00) === 0xdc00) count -= 1
  return count
}

function vectorOf(
  { vector, hash }: ArchivedChunk,
  chunkId: string,
  model: { dimensions: number },
): ChunkVector[] {
  if (vector === undefined || hash === undefined) return []
  const bytes = Buffer.from(vector, 'base64')
  if (bytes.length !== 4 * model.dimensions) throw damaged('A vector has another length than its model says')
  const numbers = decodeVector(bytes)
  if (!numbers.every(Number.isFinite)) throw damaged('A vector holds what is no number')
  return [{ chunkId, textHash: hash, vector: bytes, bits: encodeSigns(signsOf(numbers)) }]
}

async function storeFile(
  blobs: BlobStore,
  entry: ArchiveEntry,
  content: { name: string; mediaType: string; sha256: string; sizeBytes: number },
  blobId: string,
): Promise<void> {
  const received = await blobs.receive(entry.bytes, {
    name: content.name,
    statedMediaType: content.mediaType,
    maxBytes: content.sizeBytes,
  })
  if (received.sha256 !== content.sha256 || received.sizeBytes !== content.sizeBytes) {
    await blobs.discard(received)
    throw damaged(`${entry.name} is not the file that the document's record names`)
  }
  await blobs.adopt(received, blobId)
}

const documentRow = (
  scope: Scope,
  collectionId: string,
  id: string,
  record: ArchivedDocument,
  blobId: string,
) => ({
  id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  collection_id: collectionId,
  external_id: record.externalId,
  name: safePath(record.name),
  title: record.title,
  given_title: record.givenTitle,
  media_type: record.mediaType,
  size_bytes: record.sizeBytes,
  sha256: record.sha256,
  version: record.version,
  served_version: record.servedVersion,
  status: record.status,
  progress: record.status === 'ready' ? 1 : 0,
  error_code: record.error?.code ?? null,
  error_message: record.error?.message ?? null,
  metadata: encodeJson<Record<string, unknown>>(record.metadata),
  blob_id: blobId,
  text_length: record.textLength,
  page_count: record.pageCount,
  warnings: encodeJson(record.warnings ?? []),
  chunk_count: record.chunkCount,
  deleted_at: null,
  erase_at: null,
  created_at: Date.parse(record.createdAt),
  updated_at: Date.parse(record.updatedAt),
  revision: 1,
})

const versionRow = (id: string, version: ArchivedDocument['versions'][number], blobId: string) => ({
  document_id: id,
  version: version.version,
  name: safePath(version.name),
  title: version.title,
  media_type: version.mediaType,
  size_bytes: version.sizeBytes,
  sha256: version.sha256,
  blob_id: blobId,
  text_length: version.textLength,
  page_count: version.pageCount,
  warnings: encodeJson(version.warnings ?? []),
  chunk_count: version.chunkCount,
  replaced_at: Date.parse(version.replacedAt),
})

const alphabet = '0123456789abcdefghjkmnpqrstvwxyz'
const idLength = 26

/**
 * Makes new ids in the order of the old ids, so that imported rows and equal scores keep their order. Adds the same
 * random number to each id: new ids cannot be guessed, and two ids never become the same.
 */
export function createIdShift(): (kind: IdKind, id: string) => string {
  const shift = BigInt(`0x${randomBytes(8).toString('hex')}`)
  return (kind, id) => {
    const prefix = `${idPrefixes[kind]}_`
    if (!id.startsWith(prefix)) throw damaged(`${id.slice(0, 40)} is not the id of a ${kind}`)
    let number = shift
    let place = 1n
    for (const digit of id.slice(prefix.length).split('').reverse()) {
      number += BigInt(alphabet.indexOf(digit)) * place
      place *= 32n
    }
    let text = ''
    for (let rest = number; text.length < idLength; rest /= 32n) text = alphabet[Number(rest % 32n)] + text
    if (number >= place) throw damaged(`${id} lies beyond all times`)
    return prefix + text
  }
}
