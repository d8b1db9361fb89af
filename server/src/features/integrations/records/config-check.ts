/** Checks the config of a connection by its connector, and names every fault at once. */
import type { Config, Connector } from '@atrium/connectors'
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import type { TSchema } from '../../../platform/json-schema/type.ts'

/** Compiles a JSON Schema to a check that fills in defaults and throws `validation_failed` with every fault. */
export type CompileSchema = (schema: TSchema) => (value: unknown) => void

/** Returns the config with its defaults. */
export type ConfigCheck = (
  connector: Connector,
  given: object | undefined,
) => { config: Config; errors: FieldError[] }

export function createConfigCheck({
  connectors,
  compileSchema,
}: {
  connectors: readonly Connector[]
  compileSchema: CompileSchema
}): ConfigCheck {
  const checks = new Map(connectors.map(({ id, configSchema }) => [id, compileSchema(configSchema)]))
  return (connector, given) => {
    const config: Config = { ...structuredClone(given) }
    const errors = errorsOf(checks.get(connector.id), config, 'config')
    if (errors.length === 0) errors.push(...under('config', connector.checkConfig?.(config) ?? []))
    return { config, errors }
  }
}

export function errorsOf(
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
  errors.map(fault => ({
    ...fault,
    field: fault.field === 'body' ? prefix : `${prefix}.${fault.field}`,
  }))

/** Adds defaults, since a connection may be older than a setting of its connector. */
export function withDefaults({ configSchema }: Connector, config: Config): Config {
  const filled = { ...config }
  for (const [name, terms] of Object.entries(configSchema.properties)) {
    const { default: usual } = terms as { default?: unknown }
    if (filled[name] === undefined && usual !== undefined) filled[name] = structuredClone(usual)
  }
  return filled
}
