/**
 * A value that fits a JSON Schema, always the same one, as models without understanding answer it. Runs the
 * expressions of a stranger's schema, so the server calls it through `StrangersSchemas`, which ends it if it runs too
 * long.
 */
import type { JsonSchema } from './strangers-schemas.ts'

/** Beyond this depth, only required values are made. */
const shallow = 3
/** A schema may lead to itself endlessly. */
const deepest = 20
/** A short schema may ask for very many values. */
const mostValues = 5_000

type Budget = { values: number }

/**
 * `text` stands wherever any text fits. Rules that cannot be met, such as two patterns at once, are not met: the
 * caller checks the value.
 */
export function sampleOf(schema: JsonSchema, text: string): unknown {
  return sample(schema, { root: schema, text, depth: 0, budget: { values: mostValues } })
}

type Position = { root: JsonSchema; text: string; depth: number; budget: Budget }

function sample(given: unknown, position: Position): unknown {
  position.budget.values -= 1
  if (position.depth > deepest || position.budget.values < 0 || !isSchema(given)) return null
  const schema = resolve(given, position.root)
  if ('const' in schema) return schema.const
  if (Array.isArray(schema.enum)) return schema.enum[0] ?? null
  const [branch] = [schema.oneOf, schema.anyOf].filter(Array.isArray).map(branchOf)
  if (branch !== undefined) {
    const { oneOf: _one, anyOf: _any, ...rest } = schema
    return sample(merged(rest, resolve(branch, position.root)), { ...position, depth: position.depth + 1 })
  }
  for (const given of [schema.default, ...(Array.isArray(schema.examples) ? schema.examples : [])]) {
    if (given !== undefined && typeof given !== 'string') return given
  }
  return ofType(typeOf(schema), schema, position)
}

function ofType(type: string, schema: JsonSchema, position: Position): unknown {
  switch (type) {
    case 'object':
      return sampleObject(schema, position)
    case 'array':
      return sampleArray(schema, position)
    case 'string':
      return sampleString(schema, position.text)
    case 'integer':
    case 'number':
      return sampleNumber(schema, type === 'integer')
    case 'boolean':
      return true
    default:
      return null
  }
}

function sampleObject(schema: JsonSchema, position: Position): Record<string, unknown> {
  const properties = isSchema(schema.properties) ? schema.properties : {}
  const required = Array.isArray(schema.required) ? schema.required.map(String) : []
  const names = position.depth < shallow ? [...Object.keys(properties), ...required] : required
  const inner = { ...position, depth: position.depth + 1 }
  const rest = schema.additionalProperties ?? {}
  const made: Record<string, unknown> = {}
  for (const name of new Set(names)) {
    if (properties[name] === false) continue
    made[name] = sample(properties[name] ?? rest, inner)
  }
  for (let i = 1; Object.keys(made).length < countOf(schema.minProperties); i++) {
    if (position.budget.values < 0) break
    made[`field${i}`] = sample(rest, inner)
  }
  return made
}

function sampleArray(schema: JsonSchema, position: Position): unknown[] {
  const first = Array.isArray(schema.prefixItems) ? schema.prefixItems : []
  const least = Math.max(countOf(schema.minItems), schema.contains === undefined ? 0 : 1)
  const wanted = position.depth < shallow && schema.items !== false ? Math.max(1, least) : least
  const most = schema.maxItems === undefined ? Infinity : countOf(schema.maxItems)
  const inner = { ...position, depth: position.depth + 1 }
  const made: unknown[] = []
  while (made.length < Math.min(Math.max(wanted, first.length), most) && position.budget.values >= 0) {
    made.push(sample(first[made.length] ?? schema.contains ?? schema.items ?? {}, inner))
  }
  return schema.uniqueItems === true ? apart(made, schema.items) : made
}

/** Makes equal values different if they are texts or numbers. */
function apart(values: readonly unknown[], items: unknown): unknown[] {
  const step = isSchema(items) ? numberOr(items.multipleOf, 1) : 1
  return values.map((value, index) => {
    if (index === 0) return value
    if (typeof value === 'number') return value + index * step
    return typeof value === 'string' ? `${value} ${index + 1}` : value
  })
}

