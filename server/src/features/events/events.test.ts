/** The outbox through HTTP: one event for each run that ends, of those that the key can see, for as long as they are kept. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { answerAtOnce, type ModelServer, startModelServer } from '../../testing/servers/model-server.ts'
import { inNewWorkspace, startTestApp, type TestApp } from '../../testing/test-app.ts'
import { isCovered, subscribableTypes } from './schemas.ts'

const dayMs = 86_400_000

const clock = { now: Date.parse('2026-11-01T00:00:00Z') }
let modelServer: ModelServer
let shared: TestApp
before(async () => {
  modelServer = await startModelServer()
  shared = await startTestApp({
    settings: { OPENAI_BASE_URL: modelServer.baseUrl },
    clock: () => clock.now,
  })
})
after(async () => {
  await shared.close()
  await modelServer.close()
})

async function start() {
  const app = await inNewWorkspace(shared)
  modelServer.setScript(answerAtOnce)
  modelServer.requests.length = 0
  const run = async (agentId: string, body: Record<string, unknown> = {}, key = app.liveKey) => {
    const reply = await app.request('POST', `/agents/${agentId}/run`, {
      key,
      body: { prompt: 'A secret', ...body },
    })
    return reply.body.data
  }
  /** Those of runs: the keys that a test makes are told of as well. */
  const events = async (query: Record<string, string> = {}, key = app.liveKey) => {
    const { body } = await app.request('GET', '/events', { key, query: { pageSize: 100, ...query } })
    const data = body.data.filter(({ type }: { type: string }) => type.startsWith('run.'))
    return { data, meta: { total: data.length } }
  }
  return { app, run, events }
}

test('each run that ends leaves one event, with its metadata and answer and without its prompt and steps', async () => {
  const { app, run, events } = await start()
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const good = await run(agent.id, { metadata: { ticket: '4711' } })
  modelServer.setScript(() => ({ kind: 'status', status: 401 }))
  const bad = await run(agent.id)
  const { data, meta } = await events()
  assert.equal(meta.total, 2)
  const [failed, succeeded] = data
  assert.equal(failed.type, 'run.failed')
  assert.equal(failed.data.errorCode, 'model_unauthorized')
  assert.equal(failed.data.id, bad.id)
  assert.deepEqual(succeeded.data, {
    id: good.id,
    agentId: agent.id,
    conversationId: good.conversationId,
    status: 'succeeded',
    errorCode: null,
    usage: { inputTokens: 1_000, outputTokens: 100, costUsd: null },
    createdAt: good.createdAt,
    finishedAt: good.finishedAt,
    metadata: { ticket: '4711' },
    output: good.output,
    structuredOutput: null,
    pendingApprovals: [],
    pendingToolCalls: [],
    truncated: false,
  })
  assert.ok(good.output.length > 0)
  assert.equal(failed.data.output, null)
  assert.equal(succeeded.workspaceId, app.workspaceId)
  assert.doesNotMatch(JSON.stringify(data), /secret/)
  assert.deepEqual((await app.request('GET', `/events/${failed.id}`)).body.data, failed)
})

test('an answer that is too long for an event is left out, and the event says so', async () => {
  const { app, run, events } = await start()
  const agent = await createAgentIn(app, { model: 'sandbox', tools: [] }, app.testKey)
  const prompt = `sim:output=${'a'.repeat(66_000)}`
  const { output } = await run(agent.id, { prompt, metadata: { ticket: '1' } }, app.testKey)
  assert.equal(output.length, 66_000)
  const { data } = await events({}, app.testKey)
  assert.deepEqual(
    [data[0].data.output, data[0].data.truncated, data[0].data.metadata],
    [null, true, { ticket: '1' }],
  )
})

test('the event of a deleted run stays without its texts', async () => {
  const { app, run, events } = await start()
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const { conversationId } = await run(agent.id, { metadata: { ticket: '1' } })
  assert.equal((await app.request('DELETE', `/conversations/${conversationId}`)).status, 204)
  const [{ data }] = (await events()).data
  assert.deepEqual([data.status, data.metadata, data.output], ['succeeded', null, null])
})

test('`type=run.*` lists the types of a kind, and `*` those that the key may read', async () => {
  const { app, run } = await start()
  const agent = await createAgentIn(app, { model: 'extractive', tools: [] })
  await run(agent.id)
  const key = await app.createKey({ permissions: ['agents:read', 'webhooks:read'] })
  const typesOf = async (type: string, as = app.liveKey) => {
    const { body } = await app.request('GET', '/events', { key: as, query: { type, pageSize: 100 } })
    return [...new Set(body.data.map((event: { type: string }) => event.type))].sort()
  }
  assert.deepEqual(await typesOf('run.*'), ['run.succeeded'])
  assert.deepEqual(await typesOf('key.*'), ['key.created'])
  assert.deepEqual(await typesOf('*'), ['key.created', 'run.succeeded'])
  assert.deepEqual(await typesOf('*', key), ['run.succeeded'])
  const refused = await app.request('GET', '/events', { key, query: { type: 'key.*' } })
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing'])
  const unknown = await app.request('GET', '/events', { query: { type: 'lunch.*' } })
  assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'type'])
})

test('a wildcard covers types that are still to come', () => {
  assert.equal(isCovered('run.paused', ['document.ready', 'run.*']), true)
  assert.equal(isCovered('lunch.served', ['*']), true)
  assert.equal(isCovered('run.paused', ['run.waiting', 'document.*']), false)
  assert.equal(isCovered('runner.started', ['run.*']), false)
})

