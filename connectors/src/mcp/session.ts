/**
 * A session with an MCP server: opened, used and closed within one piece of work, over the connection's own `http`.
 */
import type { Client } from '@modelcontextprotocol/client'
import type { Context, RemoteAnswer, RemoteSession } from '../connector.ts'
import { OutsideFault } from '../gate/gate.ts'
import { HttpFailure } from '../http.ts'
import { reducedReply } from './messages.ts'
import type { McpConfig } from './settings.ts'

/** The limit of one server; further tools are left out. */
export const maxRemoteTools = 200
const maxPages = 20
/** Of one tool, and of all tools of a list. Two hundred tools with rich schemas have some 400,000 characters. */
const [maxToolCharacters, maxListCharacters] = [131_072, 1_048_576]
/** The limit of one reply, including a reply that is a stream of events. */
const maxBytes = 4 * 1024 * 1024
/** A server may ask questions in its streams. Each answer is one more request. */
const maxRequests = 100
const connectTimeoutMs = 20_000
const closeTimeoutMs = 2_000
/** By then the client has read a reply that has ended. */
const graceMs = 300
const maxNameCharacters = 100
const maxMessageCharacters = 1_000
/** Deeper results could not be written as JSON again. */
const maxResultDepth = 100

/** A server's refusal of a request; `message` is the server's own text, shortened. */
export class RemoteRefusal extends Error {
  override readonly name = 'RemoteRefusal'
}

export async function withSession<T>(
  context: Context<McpConfig>,
  work: (session: RemoteSession) => Promise<T>,
): Promise<T> {
  // Loaded when it is used, since most Atrium servers never call an MCP server.
  const sdk = await import('@modelcontextprotocol/client')
  const { config, signal } = context
  const wire = createWire(context)
  const client = new sdk.Client(
    { name: 'Atrium', version: '1' },
    {
      // The newest revision first, and `initialize` if the server knows none of the new revisions.
      versionNegotiation: { mode: 'auto', probe: { timeoutMs: connectTimeoutMs } },
      // A tool that asks back is told no: no person is there to answer.
      inputRequired: { autoFulfill: false },
      // Compiling a stranger's schema here could block the process.
      jsonSchemaValidator: { getValidator: () => takesAnything },
    },
  )
  const transport = new sdk.StreamableHTTPClientTransport(new URL(config.url), {
    fetch: wire.fetch,
    reconnectionOptions: {
      maxRetries: 2,
      initialReconnectionDelay: 500,
      maxReconnectionDelay: 5_000,
      reconnectionDelayGrowFactor: 2,
    },
  })
  let hasNewTools = false
  client.setNotificationHandler('notifications/tools/list_changed', () => {
    hasNewTools = true
  })
  const explained = async <R>(step: (signal: AbortSignal) => Promise<R>): Promise<R> => {
    try {
      return await step(AbortSignal.any([signal, wire.lost]))
    } catch (error) {
      signal.throwIfAborted()
      throw meaningOf(error, sdk, wire.failure(), new URL(config.url).host)
    } finally {
      wire.settle()
    }
  }
  try {
    await explained(within => client.connect(transport, { timeout: connectTimeoutMs, signal: within }))
    const { title, name } = client.getServerVersion() ?? {}
    return await work({
      serverName: plain(title ?? name ?? ''),
      list: () => explained(within => listTools(client, wire.lastResult, within)),
      hasNewTools: () => hasNewTools,
      call: (tool, input) =>
        explained(async within => {
          await client.callTool(
            { name: tool.name, arguments: input as Record<string, unknown> },
            {
              // Without `toolDefinition`, the client would list and call again if the server wants other headers.
              toolDefinition: { name: tool.name, inputSchema: { ...tool.inputSchema, type: 'object' } },
              signal: within,
              timeout: config.timeoutSeconds * 1_000,
              maxTotalTimeout: config.maxSeconds * 1_000,
              onprogress: () => undefined,
              resetTimeoutOnProgress: true,
            },
          )
          return answerOf(wire.lastResult())
        }),
    })
  } finally {
    await wire.close(() => transport.terminateSession())
    await client.close()
  }
}

type Sdk = typeof import('@modelcontextprotocol/client')

