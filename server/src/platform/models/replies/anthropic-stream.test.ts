/** What servers that imitate Anthropic's messages do differently, and what Google's and OpenAI's streams end with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noSleep } from '../../../testing/sleeps.ts'
import { noFaults } from '../../faults.ts'
import { createCallModel, type ModelAnswer } from '../call.ts'
import { ModelError } from '../model-error.ts'
import { openProvider, type ProviderKind } from '../providers.ts'

const call = createCallModel({ clock: Date.now, sleep: noSleep, random: () => 0, faults: noFaults })

type Event = Record<string, unknown>
type How = { type?: string; hangs?: boolean; breaks?: boolean; pieceLength?: number }

async function ask(
  kind: ProviderKind,
  body: string,
  { type = 'text/event-stream', hangs = false, breaks = false, pieceLength = 1_000_000 }: How = {},
): Promise<ModelAnswer> {
  const bytes = Buffer.from(body)
  async function* sent() {
    for (let at = 0; at < bytes.length; at += pieceLength) yield bytes.subarray(at, at + pieceLength)
    if (hangs) await new Promise(() => undefined)
    if (breaks) throw new TypeError('terminated')
  }
  const fetch = async () =>
    new Response(ReadableStream.from(sent()) as ReadableStream, { headers: { 'content-type': type } })
  const baseUrl = kind === 'anthropic' ? 'https://a.example' : null
  const provider = await openProvider({ kind, baseUrl, apiKey: 'key' }, fetch)
  const model = provider.languageModel(kind === 'google' ? 'gemini-2.5-flash' : 'm')
  return await call(
    { name: 'm', model, contextTokens: null, seesImages: null, price: null },
    {
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
      tools: [{ type: 'function', name: 'add', inputSchema: { type: 'object', properties: {} } }],
      abortSignal: AbortSignal.timeout(20_000),
    },
  )
}

const saidIn = ({ content, finish }: ModelAnswer): unknown => [
  finish,
  content.map(part => {
    if (part.type === 'tool-call') return [part.toolName, JSON.parse(part.input)]
    return 'text' in part ? [part.type, part.text] : part.type
  }),
]

const streamOf = (events: readonly Event[]): string =>
  events.map(event => `event: ${event.type}\ndata: ${JSON.stringify(event)}\n\n`).join('')
const texted = (value: unknown): Event =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? String(each) : each)))
const without = (events: readonly Event[], type: string): Event[] =>
  events.filter(event => event.type !== type)

const begun = {
  type: 'message_start',
  message: {
    id: 'm',
    type: 'message',
    role: 'assistant',
    content: [],
    model: 'm',
    usage: { input_tokens: 9, output_tokens: 1 },
  },
}
const block = (index: number, content_block: Event, deltas: Event[]): Event[] => [
  { type: 'content_block_start', index, content_block },
  ...deltas.map(delta => ({ type: 'content_block_delta', index, delta })),
  { type: 'content_block_stop', index },
]
const ended = {
  type: 'message_delta',
  delta: { stop_reason: 'tool_use', stop_sequence: null },
  usage: { output_tokens: 4 },
}
const stopped = { type: 'message_stop' }
const text = block(0, { type: 'text', text: '' }, [
  { type: 'text_delta', text: 'Zürich 🦆 ' },
  { type: 'text_delta', text: 'is near.' },
])
const called = block(1, { type: 'tool_use', id: 'a', name: 'add', input: {} }, [
  { type: 'input_json_delta', partial_json: '{"a":1,' },
  { type: 'input_json_delta', partial_json: '"b":{"c":2}}' },
])
const events: Event[] = [begun, ...text, ...called, ended, stopped]
const whole = {
  id: 'm',
  type: 'message',
  role: 'assistant',
  model: 'm',
  content: [
    { type: 'text', text: 'Zürich 🦆 is near.' },
    { type: 'tool_use', id: 'a', name: 'add', input: { a: 1, b: { c: 2 } } },
  ],
  stop_reason: 'tool_use',
  usage: { input_tokens: 9, output_tokens: 4 },
}
const expected = [
  'tool-calls',
  [
    ['text', 'Zürich 🦆 is near.'],
    ['add', { a: 1, b: { c: 2 } }],
  ],
]

const variants: Record<string, string> = {
  'as it is': streamOf(events),
  'no names of events': streamOf(events).replaceAll(/event: \w+\n/g, ''),
  'no blank line at the end': streamOf(events).trimEnd(),
  'no message_stop': streamOf(without(events, 'message_stop')),
  '[DONE] at the end': `${streamOf(without(events, 'message_stop'))}data: [DONE]\n\n`,
  'one value instead of a stream': JSON.stringify(whole),
  'the value in an event': streamOf([whole]),
  'numbers as texts': streamOf(events.map(texted)),
  'no usage': streamOf(
    events.map(event =>
      JSON.parse(
        JSON.stringify({ ...event, usage: undefined }).replaceAll(/"usage":\{[^}]*\},?/g, '"usage":null'),
      ),
    ),
  ),
  'unknown events and parts': streamOf(
    events.flatMap(event => [
      event,
      { type: 'tick' },
      { type: 'content_block_delta', index: 0, delta: { type: 'mood_delta', mood: 1 } },
    ]),
  ),
  'no events that begin a text': streamOf(
    events.filter(event => !(event.type === 'content_block_start' && event.index === 0)),
  ),
  'no events that end a block': streamOf(without(events, 'content_block_stop')),
  'the first words in the beginning': streamOf([
    begun,
    ...block(0, { type: 'text', text: 'Zürich 🦆 ' }, [{ type: 'text_delta', text: 'is near.' }]),
    ...called,
    ended,
    stopped,
  ]),
  'arguments in the beginning': streamOf([
    begun,
    ...text,
    ...block(1, { type: 'tool_use', id: 'a', name: 'add', input: { a: 1, b: { c: 2 } } }, []),
    ended,
    stopped,
  ]),
  'arguments in the beginning, and once more': streamOf([
    begun,
    ...text,
    ...block(1, { type: 'tool_use', id: 'a', name: 'add', input: { a: 1, b: { c: 2 } } }, [
      { type: 'input_json_delta', partial_json: '{"a":1,"b":{"c":2}}' },
    ]),
    ended,
    stopped,
  ]),
  'an object for the arguments': streamOf([
    begun,
    ...text,
    ...block(1, { type: 'tool_use', id: 'a', name: 'add', input: {} }, [
      { type: 'input_json_delta', partial_json: { a: 1, b: { c: 2 } } },
    ]),
    ended,
    stopped,
  ]),
  'the call twice': streamOf([
    begun,
    ...text,
    ...called,
    ...called.map(event => ({ ...event, index: 2 })),
    ended,
    stopped,
  ]),
  'no reason for the end': streamOf([begun, ...text, ...called, stopped]),
}

for (const [variant, body] of Object.entries(variants)) {
  test(`an answer in Anthropic’s protocol is the same with ${variant}`, async () => {
    for (const pieceLength of [1_000_000, 1]) {
      for (const type of ['text/event-stream', 'application/json']) {
        const answer = await ask('anthropic', body, { type, pieceLength })
        assert.deepEqual(saidIn(answer), expected)
        assert.ok(answer.usage.inputTokens > 0 && answer.usage.outputTokens > 0)
      }
    }
    if (body !== variants['no reason for the end'])
      for (const how of [{ hangs: true }, { breaks: true }])
        if (!body.startsWith('{')) assert.deepEqual(saidIn(await ask('anthropic', body, how)), expected)
  })
}

test('an answer in Anthropic’s protocol that is cut at any byte is the same answer, or an honest failure', async () => {
  for (const variant of ['as it is', 'one value instead of a stream', 'numbers as texts']) {
    const body = Buffer.from(variants[variant] ?? '').toString('latin1')
    const same = JSON.parse(Buffer.from(JSON.stringify(expected)).toString('latin1'))
    for (let cut = 0; cut < body.length; cut += 3) {
      const outcome = await ask('anthropic', body.slice(0, cut)).then(saidIn, (error: unknown) => error)
      if (!(outcome instanceof ModelError)) assert.deepEqual(outcome, same, `cut at ${cut} of ${body.length}`)
    }
  }
})

const gemini = (reason: string | undefined): string =>
  `data: ${JSON.stringify({ candidates: [{ content: { parts: [{ text: 'Pay 500 to acc' }] }, finishReason: reason }], usageMetadata: { promptTokenCount: 9, candidatesTokenCount: 4 } })}\n\n`
const responses = (type: string, more: Event): string =>
  streamOf([
    { type: 'response.created', response: { id: 'r', created_at: 1, model: 'm' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'i' } },
    {
      type: 'response.output_text.delta',
      item_id: 'i',
      output_index: 0,
      content_index: 0,
      delta: 'Pay 500 to acc',
    },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'i' } },
    { type, response: { ...more, usage: { input_tokens: 9, output_tokens: 4 } } },
  ])
const anthropic = (reason: string): string =>
  streamOf([begun, ...text, { ...ended, delta: { stop_reason: reason } }, stopped])

const ends: [kind: ProviderKind, body: string, end: string][] = [
  ...['end_turn', 'stop_sequence', 'stop'].map((word): [ProviderKind, string, string] => [
    'anthropic',
    anthropic(word),
    'stop',
  ]),
  ['anthropic', anthropic('max_tokens'), 'length'],
  ['anthropic', anthropic('model_context_window_exceeded'), 'length'],
  ['anthropic', anthropic('refusal'), 'content-filter'],
  ...['error', 'aborted', 'pause_turn', 'something_new', 'tool_use'].map(
    (word): [ProviderKind, string, string] => ['anthropic', anthropic(word), 'broken'],
  ),
  ['google', gemini('STOP'), 'stop'],
  ['google', gemini('STOP').trimEnd(), 'stop'],
  ['google', gemini('MAX_TOKENS'), 'length'],
  ...['SAFETY', 'RECITATION', 'PROHIBITED_CONTENT'].map((word): [ProviderKind, string, string] => [
    'google',
    gemini(word),
    'content-filter',
  ]),
  ...['OTHER', 'MALFORMED_FUNCTION_CALL', 'UNEXPECTED_TOOL_CALL', 'SOMETHING_NEW', undefined].map(
    (word): [ProviderKind, string, string] => ['google', gemini(word), 'broken'],
  ),
  ['openai', responses('response.completed', { status: 'completed' }), 'stop'],
  ['openai', responses('response.completed', { status: 'completed' }).trimEnd(), 'stop'],
  [
    'openai',
    responses('response.incomplete', { incomplete_details: { reason: 'max_output_tokens' } }),
    'length',
  ],
  [
    'openai',
    responses('response.incomplete', { incomplete_details: { reason: 'content_filter' } }),
    'content-filter',
  ],
  ['openai', responses('response.incomplete', { status: 'incomplete' }), 'broken'],
  ['openai', responses('response.completed', { status: 'cancelled' }), 'broken'],
  ['openai', responses('response.in_progress', {}), 'broken'],
]

for (const [kind, body, end] of ends) {
  test(`in the protocol of ${kind}, the end ${end} is known: ${body.slice(-140).replaceAll(/\s+/g, ' ')}`, async () => {
    if (end === 'broken') {
      await assert.rejects(ask(kind, body), (error: Error) => {
        assert.ok(error instanceof ModelError)
        assert.equal(error.code, 'model_invalid_response', error.message)
        return true
      })
    } else assert.equal((await ask(kind, body, { hangs: body.endsWith('\n\n') })).finish, end)
  })
}
