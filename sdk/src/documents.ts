/** Documents: uploaded, waited for, read back. */
import {
  call,
  get,
  patch,
  path,
  post,
  previewPost,
  previewRemove,
  type Removal,
  removeOrErase,
} from './transport/calls.ts'
import { download } from './transport/download.ts'
import { DocumentFailedError } from './transport/errors.ts'
import { listOf, rankedListOf } from './transport/list.ts'
import type { Body, Data, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, FormBody, Transport } from './transport/transport.ts'
import { formOf, formOfFiles, type UploadFile, type UploadSource } from './transport/upload.ts'
import { waitUntil } from './transport/wait-until.ts'
import { withoutUndefined } from './without-undefined.ts'

type Document = Data<'getDocument'>

/** What a document is made of: a file, or a text, which may have a name such as `leave.md`. */
type DocumentSource =
  | { file: UploadFile; text?: never; name?: never }
  | { text: string; name?: string | undefined; file?: never }

export type NewDocument = DocumentSource & {
  collectionId: string
  /** The document's id in the system that it comes from; unique in its collection. */
  externalId?: string | undefined
  /** Found in the file unless given. */
  title?: string | undefined
  /** Up to 50 fields of your own. */
  metadata?: Record<string, unknown> | undefined
}

/** A document as another system knows it. */
type ExternalDocument = NewDocument & { externalId: string }

type PutOptions = CallOptions & {
  /** Fails with `PreconditionError` where the document is there already. */
  mustBeNew?: boolean
}

export type WaitOptions = Pick<CallOptions, 'signal'> & {
  /** How long to wait in all; five minutes unless given. */
  timeoutMs?: number
  /** Told whenever the server has been asked, such as for a progress bar. */
  onProgress?: (document: Document) => void
}

const uploadTimeoutMs = 15 * 60_000

