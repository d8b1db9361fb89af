/** Checks what a caller sends to connect against the integration's connector, and names every fault at once. */
import {
  type Auth,
  type Config,
  type Connector,
  mayBeSecret,
  type OAuth as OAuthTerms,
} from '@atrium/connectors'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import {
  ApiKeyCredentials,
  BasicCredentials,
  ClientSecretCredentials,
  HeaderCredentials,
  maxSecretHeaders,
  type Reconnection,
} from '../records/access-schemas.ts'
import { type CompileSchema, createConfigCheck, errorsOf } from '../records/config-check.ts'
import type { NewConnection } from '../records/schemas.ts'

/** Credentials that a person types, in contrast to those that a service gives. */
export type GivenCredentials =
  | { kind: 'api_key'; apiKey: string }
  | { kind: 'headers'; headers: Record<string, string> }
  | { kind: 'basic'; username: string; password: string }

/** How a connection is to be opened. */
export type AccessInput = {
  credentials: GivenCredentials | null
  /** The terms of the service if a person has to authorize the connection there. */
  terms: OAuthTerms | null
  /** True if the server has to be asked whether and where a person authorizes the connection. */
  isDiscovered: boolean
  /** The secret of the OAuth client that the config names; null if none was sent. */
  clientSecret: string | null
  flow: 'browser' | 'device'
  redirectUrl: string | null
}

export type ConnectionInput = AccessInput & { config: Config }

export type InputCheck = (connector: Connector, body: NewConnection) => ConnectionInput
export type AccessCheck = (connector: Connector, body: Reconnection) => AccessInput

export function createInputChecks(dependencies: {
  connectors: readonly Connector[]
  compileSchema: CompileSchema
  /** The origins that a `redirectUrl` may have. */
  redirectOrigins: readonly string[]
}): { checkInput: InputCheck; checkAccess: AccessCheck } {
  const { compileSchema, redirectOrigins } = dependencies
  const checkConfig = createConfigCheck(dependencies)
  const credentialChecks = {
    api_key: compileSchema(typedCredentials.api_key),
    headers: compileSchema(typedCredentials.headers),
    basic: compileSchema(typedCredentials.basic),
    mcp: compileSchema(typedCredentials.mcp),
  }

  const access = (connector: Connector, body: Reconnection): { input: AccessInput; errors: FieldError[] } => {
    const errors: FieldError[] = []
    const way = wayOf(connector, body.credentials)
    const credentials = structuredClone(body.credentials ?? {})
    if (way === null) errors.push(unwantedCredentials(connector))
    else if (isTyped(way) && (way !== 'mcp' || body.credentials !== undefined)) {
      errors.push(...errorsOf(credentialChecks[way], credentials, 'credentials'))
      if (way === 'headers') errors.push(...headerErrors(credentials))
    }
    const terms =
      way === 'oauth2' ? (connector.auth.find(candidate => candidate.kind === 'oauth2') ?? null) : null
    const isDiscovered = way === 'mcp'
    const { flow = 'browser', redirectUrl } = body
    errors.push(...flowErrors(connector, { terms, isDiscovered }, body.flow))
    errors.push(
      ...redirectErrors((terms !== null || isDiscovered) && flow === 'browser', redirectUrl, redirectOrigins),
    )
    const { clientSecret = null } = isDiscovered ? (credentials as { clientSecret?: string }) : {}
    const given = way !== null && way !== 'mcp' && isTyped(way) ? asGiven(way, credentials) : null
    const opening = { credentials: given, terms, isDiscovered, clientSecret, flow }
    return { input: { ...opening, redirectUrl: redirectUrl ?? null }, errors }
  }

  return {
    checkInput(connector, body) {
      const { config, errors } = checkConfig(connector, body.config)
      // A new connection may be opened without a key if the key is left out. A connection that already has a key may
      // not.
      const ways = isOpenToAll(connector) && body.credentials === undefined ? open(connector) : connector
      const { input, errors: more } = access(ways, body)
      throwIfAny([...errors, ...more])
      return { config, ...input }
    },
    checkAccess(connector, body) {
      const { input, errors } = access(connector, body)
      throwIfAny(errors)
      return input
    },
  }
}

/** If a person would have to authorize the connection, it is not opened without asking the person. */
const isOpenToAll = ({ auth }: Connector): boolean =>
  auth[0].kind !== 'oauth2' && auth.some(({ kind }) => kind === 'none')

