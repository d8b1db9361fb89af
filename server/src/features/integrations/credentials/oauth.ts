/** OAuth 2 with one service: authorization address, code exchange, codes for devices, refresh and revocation. */

import type { OAuth as OAuthTerms, Revocation } from '@atrium/connectors'
import { isFields } from '@atrium/connectors/fields'
import { gated, jsonIn, type Limits, smallLimits } from '@atrium/connectors/gate'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import * as openid from 'openid-client'
import type { Scope } from '../../../platform/caller.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { SafeRequest } from '../../../platform/fetch/requests.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import {
  failureOf,
  type OAuthClient,
  oauthTimeoutSeconds,
  type TokenFailure,
  type TokenResult,
  type Tokens,
  toResult,
} from './oauth-result.ts'

export type OAuth = ReturnType<typeof createOAuth>

type AuthorizationRequest = { state: string; verifier: string }

type DeviceStart =
  | {
      ok: true
      deviceCode: string
      userCode: string
      /** Where the person types the code. */
      verificationUrl: string
      expiresInSeconds: number
      intervalSeconds: number
    }
  | TokenFailure

const deviceGrant = 'urn:ietf:params:oauth:grant-type:device_code'
const usualIntervalSeconds = 5

export const newVerifier = (): string => openid.randomPKCECodeVerifier()

/** `redirectUri` is the address of the callback, exactly as registered with the service. */
export function createOAuth(dependencies: { safeFetch: SafeFetch; redirectUri: () => string }) {
  const { safeFetch, redirectUri } = dependencies
  const configure = (scope: Scope, terms: OAuthTerms, client: OAuthClient) =>
    configuration(terms, client, fetchFor(scope))
  const fetchFor =
    ({ workspaceId }: Scope): OAuthFetch =>
    (url, request) =>
      safeFetch(url, { ...request, owner: workspaceId })

  return {
    async authorizationUrl(
      scope: Scope,
      terms: OAuthTerms,
      client: OAuthClient,
      { state, verifier }: AuthorizationRequest,
    ): Promise<string> {
      const parameters: Record<string, string> = {
        ...terms.authorizationParameters,
        ...scopeOf(terms),
        ...resourceOf(terms),
        redirect_uri: redirectUri(),
        state,
      }
      if (terms.quirks.withoutPkce !== true) {
        parameters.code_challenge = await openid.calculatePKCECodeChallenge(verifier)
        parameters.code_challenge_method = 'S256'
      }
      return openid.buildAuthorizationUrl(configure(scope, terms, client), parameters).href
    },
    /** `answer` is the query with which the service sent the person back. */
    exchange: (
      scope: Scope,
      terms: OAuthTerms,
      client: OAuthClient,
      answer: URLSearchParams,
      { state, verifier }: AuthorizationRequest,
    ): Promise<TokenResult> =>
      toResult(terms, () =>
        openid.authorizationCodeGrant(
          configure(scope, terms, client),
          new URL(`${redirectUri()}?${answer}`),
          withoutUndefined({
            expectedState: state,
            pkceCodeVerifier: terms.quirks.withoutPkce !== true ? verifier : undefined,
          }),
          resourceOf(terms),
        ),
      ),
    /** Asks for a code that a person types at another device (RFC 8628). */
    async startDevice(scope: Scope, terms: OAuthTerms, client: OAuthClient): Promise<DeviceStart> {
      try {
        const started = await openid.initiateDeviceAuthorization(
          configure(scope, terms, client),
          scopeOf(terms),
        )
        // The address is shown as a link.
        if (!/^https?:/i.test(started.verification_uri)) return faultyDeviceReply
        return {
          ok: true,
          deviceCode: started.device_code,
          userCode: started.user_code,
          verificationUrl: started.verification_uri,
          expiresInSeconds: started.expires_in,
          intervalSeconds: started.interval ?? usualIntervalSeconds,
        }
      } catch (error) {
        return failureOf(error, [])
      }
    },
    /**
     * Asks once whether the person has typed the code. The refusals `authorization_pending` and `slow_down` are
     * temporary.
     */
    pollDevice: (
      scope: Scope,
      terms: OAuthTerms,
      client: OAuthClient,
      deviceCode: string,
    ): Promise<TokenResult> =>
      toResult(terms, () =>
        openid.genericGrantRequest(configure(scope, terms, client), deviceGrant, { device_code: deviceCode }),
      ),
    refresh: (
      scope: Scope,
      terms: OAuthTerms,
      client: OAuthClient,
      refreshToken: string,
    ): Promise<TokenResult> =>
      toResult(terms, () =>
        openid.refreshTokenGrant(configure(scope, terms, client), refreshToken, resourceOf(terms)),
      ),
    /** Ends the grant at the service; throws if the service did not do it. */
    async revoke(
      scope: Scope,
      terms: OAuthTerms,
      client: OAuthClient,
      tokens: Pick<Tokens, 'accessToken' | 'refreshToken'>,
    ): Promise<void> {
      const { revocation } = terms
      if (revocation === null) return
      if (revocation.kind === 'rfc7009') {
        await openid.tokenRevocation(
          configure(scope, terms, client),
          tokens.refreshToken ?? tokens.accessToken,
        )
      } else await revokeBeyondStandard(fetchFor(scope), revocation, client, tokens.accessToken)
    },
  }
}

