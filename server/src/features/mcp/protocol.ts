/**
 * The Model Context Protocol, with the official package: both revisions, and a new server for each message. Nothing
 * is kept between messages.
 */
import { randomUUID } from 'node:crypto'
import {
  createMcpHandler,
  type ListResourcesResult,
  type ListToolsResult,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  Server,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import type { RequestCaller } from '../../platform/caller.ts'
import { secondMs } from '../../platform/clock.ts'
import { ServiceError } from '../../platform/errors.ts'
import { idPattern } from '../../platform/ids.ts'
import type { TObject } from '../../platform/json-schema/type.ts'
import type { Log } from '../../platform/log.ts'
import { resourceTemplate } from './documents.ts'
import type { McpService, ShownTool } from './service.ts'

const instructions =
  'Atrium keeps the documents of a workspace, and agents that answer from them. Use `search` and `fetch` to read the documents yourself, or a tool `ask_…` to have an agent answer with citations.'

/** How long a client may cache a list: agents, permissions and documents change. */
const listed = { ttlMs: 60 * secondMs, cacheScope: 'private' } as const
/** Must not be cached: a document may be replaced or withheld at any time. */
const read = { ttlMs: 0, cacheScope: 'private' } as const

const keepAliveMs = 15 * secondMs

/** A message and its caller, as the MCP address passes them on. */
type Exchange = {
  caller: RequestCaller
  /** The message's headers, and a signal that aborts once the client no longer waits, or may not read the reply. */
  request: Request
  /** Parsed; undefined if the message has none. */
  body: unknown
  /** Aborted once the server closes: calls in progress are then answered in their current state. */
  closing: AbortSignal
}

export function createAnswer({ mcp, log }: { mcp: McpService; log: Log }) {
  const cancellations = createCancellations()
  return async (exchange: Exchange): Promise<Response> => {
    const { body, request, caller } = exchange
    const message = messageOf(body)
    if (message === null) return failed(400, invalidRequest, 'Send one message of JSON-RPC in each request')
    const { id = null, method } = message
    if (method === 'subscriptions/listen') {
      return failed(404, methodNotFound, 'This server announces no changes: ask for its lists again', id)
    }
    const session = request.headers.get('mcp-session-id')
    if (method === 'notifications/cancelled') cancellations.cancel(caller, session, message.params?.requestId)
    const { signal, end } = cancellations.begin(caller, session, message)
    request.signal.addEventListener('abort', end, { once: true })
    // A client that has already left sends no further event.
    if (request.signal.aborted) end()
    try {
      const abortable = new Request(request, { signal: AbortSignal.any([request.signal, signal]) })
      const handler = createMcpHandler(() => createServer(mcp, exchange), {
        // A call that takes long is a stream from the beginning, so that no proxy takes the silence for an end.
        responseMode: method === 'tools/call' && takesLong(message.params?.name) ? 'sse' : 'auto',
        keepAliveMs,
        onerror: error => log.debug('A message of MCP was refused', { requestId: caller.requestId, error }),
      })
      const response = await handler.fetch(abortable, { parsedBody: body })
      if (method === 'initialize' && response.ok) response.headers.set('mcp-session-id', randomUUID())
      return response
    } catch (error) {
      end()
      throw error
    }
  }
}

/** True for the names of tools that run agents. */
const takesLong = (name: unknown): boolean => typeof name === 'string' && /^(ask_|get_answer$)/.test(name)

function createServer(mcp: McpService, { caller, closing }: Exchange): Server {
  const server = new Server(
    { name: 'atrium', title: 'Atrium', version: '1.0.0' },
    {
      capabilities: { tools: {}, resources: {} },
      instructions,
      cacheHints: {
        'server/discover': listed,
        'tools/list': listed,
        'resources/list': listed,
        'resources/templates/list': listed,
        'resources/read': read,
      },
    },
  )
  server.setRequestHandler('tools/list', async ({ params }) => {
    const { tools, next } = await mcp.listTools(caller, cursorOf(params) ?? null)
    const page: ListToolsResult = { tools: tools.map(wireTool) }
    if (next !== null) page.nextCursor = next
    return page
  })
  server.setRequestHandler('tools/call', async ({ params }, context) => {
    const { name, arguments: input = {} } = params
    const work = { signal: context.mcpReq.signal, closing, progress: progressOf(context) }
    const outcome = await mcp.callTool(caller, name, input, work)
    if (outcome === null) {
      throw new ProtocolError(
        ProtocolErrorCode.InvalidParams,
        `There is no tool ${name}; tools/list names them`,
      )
    }
    if (outcome.kind === 'refused')
      return { content: [{ type: 'text', text: outcome.message }], isError: true }
    const { value } = outcome
    return {
      content: [{ type: 'text', text: JSON.stringify(value) }],
      structuredContent: value as Record<string, unknown>,
    }
  })
  server.setRequestHandler('resources/list', async ({ params }) => {
    const { resources, next } = await told(mcp.listResources(caller, cursorOf(params)))
    const page: ListResourcesResult = { resources }
    if (next !== null) page.nextCursor = next
    return page
  })
  server.setRequestHandler('resources/templates/list', async () => ({
    resourceTemplates: [{ uriTemplate: resourceTemplate, name: 'Document', mimeType: 'text/plain' }],
  }))
  server.setRequestHandler('resources/read', async ({ params: { uri } }, context) => {
    const text = await told(mcp.readResource(caller, uri, context.mcpReq.signal))
    if (text === null) throw new ResourceNotFoundError(uri)
    return { contents: [{ uri, mimeType: 'text/plain', text }] }
  })
  return server
}

const wireTool = ({ name, title, description, input, output, annotations }: ShownTool) => ({
  name,
  title,
  description,
  inputSchema: asJson(input),
  outputSchema: asJson(output),
  annotations: { title, ...annotations },
})

/** Our schemas are JSON, but their types do not say so: ours name each keyword, the package's allows any. */
const asJson = (schema: TObject) => schema as unknown as Tool['inputSchema'] & { type: 'object' }

/** A cursor is the id of the last record of a page. */
function cursorOf(params: { cursor?: string | undefined } | undefined): string | undefined {
  if (params?.cursor === undefined || idPattern.test(params.cursor)) return params?.cursor
  throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'The cursor is none of this server')
}

