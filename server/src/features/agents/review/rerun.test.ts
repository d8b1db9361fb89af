/** Runs that are run again, and two runs compared, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import { calls, says, startToolApp } from '../../../testing/apps/tool-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import type { ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let collectionId: string
let close: () => Promise<void>

before(async () => {
  ;({ app, modelServer, collectionId, close } = await startAgentApp())
})
after(() => close())

const run = async (agentId: string, body: Record<string, unknown>) => {
  const reply = await app.request('POST', `/agents/${agentId}/run`, { body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const rerun = async (runId: string, body: Record<string, unknown> = {}) => {
  const reply = await app.request('POST', `/runs/${runId}/rerun`, { body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const changedInputs = async (one: { id: string }, other: { id: string }, { request } = app) =>
  (await request('GET', `/runs/${one.id}/comparison`, { query: { with: other.id } })).body.data.inputs

const patch = (id: string, body: Record<string, unknown>) => app.request('PATCH', `/agents/${id}`, { body })

/** What the model was told, as role and text. */
const told = () =>
  (modelServer.requests.at(-1)?.body.messages ?? []).map(({ role, content }) => `${role}: ${textOf(content)}`)

const textOf = (content: unknown): string =>
  typeof content === 'string' ? content : (content as { text: string }[]).map(({ text }) => text).join('')

test('a run works with the published revision, and a draft runs where it is named', async () => {
  modelServer.setScript(() => ({ kind: 'answer', text: 'Yes.' }))
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: [], instructions: 'One.' })
  await patch(id, { instructions: 'Two.', publish: false })
  const usual = await run(id, { prompt: 'Hello' })
  assert.deepEqual([usual.agentRevision, told()[0]], [1, 'system: One.'])
  const draft = await run(id, { prompt: 'Hello', revision: 2 })
  assert.deepEqual([draft.agentRevision, told()[0]], [2, 'system: Two.'])
  const none = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello', revision: 3 } })
  assert.deepEqual([none.status, none.body.errors[0].field], [400, 'revision'])
})

test('a draft, an earlier revision and a chosen model need agents:write besides agents:run', async () => {
  modelServer.setScript(() => ({ kind: 'answer', text: 'Yes.' }))
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const key = await app.createKey({ role: 'owner', permissions: ['agents:run', 'agents:read'] })
  const first = await app.request('POST', `/agents/${id}/run`, {
    key,
    body: { prompt: 'Hello', revision: 1 },
  })
  assert.equal(first.status, 200)
  await patch(id, { instructions: 'Two.' })
  const runId = first.body.data.id
  const refused = [
    app.request('POST', `/agents/${id}/run`, { key, body: { prompt: 'Hello', revision: 1 } }),
    app.request('POST', `/runs/${runId}/rerun`, { key, body: { revision: 'same' } }),
    app.request('POST', `/runs/${runId}/rerun`, { key, body: { model: 'openai/other-model' } }),
  ]
  for (const reply of await Promise.all(refused)) {
    assert.equal(reply.status, 403)
    assert.match(reply.body.message, /agents:write/)
  }
  const again = await app.request('POST', `/runs/${runId}/rerun`, { key, body: {} })
  assert.deepEqual([again.status, again.body.data.agentRevision], [200, 2])
})

test('a rerun asks the same again, on the revision and the model that are wanted', async () => {
  modelServer.setScript(() => ({ kind: 'answer', text: 'Yes.' }))
  const { id } = await createAgentIn(app, {
    model: 'openai/test-model',
    tools: [],
    instructions: 'One.',
    fallbackModel: 'extractive',
  })
  const first = await run(id, {
    prompt: 'Hello',
    endUserId: 'ada',
    metadata: { ticket: 7 },
    limits: { maxSteps: 3, timeoutSeconds: 30 },
  })
  await patch(id, { instructions: 'Two.' })
  await patch(id, { instructions: 'Three.', publish: false })
  const published = await rerun(first.id)
  assert.equal(published.rerunOf, first.id)
  assert.deepEqual(
    [published.prompt, published.endUserId, published.metadata],
    ['Hello', 'ada', { ticket: 7 }],
  )
  assert.notEqual(published.conversationId, first.conversationId)
  const wanted = ['same', 'latest', 1] as const
  const revisions = []
  for (const revision of wanted) revisions.push((await rerun(first.id, { revision })).agentRevision)
  assert.deepEqual([published.agentRevision, ...revisions], [2, 1, 3, 1])

  const other = await rerun(first.id, { model: 'openai/other-model' })
  assert.equal(other.model, 'openai/other-model')
  assert.equal(modelServer.requests.at(-1)?.body.model, 'other-model')
  modelServer.setScript(() => ({ kind: 'status', status: 401 }))
  const failed = await rerun(first.id, { model: 'openai/other-model' })
  assert.deepEqual([failed.status, failed.error.code], ['failed', 'model_unauthorized'])

  for (const body of [{ revision: 9 }, { revision: 'newest' }, { revision: 0 }, { model: 'mistral/large' }]) {
    const reply = await app.request('POST', `/runs/${first.id}/rerun`, { body })
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, Object.keys(body)[0]])
  }
})

