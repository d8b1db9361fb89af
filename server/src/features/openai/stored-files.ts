/**
 * Files and vector stores of OpenAI's protocol: a file is a document, and a store is a collection. A document is in
 * one collection. So a file that is put into a store is copied there, as a document with the file's id as its
 * external id.
 */

import { type Fields, isFields } from '@atrium/connectors/fields'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { BlobStore, ReceivedFile } from '../../platform/blobs/blobs.ts'
import type { Caller } from '../../platform/caller.ts'
import type { Patience } from '../../platform/clock.ts'
import { type FieldError, invalidField, notFound, ServiceError } from '../../platform/errors.ts'
import { idPrefixes, type NewId, timeOf } from '../../platform/ids.ts'
import type { Filter } from '../../platform/narrowing.ts'
import type { CollectionService } from '../knowledge/documents/collections-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { TrashService } from '../knowledge/documents/trash-service.ts'
import type { NewCollection } from '../knowledge/records/schemas.ts'
import type { KnowledgeSearchService } from '../knowledge/search/search-service.ts'
import { isNotFound, nullWhereNotFound } from './earlier-responses.ts'
import { createReader, type Reader, refuse } from './requests/reading.ts'
import {
  type Attributes,
  batchField,
  metadataOf,
  ownMetadata,
  readAttributes,
  readSearch,
} from './requests/store-request.ts'

export type StoredFiles = ReturnType<typeof createStoredFiles>

/** A part of a list of files or stores; `after` is the id of the last row that arrived. */
export type Slice = { limit: number; after: string | undefined }

/** Checks a filter in Atrium's language. */
export type ReadFilter = (wanted: Fields) => { filter: Filter | null } | { errors: FieldError[] }

export type FileRow = Awaited<ReturnType<DocumentService['list']>>['items'][number]
/** A document's row with the fields that its copies need. */
type SourceRow = Awaited<ReturnType<DocumentService['get']>>
export type StoreRow = Awaited<ReturnType<CollectionService['get']>>
export type Store = { row: StoreRow; unsettled: { inProgress: number; failed: number } }
export type Batch = { id: string; storeId: string; createdAt: number; files: FileRow[] }

/** The collection of files that were uploaded without a store. */
const collectionOfFiles = "Files of OpenAI's clients"

/** Each file is copied before the reply. */
const mostAtOnce = 100

const removal = { ifMatch: null, dryRun: false, erase: false }
const noPatience: Patience = { waitMs: 0, signal: AbortSignal.abort() }

type Dependencies = {
  collections: CollectionService
  documents: DocumentService
  trash: TrashService
  knowledge: KnowledgeSearchService
  blobs: BlobStore
  newId: NewId
  readFilter: ReadFilter
  /** Throws a `validation_failed` that names the fields of the collection. */
  checkCollection: (collection: NewCollection) => void
}

export function createStoredFiles(dependencies: Dependencies) {
  const copies = createCopies(dependencies)
  return {
    ...createFiles(dependencies),
    ...createStores(dependencies, copies),
    ...createFilesInStores(dependencies, copies),
    ...createBatches(dependencies, copies),
  }
}

function createFiles({ collections, documents, trash }: Dependencies) {
  const file = (caller: Caller, id: string): Promise<FileRow> => documents.get(caller, id, noPatience)

  /** The collection for files without a store; it is made with the first file. */
  async function placeOfFiles(caller: Caller): Promise<string> {
    const named = await collections.list(caller, { page: 1, pageSize: 1, words: { name: collectionOfFiles } })
    const [known] = named.items
    return (known ?? (await collections.create(caller, { name: collectionOfFiles }))).id
  }

  return {
    file,
    original: (caller: Caller, id: string) => documents.original(caller, id),
    listFiles: async (caller: Caller, slice: Slice) =>
      sliceOf(await documents.list(caller, {}, pageOf(slice)), slice),

    /** Throws like an upload, and a 400 that names `vector_store_id` if the store does not exist. */
    async createFile(
      caller: Caller,
      { storeId }: { storeId: string | undefined },
      received: ReceivedFile,
    ): Promise<FileRow> {
      if (storeId !== undefined) {
        await collections.get(caller, storeId).catch(error => {
          throw isNotFound(error) ? invalidField('vector_store_id', 'There is no such vector store') : error
        })
      }
      const collectionId = storeId ?? (await placeOfFiles(caller))
      return await documents.create(caller, { collectionId }, received, noPatience)
    },

    /** Deletes the file's copies in the stores first, so that a call that fails in between can be repeated. */
    async removeFile(caller: Caller, id: string): Promise<void> {
      const row = await file(caller, id)
      for (;;) {
        const { items } = await documents.list(caller, { externalId: id }, { page: 1, pageSize: mostAtOnce })
        if (items.length === 0) break
        // Another request may have deleted the copy first.
        for (const copy of items) await trash.remove(caller, copy.id, removal).catch(nullWhereNotFound)
      }
      await trash.remove(caller, row.id, removal)
    },
  }
}

