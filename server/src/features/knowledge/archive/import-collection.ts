/**
 * Imports the collections of an archive, each into a hidden collection. Documents are indexed in their original
 * order, and one transaction at the end makes the collection visible.
 */

import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { sandboxEmbeddingName } from '../../../platform/models/embedding/sandbox-embedding.ts'
import type { Platform } from '../../../platform/platform.ts'
import { readChunkSlice } from '../records/chunks-store.ts'
import { insertCollection } from '../records/collections-store.ts'
import { ingestJob } from '../records/document-jobs.ts'
import { findModel, findOrMakeModel } from '../records/vectors-store.ts'
import { chunksPerSlice, type IndexWriter, prepareChunks } from '../search/index/index-writer.ts'
import { serveBy } from '../vectors/collection-vectors-store.ts'
import {
  type ArchiveCounts,
  ArchivedChunk,
  ArchivedCollection,
  ArchivedDocument,
  ArchiveEnd,
  ArchiveFault,
  damaged,
  entryNames,
} from './format.ts'
import { beginDocument, createIdShift, type DocumentImport, type Target } from './import-document.ts'
import { type ArchiveEntry, type ArchiveReader, readJson, readLines } from './read-archive.ts'

export type ImportDependencies = Pick<Platform, 'database' | 'blobs' | 'jobs' | 'newId'> & {
  index: IndexWriter
}

export type ImportOptions = {
  /** Replaces the name that the collection has in the archive. */
  name?: string | undefined
  /** The limit of all files together. */
  maxFileBytes: number
  /** Throws if all texts together are too large. */
  textRoom: TextRoom
  /** Whether the import takes vectors of models that this server has never used. */
  takesNewModels: boolean
  signal: AbortSignal
  write<T>(work: (tx: Tx) => Promise<T>): Promise<T>
}

export type CollectionImport = {
  collectionId: string
  /** The collection's record in the archive. */
  record: ArchivedCollection
  /** Takes an entry of a document; `rest` is the entry's name within the collection. */
  take(rest: string, entry: ArchiveEntry): Promise<void>
  /** Indexes the documents. Throws `ArchiveFault` if the last document is incomplete. */
  index(): Promise<void>
  /** Makes the collection visible, in a transaction that may hold other changes. */
  show(tx: Tx): Promise<void>
}

/**
 * Passes each entry of an archive to its collection. Returns the collections once the end entry has come and its
 * counts match. `begin` makes a collection from its record. Throws `ArchiveFault` for an entry before the first
 * collection.
 */
export async function importEntries(
  archive: ArchiveReader,
  counts: ArchiveCounts,
  begin: (number: number, entry: ArchiveEntry) => Promise<CollectionImport>,
): Promise<CollectionImport[]> {
  const collections: CollectionImport[] = []
  for (let entry = await archive.next(); entry !== null; entry = await archive.next()) {
    if (entry.name === entryNames.end) {
      const stated = await readJson(entry, ArchiveEnd)
      const isSame = Object.entries(counts).every(
        ([name, count]) => stated[name as keyof ArchiveCounts] === count,
      )
      if (!isSame) throw damaged('The archive holds something else than its end states')
      if ((await archive.next()) !== null) throw damaged('The archive goes on behind its end')
      return collections
    }
    const [, number = '', rest = ''] = /^collections\/(\d{1,6})\/(.{1,100})$/.exec(entry.name) ?? []
    if (number === '') throw damaged(`${entry.name.slice(0, 200)} is not expected here`)
    if (entry.name === entryNames.collection(collections.length + 1)) {
      collections.push(await begin(collections.length + 1, entry))
    } else {
      const collection = collections.at(-1)
      if (collection === undefined || Number(number) !== collections.length) {
        throw damaged(`${entry.name} is not expected here`)
      }
      await collection.take(rest, entry)
    }
  }
  throw damaged('The archive is cut off: it has no end.json')
}

