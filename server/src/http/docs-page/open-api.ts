/** The parts of the OpenAPI document that the reference page reads. */

export type OpenApi = {
  info: { title: string; version: string; description?: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema>; responses: Record<string, Response> }
}

export type Operation = {
  operationId: string
  tags: string[]
  summary: string
  description: string
  security?: unknown[]
  'x-permission'?: string
  parameters?: Parameter[]
  requestBody?: { content: Record<string, MediaType> }
  responses: Record<string, Response | { $ref: string }>
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
  examples?: Record<string, { value: unknown }>
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

/** An operation with the place where it is found, and its replies without references. */
export type Endpoint = Omit<Operation, 'responses'> & {
  method: string
  path: string
  responses: [status: string, response: Response][]
}

export function endpointsOf(openApi: OpenApi): Endpoint[] {
  return Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
      responses: Object.entries(operation.responses).map(([status, response]) => [
        status,
        resolveResponse(openApi, response),
      ]),
    })),
  )
}

function resolveResponse(openApi: OpenApi, response: Response | { $ref: string }): Response {
  if (!('$ref' in response)) return response
  return openApi.components.responses[response.$ref.split('/').at(-1) ?? ''] ?? { description: '' }
}

/** Follows a reference into the components. */
export function resolveSchema(openApi: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : { ...openApi.components.schemas[name], ...without$ref(schema) }
}

function without$ref({ $ref: _, ...rest }: Schema): Schema {
  return rest
}
