/** The history of a document. */
import { get, path, post } from './calls.ts'
import { rankedListOf } from './list.ts'
import type { Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createVersions = (transport: Transport) => ({
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
  /** Makes a new version of the content that an earlier one has; answers the document. */
  restore: (documentId: string, version: number, options?: CallOptions) =>
    post<'restoreDocumentVersion'>(
      transport,
      path`/knowledge/documents/${documentId}/versions/${String(version)}/restore`,
      undefined,
      options,
    ),
})
