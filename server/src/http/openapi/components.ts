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
    /** Adds a discriminator to unions of named objects that one field tells apart, and names the words of that field. */
    nameDiscriminators: (): void => {
      for (const [name, schema] of known.schemas) {
        known.schemas.set(name, objectOf(withDiscriminator(schema, ref => known.schemas.get(nameOf(ref)))))
      }
      for (const [name, schema] of namedWords(known.schemas)) known.schemas.set(name, schema)
    },
  }
}

export const capital = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1)

const plain = (schema: TSchema): unknown => JSON.parse(JSON.stringify(schema))

const objectOf = (value: unknown): Json => value as Json

export const nameOf = ({ $ref }: Ref): string => $ref.split('/').at(-1) ?? ''

function opened(schema: Json): Json {
  const { additionalProperties, ...rest } = schema
  return additionalProperties === false ? rest : schema
}

/**
 * A value of several types as alternatives of one type each: no generator reads a list of types besides `null`. The
 * server checks against the list, since its faults name the one rule that is broken.
 */
function separated(schema: Json): Json {
  const { type, ...rest } = schema
  const types = Array.isArray(type) ? type.filter(one => one !== 'null') : []
  if (types.length < 2) return schema
  const ofType = (one: unknown) => Object.entries(rest).filter(([key]) => typeOfKeyword[key] === one)
  const shared = Object.entries(rest).filter(([key]) => typeOfKeyword[key] === undefined)
  const branches = (type as unknown[]).map(one => ({ type: one, ...Object.fromEntries(ofType(one)) }))
  return { ...Object.fromEntries(shared), anyOf: branches }
}

/** Without the format, generators take 32 bits for an integer, and what they write of a larger bound does not compile. */
const sized = (schema: Json): Json =>
  Number(schema.maximum) > largest32 && schema.type === 'integer' ? { ...schema, format: 'int64' } : schema

const largest32 = 2 ** 31 - 1

/** The keywords in use that concern values of one type only. */
const typeOfKeyword: Readonly<Record<string, string>> = {
  maxLength: 'string',
  items: 'array',
  maxItems: 'array',
}

type AddSchema = (name: string, schema: Json) => Ref

/**
 * `place` names an object that has no title: `RunUsage` for `usage` of `Run`. Otherwise each generator would make up
 * its own name, and some would take one that another schema has. Null outside of titled schemas.
 */
function replaceTitled(
  value: unknown,
  add: AddSchema,
  change: (schema: Json) => Json,
  place: string | null = null,
): unknown {
  if (Array.isArray(value)) return value.map(item => replaceTitled(item, add, change, place))
  if (typeof value !== 'object' || value === null) return value
  const named = withTitle(objectOf(value), place)
  const within = typeof named.title === 'string' ? named.title : place
  const parts = Object.entries(named).map(([key, part]) => [
    key,
    values.has(key)
      ? part
      : key === 'properties'
        ? replaceFields(objectOf(part), add, change, within)
        : replaceTitled(part, add, change, within && `${within}${partNames[key] ?? ''}`),
  ])
  const walked = change(sized(separated(Object.fromEntries(parts))))
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

const replaceFields = (
  fields: Json,
  add: AddSchema,
  change: (schema: Json) => Json,
  place: string | null,
): Json =>
  Object.fromEntries(
    Object.entries(fields).map(([name, field]) => [
      name,
      replaceTitled(field, add, change, place && `${place}${capital(name)}`),
    ]),
  )

/** Keywords that hold values instead of schemas. */
const values: ReadonlySet<string> = new Set(['const', 'default', 'enum', 'examples'])

const partNames: Readonly<Record<string, string>> = { items: 'Item', additionalProperties: 'Value' }

function withTitle(schema: Json, place: string | null): Json {
  const hasFields = Object.keys(schema.properties ?? {}).length > 0
  return schema.title === undefined && hasFields && place !== null ? { ...schema, title: place } : schema
}

type Find = (ref: Ref) => Json | undefined

/** The fields that tell the branches of a union apart: a message has a role, all other objects have a type. */
const discriminating = ['type', 'role']

/** Unions of named objects that exclude each other, also within the schema: generators read `anyOf` as any mixture. */
function withDiscriminator(value: unknown, find: Find): unknown {
  if (Array.isArray(value)) return value.map(item => withDiscriminator(item, find))
  if (typeof value !== 'object' || value === null) return value
  const schema = Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, values.has(key) ? part : withDiscriminator(part, find)]),
  )
  const { anyOf, ...rest } = schema
  if (!Array.isArray(anyOf) || anyOf.length < 2 || !anyOf.every(isReference)) return schema
  for (const propertyName of discriminating) {
    const mapping = mappingOf(anyOf, propertyName, find)
    if (mapping !== null) return { ...rest, oneOf: anyOf, discriminator: { propertyName, mapping } }
  }
  const branches = anyOf.map(ref => objectOf(find(ref)))
  return branches.every(one => isUnlike(one, branches)) ? { ...rest, oneOf: anyOf } : schema
}

