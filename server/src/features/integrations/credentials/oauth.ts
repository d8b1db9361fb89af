/** OAuth 2 with one service: the authorization address, the exchange of its code, codes for devices, refresh and revocation. */

import type { OAuth as OAuthTerms } from '@atrium/connectors'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import * as openid from 'openid-client'
import type { Scope } from '../../../platform/caller.ts'
import type { SafeRequest } from '../../../platform/fetch/requests.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import { asStandardReply, asWanted } from './oauth-quirks.ts'
import {
  failureOf,
  oauthTimeoutSeconds,
  type TokenFailure,
  type TokenResult,
  type Tokens,
  toResult,
} from './oauth-result.ts'
import { type OAuthFetch, revokeBeyondStandard } from './revocation.ts'

/** What the operator or a workspace got when registering Atrium with a service. */
export type OAuthClient = { id: string; secret: string }

export type OAuth = {
  authorizationUrl(
    scope: Scope,
    terms: OAuthTerms,
    client: OAuthClient,
    request: AuthorizationRequest,
  ): Promise<string>
  /** `answer` is the query with which the service sent the person back. */
  exchange(
    scope: Scope,
    terms: OAuthTerms,
    client: OAuthClient,
    answer: URLSearchParams,
    request: AuthorizationRequest,
  ): Promise<TokenResult>
  /** Asks for a code that a person types at another device (RFC 8628). */
  startDevice(scope: Scope, terms: OAuthTerms, client: OAuthClient): Promise<DeviceStart>
  /** Asks once whether they have; `authorization_pending` and `slow_down` are refusals that pass. */
  pollDevice(scope: Scope, terms: OAuthTerms, client: OAuthClient, deviceCode: string): Promise<TokenResult>
  refresh(scope: Scope, terms: OAuthTerms, client: OAuthClient, refreshToken: string): Promise<TokenResult>
  /** Ends the grant at the service; throws where the service did not do it. */
  revoke(
    scope: Scope,
    terms: OAuthTerms,
    client: OAuthClient,
    tokens: Pick<Tokens, 'accessToken' | 'refreshToken'>,
  ): Promise<void>
}

export type AuthorizationRequest = { state: string; verifier: string }

export type DeviceStart =
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
export function createOAuth(dependencies: { safeFetch: SafeFetch; redirectUri: () => string }): OAuth {
  const { safeFetch, redirectUri } = dependencies
  const configure = (scope: Scope, terms: OAuthTerms, client: OAuthClient) =>
    configuration(terms, client, fetchFor(scope))
  const fetchFor =
    ({ workspaceId }: Scope): OAuthFetch =>
    (url, request) =>
      safeFetch(url, { ...request, owner: workspaceId })

  return {
    async authorizationUrl(scope, terms, client, { state, verifier }) {
      const parameters: Record<string, string> = {
        ...terms.authorizationParameters,
        ...scopeOf(terms),
        redirect_uri: redirectUri(),
        state,
      }
      if (terms.quirks.withoutPkce !== true) {
        parameters.code_challenge = await openid.calculatePKCECodeChallenge(verifier)
        parameters.code_challenge_method = 'S256'
      }
      return openid.buildAuthorizationUrl(configure(scope, terms, client), parameters).href
    },
    exchange: (scope, terms, client, answer, { state, verifier }) =>
      toResult(terms, () =>
        openid.authorizationCodeGrant(
          configure(scope, terms, client),
          new URL(`${redirectUri()}?${answer}`),
          withoutUndefined({
            expectedState: state,
            pkceCodeVerifier: terms.quirks.withoutPkce !== true ? verifier : undefined,
          }),
        ),
      ),
    async startDevice(scope, terms, client) {
      try {
        const started = await openid.initiateDeviceAuthorization(
          configure(scope, terms, client),
          scopeOf(terms),
        )
        // It is shown as a link.
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
    pollDevice: (scope, terms, client, deviceCode) =>
      toResult(terms, () =>
        openid.genericGrantRequest(configure(scope, terms, client), deviceGrant, { device_code: deviceCode }),
      ),
    refresh: (scope, terms, client, refreshToken) =>
      toResult(terms, () => openid.refreshTokenGrant(configure(scope, terms, client), refreshToken)),
    async revoke(scope, terms, client, tokens) {
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
 * RFC 6749 (2.3.1) wants both halves as in a form, and openid-client encodes even the hyphens of a UUID then, which services
 * do not expect that split at the colon and compare. So only what would be misread is encoded.
 */
const basicOf =
  ({ id, secret }: OAuthClient): openid.ClientAuth =>
  (_server, _client, _body, headers) => {
    const pair = [id, secret].map(half => (/^[\w.~!*'()-]+$/.test(half) ? half : encodeURIComponent(half)))
    headers.set('authorization', `Basic ${Buffer.from(pair.join(':')).toString('base64')}`)
  }

const faultyDeviceReply: TokenFailure = {
  ok: false,
  kind: 'refused',
  code: 'unexpected_reply',
  message: 'The service named no address where a code can be typed',
}

function scopeOf({ scopes, quirks }: OAuthTerms): Record<string, string> {
  if (scopes.length === 0) return {}
  return { [quirks.scopeParameter ?? 'scope']: scopes.join(quirks.scopeSeparator ?? ' ') }
}

function configuration(terms: OAuthTerms, client: OAuthClient, fetch: OAuthFetch): openid.Configuration {
  const authentication =
    terms.clientAuthentication === 'post' ? openid.ClientSecretPost(client.secret) : basicOf(client)
  const { deviceAuthorizationUrl, revocation } = terms
  const configured = new openid.Configuration(
    withoutUndefined({
      issuer: terms.issuer,
      authorization_endpoint: terms.authorizationUrl,
      token_endpoint: terms.tokenUrl,
      device_authorization_endpoint: deviceAuthorizationUrl,
      revocation_endpoint: revocation?.kind === 'rfc7009' ? revocation.url : undefined,
    }),
    client.id,
    { client_secret: client.secret },
    authentication,
  )
  configured.timeout = oauthTimeoutSeconds
  configured[openid.customFetch] = async (url, request) => {
    // openid-client sends forms and JSON as texts, which is what a SafeRequest takes.
    const response = await fetch(url, asWanted(request as SafeRequest, terms.quirks))
    return await asStandardReply(response, terms.quirks)
  }
  // The addresses of the catalog are https; a plain one can only come from a connector of the operator's own.
  if (terms.tokenUrl.startsWith('http:')) openid.allowInsecureRequests(configured)
  return configured
}
