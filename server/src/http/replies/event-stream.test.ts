/** The text of an event stream, for readers that take every blank line for the end of an event. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../../platform/log.ts'
import { createEventStreams, type FollowEvents } from './event-stream.ts'

const streams = createEventStreams({
  log: createLog({ level: 'silent' }),
  callerCheckMs: 60_000,
  closing: new AbortController().signal,
  keepAliveMs: 5,
})

/** Reads a stream whose source is silent before its first event and between its events, until three comments came. */
async function read(events: { id?: string; data: unknown }[]): Promise<string> {
  let text = ''
  let heard = Promise.withResolvers<void>()
  const silence = async () => {
    heard = Promise.withResolvers<void>()
    await heard.promise
  }
  const follow: FollowEvents = async function* () {
    for (const event of events) {
      await silence()
      yield event
    }
    await silence()
  }
  for await (const piece of streams.open(follow, async () => true, null)) {
    text += String(piece)
    if (text.endsWith(':\n:\n:\n')) heard.resolve()
  }
  return text
}

/** Each block up to a blank line, as its lines without comments; the last has no blank line behind it. */
const blocksOf = (text: string): string[][] =>
  text.split('\n\n').map(block => block.split('\n').filter(line => line !== '' && !line.startsWith(':')))

test('no blank line of a stream ends an event without data, however long the stream is silent', async () => {
  const text = await read([
    { id: '1', data: { a: 1 } },
    { id: '2', data: { a: 2 } },
  ])
  assert.deepEqual(blocksOf(text), [
    ['retry: 1000', 'id: 1', 'data: {"a":1}'],
    ['id: 2', 'data: {"a":2}'],
    [],
  ])
})

test('a stream whose events have no ids names no time to reconnect', async () => {
  assert.deepEqual(blocksOf(await read([{ data: 1 }])), [['data: 1'], []])
})
