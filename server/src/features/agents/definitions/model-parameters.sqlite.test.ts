/** How the model of an agent writes: parameters of the agent and of a single run, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { fieldsOf, type ProviderSetting, startProviderApp } from '../../../testing/apps/provider-app.ts'

let setting: ProviderSetting
let gpu: string
let claude: string

before(async () => {
  setting = await startProviderApp()
  gpu = `${(await setting.createProvider()).name}/any`
  const { anthropic } = setting
  claude = `${(await setting.createProvider({ kind: 'anthropic', baseUrl: anthropic.baseUrl })).name}/claude-sonnet-4-6`
})
after(() => setting.close())

const all = { temperature: 0.2, topP: 0.9, reasoningEffort: 'low', stop: ['END'], seed: 7 }
const usual = { temperature: null, topP: null, reasoningEffort: null, stop: [], seed: null }

const runIt = (agentId: string, body: Record<string, unknown> = {}) =>
  setting.app.request('POST', `/agents/${agentId}/run`, { body: { prompt: 'Hello', ...body } })

/** What the last call of the model server was told. */
function told() {
  const { temperature, top_p, reasoning_effort, stop, seed } = setting.server.requests.at(-1)?.body ?? {}
  return { temperature, top_p, reasoning_effort, stop, seed }
}

test('the parameters of an agent reach its model, and the run shows them', async () => {
  const { app } = setting
  const { id } = await createAgentIn(app, { model: gpu, tools: [], modelParameters: all })
  const run = await runIt(id)
  assert.equal(run.body.data.status, 'succeeded', JSON.stringify(run.body))
  assert.deepEqual(told(), { temperature: 0.2, top_p: 0.9, reasoning_effort: 'low', stop: ['END'], seed: 7 })
  assert.deepEqual(run.body.data.modelParameters, all)
  const agent = await app.request('GET', `/agents/${id}`)
  assert.deepEqual(agent.body.data.modelParameters, { ...all, lenient: false })
})

test('a run sets single parameters, and takes one of the agent away with null', async () => {
  const { id } = await createAgentIn(setting.app, { model: gpu, tools: [], modelParameters: all })
  const run = await runIt(id, { modelParameters: { temperature: 1, seed: null, stop: [] } })
  assert.deepEqual(run.body.data.modelParameters, { ...all, temperature: 1, seed: null, stop: [] })
  assert.deepEqual(told(), {
    temperature: 1,
    top_p: 0.9,
    reasoning_effort: 'low',
    stop: undefined,
    seed: undefined,
  })
})

test('a change replaces all parameters, a revision keeps its own, and a rerun has those of its revision and request', async () => {
  const { app } = setting
  const { id } = await createAgentIn(app, { model: gpu, tools: [], modelParameters: all })
  const first = (await runIt(id)).body.data
  await app.request('PATCH', `/agents/${id}`, { body: { modelParameters: { seed: 9 } } })
  assert.deepEqual((await runIt(id)).body.data.modelParameters, { ...usual, seed: 9 })
  assert.deepEqual((await runIt(id, { revision: 1 })).body.data.modelParameters, all)
  const rerun = async (id: string, body: object) =>
    (await app.request('POST', `/runs/${id}/rerun`, { body })).body.data.modelParameters
  assert.deepEqual(await rerun(first.id, { revision: 'same' }), all)
  assert.deepEqual(await rerun(first.id, { revision: 'latest' }), { ...usual, seed: 9 })
  const warm = (await runIt(id, { revision: 1, modelParameters: { temperature: 1 } })).body.data
  assert.deepEqual(await rerun(warm.id, { revision: 'latest' }), { ...usual, temperature: 1, seed: 9 })
})

