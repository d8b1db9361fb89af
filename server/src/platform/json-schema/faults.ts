/** Says in words what does not fit a JSON Schema: each fault under the dotted path of its place. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { type FieldError, mostFieldErrors } from '../errors.ts'
import { nearestName } from '../text/nearest-name.ts'

/** One fault for each place, in the order found. `noun` is what a place is called; `whole` names the whole value. */
export function schemaFaults(
  validate: Pick<ValidateFunction, 'errors' | 'schema'>,
  noun: 'field' | 'parameter',
  whole = 'body',
): FieldError[] {
  const byField = new Map<string, FieldError>()
  const known = propertyNames(validate.schema)
  for (const error of validate.errors ?? []) {
    // The branches of an alternative each complain. The alternative's own error says it once.
    if (/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath)) continue
    const field = fieldOf(error) || whole
    if (!byField.has(field)) byField.set(field, faultOf(field, error, known, noun))
    if (byField.size === mostFieldErrors) break
  }
  return [...byField.values()]
}

/** The faults of a check that did not finish. */
export const tooComplex: FieldError[] = [{ field: '', message: 'is too complex' }]
export const notInTime = (whole: string): FieldError[] => [
  { field: whole, message: 'could not be checked in time' },
]

function faultOf(field: string, error: ErrorObject, known: readonly string[], noun: string): FieldError {
  const fault = { field, message: messageOf(error, known, noun), rule: error.keyword }
  const { limit } = error.params
  return typeof limit === 'number' ? { ...fault, limit } : fault
}

function fieldOf(error: ErrorObject): string {
  const path = error.instancePath
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))
  const { missingProperty, additionalProperty, propertyName = error.propertyName } = error.params
  const named = missingProperty ?? additionalProperty ?? propertyName
  const last = typeof named === 'string' ? [named] : []
  return [...path, ...last].join('.')
}