function sampleString(schema: JsonSchema, text: string): string {
  const given = [schema.default, ...(Array.isArray(schema.examples) ? schema.examples : [])]
  const example = given.find(value => typeof value === 'string' && fitsText(value, schema))
  if (typeof example === 'string') return example
  if (typeof schema.pattern === 'string') return samplePattern(schema.pattern) ?? text
  const formatted = sampleFormat(schema.format)
  if (formatted !== null) return formatted
  const most = schema.maxLength === undefined ? text.length : countOf(schema.maxLength)
  const cut = [...text].slice(0, most).join('').toWellFormed()
  return cut.padEnd(Math.min(countOf(schema.minLength), 10_000), '.')
}

/** The schema's own default and examples may no longer fit the schema. */
function fitsText(text: string, { pattern, minLength, maxLength }: JsonSchema): boolean {
  const { length } = [...text]
  if (length < countOf(minLength) || length > numberOr(maxLength, Infinity)) return false
  if (typeof pattern !== 'string') return true
  try {
    return new RegExp(pattern, 'u').test(text)
  } catch {
    return false
  }
}

function sampleNumber(schema: JsonSchema, isWhole: boolean): number {
  const step = numberOr(schema.multipleOf, isWhole ? 1 : 0)
  const above = numberOr(schema.exclusiveMinimum, -Infinity)
  const below = numberOr(schema.exclusiveMaximum, Infinity)
  const least = Math.max(numberOr(schema.minimum, -Infinity), above)
  const most = Math.min(numberOr(schema.maximum, Infinity), below)
  const isFree = (value: number) => value >= least && value <= most && value > above && value < below
  const near = least > 0 || !isFree(0) ? (least === -Infinity ? most : least) : 0
  if (step === 0) {
    if (isFree(near)) return near
    return Number.isFinite(most) && Number.isFinite(least)
      ? (least + most) / 2
      : near + (near === most ? -1 : 1)
  }
  const up = Math.ceil(near / step) * step
  return [up, up + step, up - step].find(isFree) ?? up
}

/** Avoids a branch that only `null` fits, because `null` says least. */
const branchOf = (branches: readonly unknown[]): unknown =>
  branches.find(branch => isSchema(branch) && branch.type !== 'null') ?? branches[0]

function typeOf(schema: JsonSchema): string {
  const types = Array.isArray(schema.type) ? schema.type.map(String) : [schema.type]
  const named = types.find(type => type !== 'null') ?? types[0]
  if (typeof named === 'string') return named
  if ('properties' in schema || 'required' in schema || 'additionalProperties' in schema) return 'object'
  if ('items' in schema || 'prefixItems' in schema) return 'array'
  return 'minimum' in schema || 'maximum' in schema || 'multipleOf' in schema ? 'number' : 'string'
}

/** The schema with its `$ref` and `allOf` merged in. */
function resolve(given: unknown, root: JsonSchema): JsonSchema {
  let schema: JsonSchema = isSchema(given) ? given : {}
  for (let i = 0; i < deepest; i++) {
    const { $ref, allOf, ...rest } = schema
    if (typeof $ref !== 'string' && !Array.isArray(allOf)) return schema
    const parts = [
      ...(typeof $ref === 'string' ? [placeOf($ref, root)] : []),
      ...(Array.isArray(allOf) ? allOf : []),
    ]
    schema = parts.filter(isSchema).reduce(merged, rest)
  }
  return schema
}

function merged(one: JsonSchema, other: JsonSchema): JsonSchema {
  const of = (schema: JsonSchema, key: string) => (isSchema(schema[key]) ? schema[key] : {})
  const lists = (schema: JsonSchema, key: string) => (Array.isArray(schema[key]) ? schema[key] : [])
  const both: JsonSchema = { ...one, ...other }
  if ('properties' in both) both.properties = { ...of(one, 'properties'), ...of(other, 'properties') }
  if ('required' in both) both.required = [...lists(one, 'required'), ...lists(other, 'required')]
  return both
}

/** The position within the schema that a `$ref` such as `#/$defs/address` leads to. */
function placeOf(reference: string, root: JsonSchema): unknown {
  if (!reference.startsWith('#')) return {}
  let position: unknown = root
  for (const part of reference.slice(1).split('/').slice(1)) {
    const key = decode(part).replaceAll('~1', '/').replaceAll('~0', '~')
    position = isSchema(position) || Array.isArray(position) ? (position as JsonSchema)[key] : undefined
  }
  return position
}

