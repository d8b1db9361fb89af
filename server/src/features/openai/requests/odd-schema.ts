/**
 * A schema of another program's tool, without the parts that are no JSON Schema of ours: such a part is lost alone, and
 * the request is taken.
 */
import { type Fields, isFields } from '@atrium/connectors/fields'

const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']
/** Keywords whose value is an object of names, not of keywords. */
const named = ['properties', '$defs', 'definitions', 'dependentSchemas']
const values = ['enum', 'const', 'default', 'examples']
const mostDepth = 30
const maxPatternLength = 1_000

export const withoutOddParts = (schema: Fields): Fields => {
  const read = partOf(schema, 0)
  return isFields(read) ? { ...read, type: 'object' } : { type: 'object' }
}

function partOf(part: unknown, depth: number): unknown {
  if (depth > mostDepth) return {}
  if (Array.isArray(part)) return part.map(one => partOf(one, depth + 1))
  if (!isFields(part)) return part
  const { exclusiveMinimum, exclusiveMaximum } = part
  const kept: Fields = {}
  for (const [key, value] of Object.entries(part)) {
    if (isOdd(key, value, depth)) continue
    if (values.includes(key)) kept[key] = value
    else if (named.includes(key) && isFields(value)) kept[key] = eachOf(value, depth)
    else if (key === 'patternProperties' && isFields(value)) kept[key] = eachOf(compiling(value), depth)
    else kept[key] = partOf(value, depth + 1)
  }
  // An earlier draft marks the limit itself as left out.
  if (exclusiveMinimum === true && typeof part.minimum === 'number') kept.exclusiveMinimum = part.minimum
  if (exclusiveMaximum === true && typeof part.maximum === 'number') kept.exclusiveMaximum = part.maximum
  return kept
}

const eachOf = (parts: Fields, depth: number): Fields =>
  Object.fromEntries(
    Object.entries(parts).map(([name, one]) => [name, isPart(one) ? partOf(one, depth + 1) : {}]),
  )

const isPart = (value: unknown): boolean => isFields(value) || typeof value === 'boolean'

const compiling = (parts: Fields): Fields =>
  Object.fromEntries(Object.entries(parts).filter(([pattern]) => compiles(pattern)))

/** Whether a value is none that the keyword may have. */
function isOdd(key: string, value: unknown, depth: number): boolean {
  switch (key) {
    case 'pattern':
      return typeof value !== 'string' || value.length > maxPatternLength || !compiles(value)
    case 'type':
      return ![value].flat().every(one => types.includes(String(one)))
    case 'required':
      return !Array.isArray(value)
    case '$ref':
      return typeof value !== 'string' || !value.startsWith('#')
    case '$id':
    case '$schema':
    case 'id':
      return key !== 'id' ? true : depth === 0 && typeof value === 'string'
    case 'exclusiveMinimum':
    case 'exclusiveMaximum':
      return typeof value !== 'number'
    case 'enum':
      return !Array.isArray(value) || value.length === 0
    case 'properties':
      return !isFields(value)
    default:
      return false
  }
}

function compiles(pattern: string): boolean {
  try {
    return new RegExp(pattern, 'u') instanceof RegExp
  } catch {
    // It is an expression of another language.
    return false
  }
}
