/** Requests to hosts that the agent allows, sent with `safeFetch`, the server's guarded way out. */
import { jsonIn } from '@atrium/connectors/gate'
import { hopsBehind, hopsHeader } from '../../../platform/caller.ts'
import { secondMs } from '../../../platform/clock.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { SafeFetch } from '../../../platform/fetch/safe-fetch.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { stringEnum } from '../../../platform/schemas.ts'
import { modelTextLimits } from '../../../platform/text/model-text.ts'
import { type Tool, type ToolContext, ToolError, type ToolResult } from '../../../platform/tool.ts'

const methods = ['GET', 'HEAD', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
const safeMethods: readonly string[] = ['GET', 'HEAD']

const HttpInput = Type.Closed({
  method: stringEnum(methods, { description: 'The HTTP method.' }),
  url: Type.String({
    minLength: 1,
    maxLength: 2_000,
    pattern: '^https?://',
    description: 'The whole address, beginning with https:// or http://.',
  }),
  headers: Type.Optional(
    Type.Unsafe<Record<string, string>>({
      type: 'object',
      maxProperties: 20,
      propertyNames: { type: 'string', pattern: "^[A-Za-z0-9!#$%&'*+.^_`|~-]{1,100}$" },
      additionalProperties: { type: 'string', maxLength: 4_000, pattern: '^[\\t\\x20-\\x7e]*$' },
      description: 'Request headers, such as accept or content-type.',
    }),
  ),
  body: Type.Optional(
    Type.String({
      maxLength: 100_000,
      description: 'The body as text, for POST, PUT, PATCH and DELETE; application/json where it is JSON.',
    }),
  ),
})
type HttpInput = Static<typeof HttpInput>

const HttpOutput = Type.Closed({
  status: Type.Integer({ description: 'The status of the reply; a redirect is not followed.' }),
  headers: Type.Unsafe<Record<string, string>>({
    type: 'object',
    additionalProperties: { type: 'string' },
    description: 'Those headers of the reply that say something about its content.',
  }),
  body: Type.String({ description: 'The body as text.' }),
  simulated: Type.Optional(Type.Boolean({ description: 'True in the sandbox, where nothing was sent.' })),
})
type HttpOutput = Static<typeof HttpOutput>

const timeoutMs = 30 * secondMs
const mostBodyBytes = 200_000
/** More than is read, so that the reading stops before `safeFetch` fails. */
const fetchLimitBytes = 10 * mostBodyBytes
const shownHeaders = ['content-type', 'location', 'retry-after', 'etag', 'last-modified', 'link']

export const createHttpTool = (safeFetch: SafeFetch): Tool => ({
  name: 'http_request',
  description:
    'Sends one HTTP request and answers status, headers and the body as text. Only the hosts that the agent allows are reached. A request other than GET and HEAD, or one that names another method in a header, waits until a person has approved it. Redirects are not followed: ask again for the `location` where it is wanted.',
  describe: async ({ httpHosts }) =>
    httpHosts.length === 0 ? 'No host is allowed.' : `Hosts that are allowed: ${httpHosts.join(', ')}.`,
  permission: 'agents:run',
  safeToRepeat: false,
  isSafeToRepeat: input => isSafe(input as HttpInput),
  needsApproval: false,
  // Text that a model has read can make it send something. So a person must first see each request that could change
  // something.
  callNeedsApproval: input => !isSafe(input as HttpInput),
  input: HttpInput,
  output: HttpOutput,
  async run(context, given) {
    const input = given as HttpInput
    const url = checkedUrl(input, context)
    const headers = checkHeaders(input.headers ?? {})
    headers.set(hopsHeader, hopsBehind(context.caller))
    if (input.body !== undefined && safeMethods.includes(input.method)) {
      throw new ToolError(`A ${input.method} has no body`)
    }
    // Calls in the test environment send nothing.
    if (context.caller.scope.environment === 'test') return simulated(input, url)
    const owner = context.caller.scope.workspaceId
    return await send(safeFetch, url, { ...input, headers, owner }, context.signal)
  },
})

/** Many servers take another method from such a header or parameter, so that a GET deletes. */
const overridingHeaders = ['x-http-method-override', 'x-http-method', 'x-method-override']
const overridingParameters = ['_method', '__method']

/** Whether the request changes nothing at a server that keeps to the meaning of its method. */
function isSafe({ method, url, headers = {} }: HttpInput): boolean {
  const names = Object.keys(headers).map(name => name.toLowerCase())
  const parameters = [...(URL.parse(url)?.searchParams.keys() ?? [])].map(name => name.toLowerCase())
  return (
    safeMethods.includes(method) &&
    !overridingHeaders.some(name => names.includes(name)) &&
    !overridingParameters.some(name => parameters.includes(name))
  )
}

function checkedUrl({ url: text }: HttpInput, { httpHosts }: ToolContext): URL {
  const url = URL.parse(text)
  if (url === null) throw new ToolError('The url is not valid')
  if (!isHostAllowed(url, httpHosts)) {
    const allowed = httpHosts.length === 0 ? 'none is' : `there is ${httpHosts.join(', ')}`
    throw new ToolError(
      `The agent does not allow the host ${url.host}; of those that are allowed, ${allowed}`,
    )
  }
  return url
}

async function send(
  safeFetch: SafeFetch,
  url: URL,
  { method, headers, body, owner }: Omit<HttpInput, 'headers'> & { headers: Headers; owner: string },
  signal: AbortSignal,
): Promise<ToolResult> {
  if (body !== undefined && !headers.has('content-type')) {
    headers.set('content-type', isJson(body) ? 'application/json' : 'text/plain; charset=utf-8')
  }
  try {
    const response = await safeFetch(url, {
      owner,
      method,
      headers,
      body: body ?? null,
      redirect: 'manual',
      signal,
      timeoutMs,
      maxResponseBytes: fetchLimitBytes,
    })
    const { text, note } = await readText(response, mostBodyBytes)
    const output: HttpOutput = { status: response.status, headers: headersOf(response), body: text }
    return { content: output, note: note ?? undefined }
  } catch (error) {
    if (!(error instanceof ServiceError)) throw error
    const doubt = safeMethods.includes(method) ? '' : '. Whether it was carried out there is not known'
    throw new ToolError(`The request failed: ${error.message}${doubt}`, { cause: error })
  }
}

const headersOf = ({ headers }: Response): Record<string, string> =>
  Object.fromEntries(
    shownHeaders.flatMap(name => (headers.has(name) ? [[name, headers.get(name) ?? '']] : [])),
  )

/** Gives the same reply for the same request, so that a customer's tests can rely on it. */
function simulated({ method, body }: HttpInput, url: URL): ToolResult {
  const echo = { simulated: true, method, url: url.href, body }
  const output: HttpOutput = {
    status: 200,
    headers: { 'content-type': 'application/json' },
    body: method === 'HEAD' ? '' : JSON.stringify(echo),
    simulated: true,
  }
  return { content: output, note: 'The sandbox sends no requests: this reply is simulated.' }
}

const isJson = (text: string): boolean => jsonIn(text, modelTextLimits) !== undefined

const defaultPorts: Readonly<Record<string, string>> = { 'http:': '80', 'https:': '443' }

/**
 * Whether an allowed host such as `api.example.com`, `api.example.com:8443` or `*.example.com` covers the URL.
 * Without a port, the host has the scheme's own port.
 */
export function isHostAllowed(url: URL, httpHosts: readonly string[]): boolean {
  const defaultPort = defaultPorts[url.protocol]
  if (defaultPort === undefined) return false
  // A name may end with a dot, which means the same host.
  const hostname = url.hostname.replace(/\.$/, '')
  const port = url.port === '' ? defaultPort : url.port
  return httpHosts.some(allowed => {
    const [name = '', allowedPort = defaultPort] = allowed.split(':')
    if (port !== allowedPort) return false
    return name.startsWith('*.') ? hostname.endsWith(name.slice(1)) : hostname === name
  })
}

/** Headers that say how the message travels, not what it says. With them a model could speak to another host. */
const ownHeaders = new Set([
  'accept-encoding',
  'connection',
  'content-length',
  'expect',
  'forwarded',
  'host',
  'http2-settings',
  'keep-alive',
  'proxy-authorization',
  'proxy-connection',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
  'via',
])

export function checkHeaders(given: Readonly<Record<string, string>>): Headers {
  const headers = new Headers()
  for (const [name, value] of Object.entries(given)) {
    const lower = name.toLowerCase()
    if (ownHeaders.has(lower) || lower.startsWith('x-forwarded-')) {
      throw new ToolError(`The header ${name} cannot be set`)
    }
    headers.set(lower, value)
  }
  return headers
}

const textTypes =
  /^(?:text\/|application\/(?:[\w.+-]*\+)?(?:json|xml|yaml|javascript|x-www-form-urlencoded|graphql))/i

/** `note` says what is not in the text. */
export async function readText(
  response: Response,
  mostBytes: number,
): Promise<{ text: string; note: string | null }> {
  const mediaType = response.headers.get('content-type') ?? ''
  if (mediaType !== '' && !textTypes.test(mediaType)) {
    await response.body?.cancel()
    return { text: '', note: `The body is ${mediaType}, which is no text, and is not shown.` }
  }
  const { bytes, isWhole } = await readBytes(response, mostBytes)
  const text = decode(bytes, mediaType)
  return { text, note: isWhole ? null : `Only the first ${mostBytes} bytes of the body are shown.` }
}

async function readBytes(
  { body }: Response,
  mostBytes: number,
): Promise<{ bytes: Uint8Array; isWhole: boolean }> {
  const chunks: Uint8Array[] = []
  let size = 0
  for await (const chunk of body ?? []) {
    chunks.push(chunk)
    size += chunk.byteLength
    // Leaving the loop cancels the rest.
    if (size > mostBytes) return { bytes: Buffer.concat(chunks).subarray(0, mostBytes), isWhole: false }
  }
  return { bytes: Buffer.concat(chunks), isWhole: true }
}

/** An unknown encoding is read as UTF-8. Invalid bytes become the replacement character. */
function decode(bytes: Uint8Array, mediaType: string): string {
  const [, charset = 'utf-8'] = /charset\s*=\s*"?([\w.:-]+)/i.exec(mediaType) ?? []
  try {
    return new TextDecoder(charset).decode(bytes)
  } catch {
    // The label comes from a stranger; UTF-8 is the most likely encoding.
    return new TextDecoder().decode(bytes)
  }
}
