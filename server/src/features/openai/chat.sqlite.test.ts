/** Chat completions through HTTP, as OpenAI's clients read them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'

let openAi: OpenAiApp

before(async () => {
  openAi = await startOpenAiApp()
})
after(() => openAi.close())

const lookUp = {
  type: 'function',
  function: {
    name: 'look_up',
    strict: null,
    parameters: {
      $schema: 'http://json-schema.org/draft-07/schema#',
      type: 'object',
      properties: { order: { type: 'integer' } },
      required: ['order'],
    },
  },
}

const runsOf = async (agentId: string) =>
  (await openAi.app.request('GET', `/agents/${agentId}/runs`, { key: openAi.app.testKey })).body.data

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Chunk = any
const contentOf = (chunks: Chunk[]): string =>
  chunks.map(({ choices }) => choices?.[0]?.delta.content ?? '').join('')

test('the models are the agents that the key reaches, then those without an agent, on one page, and each is found by id and by name', async () => {
  const { status, body } = await openAi.ask('GET', '/models?limit=1')
  assert.equal(status, 200)
  assert.deepEqual(
    body.data.map(({ id, object }: { id: string; object: string }) => [id, object]),
    [
      [openAi.sandbox, 'model'],
      ['sandbox', 'model'],
    ],
  )
  for (const name of [openAi.sandbox, 'leave-holidays', encodeURIComponent('Leave & Holidays')]) {
    assert.equal((await openAi.ask('GET', `/models/${name}`)).body.id, openAi.sandbox)
  }
})

test('a chat is a run of the agent that the model names, for the end user that the request names', async () => {
  const { status, body } = await openAi.ask('POST', '/chat/completions', {
    body: {
      model: 'leave-holidays',
      messages: [
        { role: 'system', content: 'Be brief.', name: null },
        { role: 'assistant', content: 'Welcome.' },
        { role: 'developer', content: [{ type: 'text', text: 'Be kind.' }] },
        { role: 'user', content: [{ type: 'text', text: 'sim:output=Hello' }] },
      ],
      metadata: { ticket: '7' },
      user: 'ada',
      store: null,
      n: 1,
      tools: [{ type: 'web_search' }],
      prompt_cache_key: 'x',
    },
    headers: { accept: 'text/event-stream', 'openai-beta': 'assistants=v2', 'x-openwebui-user-id': 'bob' },
  })
  assert.equal(status, 200)
  assert.deepEqual(body.choices, [
    {
      index: 0,
      message: { role: 'assistant', content: 'Hello', refusal: null, annotations: [] },
      logprobs: null,
      finish_reason: 'stop',
    },
  ])
  assert.equal(body.model, openAi.sandbox)
  const [run] = await runsOf(openAi.sandbox)
  assert.equal(run.id.slice(4), body.id.slice('chatcmpl-'.length))
  assert.deepEqual([run.status, run.endUserId, run.metadata], ['succeeded', 'ada', { ticket: '7' }])
  assert.equal(body.usage.total_tokens, run.usage.inputTokens + run.usage.outputTokens)
  const { body: whole } = await openAi.app.request('GET', `/runs/${run.id}`, { key: openAi.app.testKey })
  assert.deepEqual(
    whole.data.messages.map(({ role }: { role: string }) => role),
    ['system', 'system', 'assistant', 'user'],
  )
})

test('a body of a response is a chat too, as some clients send it', async () => {
  const { body } = await openAi.ask('POST', '/chat/completions', {
    body: { model: openAi.sandbox, input: 'sim:output=Hello' },
  })
  assert.equal(body.choices[0].message.content, 'Hello')
})

test('a completion of text is the answer to its prompt, whole and as a stream', async () => {
  const ask = (more: object) => ({ model: openAi.sandbox, prompt: 'sim:output=Hello there', ...more })
  const { status, body } = await openAi.ask('POST', '/completions', {
    body: ask({ best_of: 1, echo: false }),
  })
  assert.equal(status, 200, JSON.stringify(body))
  assert.match(body.id, /^cmpl-/)
  assert.equal(body.object, 'text_completion')
  assert.deepEqual(body.choices, [{ index: 0, text: 'Hello there', logprobs: null, finish_reason: 'stop' }])
  assert.ok(body.usage.total_tokens > 0)
  const { events, isDone } = await openAi.stream(
    '/completions',
    ask({ prompt: ['sim:stream=3'], stream: true, stream_options: { include_usage: true } }),
  )
  assert.equal(events.map(({ choices }) => choices[0]?.text ?? '').join(''), 'word1 word2 word3')
  assert.ok(events.every(({ object, id }) => object === 'text_completion' && id === events[0].id))
  assert.equal(events.at(-2).choices[0].finish_reason, 'stop')
  assert.ok(events.at(-1).usage.total_tokens > 0)
  assert.ok(isDone)
})

test('a completion of text whose answer calls a function of the agent is an error, whole and as a stream', async () => {
  const functions = [{ name: 'look_up', inputSchema: { type: 'object' } }]
  const { id } = await createAgentIn(openAi.app, { name: 'Calls', functions }, openAi.app.testKey)
  const body = { model: id, prompt: 'sim:tool=look_up({})' }
  const whole = await openAi.ask('POST', '/completions', { body })
  assert.deepEqual([whole.status, whole.body.error.code], [409, 'function_called'])
  assert.equal((await runsOf(id))[0].status, 'cancelled')
  const { events } = await openAi.stream('/completions', { ...body, stream: true })
  assert.equal(events.at(-1).error.code, 'function_called')
})

test('a stream begins with the role, tells each word once, and ends with why, with the usage if asked, and with [DONE]', async () => {
  const { events, isDone } = await openAi.streamChat('sim:stream=5', {
    stream_options: { include_usage: true },
  })
  assert.deepEqual(events[0].choices[0].delta, { role: 'assistant', content: '' })
  assert.equal(contentOf(events), 'word1 word2 word3 word4 word5')
  assert.equal(events.at(-2).choices[0].finish_reason, 'stop')
  assert.deepEqual(events.at(-1).choices, [])
  assert.ok(events.at(-1).usage.total_tokens > 0)
  assert.ok(isDone)
  assert.equal(new Set(events.map(({ id }) => id)).size, 1)
  assert.ok(events.every(({ object }) => object === 'chat.completion.chunk'))
  const without = await openAi.streamChat('sim:stream=1')
  assert.ok(without.events.every(({ usage }) => usage === undefined))
})

test('the client carries its functions out, and the chat with their results is a run of its own', async () => {
  const asked = { role: 'user', content: 'sim:tool=look_up({"order": 7})' }
  const first = await openAi.chat(asked.content, { tools: [lookUp] })
  const [{ message, finish_reason: finish }] = first.body.choices
  assert.equal(finish, 'tool_calls')
  assert.equal(message.content, null)
  const [call] = message.tool_calls
  assert.deepEqual(
    [call.type, call.function.name, JSON.parse(call.function.arguments)],
    ['function', 'look_up', { order: 7 }],
  )
  assert.ok(call.id.length <= 40)
  const [waiting] = await runsOf(openAi.sandbox)
  assert.equal(waiting.status, 'waiting')

  const second = await openAi.ask('POST', '/chat/completions', {
    body: {
      model: openAi.sandbox,
      messages: [asked, message, { role: 'tool', tool_call_id: call.id, content: 'shipped' }],
      tools: [lookUp],
    },
  })
  assert.match(second.body.choices[0].message.content, /shipped/)
  assert.notEqual(second.body.id, first.body.id)
  const runs = await runsOf(openAi.sandbox)
  assert.equal(runs.find(({ id }: { id: string }) => id === waiting.id).status, 'cancelled')

  const { events } = await openAi.streamChat(asked.content, { tools: [lookUp] })
  const calls = events.flatMap(({ choices }) => choices[0]?.delta.tool_calls ?? [])
  assert.deepEqual(
    calls.map(one => [one.index, one.type, one.function.name]),
    [[0, 'function', 'look_up']],
  )
  assert.equal(events.at(-1).choices[0].finish_reason, 'tool_calls')
})

test('a client that carries out one call at a time gets the first of several, and goes on with its result', async () => {
  const prompt = 'sim:tool=look_up({"order": 7}) sim:tool=look_up({"order": 8})'
  const both = await openAi.chat(prompt, { tools: [lookUp] })
  assert.equal(both.body.choices[0].message.tool_calls.length, 2)
  const one = await openAi.chat(prompt, { tools: [lookUp], parallel_tool_calls: false })
  const { message } = one.body.choices[0]
  assert.deepEqual(
    message.tool_calls.map((call: { function: { arguments: string } }) =>
      JSON.parse(call.function.arguments),
    ),
    [{ order: 7 }],
  )
  const { body } = await openAi.ask('POST', '/chat/completions', {
    body: {
      model: openAi.sandbox,
      messages: [
        { role: 'user', content: prompt },
        message,
        { role: 'tool', tool_call_id: message.tool_calls[0].id, content: 'shipped' },
      ],
      tools: [lookUp],
      parallel_tool_calls: false,
    },
  })
  assert.match(body.choices[0].message.content, /shipped/)
  const response = await openAi.respond(prompt, {
    tools: [{ type: 'function', ...lookUp.function }],
    parallel_tool_calls: false,
  })
  assert.deepEqual([response.body.parallel_tool_calls, response.body.output.length], [false, 1])
})

test('a client declares what it runs, also where the agent has that function anyway', async () => {
  const { app } = openAi
  const { type: _, function: declared } = lookUp
  const { name, parameters: inputSchema } = declared
  const body = { name: 'Shop', tools: [], functions: [{ name, inputSchema }] }
  const { id: model } = await createAgentIn(app, body, app.testKey)
  const messages = [{ role: 'user', content: 'sim:tool=look_up({"order": 7})' }]
  const wrong = { type: 'function', function: { name: 'no name', parameters: { type: 'object' } } }
  const asked = await openAi.ask('POST', '/chat/completions', { body: { model, messages, tools: [lookUp] } })
  assert.equal(asked.body.choices[0].message.tool_calls[0].function.name, name)
  const faulty = await openAi.ask('POST', '/chat/completions', {
    body: { model, messages, tools: [lookUp, wrong] },
  })
  assert.match(faulty.body.error.param, /^tools\[1\]\.function/)
  // A schema of another language loses its odd parts, and the request is taken.
  const odd = {
    type: 'nothing',
    properties: { a: { type: 'string', pattern: '(?i)x' }, b: { $ref: 'x.json' } },
  }
  const other = { type: 'function', function: { name: 'other', parameters: { ...odd, oneOf: 'none' } } }
  const taken = await openAi.ask('POST', '/chat/completions', {
    body: { model, messages, tools: [lookUp, other] },
  })
  assert.equal(taken.status, 200, JSON.stringify(taken.body))
})

test('what the tools of the agent do is shown to no client', async () => {
  const prompt = 'sim:tool=calculator({"expression": "6*7"}) sim:output=It is 42'
  const { body } = await openAi.chat(prompt)
  assert.deepEqual([body.choices[0].message.content, body.choices[0].finish_reason], ['It is 42', 'stop'])
  const { events } = await openAi.streamChat(prompt)
  assert.ok(!JSON.stringify([body, events]).includes('calculator'))
})

test('a conversation that is handed over as one message of the assistant is answered', async () => {
  const told = { role: 'assistant', content: 'sim:output=Handed' }
  const transfer = { id: 'call_1', type: 'function', function: { name: 'transfer', arguments: '{}' } }
  for (const messages of [
    [{ role: 'system', content: 'Be brief.' }, told],
    [
      told,
      { role: 'assistant', content: null, tool_calls: [transfer] },
      { role: 'tool', tool_call_id: 'call_1', content: '{"assistant":"Billing"}' },
    ],
  ]) {
    const { status, body } = await openAi.ask('POST', '/chat/completions', {
      body: { model: openAi.sandbox, messages },
    })
    assert.deepEqual([status, body.choices?.[0].message.content], [200, 'Handed'], JSON.stringify(body))
  }
})

test('an answer that has to fit a schema is told once it does, without what was corrected', async () => {
  const schema = { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] }
  for (const response_format of [
    { type: 'json_schema', json_schema: { name: 'x', strict: true, schema } },
    { type: 'json_object', schema },
  ]) {
    const whole = await openAi.chat('sim:repair', { response_format })
    assert.ok('city' in JSON.parse(whole.body.choices[0].message.content))
    const { events } = await openAi.streamChat('sim:repair', { response_format })
    assert.deepEqual(Object.keys(JSON.parse(contentOf(events))), ['city'])
  }
})

test('an answer that was cut off says so, as does one that was withheld', async () => {
  for (const [word, finish] of [
    ['output_truncated', 'length'],
    ['content_filtered', 'content_filter'],
  ]) {
    const { status, body } = await openAi.chat(`sim:${word}`)
    assert.deepEqual([status, body.choices?.[0].finish_reason], [200, finish], JSON.stringify(body))
    const { events } = await openAi.streamChat(`sim:${word}`)
    assert.equal(events.at(-1).choices[0].finish_reason, finish)
  }
})

test('a run that fails is an error that says whether to try again, before and within a stream', async () => {
  for (const [word, status, retry] of [
    ['rate_limited', 429, 'true'],
    ['budget_exceeded', 403, 'false'],
    ['context_too_long', 400, 'false'],
  ] as const) {
    const reply = await openAi.chat(`sim:${word}`)
    assert.deepEqual([reply.status, reply.headers.get('x-should-retry')], [status, retry], word)
    assert.match(reply.body.error.message, /\S/)
    const { events, isDone } = await openAi.streamChat(`sim:${word}`)
    assert.deepEqual(events.at(-1).error, reply.body.error)
    assert.ok(!isDone)
  }
})

test('where the model begins its answer again, the stream ends with an error, and no other word follows', async () => {
  const { events, isDone } = await openAi.streamChat('sim:restart sim:stream=3')
  assert.equal(events.at(-1).error.code, 'answer_restarted')
  assert.equal(contentOf(events).includes('word3'), false)
  assert.ok(!isDone)
  const whole = await openAi.chat('sim:restart sim:stream=3')
  assert.equal(whole.body.choices[0].message.content, 'word1 word2 word3')
})

test('each marker of a source is an annotation with the passage, its title and its address', async () => {
  const { app, collectionId } = openAi
  const { id } = await createAgentIn(app, { collectionIds: [collectionId], model: 'extractive' })
  const body = { model: id, messages: [{ role: 'user', content: 'What do geese pay a day?' }] }
  const whole = await openAi.ask('POST', '/chat/completions', { body, key: app.liveKey })
  const { content, annotations } = whole.body.choices[0].message
  assert.equal(content, '"Geese pay two euros a day." [1]')
  const [{ type, url_citation: cited }] = annotations
  assert.equal(type, 'url_citation')
  assert.equal([...content].slice(cited.start_index, cited.end_index).join(''), '[1]')
  assert.notEqual(cited.title, '')
  const { documentId, documentVersion, startOffset, endOffset, quote } = cited.citation
  assert.equal(quote, 'Geese pay two euros a day.')
  const { pathname, search } = new URL(cited.url)
  assert.equal(pathname, `/knowledge/documents/${documentId}`)
  assert.equal(search, `?version=${documentVersion}&from=${startOffset}&to=${endOffset}`)
  const { events } = await openAi.stream('/chat/completions', { ...body, stream: true }, app.liveKey)
  const streamed = events.flatMap(({ choices }) => choices[0]?.delta.annotations ?? [])
  assert.deepEqual(streamed, annotations)
})

test('the address of a passage in the sandbox leads to the sandbox', async () => {
  const { app } = openAi
  const key = app.testKey
  const collectionId = await createCollection(app, key)
  await uploadAndWait(app, { collectionId, name: 'geese.md', content: 'Geese pay two euros a day.', key })
  const { id } = await createAgentIn(app, { collectionIds: [collectionId], model: 'extractive' }, key)
  const body = { model: id, messages: [{ role: 'user', content: 'What do geese pay a day?' }] }
  const { body: completion } = await openAi.ask('POST', '/chat/completions', { body, key })
  const [{ url_citation: cited }] = completion.choices[0].message.annotations
  assert.equal(new URL(cited.url).searchParams.get('environment'), 'test')
})

test('the words before a tool is used are told too, apart from the answer, in a stream as in the whole', async () => {
  const { app, modelServer } = openAi
  modelServer.setScript(({ messages }) =>
    messages.at(-1)?.role === 'tool'
      ? { kind: 'answer', text: 'It is 42.' }
      : {
          kind: 'tool_calls',
          text: 'Let me see.',
          calls: [{ name: 'calculator', arguments: { expression: '6*7' } }],
        },
  )
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: ['calculator'] })
  const body = { model: id, messages: [{ role: 'user', content: 'How much is it?' }] }
  const whole = await openAi.ask('POST', '/chat/completions', { body, key: app.liveKey })
  assert.equal(whole.body.choices[0].message.content, 'Let me see.\n\nIt is 42.')
  const { events } = await openAi.stream('/chat/completions', { ...body, stream: true }, app.liveKey)
  assert.equal(contentOf(events), 'Let me see.\n\nIt is 42.')
})

test('where the model fails in its answer and another one takes over, the stream ends with an error', async () => {
  const { app, modelServer } = openAi
  modelServer.setScript(({ model }) =>
    model === 'other-model'
      ? { kind: 'answer', text: 'Another answer.' }
      : {
          kind: 'stream_error',
          text: 'The first ',
          type: 'insufficient_quota',
          message: 'insufficient_quota',
        },
  )
  const models = { model: 'openai/test-model', fallbackModel: 'openai/other-model' }
  const { id } = await createAgentIn(app, { ...models, tools: [] })
  const body = { model: id, stream: true, messages: [{ role: 'user', content: 'Tell me' }] }
  const { events, isDone } = await openAi.stream('/chat/completions', body, app.liveKey)
  assert.ok(!contentOf(events).includes('Another'), contentOf(events))
  assert.equal(events.at(-1).error?.code, 'answer_restarted')
  assert.ok(!isDone)
})

test('a client that goes away cancels its run, be it read whole or as a stream', async () => {
  const { app, modelServer } = openAi
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  for (const stream of [true, false]) {
    modelServer.setScript(() => ({ kind: 'stalls', text: 'Once' }))
    const client = new AbortController()
    const body = { model: id, stream, messages: [{ role: 'user', content: 'Tell me a long story' }] }
    const before = modelServer.requests.length
    const reply = openAi.send('POST', '/chat/completions', { body, key: app.liveKey, signal: client.signal })
    await eventually('the model is asked', () => modelServer.requests.length > before)
    if (stream) await (await reply).body?.getReader().read()
    client.abort()
    if (!stream) await assert.rejects(reply)
    await eventually('the run is cancelled', async () => {
      const { body: listed } = await app.request('GET', `/agents/${id}/runs`)
      return listed.data[0].status === 'cancelled'
    })
  }
})

test('a server that ends tells the readers of its streams, which do not take what they have for whole', async () => {
  const ending = await startOpenAiApp()
  ending.modelServer.setScript(() => ({ kind: 'stalls', text: 'Once' }))
  const { id } = await createAgentIn(ending.app, { model: 'openai/test-model', tools: [] })
  for (const [path, body] of [
    ['/chat/completions', { messages: [{ role: 'user', content: 'Tell me' }] }],
    ['/responses', { input: 'Tell me' }],
  ] as const) {
    const before = ending.modelServer.requests.length
    const options = { body: { model: id, stream: true, ...body }, key: ending.app.liveKey }
    streams.push(ending.send('POST', path, options).then(reply => reply.text()))
    await eventually('the model is asked', () => ending.modelServer.requests.length > before)
  }
  await ending.close()
  for (const text of await Promise.all(streams)) {
    assert.match(text, /"error":\{"message":"The server is stopping"/)
    assert.doesNotMatch(text, /\[DONE\]/)
  }
})
const streams: Promise<string>[] = []

test('a request that is sent again under its Idempotency-Key follows the same run', async () => {
  for (const stream of [false, true]) {
    const headers = { 'idempotency-key': `again-${stream}` }
    const body = { model: openAi.sandbox, stream, messages: [{ role: 'user', content: 'sim:output=Once' }] }
    const texts = []
    for (let time = 0; time < 2; time++) {
      texts.push(await (await openAi.send('POST', '/chat/completions', { body, headers })).text())
    }
    const ids = texts.map(text => /chatcmpl-\w{26}/.exec(text)?.[0])
    assert.equal(ids[0], ids[1])
    assert.match(texts[1] ?? '', /Once/)
  }
})
