/** Variables of an agent's instructions: the run's values, else the agent's. */
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { nearestName } from '../../../platform/text/nearest-name.ts'

/** The agent's variables by name; null if a run must give a value. */
type Declared = Readonly<Record<string, string | null>>
type Values = Readonly<Record<string, string>>

/** Throws one 400 that names every variable that is unknown or lacks a value. */
export function checkVariables(declared: Declared, values: Values): void {
  const names = Object.keys(declared)
  const unknown: FieldError[] = Object.keys(values)
    .filter(name => !Object.hasOwn(declared, name))
    .map(name => ({ field: `variables.${name}`, message: unknownVariable(name, names) }))
  const missing: FieldError[] = names
    .filter(name => declared[name] === null && !Object.hasOwn(values, name))
    .map(name => ({ field: `variables.${name}`, message: 'is required: the agent gives it no value' }))
  const errors = [...unknown, ...missing]
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/**
 * Puts values in the places of their names. A value is data: what looks like a placeholder within it stays as it is,
 * and so does a placeholder of a name that the agent does not have.
 */
export const fillVariables = (instructions: string, declared: Declared, values: Values): string =>
  instructions.replace(placeholder, (whole, name: string) => {
    if (!Object.hasOwn(declared, name)) return whole
    return (Object.hasOwn(values, name) ? values[name] : declared[name]) ?? whole
  })

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

function unknownVariable(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'The agent has no variables'
  const nearest = nearestName(name, known)
  const hint = nearest === null ? `it has ${known.join(', ')}` : `did you mean \`${nearest}\`?`
  return `The agent has no variable of this name; ${hint}`
}
