/** The named parts of the OpenAPI document that other parts refer to: schemas, parameters, examples, replies. */
import { isDeepStrictEqual } from 'node:util'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { TSchema } from '../../platform/json-schema/type.ts'

export type Json = Record<string, unknown>
export type Ref = { $ref: string }

/** Whether an object in a reply may have fields that are missing in the document. */
export type Replies = 'open' | 'closed'

type Kind = 'schemas' | 'parameters' | 'examples' | 'responses'

export type Components = ReturnType<typeof createComponents>

/**
 * Replies are published open, so that a new field breaks no client; the tests read them closed. Requests are always
 * closed. Add the schemas of replies first: a request's schema of the same name gets the suffix `Input` if it
 * differs.
 */
export function createComponents(replies: Replies) {
  const known: Record<Kind, Map<string, Json>> = {
    schemas: new Map(),
    parameters: new Map(),
    examples: new Map(),
    responses: new Map(),
  }

  /** Throws if the name is already used for something else. */
  const add = (kind: Kind, name: string, value: Json): Ref => {
    const present = known[kind].get(name)
    if (present !== undefined && !isDeepStrictEqual(present, value))
      throw new Error(`Two ${kind} are named ${name}`)
    known[kind].set(name, present ?? value)
    return { $ref: `#/components/${kind}/${name}` }
  }

  const addReplySchema = (name: string, schema: Json): Ref => {
    const present = known.schemas.get(name)
    // A field that may be null has its description beside the reference, so the named schema comes without one.
    const isNamedInPlace = present !== undefined && schema.description === undefined
    if (isNamedInPlace)
      return add('schemas', name, withoutUndefined({ ...schema, description: present.description }))
    if (present !== undefined && present.description === undefined) known.schemas.delete(name)
    return add('schemas', name, schema)
  }
  const addRequestSchema = (name: string, schema: Json): Ref => {
    const reply = known.schemas.get(name)
    return add(
      'schemas',
      reply === undefined || isDeepStrictEqual(reply, schema) ? name : `${name}Input`,
      schema,
    )
  }

  return {
    add,
    /** Whether the name is free, or is already used for this value. */
    isFree: (kind: Kind, name: string, value: Json): boolean => {
      const present = known[kind].get(name)
      return present === undefined || isDeepStrictEqual(present, value)
    },
    /** The schema of received data; its parts with a title become references. */
    requestSchema: (schema: TSchema): Json =>
      objectOf(replaceTitled(plain(schema), addRequestSchema, part => part)),
    /** The same for data that is sent. */
    replySchema: (schema: TSchema): Json =>
      objectOf(replaceTitled(plain(schema), addReplySchema, replies === 'open' ? opened : part => part)),
    schema: (name: string): Json | undefined => known.schemas.get(name),
    /** Everything of a kind, by its name. */
    all: (kind: Kind): Json =>
      Object.fromEntries([...known[kind]].sort(([one], [other]) => (one < other ? -1 : 1))),
    /** Adds a discriminator to unions of named objects that one field tells apart. */
    nameDiscriminators: (): void => {
      for (const [name, schema] of known.schemas) {
        known.schemas.set(
          name,
          withDiscriminator(schema, ref => known.schemas.get(nameOf(ref))),
        )
      }
    },
  }
}

const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema))

const objectOf = (value: unknown): Json => value as Json

export const nameOf = ({ $ref }: Ref): string => $ref.split('/').at(-1) ?? ''

function opened(schema: Json): Json {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === false ? rest : schema
}

type AddSchema = (name: string, schema: Json) => Ref

function replaceTitled(value: unknown, add: AddSchema, change: (schema: Json) => Json): unknown {
  if (Array.isArray(value)) return value.map(item => replaceTitled(item, add, change))
  if (typeof value !== 'object' || value === null) return value
  const walked = change(
    Object.fromEntries(Object.entries(value).map(([name, item]) => [name, replaceTitled(item, add, change)])),
  )
  const { title, ...rest } = walked
  if (typeof title !== 'string') return walked
  if (typeof rest.type === 'string' || 'anyOf' in rest) return add(title, rest)
  if (!Array.isArray(rest.type)) return walked
  // A field that may be null keeps its description beside the reference; the name is for the object.
  const { description, ...unnamed } = rest
  const [type] = rest.type.filter(one => one !== 'null')
  const union = { anyOf: [add(title, { ...unnamed, type }), { type: 'null' }] }
  return description === undefined ? union : { ...union, description }
}

type Find = (ref: Ref) => Json | undefined

/** The fields that tell the branches of a union apart: a message has a role, all other objects have a type. */
const discriminating = ['type', 'role']

function withDiscriminator(schema: Json, find: Find): Json {
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf)) return schema
  for (const propertyName of discriminating) {
    const mapping = mappingOf(anyOf as Partial<Ref>[], propertyName, find)
    if (mapping !== null) return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } }
  }
  return schema
}

/** The branch for each value of the field; null if the field does not tell the branches apart. */
function mappingOf(branches: readonly Partial<Ref>[], propertyName: string, find: Find) {
  const mapping: Record<string, string> = {}
  for (const { $ref } of branches) {
    if ($ref === undefined) return null
    const properties = objectOf(find({ $ref })?.properties ?? {})
    const words = wordsOf(objectOf(properties[propertyName] ?? {}))
    if (words.length === 0 || words.some(word => word in mapping)) return null
    for (const word of words) mapping[word] = $ref
  }
  return mapping
}

const wordsOf = ({ const: constant, enum: words = [] }: Json): string[] =>
  (constant === undefined ? (words as unknown[]) : [constant]).map(String)
