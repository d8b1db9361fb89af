/** Knowledge: collections, documents and search. */
import { createImports } from './archives.ts'
import { get, patch, path, post, previewRemove, type Removal, removeOrErase } from './calls.ts'
import { createDocuments } from './documents.ts'
import { type Filtered, withFilterText } from './filter.ts'
import { listOf, rankedListOf } from './list.ts'
import type { Body, Item, QueryOf } from './operations.ts'
import { createUploads } from './resumable.ts'
import { createSyncs } from './syncs.ts'
import type { CallOptions, Transport } from './transport.ts'
import { createTrash } from './trash.ts'

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