test("a rerun keeps its original's limits, within the limits that the agent has by then", async () => {
  const { id } = await createAgentIn(app, { model: 'extractive', tools: [] })
  const wanted = { maxSteps: 9, timeoutSeconds: 30, maxCostUsd: 2 }
  const first = await run(id, { prompt: 'Hello', limits: wanted })
  await patch(id, { limits: { maxSteps: 5, timeoutSeconds: 60, maxCostUsd: 1, maxOutputTokens: 500 } })
  const again = await rerun(first.id)
  assert.deepEqual(await changedInputs(first, again), [
    {
      field: 'limits',
      before: wanted,
      after: { maxSteps: 5, timeoutSeconds: 30, maxCostUsd: 1, maxOutputTokens: 500 },
    },
  ])
  assert.deepEqual(await changedInputs(first, await rerun(first.id, { revision: 'same' })), [])
})

test('a rerun of a run within a run has the same time, to the millisecond', async t => {
  const clock = { now: Date.now() }
  const tools = await startToolApp({}, () => clock.now)
  t.after(() => tools.close())
  const called = await tools.createAgent({ tools: [] })
  const caller = { tools: ['call_agent'], agentIds: [called], limits: { timeoutSeconds: 129 } }
  const answers = [calls(['call_agent', { agentId: called, prompt: 'Hello' }]), says('Yes.')]
  tools.modelServer.setScript((_, index) => {
    // As a number of seconds the time that is left, 128,128 ms, is not exact.
    if (index === 0) clock.now += 872
    return answers[index] ?? says('Yes.')
  })
  const path = `/agents/${await tools.createAgent(caller)}/run`
  const whole = await tools.app.request('POST', path, { body: { prompt: 'Go!' } })
  const part = { id: whole.body.data.steps[1].output.content.runId }
  const again = await tools.app.request('POST', `/runs/${part.id}/rerun`, { body: {} })
  assert.equal(again.status, 200, JSON.stringify(again.body))
  assert.deepEqual(await changedInputs(part, again.body.data, tools.app), [])
})

test('a rerun on a model without a known price is refused for the price, and for no field of the request', async () => {
  const { id } = await createAgentIn(app, { model: 'extractive', tools: [], limits: { maxCostUsd: 1 } })
  const first = await run(id, { prompt: 'Hello' })
  const reply = await app.request('POST', `/runs/${first.id}/rerun`, { body: { model: 'openai/test-model' } })
  assert.deepEqual([reply.status, reply.body.code], [409, 'price_unknown'])
})

test('a rerun remembers what its original remembered, and nothing that came later', async () => {
  modelServer.setScript((_, index) => ({ kind: 'answer', text: `Answer ${index}.` }))
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const first = await run(id, { prompt: 'First?' })
  const { conversationId } = first
  const second = await run(id, { prompt: 'Second?', conversationId })
  const toldThen = told()
  assert.deepEqual(toldThen, ['user: First?', `assistant: ${first.output}`, 'user: Second?'])
  await run(id, { prompt: 'Third?', conversationId })
  const again = await rerun(second.id)
  assert.deepEqual(told(), toldThen)
  const on = await run(id, { prompt: 'And then?', conversationId: again.conversationId })
  assert.equal(on.conversationId, again.conversationId)
  assert.deepEqual(told(), [...toldThen, `assistant: ${again.output}`, 'user: And then?'])
  await rerun(first.id)
  assert.deepEqual(told(), ['user: First?'])
  const { data } = (await app.request('GET', `/agents/${id}/runs`, { query: { conversationId } })).body
  assert.equal(data.length, 3)
})

