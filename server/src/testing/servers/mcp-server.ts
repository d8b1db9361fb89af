/** An MCP server on loopback, made with the official package, whose tools a test changes; and, where a test wants it, a liar. */
import { createServer, type IncomingHttpHeaders, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { createMcpHandler, Server } from '@modelcontextprotocol/server'
import { textOf } from './oauth-wire.ts'

export type McpTool = {
  name: string
  description?: string
  inputSchema: { type: 'object'; [keyword: string]: unknown }
  annotations?: Record<string, unknown>
}

type McpMessage = { id?: number | string; method?: string; params?: Record<string, unknown> }

type ToolReply = {
  content: { type: 'text'; text: string }[]
  structuredContent?: Record<string, unknown>
  isError?: boolean
}

export type McpServer = {
  url: string
  origin: string
  /** What it lists from now on. */
  tools: McpTool[]
  /** The tool calls that reached it. */
  calls: { name: string; arguments: unknown }[]
  /** The headers of every request, with the protocol's method. */
  requests: { method: string; headers: IncomingHttpHeaders }[]
  /** What a call is answered. */
  reply: (call: { name: string; arguments: unknown }) => ToolReply | Promise<ToolReply>
  /** `legacy` knows no revision but those with `initialize`. */
  era: 'both' | 'legacy'
  /** Whether a request is let in; what else it is told stands in `challenge`. */
  accepts: (headers: IncomingHttpHeaders) => boolean
  challenge: string | null
  /** Answers other paths, such as metadata. */
  pages: Record<string, (response: ServerResponse) => void>
  /** Answers in place of the official server where it returns true. */
  lie: (message: McpMessage, response: ServerResponse, headers: IncomingHttpHeaders) => boolean
  close(): Promise<void>
}

export const says = (text: string): ToolReply => ({ content: [{ type: 'text', text }] })

export const searchTool: McpTool = {
  name: 'search_notes',
  description: 'Searches the notes.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  annotations: { readOnlyHint: true },
}

export const writeTool: McpTool = {
  name: 'write_note',
  description: 'Writes a note.',
  inputSchema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
}

export async function startMcpServer(): Promise<McpServer> {
  const handler = createMcpHandler(() => {
    const server = new Server(
      { name: 'Notes', version: '1' },
      { capabilities: { tools: { listChanged: true } } },
    )
    server.setRequestHandler('tools/list', async () => ({ tools: mcp.tools }))
    server.setRequestHandler('tools/call', async ({ params }) => {
      const call = { name: params.name, arguments: params.arguments }
      mcp.calls.push(call)
      return await mcp.reply(call)
    })
    return server
  })
  const host = createServer((request, response) => {
    answer(request.method ?? 'GET', request.url ?? '/', request.headers, response, () =>
      textOf(request),
    ).catch((error: unknown) => response.writeHead(500).end(String(error)))
  })

  async function answer(
    method: string,
    path: string,
    headers: IncomingHttpHeaders,
    response: ServerResponse,
    read: () => Promise<string>,
  ): Promise<void> {
    const text = await read()
    const page = mcp.pages[path]
    if (page !== undefined) return page(response)
    if (path !== '/mcp') return void response.writeHead(404).end()
    const message = (text === '' ? {} : JSON.parse(text)) as McpMessage
    mcp.requests.push({ method: message.method ?? method, headers })
    if (!mcp.accepts(headers)) {
      const challenge = mcp.challenge === null ? {} : { 'www-authenticate': mcp.challenge }
      return void response.writeHead(401, challenge).end()
    }
    if (mcp.lie(message, response, headers)) return
    if (mcp.era === 'legacy' && message.method === 'server/discover') {
      return void sendJson(response, 404, {
        jsonrpc: '2.0',
        id: message.id,
        error: { code: -32601, message: 'No' },
      })
    }
    const reply = await handler.fetch(
      new Request(mcp.url, {
        method,
        headers: Object.entries(headers).map(([name, value]) => [name, String(value)] as [string, string]),
        body: text === '' ? null : text,
      }),
    )
    response.writeHead(reply.status, Object.fromEntries(reply.headers))
    for await (const chunk of reply.body ?? []) response.write(chunk)
    response.end()
  }

  await new Promise<void>(resolve => host.listen(0, '127.0.0.1', resolve))
  // A TCP server that listens has an address with a port.
  const origin = `http://127.0.0.1:${(host.address() as AddressInfo).port}`
  const mcp: McpServer = {
    url: `${origin}/mcp`,
    origin,
    tools: [searchTool, writeTool],
    calls: [],
    requests: [],
    reply: ({ name }) => says(`${name} was called`),
    era: 'both',
    accepts: () => true,
    challenge: null,
    pages: {},
    lie: () => false,
    async close() {
      host.close()
      host.closeAllConnections()
      await handler.close()
    },
  }
  return mcp
}

export function sendJson(response: ServerResponse, status: number, body: unknown): void {
  const text = typeof body === 'string' ? body : JSON.stringify(body)
  response.writeHead(status, { 'content-type': 'application/json' }).end(text)
}