function createStores(
  { collections, documents, trash, knowledge, readFilter, checkCollection }: Dependencies,
  { put, sourcesOf }: Copies,
) {
  async function storeOf(caller: Caller, row: StoreRow): Promise<Store> {
    const unsettled = await documents.unsettled(caller, [row.id])
    return { row, unsettled: unsettled.get(row.id) ?? { inProgress: 0, failed: 0 } }
  }

  return {
    async listStores(caller: Caller, slice: Slice) {
      const { rows, hasMore } = sliceOf(await collections.list(caller, pageOf(slice)), slice)
      const unsettled = await documents.unsettled(
        caller,
        rows.map(({ id }) => id),
      )
      const stores = rows.map(
        (row): Store => ({
          row,
          unsettled: unsettled.get(row.id) ?? { inProgress: 0, failed: 0 },
        }),
      )
      return { stores, hasMore }
    },

    store: async (caller: Caller, id: string): Promise<Store> =>
      storeOf(caller, await collections.get(caller, id)),

    async createStore(caller: Caller, body: Fields): Promise<Store> {
      const reader = createReader()
      const wanted: NewCollection = {
        name: reader.text(body.name, 'name') ?? 'Vector store',
        description: reader.text(body.description, 'description') ?? null,
      }
      refuse(body, refusedOfStores, reader)
      const fileIds = fileIdsOf(body, reader)
      reader.finish()
      checkCollection(wanted)
      const sources = await sourcesOf(caller, fileIds, 'file_ids')
      const row = await collections.create(caller, wanted)
      for (const source of sources) await put(caller, row.id, source)
      return storeOf(caller, await collections.get(caller, row.id))
    },

    async updateStore(caller: Caller, id: string, body: Fields): Promise<Store> {
      const reader = createReader()
      const name = reader.text(body.name, 'name')
      refuse(body, refusedOfStores, reader)
      reader.finish()
      if (name === undefined) return storeOf(caller, await collections.get(caller, id))
      checkCollection({ name })
      return storeOf(caller, await collections.update(caller, id, { name }, null))
    },

    removeStore: async (caller: Caller, id: string): Promise<void> => {
      await trash.collections.remove(caller, id, removal)
    },

    async search(caller: Caller, storeId: string, body: Fields, signal: AbortSignal) {
      await collections.get(caller, storeId)
      const { query, limit, filter } = readSearch(body)
      const checked = filter === null ? { filter } : readFilter(filter)
      if ('errors' in checked) throw inFilters(checked.errors)
      const narrowed = checked.filter === null ? {} : { filter: checked.filter }
      const request = { query, collectionIds: [storeId], ...narrowed }
      const { items } = await knowledge.search(caller, request, { page: 1, pageSize: limit }, signal)
      return { query, hits: items }
    },
  }
}

