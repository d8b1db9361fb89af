/** Endpoints for files and vector stores: a file is a document, and a vector store is a collection. */
import { bareJson, defineRoute, type Route, storedFile } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { idOf, stringEnum } from '../../platform/schemas.ts'
import type { SearchHit } from '../knowledge/search/search-schemas.ts'
import { LenientBody, listOf, listQuery, sliceAsked } from './about-routes.ts'
import { fileIdOf } from './file-search.ts'
import { attributesOf, type Metadata, metadataOf } from './requests/store-request.ts'
import type { Batch, FileRow, Store, StoredFiles } from './stored-files.ts'

export const storeRoutes = (stored: StoredFiles): Route[] => [
  ...fileRoutes(stored),
  ...vectorStoreRoutes(stored),
  ...storeFileRoutes(stored),
  ...batchRoutes(stored),
]

const UploadFields = Type.Closed({
  purpose: Type.Optional(
    stringEnum(['assistants', 'user_data', 'vision', 'evals'], { description: 'Is the same for all.' }),
  ),
  vector_store_id: Type.Optional(idOf('collection', { description: 'The store to put it into at once.' })),
})

const fileRoutes = (stored: StoredFiles): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/files',
    operationId: 'listOpenAiFiles',
    summary: 'List the documents as files',
    description: 'The latest first.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: listQuery,
    handle: async ({ caller, query }) => {
      const { rows, hasMore } = await stored.listFiles(caller, sliceAsked(query))
      return bareJson(listOf(rows.map(presentFile), hasMore))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/files',
    operationId: 'createOpenAiFile',
    summary: 'Upload a file',
    description: 'It becomes a document.',
    permission: 'knowledge:write',
    audit: 'document.create',
    upload: { file: 'file', fields: UploadFields, jsonFields: [], example: { purpose: 'assistants' } },
    handle: async ({ caller, upload }) => {
      const storeId = upload.fields.vector_store_id
      return bareJson(presentFile(await stored.createFile(caller, { storeId }, upload.file)))
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/files/:id',
    operationId: 'getOpenAiFile',
    summary: 'Get a file',
    description: 'With its status.',
    permission: 'knowledge:read',
    appliesFilter: true,
    handle: async ({ caller, params }) => bareJson(presentFile(await stored.file(caller, params.id))),
  }),
  defineRoute({
    method: 'GET',
    path: '/files/:id/content',
    operationId: 'getOpenAiFileContent',
    summary: 'Download a file',
    description: 'As it was uploaded.',
    permission: 'knowledge:read',
    appliesFilter: true,
    answersFile: true,
    handle: async ({ caller, params }) => {
      const { sizeBytes, sha256, mediaType, open } = await stored.original(caller, params.id)
      // An uploaded page must not be shown as a page of this server.
      const headers = { 'content-type': mediaType, 'content-disposition': 'attachment' }
      return storedFile({ sizeBytes, sha256, headers, open })
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/files/:id',
    operationId: 'deleteOpenAiFile',
    summary: 'Delete a file',
    description: 'From every vector store too.',
    permission: 'knowledge:write',
    audit: 'document.delete',
    handle: async ({ caller, params }) => {
      await stored.removeFile(caller, params.id)
      return bareJson({ id: params.id, object: 'file', deleted: true })
    },
  }),
]

