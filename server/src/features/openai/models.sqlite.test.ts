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
  assert.equal((await openAi.ask('GET', '/models/openai%2Ftest-model', { key: app.liveKey })).body.id, model)
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
