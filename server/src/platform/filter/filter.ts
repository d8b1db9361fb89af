/** The filter language: its form, and how a filter is read. Each fault is an error under the path of its place. */
import { isFields } from '@atrium/connectors/fields'
import { type FieldError, mostFieldErrors, ServiceError } from '../errors.ts'
import { Type } from '../json-schema/type.ts'
import type { Condition, Filter } from '../narrowing.ts'
import { jsonFault } from '../text/json-text.ts'
import { nearestName } from '../text/nearest-name.ts'
import { instantOf } from './field-values.ts'

export const filterLimits = {
  /** Characters of a filter as JSON, in a body or stored. */
  textLength: 16_000,
  /** Fewer in a query string: percent-encoded, a longer filter seldom fits into a URL. */
  queryLength: 8_000,
  /** How deep `and`, `or` and `not` may be nested. */
  depth: 8,
  conditions: 50,
  /** The values of an `in`. */
  values: 100,
  fieldLength: 100,
  valueLength: 2_000,
} as const

/** A filter as a parameter of a query string. `about` names the records, and which fields of their own they have. */
export const filterParameter = (about: string) =>
  Type.String({
    minLength: 1,
    maxLength: filterLimits.queryLength,
    description: `JSON over ${about}`,
    examples: [
      '{"and":[{"field":"department","op":"eq","value":"people"},{"field":"year","op":"gte","value":2025}]}',
    ],
  })

/** The forms of the language, for the descriptions of parameters. */
export const filterForms =
  '`{"field", "op", "value"}` with the operators `eq, ne, in, gt, gte, lt, lte, exists, contains`, joined by `{"and": […]}`, `{"or": […]}` and `{"not": …}`.'

export type FieldKind = 'string' | 'number' | 'date'

/** The fields that records have besides metadata; their names begin with `$`. `noun` is what messages call one. */
export type OwnFields = { kinds: Readonly<Record<string, FieldKind>>; noun: string }

/** Like `parseFilter`, from JSON text. */
export function parseFilterText(own: OwnFields, text: string, place = 'filter'): Filter {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    throw faulty([
      {
        field: place,
        message: `must be valid JSON, such as {"field":"department","op":"eq","value":"people"}: ${jsonFault(text)}`,
      },
    ])
  }
  return parseFilter(own, value, place)
}

/** Throws a 400 with all faults, each under its place, such as `filter.and.0.value`. */
export function parseFilter(own: OwnFields, value: unknown, place = 'filter'): Filter {
  const read = checkFilter(own, value, place)
  if ('errors' in read) throw faulty(read.errors)
  return read.filter
}

/** The filter, or all its faults, for callers that report other faults too. */
export function checkFilter(
  own: OwnFields,
  value: unknown,
  place: string,
): { filter: Filter } | { errors: FieldError[] } {
  const errors: FieldError[] = []
  const count = { conditions: 0 }
  const filter = readFilter(value, { own, place, depth: 0, errors, count })
  if (count.conditions > filterLimits.conditions) {
    const limit = filterLimits.conditions
    errors.unshift({
      field: place,
      message: `must have at most ${limit} conditions`,
      rule: 'maxItems',
      limit,
    })
  }
  return filter === null || errors.length > 0 ? { errors: errors.slice(0, mostFieldErrors) } : { filter }
}

const faulty = (errors: FieldError[]): ServiceError =>
  new ServiceError('validation_failed', undefined, { errors })

type Reading = {
  own: OwnFields
  place: string
  depth: number
  errors: FieldError[]
  count: { conditions: number }
}