const vectorStoreRoutes = (stored: StoredFiles): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/vector_stores',
    operationId: 'listOpenAiVectorStores',
    summary: 'List the collections as vector stores',
    description: 'The latest first.',
    permission: 'knowledge:read',
    query: listQuery,
    handle: async ({ caller, query }) => {
      const { stores, hasMore } = await stored.listStores(caller, sliceAsked(query))
      return bareJson(listOf(stores.map(presentStore), hasMore))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/vector_stores',
    operationId: 'createOpenAiVectorStore',
    summary: 'Create a vector store',
    description: 'A collection, with copies of the files.',
    permission: 'knowledge:write',
    audit: 'collection.create',
    body: LenientBody,
    handle: async ({ caller, body }) => bareJson(presentStore(await stored.createStore(caller, body))),
  }),
  defineRoute({
    method: 'GET',
    path: '/vector_stores/:id',
    operationId: 'getOpenAiVectorStore',
    summary: 'Get a vector store',
    description: 'With the numbers of its files.',
    permission: 'knowledge:read',
    handle: async ({ caller, params }) => bareJson(presentStore(await stored.store(caller, params.id))),
  }),
  defineRoute({
    method: 'POST',
    path: '/vector_stores/:id',
    operationId: 'updateOpenAiVectorStore',
    summary: 'Rename a vector store',
    description: 'Its files stay.',
    permission: 'knowledge:write',
    audit: 'collection.update',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(presentStore(await stored.updateStore(caller, params.id, body))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/vector_stores/:id',
    operationId: 'deleteOpenAiVectorStore',
    summary: 'Delete a vector store',
    description: 'With what was put into it; files that were copied stay.',
    permission: 'knowledge:write',
    audit: 'collection.delete',
    handle: async ({ caller, params }) => {
      await stored.removeStore(caller, params.id)
      return bareJson({ id: params.id, object: 'vector_store.deleted', deleted: true })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/vector_stores/:id/search',
    operationId: 'searchOpenAiVectorStore',
    summary: 'Search a vector store',
    description: 'The best passages of its files.',
    permission: 'knowledge:read',
    appliesFilter: true,
    audit: null,
    body: LenientBody,
    handle: async ({ caller, params, body, signal }) => {
      const { query, hits } = await stored.search(caller, params.id, body, signal())
      return bareJson(presentHits(query, hits))
    },
  }),
]

const storeFileRoutes = (stored: StoredFiles): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/vector_stores/:id/files',
    operationId: 'listOpenAiVectorStoreFiles',
    summary: 'List the files of a vector store',
    description: 'The latest first.',
    permission: 'knowledge:read',
    appliesFilter: true,
    query: Type.Object({
      ...listQuery.properties,
      filter: Type.Optional(Type.String({ description: '`completed` or `failed`.' })),
    }),
    handle: async ({ caller, params, query }) => {
      const slice = sliceAsked(query)
      const { rows, hasMore } = await stored.listFilesIn(caller, params.id, slice, query.filter)
      return bareJson(listOf(rows.map(presentStoreFile), hasMore))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/vector_stores/:id/files',
    operationId: 'createOpenAiVectorStoreFile',
    summary: 'Put a file into a vector store',
    description: 'A copy of it.',
    permission: 'knowledge:write',
    audit: 'document.put',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(presentStoreFile(await stored.addFile(caller, params.id, body))),
  }),
  defineRoute({
    method: 'GET',
    path: '/vector_stores/:id/files/:documentId',
    operationId: 'getOpenAiVectorStoreFile',
    summary: 'Get a file of a vector store',
    description: 'With its status.',
    permission: 'knowledge:read',
    appliesFilter: true,
    handle: async ({ caller, params }) => {
      const file = presentStoreFile(await stored.fileIn(caller, params.id, params.documentId))
      return bareJson(file, { headers: pollAfter(file.status) })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/vector_stores/:id/files/:documentId',
    operationId: 'updateOpenAiVectorStoreFile',
    summary: 'Change the attributes of a file',
    description: 'Those that the store has of it.',
    permission: 'knowledge:write',
    audit: 'document.update',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(presentStoreFile(await stored.updateFile(caller, params.id, params.documentId, body))),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/vector_stores/:id/files/:documentId',
    operationId: 'deleteOpenAiVectorStoreFile',
    summary: 'Take a file out of a vector store',
    description: 'The file that it was copied from stays.',
    permission: 'knowledge:write',
    audit: 'document.delete',
    handle: async ({ caller, params }) => {
      await stored.removeFileIn(caller, params.id, params.documentId)
      return bareJson({ id: params.documentId, object: 'vector_store.file.deleted', deleted: true })
    },
  }),
]