/** Makes the hidden collection. `onMade` joins the transaction, so that a failed import knows what to erase. */
export async function beginCollection(
  dependencies: ImportDependencies,
  scopeOf: (record: ArchivedCollection) => Scope,
  entry: ArchiveEntry,
  counts: ArchiveCounts,
  options: ImportOptions & {
    onMade: (tx: Tx, collectionId: string, record: ArchivedCollection) => Promise<void>
  },
): Promise<CollectionImport> {
  const { blobs, index, jobs, newId } = dependencies
  const { write, signal } = options
  const record = await readJson(entry, ArchivedCollection)
  const scope = scopeOf(record)
  const collectionId = newId('collection')
  const model = await write(async tx => {
    await insertCollection(scope, tx, hiddenRow(scope, collectionId, record, options.name))
    await options.onMade(tx, collectionId, record)
    return chooseModel(scope, tx, collectionId, record, options.takesNewModels)
  })
  const target: Target = { scope, collectionId, blobs, newId, shiftId: createIdShift(), model, write }
  const unindexed: Unindexed[] = []
  const unread: { id: string; version: number }[] = []
  let current: DocumentImport | null = null
  let lastId = ''
  let number = 0
  counts.collections += 1

  const begin = async (entry: ArchiveEntry): Promise<void> => {
    finish()
    const document = await readJson(entry, ArchivedDocument)
    if (document.id <= lastId) throw damaged(`The document ${document.id} is out of order, or there twice`)
    lastId = document.id
    number += 1
    counts.documents += 1
    const files = [...document.versions, document]
    counts.fileBytes += files.reduce((sum, { sizeBytes }) => sum + sizeBytes, 0)
    if (counts.fileBytes > options.maxFileBytes) {
      throw new ArchiveFault(
        'storage_limit',
        "The archive's files are more than the plan's storage has room for",
      )
    }
    current = await beginDocument(target, document)
  }

  const finish = (): void => {
    if (current === null) return
    current.finish()
    const { id, record: document } = current
    if (document.status === 'queued') unread.push({ id, version: document.version })
    if (document.servedVersion !== null) unindexed.push({ id, version: document.servedVersion, document })
    current = null
  }

  return {
    collectionId,
    record,
    async take(rest, entry) {
      signal.throwIfAborted()
      const [, document = '', part = '', version = ''] =
        /^documents\/(\d{1,9})\/(?:document\.json|(chunks)-\d{1,9}\.jsonl|file-(\d{1,9}))$/.exec(rest) ?? []
      if (rest.endsWith('/document.json') && Number(document) === number + 1) return begin(entry)
      if (current === null || Number(document) !== number) throw damaged(`${entry.name} is not expected here`)
      if (version !== '') {
        counts.files += 1
        return current.file(Number(version), entry)
      }
      if (part === '') throw damaged(`${entry.name} is not expected here`)
      const lines = await readLines(entry, ArchivedChunk)
      options.textRoom(lines)
      counts.chunks += lines.length
      await current.chunks(lines)
    },
    async index() {
      finish()
      await indexInOrder(dependencies, target, options, unindexed)
    },
    async show(tx) {
      await index.showCollection(scope, tx, collectionId)
      await tx.updateTable('collections').set({ deleted_at: null }).where('id', '=', collectionId).execute()
      for (const { id, version } of unread) await jobs.enqueue(tx, ingestJob(scope, id, version))
    },
  }
}

/** The collection is in no list and not in the trash: it is marked as deleted, and is never due to be erased. */
const hiddenRow = (scope: Scope, id: string, record: ArchivedCollection, name = record.name) => ({
  id,
  workspace_id: scope.workspaceId,
  environment: scope.environment,
  name,
  description: record.description,
  document_count: 0,
  chunk_count: 0,
  size_bytes: 0,
  stored_bytes: 0,
  access: 'workspace' as const,
  deleted_at: Date.parse(record.updatedAt),
  erase_at: null,
  created_at: Date.parse(record.createdAt),
  updated_at: Date.parse(record.updatedAt),
  revision: 1,
})

/**
 * An archive with an invented model name must not fix that model's dimensions for the whole server. The test
 * environment takes only the sandbox model: each search would call and pay any other model.
 */
async function chooseModel(
  { environment }: Scope,
  tx: Tx,
  collectionId: string,
  { embedding }: ArchivedCollection,
  takesNewModels: boolean,
): Promise<Target['model']> {
  if (embedding === null) return null
  const { model: name, dimensions } = embedding
  if (environment === 'test' && name !== sandboxEmbeddingName) return null
  const known = await findModel(tx, name)
  if (known === undefined ? !takesNewModels : known.dimensions !== dimensions) return null
  const number = known?.number ?? (await findOrMakeModel(tx, name, dimensions))
  await serveBy(tx, collectionId, number)
  return { number, dimensions }
}

/** A document, with the version that search finds. */
type Unindexed = { id: string; version: number; document: ArchivedDocument }