type Fields = Record<string, unknown>

const takesAnything = <T>(input: unknown) => ({
  valid: true as const,
  // Nothing is compiled for the client's own checks, so every input counts as valid.
  data: input as T & {},
  errorMessage: undefined,
})

async function listTools(client: Client, lastResult: () => Fields, signal: AbortSignal): Promise<unknown[]> {
  if (client.getServerCapabilities()?.tools === undefined) return []
  const tools: unknown[] = []
  let left = maxListCharacters
  let cursor: string | undefined
  const cursors = new Set<string>()
  for (let page = 0; page < maxPages && tools.length <= maxRemoteTools && left > 0; page++) {
    const params = cursor === undefined ? {} : { cursor }
    await client.request({ method: 'tools/list', params }, { signal, timeout: connectTimeoutMs })
    const { tools: listed, nextCursor } = lastResult()
    if (!Array.isArray(listed)) throw new HttpFailure('unexpected_reply', 'The server listed no tools')
    for (const tool of listed.slice(0, maxRemoteTools + 1 - tools.length)) {
      const size = sizeOf(tool, Math.min(maxToolCharacters, left))
      left -= size ?? maxToolCharacters
      // A tool that is too large is left out at once: to check, hash and store it would take long.
      tools.push(size === null ? null : tool)
    }
    // Some servers name a cursor at the end too: an empty one, or one that has been.
    if (typeof nextCursor !== 'string' || nextCursor === '' || cursors.has(nextCursor)) break
    cursors.add(nextCursor)
    cursor = nextCursor
  }
  return tools
}

/** About how many characters the value has as JSON; null if more than `most`. */
function sizeOf(value: unknown, most: number): number | null {
  const open = [value]
  let size = 0
  while (open.length > 0 && size <= most) {
    const one = open.pop()
    size += typeof one === 'string' ? one.length + 2 : 8
    if (typeof one !== 'object' || one === null) continue
    const parts: unknown[] = Array.isArray(one) ? one : Object.values(one)
    if (size + parts.length > most) return null
    if (!Array.isArray(one)) size += Object.keys(one).join().length
    for (const part of parts) open.push(part)
  }
  return size > most ? null : size
}

// The transport: the connection's own `http`, with its credentials, its origins and its guard.

type Fetched = { url: string | URL; init: RequestInit }