/** Turns the refusals of a service into errors of the protocol. */
async function told<T>(work: Promise<T>): Promise<T> {
  try {
    return await work
  } catch (error) {
    if (!(error instanceof ServiceError) || error.statusCode >= 500) throw error
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, error.message)
  }
}

/** Null for a client that gave no progress token. Each message adds 1 to the progress: the total is unknown. */
function progressOf({ mcpReq }: ServerContext): ((message: string) => void) | null {
  const { progressToken } = mcpReq._meta ?? {}
  if (progressToken === undefined) return null
  let progress = 0
  return message => {
    progress += 1
    // A client that has left causes no error here: its signal ends the call.
    mcpReq
      .notify({ method: 'notifications/progress', params: { progressToken, progress, message } })
      .catch(() => undefined)
  }
}

type Message = { id?: string | number | null; method?: string; params?: Record<string, unknown> }

/** Null if the body is not a single message: a batch would be many requests that count as one. */
const messageOf = (body: unknown): Message | null =>
  typeof body === 'object' && body !== null && !Array.isArray(body) ? (body as Message) : null

const invalidRequest = -32_600
const methodNotFound = -32_601

const failed = (status: number, code: number, message: string, id: Message['id'] = null): Response =>
  Response.json({ jsonrpc: '2.0', id, error: { code, message } }, { status })

/**
 * In the revisions up to 2025-11-25 a client cancels with a separate message, not by closing the stream. The session
 * id from `initialize` tells the client's calls from those of another client with the same key. The cancellation
 * reaches only calls of this process; calls in other processes go on to their end.
 */
function createCancellations() {
  const inProgress = new Map<string, AbortController>()
  const nameOf = (caller: RequestCaller, session: string, id: unknown): string => {
    const who = caller.kind === 'key' ? caller.keyId : caller.userId
    const { workspaceId, environment } = caller.scope
    return JSON.stringify([workspaceId, environment, who, session, id])
  }
  return {
    cancel(caller: RequestCaller, session: string | null, id: unknown): void {
      if (session !== null) inProgress.get(nameOf(caller, session, id))?.abort()
    },
    begin(caller: RequestCaller, session: string | null, { id, method }: Message) {
      const controller = new AbortController()
      if (session === null || id === undefined || method !== 'tools/call') {
        return { signal: controller.signal, end: () => undefined }
      }
      const name = nameOf(caller, session, id)
      inProgress.set(name, controller)
      const end = (): void => {
        if (inProgress.get(name) === controller) inProgress.delete(name)
      }
      return { signal: controller.signal, end }
    },
  }
}
