/** Slack, opened by a person's grant to an app, or by the token in an app's settings. */
import type { Connector } from '../connector.ts'
import { origin } from './api.ts'
import { teamOf } from './documents.ts'
import { configSchema, type Settings } from './settings.ts'
import { source } from './source.ts'
import { tools } from './tools.ts'

export const slack: Connector<Settings> = {
  id: 'slack',
  name: 'Slack',
  description: 'Channels and threads of a Slack workspace.',
  category: 'communication',
  documentationUrl: 'https://docs.slack.dev/authentication/installing-with-oauth',
  auth: [
    {
      kind: 'oauth2',
      issuer: origin,
      authorizationUrl: `${origin}/oauth/v2/authorize`,
      tokenUrl: `${origin}/api/oauth.v2.access`,
      clientAuthentication: 'post',
      // Scopes of the person, not of a bot. A bot sees only the channels that it was invited to, and cannot search.
      scopes: [
        ...['channels:read', 'channels:history', 'groups:read', 'groups:history'],
        ...['users:read', 'search:read', 'chat:write'],
      ],
      authorizationParameters: {},
      revocation: { kind: 'slack', url: `${origin}/api/auth.revoke` },
      quirks: {
        scopeParameter: 'user_scope',
        scopeSeparator: ',',
        tokensWithin: 'authed_user',
        errorsHaveStatus200: true,
        // Only apps that have been made public clients accept PKCE: https://docs.slack.dev/authentication/using-pkce
        withoutPkce: true,
        deadGrantErrors: ['invalid_refresh_token', 'invalid_code', 'code_already_used', 'token_revoked'],
      },
    },
    {
      kind: 'api_key',
      help: 'A user token (`xoxp-…`) or bot token (`xoxb-…`): api.slack.com/apps → the app → OAuth & Permissions. A bot has to be invited to the channels, and cannot search.',
      headers: (_config, apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    },
  ],
  configSchema,
  origins: () => [origin],
  check: async context => {
    const { team_id, user_id, user, team } = await teamOf(context)
    return { id: `${team_id}/${user_id}`, name: `${user} (${team})` }
  },
  source,
  tools,
}
