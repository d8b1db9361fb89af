/** GitHub, as an OAuth app. */
import Type from 'typebox'
import type { Manifest } from '../../manifest.ts'

export const github: Manifest = {
  id: 'github',
  name: 'GitHub',
  description: 'Repositories, issues and pull requests of a GitHub account.',
  category: 'development',
  documentationUrl: 'https://docs.github.com/en/apps/oauth-apps/building-oauth-apps/authorizing-oauth-apps',
  auth: {
    kind: 'oauth2',
    issuer: 'https://github.com/login/oauth',
    authorizationUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    clientAuthentication: 'post',
    // An OAuth app has no narrower scope that reads private repositories.
    scopes: ['repo', 'read:org'],
    authorizationParameters: {},
    // Of the two that GitHub has, the one that ends this token and no other of the same person.
    revocation: { kind: 'github', url: 'https://api.github.com/applications/{clientId}/token' },
    quirks: {
      scopeSeparator: ',',
      errorsHaveStatus200: true,
      deadGrantErrors: ['bad_refresh_token', 'bad_verification_code'],
    },
  },
  configSchema: Type.Object({}, { additionalProperties: false }),
  capabilities: [],
  probe: {
    request: () => ({
      url: 'https://api.github.com/user',
      headers: { accept: 'application/vnd.github+json', 'x-github-api-version': '2022-11-28' },
    }),
    blamedField: null,
    account: { from: 'reply', idPath: 'id', namePath: 'login' },
  },
}
