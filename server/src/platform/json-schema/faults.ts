/** Says in words what does not fit a JSON Schema: each fault under the dotted path of its place. */
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js'
import { type FieldError, mostFieldErrors } from '../errors.ts'
import { nearestName } from '../text/nearest-name.ts'

/** A hint for an unknown name in the object at the dotted `path`; null without one. */
export type Hint = (name: string, path: string) => string | null

/**
 * One fault for each place, in the order found. `noun` is what a place is called, `whole` names the whole value, and
 * `hint` helps with unknown names of the whole value.
 */
export function schemaFaults(
  validate: Pick<ValidateFunction, 'errors' | 'schema'>,
  noun: 'field' | 'parameter',
  { whole = 'body', hint = () => null }: { whole?: string; hint?: Hint } = {},
): FieldError[] {
  const byField = new Map<string, FieldError>()
  const within: Within = { hint, noun, schema: validate.schema }
  for (const error of validate.errors ?? []) {
    // The branches of an alternative each complain. The alternative's own error says it once.
    if (/\/(anyOf|oneOf)\/\d+\//.test(error.schemaPath)) continue
    const field = fieldOf(error) || whole
    if (!byField.has(field)) byField.set(field, faultOf(field, error, within))
    if (byField.size === mostFieldErrors) break
  }
  return [...byField.values()]
}

/** The faults of a check that did not finish. */
export const tooComplex: FieldError[] = [{ field: '', message: 'is too complex' }]
export const notInTime = (whole: string): FieldError[] => [
  { field: whole, message: 'could not be checked in time' },
]

/** What all faults of one value share. */
type Within = { hint: Hint; noun: 'field' | 'parameter'; schema: unknown }

function faultOf(field: string, error: ErrorObject, within: Within): FieldError {
  const fault = { field, message: messageOf(error, within), rule: error.keyword }
  const { limit } = error.params
  return typeof limit === 'number' ? { ...fault, limit } : fault
}

const stepsOf = ({ instancePath }: ErrorObject): string[] =>
  instancePath
    .split('/')
    .slice(1)
    .map(part => part.replaceAll('~1', '/').replaceAll('~0', '~'))

function fieldOf(error: ErrorObject): string {
  const path = stepsOf(error)
  const { missingProperty, additionalProperty, propertyName = error.propertyName } = error.params
  const named = missingProperty ?? additionalProperty ?? propertyName
  const last = typeof named === 'string' ? [named] : []
  return [...path, ...last].join('.')
}

function messageOf(error: ErrorObject, within: Within): string {
  const { params, data } = error
  switch (error.keyword) {
    case 'required':
      return 'is required'
    case 'additionalProperties':
      return unknownField(String(params.additionalProperty), error, within)
    case 'enum':
      return enumMessage(params.allowedValues as unknown[], data)
    case 'type':
      return `must be ${typeInWords(error)}${slipOfType(error, within)}`
    case 'minLength':
      return params.limit === 1 ? 'must not be empty' : `must have at least ${params.limit} characters`
    case 'maxLength':
      return `must have at most ${params.limit} characters`
    case 'minItems':
      return params.limit === 1 ? 'must have at least one item' : `must have at least ${params.limit} items`
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
  '^[^\\s\\x00-\\x1f\\x7f]([^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?$':
    'must have no control character, and no white space at its ends',
  '^[^$]': 'must not begin with $',
  '^(\\.{0,2}[^.]|\\.{3})': 'must be neither `.` nor `..`, which programs drop from addresses',
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

/** A time is a string, and its form says more. */
const isTime = ({ parentSchema }: ErrorObject): boolean =>
  (parentSchema as { format?: unknown } | undefined)?.format === 'date-time'

const typeInWords = (error: ErrorObject): string =>
  isTime(error) ? 'a point in time such as 2026-11-21T09:30:00Z, as a string' : typeNames(error.params.type)

/** What may have been meant by a value of another type, as a remedy behind the message; often empty. */
function slipOfType(error: ErrorObject, { noun, schema }: Within): string {
  const { data, params } = error
  const wanted = [params.type].flat().map(String)
  const takes = (type: string) => wanted.includes(type)
  if (noun === 'parameter') return Array.isArray(data) ? ', sent once' : ''
  if (data === null)
    return isRequired(schema, stepsOf(error)) ? ', not null' : ', not null: leave it out instead'
  const isWritten = typeof data === 'string'
  if (isWritten && isNumber(data) && (takes('number') || takes('integer')))
    return ': leave the quotation marks out'
  if (isWritten && /^(true|false)$/i.test(data) && takes('boolean'))
    return `: write ${data.toLowerCase()} without quotation marks`
  if (isWritten && /^\s*[{[]/.test(data) && (takes('object') || takes('array')))
    return ', not a string that holds JSON'
  if (isTime(error)) return ''
  if (takes('array')) return ': put the value in square brackets'
  if (Array.isArray(data) && takes('object')) return ', not a list'
  if (takes('string') && (typeof data === 'number' || typeof data === 'boolean'))
    return ': put it in quotation marks'
  return ''
}

const isNumber = (text: string): boolean => text.trim() !== '' && Number.isFinite(Number(text))

/** Whether the place must be there, as far as the schema says so in plain `properties` and `items`. */
function isRequired(schema: unknown, steps: readonly string[]): boolean {
  let place = schema as Nested | undefined
  for (const step of steps.slice(0, -1)) place = place?.properties?.[step] ?? place?.items
  const last = steps.at(-1) ?? ''
  return place?.properties === undefined || place.required?.includes(last) === true
}

type Nested = { properties?: Record<string, Nested>; items?: Nested; required?: readonly string[] }

function enumMessage(values: readonly unknown[], data: unknown): string {
  const listing = `must be one of ${values.map(value => value ?? 'null').join(', ')}`
  const words = values.filter(value => typeof value === 'string')
  const sent = typeof data === 'string' ? data : null
  const nearest =
    sent === null
      ? null
      : (words.find(word => word.toLowerCase() === sent.toLowerCase()) ?? nearestName(sent, words))
  return nearest === null || words.length === 1 ? listing : `${listing}; did you mean \`${nearest}\`?`
}

const mostNamesShown = 24

function unknownField(name: string, error: ErrorObject, { hint, noun }: Within): string {
  const known = propertyNames(error.parentSchema)
  const steps = stepsOf(error)
  const nearest = nearestName(name, known)
  const near = nearest === null ? null : `did you mean \`${nearest}\`?`
  const hinted = hint(name, steps.join('.'))
  // Within an object, a slip is likelier than a word of another API.
  const remedy = steps.length === 0 ? (hinted ?? near) : (near ?? hinted)
  if (remedy !== null) return `is not a known ${noun}: ${remedy}`
  if (known.length === 0) return `is not a known ${noun}: there is none here`
  const more = known.length > mostNamesShown ? ` and ${known.length - mostNamesShown} more` : ''
  return `is not a known ${noun}: there are ${known.slice(0, mostNamesShown).join(', ')}${more}`
}

function propertyNames(schema: unknown): string[] {
  const properties = (schema as { properties?: Record<string, unknown> } | undefined)?.properties
  return Object.keys(properties ?? {})
}
