/** OAuth 2 with one service: the authorization address, the exchange of its code, refresh and revocation. */
import * as openid from 'openid-client'
import { ServiceError } from '../../platform/errors.ts'
import type { SafeRequest } from '../../platform/fetch/requests.ts'
import type { SafeFetch } from '../../platform/fetch/safe-fetch.ts'
import type { OAuthTerms } from './manifest.ts'

/** What the operator got when registering Atrium with a service. */
export type OAuthClient = { id: string; secret: string }

export type Tokens = {
  accessToken: string
  refreshToken: string | null
  expiresInSeconds: number | null
  /** Null where the service does not say, and so granted what was asked. */
  scopes: string[] | null
}

/** `dead`: the grant is gone for good. `code` is the service's own word, or one of ours. */
export type TokenResult =
  | { ok: true; tokens: Tokens }
  | { ok: false; kind: 'refused' | 'dead' | 'unreachable'; code: string; message: string }

export type OAuth = {
  authorizationUrl(terms: OAuthTerms, client: OAuthClient, request: AuthorizationRequest): Promise<string>
  /** `answer` is the query with which the service sent the person back. */
  exchange(
    terms: OAuthTerms,
    client: OAuthClient,
    answer: URLSearchParams,
    request: AuthorizationRequest,
  ): Promise<TokenResult>
  refresh(terms: OAuthTerms, client: OAuthClient, refreshToken: string): Promise<TokenResult>
  /** Ends the grant at the service; throws where the service did not do it. */
  revoke(
    terms: OAuthTerms,
    client: OAuthClient,
    tokens: Pick<Tokens, 'accessToken' | 'refreshToken'>,
  ): Promise<void>
}

export type AuthorizationRequest = { state: string; verifier: string }

const timeoutSeconds = 15

export const newVerifier = (): string => openid.randomPKCECodeVerifier()

/** `redirectUri` is the address of the callback, exactly as registered with the service. */
export function createOAuth(dependencies: { safeFetch: SafeFetch; redirectUri: () => string }): OAuth {
  const { safeFetch, redirectUri } = dependencies
  const configure = (terms: OAuthTerms, client: OAuthClient) => configuration(terms, client, safeFetch)

  return {
    async authorizationUrl(terms, client, { state, verifier }) {
      const url = openid.buildAuthorizationUrl(configure(terms, client), {
        ...terms.authorizationParameters,
        redirect_uri: redirectUri(),
        scope: terms.scopes.join(' '),
        state,
        code_challenge: await openid.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
      })
      return url.href
    },
    exchange: (terms, client, answer, { state, verifier }) =>
      toResult(terms, () =>
        openid.authorizationCodeGrant(configure(terms, client), new URL(`${redirectUri()}?${answer}`), {
          expectedState: state,
          pkceCodeVerifier: verifier,
        }),
      ),
    refresh: (terms, client, refreshToken) =>
      toResult(terms, () => openid.refreshTokenGrant(configure(terms, client), refreshToken)),
    async revoke(terms, client, { accessToken, refreshToken }) {
      if (terms.revocation?.kind === 'github') {
        await revokeAtGitHub(safeFetch, terms.revocation.url, client, accessToken)
      } else if (terms.revocation !== null) {
        await openid.tokenRevocation(configure(terms, client), refreshToken ?? accessToken)
      }
    },
  }
}

function configuration(terms: OAuthTerms, client: OAuthClient, safeFetch: SafeFetch): openid.Configuration {
  const authentication =
    terms.clientAuthentication === 'post' ? openid.ClientSecretPost : openid.ClientSecretBasic
  const configured = new openid.Configuration(
    {
      issuer: terms.issuer,
      authorization_endpoint: terms.authorizationUrl,
      token_endpoint: terms.tokenUrl,
      ...(terms.revocation?.kind === 'rfc7009' ? { revocation_endpoint: terms.revocation.url } : {}),
    },
    client.id,
    { client_secret: client.secret },
    authentication(client.secret),
  )
  configured.timeout = timeoutSeconds
  configured[openid.customFetch] = async (url, request) => {
    // openid-client sends forms and JSON as texts, which is what a SafeRequest takes.
    const response = await safeFetch(url, request as SafeRequest)
    return await readWhole(response, terms.quirks.errorsHaveStatus200 === true)
  }
  // The catalog's addresses are https; a plain one can only come from a catalog that a test or an operator made.
  if (terms.tokenUrl.startsWith('http:')) openid.allowInsecureRequests(configured)
  return configured
}

