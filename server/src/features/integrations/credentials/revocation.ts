/** The end of a grant at services that have a way of their own for it. */
import type { Revocation } from '@atrium/connectors'
import { ServiceError } from '../../../platform/errors.ts'
import type { SafeRequest } from '../../../platform/fetch/requests.ts'
import { type OAuthClient, oauthTimeoutSeconds } from './oauth-result.ts'

/** On behalf of one workspace. */
export type OAuthFetch = (url: string, request: SafeRequest) => Promise<Response>

/** Throws `integration_unreachable` where the service did not do it. */
export async function revokeBeyondStandard(
  fetch: OAuthFetch,
  { kind, url }: Revocation,
  client: OAuthClient,
  accessToken: string,
): Promise<void> {
  const signal = AbortSignal.timeout(oauthTimeoutSeconds * 1_000)
  const response =
    kind === 'github'
      ? await revokeAtGitHub(fetch, url, client, accessToken, signal)
      : await revokeAtSlack(fetch, url, accessToken, signal)
  const text = await response.text()
  // Slack answers its refusals with status 200.
  const isRefused = kind === 'slack' && !/"ok"\s*:\s*true/.test(text)
  if (!response.ok || isRefused) {
    throw new ServiceError('integration_unreachable', `${new URL(url).host} answered ${response.status}`)
  }
}

/** https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token */
const revokeAtGitHub = (
  fetch: OAuthFetch,
  url: string,
  client: OAuthClient,
  accessToken: string,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(url.replace('{clientId}', encodeURIComponent(client.id)), {
    method: 'DELETE',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ access_token: accessToken }),
    signal,
  })

/** https://docs.slack.dev/reference/methods/auth.revoke */
const revokeAtSlack = (
  fetch: OAuthFetch,
  url: string,
  accessToken: string,
  signal: AbortSignal,
): Promise<Response> =>
  fetch(url, {
    method: 'POST',
    headers: { authorization: `Bearer ${accessToken}` },
    body: new URLSearchParams(),
    signal,
  })
