/**
 * Says what openapi.json lacks: first by the rules that fit every OpenAPI document, then by those that only our API has.
 * `npm run lint:openapi`. Exits with 1 where a rule is broken.
 */
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { createConfig, lintFromString } from '@redocly/openapi-core'

type Schema = Record<string, unknown> & { $ref?: string; oneOf?: Schema[]; items?: Schema }
type MediaType = { schema: Schema; example?: unknown; examples?: unknown }
type Content = Record<string, MediaType>
type Response = { description: string; headers?: Record<string, unknown>; content?: Content }
type Parameter = { name: string; in: string; schema: { pattern?: string } }
type Ref = { $ref: string }
type Operation = {
  operationId?: string
  summary?: string
  description?: string
  tags?: string[]
  security?: unknown[]
  parameters: (Parameter | Ref)[]
  requestBody?: { content: Content }
  responses: Record<string, Response | Ref>
}
type Document = {
  paths: Record<string, Record<string, Operation>>
  webhooks: Record<string, object>
  components: {
    responses: Record<string, Response>
    parameters: Record<string, Parameter>
    schemas: Record<string, Schema>
    pathItems: Record<string, Record<string, Operation>>
  }
}
type Problem = { place: string; message: string }

const methods = new Set(['get', 'post', 'put', 'patch', 'delete'])
/** What the recommended rules leave out. */
const furtherRules = [
  'component-name-unique',
  'no-invalid-parameter-examples',
  'no-invalid-schema-examples',
  'no-required-schema-properties-undefined',
  'no-server-variables-empty-enum',
  'operation-description',
  'operation-tag-defined',
  'parameter-description',
  'spec-components-invalid-map-name',
  'spec-strict-refs',
]

/** Keywords that hold values instead of schemas. */
const valueKeys = new Set(['example', 'examples', 'default', 'enum'])

const source = readFileSync(resolve(import.meta.dirname, '../openapi.json'), 'utf8')
const document = JSON.parse(source) as Document
const problems = [
  ...(await commonProblems(source)),
  ...ourProblems(document),
  ...ambiguousPaths(document),
  ...wronglyClosed(document),
  ...unreadable(document),
  ...sameNames(document),
]
for (const { place, message } of problems) console.error(`${place}: ${message}`)
process.exitCode = problems.length === 0 ? 0 : 1

async function commonProblems(text: string): Promise<Problem[]> {
  const rules = Object.fromEntries(furtherRules.map(rule => [rule, 'error' as const]))
  const config = await createConfig({ extends: ['recommended'], rules })
  const found = await lintFromString({ source: text, absoluteRef: 'openapi.json', config })
  return found.map(({ message, ruleId, location: [at] }) => ({
    place: at?.pointer ?? '#',
    message: `${message} (${ruleId})`,
  }))
}

function ourProblems({ paths, components }: Document): Problem[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations)
      .filter(([method]) => methods.has(method))
      .flatMap(([method, operation]) =>
        [...problemsOf(path, operation, components.responses)].map(message => ({
          place: `${method.toUpperCase()} ${path}`,
          message,
        })),
      ),
  )
}

function* problemsOf(path: string, operation: Operation, named: Record<string, Response>): Generator<string> {
  const { operationId = '', summary = '', description = '', tags = [], responses } = operation
  if (!/^[a-z][A-Za-z]+$/.test(operationId)) yield 'operationId is a name in camel case'
  if (summary.length < 3 || summary.length > 80 || summary.endsWith('.'))
    yield 'summary has 3 to 80 characters and no full stop'
  if (description.length < 10) yield 'description has at least 10 characters'
  if (tags.length !== 1) yield 'an operation has exactly one tag'
  const needed = [
    ...['400', '429', '500', '503'],
    ...(operation.security === undefined ? ['401', '403'] : []),
    ...(path.includes('{') ? ['404'] : []),
  ]
  for (const status of needed) if (!(status in responses)) yield `a reply ${status} is missing`
  for (const [status, reply] of Object.entries(responses)) {
    const whole = '$ref' in reply ? named[nameOf(reply)] : reply
    if (whole === undefined) yield `the reply ${status} is not in the document`
    else yield* problemsOfReply(status, whole)
  }
  for (const [type, { schema, ...shown }] of Object.entries(operation.requestBody?.content ?? {})) {
    if (shown.example === undefined) yield `the body ${type} shows no example`
    if (schema.type === 'object') yield `the body ${type} has no name`
  }
}

function* problemsOfReply(
  status: string,
  { description, headers = {}, content = {} }: Response,
): Generator<string> {
  if (description.length < 10) yield `the reply ${status} is not described`
  for (const header of ['X-RateLimit-Limit', 'X-RateLimit-Remaining', 'X-RateLimit-Reset', 'X-Request-Id'])
    if (!(header in headers)) yield `the reply ${status} has no header ${header}`
  for (const [type, { schema, example, examples }] of Object.entries(content)) {
    const name = schema.$ref?.split('/').at(-1) ?? ''
    if (type === 'application/json' && !/(Reply|Errors?|Document)$/.test(name))
      yield `the reply ${status} has no name`
    if (/^[45]/.test(status) !== /Errors?$/.test(name))
      yield `the reply ${status} is no error, or no other is one`
    // The document can't be an example in itself.
    if ((example ?? examples) === undefined && name !== 'OpenApiDocument')
      yield `the reply ${status} shows no example of ${type}`
  }
}

function nameOf({ $ref }: Ref): string {
  return $ref.split('/').at(-1) ?? ''
}

