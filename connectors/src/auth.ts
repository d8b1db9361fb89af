/** The ways to open a service, and the request headers that carry its credentials. */

export const authKinds = ['oauth2', 'api_key', 'basic', 'none', 'mcp', 'headers'] as const

/**
 * `headers`: one or more secret headers, which the person names. `mcp`: the server itself says whether it is open to
 * all, or at which service a person has to authorize.
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
  /** The issuer of the service, which has to equal `iss` where the service sends `iss` with its answer (RFC 9207). */
  issuer: string
  /** True if the service always sends `iss`. An answer without `iss` then comes from another service. */
  sendsIssuer?: boolean
  authorizationUrl: string
  tokenUrl: string
  /** Where a device asks for a code (RFC 8628). Left out if the service has no device flow. */
  deviceAuthorizationUrl?: string
  /**
   * How the client proves itself to the token endpoint: in the body, by HTTP Basic, or not at all if it has no
   * secret.
   */
  clientAuthentication: 'post' | 'basic' | 'none'
  /** The resource that tokens are requested for (RFC 8707), if the service wants to be told. */
  resource?: string
  scopes: readonly string[]
  /** Parameters that the authorization page wants besides those of the standard. */
  authorizationParameters: Readonly<Record<string, string>>
  revocation: Revocation | null
  quirks: {
    /** The parameter of the authorization address that names the scopes, where it is not `scope`. */
    scopeParameter?: string
    /** The object of a token reply that holds the token's fields, if they are not at the top level. */
    tokensWithin?: string
    /** Separates the scopes in a token reply and in the authorization address, if it is not a space. */
    scopeSeparator?: string
    /** The token endpoint answers errors with status 200. */
    errorsHaveStatus200?: boolean
    /** The service's error codes that mean `invalid_grant`. */
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
  headers(config: never, apiKey: string): Record<string, string>
}

export type Basic = {
  kind: 'basic'
  help: string
}

/** The credentials that open a service, as they are stored. */
export type Credentials =
  | { kind: 'oauth2'; accessToken: string }
  | { kind: 'api_key'; apiKey: string }
  | { kind: 'headers'; headers: Record<string, string> }
  | { kind: 'basic'; username: string; password: string }

/** The request headers that carry the credentials; empty without credentials. */
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
      // The config is valid by the connector's own schema. Only the connector's file knows its type.
      return terms?.headers(config as never, credentials.apiKey) ?? {}
    }
  }
}
