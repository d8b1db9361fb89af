/** API keys and the audit log of what was done with them. */
import { get, patch, path, post } from './calls.ts'
import { listOf } from './list.ts'
import type { Body, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createApiKeys = (transport: Transport) => ({
  list: (query: QueryOf<'listApiKeys'> = {}, options?: CallOptions) =>
    listOf<Item<'listApiKeys'>>(transport, '/api-keys', query, options),
  get: (id: string, options?: CallOptions) => get<'getApiKey'>(transport, path`/api-keys/${id}`, options),
  /** The reply holds the whole key, this once. */
  create: (key: Body<'createApiKey'>, options?: CallOptions) =>
    post<'createApiKey'>(transport, '/api-keys', key, options),
  update: (id: string, change: Body<'updateApiKey'>, options?: CallOptions) =>
    patch<'updateApiKey'>(transport, path`/api-keys/${id}`, change, options),
  /** Makes a new secret; the old one lives on for the overlap that is asked for. */
  rotate: (id: string, rotation: Body<'rotateApiKey'> = {}, options?: CallOptions) =>
    post<'rotateApiKey'>(transport, path`/api-keys/${id}/rotate`, rotation, options),
  revoke: (id: string, options?: CallOptions) =>
    post<'revokeApiKey'>(transport, path`/api-keys/${id}/revoke`, undefined, options),
})

export const createAuditLog = (transport: Transport) => ({
  list: (query: QueryOf<'listAuditLog'> = {}, options?: CallOptions) =>
    listOf<Item<'listAuditLog'>>(transport, '/audit-log', query, options),
})
