/** Settings and credentials of a connector from a command line, checked as the server checks those of a connection. */
import { readFile } from 'node:fs/promises'
import type { Config, Connector, Credentials } from '@atrium/connectors'
import { validation } from '../http/validation.ts'
import { type FieldError, ServiceError } from '../platform/errors.ts'
import { faultsIn } from '../platform/json-schema/own-schema.ts'
import type { TSchema } from '../platform/json-schema/type.ts'
import { UsageError } from './errors.ts'

/** Throws `UsageError` with a line for each field that does not fit. */
export async function readConnectorInput(
  connector: Connector,
  given: { config?: string; credentials?: string },
) {
  const config = await readJson('config', given.config ?? '{}')
  const faults = configFaults(connector, config)
  if (faults.length > 0) {
    throw new UsageError(
      faults.map(({ field, message }) => `--config: ${field} ${message}`).join('\n        '),
    )
  }
  const credentials =
    given.credentials === undefined ? null : await readJson('credentials', given.credentials)
  return { config, credentials: credentialsOf(connector, credentials) }
}

/** Checked as the input of an agent's call is. */
export async function readToolInput({ tools = [] }: Connector, toolName: string, given = '{}') {
  const input = await readJson('input', given)
  const tool = tools.find(({ name }) => name === toolName)
  // A connector's schema is plain JSON Schema, by which values are checked as they are by TypeBox's.
  const faults = tool === undefined ? [] : faultsIn(tool.input as unknown as TSchema, input, 'the whole')
  if (faults.length === 0) return input
  throw new UsageError(faults.map(({ field, message }) => `--input: ${field} ${message}`).join('\n        '))
}

/** The value itself, or with an @ before it the file that holds it. */
export async function readText(value: string): Promise<string> {
  if (!value.startsWith('@')) return value
  const path = value.slice(1)
  const text = await readFile(path, 'utf8').catch((error: NodeJS.ErrnoException) => {
    throw new UsageError(`${path} cannot be read (${error.code})`)
  })
  return text.trim()
}

async function readJson(option: string, value: string): Promise<Record<string, unknown>> {
  const text = await readText(value)
  try {
    const parsed: unknown = JSON.parse(text)
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) {
      return parsed as Record<string, unknown>
    }
  } catch {
    // Told below, with what was expected.
  }
  throw new UsageError(`--${option} must be a JSON object, or @FILE with one`)
}

/** Fills in defaults. */
function configFaults(connector: Connector, config: Config): readonly FieldError[] {
  try {
    validation.body(connector.configSchema)(config)
    return connector.checkConfig?.(config) ?? []
  } catch (error) {
    if (error instanceof ServiceError) return error.errors
    throw error
  }
}

function credentialsOf({ auth }: Connector, given: Record<string, unknown> | null): Credentials | null {
  const kinds = auth.map(({ kind }) => kind)
  if (given === null) {
    if (kinds.includes('none') || kinds.includes('mcp')) return null
    throw new UsageError(`--credentials JSON|@FILE is required: ${kinds.map(formOf).join(' or ')}`)
  }
  const { apiKey, headers, username, password, accessToken } = given
  if (kinds.includes('api_key') && isText(apiKey)) return { kind: 'api_key', apiKey }
  if (kinds.includes('headers') && isTexts(headers)) return { kind: 'headers', headers }
  if (kinds.includes('oauth2') && isText(accessToken)) return { kind: 'oauth2', accessToken }
  if (kinds.includes('basic') && isText(username) && typeof password === 'string') {
    return { kind: 'basic', username, password }
  }
  throw new UsageError(`--credentials must be ${kinds.map(formOf).join(' or ')}`)
}

const isText = (value: unknown): value is string => typeof value === 'string' && value !== ''

const isTexts = (value: unknown): value is Record<string, string> =>
  typeof value === 'object' && value !== null && Object.values(value).every(isText)

const forms = {
  api_key: '{"apiKey": "…"}',
  headers: '{"headers": {"NAME": "…"}}',
  oauth2: '{"accessToken": "…"}',
  basic: '{"username": "…", "password": "…"}',
  none: 'left out',
  mcp: 'left out',
}
const formOf = (kind: keyof typeof forms): string => forms[kind]
