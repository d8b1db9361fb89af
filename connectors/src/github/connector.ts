/** GitHub: an OAuth app's grant, or a personal access token. */
import type { Connector } from '../connector.ts'
import { api, headers } from './api.ts'
import { checkConfig, configSchema, type Settings } from './settings.ts'
import { source } from './source.ts'
import { tools } from './tools.ts'

export const github: Connector<Settings> = {
  id: 'github',
  name: 'GitHub',
  description: 'Issues, pull requests and files of GitHub repositories.',
  category: 'development',
  documentationUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
  auth: [
    {
      kind: 'oauth2',
      issuer: 'https://github.com/login/oauth',
      authorizationUrl: 'https://github.com/login/oauth/authorize',
      tokenUrl: 'https://github.com/login/oauth/access_token',
      deviceAuthorizationUrl: 'https://github.com/login/device/code',
      clientAuthentication: 'post',
      // An OAuth app has no narrower scope that reads private repositories.
      scopes: ['repo', 'read:org'],
      authorizationParameters: {},
      // GitHub has two revocations. This one ends only this token, and no other token of the same person.
      revocation: { kind: 'github', url: 'https://api.github.com/applications/{clientId}/token' },
      quirks: {
        scopeSeparator: ',',
        errorsHaveStatus200: true,
        deadGrantErrors: ['bad_refresh_token', 'bad_verification_code'],
      },
    },
    {
      kind: 'api_key',
      help: 'A personal access token: Settings → Developer settings → Personal access tokens.',
      headers: (_config, apiKey) => ({ authorization: `Bearer ${apiKey}` }),
    },
  ],
  configSchema,
  checkConfig,
  origins: () => [api],
  check: async ({ http }) => {
    const { id, login } = await http.json<{ id: number; login: string }>(`${api}/user`, { headers })
    return { id: String(id), name: login }
  },
  source,
  tools,
}
