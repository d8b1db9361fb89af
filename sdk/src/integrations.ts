/** Integrations: the catalog of outside services, and the connections to them. */
import { get, path, post, previewRemove, remove } from './calls.ts'
import { listOf, rankedListOf } from './list.ts'
import type { Body, Item, QueryOf } from './operations.ts'
import type { CallOptions, Transport } from './transport.ts'

export const createIntegrations = (transport: Transport) => ({
  /** What can be connected, by name. */
  catalog: (query: QueryOf<'listIntegrationCatalog'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listIntegrationCatalog'>>(transport, '/integrations/catalog', query, options),
  /** What is connected. */
  list: (query: QueryOf<'listIntegrations'> = {}, options?: CallOptions) =>
    listOf<Item<'listIntegrations'>>(transport, '/integrations', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getIntegration'>(transport, path`/integrations/${id}`, options),
  /** For OAuth the reply holds the `authorizationUrl` to send the person to. */
  connect: (connection: Body<'connectIntegration'>, options?: CallOptions) =>
    post<'connectIntegration'>(transport, '/integrations/connect', connection, options),
  /** Calls the service once, and says whether the connection works. */
  test: (id: string, options?: CallOptions) =>
    post<'testIntegration'>(transport, path`/integrations/${id}/test`, undefined, options),
  /** Revokes what can be revoked at the service, and erases the secrets. */
  disconnect: (id: string, options?: CallOptions) => remove(transport, path`/integrations/${id}`, options),
  previewDisconnect: (id: string, options?: CallOptions) =>
    previewRemove(transport, path`/integrations/${id}`, options),
})