function createWire({ config, http }: Context<McpConfig>) {
  let requests = 0
  /** The number of the latest question to the server. It also rises when a question is settled. */
  let questions = 0
  let failure: unknown = null
  let isClosing = false
  const lost = new AbortController()
  const { host } = new URL(config.url)
  let lastResult: Fields = {}
  let timer: NodeJS.Timeout | undefined
  const fail = (error: unknown): unknown => {
    failure ??= error
    return error
  }

  /** A reply ended without an answer while the client waits for one. The client is told that no answer will come. */
  const ended = (asked: number, canResume: boolean): void => {
    // A later question has been asked since, or an earlier question's reply ends late.
    if (asked !== questions) return
    // A reply with event ids is resumed from where it broke off, which repeats no call.
    if (isClosing || canResume) return
    timer = setTimeout(
      () => lost.abort(fail(new HttpFailure('unavailable', 'The server ended its reply without an answer'))),
      graceMs,
    )
  }

  /** Why a body breaks off is remembered, since the client only says that it broke off. */
  const broken = (error: unknown): unknown => {
    if (error instanceof OutsideFault) {
      const refused = fail(new HttpFailure('unexpected_reply', `${host} answered ${error.message}`))
      lost.abort(refused)
      return refused
    }
    return error instanceof SyntaxError ? error : fail(error)
  }

  /** The question is answered or given up. The end of its reply means nothing any more, even if it comes late. */
  const settle = (): void => {
    clearTimeout(timer)
    questions += 1
  }

  const send = async ({ url, init }: Fetched): Promise<Response> => {
    const method = init.method === 'DELETE' || init.method === 'GET' ? init.method : 'POST'
    const headers = Object.fromEntries(new Headers(init.headers))
    // A stream for notices would stay open beside each call. Instead, the list is read again from time to time.
    if (method === 'GET' && headers['last-event-id'] === undefined) return new Response(null, { status: 405 })
    clearTimeout(timer)
    requests += 1
    if (requests > maxRequests) {
      const message = `The server has made Atrium send more than ${maxRequests} requests in a session`
      const failure = new HttpFailure('unexpected_reply', message)
      lost.abort(fail(failure))
      throw failure
    }
    return await http.send(String(url), {
      method,
      headers: { ...config.headers, ...headers },
      // The client sends JSON as a text.
      body: init.body ?? undefined,
      maxBytes,
      timeoutMs: isClosing ? closeTimeoutMs : (config.maxSeconds + 5) * 1_000,
      signal: init.signal ?? undefined,
      repeatable: false,
    })
  }

  return {
    failure: () => failure,
    /** The result of the last answer, of which the client sees a few fields. */
    lastResult: () => lastResult,
    /** Aborted once a reply has ended without its answer. */
    lost: lost.signal,
    settle,
    async fetch(url: string | URL, init: RequestInit = {}): Promise<Response> {
      try {
        const kind = kindOf(init.body)
        // The client sends a notice only once it has its answer.
        if (kind === 'notice') settle()
        const asked = kind === 'question' ? ++questions : -1
        const ask = () => send({ url, init })
        const reply = isProbe(init.body) ? await probeReply(ask, init.body) : await ask()
        return reducedReply(reply, {
          maxBytes,
          onResult: result => {
            lastResult = result
          },
          onEnd: canResume => ended(asked, canResume),
          failed: broken,
        })
      } catch (error) {
        const reply = error instanceof HttpFailure ? replyOf(error) : null
        if (reply !== null) return reply
        throw fail(error)
      }
    },
    /** Best effort: tells the server to forget the session, if the server does not do so by itself. */
    async close(terminate: () => Promise<void>): Promise<void> {
      isClosing = true
      await terminate().catch(() => undefined)
    },
  }
}

/** The client waits for the answer to a `question`. An `answer` replies to what the server asks. */
function kindOf(body: RequestInit['body']): 'question' | 'notice' | 'answer' | 'nothing' {
  if (typeof body !== 'string') return 'nothing'
  // The client has written this JSON.
  const { id, method } = JSON.parse(body) as { id?: unknown; method?: unknown }
  if (method === undefined) return 'answer'
  return id === undefined ? 'notice' : 'question'
}

const isProbe = (body: RequestInit['body']): boolean =>
  // The client has written this JSON.
  typeof body === 'string' && (JSON.parse(body) as { method?: unknown }).method === 'server/discover'

/** Whatever a server says to the question for its revision: if it is no answer, it knows only `initialize`. */
async function probeReply(ask: () => Promise<Response>, body: RequestInit['body']): Promise<Response> {
  try {
    const reply = await ask()
    const type = reply.headers.get('content-type') ?? ''
    if (/event-stream/i.test(type)) return reply
    const text = /json/i.test(type) ? await reply.text() : ''
    return text.includes('"jsonrpc"') ? new Response(text, reply) : unknownMethod(body)
  } catch (error) {
    const refusal = error instanceof HttpFailure ? replyOf(error) : null
    if (refusal === null) throw error
    const text = await refusal.text()
    // A server of another new revision names those that it knows, and the client chooses among them.
    return namesRevisions.test(text) ? new Response(text, refusal) : unknownMethod(body)
  }
}