test('what the model does not take is a 400 that names each parameter, of the agent and of the run', async () => {
  const { app } = setting
  const wanted = { seed: 7, temperature: 1.5, reasoningEffort: 'minimal' }
  const fields = ['modelParameters.reasoningEffort', 'modelParameters.seed', 'modelParameters.temperature']
  const refused = await app.request('POST', '/agents', {
    body: { name: 'Claude', model: claude, tools: [], modelParameters: wanted },
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(fieldsOf(refused).sort(), fields)
  assert.match(refused.body.errors[0].message, /is not taken by .*claude-sonnet-4-6: .*lenient/)

  const { id } = await createAgentIn(app, { model: gpu, tools: [], modelParameters: { seed: 7 } })
  const moved = await app.request('PATCH', `/agents/${id}`, { body: { model: claude } })
  assert.deepEqual([moved.status, fieldsOf(moved)], [400, ['modelParameters.seed']])

  const plain = await createAgentIn(app, { model: claude, tools: [] })
  const run = await runIt(plain.id, { modelParameters: wanted })
  assert.deepEqual([run.status, fieldsOf(run).sort()], [400, fields])
})

test('a lenient agent leaves out what its model does not take, and the run shows what was used', async () => {
  const { app, anthropic } = setting
  const modelParameters = { seed: 7, temperature: 0.5, lenient: true }
  const { id } = await createAgentIn(app, { model: claude, tools: [], modelParameters })
  const run = await runIt(id)
  assert.equal(run.body.data.status, 'succeeded', JSON.stringify(run.body))
  assert.deepEqual(run.body.data.modelParameters, { ...usual, temperature: 0.5 })
  assert.equal(anthropic.requests.at(-1)?.body.temperature, 0.5)
})

test('a rerun on another model and a fallback leave out what that model does not take', async () => {
  const { app, server, anthropic } = setting
  const { id } = await createAgentIn(app, {
    model: gpu,
    fallbackModel: claude,
    tools: [],
    modelParameters: all,
  })
  const first = (await runIt(id)).body.data
  const again = await app.request('POST', `/runs/${first.id}/rerun`, { body: { model: claude } })
  assert.equal(again.body.data.status, 'succeeded', JSON.stringify(again.body))
  assert.equal(again.body.data.modelParameters.seed, null)

  server.setScript(() => ({ kind: 'status', status: 401 }))
  const run = await runIt(id)
  server.setScript(() => ({ kind: 'answer', text: 'Hello.' }))
  assert.deepEqual(
    [run.body.data.status, run.body.data.model],
    ['succeeded', claude],
    JSON.stringify(run.body),
  )
  assert.deepEqual(anthropic.requests.at(-1)?.body.output_config, { effort: 'low' })
})

test('a test key may try every parameter, since the sandbox passes them over', async () => {
  const { app } = setting
  const { id } = await createAgentIn(app, { tools: [], modelParameters: all }, app.testKey)
  const run = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, key: app.testKey })
  assert.deepEqual([run.body.data.status, run.body.data.modelParameters], ['succeeded', all])
})

test('values beyond the limits are refused, all at once', async () => {
  const modelParameters = {
    temperature: 2.1,
    topP: 0,
    reasoningEffort: 'huge',
    stop: ['a', 'b', 'c', 'd', 'e'],
    seed: -1,
  }
  const reply = await setting.app.request('POST', '/agents', { body: { name: 'No', modelParameters } })
  assert.equal(reply.status, 400)
  assert.deepEqual(
    fieldsOf(reply).sort(),
    ['reasoningEffort', 'seed', 'stop', 'temperature', 'topP'].map(name => `modelParameters.${name}`),
  )
})

test('instructions and tools are marked for the cache of Anthropic', async () => {
  const { app, anthropic } = setting
  const { id } = await createAgentIn(app, { model: claude, instructions: 'Be kind.', tools: [] })
  await runIt(id)
  const [system] = anthropic.requests.at(-1)?.body.system ?? []
  assert.deepEqual(system, { type: 'text', text: 'Be kind.', cache_control: { type: 'ephemeral' } })
})