/** Null if the filter is faulty; the fault is then in `errors`. */
function readFilter(value: unknown, reading: Reading): Filter | null {
  const { place, depth, errors, count } = reading
  if (count.conditions > filterLimits.conditions) return null
  if (!isFields(value)) return blame(errors, place, `must be an object: ${forms}`)
  const joiner = joiners.find(name => Object.hasOwn(value, name))
  if (joiner === undefined) return readCondition(value, reading)
  const others = Object.keys(value).filter(name => name !== joiner)
  for (const name of others) {
    blame(errors, `${place}.${name}`, `cannot stand beside \`${joiner}\`: put it into a filter of its own`)
  }
  const inner = { ...reading, place: `${place}.${joiner}`, depth: depth + 1 }
  if (inner.depth > filterLimits.depth) {
    return blame(errors, place, `must not be nested deeper than ${filterLimits.depth} levels`)
  }
  if (joiner === 'not') {
    const filter = readFilter(value.not, inner)
    return filter === null ? null : { not: filter }
  }
  const filters = readFilters(value[joiner], inner)
  if (filters === null) return null
  return joiner === 'and' ? { and: filters } : { or: filters }
}

const joiners = ['and', 'or', 'not'] as const
const forms = '{"field": …, "op": …, "value": …}, {"and": [filters]}, {"or": [filters]} or {"not": filter}'

function readFilters(value: unknown, reading: Reading): Filter[] | null {
  const { place, errors } = reading
  if (!Array.isArray(value)) return blame(errors, place, 'must be a list of filters')
  if (value.length === 0) return blame(errors, place, 'must have at least one filter')
  const filters = value.map((item, index) => readFilter(item, { ...reading, place: `${place}.${index}` }))
  return filters.every(filter => filter !== null) ? filters : null
}

function readCondition(value: Record<string, unknown>, { own, place, errors, count }: Reading) {
  count.conditions += 1
  if (Object.keys(value).length === 0) {
    return blame(errors, place, `is empty: leave it out to get everything, or write ${forms}`)
  }
  const before = errors.length
  for (const name of Object.keys(value)) {
    if (!parts.includes(name)) blame(errors, `${place}.${name}`, unknownName(name, [...parts, ...joiners]))
  }
  const field = readField(own, value.field, `${place}.field`, errors)
  const op = readOperator(value.op, `${place}.op`, errors)
  // The form of the value depends on the field and the operator.
  if (field === null || op === null) return null
  const operand = operandOf(value, op)
  const kind = Object.hasOwn(own.kinds, field) ? (own.kinds[field] ?? null) : null
  const fault = faultOf(op, operand, { field, kind }, `${place}.value`)
  if (fault !== null) errors.push(fault)
  // A value without faults is one that the operator takes: the one cast of this file.
  return errors.length === before ? ({ field, op, value: operand } as Condition) : null
}

const parts = ['field', 'op', 'value']

function readField(own: OwnFields, value: unknown, place: string, errors: FieldError[]): string | null {
  if (value === undefined) return blame(errors, place, 'is required')
  if (typeof value !== 'string') return blame(errors, place, 'must be a string: the name of a field')
  if (value === '') return blame(errors, place, 'must not be empty')
  if (value.length > filterLimits.fieldLength) {
    return blame(errors, place, `must have at most ${filterLimits.fieldLength} characters`)
  }
  const unsafe = unsafeText(value)
  if (unsafe !== null) return blame(errors, place, unsafe)
  if (value.startsWith('$') && !Object.hasOwn(own.kinds, value)) {
    return blame(errors, place, unknownName(value, Object.keys(own.kinds), own.noun))
  }
  return value
}

function readOperator(value: unknown, place: string, errors: FieldError[]): Operator | null {
  if (value === undefined) return blame(errors, place, `is required: one of ${operators.join(', ')}`)
  const known = operators.find(name => name === value)
  if (known !== undefined) return known
  const nearest =
    typeof value === 'string' ? (synonyms.get(value) ?? nearestName(value.slice(0, 64), operators)) : null
  const hint = nearest === null ? '' : `; did you mean \`${nearest}\`?`
  return blame(errors, place, `must be one of ${operators.join(', ')}${hint}`)
}

const operators = ['eq', 'ne', 'in', 'gt', 'gte', 'lt', 'lte', 'exists', 'contains'] as const
type Operator = (typeof operators)[number]

