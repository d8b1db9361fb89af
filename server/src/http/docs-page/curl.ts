/** Turns an endpoint's examples into a call that can be pasted into a shell. */
import {
  type Endpoint,
  exampleIn,
  type OpenApi,
  type Parameter,
  resolveSchema,
  type Schema,
} from './open-api.ts'

/** `$ATRIUM` stands for the base address, `$KEY` for the key, as in the guides. */
export function curlOf(openApi: OpenApi, endpoint: Endpoint): string {
  const parts = [`curl "$ATRIUM${examplePath(endpoint)}${exampleQuery(endpoint)}"`]
  if (endpoint.method !== 'GET') parts[0] = parts[0]?.replace('curl', `curl -X ${endpoint.method}`) ?? ''
  if (endpoint.security?.length !== 0) parts.push(`-H "Authorization: Bearer $KEY"`)
  parts.push(...bodyOptions(openApi, endpoint))
  return parts.join(' \\\n  ')
}

export function bodyExample(openApi: OpenApi, endpoint: Endpoint): unknown {
  const json = endpoint.requestBody?.content['application/json']
  if (json === undefined) return undefined
  return exampleIn(openApi, json) ?? exampleOf(openApi, json.schema)
}

/** The text parts of an upload, each with an example, and its file part. */
export function uploadParts(openApi: OpenApi, endpoint: Endpoint) {
  const form = endpoint.requestBody?.content['multipart/form-data']
  if (form === undefined) return []
  const schema = resolveSchema(openApi, form.schema)
  return Object.entries(schema.properties ?? {}).map(([name, field]) => ({
    name,
    isFile: field.format === 'binary',
    required: schema.required?.includes(name) ?? false,
    example: textOf(exampleOf(openApi, field)),
  }))
}

export const parameterExample = ({ schema }: Parameter): string => textOf(schema.examples?.[0])

const textOf = (value: unknown): string =>
  value === undefined ? '' : typeof value === 'string' ? value : JSON.stringify(value)

function examplePath({ path, parameters }: Endpoint): string {
  return path.replaceAll(/\{(\w+)\}/g, (whole, name: string) => {
    const parameter = parameters.find(candidate => candidate.in === 'path' && candidate.name === name)
    return (parameter && encodeURIComponent(parameterExample(parameter))) || whole
  })
}

function exampleQuery({ parameters }: Endpoint): string {
  // A search has two names for its text, so neither is required, but the search needs one.
  const needed = parameters.filter(
    ({ in: place, required, name }) => place === 'query' && (required || name === 'query'),
  )
  if (needed.length === 0) return ''
  const query = new URLSearchParams()
  for (const parameter of needed) query.append(parameter.name, parameterExample(parameter) || '…')
  return `?${query}`
}

function bodyOptions(openApi: OpenApi, endpoint: Endpoint): string[] {
  const uploads = uploadParts(openApi, endpoint)
    .filter(({ required }) => required)
    .map(({ name, isFile, example }) => `-F ${name}=${isFile ? '@handbook.pdf' : example || '…'}`)
  const body = bodyExample(openApi, endpoint)
  if (body === undefined) return uploads
  // Within single quotes a shell changes nothing; only the quote itself ends the text.
  const text = JSON.stringify(body, null, 2).replaceAll("'", `'\\''`)
  return [`-H "Content-Type: application/json"`, `-d '${text}'`]
}

function exampleOf(openApi: OpenApi, schema: Schema): unknown {
  const resolved = resolveSchema(openApi, schema)
  if (resolved.examples?.[0] !== undefined) return resolved.examples[0]
  if (resolved.enum !== undefined) return resolved.enum[0]
  if (resolved.properties === undefined) return undefined
  const required = Object.entries(resolved.properties).filter(([name]) => resolved.required?.includes(name))
  return Object.fromEntries(required.map(([name, field]) => [name, exampleOf(openApi, field)]))
}