const namesRevisions = /"supported"\s*:\s*\[/

function unknownMethod(body: RequestInit['body']): Response {
  const { id } = JSON.parse(String(body)) as { id?: unknown }
  const error = { code: -32_601, message: 'Method not found' }
  return new Response(JSON.stringify({ jsonrpc: '2.0', id, error }), {
    status: 404,
    headers: { 'content-type': 'application/json' },
  })
}

/** The reply for a refusal that has a meaning in the protocol; null for a refusal that ends the work. */
function replyOf({ kind, status, body }: HttpFailure): Response | null {
  if (status === null || kind === 'not_authorized' || kind === 'forbidden' || kind === 'rate_limited')
    return null
  return new Response(body, { status, headers: { 'content-type': 'application/json' } })
}

/** Turns an error of the client into an error that a connector throws. */
function meaningOf(error: unknown, sdk: Sdk, failure: unknown, host: string): unknown {
  if (failure !== null) return failure
  if (error instanceof sdk.ProtocolError) return new RemoteRefusal(cut(error.message))
  if (error instanceof sdk.SdkHttpError) {
    const status = error.status ?? 0
    const kind = status === 404 ? 'missing' : status >= 500 ? 'unavailable' : 'unexpected_reply'
    return new HttpFailure(kind, `${host} answered ${status}`, { status, cause: error })
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.RequestTimeout) {
    return new HttpFailure('unavailable', `${host} did not answer in time`, { cause: error })
  }
  if (error instanceof sdk.SdkError && error.code === sdk.SdkErrorCode.ConnectionClosed) {
    return new HttpFailure('unavailable', `${host} ended its reply without an answer`, { cause: error })
  }
  const why = error instanceof Error ? cut(error.message) : 'something else'
  return new HttpFailure('unexpected_reply', `${host} does not speak MCP as expected: ${why}`, {
    cause: error,
  })
}

// A tool's answer as JSON for a model: texts unchanged, and files as a description.

function answerOf({ content = [], structuredContent, isError }: Fields): RemoteAnswer {
  // The client has checked that it is a list.
  const parts = (content as unknown[]).map(partOf)
  const files = parts.filter(part => typeof part !== 'string')
  if (structuredContent !== undefined && isError !== true) {
    if (isDeeperThan(maxResultDepth, structuredContent)) throw malformed('a result that is nested too deeply')
    const texts = parts.filter(part => typeof part === 'string' && saysMore(part, structuredContent))
    if (texts.length === 0 && files.length === 0) return { content: structuredContent, isError: false }
    return {
      content: {
        structuredContent,
        texts: texts.length === 0 ? undefined : texts,
        files: files.length === 0 ? undefined : files,
      },
      isError: false,
    }
  }
  return { content: parts.length === 1 ? parts[0] : parts, isError: isError === true }
}

/** Most texts repeat the structured content, in any form. A text with a word that is not in it says more. */
function saysMore(text: unknown, structuredContent: unknown): boolean {
  const known = new Set(wordsIn(JSON.stringify(structuredContent)))
  return wordsIn(String(text)).some(word => !known.has(word))
}

const wordsIn = (text: string): string[] => text.toLowerCase().match(/[\p{L}\p{N}]{1,200}/gu) ?? []

function partOf(part: unknown): unknown {
  const { type, text, resource, uri, name, description, mimeType } = fieldsOf(part)
  switch (type) {
    case 'text':
      return textIn(text)
    case 'resource': {
      const { uri, text, mimeType } = fieldsOf(resource)
      return text === undefined
        ? { uri: textIn(uri), mediaType: optionalText(mimeType), leftOut: true }
        : { uri: textIn(uri), text: textIn(text) }
    }
    case 'resource_link':
      return { uri: textIn(uri), name: textIn(name), description: optionalText(description) }
    case 'image':
    case 'audio':
      return { type, mediaType: textIn(mimeType), leftOut: true }
    default:
      throw malformed('a part of a type that is not known')
  }
}

function fieldsOf(value: unknown): Fields {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) throw malformed('a malformed part')
  return value as Fields
}

function textIn(value: unknown): string {
  if (typeof value !== 'string') throw malformed('a part without its text')
  return value
}

const optionalText = (value: unknown): string | undefined => (value === undefined ? undefined : textIn(value))

const malformed = (why: string): HttpFailure =>
  new HttpFailure('unexpected_reply', `The tool answered ${why}, which is not MCP`)

const isDeeperThan = (most: number, value: unknown): boolean =>
  typeof value === 'object' &&
  value !== null &&
  (most === 0 || Object.values(value).some(inner => isDeeperThan(most - 1, inner)))

const plain = (text: string): string =>
  text
    .replaceAll(/[\p{Cc}\p{Cf}]+/gu, ' ')
    .trim()
    .slice(0, maxNameCharacters)
    .toWellFormed()

const cut = (text: string): string => text.slice(0, maxMessageCharacters).toWellFormed()