function messageOf(error: ErrorObject, known: readonly string[], noun: string): string {
  const { params } = error
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return unknownField(String(params.additionalProperty), error.instancePath === '' ? known : [], noun)
    case 'enum':
      return `must be one of ${(params.allowedValues as unknown[]).map(value => value ?? 'null').join(', ')}`
    case 'type':
      return `must be ${typeNames(params.type)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return `must have at least ${params.limit} items`
    case 'maxItems':
      return `must have at most ${params.limit} items`
    case 'minProperties':
      return params.limit === 1 ? 'must name at least one field' : `must have at least ${params.limit} fields`
    case 'uniqueItems':
      return `must not hold the same item twice: items ${params.j} and ${params.i} are equal`
    case 'minimum':
    case 'exclusiveMinimum':
      return `must be ${error.keyword === 'minimum' ? 'at least' : 'more than'} ${params.limit}`
    case 'maximum':
    case 'exclusiveMaximum':
      return `must be ${error.keyword === 'maximum' ? 'at most' : 'less than'} ${params.limit}`
    case 'maxProperties':
      return `must have at most ${params.limit} fields`
    case 'pattern':
      return patternMessage(String(params.pattern), error.parentSchema?.examples?.[0])
    case 'format':
      return formatMessage(String(params.format))
    case 'anyOf':
    case 'oneOf':
      return `must be ${listed((error.schema as JsonSchema[]).map(formInWords))}`
    default:
      return error.message ?? 'is not valid'
  }
}

/** The patterns of our own schemas, in words. */
const patternsInWords: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  '^[!-~]+$': 'must be printable ASCII characters without spaces',
  '^[^:\\x00-\\x1f\\x7f]+$': 'must have no colon and no control character',
  '^[^\\x00-\\x1f\\x7f]*$': 'must have no control character',
  '^[^$]': 'must not begin with $',
  '^(steps|citations)(,(steps|citations))*$': 'must be `steps`, `citations`, or both with a comma between',
  '^[A-Za-z0-9-]{1,64}$': 'must be 1 to 64 letters, digits and hyphens',
  '^[!-~]([ -~]*[!-~])?$': 'must be printable ASCII characters, with no space at an end',
  '^[0-9a-f]{64}$': 'must be a SHA-256 of 64 lower-case hexadecimal digits',
  '^[A-Za-z_][A-Za-z0-9_]{0,63}$':
    'must be 1 to 64 letters, digits and underscores, the first of them no digit',
  '^[A-Za-z_][A-Za-z0-9_-]{0,63}$':
    'must be 1 to 64 letters, digits, underscores and hyphens, beginning with a letter or an underscore',
  '^[a-z][a-z0-9-]*[a-z0-9]$':
    'must be lower-case letters, digits and hyphens, beginning with a letter and not ending with a hyphen',
  '^\\w[\\w.:@+-]*(/\\w[\\w.:@+-]*)*$':
    'must be a name of letters, digits and _ . : @ + -, whose parts may be joined by slashes',
}

const idForm = /^\^\(?[a-z[].*_\[0-9a-hjkmnp-tv-z\]\{26\}\$$/

/** Programs read patterns; people read words. A foreign pattern is shown as its author wrote it. */
function patternMessage(pattern: string, example: unknown): string {
  const words = Object.hasOwn(patternsInWords, pattern) ? patternsInWords[pattern] : undefined
  const meaning = words ?? (idForm.test(pattern) ? 'must be an id' : `must match ${pattern}`)
  return example === undefined ? meaning : `${meaning}, such as ${example}`
}

const formatsInWords: Readonly<Record<string, string>> = {
  date: 'must be a day of the calendar, such as 2026-11-21',
  'date-time': 'must be a point in time with its offset, such as 2026-11-21T09:30:00Z',
  email: 'must be an address such as ada@example.com',
}

const formatMessage = (format: string): string =>
  Object.hasOwn(formatsInWords, format) ? (formatsInWords[format] ?? '') : `must be a valid ${format}`

/** One branch of an alternative, as far as words can say it: `a string of at most 2000 characters`. */
function formInWords(schema: JsonSchema): string {
  const { enum: values, const: constant, type, maxLength, maxItems, minimum, maximum, items } = schema
  if (Array.isArray(values)) return listed(values.map(String))
  if (constant !== undefined) return String(constant)
  if (type === 'array') {
    const most = maxItems === undefined ? 'a list' : `a list of at most ${maxItems} items`
    return typeof items === 'object' && items !== null ? `${most}, each ${formInWords(items)}` : most
  }
  const bounds = [
    ...(maxLength === undefined ? [] : [`of at most ${maxLength} characters`]),
    ...(minimum === undefined ? [] : [`from ${minimum}`]),
    ...(maximum === undefined ? [] : [`up to ${maximum}`]),
  ]
  return [type === undefined ? 'a value of another form' : typeNames(type), ...bounds].join(' ')
}

type JsonSchema = {
  type?: unknown
  enum?: unknown
  const?: unknown
  maxLength?: number
  maxItems?: number
  minimum?: number
  maximum?: number
  items?: JsonSchema
}

function listed(words: readonly string[]): string {
  const before = words.slice(0, -1).join(', ')
  return before === '' ? (words.at(-1) ?? '') : `${before} or ${words.at(-1)}`
}

function typeNames(type: unknown): string {
  const names: Record<string, string> = {
    array: 'a list',
    boolean: 'true or false',
    integer: 'a whole number',
    null: 'null',
    number: 'a number',
    object: 'an object',
    string: 'a string',
  }
  return [type]
    .flat()
    .map(name => names[String(name)] ?? String(name))
    .join(' or ')
}

function unknownField(name: string, known: readonly string[], noun: string): string {
  const nearest = nearestName(name, known)
  return nearest === null ? `is not a known ${noun}` : `is not a known ${noun}; did you mean \`${nearest}\`?`
}

function propertyNames(schema: unknown): string[] {
  const properties = (schema as { properties?: Record<string, unknown> } | undefined)?.properties
  return Object.keys(properties ?? {})
}