const open = (connector: Connector): Connector => ({ ...connector, auth: [{ kind: 'none' }] })

function throwIfAny(errors: FieldError[]): void {
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** The schemas of the credentials that a person can type, by the kind of access. */
const typedCredentials = {
  api_key: ApiKeyCredentials,
  headers: HeaderCredentials,
  basic: BasicCredentials,
  mcp: ClientSecretCredentials,
}
type TypedKind = keyof typeof typedCredentials

const isTyped = (kind: Auth['kind']): kind is TypedKind => Object.hasOwn(typedCredentials, kind)

/** JSON Schema of the credentials that a person can type; null if there are none. */
export function credentialsSchemaOf({ auth }: Connector): Record<string, unknown> | null {
  const schemas = auth.flatMap(way => {
    if (!isTyped(way.kind)) return []
    const schema = { ...typedCredentials[way.kind] }
    return 'help' in way ? { ...schema, description: way.help } : schema
  })
  const [first, ...more] = schemas
  if (first === undefined) return null
  return more.length === 0 ? first : { anyOf: schemas }
}

/** How the connection is opened; null if credentials were given but the integration takes none. */
function wayOf({ auth }: Connector, given: object | undefined): Auth['kind'] | null {
  if (given === undefined) return auth[0].kind
  const typed = auth.map(({ kind }) => kind).filter(isTyped)
  const meant = typed.find(kind =>
    Object.keys(typedCredentials[kind].properties).some(field => field in given),
  )
  return meant ?? typed.find(kind => kind !== 'mcp') ?? null
}

/** The only place where credentials get the type of the schema that validated them. */
const asGiven = (kind: 'api_key' | 'headers' | 'basic', valid: object): GivenCredentials =>
  ({ kind, ...valid }) as GivenCredentials

/** The faults of secret headers that the schema cannot express. */
function headerErrors({ headers }: { headers?: object }): FieldError[] {
  // The schema already refuses more headers. Each name is compared with the names before it.
  const names = Object.keys(headers ?? {}).slice(0, maxSecretHeaders)
  return names.flatMap((name, index) => {
    const field = `credentials.headers.${name}`
    if (!mayBeSecret(name)) return { field, message: 'must be left out: this header cannot carry a secret' }
    const isTwice = names.findIndex(other => other.toLowerCase() === name.toLowerCase()) < index
    return isTwice ? { field, message: 'is given twice, in other letters' } : []
  })
}

function unwantedCredentials({ auth }: Connector): FieldError {
  const message =
    auth[0].kind === 'oauth2'
      ? 'must be left out: this integration is opened by the person at authorizationUrl'
      : 'must be left out: this integration needs none'
  return { field: 'credentials', message }
}

function flowErrors(
  connector: Connector,
  { terms, isDiscovered }: Pick<AccessInput, 'terms' | 'isDiscovered'>,
  flow: 'browser' | 'device' | undefined,
): FieldError[] {
  if (flow === undefined || ((terms !== null || isDiscovered) && flow === 'browser')) return []
  if (isDiscovered)
    return [{ field: 'flow', message: `must be browser: ${connector.name} gives no codes for devices` }]
  if (terms === null) return [{ field: 'flow', message: 'must be left out: only OAuth has flows' }]
  if (terms.deviceAuthorizationUrl !== undefined) return []
  return [{ field: 'flow', message: `must be browser: ${connector.name} gives no codes for devices` }]
}

function redirectErrors(
  isAuthorized: boolean,
  redirectUrl: string | undefined,
  allowedOrigins: readonly string[],
): FieldError[] {
  if (redirectUrl === undefined) return []
  const blame = (message: string): FieldError[] => [{ field: 'redirectUrl', message }]
  if (!isAuthorized) return blame('must be left out: only OAuth in a browser sends a person anywhere')
  const url = URL.parse(redirectUrl)
  if (url === null || (url.protocol !== 'https:' && url.protocol !== 'http:')) {
    return blame('must be an address that begins with https:// or http://')
  }
  if (url.username !== '' || url.password !== '') return blame('must have no user name and no password')
  if (!allowedOrigins.includes(url.origin)) {
    return blame('has an origin that is not listed in ATRIUM_REDIRECT_ORIGINS')
  }
  return []
}
