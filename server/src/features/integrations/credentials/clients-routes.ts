/** Endpoints for the OAuth clients by which a workspace's connections are authorized. */
import { defineRoute, noContent, ok, preview, type Route } from '../../../http/route.ts'
import { etagOf } from '../../../platform/revision.ts'
import { OAuthClientRecord, OAuthClientSecret, oauthClientExample } from '../records/access-schemas.ts'
import type { OAuthClients, ShownClient } from './clients-service.ts'

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
    liveOnly: true,
    destructive: true,
    pathTexts,
    success: [204],
    replyTexts: { 204: "The workspace's own client is deleted. The reply has no body." },
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      const { integrationId } = params
      await clients.remove(caller, integrationId, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([{ effect: 'deleted', resource: 'oauth_client', count: 1, ids: [integrationId] }])
    },
  }),
]

const shown = (client: ShownClient) => ok(client.record, etagOf(client))
