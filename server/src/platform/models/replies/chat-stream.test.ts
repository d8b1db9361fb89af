/** A good stream of chat completions, changed as servers change it and cut anywhere: the same answer, or a failure. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { noSleep } from '../../../testing/sleeps.ts'
import { noFaults } from '../../faults.ts'
import { createCallModel, type ModelAnswer } from '../call.ts'
import { createChatCompletions } from '../chat-completions/chat-completions.ts'
import { ModelError } from '../model-error.ts'

const call = createCallModel({ clock: Date.now, sleep: noSleep, random: () => 0, faults: noFaults })

type Chunk = Record<string, unknown>

/** Asks a server whose reply has these bytes, in pieces of a length. The connection stays open if it `hangs`. */
async function ask(
  body: string,
  { pieceLength = Number.MAX_SAFE_INTEGER, type = 'text/event-stream', hangs = false, breaks = false } = {},
): Promise<ModelAnswer> {
  const bytes = Buffer.from(body)
  const length = Math.max(1, Math.min(pieceLength, bytes.length))
  async function* sent() {
    for (let at = 0; at < bytes.length; at += length) yield bytes.subarray(at, at + length)
    if (hangs) await new Promise(() => undefined)
    if (breaks) throw new TypeError('terminated')
  }
  const model = createChatCompletions({
    baseUrl: 'https://a.example/v1',
    apiKey: null,
    fetch: async () =>
      new Response(ReadableStream.from(sent()) as ReadableStream, { headers: { 'content-type': type } }),
  }).languageModel('m')
  const resolved = { name: 'm', model, contextTokens: null, seesImages: null, price: null }
  return await call(resolved, {
    prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello' }] }],
    tools: [{ type: 'function', name: 'add', inputSchema: { type: 'object' } }],
    abortSignal: AbortSignal.timeout(20_000),
  })
}

