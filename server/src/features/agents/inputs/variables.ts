/** Variables of an agent's instructions: the run's value of a variable comes before the agent's. */
import { type FieldError, ServiceError } from '../../../platform/errors.ts'
import { nearestName } from '../../../platform/text/nearest-name.ts'
import { RunFailure } from '../records/run-errors.ts'

/** The agent's variables by name; null if a run must give a value. */
type Declared = Readonly<Record<string, string | null>>
type Values = Readonly<Record<string, string>>

type Instructions = { instructions: string; variables: Declared }

/** One value may be used many times. The longest instructions with fifty longest values, each used once, fit. */
const maxFilled = 1_000_000

/** Throws one 400 that names each variable that is unknown or lacks a value, or says that the values are too long. */
export function checkVariables({ instructions, variables: declared }: Instructions, values: Values): void {
  const names = Object.keys(declared)
  const unknown: FieldError[] = Object.keys(values)
    .filter(name => !Object.hasOwn(declared, name))
    .map(name => ({ field: `variables.${name}`, message: unknownVariable(name, names) }))
  const missing: FieldError[] = names
    .filter(name => declared[name] === null && !Object.hasOwn(values, name))
    .map(name => ({ field: `variables.${name}`, message: 'is required: the agent gives it no value' }))
  const length = filledLength(instructions, declared, values)
  const tooLong = { field: 'variables', message: tooMuch(length) }
  const errors = [...unknown, ...missing, ...(length > maxFilled ? [tooLong] : [])]
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

function filledLength(instructions: string, declared: Declared, values: Values): number {
  let length = instructions.length
  for (const [whole, name = ''] of instructions.matchAll(placeholder))
    length += (filling(name, declared, values) ?? whole).length - whole.length
  return length
}

const tooMuch = (length: number): string =>
  `make instructions of ${length} characters, and ${maxFilled} are the most: give shorter values, or name them in fewer places`

/** Null leaves the placeholder as it is. */
function filling(name: string, declared: Declared, values: Values): string | null {
  if (!Object.hasOwn(declared, name)) return null
  return (Object.hasOwn(values, name) ? values[name] : declared[name]) ?? null
}

/**
 * Replaces placeholders by their values. A value is data: a placeholder within a value stays as it is. So does a
 * placeholder whose name the agent does not have. Throws `RunFailure` if the text gets too long.
 */
export function fillVariables(instructions: string, declared: Declared, values: Values): string {
  const length = filledLength(instructions, declared, values)
  if (length > maxFilled) throw new RunFailure('context_too_long', `The variables ${tooMuch(length)}`)
  return instructions.replace(placeholder, (whole, name: string) => filling(name, declared, values) ?? whole)
}

const placeholder = /\{\{\s*([A-Za-z_][A-Za-z0-9_]{0,63})\s*\}\}/g

function unknownVariable(name: string, known: readonly string[]): string {
  if (known.length === 0) return 'The agent has no variables'
  const nearest = nearestName(name, known)
  const hint = nearest === null ? `it has ${known.join(', ')}` : `did you mean \`${nearest}\`?`
  return `The agent has no variable of this name; ${hint}`
}
