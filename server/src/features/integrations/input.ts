/** What a caller sends to connect, checked against the integration's manifest: every fault at once. */
import type { TSchema } from 'typebox'
import { type FieldError, ServiceError } from '../../platform/errors.ts'
import type { Config, Manifest } from './manifest.ts'
import { ApiKeyCredentials, type NewConnection } from './schemas.ts'

/** Compiles a JSON Schema to a check that fills in defaults and throws `validation_failed` with every fault. */
export type CompileSchema = (schema: TSchema) => (value: unknown) => void

export type ConnectionInput = {
  config: Config
  apiKey: string | null
  redirectUrl: string | null
}

export type InputCheck = (manifest: Manifest, body: NewConnection) => ConnectionInput

export function createInputCheck(dependencies: {
  manifests: readonly Manifest[]
  compileSchema: CompileSchema
  /** The origins that a `redirectUrl` may have. */
  redirectOrigins: readonly string[]
}): InputCheck {
  const { manifests, compileSchema, redirectOrigins } = dependencies
  const configChecks = new Map(manifests.map(({ id, configSchema }) => [id, compileSchema(configSchema)]))
  const checkCredentials = compileSchema(ApiKeyCredentials)

  return (manifest, body) => {
    const errors: FieldError[] = []
    const config: Config = { ...structuredClone(body.config) }
    const configErrors = errorsOf(configChecks.get(manifest.id), config, 'config')
    errors.push(...configErrors)
    if (configErrors.length === 0) errors.push(...under('config', manifest.checkConfig?.(config) ?? []))

    const credentials = structuredClone(body.credentials ?? {})
    if (manifest.auth.kind === 'api_key')
      errors.push(...errorsOf(checkCredentials, credentials, 'credentials'))
    else if (body.credentials !== undefined) errors.push(unwantedCredentials(manifest))
    errors.push(...redirectErrors(manifest, body.redirectUrl, redirectOrigins))

    if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
    const { apiKey } = credentials as { apiKey?: string }
    return { config, apiKey: apiKey ?? null, redirectUrl: body.redirectUrl ?? null }
  }
}

function errorsOf(
  check: ((value: unknown) => void) | undefined,
  value: unknown,
  prefix: string,
): FieldError[] {
  try {
    check?.(value)
    return []
  } catch (error) {
    if (error instanceof ServiceError && error.errors.length > 0) return under(prefix, error.errors)
    throw error
  }
}

const under = (prefix: string, errors: readonly FieldError[]): FieldError[] =>
  errors.map(({ field, message }) => ({
    field: field === 'body' ? prefix : `${prefix}.${field}`,
    message,
  }))

function unwantedCredentials(manifest: Manifest): FieldError {
  const message =
    manifest.auth.kind === 'oauth2'
      ? 'must be left out: this integration is opened by the person at authorizationUrl'
      : 'must be left out: this integration needs none'
  return { field: 'credentials', message }
}

function redirectErrors(
  manifest: Manifest,
  redirectUrl: string | undefined,
  allowedOrigins: readonly string[],
): FieldError[] {
  if (redirectUrl === undefined) return []
  const blame = (message: string): FieldError[] => [{ field: 'redirectUrl', message }]
  if (manifest.auth.kind !== 'oauth2') return blame('must be left out: only OAuth sends a person anywhere')
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