/**
 * RFC 6749 (2.3.1) wants both halves encoded as in a form, and openid-client then encodes even the hyphens of a UUID.
 * Some services split at the colon and compare without decoding. So only what would be misread is encoded.
 */
const basicOf =
  ({ id, secret }: OAuthClient): openid.ClientAuth =>
  (_server, _client, _body, headers) => {
    const pair = [id, secret].map(half => (/^[\w.~!*'()-]+$/.test(half) ? half : encodeURIComponent(half)))
    headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`)
  }

function authenticationOf({ clientAuthentication }: OAuthTerms, client: OAuthClient): openid.ClientAuth {
  switch (clientAuthentication) {
    case 'none':
      return openid.None()
    case 'post':
      return openid.ClientSecretPost(client.secret)
    case 'basic':
      return basicOf(client)
  }
}

const faultyDeviceReply: TokenFailure = {
  ok: false,
  kind: 'refused',
  code: 'unexpected_reply',
  message: 'The service named no address where a code can be typed',
}

const resourceOf = ({ resource }: OAuthTerms): Record<string, string> =>
  resource === undefined ? {} : { resource }

function scopeOf({ scopes, quirks }: OAuthTerms): Record<string, string> {
  if (scopes.length === 0) return {}
  return { [quirks.scopeParameter ?? 'scope']: scopes.join(quirks.scopeSeparator ?? ' ') }
}

function configuration(terms: OAuthTerms, client: OAuthClient, fetch: OAuthFetch): openid.Configuration {
  const authentication = authenticationOf(terms, client)
  const { deviceAuthorizationUrl, revocation } = terms
  const configured = new openid.Configuration(
    withoutUndefined({
      issuer: terms.issuer,
      authorization_response_iss_parameter_supported: terms.sendsIssuer,
      authorization_endpoint: terms.authorizationUrl,
      token_endpoint: terms.tokenUrl,
      device_authorization_endpoint: deviceAuthorizationUrl,
      revocation_endpoint: revocation?.kind === 'rfc7009' ? revocation.url : undefined,
    }),
    client.id,
    client.secret === '' ? {} : { client_secret: client.secret },
    authentication,
  )
  configured.timeout = oauthTimeoutSeconds
  configured[openid.customFetch] = async (url, request) => {
    // openid-client sends forms and JSON as texts, which a SafeRequest accepts.
    const response = await fetch(url, asWanted(request as SafeRequest, terms.quirks))
    return await asStandardReply(response, terms.quirks)
  }
  // The addresses of the catalog are https. An http address comes from a connector of the operator, or from a
  // connected server that is itself at an http address.
  if (terms.tokenUrl.startsWith('http:')) openid.allowInsecureRequests(configured)
  return configured
}

// Translates what services do differently from OAuth 2 into the standard: requests before they leave, replies when
// they come.

type Quirks = OAuthTerms['quirks']

/** openid-client parses the reply again, and the parts of a token in it. */
const tokenLimits: Limits = { ...smallLimits, maxTextBytes: 65_536 }

/** Turns a form into JSON, which some services want instead. */
function asWanted(request: SafeRequest, quirks: Quirks): SafeRequest {
  const { body } = request
  if (quirks.tokenRequestIsJson !== true || !(body instanceof URLSearchParams || typeof body === 'string')) {
    return request
  }
  const headers = new Headers(request.headers)
  headers.set('content-type', 'application/json')
  return { ...request, headers, body: JSON.stringify(Object.fromEntries(new URLSearchParams(body))) }
}

/**
 * The response with its body read, since an unread body would hold the connection open. An error that came with
 * status 200 gets the status of the standard, and tokens move to the top.
 */
async function asStandardReply(response: Response, quirks: Quirks): Promise<Response> {
  const text = await gated(response, tokenLimits).text()
  const { status, headers } = response
  if (text === '') return new Response(null, { status, headers })
  const reply = objectIn(text)
  if (reply === null) return new Response(text, { status, headers })
  if (quirks.errorsHaveStatus200 === true && status === 200 && 'error' in reply) {
    return new Response(text, { status: 400, headers })
  }
  const { tokensWithin } = quirks
  if (tokensWithin === undefined) return new Response(text, { status, headers })
  // A reply to a refresh has its tokens at the top. Slack calls the type of a person's token `user`; it is used as a
  // bearer token.
  const tokens = [reply[tokensWithin], reply].find(part => isFields(part) && 'access_token' in part)
  if (!isFields(tokens)) return new Response(text, { status, headers })
  return new Response(JSON.stringify({ ...tokens, token_type: 'bearer' }), { status, headers })
}

/** Null for what is no JSON. The token exchange says what that means. */
function objectIn(text: string): Record<string, unknown> | null {
  const value = jsonIn(text, tokenLimits)
  return isFields(value) ? value : null
}

// Ends a grant at services that do this in their own way.

/** Fetches on behalf of one workspace. */
type OAuthFetch = (url: string, request: SafeRequest) => Promise<Response>

/** Throws `integration_unreachable` if the service did not end the grant. */
async function revokeBeyondStandard(
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
