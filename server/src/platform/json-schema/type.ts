/**
 * JSON Schemas whose values TypeScript knows: typebox's types, with our own makers. typebox's makers for all of
 * TypeScript's type language are 700 modules, a third of all that a start would load. These are the makers in use.
 */
import type Typebox from 'typebox'
import type { TObject, TProperties, TSchema } from 'typebox'

export type { Static, TObject, TProperties, TSchema, TUnsafe } from 'typebox'

type Options = Record<string, unknown>

/** typebox's mark of an optional field. A printed schema does not show it. */
const optional = '~optional'

const asOptional = (schema: object): object =>
  Object.defineProperty({ ...schema }, optional, { value: true, enumerable: false })

function object(properties: Record<string, object>, options: Options = {}): object {
  const required = Object.keys(properties).filter(name => !(optional in (properties[name] ?? {})))
  if (required.length === 0) return { type: 'object', properties, ...options }
  return { type: 'object', required, properties, ...options }
}

function closed(...parts: [title: string, ...Fields] | Fields): object {
  if (hasTitle(parts)) {
    const [title, properties, options] = parts
    return object(properties, { title, additionalProperties: false, ...options })
  }
  const [properties, options] = parts
  return object(properties, { additionalProperties: false, ...options })
}

type Fields = [properties: Record<string, object>, options?: Options]

const hasTitle = (parts: [string, ...Fields] | Fields): parts is [string, ...Fields] =>
  typeof parts[0] === 'string'

function partial(schema: PlainObject, options: Options = {}): object {
  const { type: _type, properties, required: _required, ...rest } = schema
  const all = Object.entries(properties).map(([name, property]) => [name, asOptional(property)])
  return { ...object(Object.fromEntries(all)), ...rest, ...options }
}

type PlainObject = { type: string; properties: Record<string, object>; required?: string[] }

const makers = {
  String: (options: Options = {}) => ({ type: 'string', ...options }),
  Integer: (options: Options = {}) => ({ type: 'integer', ...options }),
  Number: (options: Options = {}) => ({ type: 'number', ...options }),
  Boolean: (options: Options = {}) => ({ type: 'boolean', ...options }),
  Null: (options: Options = {}) => ({ type: 'null', ...options }),
  Unknown: (options: Options = {}) => ({ ...options }),
  Literal: (value: string | number | boolean, options: Options = {}) => ({
    type: typeof value,
    const: value,
    ...options,
  }),
  Array: (items: object, options: Options = {}) => ({ type: 'array', items, ...options }),
  Union: (anyOf: readonly object[], options: Options = {}) => ({ anyOf, ...options }),
  Record: (_keys: TSchema, values: object, options: Options = {}) => ({
    type: 'object',
    patternProperties: { '^.*$': values },
    ...options,
  }),
  Unsafe: (schema: object) => ({ ...schema }),
  Object: object,
  Closed: closed,
  Optional: asOptional,
  Partial: partial,
}

/** The makers have the types of typebox's makers, whose documentation holds for them too. */
export const Type = makers as unknown as Pick<typeof Typebox, Exclude<keyof typeof makers, 'Closed'>> & Closed

/** An object of these fields and no others; its title is its name in the OpenAPI document. */
type Closed = {
  Closed<Fields extends TProperties>(fields: Fields, options?: Options): TObject<Fields>
  Closed<Fields extends TProperties>(title: string, fields: Fields, options?: Options): TObject<Fields>
}
