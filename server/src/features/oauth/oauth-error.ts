/** A refusal with the error codes of OAuth (RFC 6749, 5.2), for programs that use OAuth. */
export type OAuthErrorCode =
  | 'invalid_request'
  | 'invalid_client'
  | 'invalid_client_metadata'
  | 'invalid_redirect_uri'
  | 'invalid_grant'
  | 'invalid_scope'
  | 'invalid_target'
  | 'unauthorized_client'
  | 'unsupported_grant_type'
  | 'unsupported_response_type'
  | 'authorization_pending'
  | 'slow_down'
  | 'access_denied'
  | 'expired_token'

/** Both the code and the message are public. */
export class OAuthError extends Error {
  override readonly name = 'OAuthError'
  readonly code: OAuthErrorCode

  constructor(code: OAuthErrorCode, message: string) {
    super(message)
    this.code = code
  }

  /** False for the replies that a device gets while its person has not decided. */
  get isFailure(): boolean {
    return this.code !== 'authorization_pending' && this.code !== 'slow_down'
  }
}

/** One value of a form or an address. OAuth forbids to give it twice; an empty value counts as absent. */
export function optional(params: URLSearchParams, name: string, maxLength: number): string | null {
  const [value = '', ...others] = params.getAll(name)
  if (others.length > 0) throw new OAuthError('invalid_request', `${name} is given more than once`)
  if (value.length > maxLength) {
    throw new OAuthError('invalid_request', `${name} is longer than ${maxLength} characters`)
  }
  return value === '' ? null : value
}

export function required(params: URLSearchParams, name: string, maxLength: number): string {
  const value = optional(params, name, maxLength)
  if (value === null) throw new OAuthError('invalid_request', `${name} is missing`)
  return value
}
