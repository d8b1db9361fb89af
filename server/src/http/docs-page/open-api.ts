/** The parts of the OpenAPI document that the reference page reads. */

export type OpenApi = {
  info: { title: string; version: string; description?: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: {
    schemas: Record<string, Schema>
    parameters?: Record<string, Parameter>
    examples?: Record<string, { value: unknown }>
    responses: Record<string, Response>
  }
}

type Ref = { $ref: string }

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: unknown[]
  'x-permission'?: string
  parameters?: (Parameter | Ref)[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Response | Ref>
}

export type Response = { description: string; content?: Record<string, MediaType> }

export type Parameter = {
  name: string
  in: 'path' | 'query' | 'header'
  required?: boolean
  description?: string
  schema: Schema
}

export type MediaType = {
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

/** An operation with its method and path; its parameters and replies are without references. */
export type Endpoint = Omit<Operation, 'parameters' | 'responses'> & {
  method: string
  path: string
  parameters: Parameter[]
  responses: [status: string, response: Response][]
}

export function endpointsOf(openApi: OpenApi): Endpoint[] {
  return Object.entries(openApi.paths).flatMap(([path, operations]) =>
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
  const found = named[part.$ref.split('/').at(-1) ?? '']
  if (found === undefined) throw new Error(`The document does not hold ${part.$ref}`)
  return found
}

/** Follows a reference into the components. */
export function resolveSchema(openApi: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : { ...openApi.components.schemas[name], ...without$ref(schema) }
}

function without$ref({ $ref: _, ...rest }: Schema): Schema {
  return rest
}