const batchRoutes = (stored: StoredFiles): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/vector_stores/:id/file_batches',
    operationId: 'createOpenAiFileBatch',
    summary: 'Put files into a vector store',
    description: 'Copies of them.',
    permission: 'knowledge:write',
    audit: 'document.put',
    body: LenientBody,
    handle: async ({ caller, params, body }) =>
      bareJson(presentBatch(await stored.createBatch(caller, params.id, body))),
  }),
  defineRoute({
    method: 'GET',
    path: '/vector_stores/:id/file_batches/:batchId',
    operationId: 'getOpenAiFileBatch',
    summary: 'Get a batch of files',
    description: 'With the numbers of its files.',
    permission: 'knowledge:read',
    handle: async ({ caller, params }) => {
      const batch = presentBatch(await stored.batch(caller, params.id, params.batchId))
      return bareJson(batch, { headers: pollAfter(batch.status) })
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/vector_stores/:id/file_batches/:batchId/files',
    operationId: 'listOpenAiFileBatchFiles',
    summary: 'List the files of a batch',
    description: 'All on one page.',
    permission: 'knowledge:read',
    handle: async ({ caller, params }) => {
      const { files } = await stored.batch(caller, params.id, params.batchId)
      return bareJson(listOf(files.map(presentStoreFile), false))
    },
  }),
]

/** Without this header, clients wait for five seconds. */
const pollAfter = (status: string): Record<string, string> =>
  status === 'in_progress' ? { 'openai-poll-after-ms': '500' } : {}

// Documents and collections in the form of files and vector stores.

const presentFile = ({ id, name, size_bytes: bytes, created_at: createdAt, ...row }: FileRow) => ({
  id,
  object: 'file',
  bytes,
  created_at: secondsOf(createdAt),
  filename: name,
  purpose: 'assistants',
  status: row.status === 'ready' ? 'processed' : row.status === 'failed' ? 'error' : 'uploaded',
  status_details: row.error_message,
})

function presentStore({ row, unsettled: { inProgress, failed } }: Store) {
  const total = row.document_count
  return {
    id: row.id,
    object: 'vector_store',
    created_at: secondsOf(row.created_at),
    name: row.name,
    description: row.description,
    usage_bytes: row.size_bytes,
    file_counts: {
      in_progress: inProgress,
      completed: Math.max(0, total - inProgress - failed),
      failed,
      cancelled: 0,
      total,
    },
    status: inProgress > 0 ? 'in_progress' : 'completed',
    expires_after: null,
    expires_at: null,
    last_active_at: secondsOf(row.updated_at),
    metadata: {},
  }
}

const presentStoreFile = (row: FileRow) => ({
  id: fileIdOf(row.id, row.external_id),
  object: 'vector_store.file',
  created_at: secondsOf(row.created_at),
  vector_store_id: row.collection_id,
  usage_bytes: row.size_bytes,
  status: statusOf(row),
  last_error:
    row.error_code === null ? null : { code: errorOf(row.error_code), message: row.error_message ?? '' },
  chunking_strategy: { type: 'other' },
  attributes: attributesOf(metadataOf(row)),
})

function presentBatch({ id, storeId, createdAt, files }: Batch) {
  const statuses = files.map(statusOf)
  const count = (status: string) => statuses.filter(one => one === status).length
  const inProgress = count('in_progress')
  return {
    id,
    object: 'vector_store.files_batch',
    created_at: secondsOf(createdAt),
    vector_store_id: storeId,
    status: inProgress > 0 ? 'in_progress' : 'completed',
    file_counts: {
      in_progress: inProgress,
      completed: count('completed'),
      failed: count('failed'),
      cancelled: 0,
      total: files.length,
    },
  }
}

const presentHits = (query: string, hits: readonly SearchHit[]) => ({
  object: 'vector_store.search_results.page',
  search_query: [query],
  data: hits.map(({ documentId, externalId, name, score, metadata, text }) => ({
    file_id: fileIdOf(documentId, externalId),
    filename: name,
    score,
    attributes: attributesOf(metadata as Metadata),
    content: [{ type: 'text', text }],
  })),
  has_more: false,
  next_page: null,
})

const secondsOf = (ms: number): number => Math.floor(ms / 1_000)

const statusOf = ({ status }: FileRow): string =>
  status === 'ready' ? 'completed' : status === 'failed' ? 'failed' : 'in_progress'

/** OpenAI's clients know only these three codes. */
const errorOf = (code: string): string => {
  if (code === 'unsupported_media_type') return 'unsupported_file'
  return code === 'internal_error' || code.endsWith('_timeout') ? 'server_error' : 'invalid_file'
}
