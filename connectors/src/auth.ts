/** How services are opened, and what a request carries for it. */

export const authKinds = ['oauth2', 'api_key', 'basic', 'none', 'mcp', 'headers'] as const

/**
 * `headers`: by one or more secret headers, which the person names. `mcp`: the server itself says whether it is open to
 * all, or which service a person has to authorize at.
 */
export type Auth =
  | OAuth
  | ApiKey
  | { kind: 'headers'; help: string }
  | Basic
  | { kind: 'none' }
  | { kind: 'mcp' }

export type OAuth = {
  kind: 'oauth2'
  /** What the service calls itself, where it sends `iss` with its answer (RFC 9207). */
  issuer: string
  /** True if it always sends it: an answer without it is another service's. */
  sendsIssuer?: boolean
  authorizationUrl: string
  tokenUrl: string
  /** Where a device asks for a code (RFC 8628); left out where the service has no such flow. */
  deviceAuthorizationUrl?: string
  /** How the client proves itself to the token endpoint: in the body, by HTTP Basic, or, without a secret, not at all. */
  clientAuthentication: 'post' | 'basic' | 'none'
  /** What the tokens are for (RFC 8707), where the service wants to be told. */
  resource?: string
  scopes: readonly string[]
  /** Parameters that the authorization page wants besides those of the standard. */
  authorizationParameters: Readonly<Record<string, string>>
  revocation: Revocation | null
  quirks: {
    /** The parameter of the authorization address that names the scopes, where it is not `scope`. */
    scopeParameter?: string
    /** The object of a token reply that holds the token's fields, where they do not stand at its top. */
    tokensWithin?: string
    /** Between the scopes of a token reply, and of the authorization address, where it is not a space. */
    scopeSeparator?: string
    /** The token endpoint answers errors with status 200. */
    errorsHaveStatus200?: boolean
    /** What it says for `invalid_grant`. */
    deadGrantErrors?: readonly string[]
    /** The token endpoint wants JSON instead of a form. */
    tokenRequestIsJson?: boolean
    /** The service has no PKCE, and refuses its parameters. */
    withoutPkce?: boolean
  }
}

/** `{clientId}` in the address of a GitHub revocation stands for the client's id. */
export type Revocation = { kind: 'rfc7009' | 'github' | 'slack'; url: string }

export type ApiKey = {
  kind: 'api_key'
  /** What the service calls it, and where a person finds it. */
  help: string
  /** The headers that carry the key. */
  headers(config: never, apiKey: string): Record<string, string>
}

export type Basic = {
  kind: 'basic'
  help: string
}

/** What opens a service, as it is kept. */
export type Credentials =
  | { kind: 'oauth2'; accessToken: string }
  | { kind: 'api_key'; apiKey: string }
  | { kind: 'headers'; headers: Record<string, string> }
  | { kind: 'basic'; username: string; password: string }

/** The headers of a request that carry the credentials; none where there are none. */
export function authorizationHeaders(
  auth: readonly Auth[],
  config: Record<string, unknown>,
  credentials: Credentials | null,
): Record<string, string> {
  if (credentials === null) return {}
  switch (credentials.kind) {
    case 'oauth2':
      return { authorization: `Bearer ${credentials.accessToken}` }
    case 'headers':
      return credentials.headers
    case 'basic': {
      const pair = Buffer.from(`${credentials.username}:${credentials.password}`).toString('base64')
      return { authorization: `Basic ${pair}` }
    }
    case 'api_key': {
      const terms = auth.find(way => way.kind === 'api_key')
      // The config is valid by the connector's own schema, whose type only that file knows.
      return terms?.headers(config as never, credentials.apiKey) ?? {}
    }
  }
}
