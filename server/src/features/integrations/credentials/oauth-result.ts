/** What a token endpoint's answer means: tokens, or why there are none. */

import type { OAuth as OAuthTerms } from '@atrium/connectors'
import * as openid from 'openid-client'
import { ServiceError } from '../../../platform/errors.ts'

/**
 * The client that the operator, a workspace or Atrium itself got when registering with a service. The secret is empty
 * if there is none.
 */
export type OAuthClient = { id: string; secret: string }

export type Tokens = {
  accessToken: string
  refreshToken: string | null
  expiresInSeconds: number | null
  /** Null if the service does not say, which means that it granted what was asked. */
  scopes: string[] | null
}

/** `dead`: the grant is gone for good. `code` is the service's own code, or one of Atrium's. */
export type TokenFailure = {
  ok: false
  kind: 'refused' | 'dead' | 'unreachable'
  code: string
  message: string
}

export type TokenResult = { ok: true; tokens: Tokens } | TokenFailure

/** How long a service may take for one call. */
export const oauthTimeoutSeconds = 15

export async function toResult(
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

export function failureOf(error: unknown, deadGrantErrors: readonly string[]): TokenFailure {
  const serviceError = serviceErrorIn(error)
  if (serviceError !== null) {
    return { ok: false, kind: 'unreachable', code: serviceError.code, message: serviceError.message }
  }
  if (error instanceof openid.ClientError && error.code === 'OAUTH_TIMEOUT') {
    const message = `The service did not answer within ${oauthTimeoutSeconds} s`
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

/** The service's error code for a refusal. Its longer texts are not passed on. */
function refusalCode(error: unknown): string | null {
  if (error instanceof openid.AuthorizationResponseError || error instanceof openid.ResponseBodyError) {
    return /^[\w.-]{1,64}$/.test(error.error) ? error.error : 'refused'
  }
  if (error instanceof openid.WWWAuthenticateChallengeError) return 'invalid_client'
  // For this error, the cause is the response itself.
  const cause = error instanceof Error ? error.cause : undefined
  return cause instanceof Response && cause.status >= 500 ? 'server_error' : null
}

function serviceErrorIn(error: unknown): ServiceError | null {
  if (error instanceof ServiceError) return error
  return error instanceof Error && error.cause !== undefined ? serviceErrorIn(error.cause) : null
}
