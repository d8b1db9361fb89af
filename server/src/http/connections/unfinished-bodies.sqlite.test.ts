/** Requests whose body does not come to its end: who is refused first, who left, and what the end of the server tells. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { connect, type Socket } from 'node:net'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { createCollection } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { usualTimes } from './connections.ts'

const json = 'application/json'

type Client = { socket: Socket; text: () => string; closed: Promise<unknown> }

async function listening(
  context: TestContext,
  checkMs = 20,
): Promise<{ app: TestApp; open: () => Promise<Client> }> {
  const app = await startTestApp({
    adapt: dependencies => ({ ...dependencies, connectionTimes: { ...usualTimes, checkMs } }),
  })
  context.after(app.close)
  const { port } = new URL(await app.listen())
  const open = async (): Promise<Client> => {
    const socket = connect(Number(port), '127.0.0.1').on('error', () => undefined)
    context.after(() => socket.destroy())
    let text = ''
    socket.on('data', piece => {
      text += piece
    })
    const closed = new Promise(resolve => socket.once('close', resolve))
    await once(socket, 'connect')
    return { socket, text: () => text, closed }
  }
  return { app, open }
}

const headOf = (target: string, type: string, headers: Record<string, string> = {}): string =>
  [
    `${target} HTTP/1.1`,
    'Host: atrium',
    `Content-Type: ${type}`,
    'Content-Length: 400',
    ...Object.entries(headers).map(([name, value]) => `${name}: ${value}`),
    '\r\n',
  ].join('\r\n')

for (const target of ['POST /api/v1/nothing', 'POST /api/v1/knowledge/search', 'POST /api/v1/agents']) {
  test(`${target} without a key is refused before its body has come`, async context => {
    const { open } = await listening(context)
    const { socket, text } = await open()
    socket.write(`${headOf(target, json)}{`)
    await once(socket, 'data')
    assert.match(text(), /^HTTP\/1\.1 401 /)
  })
}

test('an unknown endpoint beside the API is refused before the body has come', async context => {
  const { open } = await listening(context)
  const { socket, text } = await open()
  socket.write(`${headOf('POST /nothing', json)}{`)
  await once(socket, 'data')
  assert.match(text(), /^HTTP\/1\.1 404 /)
})

test('a client that leaves before its body is read may repeat the request with the same Idempotency-Key', async context => {
  const { app, open } = await listening(context)
  const collectionId = await createCollection(app, app.liveKey, 'left')
  const boundary = 'multipart/form-data; boundary=b'
  for (const [path, type] of [
    ['/agents', json],
    ['/knowledge/documents', boundary],
  ] as const) {
    const keyed = { authorization: `Bearer ${app.liveKey.key}`, 'Idempotency-Key': `left ${path}` }
    const { socket } = await open()
    const head = headOf(`POST /api/v1${path}`, type, keyed)
    // The connection breaks while the key is looked up.
    app.app.server.server.once('request', request => request.socket.destroy())
    socket.write(`${head}{`)
    await once(socket, 'close')
    const form = new FormData()
    form.append('collectionId', collectionId)
    form.append('file', new Blob(['A text of some length.']), 'a.txt')
    const sent = path === '/agents' ? { body: { name: 'Again' } } : { form }
    await eventually('the key is free again', async () => {
      const reply = await app.request('POST', path, {
        ...sent,
        headers: { 'idempotency-key': `left ${path}` },
      })
      return reply.status === 201
    })
  }
})

test('a server that ends tells who still sends a body slowly, and waits for no one whom it has answered', async context => {
  const { app, open } = await listening(context)
  const [sending, answered] = await Promise.all([open(), open()])
  answered.socket.write(`${headOf('POST /api/v1/agents', json)}{`)
  await once(answered.socket, 'data')
  const authorization = `Bearer ${app.liveKey.key}`
  sending.socket.write(`${headOf('POST /api/v1/agents', json, { authorization, expect: '100-continue' })}{`)
  // By then the body is waited for.
  await once(sending.socket, 'data')
  await app.app.server.close()
  await Promise.all([sending.closed, answered.closed])
  assert.match(sending.text(), /HTTP\/1\.1 503 .*Retry-After: 1\r.*Connection: close\r.*"unavailable"/s)
  assert.equal(answered.text().split('HTTP/1.1').length, 2, 'one reply')
})

test('a server ends although a client left since the last look at its body', async context => {
  const { app, open } = await listening(context, usualTimes.checkMs)
  const left = new Promise(resolve => {
    app.app.server.server.once('request', request => request.once('close', resolve))
  })
  const { socket } = await open()
  socket.write(`${headOf('POST /api/v1/agents', json, { authorization: `Bearer ${app.liveKey.key}` })}{`)
  await once(app.app.server.server, 'request')
  socket.destroy()
  await left
  await app.app.server.close()
})
