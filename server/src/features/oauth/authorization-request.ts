/**
 * An app's request to a person, as the consent's address describes it: checked again each time, and stored nowhere.
 */
import type { Permission } from '../../platform/caller.ts'
import { type Client, type Clients, maxClientIdLength } from './clients.ts'
import { OAuthError, type OAuthErrorCode, optional, required } from './oauth-error.ts'
import { addressWith, isRegistered, maxUriLength } from './redirects.ts'

/** The permissions that an app may get at `/mcp`: its tools read and ask, and change nothing. */
export const mcpPermissions: readonly Permission[] = ['agents:read', 'agents:run', 'knowledge:read']
/** The permissions that the command line may get: none that manages the workspace, its people or its keys. */
export const apiPermissions: readonly Permission[] = [
  ...mcpPermissions,
  'knowledge:write',
  'integrations:read',
  'webhooks:read',
  'usage:read',
]

export type AuthorizationRequest = {
  client: Client
  redirectUri: string
  state: string | null
  codeChallenge: string
  permissions: Permission[]
}

/** A refusal that may go to the app: the app is known, and the address is its own. */
type Refused = Pick<AuthorizationRequest, 'client' | 'redirectUri' | 'state'> & {
  error: OAuthErrorCode
  message: string
}

const maxQueryLength = 8_000
const maxStateLength = 4_000
const maxScopeLength = 1_000
/** A SHA-256 in base64url. */
const challengePattern = /^[A-Za-z0-9_-]{43}$/

/**
 * Throws an OAuthError if the receiver of an answer is uncertain: then only the person sees the error, and their
 * browser is sent nowhere.
 */
export async function readAuthorizationRequest(
  query: string,
  { clients, userId, resource }: { clients: Clients; userId: string; resource: string },
): Promise<{ request: AuthorizationRequest } | { refused: Refused }> {
  if (query.length > maxQueryLength) throw new OAuthError('invalid_request', 'The address is too long')
  const params = new URLSearchParams(query)
  const client = await clients.find(required(params, 'client_id', maxClientIdLength), userId)
  const redirectUri = required(params, 'redirect_uri', maxUriLength)
  if (!isRegistered(client.redirectUris, redirectUri)) {
    throw new OAuthError('invalid_request', 'The redirect_uri is none that the app has registered')
  }
  const state = optional(params, 'state', maxStateLength)
  try {
    if (required(params, 'response_type', 100) !== 'code') {
      throw new OAuthError('unsupported_response_type', 'response_type must be "code"')
    }
    if ((optional(params, 'response_mode', 100) ?? 'query') !== 'query') {
      throw new OAuthError('invalid_request', 'response_mode must be "query"')
    }
    if (optional(params, 'code_challenge_method', 100) !== 'S256') {
      throw new OAuthError('invalid_request', 'code_challenge_method must be "S256"')
    }
    const codeChallenge = required(params, 'code_challenge', 200)
    if (!challengePattern.test(codeChallenge)) {
      throw new OAuthError('invalid_request', 'code_challenge must be a SHA-256 in base64url')
    }
    checkResource(params, resource)
    const permissions = permissionsOf(optional(params, 'scope', maxScopeLength), mcpPermissions)
    return { request: { client, redirectUri, state, codeChallenge, permissions } }
  } catch (error) {
    if (!(error instanceof OAuthError)) throw error
    return { refused: { client, redirectUri, state, error: error.code, message: error.message } }
  }
}

/** There is one resource; an app that names none means this one. */
export function checkResource(params: URLSearchParams, resource: string): void {
  for (const named of params.getAll('resource')) {
    if (URL.parse(named)?.href === new URL(resource).href) continue
    throw new OAuthError('invalid_target', `The resource must be ${resource}`)
  }
}

/** Words of other servers, such as `offline_access`, are ignored. An app that names none of ours asks for all. */
export function permissionsOf(scope: string | null, offered: readonly Permission[]): Permission[] {
  const words = (scope ?? '').split(' ')
  const named = offered.filter(permission => words.includes(permission))
  return named.length === 0 ? [...offered] : named
}

/** The address back to the app. `iss` tells an app that uses many servers which one answers (RFC 9207). */
export const answerTo = (
  { redirectUri, state }: Pick<AuthorizationRequest, 'redirectUri' | 'state'>,
  issuer: string,
  answer: { code: string } | { error: OAuthErrorCode; error_description?: string },
): string => addressWith(redirectUri, { ...answer, state, iss: issuer })