/** The operators of other languages. */
const synonyms = new Map<string, Operator>([
  ...(['=', '==', 'equals'] as const).map(sign => [sign, 'eq'] as const),
  ...(['!=', '<>', 'neq'] as const).map(sign => [sign, 'ne'] as const),
  ['>', 'gt'],
  ['>=', 'gte'],
  ['<', 'lt'],
  ['<=', 'lte'],
  ['like', 'contains'],
])

/** `exists` without a value means `true`. */
const operandOf = (value: Record<string, unknown>, op: Operator): unknown =>
  op === 'exists' && value.value === undefined ? true : value.value

type Asked = { field: string; kind: FieldKind | null }

/** The fault of a value, if it has one. */
function faultOf(op: Operator, value: unknown, asked: Asked, place: string): FieldError | null {
  const { field, kind } = asked
  const fault = (message: string): FieldError => ({ field: place, message })
  if (value === undefined) return fault('is required')
  switch (op) {
    case 'exists':
      return typeof value === 'boolean' ? null : fault('must be true or false')
    case 'in': {
      if (!Array.isArray(value)) return fault('must be a list of strings, numbers or booleans')
      if (value.length === 0) return fault('must have at least one value')
      if (value.length > filterLimits.values) return fault(`must have at most ${filterLimits.values} values`)
      const faults = value.map((item, index) => scalarFault(item, asked, `${place}.${index}`))
      return faults.find(item => item !== null) ?? null
    }
    case 'contains':
      if (typeof value !== 'string') return fault('must be a string')
      if (value === '') return fault('must not be empty')
      return (kind ?? 'string') === 'string'
        ? textFault(value, place)
        : fault(`cannot be asked of ${field}, which is a ${kind}`)
    case 'eq':
    case 'ne':
      return scalarFault(value, asked, place)
    default:
      if (typeof value === 'string' || typeof value === 'number') return scalarFault(value, asked, place)
      return fault('must be a number, a date such as "2026-11-21", or another string')
  }
}

function scalarFault(value: unknown, { field, kind }: Asked, place: string): FieldError | null {
  if (typeof value !== 'string' && typeof value !== 'number' && typeof value !== 'boolean') {
    const remedy = value === null ? '; for a field that is not there, use `exists` with false' : ''
    return { field: place, message: `must be a string, a number, true or false${remedy}` }
  }
  if (typeof value === 'number' && !Number.isFinite(value)) {
    return { field: place, message: 'is too large for a number' }
  }
  switch (kind) {
    case 'string':
      if (typeof value !== 'string') return { field: place, message: `must be a string, as ${field} is` }
      break
    case 'number':
      if (typeof value !== 'number') return { field: place, message: `must be a number, as ${field} is` }
      break
    case 'date':
      if (typeof value !== 'string' || instantOf(value) === null) {
        return {
          field: place,
          message: `must be an ISO 8601 date, as ${field} is: "2026-11-21" or "2026-11-21T09:30:00Z"`,
        }
      }
      break
    case null:
  }
  return typeof value === 'string' ? textFault(value, place) : null
}

function textFault(value: string, place: string): FieldError | null {
  if (value.length > filterLimits.valueLength) {
    const limit = filterLimits.valueLength
    return { field: place, message: `must have at most ${limit} characters`, rule: 'maxLength', limit }
  }
  const message = unsafeText(value)
  return message === null ? null : { field: place, message }
}

/** Text that no database stores, so that nothing can match it. */
function unsafeText(text: string): string | null {
  if (text.includes('\0')) return 'must not contain NUL characters'
  return text.isWellFormed() ? null : 'must be well-formed Unicode'
}

function unknownName(name: string, known: readonly string[], noun = 'part of a filter'): string {
  const nearest = nearestName(name, known)
  if (nearest !== null) return `is not a known ${noun}; did you mean \`${nearest}\`?`
  return `is not a known ${noun}: ${known.length === 0 ? 'there are none with `$`' : `use ${known.join(', ')}`}`
}

function blame(errors: FieldError[], field: string, message: string): null {
  errors.push({ field, message })
  return null
}
