/** What the bodies of requests in progress may take of the memory, asked over real sockets. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { collectGarbage } from '../../testing/costs/collect-garbage.ts'
import { createCollection } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'

const mebibyte = 1024 * 1024

type Client = { socket: Socket; reply: Promise<string>; isRead: (bytes: number) => Promise<void> }

async function start(context: TestContext, settings: Record<string, string>) {
  const app = await startTestApp({ settings })
  const { port } = new URL(await app.listen())
  const clients: Socket[] = []
  context.after(async () => {
    for (const client of clients) client.destroy()
    await app.close()
  })
  const open = async (): Promise<Client> => {
    const socket = connect(Number(port), '127.0.0.1')
    clients.push(socket)
    const [served]: Socket[] = await once(app.app.server.server, 'connection')
    const { promise: reply, resolve } = Promise.withResolvers<string>()
    let text = ''
    socket.on('data', piece => {
      text += piece
    })
    socket.on('error', () => undefined)
    socket.on('close', () => resolve(text))
    return {
      socket,
      reply,
      async isRead(bytes) {
        while ((served?.bytesRead ?? 0) < bytes) await new Promise(setImmediate)
      },
    }
  }
  return { app, open }
}

const headOf = (path: string, key: TestKey, ...headers: string[]): string =>
  [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: atrium',
    'Connection: close',
    `Authorization: Bearer ${key.key}`,
    'Content-Type: application/json',
    ...headers,
    '\r\n',
  ].join('\r\n')

/** A page of a manifest of so many bytes. */
const pageOf = (bytes: number): string => `{"entries":[]${' '.repeat(bytes - 14)}}`

/** Sends all but the last byte, and answers once the server has read it: the body is held until it is finished. */
async function hold(
  client: Client,
  path: string,
  key: TestKey,
  bytes: number,
): Promise<() => Promise<string>> {
  client.socket.write(headOf(path, key, `Content-Length: ${bytes}`) + pageOf(bytes).slice(0, -1))
  await client.isRead(bytes)
  return () => {
    client.socket.write('}')
    return client.reply
  }
}

async function send(client: Client, path: string, key: TestKey, body: string): Promise<string> {
  client.socket.write(headOf(path, key, `Content-Length: ${body.length}`) + body)
  return client.reply
}

const syncsOf = async (app: TestApp, key = app.liveKey): Promise<string> =>
  `/knowledge/collections/${await createCollection(app, key)}/syncs`

async function keyOfStranger(app: TestApp): Promise<TestKey> {
  const { workspaceId, ownerId } = await app.createWorkspace()
  return app.createKey({ workspaceId, userId: ownerId, role: 'owner' })
}

test('bodies in progress of one workspace beyond its share are a 429 that names the setting; others pass', async context => {
  const { app, open } = await start(context, { ATRIUM_BODY_MEMORY_PER_WORKSPACE_MB: '16' })
  const stranger = await keyOfStranger(app)
  const [path, second, theirs] = [await syncsOf(app), await syncsOf(app), await syncsOf(app, stranger)]
  const finish = await hold(await open(), path, app.liveKey, 11 * mebibyte)

  const refused = await send(await open(), second, app.liveKey, pageOf(11 * mebibyte))
  assert.match(refused, /^HTTP\/1\.1 429 .*retry-after: 1\r.*"code":"rate_limited"/is)
  assert.match(refused, /ATRIUM_BODY_MEMORY_PER_WORKSPACE_MB/)
  assert.match(await send(await open(), '/agents', app.liveKey, '{"name":"Ada"}'), /^HTTP\/1\.1 201 /)
  assert.match(await send(await open(), theirs, stranger, pageOf(11 * mebibyte)), /^HTTP\/1\.1 201 /)

  assert.match(await finish(), /^HTTP\/1\.1 201 /)
  assert.match(await send(await open(), second, app.liveKey, pageOf(11 * mebibyte)), /^HTTP\/1\.1 201 /)
})

test('bodies in progress of all workspaces beyond the share of the process are a 503 that names the setting', async context => {
  const { app, open } = await start(context, { ATRIUM_BODY_MEMORY_MB: '16' })
  const stranger = await keyOfStranger(app)
  const [path, theirs] = [await syncsOf(app), await syncsOf(app, stranger)]
  const holder = await open()
  await hold(holder, path, app.liveKey, 11 * mebibyte)

  const refused = await send(await open(), theirs, stranger, pageOf(11 * mebibyte))
  assert.match(refused, /^HTTP\/1\.1 503 .*retry-after: 1\r.*"code":"unavailable"/is)
  assert.match(refused, /ATRIUM_BODY_MEMORY_MB/)
  assert.match(await send(await open(), '/agents', stranger, '{"name":"Ada"}'), /^HTTP\/1\.1 201 /)

  holder.socket.destroy()
  await holder.reply
  let passed = ''
  // The server learns by itself, a little later, that the client is gone.
  while (!passed.startsWith('HTTP/1.1 201 '))
    passed = await send(await open(), theirs, stranger, pageOf(11 * mebibyte))
})

test('a body that comes in pieces of one byte takes no more memory than its bytes', async context => {
  const { app, open } = await start(context, {})
  const client = await open()
  const pieces = 200_000
  client.socket.write(headOf('/agents', app.liveKey, 'Transfer-Encoding: chunked'))
  const heldBytes = () => {
    collectGarbage()
    const { heapUsed, external } = process.memoryUsage()
    return heapUsed + external
  }
  const before = heldBytes()
  const bytes = '1\r\na\r\n'.repeat(pieces)
  client.socket.write(bytes)
  await client.isRead(bytes.length)
  const growth = heldBytes() - before
  assert.ok(growth < pieces * 20, `${growth} bytes are held`)
})