function createFilesInStores({ collections, documents, trash }: Dependencies, { put, sourceOf }: Copies) {
  /** Finds a file of the store by the original file's id, or by the document's own id. */
  async function fileIn(caller: Caller, storeId: string, fileId: string): Promise<FileRow> {
    await collections.get(caller, storeId)
    const copy = await documents.findByExternalId(caller, { collectionId: storeId, externalId: fileId })
    const row = await documents.get(caller, copy?.id ?? fileId, noPatience)
    if (row.collection_id !== storeId) throw notFound()
    return row
  }

  return {
    fileIn,

    async listFilesIn(caller: Caller, storeId: string, { limit, after }: Slice, filter: string | undefined) {
      await collections.get(caller, storeId)
      const last =
        after === undefined ? undefined : await fileIn(caller, storeId, after).catch(nullWhereNotFound)
      if (last === null) throw invalidField('after', 'names no file of the vector store')
      const slice = { limit, after: last?.id }
      const status = filter === undefined ? undefined : statusOf(filter)
      const wanted = withoutUndefined({ collectionId: storeId, status })
      return sliceOf(await documents.list(caller, wanted, pageOf(slice)), slice)
    },

    async addFile(caller: Caller, storeId: string, body: Fields): Promise<FileRow> {
      await collections.get(caller, storeId)
      const reader = createReader()
      const id = reader.text(body.file_id, 'file_id')
      if (id === undefined) reader.fault('file_id', 'is required: the id of a file')
      const attributes = readAttributes(body.attributes, 'attributes', reader)
      reader.finish()
      const source = await sourceOf(caller, id ?? '', 'file_id')
      return put(caller, storeId, source, { attributes })
    },

    async updateFile(caller: Caller, storeId: string, fileId: string, body: Fields): Promise<FileRow> {
      const row = await fileIn(caller, storeId, fileId)
      const reader = createReader()
      const attributes = readAttributes(body.attributes, 'attributes', reader)
      if (body.attributes === undefined) reader.fault('attributes', 'is required: null takes them away')
      reader.finish()
      const batchId = metadataOf(row)[batchField]
      const metadata = batchId === undefined ? { ...attributes } : { ...attributes, [batchField]: batchId }
      return await documents.update(caller, row.id, { metadata }, null)
    },

    async removeFileIn(caller: Caller, storeId: string, fileId: string): Promise<void> {
      const row = await fileIn(caller, storeId, fileId)
      await trash.remove(caller, row.id, removal)
    },
  }
}

function createBatches({ collections, documents, newId }: Dependencies, { put, sourcesOf }: Copies) {
  return {
    /** Each file of a batch names its batch; nothing else about the batch is stored. */
    async createBatch(caller: Caller, storeId: string, body: Fields): Promise<Batch> {
      await collections.get(caller, storeId)
      const reader = createReader()
      const shared = readAttributes(body.attributes, 'attributes', reader)
      const fileIds = fileIdsOf(body, reader)
      const own = (reader.list(body.files, 'files') ?? []).map((one, at) => {
        const { file_id: fileId, attributes } = isFields(one) ? one : {}
        const id = reader.text(fileId, `files[${at}].file_id`)
        if (id === undefined) reader.fault(`files[${at}].file_id`, 'is required: the id of a file')
        return { id: id ?? '', attributes: readAttributes(attributes, `files[${at}].attributes`, reader) }
      })
      const wanted = [...fileIds.map(id => ({ id, attributes: shared })), ...own]
      const param = own.length > 0 ? 'files' : 'file_ids'
      if (wanted.length === 0) reader.fault('file_ids', 'is required: the ids of files')
      if (wanted.length > mostAtOnce) reader.fault(param, `must have at most ${mostAtOnce} files`)
      reader.finish()
      const sources = await sourcesOf(
        caller,
        wanted.map(({ id }) => id),
        param,
      )
      const id = newId('document').replace(idPrefixes.document, batchPrefix)
      const files: FileRow[] = []
      for (const [at, source] of sources.entries()) {
        files.push(await put(caller, storeId, source, { attributes: wanted[at]?.attributes, batchId: id }))
      }
      return { id, storeId, createdAt: timeOf(id), files }
    },

    /** Throws `not_found` for a batch without any file in the store. */
    async batch(caller: Caller, storeId: string, id: string): Promise<Batch> {
      await collections.get(caller, storeId)
      if (!id.startsWith(`${batchPrefix}_`)) throw notFound()
      const matching = { field: batchField, op: 'eq' as const, value: id }
      const filter = { collectionId: storeId, matching }
      const { items } = await documents.list(caller, filter, { page: 1, pageSize: mostAtOnce })
      if (items.length === 0) throw notFound()
      return { id, storeId, createdAt: timeOf(id), files: items }
    },
  }
}

