/** What a connection may hold on to, asked over real sockets with limits that a test can wait for. */
import assert from 'node:assert/strict'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import type { BlobStore } from '../../platform/blobs/blobs.ts'
import type { Dependencies } from '../../start/dependencies.ts'
import { createCollection } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { type ConnectionTimes, usualTimes } from './connections.ts'

const impatient: ConnectionTimes = {
  ...usualTimes,
  checkMs: 20,
  bodyChecks: 4,
  bodyBytes: 64,
  sparedNetworks: [],
}

async function listening(
  context: TestContext,
  {
    settings = {},
    connectionTimes = impatient,
    adapt = dependencies => dependencies,
  }: {
    settings?: Record<string, string>
    connectionTimes?: ConnectionTimes
    adapt?: (dependencies: Dependencies) => Dependencies
  } = {},
): Promise<{ app: TestApp; open: () => Promise<Client> }> {
  const app = await startTestApp({
    settings,
    adapt: dependencies => ({ ...adapt(dependencies), connectionTimes }),
  })
  const { port } = new URL(await app.listen())
  const clients: Socket[] = []
  context.after(async () => {
    for (const client of clients) client.destroy()
    await app.close()
  })
  return {
    app,
    open: () =>
      new Promise(resolve => {
        const socket = connect(Number(port), '127.0.0.1', () => resolve(clientOf(socket)))
        clients.push(socket)
      }),
  }
}

type Client = { socket: Socket; ended: Promise<string>; next: () => Promise<string> }

/** `ended` is all that came until the server hung up, `next` the next piece. */
function clientOf(socket: Socket): Client {
  let text = ''
  socket.on('data', piece => {
    text += piece
  })
  const ended = new Promise<string>(resolve => {
    socket.on('error', () => resolve(text))
    socket.on('close', () => resolve(text))
  })
  const next = () =>
    Promise.race([
      new Promise<string>(resolve => socket.once('data', piece => resolve(String(piece)))),
      ended,
    ])
  return { socket, ended, next }
}

/** Sends pieces until the server hangs up. */
async function drip({ socket, ended }: Client, piece: string, everyMs: number): Promise<string> {
  const timer = setInterval(() => {
    if (socket.writable) socket.write(piece)
  }, everyMs)
  const text = await ended
  clearInterval(timer)
  return text
}

