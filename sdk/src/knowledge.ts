/** Knowledge: collections, documents and search. */
import { get, patch, path, post, previewRemove, remove } from './calls.ts'
import { createDocuments } from './documents.ts'
import { listOf, rankedListOf } from './list.ts'
import type { Body, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createKnowledge = (transport: Transport) => ({
  collections: createCollections(transport),
  documents: createDocuments(transport),
  /** The passages that answer best, best first: `page()` for the first ten, `for await` for up to 1,000. */
  search: (
    query: string,
    filter: Omit<QueryOf<'searchKnowledge'>, 'query' | 'q'> = {},
    options?: CallOptions,
  ) => rankedListOf<Item<'searchKnowledge'>>(transport, '/knowledge/search', { ...filter, query }, options),
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
  /** Deletes the documents in it, too. */
  delete: (id: string, options?: CallOptions) =>
    remove(transport, path`/knowledge/collections/${id}`, options),
  previewDelete: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/knowledge/collections/${id}`, options),
})