function decode(part: string): string {
  try {
    return decodeURIComponent(part)
  } catch {
    return part
  }
}

const isSchema = (value: unknown): value is JsonSchema =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

const numberOr = (value: unknown, other: number): number => (typeof value === 'number' ? value : other)

const countOf = (value: unknown): number => Math.max(0, numberOr(value, 0))

// Texts that fit a format or a pattern.

const formats: Readonly<Record<string, string>> = {
  'date-time': '2026-01-01T00:00:00Z',
  date: '2026-01-01',
  time: '00:00:00Z',
  duration: 'P1D',
  email: 'ada@example.com',
  hostname: 'example.com',
  ipv4: '192.0.2.1',
  ipv6: '2001:db8::1',
  uri: 'https://example.com/',
  'uri-reference': '/',
  uuid: '00000000-0000-4000-8000-000000000000',
  regex: '.*',
  'json-pointer': '',
}

/** The text of a format that is known; null for any other. */
const sampleFormat = (format: unknown): string | null =>
  typeof format === 'string' && Object.hasOwn(formats, format) ? (formats[format] ?? null) : null

/**
 * A short text that matches; null if the pattern has more than literals, classes, groups, alternatives and counts.
 * Takes the first alternative and the lowest count.
 */
function samplePattern(pattern: string): string | null {
  try {
    const made = alternatives({ rest: pattern })
    if (made === null) return null
    return new RegExp(pattern, 'u').test(made) ? made : null
  } catch {
    return null
  }
}

type Reader = { rest: string }

const longest = 10_000

function alternatives(reader: Reader): string | null {
  let first: string | null = null
  for (;;) {
    const made = sequence(reader)
    if (made === null) return null
    first ??= made
    if (!reader.rest.startsWith('|')) return first
    reader.rest = reader.rest.slice(1)
  }
}

function sequence(reader: Reader): string | null {
  let made = ''
  while (reader.rest !== '' && !/^[|)]/.test(reader.rest)) {
    const one = atom(reader)
    if (one === null) return null
    made += one.repeat(Math.min(count(reader), longest))
    if (made.length > longest) return null
  }
  return made
}

/** Reads the lowest number of times that the preceding part must come. */
function count(reader: Reader): number {
  const [found = '', least] = /^(?:[?*]|\+|\{(\d{1,6})(?:,\d*)?\})\??/.exec(reader.rest) ?? []
  reader.rest = reader.rest.slice(found.length)
  if (found === '' || found.startsWith('+')) return 1
  return least === undefined ? 0 : Number(least)
}

function atom(reader: Reader): string | null {
  const { rest } = reader
  const take = (length: number) => {
    reader.rest = rest.slice(length)
  }
  if (rest.startsWith('^') || rest.startsWith('$')) {
    take(1)
    return ''
  }
  if (rest.startsWith('(')) {
    const [opening = ''] = /^\((?:\?:|\?<[A-Za-z]\w*>)?(?!\?)/.exec(rest) ?? []
    if (opening === '') return null
    take(opening.length)
    const made = alternatives(reader)
    if (!reader.rest.startsWith(')')) return null
    reader.rest = reader.rest.slice(1)
    return made
  }
  if (rest.startsWith('[')) {
    const [whole = '', body = ''] = /^\[((?:\\.|[^\]\\])+)\]/.exec(rest) ?? []
    if (whole === '') return null
    take(whole.length)
    return memberOf(`[${body}]`)
  }
  if (rest.startsWith('\\')) {
    const escaped = rest.slice(0, 2)
    if (/\\[bBkpPux1-9c]/.test(escaped)) return null
    take(2)
    return /\\[dDwWsS]/.test(escaped) ? memberOf(escaped) : escaped.slice(1)
  }
  const [character = ''] = rest
  take(character.length)
  return character === '.' ? 'a' : character
}

/** A character of a class; a plain one, if the class has any. */
function memberOf(characters: string): string | null {
  const pattern = new RegExp(`^${characters}$`)
  for (const candidate of 'aA0 -_.,:/@#') if (pattern.test(candidate)) return candidate
  for (let code = 33; code < 0x250; code++) {
    if (pattern.test(String.fromCharCode(code))) return String.fromCharCode(code)
  }
  return null
}