/** Pairs of paths that one address fits, unless the pattern of a parameter refuses it. */
function ambiguousPaths({ paths, components }: Document): Problem[] {
  const all = Object.entries(paths).map(([path, operations]) => ({
    path,
    segments: path.split('/').map(segment => segmentOf(segment, Object.values(operations), components)),
  }))
  return all.flatMap(({ path, segments }, index) =>
    all
      .slice(index + 1)
      .filter(other => fitOneAddress(segments, other.segments))
      .map(other => ({ place: path, message: `an address of ${other.path} fits this path too` })),
  )
}

/** A word, or the pattern that a parameter must match; null for a parameter that takes any text. */
type Segment = string | RegExp | null

function segmentOf(
  segment: string,
  operations: readonly Operation[],
  { parameters }: Document['components'],
): Segment {
  const [, name] = /^\{(.+)\}$/.exec(segment) ?? []
  if (name === undefined) return segment
  const found = (operations[0]?.parameters ?? [])
    .map(parameter => ('$ref' in parameter ? parameters[nameOf(parameter)] : parameter))
    .find(parameter => parameter?.name === name)
  return found?.schema.pattern === undefined ? null : new RegExp(found.schema.pattern)
}

function fitOneAddress(one: readonly Segment[], other: readonly Segment[]): boolean {
  return (
    one.length === other.length && one.every((segment, index) => fitOneWord(segment, other[index] ?? null))
  )
}

function fitOneWord(one: Segment, other: Segment): boolean {
  if (one === null || other === null) return true
  if (typeof one === 'string') return typeof other === 'string' ? one === other : other.test(one)
  return typeof other === 'string' ? one.test(other) : one.source === other.source
}

/** Replies may get more fields; a request with a field that is not known is refused. */
function wronglyClosed({ paths, components }: Document): Problem[] {
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  const { schemas, responses } = components
  const sent = namesIn([operations.map(operation => operation.responses), responses], schemas)
  const received = namesIn(
    operations.map(({ requestBody }) => requestBody ?? {}),
    schemas,
  )
  const isClosed = (name: string): boolean => schemas[name]?.additionalProperties === false
  const isObject = (name: string): boolean => schemas[name]?.properties !== undefined
  return [
    ...[...sent].filter(isClosed).map(place => ({ place, message: 'a reply is closed' })),
    ...[...received]
      .filter(name => isObject(name) && !isClosed(name))
      .map(place => ({ place, message: 'a request is open' })),
  ]
}

/** What stops generators of clients, although it is valid. */
function unreadable(part: unknown, place = '#'): Problem[] {
  if (typeof part !== 'object' || part === null) return []
  const { type, const: constant, allOf, exclusiveMinimum, items, maxItems } = part as Schema
  const types = Array.isArray(type) ? type.filter(one => one !== 'null') : []
  const messages = [
    ...(types.length > 1 ? ['several types: write anyOf'] : []),
    ...(typeof constant === 'boolean' ? ['a constant boolean'] : []),
    ...(Array.isArray(allOf) ? ['allOf: write the schema out'] : []),
    ...(items?.format === 'binary' && maxItems !== undefined ? ['a bound on a list of files'] : []),
    ...(typeof exclusiveMinimum === 'number' ? ['exclusiveMinimum: write minimum'] : []),
  ]
  return [
    ...messages.map(message => ({ place, message })),
    ...Object.entries(part)
      .filter(([key]) => !valueKeys.has(key))
      .flatMap(([key, inner]) => unreadable(inner, `${place}/${key}`)),
  ]
}

/** Names that become one in some language: of components of all kinds, and of an operation's parameters. */
function sameNames({ paths, webhooks, components }: Document): Problem[] {
  const names = Object.entries(components)
    .filter(([kind]) => kind !== 'examples' && kind !== 'headers' && kind !== 'pathItems')
    .flatMap(([, named]) => Object.keys(named))
  const operations = Object.values(paths).flatMap(path => Object.values(path))
  const tagsOf = (all: Operation[]) => new Set(all.flatMap(({ tags = [] }) => tags))
  const received = tagsOf(Object.values(components.pathItems).flatMap(path => Object.values(path)))
  return [
    ...twice(names).map(place => ({ place, message: 'two components become one name' })),
    ...names
      .filter(name => /^New[A-Z]/.test(name))
      .map(place => ({ place, message: 'the name of a constructor in Go' })),
    ...Object.entries(webhooks)
      .filter(([, item]) => !('$ref' in item))
      .map(([place]) => ({
        place,
        message: 'a webhook without a reference, of which no Python can be generated',
      })),
    ...[...tagsOf(operations)]
      .filter(tag => received.has(tag))
      .map(place => ({ place, message: 'a tag of operations and of webhooks' })),
    ...operations.flatMap(({ operationId = '', parameters, requestBody }) => [
      ...twice(
        parameters.map(one => ('$ref' in one ? components.parameters[nameOf(one)]?.name : one.name) ?? ''),
      ).map(name => ({ place: operationId, message: `two parameters become ${name}` })),
      ...(Object.keys(requestBody?.content ?? {}).length > 1
        ? [{ place: operationId, message: 'a body of several media types' }]
        : []),
    ]),
  ]
}

function twice(names: readonly string[]): string[] {
  const plain = names.map(name => name.toLowerCase().replaceAll(/[^a-z0-9]/g, ''))
  return plain.filter((name, index) => plain.indexOf(name) !== index)
}

/** The names of all schemas that a part of the document leads to. */
function namesIn(
  part: unknown,
  schemas: Document['components']['schemas'],
  found = new Set<string>(),
): Set<string> {
  if (typeof part !== 'object' || part === null) return found
  for (const [key, value] of Object.entries(part)) {
    const [, name] = key === '$ref' ? (/^#\/components\/schemas\/(.+)$/.exec(String(value)) ?? []) : []
    if (name === undefined) namesIn(value, schemas, found)
    else if (!found.has(name)) namesIn(schemas[name], schemas, found.add(name))
  }
  return found
}