const choice = (delta: Chunk, finish: string | null = null): Chunk => ({
  id: 'c',
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const usage: Chunk = {
  id: 'c',
  choices: [],
  usage: { prompt_tokens: 9, completion_tokens: 4, prompt_tokens_details: { cached_tokens: 2 } },
}
const textChunks = [
  choice({ role: 'assistant', content: '' }),
  choice({ content: 'Zürich 🦆 ' }),
  choice({ content: 'is 5 km away.' }),
  choice({}, 'stop'),
  usage,
]
const callPiece = (piece: Chunk) => choice({ tool_calls: [piece] })
const callChunks = [
  choice({ role: 'assistant', content: null }),
  callPiece({ index: 0, id: 'a', type: 'function', function: { name: 'add', arguments: '' } }),
  callPiece({ index: 0, function: { arguments: '{"a":1,' } }),
  callPiece({ index: 0, function: { arguments: '"b":{"c":2}}' } }),
  callPiece({ index: 1, id: 'b', type: 'function', function: { name: 'add', arguments: '{"a":2}' } }),
  choice({}, 'tool_calls'),
  usage,
]

const events = (chunks: readonly unknown[], end = '\n\n'): string =>
  chunks.map(chunk => `data: ${typeof chunk === 'string' ? chunk : JSON.stringify(chunk)}${end}`).join('')
const streamOf = (chunks: readonly unknown[]): string => events([...chunks, '[DONE]'])

const saidIn = ({ content }: ModelAnswer): unknown =>
  content.map(part => {
    if (part.type === 'tool-call') return [part.toolName, JSON.parse(part.input)]
    return 'text' in part ? [part.type, part.text] : part.type
  })

const deltaOf = (chunk: Chunk): Chunk | undefined =>
  (chunk.choices as { delta?: Chunk }[] | undefined)?.[0]?.delta
const eachDelta = (chunks: readonly Chunk[], change: (delta: Chunk) => Chunk): Chunk[] =>
  chunks.map(chunk => {
    const delta = deltaOf(chunk)
    if (delta === undefined) return chunk
    const [first] = chunk.choices as Chunk[]
    return { ...chunk, choices: [{ ...first, delta: change(delta) }] }
  })
const eachCall = (chunks: readonly Chunk[], change: (piece: Chunk) => Chunk): Chunk[] =>
  eachDelta(chunks, delta =>
    Array.isArray(delta.tool_calls) ? { ...delta, tool_calls: delta.tool_calls.map(change) } : delta,
  )
const texted = (value: unknown): unknown =>
  JSON.parse(JSON.stringify(value, (_, each) => (typeof each === 'number' ? String(each) : each)))
const mergedText = { role: 'assistant', content: 'Zürich 🦆 is 5 km away.' }
const mergedCalls = {
  role: 'assistant',
  content: null,
  tool_calls: [
    { id: 'a', type: 'function', function: { name: 'add', arguments: '{"a":1,"b":{"c":2}}' } },
    { id: 'b', type: 'function', function: { name: 'add', arguments: '{"a":2}' } },
  ],
}
const wholeOf = (chunks: readonly Chunk[], finish = true): Chunk => ({
  object: 'chat.completion',
  choices: [
    {
      index: 0,
      message: chunks === textChunks ? mergedText : mergedCalls,
      finish_reason: finish ? (chunks === textChunks ? 'stop' : 'tool_calls') : undefined,
    },
  ],
  usage: usage.usage,
})

/** What servers do to a stream that says the same. */
const mutations: Record<string, (chunks: readonly Chunk[]) => string> = {
  'as it is': streamOf,
  'lines end with carriage returns': chunks => streamOf(chunks).replaceAll('\n', '\r\n'),
  'lines end with carriage returns alone': chunks => streamOf(chunks).replaceAll('\n', '\r'),
  'one line end behind each event': chunks => events([...chunks, '[DONE]'], '\n'),
  'no space behind the colon': chunks => streamOf(chunks).replaceAll('data: ', 'data:'),
  'a byte order mark': chunks => `\ufeff${streamOf(chunks)}`,
  'empty lines before': chunks => `\n\n\n${streamOf(chunks)}`,
  'comments between': chunks => streamOf(chunks).replaceAll('data: ', ': still here\n\ndata: '),
  'names of events': chunks => streamOf(chunks).replaceAll('data: ', 'event: chunk\ndata: '),
  'ids and times of events': chunks =>
    `retry: 10\n\n${streamOf(chunks).replaceAll('data: ', 'id: 7\ndata: ')}`,
  'empty data': chunks => streamOf(chunks).replaceAll('data: ', 'data:\n\ndata: '),
  'no [DONE]': chunks => events(chunks),
  'no blank line at the end': chunks => events(chunks).trimEnd(),
  'a small [done]': chunks => streamOf(chunks).replace('[DONE]', '[done]'),
  'no end but [DONE]': chunks => streamOf(chunks.slice(0, -2)),
  'no end but [DONE], with usage': chunks => streamOf([...chunks.slice(0, -2), usage]),
  'an empty end in each event': chunks =>
    streamOf(
      chunks.map(chunk =>
        JSON.parse(JSON.stringify(chunk).replace('"finish_reason":null', '"finish_reason":""')),
      ),
    ),
  'the word null for no end': chunks =>
    streamOf(
      chunks.map(chunk =>
        JSON.parse(JSON.stringify(chunk).replace('"finish_reason":null', '"finish_reason":"null"')),
      ),
    ),
  'no field for the end': chunks =>
    streamOf(chunks.map(chunk => JSON.parse(JSON.stringify(chunk).replace(',"finish_reason":null', '')))),
  'another word for the end': chunks =>
    streamOf(
      chunks.map(chunk =>
        JSON.parse(
          JSON.stringify(chunk).replace('"stop"', '"eos_token"').replace('"tool_calls"}', '"TOOL_CALL"}'),
        ),
      ),
    ),
  'the end in the last piece': chunks => {
    const merged = JSON.stringify(chunks.at(-3)).replace(
      '"finish_reason":null',
      `"finish_reason":"${chunks === textChunks ? 'stop' : 'tool_calls'}"`,
    )
    return streamOf([...chunks.slice(0, -3), merged, usage])
  },
  'the end twice': chunks => streamOf([...chunks.slice(0, -1), chunks.at(-2), usage]),
  'usage in each event': chunks => streamOf(chunks.map(chunk => ({ ...chunk, usage: usage.usage }))),
  'usage of null': chunks => streamOf(chunks.map(chunk => ({ usage: null, ...chunk }))),
  'no usage': chunks => streamOf(chunks.slice(0, -1)),
  'numbers as texts': chunks => streamOf(chunks.map(texted)),
  'choices of null behind the end': chunks => streamOf([...chunks.slice(0, -1), { ...usage, choices: null }]),
  'no choices in the usage': chunks => streamOf([...chunks.slice(0, -1), { usage: usage.usage }]),
  'a choice that is no list': chunks =>
    streamOf(chunks.map(chunk => ({ ...chunk, choices: (chunk.choices as unknown[])[0] ?? [] }))),
  'an object for each list': chunks =>
    streamOf(chunks.map(chunk => ({ ...chunk, choices: { ...(chunk.choices as unknown[]) } }))),
  'text in parts': chunks =>
    streamOf(
      eachDelta(chunks, delta =>
        typeof delta.content === 'string'
          ? { ...delta, content: [{ type: 'text', text: delta.content }] }
          : delta,
      ),
    ),
  'text in an object': chunks =>
    streamOf(
      eachDelta(chunks, delta =>
        typeof delta.content === 'string'
          ? { ...delta, content: { type: 'text', text: delta.content } }
          : delta,
      ),
    ),
  'a list of texts': chunks =>
    streamOf(
      eachDelta(chunks, delta =>
        typeof delta.content === 'string' ? { ...delta, content: [...delta.content] } : delta,
      ),
    ),
  'unknown parts': chunks =>
    streamOf(
      eachDelta(chunks, delta => ({
        ...delta,
        audio: null,
        content: [
          { type: 'mood', mood: 'glad' },
          ...(typeof delta.content === 'string' ? [{ type: 'text', text: delta.content }] : []),
        ],
      })),
    ),
  'unknown events': chunks =>
    streamOf([
      { object: 'tick' },
      ...chunks.flatMap(chunk => [chunk, { id: 'c', choices: [], obfuscation: 'x' }]),
    ]),
  'an empty error': chunks => streamOf(chunks.map(chunk => ({ ...chunk, error: null, code: 0 }))),
  'empty fields': chunks =>
    streamOf(
      eachDelta(chunks, delta => ({
        refusal: null,
        reasoning: null,
        reasoning_content: '',
        function_call: null,
        tool_calls: [],
        ...delta,
      })),
    ),
  'a delta of null at the end': chunks =>
    streamOf([
      ...chunks.slice(0, -2),
      { choices: [{ index: 0, delta: null, finish_reason: chunks === textChunks ? 'stop' : 'tool_calls' }] },
      usage,
    ]),
  'the whole message once more at the end': chunks =>
    streamOf([...chunks.slice(0, -1), { ...wholeOf(chunks) }, usage]),
  'one value instead of a stream': chunks => JSON.stringify(wholeOf(chunks)),
  'one value in lines': chunks => JSON.stringify(wholeOf(chunks), null, 2),
  'one value without an end': chunks => JSON.stringify(wholeOf(chunks, false)),
  'the value in an event': chunks => streamOf([wholeOf(chunks)]),
  'lines of JSON': chunks => chunks.map(chunk => JSON.stringify(chunk)).join('\n'),
  'a list of the events': chunks => JSON.stringify(chunks, null, 1),
  'calls without an index': chunks => streamOf(eachCall(chunks, ({ index: _, ...piece }) => piece)),
  'arguments as values': chunks =>
    chunks === callChunks
      ? streamOf([
          callPiece({ index: 0, id: 'a', function: { name: 'add', arguments: { a: 1, b: { c: 2 } } } }),
          ...callChunks.slice(4),
        ])
      : streamOf(chunks),
  'an empty object first': chunks =>
    streamOf(
      eachCall(chunks, piece =>
        (piece.function as Chunk).arguments === ''
          ? { ...piece, function: { name: 'add', arguments: '{}' } }
          : piece,
      ),
    ),
  'each call whole once more': chunks =>
    chunks === callChunks
      ? streamOf([
          ...callChunks.slice(0, -2),
          choice(
            { tool_calls: mergedCalls.tool_calls.map((one, index) => ({ index, ...one })) },
            'tool_calls',
          ),
          usage,
        ])
      : streamOf(chunks),
  'the name in each piece': chunks =>
    streamOf(
      eachCall(chunks, piece => ({
        ...piece,
        id: piece.index === 0 ? 'a' : 'b',
        function: { ...(piece.function as Chunk), name: 'add' },
      })),
    ),
  'marks behind the name': chunks =>
    streamOf(
      eachCall(chunks, piece =>
        (piece.function as Chunk).name === undefined
          ? piece
          : { ...piece, function: { ...(piece.function as Chunk), name: 'functions.add<|mark|>json' } },
      ),
    ),
}

for (const [name, chunks] of [
  ['text', textChunks],
  ['calls', callChunks],
] as const) {
  const expected = ask(streamOf(chunks)).then(saidIn)

  for (const [mutation, change] of Object.entries(mutations)) {
    test(`an answer of ${name} is the same with ${mutation}`, async () => {
      const body = change(chunks)
      for (const pieceLength of [body.length, 7, 1]) {
        const type = body.trimStart().startsWith('{') ? 'application/json' : 'text/event-stream'
        for (const contentType of [type, 'text/plain']) {
          const answer = await ask(body, { pieceLength, type: contentType })
          assert.deepEqual(saidIn(answer), await expected, `pieces of ${pieceLength}`)
          const isTold = answer.isEstimate === undefined
          assert.ok(answer.usage.inputTokens > 0 && answer.usage.outputTokens > 0)
          if (isTold) assert.deepEqual([answer.usage.inputTokens, answer.usage.outputTokens], [9, 4])
        }
      }
    })
  }

  test(`an answer of ${name} that is cut at any byte is the same answer, or an honest failure`, async () => {
    const bodies = [
      'as it is',
      'no [DONE]',
      'one value instead of a stream',
      'lines of JSON',
      'text in parts',
    ]
    for (const body of bodies.map(mutation => Buffer.from(mutations[mutation]?.(chunks) ?? ''))) {
      let whole = 0
      for (let cut = 0; cut < body.length; cut++) {
        for (const breaks of [false, true]) {
          const outcome = await ask(body.subarray(0, cut).toString('latin1'), { breaks }).then(
            saidIn,
            (error: unknown) => error,
          )
          if (outcome instanceof ModelError) continue
          whole++
          const same = JSON.parse(JSON.stringify(await expected), (_, value) =>
            typeof value === 'string' ? Buffer.from(value).toString('latin1') : value,
          )
          assert.deepEqual(outcome, same, `cut at ${cut} of ${body.length}`)
        }
      }
      assert.ok(whole < body.length, 'a stream that is cut early fails')
    }
  })
}

test('a connection that stays open, or breaks, behind the end of an answer is not waited for', async () => {
  for (const body of [streamOf(textChunks), events(textChunks), events(textChunks.slice(0, -1))]) {
    const begun = Date.now()
    assert.deepEqual(saidIn(await ask(body, { hangs: true })), [['text', 'Zürich 🦆 is 5 km away.']])
    assert.ok(Date.now() - begun < 5_000)
    assert.deepEqual(saidIn(await ask(body, { breaks: true })), [['text', 'Zürich 🦆 is 5 km away.']])
  }
})

test('an error is an error wherever it is in a reply of status 200, and never a part of an answer', async () => {
  const error = { message: 'The engine stopped', code: 500 }
  for (const last of [
    { error },
    { error: 'The engine stopped' },
    { choices: [{ index: 0, delta: {}, finish_reason: 'stop', error }] },
    { object: 'error', message: 'The engine stopped', code: 500 },
    { type: 'error', message: 'The engine stopped' },
    { detail: 'The engine stopped' },
    { message: 'The engine stopped' },
  ]) {
    const bodies = [streamOf([...textChunks.slice(0, 2), last]), JSON.stringify(last), events([last])]
    for (const body of bodies) {
      await assert.rejects(ask(body), (thrown: Error) => {
        assert.ok(thrown instanceof ModelError)
        assert.match(thrown.message, /The engine stopped/, body)
        return true
      })
    }
  }
})
