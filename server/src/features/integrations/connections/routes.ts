/** Endpoints for integrations, their OAuth clients, their connections, and the tools of connected servers. */
import {
  created,
  defineRoute,
  deletedRecord,
  listed,
  noContent,
  ok,
  preview,
  type Route,
  standardList,
} from '../../../http/route.ts'
import { type Clock, toTimestamp } from '../../../platform/clock.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import { etagOf } from '../../../platform/revision.ts'
import { exampleId, stringEnum } from '../../../platform/schemas.ts'
import type { OAuthClients, ShownClient } from '../credentials/clients-service.ts'
import {
  OAuthClientRecord,
  OAuthClientSecret,
  oauthClientExample,
  Reconnection,
} from '../records/access-schemas.ts'
import {
  ConnectionTool,
  connectionToolExample,
  ToolsChange,
  ToolsRefresh,
  toolsChangeExample,
} from '../records/remote-tools-schemas.ts'
import {
  CatalogEntry,
  Connection,
  ConnectionTest,
  catalogExample,
  connectionExample,
  connectionStatuses,
  connectionTestExample,
  NewConnection,
  StartedConnection,
  startedConnectionExample,
} from '../records/schemas.ts'
import { afterwards, ConnectionChange } from '../records/sync-schemas.ts'
import type { AcceptedTools } from './accepted-tools-service.ts'
import { presentConnection, presentEntry, presentStarted, presentTest, presentTool } from './present.ts'
import type { IntegrationService } from './service.ts'
import type { UpdateConnection } from './update-connection.ts'

export const integrationRoutes = (integrations: IntegrationService, clock: Clock): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/integrations/catalog',
    operationId: 'listIntegrationCatalog',
    summary: 'List available integrations',
    description: 'All services that can be connected, by name, with what a connection to each one requires.',
    permission: 'integrations:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(CatalogEntry),
    example: catalogExample,
    handle: async ({ caller, page }) => {
      const { items, total } = await integrations.catalog(caller, page)
      const entries = items.map(({ connector, isConfigured }) => presentEntry(connector, isConfigured))
      return listed({ items: entries, total }, page)
    },
  }),
  defineRoute({
    method: 'GET',
    path: '/integrations',
    operationId: 'listIntegrations',
    summary: 'List connected integrations',
    description: 'Connections of the workspace, newest first. Secrets are never returned.',
    permission: 'integrations:read',
    query: Type.Object({
      integrationId: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only connections of this integration.' }),
      ),
      status: Type.Optional(
        stringEnum(connectionStatuses, { description: 'Only connections in this status.' }),
      ),
    }),
    list: { ...standardList, sorts: ['createdAt', 'name'], dates: ['created'], named: 'name' },
    data: Type.Array(Connection),
    example: [connectionExample],
    handle: async ({ caller, query, page }) => {
      const rows = await integrations.list(caller, query, page)
      return listed(rows, page, row => presentConnection(row, clock()))
    },
  }),
  connectRoute(integrations, clock),
  reconnectRoute(integrations, clock),
  defineRoute({
    method: 'GET',
    path: '/integrations/:id',
    operationId: 'getIntegration',
    summary: 'Get a connected integration',
    description: 'Returns one connection with its status and last error.',
    permission: 'integrations:read',
    data: Connection,
    example: connectionExample,
    handle: async ({ caller, params }) => {
      const row = await integrations.get(caller, params.id)
      return ok(presentConnection(row, clock()), etagOf(row))
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/test',
    operationId: 'testIntegration',
    summary: 'Test a connected integration',
    description:
      'Calls the service with the stored credentials, and refreshes them if needed. Answers 200 whether or not the service accepts them: see `ok`. If the service refuses the credentials, the connection becomes `needs_reauth`. In the sandbox nothing is called and the test succeeds.',
    permission: 'integrations:write',
    audit: 'integration.test',
    data: ConnectionTest,
    example: connectionTestExample,
    replyTexts: { 200: 'Whether the service accepted the call.' },
    errors: ['connection_not_active'],
    handle: async ({ caller, params }) => {
      return ok(presentTest(await integrations.test(caller, params.id), clock()))
    },
  }),
  defineRoute({
    method: 'DELETE',
    path: '/integrations/:id',
    operationId: 'disconnectIntegration',
    summary: 'Disconnect an integration',
    description:
      'Deletes the connection, erases its secrets and stops a sync in progress. Then it asks the service to revoke the grant, once and without waiting for success. The synced documents stay unless `documents=trash` moves them to the trash in the background, which also needs `knowledge:write`.',
    permission: 'integrations:write',
    audit: 'integration.disconnect',
    destructive: true,
    query: Type.Object({
      documents: Type.Optional(
        stringEnum(afterwards, { description: 'What happens to the documents; `keep` by default.' }),
      ),
    }),
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, query, ifMatch, dryRun }) => {
      const { documents = 'keep' } = query
      if (dryRun) {
        const { id } = await integrations.get(caller, params.id)
        const gone = documents === 'trash' ? await integrations.previewTrash(caller, id) : null
        return preview([
          { effect: 'deleted', resource: 'connection', count: 1, ids: [id] },
          ...(gone === null ? [] : [{ effect: 'deleted' as const, resource: 'document' as const, ...gone }]),
        ])
      }
      await integrations.disconnect(caller, params.id, documents, ifMatch)
      return noContent()
    },
  }),
]