test('the event of a waiting run has the calls that it waits for, until their results have come', async () => {
  const { app, run, events } = await start()
  const call = { name: 'look_up', arguments: { number: 7 } }
  modelServer.setScript((_, index) =>
    index === 0 ? { kind: 'tool_calls', calls: [call] } : { kind: 'answer', text: 'Shipped.' },
  )
  const functions = [{ name: 'look_up', inputSchema: { type: 'object' } }]
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [], functions })
  const { id, pendingToolCalls } = await run(agent.id)
  const [waiting] = (await events({ type: 'run.waiting' })).data
  assert.deepEqual(waiting.data.pendingToolCalls, pendingToolCalls)
  assert.deepEqual(pendingToolCalls[0].input, { number: 7 })
  assert.deepEqual(waiting.data.pendingApprovals, [])
  const results = [{ toolCallId: pendingToolCalls[0].toolCallId, output: { state: 'shipped' } }]
  const headers = { prefer: 'wait=20' }
  const { body } = await app.request('POST', `/runs/${id}/tool-results`, { headers, body: { results } })
  assert.equal(body.data.status, 'succeeded')
  assert.deepEqual((await events({ type: 'run.waiting' })).data[0].data.pendingToolCalls, [])
})

test('arguments that are too long for an event are left out, and the event says so', async () => {
  const { app, run, events } = await start()
  const call = { name: 'look_up', arguments: { text: 'a'.repeat(66_000) } }
  modelServer.setScript(() => ({ kind: 'tool_calls', calls: [call] }))
  const functions = [{ name: 'look_up', inputSchema: { type: 'object' } }]
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [], functions })
  assert.equal((await run(agent.id)).pendingToolCalls.length, 1)
  const [{ data }] = (await events({ type: 'run.waiting' })).data
  assert.deepEqual([data.pendingToolCalls, data.truncated], [[], true])
})

test('a run that is cancelled while it waits leaves an event as well', async () => {
  const { app, events } = await start()
  modelServer.setScript(() => ({ kind: 'never' }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const headers = { prefer: 'respond-async' }
  const path = `/agents/${agent.id}/run`
  const first = await app.request('POST', path, { headers, body: { prompt: 'One' } })
  const { conversationId } = first.body.data
  const second = await app.request('POST', path, { headers, body: { prompt: 'Two', conversationId } })
  for (const { body } of [second, first]) {
    assert.equal((await app.request('POST', `/runs/${body.data.id}/cancel`)).body.data.status, 'cancelled')
  }
  const { data } = await events({ type: 'run.cancelled' })
  assert.deepEqual(
    data.map((event: { data: { id: string } }) => event.data.id),
    [first.body.data.id, second.body.data.id],
  )
})

test('events are filtered, and a key sees those of what it can reach', async () => {
  const { app, run, events } = await start()
  const one = await createAgentIn(app, { model: 'extractive', tools: [] })
  const two = await createAgentIn(app, { model: 'extractive', tools: [] })
  await run(one.id)
  clock.now += 60_000
  await run(two.id)
  const count = async (query: Record<string, string>, key = app.liveKey) =>
    (await events(query, key)).meta.total
  assert.equal(await count({ type: 'run.failed' }), 0)
  assert.equal(await count({ createdAfter: '2026-11-01T00:01:00.000Z' }), 1)
  assert.equal(await count({ createdBefore: '2026-11-01T00:01:00.000Z' }), 1)
  const ofOne = await app.createKey({ agentIds: [one.id] })
  const seen = await events({}, ofOne)
  assert.deepEqual(
    seen.data.map((event: { data: { agentId: string } }) => event.data.agentId),
    [one.id],
  )
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Rules' } })
  const narrow = await app.createKey({ collectionIds: [collection.body.data.id] })
  assert.equal(await count({}, narrow), 0)
  await run(one.id, {}, narrow)
  assert.equal(await count({}, narrow), 1)
  assert.equal(await count({}, app.testKey), 0)
  const stranger = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: stranger.workspaceId, userId: stranger.ownerId })
  assert.equal(await count({}, key), 0)
  const [{ id }] = (await events()).data
  assert.equal((await app.request('GET', `/events/${id}`, { key })).status, 404)
  assert.equal((await app.request('GET', '/events', { query: { type: 'run.started' } })).status, 400)
})

test('an event of a type that the key may not read is as unknown to `after` as one that never was', async () => {
  const { app } = await start()
  const key = await app.createKey({ permissions: ['agents:read', 'webhooks:read'] })
  const { data } = (await app.request('GET', '/events', { query: { type: 'key.created' } })).body
  const behind = (after: string) => app.request('GET', '/events', { key, query: { after } })
  const [hidden, missing] = await Promise.all([behind(data[0].id), behind('evt_01kajz4v7qf3x8m2c9t5b6n0rw')])
  assert.deepEqual([hidden.status, hidden.body.errors, missing.status], [400, missing.body.errors, 400])
})

test('the API description shows the message of each event type that an endpoint can choose', async () => {
  const { app } = await start()
  const { webhooks } = (await app.request('GET', '/openapi.json', { key: null })).body
  assert.deepEqual(Object.keys(webhooks).sort(), [...subscribableTypes, 'webhook.test'].sort())
})

test('events are removed once they are older than they are kept', async () => {
  const { app, run, events } = await start()
  const agent = await createAgentIn(app, { model: 'extractive', tools: [] })
  await run(agent.id)
  const before = (await app.request('GET', '/events')).body.meta.total
  clock.now += 29 * dayMs
  await run(agent.id)
  assert.equal(await app.app.services.events.tidy(), 0)
  clock.now += 2 * dayMs
  // Those of the sandbox are older still.
  assert.ok((await app.app.services.events.tidy()) >= before)
  assert.equal((await events()).meta.total, 1)
})
