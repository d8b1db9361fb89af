/** Knowledge: collections, documents and search. */
import { createDocuments, type Filtered, withFilterText } from './documents.ts'
import { createUploads } from './resumable.ts'
import {
  call,
  get,
  patch,
  path,
  post,
  previewPost,
  previewRemove,
  type Removal,
  remove,
  removeOrErase,
} from './transport/calls.ts'
import { listOf, rankedListOf } from './transport/list.ts'
import type { Body, Data, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'
import { formOf, type UploadFile } from './transport/upload.ts'
import { waitUntil } from './transport/wait-until.ts'

export const createKnowledge = (transport: Transport) => ({
  collections: createCollections(transport),
  documents: createDocuments(transport),
  syncs: createSyncs(transport),
  uploads: createUploads(transport),
  imports: createImports(transport),
  trash: createTrash(transport),
  /** Whether quotes still stand in their documents word for word, in their order. */
  verifyCitations: (citations: Body<'verifyCitations'>['citations'], options?: CallOptions) =>
    post<'verifyCitations'>(transport, '/knowledge/citations/verify', { citations }, options),
  /** The passages that answer best, best first: `page()` for the first ten, `for await` for up to 1,000. */
  search: (
    query: string,
    narrowed: Filtered<Omit<QueryOf<'searchKnowledge'>, 'query' | 'q'>> = {},
    options?: CallOptions,
  ) =>
    rankedListOf<Item<'searchKnowledge'>>(
      transport,
      '/knowledge/search',
      { ...withFilterText(narrowed), query },
      options,
    ),
})

const createCollections = (transport: Transport) => ({
  list: (query: QueryOf<'listCollections'> = {}, options?: CallOptions) =>
    listOf<Item<'listCollections'>>(transport, '/knowledge/collections', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getCollection'>(transport, path`/knowledge/collections/${id}`, options),
  create: (collection: Body<'createCollection'>, options?: CallOptions) =>
    post<'createCollection'>(transport, '/knowledge/collections', collection, options),
  update: (id: string, change: Body<'updateCollection'>, options?: CallOptions) =>
    patch<'updateCollection'>(transport, path`/knowledge/collections/${id}`, change, options),
  /** One archive of all that is in it, as `imports.create` takes it; read its `body` as a stream. */
  export: (id: string, options?: CallOptions): Promise<Response> =>
    transport.open({ method: 'GET', path: path`/knowledge/collections/${id}/export` }, options),
  /** With the documents in it, into the trash, or with `erase` for good. */
  delete: (id: string, removal?: Removal) =>
    removeOrErase(transport, path`/knowledge/collections/${id}`, removal),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/knowledge/collections/${id}`, options),
})

export type CollectionImport = Data<'getImport'>

export type NewImport = {
  file: UploadFile
  /** The new collection's name; the one that it has in the archive unless given. */
  name?: string | undefined
}

const uploadTimeoutMs = 60 * 60_000

const createImports = (transport: Transport) => ({
  /** Resolves once the archive is stored; `wait` waits for the rest. */
  create: ({ file, ...fields }: NewImport, options: CallOptions = {}) =>
    call<'importCollection'>(
      transport,
      { method: 'POST', path: '/knowledge/imports', form: formOf(fields, 'file', file) },
      { timeoutMs: uploadTimeoutMs, ...options },
    ),
  get: (id: string, options?: CallOptions) =>
    get<'getImport'>(transport, path`/knowledge/imports/${id}`, options),
  /** Resolves once the import has `succeeded` or `failed`; its `error` says why. Throws `TimeoutError`. */
  wait: (
    id: string,
    { timeoutMs = 3_600_000, signal }: Pick<CallOptions, 'timeoutMs' | 'signal'> = {},
  ): Promise<CollectionImport> => {
    const at = path`/knowledge/imports/${id}`
    return waitUntil(
      headers => call<'getImport'>(transport, { method: 'GET', path: at, headers }, { signal }),
      { isOver: ({ finishedAt }) => finishedAt !== null, heldSeconds: 20, timeoutMs },
    )
  },
})

const createTrash = (transport: Transport) => ({
  /** Documents that can be restored. */
  list: (query: QueryOf<'listTrash'> = {}, options?: CallOptions) =>
    listOf<Item<'listTrash'>>(transport, '/knowledge/trash', query, options),
  /** Collections that can be restored, with everything in them. */
  collections: (query: QueryOf<'listTrashedCollections'> = {}, options?: CallOptions) =>
    listOf<Item<'listTrashedCollections'>>(transport, '/knowledge/trash/collections', query, options),
  /** Returns the document; its status tells when it is found again. */
  restore: (documentId: string, options?: CallOptions) =>
    post<'restoreDocument'>(transport, path`/knowledge/documents/${documentId}/restore`, undefined, options),
  restoreCollection: (id: string, options?: CallOptions) =>
    post<'restoreCollection'>(transport, path`/knowledge/collections/${id}/restore`, undefined, options),
  /** Nothing in it can be restored from then on. */
  empty: (options?: CallOptions) => remove(transport, '/knowledge/trash', options),
  previewEmpty: (options?: CallOptions) => previewRemove(transport, '/knowledge/trash', options),
})

/** The server waits for the deletions, up to a minute. */
const completeWaitSeconds = 60

/** A dry run has the other shape, and a method of its own. */
type CompletedSync = Exclude<Data<'completeSync'>, { dryRun: boolean }>

/** A session that is open has an id; a preview has none. */
type OpenSync = Data<'openSync'> & { sync: { id: string } }

/** Sync sessions: a collection brought in line with the system that its documents come from. */
const createSyncs = (transport: Transport) => ({
  /**
   * The first page of the manifest may come with it; longer ones go on with `add`. With `ifOpen: 'resume'` a program that
   * was killed goes on with its session: `sync.entries` is how many entries that has.
   */
  open: (collectionId: string, sync: Body<'openSync'> = {}, options?: CallOptions) =>
    post<'openSync'>(
      transport,
      path`/knowledge/collections/${collectionId}/syncs`,
      sync,
      options,
    ) as Promise<OpenSync>,
  /** What a session with this manifest would do, deletions included; none is opened. */
  preview: (collectionId: string, sync: Body<'openSync'>, options?: CallOptions) =>
    call<'openSync'>(
      transport,
      {
        method: 'POST',
        path: path`/knowledge/collections/${collectionId}/syncs`,
        query: { dryRun: true },
        body: sync,
      },
      options,
    ),
  list: (collectionId: string, query: QueryOf<'listSyncs'> = {}, options?: CallOptions) =>
    listOf<Item<'listSyncs'>>(transport, path`/knowledge/collections/${collectionId}/syncs`, query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getSync'>(transport, path`/knowledge/syncs/${id}`, options),
  add: (id: string, entries: Body<'addSyncEntries'>['entries'], options?: CallOptions) =>
    post<'addSyncEntries'>(transport, path`/knowledge/syncs/${id}/entries`, { entries }, options),
  /** What was asked for and has not been uploaded. */
  missing: (id: string, query: QueryOf<'listMissingSyncEntries'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listMissingSyncEntries'>>(
      transport,
      path`/knowledge/syncs/${id}/missing`,
      query,
      options,
    ),
  /** Moves what is gone to the trash. Throws `ConflictError` with the code `delete_guard` if that is too much. */
  complete: (
    id: string,
    confirmation: Body<'completeSync'> = {},
    options?: CallOptions,
  ): Promise<CompletedSync> =>
    call<'completeSync'>(
      transport,
      {
        method: 'POST',
        path: path`/knowledge/syncs/${id}/complete`,
        body: confirmation,
        headers: { prefer: `wait=${completeWaitSeconds}` },
      },
      options,
    ) as Promise<CompletedSync>,
  /** What `complete` would delete. */
  previewComplete: (id: string, options?: CallOptions) =>
    previewPost(transport, path`/knowledge/syncs/${id}/complete`, {}, options),
  cancel: (id: string, options?: CallOptions): Promise<Data<'cancelSync'>> =>
    post<'cancelSync'>(transport, path`/knowledge/syncs/${id}/cancel`, undefined, options),
})
