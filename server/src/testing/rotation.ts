/** An installation that holds what only the right secret opens. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Installation } from './operator.ts'

type Cleanup = { after: (work: () => void | Promise<void>) => void }

/** An installation with a workspace, a key, and a connection whose API takes one key only. */
export async function furnished(t: Cleanup, installation: Installation) {
  const seen: (string | undefined)[] = []
  const api = createServer((request, response) => {
    seen.push(request.headers.authorization)
    response.writeHead(request.headers.authorization === 'Bearer key-of-the-api' ? 200 : 401).end('{}')
  })
  await new Promise<void>(resolve => api.listen(0, '127.0.0.1', resolve))
  t.after(() => {
    api.close()
    api.closeAllConnections()
  })
  await installation.atriumJson('workspace create Acme')
  const { key } = await installation.atriumJson(
    'key create --workspace acme --env live --name ci --permissions all',
  )
  const baseUrl = `http://127.0.0.1:${(api.address() as AddressInfo).port}`
  const server = await installation.startServer(rotationSettings)
  const connect = await call(server.origin, key, 'POST', '/integrations/connect', {
    integrationId: 'http',
    config: { baseUrl },
    credentials: { apiKey: 'key-of-the-api' },
  })
  assert.equal(connect.status, 201, JSON.stringify(connect.body))
  await server.stop()
  return { key, connectionId: connect.body.data.id as string, seen }
}

export const rotationSettings = { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32' }

export async function call(origin: string, key: string, method: string, path: string, body?: unknown) {
  const response = await fetch(`${origin}/api/v1${path}`, {
    method,
    headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
    body: body === undefined ? null : JSON.stringify(body),
  })
  // biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there.
  return { status: response.status, body: (await response.json()) as any }
}
