/** Calls that are tried again, against the real server, with a real wire between that can be cut. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../server/src/testing/eventually.ts'
import { startTcpProxy, type TcpProxy } from '../../../server/src/testing/servers/tcp-proxy.ts'
import { startTestApp, type TestApp } from '../../../server/src/testing/test-app.ts'
import { Atrium } from '../client.ts'
import {
  ConnectionError,
  NotFoundError,
  NotModifiedError,
  RateLimitError,
  ServerError,
  ValidationError,
} from './errors.ts'

type Seen = { method: string; key: string | null; status: number | 'broken' }

/** `seen` is every attempt that the client made, with what came of it. */
async function start(
  t: TestContext,
  settings: Record<string, string> = {},
): Promise<{
  app: TestApp
  proxy: TcpProxy
  atrium: Atrium
  sandbox: Atrium
  seen: Seen[]
}> {
  const app = await startTestApp({ settings })
  const { port } = new URL(await app.listen())
  const proxy = await startTcpProxy({ host: '127.0.0.1', port: Number(port) })
  t.after(async () => {
    await proxy.close()
    await app.close()
  })
  const seen: Seen[] = []
  const noted: typeof fetch = async (url, init = {}) => {
    const key = new Headers(init.headers).get('idempotency-key')
    const attempt: Seen = { method: init.method ?? 'GET', key, status: 'broken' }
    seen.push(attempt)
    const response = await fetch(url, init)
    attempt.status = response.status
    return response
  }
  const baseUrl = `http://127.0.0.1:${proxy.port}`
  return {
    app,
    proxy,
    seen,
    atrium: new Atrium({ apiKey: app.liveKey.key, baseUrl, fetch: noted }),
    sandbox: new Atrium({ apiKey: app.testKey.key, baseUrl, fetch: noted }),
  }
}

const namesOf = async (app: TestApp): Promise<string[]> =>
  (await app.request('GET', '/agents')).body.data.map(({ name }: { name: string }) => name)

test('a write whose reply is lost is sent again under its key, and done once', async t => {
  const { app, proxy, atrium, seen } = await start(t)
  proxy.holdReplies()
  const made = atrium.agents.create({ name: 'Once' })
  await eventually('the first attempt is carried out', async () => (await namesOf(app)).length === 1)
  await proxy.cut()
  await proxy.restore()
  const { id } = await made
  assert.deepEqual(
    seen.map(({ status }) => status),
    ['broken', 201],
  )
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1)
  assert.match(seen[0]?.key ?? '', /^[0-9a-f]{32}$/)
  assert.deepEqual(await namesOf(app), ['Once'])
  assert.equal((await atrium.agents.get(id)).name, 'Once')
})

test('a download goes on where its connection broke, and fails if the file is another one then', async t => {
  const { proxy, atrium } = await start(t)
  const { id: collectionId } = await atrium.knowledge.collections.create({ name: 'Large' })
  const content = 'A line of a large file, as long as it takes.\n'.repeat(200_000)
  const put = (text: string) =>
    atrium.knowledge.documents.put({
      collectionId,
      externalId: 'large',
      file: { name: 'a.txt', content: text },
    })
  const { id } = await put(content)
  const begin = async (original: Response) => {
    const reader = original.body?.getReader()
    assert.ok(reader)
    const { value } = await reader.read()
    return { reader, begun: Buffer.from(value ?? []) }
  }
  const breakOff = async () => {
    await proxy.cut()
    await proxy.restore()
  }
  const { reader, begun } = await begin(await atrium.knowledge.documents.original(id))
  await breakOff()
  const pieces = [begun]
  for (let piece = await reader.read(); !piece.done; piece = await reader.read())
    pieces.push(Buffer.from(piece.value))
  assert.ok(begun.byteLength < content.length)
  assert.ok(Buffer.concat(pieces).equals(Buffer.from(content)))
  const other = await begin(await atrium.knowledge.documents.original(id))
  await put(`${content}More.`)
  await breakOff()
  await assert.rejects(async () => {
    while (!(await other.reader.read()).done);
  }, ConnectionError)
})

test('what has not changed is a NotModifiedError, which is not tried again', async t => {
  const { atrium, seen } = await start(t)
  const { id } = await atrium.agents.create({ name: 'Read' })
  const { headers } = await atrium.request({ method: 'GET', path: `/agents/${id}` })
  const ifNoneMatch = headers.get('etag') ?? ''
  await assert.rejects(atrium.agents.get(id, { ifNoneMatch }), NotModifiedError)
  assert.equal(seen.at(-1)?.status, 304)
  assert.equal(seen.length, 3)
  await atrium.agents.update(id, { name: 'Changed' }, { ifMatch: ifNoneMatch })
  assert.equal((await atrium.agents.get(id, { ifNoneMatch })).name, 'Changed')
})

test('a call goes through once the server can be reached again; a server that cannot be reached is a ConnectionError', async t => {
  const { app, proxy, atrium, seen } = await start(t)
  await proxy.cut()
  const found = atrium.workspace.get()
  await eventually('an attempt has failed', () => seen.length > 0)
  await proxy.restore()
  assert.equal((await found).id, app.workspaceId)
  assert.equal(seen.at(-1)?.status, 200)
  await proxy.cut()
  await assert.rejects(atrium.agents.create({ name: 'Never' }, { maxRetries: 0 }), ConnectionError)
  await proxy.restore()
  assert.deepEqual(await namesOf(app), [])
})

test('a pause that is too long for a call is told with the error instead', async t => {
  const { app, atrium, seen } = await start(t, { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=5' })
  while ((await app.request('GET', '/agents')).status !== 429);
  await assert.rejects(
    atrium.agents.get('agt_01kajz4v7qf3x8m2c9t5b6n0rw', { maxRetries: 0 }),
    (error: unknown) => {
      assert.ok(error instanceof RateLimitError)
      assert.ok((error.retryAfterMs ?? 0) >= 1_000)
      return true
    },
  )
  assert.equal(seen.length, 1)
})

test('a refusal that may pass is tried again with the same key, one that will not is thrown at once', async t => {
  const { sandbox, seen } = await start(t)
  // The sandbox plays a service that cannot be reached: 503, and not kept for its key.
  const connection = {
    integrationId: 'http',
    credentials: { apiKey: 'sim:unreachable' },
    config: { baseUrl: 'https://api.example.com' },
  }
  const connecting = sandbox.integrations.connect(connection, { maxRetries: 1 })
  await assert.rejects(connecting, ServerError)
  assert.deepEqual(
    seen.map(({ status }) => status),
    [503, 503],
  )
  assert.equal(new Set(seen.map(({ key }) => key)).size, 1)
  seen.length = 0
  await assert.rejects(sandbox.agents.get('agt_01kajz4v7qf3x8m2c9t5b6n0rw'), NotFoundError)
  await assert.rejects(sandbox.agents.create({ name: '' }), ValidationError)
  assert.deepEqual(
    seen.map(({ status }) => status),
    [404, 400],
  )
})
