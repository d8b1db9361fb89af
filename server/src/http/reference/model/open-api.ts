/** The parts of openapi.json that the reference reads. */

export type OpenApi = {
  info: { title: string; version: string; description?: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  webhooks?: Record<string, Ref>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    examples?: Record<string, { value: unknown }>
    responses: Record<string, Response>
    pathItems?: OpenApi['paths']
  }
}

type Ref = { $ref: string }

type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  deprecated?: boolean
  security?: unknown[]
  'x-permission'?: string
  parameters?: (Parameter | Ref)[]
  requestBody?: { content: Record<string, MediaType>; required?: boolean }
  responses: Record<string, Response | Ref>
}

export type Response = { description: string; content?: Record<string, MediaType>; 'x-codes'?: string[] }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

type MediaType = {
  schema: Schema
  example?: unknown
  examples?: Record<string, { value: unknown } | Ref>
}

export type Schema = {
  $ref?: string
  type?: string | string[]
  description?: string
  enum?: unknown[]
  const?: unknown
  format?: string
  default?: unknown
  examples?: unknown[]
  properties?: Record<string, Schema>
  required?: string[]
  items?: Schema
  anyOf?: Schema[]
  oneOf?: Schema[]
  allOf?: Schema[]
  additionalProperties?: boolean | Schema
  [keyword: string]: unknown
}

/** An operation, or an event that is received, with its method and path; parameters and replies without references. */
export type Endpoint = Omit<Operation, 'parameters' | 'responses'> & {
  method: string
  /** For an event, its type. */
  path: string
  parameters: Parameter[]
  responses: [status: string, response: Response][]
}

export const operationsOf = (openApi: OpenApi): Endpoint[] => endpointsIn(openApi, openApi.paths)

/** The events that the server sends to addresses outside. */
export const eventsOf = (openApi: OpenApi): Endpoint[] =>
  endpointsIn(
    openApi,
    Object.fromEntries(
      Object.entries(openApi.webhooks ?? {}).map(([name, item]) => [
        name,
        resolved(item, openApi.components.pathItems),
      ]),
    ),
  )

function endpointsIn(openApi: OpenApi, paths: OpenApi['paths']): Endpoint[] {
  return Object.entries(paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      parameters: (operation.parameters ?? []).map(parameter =>
        resolved(parameter, openApi.components.parameters),
      ),
      responses: Object.entries(operation.responses).map(([status, response]) => [
        status,
        resolved(response, openApi.components.responses),
      ]),
    })),
  )
}

/** An example of a body of this media type; undefined if the document has none. */
export function exampleIn(openApi: OpenApi, { example, examples = {} }: MediaType): unknown {
  const [first] = Object.values(examples)
  return example ?? (first === undefined ? undefined : resolved(first, openApi.components.examples).value)
}

function resolved<Part extends object>(part: Part | Ref, named: Record<string, Part> = {}): Part {
  if (!('$ref' in part)) return part
  const found = named[nameOf(part) ?? '']
  if (found === undefined) throw new Error(`openapi.json does not hold ${part.$ref}`)
  return found
}

/** The name of the component that is referred to. */
export const nameOf = ({ $ref }: { $ref?: string }): string | undefined => $ref?.split('/').at(-1)

/** Follows a reference into the components. */
export function resolveSchema(openApi: OpenApi, schema: Schema): Schema {
  const name = nameOf(schema)
  return name === undefined ? schema : { ...openApi.components.schemas[name], ...without$ref(schema) }
}

function without$ref({ $ref: _, ...rest }: Schema): Schema {
  return rest
}

/** An object with fields, and its name if it is a component. */
type FieldsOf = { name: string | undefined; schema: Schema }

/** The objects that a field can hold: itself, the items of its list, or each of its alternatives. */
export function objectsIn(openApi: OpenApi, schema: Schema): FieldsOf[] {
  const { items, properties, additionalProperties, ...rest } = resolveSchema(openApi, schema)
  if (Object.keys(properties ?? {}).length > 0)
    return [{ name: nameOf(schema), schema: resolveSchema(openApi, schema) }]
  if (items !== undefined) return objectsIn(openApi, items)
  const values = typeof additionalProperties === 'object' ? [additionalProperties] : []
  return [...alternativesOf(rest), ...values].flatMap(part => objectsIn(openApi, part))
}

export const alternativesOf = ({ anyOf, oneOf, allOf }: Schema): Schema[] => anyOf ?? oneOf ?? allOf ?? []

export function typeName(openApi: OpenApi, schema: Schema): string {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.const !== undefined) return JSON.stringify(resolved.const)
  const alternatives = alternativesOf(resolved)
  if (alternatives.length > 0) {
    return [...new Set(alternatives.map(alternative => typeName(openApi, alternative)))].join(' or ')
  }
  const types = [resolved.type ?? 'any'].flat().map(type => {
    if (type === 'array') return `list of ${typeName(openApi, resolved.items ?? {})}`
    return type === 'string' && resolved.format !== undefined ? `string (${resolved.format})` : type
  })
  return types.join(' or ')
}

const limitTexts: Record<string, (value: unknown) => string> = {
  minLength: value => `length from ${value}`,
  maxLength: value => `length up to ${value}`,
  minimum: value => `from ${value}`,
  maximum: value => `up to ${value}`,
  minItems: value => `items from ${value}`,
  maxItems: value => `items up to ${value}`,
  default: value => `default ${JSON.stringify(value)}`,
}

/** The words of an enumeration and the limits, as a reader is told of them. */
export function limitsOf(schema: Schema): { words: unknown[]; limits: string[] } {
  const limits = Object.entries(limitTexts).flatMap(([keyword, text]) =>
    schema[keyword] === undefined ? [] : [text(schema[keyword])],
  )
  return { words: schema.enum ?? schema.items?.enum ?? [], limits }
}

/** The codes that an error reply names. */
export const codesOf = ({ description, 'x-codes': codes }: Response): string[] =>
  codes ?? [...description.matchAll(/`([a-z_]+)`:/g)].map(([, code = '']) => code)
