/** Models that a request names in place of an agent, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { newPerson } from '../../testing/authorization/callers.ts'
import type { TestKey } from '../../testing/test-app.ts'

let openAi: OpenAiApp

before(async () => {
  openAi = await startOpenAiApp()
})
after(() => openAi.close())

const agentName = 'Models without an agent'
const model = 'openai/test-model'

const ask = (name: string, more: object = {}, key: TestKey | string = openAi.app.liveKey) =>
  openAi.ask('POST', '/chat/completions', {
    body: { model: name, messages: [{ role: 'user', content: 'Hello' }], ...more },
    key,
  })

const modelsOf = async (key: TestKey): Promise<{ id: string; name: string; owned_by: string }[]> =>
  (await openAi.ask('GET', '/models', { key })).body.data

async function agentOfModels(key: TestKey = openAi.app.liveKey): Promise<{ id: string }[]> {
  const { body } = await openAi.app.request('GET', '/agents', { key, query: { pageSize: '100' } })
  return body.data.filter(({ name }: { name: string }) => name === agentName)
}

test('a model is listed behind the agents, and a request that names it is a run of one agent of all models', async () => {
  const { app, modelServer } = openAi
  const before = await modelsOf(app.liveKey)
  assert.ok(before.some(({ id, owned_by: by }) => id === 'extractive' && by === 'atrium'))
  for (const path of [
    '/models/openai%2Ftest-model',
    '/models/openai/test-model',
    '/models/openai/test-model?x=1/2',
  ]) {
    assert.equal((await openAi.ask('GET', path, { key: app.liveKey })).body.id, model, path)
  }
  const none = await openAi.ask('GET', '/models/nowhere/none/such', { key: app.liveKey })
  assert.deepEqual([none.status, none.body.error.code], [404, 'not_found'])
  const viewer = await (await newPerson(app, 'viewer')).token()
  assert.equal((await ask(model, {}, viewer)).status, 403)
  assert.deepEqual(await agentOfModels(), [], 'neither a list nor a refused request makes the agent')

  const replies = await Promise.all([ask(model), ask(model), ask('openai/other')])
  for (const { status, body } of replies) assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    replies.map(({ body }) => body.model),
    [model, model, 'openai/other'],
  )
  assert.deepEqual(modelServer.requests.map(({ body }) => body.model).sort(), [
    'other',
    'test-model',
    'test-model',
  ])
  const agents = await agentOfModels()
  assert.equal(agents.length, 1, 'requests at once make one agent')
  const id = agents[0]?.id ?? ''
  const { body: runs } = await app.request('GET', `/agents/${id}/runs`)
  assert.deepEqual(runs.data.map((run: { model: string }) => run.model).sort(), [
    'openai/other',
    model,
    model,
  ])

  const response = await openAi.ask('POST', '/responses', {
    body: { model, input: 'Hello', temperature: 0.2 },
    key: app.liveKey,
  })
  assert.deepEqual([response.body.status, response.body.model], ['completed', model])
  assert.equal(modelServer.requests.at(-1)?.body.temperature, 0.2)
  const runId = response.body.id.replace('resp', 'run')
  const { body: again } = await app.request('POST', `/runs/${runId}/rerun`, { body: {} })
  assert.equal(again.data.model, model, 'a run again has the model that was named')
})

test('a model without an agent reads what the request says, and nothing else', async () => {
  const { modelServer } = openAi
  const schema = { type: 'object', properties: { days: { type: 'integer' } } }
  const calculator = {
    name: 'calculator',
    description: 'Adds.',
    parameters: { type: 'object', properties: {} },
  }
  modelServer.setScript(() => ({ kind: 'answer', text: '{"days": 27}' }))
  const messages = [
    { role: 'system', content: 'Be brief.' },
    { role: 'user', content: 'How many days?' },
    {
      role: 'assistant',
      content: null,
      tool_calls: [{ id: 'call_1', type: 'function', function: { name: 'calculator', arguments: '{}' } }],
    },
    { role: 'tool', tool_call_id: 'call_1', content: '20 and 7 is 27' },
  ]
  const shape = { type: 'json_schema', json_schema: { name: 'answer', schema } }
  for (const stream of [false, true]) {
    const tools = [{ type: 'function', function: calculator }]
    await openAi.send('POST', '/chat/completions', {
      body: { model, messages, tools, response_format: shape, stream },
      key: openAi.app.liveKey,
    })
    const { body } = modelServer.requests.at(-1) ?? assert.fail('the model was not asked')
    assert.deepEqual(body.messages, messages)
    assert.deepEqual(body.tools, tools)
    assert.deepEqual(body.response_format?.json_schema?.schema, schema)
    assert.equal(body.tool_choice, undefined)
  }
  for (const [path, body] of [
    [
      '/chat/completions',
      { messages: [{ role: 'user', content: 'Hello' }], tools: [{ type: 'web_search' }] },
    ],
    ['/responses', { input: 'Hello', tools: [{ type: 'web_search' }, { type: 'custom', name: 'patch' }] }],
    ['/completions', { prompt: 'Hello' }],
  ] as const) {
    const { status } = await openAi.ask('POST', path, { body: { model, ...body }, key: openAi.app.liveKey })
    assert.equal(status, 200, path)
    const asked = modelServer.requests.at(-1)?.body
    assert.deepEqual(asked?.messages, [{ role: 'user', content: 'Hello' }], path)
    assert.equal(asked?.tools, undefined, path)
  }
})

test('a model without an agent searches the stores of file_search, and no others', async () => {
  const { app, collectionId } = openAi
  const { body: empty } = await app.request('POST', '/knowledge/collections', { body: { name: 'Empty' } })
  const respond = (ids: string[], more: object = {}) =>
    openAi.ask('POST', '/responses', {
      body: {
        model: 'extractive',
        input: 'May ducks enter?',
        tools: [{ type: 'file_search', vector_store_ids: ids, ...more }, { type: 'web_search' }],
        tool_choice: { type: 'file_search' },
      },
      key: app.liveKey,
    })
  const found = await respond([collectionId])
  assert.equal(found.status, 200, JSON.stringify(found.body))
  assert.deepEqual(found.body.tools, [{ type: 'file_search', vector_store_ids: [collectionId] }])
  assert.deepEqual(found.body.tool_choice, { type: 'file_search' })
  assert.match(found.body.output.at(-1).content[0].text, /[Dd]ucks/)
  assert.equal(found.body.output.at(-1).content[0].annotations[0].type, 'file_citation')
  const nothing = await respond([empty.data.id])
  assert.equal(nothing.body.output.at(-1).content[0].text, 'The documents do not answer this question.')
  const filtered = await respond([collectionId], { filters: { type: 'eq', key: 'tenant', value: 'none' } })
  assert.equal(filtered.body.output.at(-1).content[0].text, 'The documents do not answer this question.')
  const foreign = await app.createKey({ workspaceId: (await app.createWorkspace()).workspaceId })
  const { body: theirs } = await app.request('POST', '/knowledge/collections', {
    body: { name: 'Theirs' },
    key: foreign,
  })
  for (const id of [theirs.data.id, 'col_01kaj0000000000000000000aa']) {
    const { status, body } = await respond([collectionId, id])
    assert.deepEqual([status, body.error.param], [400, 'tools[0].vector_store_ids.1'])
  }
})

test('an agent searches a store of file_search only with its search, within its collections', async () => {
  const { app, collectionId } = openAi
  const { body: other } = await app.request('POST', '/knowledge/collections', { body: { name: 'Other' } })
  const respond = async (agent: object, id: string) => {
    const made = await createAgentIn(app, { name: 'Searcher', model: 'extractive', ...agent })
    const reply = await openAi.ask('POST', '/responses', {
      body: { model: made.id, input: 'Ducks?', tools: [{ type: 'file_search', vector_store_ids: [id] }] },
      key: app.liveKey,
    })
    return [reply.status, reply.body.error?.param ?? null]
  }
  assert.deepEqual(await respond({}, collectionId), [200, null])
  assert.deepEqual(await respond({ collectionIds: [collectionId] }, collectionId), [200, null])
  assert.deepEqual(await respond({ collectionIds: [collectionId] }, other.data.id), [
    400,
    'tools[0].vector_store_ids.0',
  ])
  assert.deepEqual(await respond({ tools: [] }, collectionId), [400, 'tools[0].vector_store_ids'])
})

test('tokens of the cache and of reasoning are passed on', async () => {
  const { app, modelServer } = openAi
  const usage = {
    prompt_tokens: 1_200,
    completion_tokens: 90,
    prompt_tokens_details: { cached_tokens: 1_024 },
    completion_tokens_details: { reasoning_tokens: 64 },
  }
  const chunk = (fields: object) => `data: ${JSON.stringify({ id: 'x', choices: [], ...fields })}\n\n`
  modelServer.setScript(() => ({
    kind: 'raw_stream',
    text: `${chunk({ choices: [{ index: 0, delta: { content: 'Hi' }, finish_reason: 'stop' }] })}${chunk({ usage })}data: [DONE]\n\n`,
  }))
  const chat = (await ask(model)).body.usage
  const { body } = await openAi.ask('POST', '/responses', { body: { model, input: 'Hi' }, key: app.liveKey })
  modelServer.setScript(() => ({ kind: 'answer', text: 'Hello' }))
  assert.deepEqual(
    [chat.prompt_tokens_details, chat.completion_tokens_details],
    [{ cached_tokens: 1_024 }, { reasoning_tokens: 64 }],
  )
  assert.deepEqual(
    [body.usage.input_tokens_details, body.usage.output_tokens_details],
    [{ cached_tokens: 1_024 }, { reasoning_tokens: 64 }],
  )
})

test("an agent's name hides the model of that name", async () => {
  const { app } = openAi
  const agent = await createAgentIn(app, { name: 'extractive', model })
  const listed = (await modelsOf(app.liveKey)).filter(({ name }) => name === 'extractive')
  assert.deepEqual(
    listed.map(({ id }) => id),
    [agent.id],
  )
  assert.equal((await ask('extractive')).body.model, agent.id)
  await app.request('DELETE', `/agents/${agent.id}`)
  assert.equal((await ask('extractive')).body.model, 'extractive')
})

test('a test key runs the sandbox under the name of any model, for an agent of its own environment', async () => {
  const { app } = openAi
  const { body } = await ask(
    'openai/gpt-5.4',
    { messages: [{ role: 'user', content: 'sim:output=Hi' }] },
    app.testKey,
  )
  assert.deepEqual([body.choices[0].message.content, body.model], ['Hi', 'openai/gpt-5.4'])
  assert.equal((await agentOfModels(app.testKey)).length, 1)
})

test('what is no model, or one that is not configured, is a 404 for the model', async () => {
  for (const name of [
    'gpt-4o',
    'anthropic/claude-opus-4-6',
    'nowhere/model',
    'agt_01kaj0000000000000000000aa',
  ]) {
    const { status, body } = await ask(name)
    assert.deepEqual([status, body.error.code, body.error.param], [404, 'model_not_found', 'model'], name)
  }
})

test('who does not reach the agent of models has no models: a narrowed key, a team it is kept from, and while it is paused', async () => {
  const { app } = openAi
  await ask(model)
  const [{ id } = { id: '' }] = await agentOfModels()
  const other = await createAgentIn(app, { name: 'Another', model })
  const narrowed = await app.createKey({ agentIds: [other.id] })
  assert.deepEqual(
    (await modelsOf(narrowed)).map(one => one.id),
    [other.id],
  )
  assert.equal((await ask(model, {}, narrowed)).status, 404)
  assert.equal((await openAi.ask('GET', '/models/extractive', { key: narrowed })).status, 404)
  assert.equal((await ask(model, {}, await app.createKey({ agentIds: [id] }))).status, 200)

  const member = await app.createKey({ role: 'member' })
  const change = (body: object) => app.request('PATCH', `/agents/${id}`, { body })
  assert.equal((await ask(model, {}, member)).status, 200)
  const team = await app.request('POST', '/workspace/teams', { body: { name: 'Few' } })
  assert.equal((await change({ access: 'teams', teamIds: [team.body.data.id] })).status, 200)
  assert.equal((await ask(model, {}, member)).status, 404)
  assert.ok((await modelsOf(member)).every(({ id: name }) => name !== 'extractive'))
  assert.equal((await agentOfModels()).length, 1, 'no other one is made for those who are left out')
  assert.equal((await change({ access: 'workspace' })).status, 200)

  await change({ status: 'paused' })
  assert.equal((await ask(model)).body.error.code, 'agent_paused')
  await app.request('DELETE', `/agents/${id}`)
  assert.equal((await ask(model)).status, 200)
  const [made] = await agentOfModels()
  assert.ok(made !== undefined && made.id !== id, 'a deleted one is made again')
})