/** Secret, since each of them lets a person connect an account of their own. */
const authorizationSecrets = ['authorizationUrl', 'connectUrl', 'userCode'] as const

const connectRoute = (integrations: IntegrationService, clock: Clock): Route =>
  defineRoute({
    method: 'POST',
    path: '/integrations/connect',
    operationId: 'connectIntegration',
    summary: 'Connect an integration',
    description:
      'For OAuth the reply has an `authorizationUrl` and a `connectUrl`: send a person to one of them within ten minutes, and the connection becomes `active` or `failed`. With `flow: device` it has a `userCode` to enter at `verificationUrl`. An API key, or a user name and password, is tested with a call to the service first; if the service refuses it, nothing is stored. With a test key no service is called: the connection is simulated and immediately active, except that the API keys `sim:rejected` and `sim:unreachable` force these failures.',
    permission: 'integrations:write',
    audit: 'integration.connect',
    wholeWorkspace: true,
    body: NewConnection,
    bodyExample: { integrationId: 'github', name: 'Company repositories' },
    data: StartedConnection,
    example: startedConnectionExample,
    secrets: [...authorizationSecrets],
    success: [201],
    replyTexts: { 201: 'The connection, and where a person grants access if it needs that.' },
    errors: [
      'limit_reached',
      'integration_not_configured',
      'credentials_rejected',
      'integration_unreachable',
    ],
    handle: async ({ caller, body }) => {
      const started = await integrations.connect(caller, body)
      const { row } = started
      return created(presentStarted(started, clock()), `/integrations/${row.id}`, etagOf(row))
    },
  })

const reconnectRoute = (integrations: IntegrationService, clock: Clock): Route =>
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/reconnect',
    operationId: 'reconnectIntegration',
    summary: 'Reconnect an integration',
    description:
      'Reopens a connection and keeps its id, name and sync. Send new `credentials`, which are tested first, or authorize as when connecting. A connection that is `active` or `needs_reauth` keeps its old credentials until the new ones work. With a test key it is simulated.',
    permission: 'integrations:write',
    audit: 'integration.reconnect',
    body: Reconnection,
    bodyExample: { flow: 'browser' },
    data: StartedConnection,
    example: { ...startedConnectionExample, status: 'needs_reauth' },
    secrets: [...authorizationSecrets],
    replyTexts: { 200: 'The connection, and where a person grants access if it needs that.' },
    errors: [
      'concurrent_change',
      'integration_removed',
      'connection_not_active',
      'credentials_rejected',
      'integration_not_configured',
      'integration_unreachable',
      'precondition_failed',
    ],
    handle: async ({ caller, params, body, ifMatch }) => {
      const started = await integrations.reconnect(caller, params.id, body, ifMatch)
      return ok(presentStarted(started, clock()), etagOf(started.row))
    },
  })

export const updateRoute = (update: UpdateConnection, clock: Clock): Route =>
  defineRoute({
    method: 'PATCH',
    path: '/integrations/:id',
    operationId: 'updateIntegration',
    summary: 'Change a connected integration',
    description:
      'Changes the name, the config, or the sync: its collection and interval. Fields that you leave out stay unchanged. `sync` also needs `knowledge:write`, and scheduled syncs act for the member who set them. A config that would send the stored credentials to another address is refused: create a new connection for that.',
    permission: 'integrations:write',
    audit: 'integration.update',
    body: ConnectionChange,
    bodyExample: { sync: { everyMinutes: 60 } },
    data: Connection,
    example: {
      ...connectionExample,
      sync: {
        collectionId: exampleId('collection'),
        everyMinutes: 60,
        nextSyncAt: '2026-11-21T10:30:00.000Z',
      },
    },
    errors: ['collection_taken', 'integration_removed', 'sync_in_progress', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) => {
      const row = await update(caller, params.id, body, ifMatch)
      return ok(presentConnection(row, clock()), etagOf(row))
    },
  })

