/** A client of a server that is a process of its own: an agent of a scripted model, and requests by its key. */

import assert from 'node:assert/strict'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Installation, RunningServer } from '../operator.ts'

export type ServerClient = {
  key: string
  agentId: string
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
  request(server: RunningServer, method: string, path: string, options?: RequestOptions): Promise<any>
}

type RequestOptions = { body?: unknown; headers?: Record<string, string> | undefined }

/** In the first workspace, with every permission; its agent has no tools. */
export async function createServerClient(
  installation: Installation,
  server: RunningServer,
): Promise<ServerClient> {
  const [workspace] = await installation.atriumJson('workspace list')
  const { key } = await installation.atriumJson([
    ...['key', 'create', '--workspace', workspace.slug],
    ...['--env', 'live', '--name', 'test', '--permissions', 'all'],
  ])
  const request: ServerClient['request'] = async ({ origin }, method, path, { body, headers = {} } = {}) => {
    const response = await fetch(`${origin}/api/v1${path}`, {
      method,
      headers: withoutUndefined<Record<string, string>>({
        authorization: `Bearer ${key}`,
        'content-type': body === undefined ? undefined : 'application/json',
        ...headers,
      }),
      body: body === undefined ? null : JSON.stringify(body),
    })
    const text = await response.text()
    assert.ok(response.ok, `${method} ${path} answered ${response.status}: ${text}`)
    return JSON.parse(text).data
  }
  const agent = await request(server, 'POST', '/agents', {
    body: { name: 'Test', model: 'openai/test-model', tools: [] },
  })
  return { key, agentId: agent.id, request }
}
