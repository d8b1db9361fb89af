/** What a connected server says of its tools: read within limits, pinned by a hash, and made fit for every model. */

import { createHash } from 'node:crypto'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { maxRemoteTools } from '@atrium/connectors'
import { isFields } from '@atrium/connectors/fields'
import { withoutOuter } from '@atrium/connectors/trim'
import type { ToolDefinition } from '../../../platform/database/schema/integrations.ts'
import type { FieldError } from '../../../platform/errors.ts'

export type ListedTool = {
  /** The name that agents call the tool with. */
  name: string
  remoteName: string
  definition: ToolDefinition
  hash: string
  /** Why the tool cannot be used; null if nothing speaks against it. */
  fault: string | null
}

/** `note` says what was left out, for people; null if nothing was. */
export type ListedTools = { tools: ListedTool[]; note: string | null }

const longestReadingMs = 30_000
const tooLate = async (): Promise<FieldError> => ({
  field: '',
  message: 'it was not read: the schemas before it took too long',
})

/** Null if the schema is a JSON Schema within limits. */
export type SchemaFault = (schema: Record<string, unknown>) => Promise<FieldError | null>

const maxNameCharacters = 500
const maxDescriptionCharacters = 10_000
/** Deeper than any well-meant schema. Functions that walk over a schema are recursive. */
const maxDepth = 32
const hashCharacters = 12
/** Every provider takes names of this length. */
const maxToolNameCharacters = 64

/** Never throws: one bad tool hides no other. */
export async function readTools(
  connectionId: string,
  listed: readonly unknown[],
  schemaFault: SchemaFault,
): Promise<ListedTools> {
  const within = listed.slice(0, maxRemoteTools)
  const notes: string[] = []
  if (listed.length > maxRemoteTools) notes.push(`Only the first ${maxRemoteTools} tools were read.`)
  const read: ListedTool[] = []
  let unreadable = 0
  const begun = performance.now()
  // A hundred schemas that each take long to read would keep other work waiting.
  const isLate = () => performance.now() - begun > longestReadingMs
  for (const one of within) {
    await nextTurn()
    const definition = definitionIn(one)
    if (definition === null) unreadable += 1
    else {
      read.push({
        name: toolNameFor(connectionId, definition.name),
        remoteName: definition.name,
        definition,
        hash: hashOf(definition),
        fault: await faultOf(definition, isLate() ? tooLate : schemaFault),
      })
    }
  }
  if (unreadable > 0)
    notes.push(`${unreadable} tools were left out: they are too large, or have a form that cannot be read.`)
  const tools = new Map<string, ListedTool>()
  for (const tool of read) {
    // Only the server knows which of two different tools a call would reach. The same tool twice is one tool.
    const twice = read.some(other => other.remoteName === tool.remoteName && other.hash !== tool.hash)
    tools.set(tool.name, twice ? { ...tool, fault: 'The server names two tools so' } : tool)
  }
  return { tools: [...tools.values()], note: notes.length === 0 ? null : notes.join(' ') }
}

/**
 * A readable head and a hash. Two servers may name a tool alike, and names may have any length and any characters.
 */
export function toolNameFor(connectionId: string, remoteName: string): string {
  const hash = createHash('sha256')
    .update(`${connectionId}\n${remoteName}`)
    .digest('hex')
    .slice(0, hashCharacters)
  const head = withoutOuter(remoteName.replaceAll(/[^A-Za-z0-9_-]+/g, '_'), '_')
  const most = maxToolNameCharacters - remoteToolPrefix.length - hashCharacters - 1
  return `${remoteToolPrefix}${head.slice(0, most) || 'tool'}_${hash}`
}

/** No other tool's name begins with this prefix: no connector but the one of these tools has the id `mcp`. */
export const remoteToolPrefix = 'mcp_'

/** The same hash for the same definition, in any order of its fields. */
const hashOf = (definition: ToolDefinition): string =>
  createHash('sha256').update(canonical(definition)).digest('hex')

export function changedFields(before: ToolDefinition, after: ToolDefinition): string[] {
  return definitionFields.filter(field => canonical(before[field]) !== canonical(after[field]))
}

const definitionFields = ['name', 'description', 'inputSchema', 'annotations'] as const

/** A tool that is said to change nothing needs no approval, unless a person decides otherwise. */
export const needsApprovalByDefault = ({ annotations }: ToolDefinition): boolean =>
  annotations.readOnlyHint !== true

function definitionIn(listed: unknown): ToolDefinition | null {
  if (!isFields(listed) || depthOf(listed) > maxDepth) return null
  const { name, description = '', inputSchema, annotations = {} } = listed
  if (typeof name !== 'string' || name === '' || name.length > maxNameCharacters) return null
  if (typeof description !== 'string' || !isFields(inputSchema) || !isFields(annotations)) return null
  const hints = Object.fromEntries(
    hintNames.flatMap(hint => (hint in annotations ? [[hint, annotations[hint]]] : [])),
  )
  return {
    name: name.toWellFormed(),
    description: description.toWellFormed(),
    inputSchema,
    annotations: hints,
  }
}

