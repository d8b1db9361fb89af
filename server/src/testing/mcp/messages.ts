/** Messages of MCP as a client sends them, each in a request of its own, in the revision without sessions or in the one before. */
import assert from 'node:assert/strict'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { TestApp, TestKey } from '../test-app.ts'

export type McpReply = {
  status: number
  headers: Record<string, string | string[] | number | undefined>
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  result: any
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  error: any
  /** What came before the result. */
  // biome-ignore lint/suspicious/noExplicitAny: the same.
  notifications: any[]
}

export const newestRevision = '2026-07-28'
const acceptBoth = 'application/json, text/event-stream'

export type McpOptions = {
  key?: TestKey | string | null
  headers?: Record<string, string>
  /** Of the newest revision unless told. */
  isLegacy?: boolean
  /** Null for a notification, which has none. */
  id?: number | null
}

/** What a client says of a message, in its headers and in its body. */
export function mcpMessage(
  method: string,
  params: Record<string, unknown>,
  { isLegacy = false, id = 1 }: Pick<McpOptions, 'isLegacy' | 'id'> = {},
): { headers: Record<string, string>; body: Record<string, unknown> } {
  const message = withoutUndefined({ jsonrpc: '2.0', id: id ?? undefined, method })
  if (isLegacy) {
    return {
      headers: { accept: acceptBoth, 'mcp-protocol-version': '2025-11-25' },
      body: { ...message, params },
    }
  }
  const name = params.name ?? params.uri
  return {
    headers: withoutUndefined<Record<string, string>>({
      accept: acceptBoth,
      'mcp-protocol-version': newestRevision,
      'mcp-method': method,
      'mcp-name': typeof name === 'string' ? name : undefined,
    }),
    body: {
      ...message,
      params: {
        ...params,
        _meta: {
          'io.modelcontextprotocol/protocolVersion': newestRevision,
          'io.modelcontextprotocol/clientInfo': { name: 'test', version: '1' },
          'io.modelcontextprotocol/clientCapabilities': {},
          ...(params._meta as object | undefined),
        },
      },
    },
  }
}

export async function askMcp(
  app: TestApp,
  method: string,
  params: Record<string, unknown> = {},
  options: McpOptions = {},
): Promise<McpReply> {
  const { key = app.liveKey } = options
  const message = mcpMessage(method, params, options)
  const token = typeof key === 'string' ? key : key?.key
  const reply = await app.app.server.inject({
    method: 'POST',
    url: '/mcp',
    headers: withoutUndefined<Record<string, string>>({
      ...message.headers,
      authorization: token === undefined ? undefined : `Bearer ${token}`,
      ...options.headers,
    }),
    payload: message.body,
  })
  const messages = messagesOf(String(reply.headers['content-type'] ?? ''), reply.payload)
  const last = messages.find(({ result, error }) => result !== undefined || error !== undefined)
  return {
    status: reply.statusCode,
    headers: reply.headers,
    result: last?.result,
    error: last?.error,
    notifications: messages.filter(message => message.method !== undefined),
  }
}

// biome-ignore lint/suspicious/noExplicitAny: as above.
export function messagesOf(contentType: string, text: string): any[] {
  if (contentType.startsWith('text/event-stream')) {
    return [...text.matchAll(/^data: (\{.*)$/gm)].map(([, data = '']) => JSON.parse(data))
  }
  return text === '' ? [] : [JSON.parse(text)]
}

/** The value of a tool's result, which must not be an error, and be the same in both its forms. */
export async function callTool(
  app: TestApp,
  name: string,
  input: Record<string, unknown> = {},
  options: McpOptions = {},
) {
  const { result, error } = await askMcp(app, 'tools/call', { name, arguments: input }, options)
  assert.equal(error, undefined, JSON.stringify(error))
  assert.notEqual(result.isError, true, JSON.stringify(result))
  assert.deepEqual(JSON.parse(result.content[0].text), result.structuredContent)
  assert.equal(result.content.length, 1)
  return result.structuredContent
}

/** What a tool says that came to nothing. */
export async function refusedTool(
  app: TestApp,
  name: string,
  input: Record<string, unknown> = {},
  options: McpOptions = {},
): Promise<string> {
  const { result, error } = await askMcp(app, 'tools/call', { name, arguments: input }, options)
  assert.equal(error, undefined, JSON.stringify(error))
  assert.equal(result.isError, true, JSON.stringify(result))
  return result.content[0].text
}

export async function toolNames(app: TestApp, options: McpOptions = {}): Promise<string[]> {
  const { result } = await askMcp(app, 'tools/list', {}, options)
  return result.tools.map(({ name }: { name: string }) => name)
}
