/** Integrations: the catalog of outside services, and the connections to them. */
import { call, get, patch, path, post, previewRemove, remove } from './transport/calls.ts'
import { listOf, rankedListOf } from './transport/list.ts'
import type { Body, Item, QueryOf } from './transport/operations.ts'
import type { CallOptions, Transport } from './transport/transport.ts'

export const createIntegrations = (transport: Transport) => ({
  /** What can be connected, by name. */
  catalog: (query: QueryOf<'listIntegrationCatalog'> = {}, options?: CallOptions) =>
    rankedListOf<Item<'listIntegrationCatalog'>>(transport, '/integrations/catalog', query, options),
  /** What is connected. */
  list: (query: QueryOf<'listIntegrations'> = {}, options?: CallOptions) =>
    listOf<Item<'listIntegrations'>>(transport, '/integrations', query, options),
  get: (id: string, options?: CallOptions) =>
    get<'getIntegration'>(transport, path`/integrations/${id}`, options),
  /** For OAuth the reply holds what a person needs to authorize it: a `connectUrl`, an `authorizationUrl` or a `userCode`. */
  connect: (connection: Body<'connectIntegration'>, options?: CallOptions) =>
    post<'connectIntegration'>(transport, '/integrations/connect', connection, options),
  /** Reconnects a connection under the same id: with new `credentials`, or by authorizing it again. */
  reconnect: (id: string, access: Body<'reconnectIntegration'> = {}, options?: CallOptions) =>
    post<'reconnectIntegration'>(transport, path`/integrations/${id}/reconnect`, access, options),
  /** The OAuth clients by which people authorize connections: the workspace's own go before the server's. */
  clients: {
    /** Whose client counts, and the address to register with the service. */
    get: (integrationId: string, options?: CallOptions) =>
      get<'getOAuthClient'>(transport, path`/oauth-clients/${integrationId}`, options),
    /** The secret goes in and never comes out. */
    set: (integrationId: string, client: Body<'putOAuthClient'>, options?: CallOptions) =>
      call<'putOAuthClient'>(
        transport,
        { method: 'PUT', path: path`/oauth-clients/${integrationId}`, body: client },
        options,
      ),
    /** From then on the server's counts, where there is one. */
    delete: (integrationId: string, options?: CallOptions) =>
      remove(transport, path`/oauth-clients/${integrationId}`, options),
    previewDelete: (integrationId: string, options?: CallOptions) =>
      previewRemove(transport, path`/oauth-clients/${integrationId}`, options),
  },
  /** Calls the service once, and says whether the connection works. */
  test: (id: string, options?: CallOptions) =>
    post<'testIntegration'>(transport, path`/integrations/${id}/test`, undefined, options),
  /** Its name, its config, and how it is kept in sync: `{ sync: { everyMinutes: 60 } }`. */
  update: (id: string, change: Body<'updateIntegration'>, options?: CallOptions) =>
    patch<'updateIntegration'>(transport, path`/integrations/${id}`, change, options),
  /** The tools that a connected MCP server names: agents can use those that a person has accepted. */
  tools: {
    /** By their names, as the server listed them last. */
    list: (id: string, query: QueryOf<'listIntegrationTools'> = {}, options?: CallOptions) =>
      rankedListOf<Item<'listIntegrationTools'>>(transport, path`/integrations/${id}/tools`, query, options),
    /** Asks the server now. */
    refresh: (id: string, options?: CallOptions) =>
      post<'refreshIntegrationTools'>(transport, path`/integrations/${id}/tools/refresh`, undefined, options),
    /** `{ name, accept: hash }` accepts, `{ name, accept: null }` turns off; `needsApproval` decides about calls. */
    change: (id: string, tools: Body<'updateIntegrationTools'>['tools'], options?: CallOptions) =>
      post<'updateIntegrationTools'>(transport, path`/integrations/${id}/tools`, { tools }, options),
  },
  /** Begins a sync; `syncs.get` tells how far it has come, and how it ended. */
  sync: (id: string, wanted: Body<'startConnectionSync'> = {}, options?: CallOptions) =>
    post<'startConnectionSync'>(transport, path`/integrations/${id}/sync`, wanted, options),
  /** What brought a collection in line with a connection's service, and what came of it. */
  syncs: {
    /** Newest first. */
    list: (id: string, query: QueryOf<'listConnectionSyncs'> = {}, options?: CallOptions) =>
      listOf<Item<'listConnectionSyncs'>>(transport, path`/integrations/${id}/syncs`, query, options),
    get: (id: string, syncId: string, options?: CallOptions) =>
      get<'getConnectionSync'>(transport, path`/integrations/${id}/syncs/${syncId}`, options),
    /** What was written until then stays. */
    cancel: (id: string, syncId: string, options?: CallOptions) =>
      post<'cancelConnectionSync'>(
        transport,
        path`/integrations/${id}/syncs/${syncId}/cancel`,
        undefined,
        options,
      ),
    /** What it has fetched; `{ status: 'failed' }` shows what it could not, and why. */
    items: (
      id: string,
      syncId: string,
      query: QueryOf<'listConnectionSyncItems'> = {},
      options?: CallOptions,
    ) =>
      rankedListOf<Item<'listConnectionSyncItems'>>(
        transport,
        path`/integrations/${id}/syncs/${syncId}/items`,
        query,
        options,
      ),
  },
  /** Revokes what can be revoked at the service, and erases the secrets. The documents stay unless `documents` is `trash`. */
  disconnect: (
    id: string,
    { documents = 'keep', ...options }: CallOptions & { documents?: 'keep' | 'trash' } = {},
  ) => remove(transport, path`/integrations/${id}`, options, { documents }),
  previewDisconnect: (
    id: string,
    { documents = 'keep', ...options }: CallOptions & { documents?: 'keep' | 'trash' } = {},
  ) => previewRemove(transport, path`/integrations/${id}`, options, { documents }),
})
