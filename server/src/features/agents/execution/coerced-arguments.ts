/** Arguments in the types that a tool's schema names, where a model wrote them in another type. */
import { isFields } from '@atrium/connectors/fields'
import { jsonIn } from '@atrium/connectors/gate'
import type { JsonSchema } from '../../../platform/json-schema/strangers-schemas.ts'
import { modelTextLimits } from '../../../platform/text/model-text.ts'

/** How deep a value may be nested, and how many references may follow each other. */
const mostLevels = 20

/**
 * The value in the types of the schema: a text that is JSON of the type, a number for a text, a list of a single
 * value. An optional field that is null where null does not fit is left out. The result need not fit the schema.
 */
export const coerced = (schema: unknown, value: unknown): unknown => coerce(schema, value, schema, 0)

function coerce(given: unknown, value: unknown, root: unknown, level: number): unknown {
  const schema = resolved(given, root)
  if (schema === null || level > mostLevels) return value
  const branches = branchesOf(schema)
  const types = new Set([
    ...typesOf(schema),
    ...branches.flatMap(branch => typesOf(resolved(branch, root) ?? {})),
  ])
  const made =
    types.size === 0 || types.has(typeOf(value)) || isWhole(value, types) ? value : toOneOf(types, value)
  const inner = branches.find(branch => typesOf(resolved(branch, root) ?? {}).includes(typeOf(made)))
  return inside(schema, inner === undefined ? made : coerce(inner, made, root, level + 1), root, level)
}

/** The fields of an object, and the items of a list. */
function inside(schema: JsonSchema, value: unknown, root: unknown, level: number): unknown {
  if (Array.isArray(value)) {
    const { items } = schema
    return typeof items === 'object' ? value.map(item => coerce(items, item, root, level + 1)) : value
  }
  if (!isFields(value) || !isFields(schema.properties)) return value
  const properties = schema.properties
  const required: unknown[] = Array.isArray(schema.required) ? schema.required : []
  const entries = Object.entries(value).flatMap(([name, field]): [string, unknown][] => {
    if (!Object.hasOwn(properties, name)) return [[name, field]]
    const isLeftOut = field === null && !required.includes(name) && !allowsNull(properties[name], root)
    return isLeftOut ? [] : [[name, coerce(properties[name], field, root, level + 1)]]
  })
  return Object.fromEntries(entries)
}

function toOneOf(types: ReadonlySet<string>, value: unknown): unknown {
  if (typeof value === 'string') {
    const read = jsonIn(value, modelTextLimits)
    if (read !== undefined && (types.has(typeOf(read)) || isWhole(read, types))) return read
    const word = value.trim().toLowerCase()
    if (types.has('boolean') && ['true', 'yes', 'false', 'no'].includes(word))
      return word === 'true' || word === 'yes'
    if (types.has('null') && ['null', 'none'].includes(word)) return null
  }
  if (types.has('string') && (typeof value === 'number' || typeof value === 'boolean')) return String(value)
  if (types.has('string') && isFields(value)) return JSON.stringify(value)
  if (types.has('array') && value !== null) return [value]
  return value
}

/** A whole number is an integer, however it is written. */
const isWhole = (value: unknown, types: ReadonlySet<string>): boolean =>
  types.has('integer') && Number.isInteger(value)

function resolved(schema: unknown, root: unknown): JsonSchema | null {
  let at = schema
  for (let hops = 0; hops < mostLevels; hops++) {
    if (!isFields(at)) return null
    const { $ref: ref } = at
    if (typeof ref !== 'string') return at
    if (!ref.startsWith('#')) return null
    at = ref
      .split('/')
      .slice(1)
      .reduce<unknown>((place, name) => {
        const key = decoded(name)
        return isFields(place) && Object.hasOwn(place, key) ? place[key] : undefined
      }, root)
  }
  return null
}

const decoded = (name: string): string => name.replaceAll('~1', '/').replaceAll('~0', '~')

const branchesOf = ({ anyOf, oneOf, allOf }: JsonSchema): unknown[] =>
  [anyOf, oneOf, allOf].flatMap(branches => (Array.isArray(branches) ? branches : []))

/** Empty where the schema names no type. */
function typesOf({ type, enum: values, const: only }: JsonSchema): string[] {
  if (typeof type === 'string') return [type]
  if (Array.isArray(type)) return type.filter(one => typeof one === 'string')
  if (Array.isArray(values)) return [...new Set(values.map(typeOf))]
  return only === undefined ? [] : [typeOf(only)]
}

const allowsNull = (given: unknown, root: unknown): boolean => {
  const schema = resolved(given, root)
  if (schema === null) return true
  const types = [
    ...typesOf(schema),
    ...branchesOf(schema).flatMap(branch => typesOf(resolved(branch, root) ?? {})),
  ]
  return types.length === 0 || types.includes('null')
}

function typeOf(value: unknown): string {
  if (value === null) return 'null'
  return Array.isArray(value) ? 'array' : typeof value
}