test('a rerun is left to the background, streamed, and repeated by its Idempotency-Key, as a run is', async () => {
  modelServer.setScript(() => ({ kind: 'answer', text: 'Yes.' }))
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const first = await run(id, { prompt: 'Hello' })
  const headers = { prefer: 'respond-async', 'idempotency-key': `again-${id}` }
  const send = () => app.request('POST', `/runs/${first.id}/rerun`, { body: {}, headers })
  const { promise: until, resolve: answer } = Promise.withResolvers<void>()
  modelServer.setScript(() => ({ kind: 'held', until, behaviour: { kind: 'answer', text: 'Yes.' } }))
  const begun = await send()
  assert.equal(begun.status, 202)
  assert.equal(begun.headers.location, `/api/v1/runs/${begun.body.data.id}`)
  assert.equal((await send()).body.data.id, begun.body.data.id)
  answer()
  const ended = await app.request('GET', `/runs/${begun.body.data.id}`, { headers: { prefer: 'wait=60' } })
  assert.deepEqual([ended.body.data.status, ended.body.data.rerunOf], ['succeeded', first.id])
  const address = `${await app.listen()}/api/v1/runs/${first.id}/rerun`
  const events = await (await openStream(address, app.liveKey, { body: {} })).rest()
  const ends = events.filter(({ event }) => event === 'run.succeeded')
  assert.deepEqual(
    ends.map(({ data }) => (data as unknown as { run: { rerunOf: string } }).run.rerunOf),
    [first.id],
  )
})

test('a run whose agent is gone cannot be run again, and says so', async () => {
  const { id } = await createAgentIn(app, { model: 'extractive', tools: [] })
  const first = await run(id, { prompt: 'Hello' })
  assert.equal((await app.request('DELETE', `/agents/${id}`)).status, 204)
  const reply = await app.request('POST', `/runs/${first.id}/rerun`, { body: {} })
  assert.deepEqual([reply.status, reply.body.code], [409, 'agent_deleted'])
})

test('two runs are compared: who answered, what differs, what came of it and what it took', async () => {
  const { id } = await createAgentIn(app, { collectionIds: [collectionId], instructions: 'One.' })
  const first = await run(id, { prompt: 'What do geese pay a day?' })
  const other = await run(id, { prompt: 'May ducks enter freely?', endUserId: 'ada' })
  await patch(id, { instructions: 'Two.' })
  const again = await rerun(first.id)
  const compare = (query: Record<string, string>, runId = first.id) =>
    app.request('GET', `/runs/${runId}/comparison`, { query })

  const same = (await compare({ with: again.id })).body.data
  assert.deepEqual([same.run.id, same.other.id, same.other.rerunOf], [first.id, again.id, first.id])
  assert.deepEqual(same.inputs, [])
  assert.deepEqual(same.agent, [{ field: 'instructions', before: 'One.', after: 'Two.' }])
  assert.deepEqual([same.isSameOutput, same.citations], [true, { added: [], removed: [], keptCount: 1 }])
  assert.equal(same.differences.steps, 0)
  assert.equal(same.run.steps.length, first.steps.length)

  const usual = (await compare({}, again.id)).body.data
  assert.deepEqual([usual.run.id, usual.other.id], [again.id, first.id])

  const apart = (await compare({ with: other.id })).body.data
  assert.deepEqual(
    apart.inputs.map(({ field }: { field: string }) => field),
    ['prompt', 'endUserId'],
  )
  assert.equal(apart.isSameOutput, false)
  assert.equal(apart.citations.removed[0].quote, first.citations[0].quote)
  assert.equal(apart.citations.added[0].quote, other.citations[0].quote)
  assert.equal(apart.differences.inputTokens, other.usage.inputTokens - first.usage.inputTokens)

  const stranger = await run((await createAgentIn(app, { tools: [], model: 'extractive' })).id, {
    prompt: 'Hi',
  })
  for (const query of [{ with: stranger.id }, { with: 'run_01kajz4v7qf3x8m2c9t5b6n0rw' }, {}]) {
    const reply = await compare(query as Record<string, string>)
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'with'])
  }
  assert.equal((await compare({ with: first.id }, 'run_01kajz4v7qf3x8m2c9t5b6n0rw')).status, 404)
})