/** A transaction of this size takes the one writer about 10 ms. */
const documentsAtOnce = 50

/**
 * Indexes the imported chunks in the order of the original index, so that equal matches keep their order. Search
 * finds none of them before the collection is shown.
 */
async function indexInOrder(
  { database, index }: ImportDependencies,
  { scope, collectionId }: Target,
  { signal, write }: ImportOptions,
  documents: readonly Unindexed[],
): Promise<void> {
  for (const { of, position, count } of slicesOf(documents)) {
    signal.throwIfAborted()
    const { name, title } = contentOf(of)
    const document = { id: of.id, version: of.version, collectionId, name, title }
    const chunks = prepareChunks(document, await readChunkSlice(database.read, of, position, count))
    await write(tx => index.writeChunks(scope, tx, document, chunks))
  }
  for (let start = 0; start < documents.length; start += documentsAtOnce) {
    signal.throwIfAborted()
    const slice = documents.slice(start, start + documentsAtOnce)
    await write(async tx => {
      for (const { id, version } of slice) await index.publishVersion(scope, tx, id, version)
    })
  }
}

type Slice = { of: Unindexed; place: number; position: number; count: number }

/** Slices with a known place come first. Each slice has at most `chunksPerSlice` chunks. */
function slicesOf(documents: readonly Unindexed[]): Slice[] {
  const slices = documents.flatMap(of => {
    const { segments, chunkCount } = of.document
    const whole = { place: Number.POSITIVE_INFINITY, position: 0, count: chunkCount }
    return (segments.length > 0 ? segments : [whole]).flatMap(segment => cut(of, segment))
  })
  return slices.sort((one, other) => (one.place === other.place ? 0 : one.place - other.place))
}

function cut(of: Unindexed, segment: Omit<Slice, 'of'>): Slice[] {
  const slices: Slice[] = []
  for (let done = 0; done < segment.count; done += chunksPerSlice) {
    const count = Math.min(chunksPerSlice, segment.count - done)
    slices.push({ of, place: segment.place + done, position: segment.position + done, count })
  }
  return slices
}

const contentOf = ({ version, document }: Unindexed) =>
  document.versions.find(one => one.version === version) ?? document

// The limit of an archive's texts. A plan limits files, and a reader keeps a document's text in proportion to its
// file. An archive brings its own texts, which could have any size beside files of a few bytes.

/** Atrium's texts are rarely larger than their files. Texts of packed formats are several times as large. */
const textPerStorage = 10
/** Counted for each chunk beside its text. Otherwise an archive could have any number of empty chunks. */
const rowBytes = 200

/** Takes the room that the chunks need. Throws `ArchiveFault` if there is not enough room. */
type TextRoom = (chunks: readonly ArchivedChunk[]) => void

export const unlimitedText: TextRoom = () => undefined

/** Counts the texts that the environment already holds, including earlier versions and the trash. */
export async function createTextRoom(scope: Scope, query: Query, storageBytes: number): Promise<TextRoom> {
  const maxBytes = textPerStorage * storageBytes
  let bytes = await sumTextBytes(scope, query)
  return chunks => {
    for (const { headings, text, gap } of chunks) {
      bytes += rowBytes + Buffer.byteLength(headings) + Buffer.byteLength(text) + Buffer.byteLength(gap)
    }
    if (bytes <= maxBytes) return
    throw new ArchiveFault(
      'storage_limit',
      `The archive's texts are too large: with what is stored they would come to more than ${textPerStorage} times the plan's storage of ${storageBytes} bytes`,
    )
  }
}

/** Leaves out collections that imports have not shown: their import counts them, or they are being erased. */
async function sumTextBytes({ workspaceId, environment }: Scope, query: Query): Promise<number> {
  const shown = sql`SELECT id FROM collections WHERE workspace_id = ${workspaceId}
    AND environment = ${environment} AND (deleted_at IS NULL OR erase_at IS NOT NULL)`
  const { rows } = await sql<{ bytes: number | null }>`
    SELECT sum(coalesce(text_length, 0) + ${sql.lit(rowBytes)} * chunk_count) AS bytes FROM (
      SELECT text_length, chunk_count FROM documents WHERE collection_id IN (${shown})
      UNION ALL
      SELECT version.text_length, version.chunk_count FROM document_versions AS version
      JOIN documents ON documents.id = version.document_id
      WHERE documents.collection_id IN (${shown})
    ) AS texts`.execute(query)
  return Number(rows[0]?.bytes ?? 0)
}
