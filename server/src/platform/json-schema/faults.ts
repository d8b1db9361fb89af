/** What does not fit a JSON Schema, in words: each fault under the dotted path of its place. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import type { FieldError } from '../errors.ts'
import { nearestName } from '../nearest-name.ts'

const maxErrors = 50

/** One for each place, first ones first; `noun` is what a place is called, and `whole` the place of all. */
export function schemaFaults(
  validate: Pick<ValidateFunction, 'errors' | 'schema'>,
  noun: 'field' | 'parameter',
  whole = 'body',
): FieldError[] {
  const byField = new Map<string, string>()
  const known = propertyNames(validate.schema)
  for (const error of validate.errors ?? []) {
    // The branches of an alternative each complain; the alternative's own complaint says it once.
    if (/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath)) continue
    const field = fieldOf(error) || whole
    if (!byField.has(field)) byField.set(field, messageOf(error, known, noun))
    if (byField.size === maxErrors) break
  }
  return [...byField].map(([field, message]) => ({ field, message }))
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
    case 'maxProperties':
      return `must have at most ${params.limit} fields`
    case 'pattern':
      return patternMessage(String(params.pattern), error.parentSchema?.examples?.[0])
    case 'format':
      return `must be a valid ${params.format}`
    case 'anyOf':
    case 'oneOf':
      return 'has none of the allowed forms'
    default:
      return error.message ?? 'is not valid'
  }
}

/** What the patterns of our own schemas that have no telling example mean. */
const patternsInWords: Readonly<Record<string, string>> = {
  '\\S': 'must not be blank',
  '^[!-~]+$': 'must be printable ASCII characters without spaces',
  '^[^:\\x00-\\x1f\\x7f]+$': 'must have no colon and no control character',
  '^[^\\x00-\\x1f\\x7f]*$': 'must have no control character',
}

/** A pattern is for programs; people read words, or the schema's example. */
function patternMessage(pattern: string, example: unknown): string {
  const words = Object.hasOwn(patternsInWords, pattern) ? patternsInWords[pattern] : undefined
  if (words !== undefined) return words
  return example === undefined ? `must match ${pattern}` : `must match ${pattern}, such as ${example}`
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