export const remoteToolsRoutes = (acceptedTools: AcceptedTools): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/integrations/:id/tools',
    operationId: 'listIntegrationTools',
    summary: "List a connection's tools",
    description:
      'Tools that the connected MCP server offers or has offered, by name, as the server listed them last. Descriptions are the words of the server: read them before you accept them.',
    permission: 'integrations:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(ConnectionTool),
    example: [connectionToolExample],
    handle: async ({ caller, params, page }) =>
      listed(await acceptedTools.list(caller, params.id, page), page, presentTool),
  }),
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/tools/refresh',
    operationId: 'refreshIntegrationTools',
    summary: "Read a connection's tools again",
    description:
      'Asks the MCP server for its tools now. New and changed tools are off until you accept them. In the sandbox no server is called: there are two simulated tools.',
    permission: 'integrations:write',
    audit: 'integration.refresh_tools',
    data: ToolsRefresh,
    example: { added: 1, changed: 0, removed: 0, note: null, listedAt: '2026-11-21T09:30:00.000Z' },
    replyTexts: { 200: 'What is different from the last time.' },
    errors: [
      'connection_not_active',
      'credentials_rejected',
      'integration_unreachable',
      'integration_removed',
    ],
    handle: async ({ caller, params }) => {
      const { row, added, changed, removed } = await acceptedTools.refresh(caller, params.id)
      const listedAt = toTimestamp(row.tools_listed_at ?? row.updated_at)
      return ok({ added, changed, removed, note: row.tools_note, listedAt })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/tools',
    operationId: 'updateIntegrationTools',
    summary: "Accept a connection's tools",
    description:
      'Accepts tools exactly as their `hash` names them, turns them off, or decides whether their calls wait for an approval. All changes are made, or none. Agents can use accepted tools only.',
    permission: 'integrations:write',
    audit: 'integration.accept_tools',
    body: ToolsChange,
    bodyExample: toolsChangeExample,
    data: Type.Array(ConnectionTool),
    example: [
      {
        ...connectionToolExample,
        status: 'accepted',
        accepted: connectionToolExample.offered,
        acceptedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
    replyTexts: { 200: 'The tools that were named, as they are now.' },
    handle: async ({ caller, params, body }) =>
      ok((await acceptedTools.change(caller, params.id, body)).map(presentTool)),
  }),
]

const path = '/oauth-clients/:integrationId'

const pathTexts = {
  integrationId: {
    description: 'Id of a catalog entry that uses OAuth.',
    example: 'github',
  },
}

export const oauthClientRoutes = (clients: OAuthClients): Route[] => [
  defineRoute({
    method: 'GET',
    path,
    operationId: 'getOAuthClient',
    summary: 'Get the OAuth client of an integration',
    description:
      "Returns which OAuth client is in use, the workspace's or the server's, and the redirect URL to register with the service. The secret is never returned.",
    permission: 'integrations:read',
    pathTexts,
    data: OAuthClientRecord,
    example: oauthClientExample,
    handle: async ({ caller, params }) => shown(await clients.get(caller, params.integrationId)),
  }),
  defineRoute({
    method: 'PUT',
    path,
    operationId: 'putOAuthClient',
    summary: 'Set the OAuth client of an integration',
    description:
      "Sets the workspace's own client, which replaces the server's. Connections made with another client keep working until their tokens expire; then reconnect them.",
    permission: 'integrations:write',
    audit: 'integration.set_client',
    wholeWorkspace: true,
    liveOnly: true,
    pathTexts,
    body: OAuthClientSecret,
    bodyExample: { clientId: 'Iv1.8a61f9b3a7aba766', clientSecret: 'what-the-service-gave-you' },
    data: OAuthClientRecord,
    example: oauthClientExample,
    errors: ['precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      shown(await clients.put(caller, params.integrationId, body, ifMatch)),
  }),
  defineRoute({
    method: 'DELETE',
    path,
    operationId: 'deleteOAuthClient',
    summary: "Delete a workspace's OAuth client",
    description:
      "New connections then use the server's client, if there is one. Connections made with the deleted client work until their tokens expire.",
    permission: 'integrations:write',
    audit: 'integration.remove_client',
    wholeWorkspace: true,
    liveOnly: true,
    destructive: true,
    pathTexts,
    success: [204],
    replyTexts: { 204: "The workspace's own client is deleted. The reply has no body." },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const { integrationId } = params
      await clients.remove(caller, integrationId, { ifMatch, dryRun })
      return deletedRecord(dryRun, 'oauth_client', integrationId)
    },
  }),
]

const shown = (client: ShownClient) => ok(client.record, etagOf(client))
