/** The reading of server-sent events, whatever the pieces and pauses in which they arrive. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Atrium } from './client.ts'
import { readEvents, type ServerSentEvent } from './run-events.ts'

const text =
  ':\nretry: 1000\nid: 1\nevent: run.started\n: a comment\ndata: {"a":1}\n\n:\n:\n' +
  'id: 2-3\r\nevent: text.delta\r\ndata: one 🦆\r\ndata:two\r\n\r\nid: 3\revent: end\rdata: last\r\rid: 4\ndata: cut'

const expected: ServerSentEvent[] = [
  { id: '1', event: 'run.started', data: '{"a":1}' },
  { id: '2-3', event: 'text.delta', data: 'one 🦆\ntwo' },
  { id: '3', event: 'end', data: 'last' },
]

async function read(pieceBytes: number): Promise<ServerSentEvent[]> {
  const bytes = new TextEncoder().encode(text)
  const body = new ReadableStream<Uint8Array>({
    start(controller) {
      for (let at = 0; at < bytes.length; at += pieceBytes) {
        controller.enqueue(bytes.slice(at, at + pieceBytes))
      }
      controller.close()
    },
  })
  const events: ServerSentEvent[] = []
  for await (const event of readEvents(body)) events.push(event)
  return events
}

test('events are the same in whatever pieces they arrive, and one that was cut off is none', async () => {
  for (const pieceBytes of [1, 2, 3, 7, 64, 4096]) assert.deepEqual(await read(pieceBytes), expected)
})

test('the time to reach the server again begins with the break, however long the run was silent before', async context => {
  let attempts = 0
  const server = createServer(async (_request, reply) => {
    attempts += 1
    if (attempts !== 2) reply.writeHead(200, { 'content-type': 'text/event-stream' })
    for (let count = 0; attempts === 1 && count < 40; count++) {
      reply.write(':\n')
      await sleep(100)
    }
    if (attempts === 3) reply.end('id: 1\ndata: {"type":"run.succeeded"}\n\n')
    else reply.destroy()
  })
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  context.after(() => server.close())
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  const atrium = new Atrium({ apiKey: 'sk_test_x', baseUrl, maxRetries: 0 })
  const types: string[] = []
  for await (const { type } of atrium.runs.follow('run_1', { reconnectMs: 3_000 })) types.push(type)
  assert.deepEqual(types, ['run.succeeded'])
})
