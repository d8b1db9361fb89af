/** What servers that imitate OpenAI's chat completions do differently, and are understood all the same. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { type TestContext, test } from 'node:test'
import { noSleep } from '../../../testing/sleeps.ts'
import { noFaults } from '../../faults.ts'
import { createCallModel, type ModelAnswer } from '../call.ts'
import { createModelFetch } from '../model-fetch.ts'
import { openProvider } from '../providers.ts'

/** Calls a server that streams these bytes, each in a packet of its own, and keeps what it was sent. */
async function answered(t: TestContext, packets: readonly (string | Buffer)[], prompt = hello) {
  let sent = ''
  const server = createServer(async (request, reply) => {
    for await (const piece of request) sent += piece
    reply.writeHead(200, { 'content-type': 'text/event-stream', 'x-place': 'Z\u00fcrich' })
    for (const packet of packets) {
      reply.write(packet)
      await new Promise(resolve => setImmediate(resolve))
    }
    reply.end()
  }).listen(0, '127.0.0.1')
  await new Promise(resolve => server.once('listening', resolve))
  const modelFetch = createModelFetch()
  t.after(async () => {
    await modelFetch.close()
    server.closeAllConnections()
    server.close()
  })
  const baseUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/`
  const provider = await openProvider({ kind: 'openai_compatible', baseUrl, apiKey: null }, modelFetch.fetch)
  const call = createCallModel({ clock: Date.now, sleep: noSleep, random: () => 0, faults: noFaults })
  const model = {
    name: 'test',
    model: provider.languageModel('test'),
    contextTokens: null,
    seesImages: null,
    price: null,
  }
  const answer = await call(model, { prompt, abortSignal: AbortSignal.timeout(20_000) })
  return { answer, sent: JSON.parse(sent) as { messages: unknown[] } }
}

type Prompt = Parameters<ReturnType<typeof createCallModel>>[1]['prompt']
const hello: Prompt = [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }]

const event = (choice: object): string => `data: ${JSON.stringify({ choices: [choice] })}\n\n`
const called = (...tool_calls: object[]): string => event({ delta: { tool_calls } })
const ended = event({ delta: {}, finish_reason: 'tool_calls' })

const callsOf = ({ content }: ModelAnswer) =>
  content.flatMap(part => (part.type === 'tool-call' ? [[part.toolCallId, part.toolName, part.input]] : []))

test('a text is whole wherever its bytes, its lines and its events are parted', async t => {
  const stream = Buffer.from(
    `: a comment\r\nevent: chunk\r\n${event({ delta: { content: 'Ducks 🦆 ' } })}${event({ delta: { content: 'swim.' } })}` +
      event({ delta: null, finish_reason: 'stop' }),
  )
  for (const lines of [stream, Buffer.from(String(stream).replaceAll(/\r?\n/g, '\r\n'))]) {
    const packets = Array.from(lines, (_, at) => lines.subarray(at, at + 1))
    const { answer } = await answered(t, packets)
    assert.deepEqual(answer.content, [{ type: 'text', text: 'Ducks 🦆 swim.' }])
  }
})

test('calls are told apart without numbers, and where all have the same number', async t => {
  const { answer: unnumbered } = await answered(t, [
    called({ id: 'a', function: { name: 'search', arguments: '{"a":1}' } }),
    called({ id: 'b', function: { name: 'search', arguments: '{"b":' } }),
    called({ function: { arguments: '2}' } }),
    ended,
  ])
  assert.deepEqual(callsOf(unnumbered), [
    ['a', 'search', '{"a":1}'],
    ['b', 'search', '{"b":2}'],
  ])
  const { answer: allFirst } = await answered(t, [
    called({ index: 0, function: { name: 'search', arguments: '{"a":1}' } }),
    called({ index: 0, function: { name: 'search', arguments: '{"b":2}' } }),
    ended,
  ])
  assert.deepEqual(callsOf(allFirst), [
    ['call_1', 'search', '{"a":1}'],
    ['call_2', 'search', '{"b":2}'],
  ])
})

test('a signed call comes back with its signature', async t => {
  const signed = { google: { thought_signature: 'c2lnbmVk' } }
  const { answer } = await answered(t, [
    called({ index: 0, id: 'a', function: { name: 'search', arguments: '{}' }, extra_content: signed }),
    ended,
  ])
  const [call] = answer.content
  assert.ok(call?.type === 'tool-call' && call.providerMetadata !== undefined)
  const { sent } = await answered(
    t,
    [event({ delta: { content: 'Done.' }, finish_reason: 'stop' })],
    [
      ...hello,
      {
        role: 'assistant',
        content: [
          {
            type: 'tool-call',
            toolCallId: 'a',
            toolName: 'search',
            input: {},
            providerOptions: call.providerMetadata,
          },
        ],
      },
    ],
  )
  assert.deepEqual(sent.messages[1], {
    role: 'assistant',
    content: null,
    tool_calls: [
      { id: 'a', type: 'function', function: { name: 'search', arguments: '{}' }, extra_content: signed },
    ],
  })
})

test('thoughts among the parts of a text, as Mistral sends them, are thoughts', async t => {
  const thinking = [{ type: 'text', text: 'They are ducks.' }]
  const { answer } = await answered(t, [
    event({ delta: { content: [{ type: 'thinking', thinking }] } }),
    event({ delta: { content: [{ type: 'text', text: 'Yes.' }] }, finish_reason: 'stop' }),
  ])
  assert.deepEqual(answer.content, [
    { type: 'reasoning', text: 'They are ducks.' },
    { type: 'text', text: 'Yes.' },
  ])
})