/**
 * The words of each field that tells the branches of a union apart, as a schema with a name, to which the branches then
 * refer: of a word without a name, openapi-generator writes Go that takes every branch for every other. Branches with the
 * same words share one schema, because Go has one name for each word of all enums.
 */
function namedWords(schemas: ReadonlyMap<string, Json>): Map<string, Json> {
  const changed = new Map<string, Json>()
  for (const [field, branch] of discriminatedBranches([...schemas.values()])) {
    const schema = changed.get(branch) ?? objectOf(schemas.get(branch))
    const properties = objectOf(schema.properties)
    const inPlace = objectOf(properties[field])
    if (isReference(inPlace)) continue
    const words = wordsOf(inPlace)
    const name = nameOfWords(words, changed) ?? nameForWords(words, branch)
    if (schemas.has(name)) throw new Error(`The words ${words.join(', ')} and a schema are named ${name}`)
    const named = changed.get(name)
    const isOfAll = named === undefined || named.description === inPlace.description
    changed.set(name, isOfAll ? inPlace : { ...named, description: sharedDescription })
    const reference = { $ref: `#/components/schemas/${name}` }
    changed.set(branch, { ...schema, properties: { ...properties, [field]: reference } })
  }
  return changed
}

const sharedDescription = 'Tells the object from the others of its union.'

/** The field, and the name of a schema that it tells from others: of every union within the value. */
function discriminatedBranches(value: unknown): [field: string, branch: string][] {
  if (typeof value !== 'object' || value === null) return []
  const { discriminator, oneOf } = objectOf(value)
  const { propertyName } = objectOf(discriminator ?? {})
  const own = typeof propertyName === 'string' && Array.isArray(oneOf) ? oneOf.filter(isReference) : []
  return [
    ...own.map((ref): [string, string] => [String(propertyName), nameOf(ref)]),
    ...Object.values(value).flatMap(discriminatedBranches),
  ]
}

const nameOfWords = (words: readonly string[], named: ReadonlyMap<string, Json>): string | undefined =>
  [...named].find(
    ([, schema]) =>
      schema.type === 'string' && isDeepStrictEqual(wordsOf(schema).toSorted(), words.toSorted()),
  )?.[0]

/** Such as `ToolKind` for one word, and `EventOfRunKind` for several. */
const nameForWords = ([word = '', ...others]: readonly string[], branch: string): string =>
  `${
    others.length > 0
      ? branch
      : word
          .split(/[^a-z]+/)
          .map(capital)
          .join('')
  }Kind`

const isReference = (schema: unknown): schema is Ref =>
  typeof schema === 'object' && schema !== null && '$ref' in schema

/** Whether it requires a field that no other branch has. */
function isUnlike({ required = [] }: Json, branches: readonly Json[]): boolean {
  const inOthers = (field: string) =>
    branches.filter(({ properties }) => field in objectOf(properties ?? {})).length > 1
  return (required as string[]).some(field => !inOthers(field))
}

/** The branch for each value of the field; null if the field does not tell the branches apart. */
function mappingOf(branches: readonly Ref[], propertyName: string, find: Find) {
  const mapping: Record<string, string> = {}
  for (const { $ref } of branches) {
    const properties = objectOf(find({ $ref })?.properties ?? {})
    const words = wordsOf(objectOf(properties[propertyName] ?? {}))
    if (words.length === 0 || words.some(word => word in mapping)) return null
    for (const word of words) mapping[word] = $ref
  }
  return mapping
}

const wordsOf = ({ const: constant, enum: words = [] }: Json): string[] =>
  (constant === undefined ? (words as unknown[]) : [constant]).map(String)
