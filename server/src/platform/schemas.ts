/** Pieces that the features' schemas are made of: one way to write an enum, a nullable field, a time and an id. */

import { type IdKind, idPrefixes } from './ids.ts'
import { type Static, type TSchema, type TUnsafe, Type } from './json-schema/type.ts'

type Options = { description?: string; [keyword: string]: unknown }

/** A closed list of words; prints as one `enum` where a union of literals would print as an `anyOf`. */
export const stringEnum = <const Values extends readonly string[]>(values: Values, options: Options = {}) =>
  Type.Unsafe<Values[number]>({ type: 'string', enum: [...values], ...options })

/** A required field that may be null. */
export function nullable<Schema extends TSchema>(
  schema: Schema,
  options: Options = {},
): TUnsafe<Static<Schema> | null> {
  const { type, ...rest } = schema as TSchema & { type?: string; enum?: unknown[] }
  if (type === undefined) return Type.Unsafe({ anyOf: [schema, { type: 'null' }], ...options })
  const values = rest.enum === undefined ? {} : { enum: [...rest.enum, null] }
  return Type.Unsafe({ ...rest, ...values, type: [type, 'null'], ...options })
}

/** An instant: ISO 8601, UTC, with milliseconds. */
export const timestamp = (options: Options = {}) =>
  Type.String({ format: 'date-time', examples: ['2026-11-21T09:30:00.000Z'], ...options })

/** An id of a kind, such as `agt_01k…`. */
export const idOf = (kind: IdKind, options: Options = {}) =>
  Type.String({
    pattern: `^${idPrefixes[kind]}_[0-9a-hjkmnp-tv-z]{26}$`,
    description: `Id of the ${kind.replaceAll(/[A-Z]/g, letter => ` ${letter.toLowerCase()}`)}.`,
    examples: [exampleId(kind)],
    ...options,
  })

/** An example id for the documentation. */
export const exampleId = (kind: IdKind): string => `${idPrefixes[kind]}_01kajz4v7qf3x8m2c9t5b6n0rw`

/** Free JSON that callers attach to a record: a flat object of at most 50 keys. */
export const metadata = (options: Options = {}) =>
  Type.Unsafe<Record<string, unknown>>({
    type: 'object',
    maxProperties: 50,
    propertyNames: { type: 'string', minLength: 1, maxLength: 100 },
    additionalProperties: {
      title: 'MetadataValue',
      anyOf: [
        { type: 'string', maxLength: 2000 },
        { type: 'number' },
        { type: 'boolean' },
        { type: 'null' },
        { type: 'array', maxItems: 100, items: { type: 'string', maxLength: 500 } },
      ],
    },
    examples: [{ department: 'support', year: 2026 }],
    ...options,
  })