/** Other annotations are not read. */
const hintNames = ['title', 'readOnlyHint', 'destructiveHint', 'idempotentHint', 'openWorldHint']
const maxAnnotationsCharacters = 2_000

async function faultOf(
  { description, inputSchema, annotations }: ToolDefinition,
  schemaFault: SchemaFault,
): Promise<string | null> {
  if (description.length > maxDescriptionCharacters) {
    return `Its description has more than ${maxDescriptionCharacters} characters`
  }
  if (JSON.stringify(annotations).length > maxAnnotationsCharacters) return 'Its annotations are too long'
  if (inputSchema.type !== 'object') return 'The type of its input schema is not "object"'
  if (!hasFittingHeaders(inputSchema, new Set(), true)) {
    return 'An argument is to be sent in a header that cannot carry it (x-mcp-header)'
  }
  const fault = await schemaFault(inputSchema)
  if (fault !== null) return `Its input schema cannot be used: ${fault.field} ${fault.message}`.slice(0, 500)
  return schemaForModels(inputSchema) === null ? 'Its input schema is too large' : null
}

const headerName = /^[!#$%&'*+.^_`|~0-9A-Za-z-]+$/
const headerTypes: readonly unknown[] = ['string', 'integer', 'boolean']

/**
 * Whether each argument that the server also wants in a header can be sent in one. Only arguments that are named from
 * the top can.
 */
function hasFittingHeaders(part: unknown, taken: Set<string>, isArgument: boolean): boolean {
  if (Array.isArray(part)) return part.every(one => hasFittingHeaders(one, taken, false))
  if (!isFields(part)) return true
  const name = part['x-mcp-header']
  if (name !== undefined) {
    if (!isArgument || typeof name !== 'string' || !headerName.test(name)) return false
    if (!headerTypes.includes(part.type) || taken.has(name.toLowerCase())) return false
    taken.add(name.toLowerCase())
  }
  return Object.entries(part).every(([keyword, value]) =>
    keyword === 'properties' && isFields(value)
      ? Object.values(value).every(one => hasFittingHeaders(one, taken, isArgument))
      : hasFittingHeaders(value, taken, false),
  )
}

// The schemas for models. Each provider refuses a whole request for one unknown keyword, so models are shown what all
// providers accept. Arguments are checked by the schema as the server sent it.

const maxNodes = 400
const maxShownCharacters = 20_000
const maxShownDepth = 8
const maxWordedValues = 50
const maxWordedPattern = 500
const plainKeywords = ['description', 'minimum', 'maximum', 'minLength', 'maxLength', 'minItems', 'maxItems']
const types = ['string', 'number', 'integer', 'boolean', 'array', 'object', 'null']

/** Null if the schema is too large for a prompt. */
export function schemaForModels(schema: Record<string, unknown>): Record<string, unknown> | null {
  const walk = { root: schema, nodes: 0 }
  const shown = shownSchema(walk, schema, 0)
  const whole = { ...shown, type: 'object', properties: shown.properties ?? {} }
  delete (whole as Record<string, unknown>).anyOf
  return walk.nodes > maxNodes || JSON.stringify(whole).length > maxShownCharacters ? null : whole
}

type Walk = { root: Record<string, unknown>; nodes: number }

function shownSchema(walk: Walk, given: unknown, depth: number): Record<string, unknown> {
  walk.nodes += 1
  if (!isFields(given)) return { type: 'string' }
  if (walk.nodes > maxNodes || depth > maxShownDepth) return { type: 'object', properties: {} }
  const schema = merged(walk, given)
  const shown: Record<string, unknown> = {}
  for (const keyword of plainKeywords) {
    const value = schema[keyword]
    if (typeof value === (keyword === 'description' ? 'string' : 'number')) shown[keyword] = value
  }
  const named = [schema.type].flat().filter(type => types.includes(type as string)) as string[]
  const kinds = named.filter(type => type !== 'null')
  const isNullable = kinds.length < named.length
  const choices = choicesIn(schema)
  if (choices !== null) return { ...shown, type: 'string', enum: choices }
  const branches = [schema.anyOf, schema.oneOf].find(Array.isArray)
  if (branches !== undefined && kinds.length === 0) {
    const shownBranches = branches.slice(0, 10).map(branch => shownSchema(walk, branch, depth + 1))
    return { ...shown, anyOf: shownBranches }
  }
  const kind = kinds[0] ?? (isFields(schema.properties) ? 'object' : 'items' in schema ? 'array' : 'string')
  if (kinds.length > 1 || (isNullable && kinds.length === 1)) {
    const each = (isNullable ? [...kinds, 'null'] : kinds).map(type =>
      type === 'null' ? { type } : shownSchema(walk, { ...schema, type, description: undefined }, depth + 1),
    )
    const { description } = shown
    return description === undefined ? { anyOf: each } : { description, anyOf: each }
  }
  const description = [shown.description, ...rulesInWords(schema)]
    .filter(text => text !== undefined)
    .join(' ')
  if (description !== '') shown.description = description
  shown.type = kind
  if (kind === 'array') shown.items = shownSchema(walk, schema.items ?? {}, depth + 1)
  if (kind === 'object') Object.assign(shown, shownProperties(walk, schema, depth))
  return shown
}

function shownProperties(walk: Walk, { properties, required }: Record<string, unknown>, depth: number) {
  const entries = isFields(properties) ? Object.entries(properties) : []
  const shown = Object.fromEntries(entries.map(([name, one]) => [name, shownSchema(walk, one, depth + 1)]))
  const wanted = Array.isArray(required) ? required.filter(name => Object.hasOwn(shown, name)) : []
  return wanted.length === 0 ? { properties: shown } : { properties: shown, required: wanted }
}

/** What a keyword cannot say to every provider: a model that is not shown these rules breaks them. */
function rulesInWords({ enum: choices, const: only, pattern }: Record<string, unknown>): string[] {
  const values = Array.isArray(choices) ? choices : only === undefined ? [] : [only]
  const rules: string[] = []
  if (values.length > 0 && values.length <= maxWordedValues)
    rules.push(`One of ${values.map(value => JSON.stringify(value)).join(', ')}.`)
  if (typeof pattern === 'string' && pattern.length <= maxWordedPattern) rules.push(`Matches ${pattern}`)
  return rules
}

/** Only texts, since Gemini takes no other choices. */
function choicesIn({ enum: choices, const: only, type }: Record<string, unknown>): string[] | null {
  const values = Array.isArray(choices) ? choices : only === undefined ? [] : [only]
  if (values.length === 0 || values.length > 200 || (type !== undefined && type !== 'string')) return null
  return values.every(value => typeof value === 'string') ? (values as string[]) : null
}

/** The schema, with what `$ref` and `allOf` add to it. */
function merged(walk: Walk, schema: Record<string, unknown>, hops = 0): Record<string, unknown> {
  const parts = [
    ...(typeof schema.$ref === 'string' ? [targetOf(walk.root, schema.$ref)] : []),
    ...(Array.isArray(schema.allOf) ? schema.allOf : []),
  ].slice(0, 20)
  let whole = schema
  for (const part of parts) {
    walk.nodes += 1
    if (!isFields(part) || hops > 8 || walk.nodes > maxNodes) continue
    const more = merged(walk, part, hops + 1)
    const required = [...list(more.required), ...list(whole.required)]
    const properties = { ...thing(more.properties), ...thing(whole.properties) }
    const hasProperties = isFields(more.properties) || isFields(whole.properties)
    // Large parts would be copied again and again.
    if (required.length > maxNodes || Object.keys(properties).length > maxNodes) walk.nodes = maxNodes + 1
    whole = { ...more, ...whole, required }
    if (hasProperties) whole.properties = properties
  }
  return whole
}

/** Finds only places within the schema itself. */
function targetOf(root: Record<string, unknown>, ref: string): unknown {
  if (!ref.startsWith('#/')) return ref === '#' ? root : {}
  let at: unknown = root
  for (const part of ref.slice(2).split('/').slice(0, maxDepth)) {
    const name = part.replaceAll('~1', '/').replaceAll('~0', '~')
    at = isFields(at) && Object.hasOwn(at, name) ? at[name] : {}
  }
  return at
}

const thing = (value: unknown): Record<string, unknown> => (isFields(value) ? value : {})

const list = (value: unknown): unknown[] => (Array.isArray(value) ? value : [])

/** The depth, or one more than the limit for a deeper value. The recursion goes no further. */
function depthOf(value: unknown, depth = 0): number {
  if (typeof value !== 'object' || value === null || depth > maxDepth) return depth
  let deepest = depth
  for (const part of Object.values(value)) {
    deepest = Math.max(deepest, depthOf(part, depth + 1))
    if (deepest > maxDepth) break
  }
  return deepest
}

/** JSON with the names of its fields in order. */
function canonical(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(canonical).join(',')}]`
  if (!isFields(value)) return JSON.stringify(value ?? null)
  const fields = Object.keys(value)
    .filter(name => value[name] !== undefined)
    .toSorted()
    .map(name => `${JSON.stringify(name)}:${canonical(value[name])}`)
  return `{${fields.join(',')}}`
}
