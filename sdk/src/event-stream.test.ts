/** The reading of server-sent events, whatever the pieces in which they arrive. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readEvents, type ServerSentEvent } from './run-events.ts'

const text =
  'retry: 1000\n\n:\n\nid: 1\nevent: run.started\ndata: {"a":1}\n\n' +
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