export const createDocuments = (transport: Transport) => ({
  ...createIntake(transport),
  list: (query: Filtered<QueryOf<'listDocuments'>> = {}, options?: CallOptions) =>
    listOf<Item<'listDocuments'>>(transport, '/knowledge/documents', withFilterText(query), options),
  get: (id: string, options?: CallOptions) =>
    get<'getDocument'>(transport, path`/knowledge/documents/${id}`, options),
  /** Resolves once the file is stored safely; `waitUntilReady` waits for the rest. */
  upload: (document: NewDocument, options: CallOptions = {}) =>
    call<'uploadDocument'>(
      transport,
      { method: 'POST', ...sourceOf(document, '/knowledge/documents', '/from-text') },
      { timeoutMs: uploadTimeoutMs, ...options },
    ),
  /**
   * Makes the document with this external id what it is sent as. Unchanged content is left alone; changed content
   * becomes a new version, and the present one is found until that is ready.
   */
  put: (
    { collectionId, externalId, ...document }: ExternalDocument,
    { mustBeNew = false, ...options }: PutOptions = {},
  ) =>
    call<'putDocument'>(
      transport,
      withoutUndefined({
        method: 'PUT',
        ...sourceOf(document, path`/knowledge/collections/${collectionId}/documents/${externalId}`, '/text'),
        headers: mustBeNew ? { 'if-none-match': '*' } : undefined,
      }),
      { timeoutMs: uploadTimeoutMs, ...options },
    ),
  getByExternalId: (collectionId: string, externalId: string, options?: CallOptions) =>
    get<'getDocumentByExternalId'>(
      transport,
      path`/knowledge/collections/${collectionId}/documents/${externalId}`,
      options,
    ),
  deleteByExternalId: (collectionId: string, externalId: string, removal?: Removal) =>
    removeOrErase(transport, path`/knowledge/collections/${collectionId}/documents/${externalId}`, removal),
  /** Title, metadata and external id; the content is changed by `put`. */
  update: (id: string, change: Body<'updateDocument'>, options?: CallOptions) =>
    patch<'updateDocument'>(transport, path`/knowledge/documents/${id}`, change, options),
  updateByExternalId: (
    collectionId: string,
    externalId: string,
    change: Body<'updateDocumentByExternalId'>,
    options?: CallOptions,
  ) =>
    patch<'updateDocumentByExternalId'>(
      transport,
      path`/knowledge/collections/${collectionId}/documents/${externalId}`,
      change,
      options,
    ),
  versions: createVersions(transport),
  /** Resolves with the document once it can be found. Throws `DocumentFailedError` or `TimeoutError`. */
  waitUntilReady: (id: string, options: WaitOptions = {}) => waitUntilReady(transport, id, options),
  /** Its passages, in the order of its text. */
  chunks: (id: string, query: QueryOf<'listDocumentChunks'> = {}, options?: CallOptions) =>
    listOf<Item<'listDocumentChunks'>>(transport, path`/knowledge/documents/${id}/chunks`, query, options),
  /** Its tables, with the names of their columns and their rows; at most 50,000 cells a page. */
  tables: (id: string, query: QueryOf<'listDocumentTables'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listDocumentTables'>>(
      transport,
      path`/knowledge/documents/${id}/tables`,
      query,
      options,
    ),
  /** The extracted text, whole or from code point `from` to `to`; at most 100,000 code points at a time. */
  content: (id: string, range: QueryOf<'getDocumentContent'> = {}, options?: CallOptions) =>
    call<'getDocumentContent'>(
      transport,
      { method: 'GET', path: path`/knowledge/documents/${id}/content`, query: range },
      options,
    ),
  /**
   * The file as it was uploaded, of the latest version unless another is asked for; read its `body`, `blob()` or
   * `arrayBuffer()`. A connection that breaks meanwhile is taken up again where it broke.
   */
  original: (
    id: string,
    query: QueryOf<'getDocumentOriginal'> = {},
    options?: CallOptions,
  ): Promise<Response> =>
    download(transport, { method: 'GET', path: path`/knowledge/documents/${id}/original`, query }, options),
  ...createPages(transport),
  /** Queues a failed document again: the server reads its stored file a second time. */
  retry: (id: string, options?: CallOptions) =>
    post<'retryDocument'>(transport, path`/knowledge/documents/${id}/retry`, undefined, options),
  /** Makes a new version of the same file, read by the server as it is now; the present one is found until that is ready. */
  reprocess: (id: string, options?: CallOptions) =>
    post<'reprocessDocument'>(transport, path`/knowledge/documents/${id}/reprocess`, undefined, options),
  /** Queues all failed documents again, or those of a collection or with given error codes; returns how many. */
  retryFailed: (which: Body<'retryDocuments'> = {}, options?: CallOptions) =>
    post<'retryDocuments'>(transport, '/knowledge/documents/retry', which, options),
  /** What `retryFailed` would do; nothing is changed. */
  previewRetryFailed: (which: Body<'retryDocuments'> = {}, options?: CallOptions) =>
    previewPost(transport, '/knowledge/documents/retry', which, options),
  /** Into the trash, or with `erase` for good. */
  delete: (id: string, removal?: Removal) =>
    removeOrErase(transport, path`/knowledge/documents/${id}`, removal),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/knowledge/documents/${id}`, options),
})

/** A file goes to the path itself, a text to the path for texts below it. */
const sourceOf = (
  { file, ...fields }: DocumentSource,
  path: string,
  below: string,
): { path: string; form: FormBody } | { path: string; body: typeof fields } =>
  file === undefined
    ? { path: `${path}${below}`, body: fields }
    : { path, form: formOf(fields, 'file', file) }

async function waitUntilReady(
  transport: Transport,
  id: string,
  { timeoutMs = 300_000, signal, onProgress }: WaitOptions,
): Promise<Document> {
  const at = path`/knowledge/documents/${id}`
  const read = async (headers: Record<string, string>) => {
    const document = await call<'getDocument'>(transport, { method: 'GET', path: at, headers }, { signal })
    onProgress?.(document)
    return document
  }
  const isOver = ({ status }: Document) => status === 'ready' || status === 'failed'
  const document = await waitUntil(read, { isOver, heldSeconds: 20, timeoutMs })
  if (document.status === 'ready') return document
  throw new DocumentFailedError(id, document.error ?? { code: 'unknown', message: 'no reason was given' })
}

const createPages = (transport: Transport) => ({
  /** A page of a PDF as a picture (PNG), for people to see; pages count from 1. */
  page: (
    id: string,
    page: number,
    query: QueryOf<'getDocumentPage'> = {},
    options?: CallOptions,
  ): Promise<Response> =>
    download(
      transport,
      { method: 'GET', path: path`/knowledge/documents/${id}/pages/${String(page)}`, query },
      options,
    ),
  /** Where a passage lies on a page of a PDF: boxes in shares of the page, to be drawn over its picture. */
  boxes: (id: string, page: number, passage: QueryOf<'getDocumentPageBoxes'>, options?: CallOptions) =>
    call<'getDocumentPageBoxes'>(
      transport,
      { method: 'GET', path: path`/knowledge/documents/${id}/pages/${String(page)}/boxes`, query: passage },
      options,
    ),
})

const createVersions = (transport: Transport) => ({
  /** The latest version, then those that it replaced. */
  list: (documentId: string, query: QueryOf<'listDocumentVersions'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listDocumentVersions'>>(
      transport,
      path`/knowledge/documents/${documentId}/versions`,
      query,
      options,
    ),
  get: (documentId: string, version: number, options?: CallOptions) =>
    get<'getDocumentVersion'>(
      transport,
      path`/knowledge/documents/${documentId}/versions/${String(version)}`,
      options,
    ),
  /** Makes a new version of the content that an earlier one has; returns the document. */
  restore: (documentId: string, version: number, options?: CallOptions) =>
    post<'restoreDocumentVersion'>(
      transport,
      path`/knowledge/documents/${documentId}/versions/${String(version)}/restore`,
      undefined,
      options,
    ),
})

export type NewDocuments = {
  collectionId: string
  /** Each with its path as its name; a zip is taken apart. */
  files: readonly (Omit<UploadFile, 'content'> & { content: Exclude<UploadSource, ReadableStream> })[]
  /** `path` unless given: each file's path is its external id, so that the same files again are unchanged. */
  externalIds?: 'path' | 'none' | undefined
  /** Given to every one of them. */
  metadata?: Record<string, unknown> | undefined
}

const createIntake = (transport: Transport) => {
  const send = (documents: NewDocuments, dryRun: boolean, options?: CallOptions) =>
    call<'uploadDocuments'>(
      transport,
      {
        method: 'POST',
        path: '/knowledge/documents/batch',
        form: formOfMany(documents),
        query: dryRun ? { dryRun } : undefined,
      },
      { timeoutMs: uploadTimeoutMs, ...options },
    )
  return {
    /** Returns what became of each file; one that cannot be taken never costs another. */
    uploadMany: (documents: NewDocuments, options?: CallOptions) => send(documents, false, options),
    /** The same outcomes, and nothing is taken. */
    previewUploadMany: (documents: NewDocuments, options?: CallOptions) => send(documents, true, options),
    /** The server fetches the file; with an `externalId` the document that has it is brought up to date. */
    uploadFromUrl: (document: Body<'uploadDocumentFromUrl'>, options?: CallOptions) =>
      post<'uploadDocumentFromUrl'>(transport, '/knowledge/documents/from-url', document, {
        timeoutMs: uploadTimeoutMs,
        ...options,
      }),
  }
}

const formOfMany = ({ files, ...fields }: NewDocuments): FormBody => formOfFiles(fields, 'file', files)

// Filters over the metadata of documents, as values instead of JSON text.

export type FilterValue = string | number | boolean

/** One condition on a field of the metadata, or on one of every document, such as `$createdAt`. */
export type FilterCondition = { field: string } & (
  | { op: 'eq' | 'ne'; value: FilterValue }
  | { op: 'in'; value: readonly FilterValue[] }
  | { op: 'gt' | 'gte' | 'lt' | 'lte'; value: string | number }
  | { op: 'exists'; value?: boolean }
  | { op: 'contains'; value: string }
)

export type Filter =
  | FilterCondition
  | { and: readonly Filter[] }
  | { or: readonly Filter[] }
  | { not: Filter }

/** A query whose filter may be a value. */
export type Filtered<Query> = Omit<Query, 'filter'> & { filter?: Filter | string | undefined }

/** The query as it is sent. */
export const withFilterText = <Query extends { filter?: Filter | string | undefined }>({
  filter,
  ...rest
}: Query) => ({
  ...rest,
  filter: filter === undefined ? undefined : typeof filter === 'string' ? filter : JSON.stringify(filter),
})
