/** The parts of the OpenAPI document that the reference page reads. */

export type OpenApi = {
  info: { title: string; version: string; description?: string }
  servers: { url: string }[]
  tags: { name: string; description?: string }[]
  paths: Record<string, Record<string, Operation>>
  components: { schemas: Record<string, Schema> }
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
  responses: Record<string, { description: string; content?: Record<string, MediaType> }>
}

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

/** An operation with the place where it is found. */
export type Endpoint = Operation & { method: string; path: string }

export function endpointsOf(openApi: OpenApi): Endpoint[] {
  return Object.entries(openApi.paths).flatMap(([path, operations]) =>
    Object.entries(operations).map(([method, operation]) => ({
      ...operation,
      method: method.toUpperCase(),
      path,
    })),
  )
}

/** Follows a reference into the components. */
export function resolveSchema(openApi: OpenApi, schema: Schema): Schema {
  const name = schema.$ref?.split('/').at(-1)
  return name === undefined ? schema : { ...openApi.components.schemas[name], ...without$ref(schema) }
}

function without$ref({ $ref: _, ...rest }: Schema): Schema {
  return rest
}
