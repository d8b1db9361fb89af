/** What OpenAI's protocol refuses, and how: each refusal has OpenAI's shape and names the parameter. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { newPerson } from '../../testing/authorization/callers.ts'

let openAi: OpenAiApp

before(async () => {
  openAi = await startOpenAiApp()
})
after(() => openAi.close())

const user = (content: unknown) => ({ role: 'user', content })
const call = (id: string) => ({ id, type: 'function', function: { name: 'look_up', arguments: '{}' } })
const tool = (name: string) => ({ type: 'function', function: { name } })
const allowed = (mode: string, tools: object[]) => ({
  type: 'allowed_tools',
  allowed_tools: { mode, tools },
})
const fileSearch = (more: object = {}) => ({
  type: 'file_search',
  vector_store_ids: [openAi.collectionId],
  ...more,
})

test('what would change the answer, or is wrong, is a 400 that names the parameter', async () => {
  const image = { type: 'image_url', image_url: { url: 'https://example.com/cat.png' } }
  const assistant = { role: 'assistant', content: null, tool_calls: [call('call_1')] }
  const cases: [object, string][] = [
    [{ n: 2 }, 'n'],
    [{ logprobs: true }, 'logprobs'],
    [{ top_logprobs: 2 }, 'top_logprobs'],
    [{ logit_bias: { 50256: -100 } }, 'logit_bias'],
    [{ stream: 'yes' }, 'stream'],
    [{ messages: null }, 'messages'],
    [{ messages: [] }, 'messages'],
    [{ messages: [user('')] }, 'messages[0].content'],
    [{ messages: [user('Hi'), { role: 'assistant', content: 'Hello' }] }, 'messages'],
    [{ messages: [user('Hi'), { role: 'robot', content: 'Hello' }] }, 'messages[1].role'],
    [{ messages: [user([image])] }, 'messages[0].content[0].image_url'],
    [{ messages: [user('Hi'), assistant] }, 'messages'],
    [{ messages: [user('Hi'), assistant, user('Well?')] }, 'messages[2]'],
    [
      { messages: [user('Hi'), { role: 'tool', tool_call_id: 'call_9', content: 'x' }] },
      'messages[1].toolCallId',
    ],
    [{ tools: [tool('look_up'), tool('look_up')] }, 'tools[1].function.name'],
    [{ tools: [tool('calculator')] }, 'tools[0].function.name'],
    [{ tools: [tool('a b')] }, 'tools[0].function.name'],
    [{ messages: [user('x'.repeat(100_001))] }, 'messages[0].content'],
    [
      { messages: [user('Hi'), { role: 'assistant', tool_calls: [{ id: 'c', ...tool('a.b') }] }] },
      'messages[1].tool_calls[0].name',
    ],
    [{ tool_choice: { type: 'function', function: { name: 'nope' } } }, 'tool_choice'],
    [{ temperature: 9 }, 'temperature'],
    [{ max_tokens: 0 }, 'max_tokens'],
    [{ max_completion_tokens: 'many' }, 'max_completion_tokens'],
    [
      { response_format: { type: 'json_schema', json_schema: { schema: { type: 'nothing' } } } },
      'response_format',
    ],
    [{ response_format: { type: 'grammar' } }, 'response_format'],
    [{ functions: [{ name: 'old' }] }, 'functions'],
    [{ web_search_options: {} }, 'web_search_options'],
    [{ tool_choice: 'web_search' }, 'tool_choice'],
    [{ tool_choice: { type: 'web_search' } }, 'tool_choice.type'],
    [{ tool_choice: { type: 'custom', name: 'x' } }, 'tool_choice.type'],
    [{ tools: [{ type: 'web_search' }, { type: 'custom' }], tool_choice: 'required' }, 'tool_choice'],
    [{ tool_choice: allowed('required', [{ type: 'web_search' }]) }, 'tool_choice.allowed_tools'],
    [{ tool_choice: allowed('auto', [tool('look_up')]) }, 'tool_choice.allowed_tools.tools[0]'],
    [{ tools: [tool('look_up')], tool_choice: allowed('never', []) }, 'tool_choice.allowed_tools.mode'],
    [{ modalities: ['audio'] }, 'modalities'],
    [{ user: 'x'.repeat(201) }, 'user'],
    [{ metadata: { 'openai.background': 'x' } }, 'metadata.openai.background'],
    [{ model: null }, 'model'],
  ]
  for (const [more, param] of cases) {
    const { status, body } = await openAi.chat('sim:output=Hello', more)
    assert.equal(status, 400, `${JSON.stringify(more)}: ${JSON.stringify(body)}`)
    assert.ok(
      String(body.error.param).startsWith(param),
      `${JSON.stringify(more)}: ${JSON.stringify(body.error)}`,
    )
    assert.equal(body.error.type, 'invalid_request_error')
  }
  for (const [more, param] of [
    [{ input: null }, 'input'],
    [{ include: ['message.output_text.logprobs'] }, 'include'],
    [{ include: 'file_search_call.results' }, 'include'],
    [{ top_logprobs: 2 }, 'top_logprobs'],
    [{ max_tool_calls: 1 }, 'max_tool_calls'],
    [{ input: [{ type: 'spell', text: 'x' }] }, 'input[0].type'],
    [{ input: [{ type: 'item_reference', id: 'msg_1' }] }, 'input[0]'],
    [
      { input: [user('Hi'), { type: 'function_call', call_id: 'c', name: 'f', arguments: '[1]' }] },
      'input[1].arguments',
    ],
    [{ conversation: 'conv_1' }, 'conversation'],
    [{ previous_response_id: 'resp_1' }, 'previous_response_id'],
    [{ text: { format: { type: 'json_schema' } } }, 'text.format'],
    [{ tools: [{ type: 'file_search' }] }, 'tools[0].vector_store_ids'],
    [{ tools: [fileSearch({ vector_store_ids: ['vs_1'] })] }, 'tools[0].vector_store_ids.0'],
    [{ tools: [fileSearch({ max_num_results: 0 })] }, 'tools[0].max_num_results'],
    [
      { tools: [fileSearch({ ranking_options: { score_threshold: 0.5 } })] },
      'tools[0].ranking_options.score_threshold',
    ],
    [{ tools: [fileSearch({ filters: { type: 'like' } })] }, 'tools[0].filters'],
    [{ tools: [fileSearch(), fileSearch()] }, 'tools[1]'],
    [{ tool_choice: { type: 'file_search' } }, 'tool_choice'],
    [
      { tools: [fileSearch()], tool_choice: { type: 'allowed_tools', mode: 'auto', tools: [] } },
      'tool_choice.tools',
    ],
  ] as [object, string][]) {
    const { status, body } = await openAi.respond('sim:output=Hello', more)
    assert.equal(status, 400, JSON.stringify(body))
    assert.ok(String(body.error.param).startsWith(param), JSON.stringify(body.error))
  }
})

test('a model that the key does not reach is the 404 of none: of another workspace, environment or narrowing', async () => {
  const { app } = openAi
  const { workspaceId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId })
  const foreign = await createAgentIn(app, { name: 'Foreign' }, stranger)
  const live = await createAgentIn(app, { name: 'Live' })
  const other = await createAgentIn(app, { name: 'Other' }, app.testKey)
  const narrowed = await app.createKey({ environment: 'test', agentIds: [other.id] })
  for (const [model, key] of [
    [foreign.id, app.testKey],
    ['foreign', app.testKey],
    [live.id, app.testKey],
    ['live', app.testKey],
    [openAi.sandbox, narrowed],
    ['leave-holidays', narrowed],
    ['gpt-5', app.testKey],
  ] as const) {
    for (const [method, path, body] of [
      ['POST', '/chat/completions', { model, messages: [user('x')] }],
      ['POST', '/responses', { model, input: 'x' }],
    ] as const) {
      const reply = await openAi.ask(method, path, { body, key })
      assert.equal(reply.status, 404)
      assert.deepEqual(reply.body.error, {
        message: `There is no model ${model}; GET /v1/models lists them`,
        type: 'invalid_request_error',
        param: 'model',
        code: 'model_not_found',
      })
    }
    assert.equal((await openAi.ask('GET', `/models/${model}`, { key })).body.error.code, 'not_found')
  }
  const listed = await openAi.ask('GET', '/models', { key: narrowed })
  assert.deepEqual(
    listed.body.data.map(({ id }: { id: string }) => id),
    [other.id],
  )
})

test('a key that is narrowed to a filter is answered from the documents that match it alone', async () => {
  const { app, collectionId } = openAi
  const { id: model } = await createAgentIn(app, { model: 'extractive', collectionIds: [collectionId] })
  const filter = { field: 'tenant', op: 'eq', value: 'acme' }
  const permissions = ['agents:read', 'agents:run', 'knowledge:read']
  const made = await app.request('POST', '/api-keys', {
    body: { name: 'Acme', environment: 'live', permissions, filter },
  })
  const body = { model, input: 'What do geese pay a day?' }
  for (const [key, hidden] of [
    [app.liveKey, false],
    [made.body.data.key, true],
  ] as const) {
    const reply = await openAi.ask('POST', '/responses', { body, key })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    assert.equal(JSON.stringify(reply.body.output).includes('two euros'), !hidden)
  }
})

test('a viewer asks the agents that let viewers ask, and no other', async () => {
  const { app, sandbox } = openAi
  const viewer = await (await newPerson(app, 'viewer')).token({ environment: 'test' })
  const { id } = await createAgentIn(app, { name: 'Open', viewersMayRun: true }, app.testKey)
  const ask = (model: string) =>
    openAi.ask('POST', '/responses', { body: { model, input: 'sim:output=Hello' }, key: viewer })
  const [open, closed] = [await ask(id), await ask(sandbox)]
  assert.deepEqual([open.status, closed.status], [200, 403])
})

test('two agents of one name are told apart by their ids only', async () => {
  const twins = [
    await createAgentIn(openAi.app, { name: 'Twin' }, openAi.app.testKey),
    await createAgentIn(openAi.app, { name: 'twin' }, openAi.app.testKey),
  ]
  const { status, body } = await openAi.ask('POST', '/responses', { body: { model: 'twin', input: 'x' } })
  assert.equal(status, 400)
  for (const { id } of twins) assert.match(body.error.message, new RegExp(id))
})

test('every refusal of the gate has the shape too, whatever it refuses', async () => {
  const { app, sandbox } = openAi
  const reader = await app.createKey({ environment: 'test', permissions: ['agents:read'] })
  const viewer = await app.createKey({ environment: 'test', role: 'viewer' })
  const body = { model: sandbox, messages: [user('x')] }
  const post = (options: object) => openAi.ask('POST', '/chat/completions', options)
  const text = { 'content-type': 'text/plain' }
  for (const [expected, reply] of [
    [[401, 'authentication_error', 'unauthenticated'], await post({ body, key: null })],
    [[401, 'authentication_error', 'unauthenticated'], await post({ body, key: 'sk-other' })],
    [[403, 'permission_error', 'permission_missing'], await post({ body, key: reader })],
    [[403, 'permission_error', 'permission_missing'], await post({ body, key: viewer })],
    [[400, 'invalid_request_error', 'malformed_json'], await post({ body: '{"model":' })],
    [[400, 'invalid_request_error', 'validation_failed'], await post({ body: '[]' })],
    [[413, 'invalid_request_error', 'payload_too_large'], await post({ body: ' '.repeat(2_100_000) })],
    [[415, 'invalid_request_error', 'unsupported_media_type'], await post({ body: 'x', headers: text })],
    [[404, 'invalid_request_error', 'not_found'], await openAi.ask('POST', '/moderations', { body })],
    [[405, 'invalid_request_error', 'method_not_allowed'], await openAi.ask('PUT', '/responses', { body })],
    [[401, 'authentication_error', 'unauthenticated'], await openAi.ask('GET', '/nothing', { key: null })],
  ] as const) {
    const { error, code } = reply.body
    assert.deepEqual([reply.status, error.type, error.code], expected, JSON.stringify(reply.body))
    assert.equal(code, error.code)
    assert.match(error.message, /\S/)
    assert.equal(reply.headers.get('x-should-retry'), 'false')
    assert.match(reply.headers.get('x-request-id') ?? '', /^req_/)
    assert.notEqual(reply.headers.get('x-ratelimit-limit'), null)
  }
})

test('each write leaves its row in the audit log', async () => {
  const { app } = openAi
  const { body } = await openAi.respond('sim:output=Hello')
  await openAi.ask('POST', `/responses/${body.id}/cancel`)
  await openAi.ask('DELETE', `/responses/${body.id}`)
  const { body: log } = await app.request('GET', '/audit-log', { key: app.testKey })
  const actions = log.data.map(({ action }: { action: string }) => action)
  for (const action of ['run.create', 'run.cancel', 'conversation.delete']) {
    assert.ok(actions.includes(action), action)
  }
})

test('a completion of text refuses what it cannot have, by its name', async () => {
  for (const [more, param] of [
    [{ prompt: null }, 'prompt'],
    [{ prompt: ['One', 'Two'] }, 'prompt'],
    [{ prompt: [1, 2, 3] }, 'prompt'],
    [{ n: 2 }, 'n'],
    [{ best_of: 3 }, 'best_of'],
    [{ echo: true }, 'echo'],
    [{ logprobs: 5 }, 'logprobs'],
    [{ suffix: 'the end' }, 'suffix'],
    [{ tools: [tool('look_up')] }, 'tools'],
    [{ max_tokens: 0 }, 'max_tokens'],
  ] as [object, string][]) {
    const { status, body } = await openAi.ask('POST', '/completions', {
      body: { model: openAi.sandbox, prompt: 'sim:output=Hello', ...more },
    })
    assert.deepEqual([status, body.error.param], [400, param], JSON.stringify(body))
  }
})

test('an endpoint that is not there is a 404 that names those that are', async () => {
  const { status, body } = await openAi.ask('POST', '/moderations', { body: { input: 'x' } })
  assert.equal(status, 404)
  assert.match(
    body.error.message,
    /POST \/v1\/moderations; .*models, chat\/completions, completions, responses/,
  )
  assert.match(body.error.message, /embeddings.*files.*vector_stores/)
})

test('a limit that passes says when to come again, in milliseconds too', async () => {
  // So many an address has without a key; the test is the last one, since a new key would wait as well.
  for (let request = 0; request <= 60; request++) {
    const { status, headers, body } = await openAi.ask('GET', '/models', { key: null })
    if (status !== 429) continue
    assert.equal(body.error.type, 'rate_limit_error')
    assert.equal(headers.get('x-should-retry'), 'true')
    assert.equal(headers.get('retry-after-ms'), String(Number(headers.get('retry-after')) * 1_000))
    return
  }
  assert.fail('no limit was reached')
})