type Copies = ReturnType<typeof createCopies>

/** A store's own data about a file. Attributes that are not given are copied from the file. */
type Wanted = { attributes?: Attributes | undefined; batchId?: string }

function createCopies({ documents, blobs }: Dependencies) {
  async function sourceOf(caller: Caller, id: string, param: string): Promise<SourceRow> {
    const row = await documents.get(caller, id, noPatience).catch(nullWhereNotFound)
    if (row === null) throw invalidField(param, `There is no file ${id.slice(0, 100)}`)
    return row
  }

  async function copyIn(caller: Caller, collectionId: string, externalId: string): Promise<FileRow | null> {
    const copy = await documents.findByExternalId(caller, { collectionId, externalId })
    return copy === undefined ? null : await documents.get(caller, copy.id, noPatience)
  }

  return {
    sourceOf,

    /** Finds all files before any is copied. */
    async sourcesOf(caller: Caller, ids: readonly string[], param: string): Promise<SourceRow[]> {
      const rows: SourceRow[] = []
      for (const [at, id] of ids.entries()) rows.push(await sourceOf(caller, id, `${param}[${at}]`))
      return rows
    },

    /** Puts the file into the store under the file's id. The same content is copied only once. */
    async put(caller: Caller, storeId: string, source: SourceRow, wanted: Wanted = {}): Promise<FileRow> {
      const own = wanted.attributes ?? ownMetadata(metadataOf(source))
      const metadata = wanted.batchId === undefined ? own : { ...own, [batchField]: wanted.batchId }
      const known = source.collection_id === storeId ? source : await copyIn(caller, storeId, source.id)
      if (known !== null && known.sha256 === source.sha256) {
        if (wanted.attributes === undefined && wanted.batchId === undefined) return known
        return await documents.update(caller, known.id, { metadata }, null)
      }
      const { name, mediaType, sizeBytes, open } = await documents.original(caller, source.id)
      const stated = { name, statedMediaType: mediaType, maxBytes: sizeBytes }
      const received = await blobs.receive(await open(), stated)
      try {
        const target = { collectionId: storeId, externalId: source.id }
        const change = { title: source.given_title ?? undefined, metadata }
        const conditions = { ifMatch: null, ifNoneMatch: false, ...noPatience }
        return (await documents.put(caller, target, change, received, conditions)).row
      } finally {
        await blobs.discard(received)
      }
    },
  }
}

const inFilters = (errors: readonly FieldError[]): ServiceError =>
  new ServiceError('validation_failed', undefined, {
    errors: errors.map(({ field: _, ...error }) => ({ ...error, field: 'filters' })),
  })

const batchPrefix = 'vsfb'

/** One row more shows whether there are others. */
const pageOf = ({ limit, after }: Slice) => ({ page: 1, pageSize: limit + 1, after })

const sliceOf = <Row>({ items }: { items: Row[] }, { limit }: Slice) => ({
  rows: items.slice(0, limit),
  hasMore: items.length > limit,
})

/** Fields that people rely on, or that delete data, must not be ignored. */
const refusedOfStores = {
  expires_after: 'is not to be had: delete the vector store',
  metadata: 'is not kept of a vector store: use its name and description',
}

function fileIdsOf(body: Fields, reader: Reader): string[] {
  const ids = reader.list(body.file_ids, 'file_ids') ?? []
  if (ids.length > mostAtOnce) reader.fault('file_ids', `must have at most ${mostAtOnce} files`)
  return ids.slice(0, mostAtOnce).map((id, at) => reader.text(id, `file_ids[${at}]`) ?? '')
}

/** `in_progress` stands for several statuses of a document, and the list can ask for only one. */
function statusOf(filter: string): 'ready' | 'failed' {
  if (filter === 'completed') return 'ready'
  if (filter === 'failed') return 'failed'
  throw invalidField('filter', 'must be completed or failed')
}
