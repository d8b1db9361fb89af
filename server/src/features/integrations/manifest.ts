/** What an integration's folder says about its service; the rest of this feature works from it. */
import type { TObject } from 'typebox'
import type { FieldError } from '../../platform/errors.ts'

export const authKinds = ['oauth2', 'api_key', 'basic', 'none', 'mcp'] as const
export const capabilities = ['sync', 'tools'] as const

/** The settings of a connection, valid by the manifest's `configSchema` and `checkConfig`. */
export type Config = Record<string, unknown>

/** Who the service says the credentials belong to. */
export type Account = { id: string; name: string }

export type Manifest = {
  id: string
  name: string
  description: string
  category: string
  /** Where the service documents what this manifest states; null where there is no one service. */
  documentationUrl: string | null
  auth: OAuthTerms | ApiKeyTerms | { kind: 'none' }
  configSchema: TObject
  /** What the schema cannot say; fields are named without `config.`. */
  checkConfig?: (config: Config) => FieldError[]
  capabilities: readonly (typeof capabilities)[number][]
  /** The call that shows whether a connection works: it succeeds with any status from 200 to 299. */
  probe: {
    request: (config: Config) => { url: string; headers?: Record<string, string> }
    /** The field of the config to blame where the address answers, but not as expected. */
    blamedField: string | null
    account:
      | { from: 'config'; read: (config: Config) => Account }
      /** Dotted paths into the JSON that the call answers with. */
      | { from: 'reply'; idPath: string; namePath: string }
  }
}

export type OAuthTerms = {
  kind: 'oauth2'
  /** What the service calls itself, where it sends `iss` with its answer (RFC 9207). */
  issuer: string
  authorizationUrl: string
  tokenUrl: string
  /** How the client proves itself to the token endpoint: in the body, or by HTTP Basic. */
  clientAuthentication: 'post' | 'basic'
  scopes: readonly string[]
  /** Parameters that the authorization page wants besides those of the standard. */
  authorizationParameters: Readonly<Record<string, string>>
  revocation: Revocation | null
  quirks: {
    /** Between the scopes of a token reply, where it is not a space. */
    scopeSeparator?: string
    /** The token endpoint answers errors with status 200. */
    errorsHaveStatus200?: boolean
    /** What it says for `invalid_grant`. */
    deadGrantErrors?: readonly string[]
  }
}

/** `{clientId}` in the address of a GitHub revocation stands for the client's id. */
export type Revocation = { kind: 'rfc7009' | 'github'; url: string }

export type ApiKeyTerms = {
  kind: 'api_key'
  /** The header that carries the key. */
  header: (config: Config, apiKey: string) => Record<string, string>
}
