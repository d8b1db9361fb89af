/** The call of an operation that its examples describe, which each language writes in its own way. */
import {
  type Endpoint,
  exampleIn,
  type OpenApi,
  type Parameter,
  resolveSchema,
  type Schema,
} from '../model/open-api.ts'

export type Call = {
  operationId: string
  method: string
  /** With the examples in the places of the parameters. */
  path: string
  pathValues: Record<string, string>
  query: Record<string, string>
  /** Besides the key's. */
  headers: Record<string, string>
  needsKey: boolean
  body: Body
  answer: 'json' | 'events' | 'file' | 'nothing'
}

type Body =
  | { kind: 'none' }
  | { kind: 'json'; value: unknown }
  | { kind: 'form'; parts: FormPart[] }
  /** A file of this type. */
  | { kind: 'bytes'; mediaType: string }

export type FormPart = { name: string; isFile: boolean; required: boolean; example: string }

/** The name of the file that the samples upload. */
export const fileName = 'handbook.pdf'

export function callOf(openApi: OpenApi, endpoint: Endpoint): Call {
  const { operationId, method, parameters, security } = endpoint
  const pathValues = examplesOf(parameters.filter(({ in: place }) => place === 'path'))
  return {
    operationId,
    method,
    path: endpoint.path.replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
      pathValues[name] === undefined ? whole : encodeURIComponent(pathValues[name]),
    ),
    pathValues,
    query: examplesOf(parameters.filter(parameter => parameter.in === 'query' && isNeeded(parameter))),
    headers: examplesOf(parameters.filter(parameter => parameter.in === 'header' && isNeeded(parameter))),
    needsKey: security?.length !== 0,
    body: bodyOf(openApi, endpoint),
    answer: answerOf(endpoint),
  }
}

/**
 * A search has two names for its text, and the version of a protocol is checked by that protocol: neither is required
 * by its schema, but the call fails without it.
 */
const isNeeded = ({ name, required, schema }: Parameter): boolean =>
  required === true || (['query', 'Tus-Resumable'].includes(name) && schema.examples !== undefined)

const examplesOf = (parameters: readonly Parameter[]): Record<string, string> =>
  Object.fromEntries(parameters.map(parameter => [parameter.name, parameterExample(parameter) || '…']))

export const parameterExample = ({ schema }: Parameter): string => textOf(schema.examples?.[0])

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function bodyOf(openApi: OpenApi, endpoint: Endpoint): Body {
  const { content, required } = endpoint.requestBody ?? { content: {} }
  const parts = uploadParts(openApi, endpoint)
  if (parts.length > 0) return { kind: 'form', parts: parts.filter(part => part.required) }
  const value = bodyExample(openApi, endpoint)
  if (value !== undefined) return { kind: 'json', value }
  const [mediaType] = Object.keys(content)
  return mediaType === undefined || required !== true ? { kind: 'none' } : { kind: 'bytes', mediaType }
}

/** The example of a JSON body; undefined if the operation takes none. */
export function bodyExample(openApi: OpenApi, { requestBody }: Endpoint): unknown {
  const json = requestBody?.content['application/json']
  if (json === undefined) return undefined
  return exampleIn(openApi, json) ?? exampleOf(openApi, json.schema)
}

/** The text parts of an upload, each with an example, and its file part. */
export function uploadParts(openApi: OpenApi, { requestBody }: Endpoint): FormPart[] {
  const form = requestBody?.content['multipart/form-data']
  if (form === undefined) return []
  const schema = resolveSchema(openApi, form.schema)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    isFile: (field.items ?? field).format === 'binary',
    required: schema.required?.includes(name) ?? false,
    example: textOf(exampleOf(openApi, field)),
  }))
}

function exampleOf(openApi: OpenApi, schema: Schema): unknown {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.examples?.[0] !== undefined) return resolved.examples[0]
  if (resolved.enum !== undefined) return resolved.enum[0]
  if (resolved.properties === undefined) return undefined
  const required = Object.entries(resolved.properties).filter(([name]) => resolved.required?.includes(name))
  return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(openApi, field)]))
}

function answerOf({ method, responses }: Endpoint): Call['answer'] {
  const successes = responses.filter(([status]) => status.startsWith('2'))
  // A deletion answers something only to a dry run.
  if (method === 'DELETE' && successes.some(([status]) => status === '204')) return 'nothing'
  const types = successes.flatMap(([, { content = {} }]) => Object.keys(content))
  if (types.includes('application/json')) return 'json'
  if (types.includes('text/event-stream')) return 'events'
  return types.length === 0 ? 'nothing' : 'file'
}