/**
 * The response with its body read: what openid-client does not look at would hold the connection open. An error that came
 * with status 200 gets the status that the standard gives it.
 */
async function readWhole(response: Response, errorsHaveStatus200: boolean): Promise<Response> {
  const text = await response.text()
  const isHidden = errorsHaveStatus200 && response.status === 200 && isErrorBody(text)
  const { headers } = response
  return new Response(text === '' ? null : text, { status: isHidden ? 400 : response.status, headers })
}

function isErrorBody(text: string): boolean {
  try {
    const body: unknown = JSON.parse(text)
    return typeof body === 'object' && body !== null && 'error' in body
  } catch {
    // Not JSON: what that means is for the token exchange to say.
    return false
  }
}

async function toResult(
  terms: OAuthTerms,
  grant: () => Promise<openid.TokenEndpointResponse>,
): Promise<TokenResult> {
  try {
    const reply = await grant()
    return {
      ok: true,
      tokens: {
        accessToken: reply.access_token,
        refreshToken: reply.refresh_token ?? null,
        expiresInSeconds: reply.expires_in ?? null,
        scopes: reply.scope?.split(terms.quirks.scopeSeparator ?? ' ').filter(scope => scope !== '') ?? null,
      },
    }
  } catch (error) {
    return failureOf(error, terms.quirks.deadGrantErrors ?? [])
  }
}

function failureOf(error: unknown, deadGrantErrors: readonly string[]): TokenResult {
  const serviceError = serviceErrorIn(error)
  if (serviceError !== null) {
    return { ok: false, kind: 'unreachable', code: serviceError.code, message: serviceError.message }
  }
  if (error instanceof openid.ClientError && error.code === 'OAUTH_TIMEOUT') {
    const message = `The service did not answer within ${timeoutSeconds} s`
    return { ok: false, kind: 'unreachable', code: 'integration_unreachable', message }
  }
  const code = refusalCode(error)
  if (code === null) {
    const message = 'The service gave an answer that is not one of OAuth 2'
    return { ok: false, kind: 'refused', code: 'unexpected_reply', message }
  }
  const message = `The service refused: ${code}`
  if (code === 'invalid_grant' || deadGrantErrors.includes(code)) {
    return { ok: false, kind: 'dead', code, message }
  }
  const passing = code === 'server_error' || code === 'temporarily_unavailable'
  return { ok: false, kind: passing ? 'unreachable' : 'refused', code, message }
}

/** The service's word for a refusal; its longer texts are its own and are passed on to nobody. */
function refusalCode(error: unknown): string | null {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError) {
    return /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'refused'
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) return 'invalid_client'
  // Here the cause is the response itself.
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Response && cause.status >= 500 ? 'server_error' : null
}

function serviceErrorIn(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  return error instanceof Error && error.cause !== undefined ? serviceErrorIn(error.cause) : null
}

/** https://docs.github.com/en/rest/apps/oauth-applications#delete-an-app-token */
async function revokeAtGitHub(
  safeFetch: SafeFetch,
  url: string,
  client: OAuthClient,
  accessToken: string,
): Promise<void> {
  const response = await safeFetch(url.replace('{clientId}', encodeURIComponent(client.id)), {
    method: 'DELETE',
    headers: {
      accept: 'application/vnd.github+json',
      authorization: `Basic ${Buffer.from(`${client.id}:${client.secret}`).toString('base64')}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify({ access_token: accessToken }),
    signal: AbortSignal.timeout(timeoutSeconds * 1_000),
  })
  await response.body?.cancel()
  if (!response.ok) throw new ServiceError('integration_unreachable', `GitHub answered ${response.status}`)
}
