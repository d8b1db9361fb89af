/** The trash: what was deleted, until it is erased for good. */
import { type Effect, path, post, previewRemove, remove } from './calls.ts'
import { listOf } from './list.ts'
import type { Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createTrash = (transport: Transport) => ({
  /** Documents that can be restored. */
  list: (query: QueryOf<'listTrash'> = {}, options?: CallOptions) =>
    listOf<Item<'listTrash'>>(transport, '/knowledge/trash', query, options),
  /** Collections that can be restored, with everything in them. */
  collections: (query: QueryOf<'listTrashedCollections'> = {}, options?: CallOptions) =>
    listOf<Item<'listTrashedCollections'>>(transport, '/knowledge/trash/collections', query, options),
  /** Answers the document; its status tells when it is found again. */
  restore: (documentId: string, options?: CallOptions) =>
    post<'restoreDocument'>(transport, path`/knowledge/documents/${documentId}/restore`, undefined, options),
  restoreCollection: (id: string, options?: CallOptions) =>
    post<'restoreCollection'>(transport, path`/knowledge/collections/${id}/restore`, undefined, options),
  /** Nothing in it can be restored from then on. */
  empty: (options?: CallOptions) => remove(transport, '/knowledge/trash', options),
  previewEmpty: (options?: CallOptions): Promise<Effect[]> =>
    previewRemove(transport, '/knowledge/trash', options),
})