const headOf = (app: TestApp, path: string, headers: Record<string, string | number>): string =>
  [
    `POST /api/v1${path} HTTP/1.1`,
    'Host: atrium',
    `Authorization: Bearer ${app.liveKey.key}`,
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

const bodies = [
  {
    name: 'JSON',
    path: '/knowledge/collections',
    headers: { 'Content-Type': 'application/json', 'Content-Length': 9_000 },
    start: '{"name":"',
  },
  {
    name: 'chunked',
    path: '/knowledge/collections',
    headers: { 'Content-Type': 'application/json', 'Transfer-Encoding': 'chunked' },
    start: '9\r\n{"name":"\r\n',
  },
  {
    name: 'multipart',
    path: '/knowledge/documents',
    headers: { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': 90_000 },
    start: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
  },
]

for (const { name, path, headers, start } of bodies) {
  test(`a ${name} body that stops is a 408, and its connection is closed`, async context => {
    const { app, open } = await listening(context)
    const client = await open()
    client.socket.write(headOf(app, path, headers) + start)
    const reply = await client.ended
    assert.match(reply, /^HTTP\/1\.1 408 /)
    assert.match(reply, /"code":"request_timeout"/)
  })
}

test('a body that drips below the least pace is a 408, although it never stops', async context => {
  const { app, open } = await listening(context)
  const client = await open()
  const headers = { 'Content-Type': 'application/json', 'Content-Length': 9_000 }
  client.socket.write(headOf(app, '/knowledge/collections', headers))
  assert.match(await drip(client, ' ', 10), /^HTTP\/1\.1 408 /)
})

test('the body of a request that was refused already does not keep its connection', async context => {
  const { open } = await listening(context)
  const client = await open()
  client.socket.write(
    'POST /api/v1/knowledge/collections HTTP/1.1\r\nHost: atrium\r\nContent-Length: 9000\r\n',
  )
  client.socket.write('Content-Type: application/json\r\n\r\n')
  assert.match(await drip(client, ' ', 10), /^HTTP\/1\.1 401 /)
})

test('headers that do not end are a 408, and a connection without any is closed', async context => {
  const { open } = await listening(context, { connectionTimes: { ...impatient, headersMs: 100 } })
  const [slow, silent] = await Promise.all([open(), open()])
  slow.socket.write('GET /healthz HTTP/1.1\r\nHost: atrium\r\n')
  assert.match(await slow.ended, /^HTTP\/1\.1 408 /)
  await silent.ended
})

test('an upload at the least pace goes through, however long it takes in all', async context => {
  const { app, open } = await listening(context)
  const collectionId = await createCollection(app, app.liveKey, 'slow')
  const client = await open()
  const line = 'a line of a slow upload, sent piece by piece\n'
  const pieces = 60
  const part = (head: string, body: string) => `--b\r\nContent-Disposition: form-data; ${head}\r\n\r\n${body}`
  const begin = `${part('name="collectionId"', collectionId)}\r\n${part('name="file"; filename="a.txt"', '')}`
  const length = begin.length + line.length * pieces + '\r\n--b--\r\n'.length
  const type = 'multipart/form-data; boundary=b'
  client.socket.write(
    headOf(app, '/knowledge/documents', { 'Content-Type': type, 'Content-Length': length }) + begin,
  )
  for (let sent = 0; sent < pieces; sent++) {
    client.socket.write(line)
    await new Promise(resolve => setTimeout(resolve, 5))
  }
  client.socket.write('\r\n--b--\r\n')
  assert.match(await client.next(), /^HTTP\/1\.1 201 /)
})

test('a body that waits for this server is not slow', async context => {
  const { app, open } = await listening(context, {
    adapt: dependencies => {
      const { blobs } = dependencies
      const receive: BlobStore['receive'] = async (stream, stated) => {
        await new Promise(resolve => setTimeout(resolve, 10 * impatient.checkMs))
        return blobs.receive(stream, stated)
      }
      return { ...dependencies, blobs: { ...blobs, receive } }
    },
  })
  const collectionId = await createCollection(app, app.liveKey, 'busy')
  const client = await open()
  const body = [
    `--b\r\nContent-Disposition: form-data; name="collectionId"\r\n\r\n${collectionId}\r\n`,
    '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\n',
    `${'a line of a large upload\n'.repeat(200_000)}\r\n--b--\r\n`,
  ].join('')
  const headers = { 'Content-Type': 'multipart/form-data; boundary=b', 'Content-Length': body.length }
  client.socket.write(headOf(app, '/knowledge/documents', headers) + body)
  assert.match(await client.next(), /^HTTP\/1\.1 201 /)
})

const getHealth = 'GET /healthz HTTP/1.1\r\nHost: atrium\r\n\r\n'
const patient: ConnectionTimes = { ...usualTimes, sparedNetworks: [] }
const perAddress = { ATRIUM_MAX_CONNECTIONS_PER_ADDRESS: '3' }

async function statusOf({ socket, next }: Client): Promise<string> {
  socket.write(getHealth)
  return (await next()).slice(9, 12)
}

test('an address that holds all its connections gets no other until it closes one', async context => {
  const { open } = await listening(context, { settings: perAddress, connectionTimes: patient })
  const clients = [await open(), await open(), await open()]
  for (const client of clients) assert.equal(await statusOf(client), '200')
  assert.equal(await statusOf(await open()), '')
  clients[0]?.socket.end()
  await clients[0]?.ended
  assert.equal(await statusOf(await open()), '200')
})

for (const [name, settings, connectionTimes] of [
  ['a trusted proxy', { ...perAddress, ATRIUM_TRUSTED_PROXIES: '127.0.0.1' }, patient],
  ['this machine', perAddress, usualTimes],
] as const) {
  test(`the limit by address is not that of ${name}`, async context => {
    const { open } = await listening(context, { settings, connectionTimes })
    for (let count = 0; count < 6; count++) assert.equal(await statusOf(await open()), '200')
  })
}

test('the connections of all addresses together have a limit', async context => {
  const settings = { ATRIUM_MAX_CONNECTIONS: '10' }
  const { app, open } = await listening(context, { settings, connectionTimes: usualTimes })
  const clients: Client[] = []
  for (let count = 0; count < 10; count++) clients.push(await open())
  for (const client of clients) assert.equal(await statusOf(client), '200')
  assert.equal(await statusOf(await open()), '')
  assert.ok(app.logLines.some(line => line.includes('ATRIUM_MAX_CONNECTIONS')))
})
