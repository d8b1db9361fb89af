/** Monthly budgets through HTTP: what they count, what they refuse, and how they reset each month. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { monthEnd, monthOf } from './budgets.ts'

/** 1,000 tokens read and 100 written: 3 cents with the prices below. */
const costOfCall = 0.03
const prices = { 'openai/priced': { inputUsdPerMillionTokens: 20, outputUsdPerMillionTokens: 100 } }

async function start(t: { after(end: () => Promise<void>): void }) {
  const modelServer = await startModelServer()
  const clock = { now: Date.parse('2026-11-30T23:00:00Z') }
  const folder = await mkdtemp(join(tmpdir(), 'atrium-prices-'))
  const file = join(folder, 'prices.json')
  await writeFile(file, JSON.stringify(prices))
  const app = await startTestApp({
    settings: { OPENAI_BASE_URL: modelServer.baseUrl, ATRIUM_MODEL_PRICES: file },
    clock: () => clock.now,
  })
  t.after(async () => {
    await app.close()
    await modelServer.close()
    await rm(folder, { recursive: true })
  })
  const create = (limits: Record<string, number> = {}, model = 'openai/priced') =>
    createAgentIn(app, { model, tools: [], limits })
  const run = (id: string, body: Record<string, unknown> = {}) =>
    app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello', ...body } })
  return { app, modelServer, clock, create, run }
}

test("an agent's budget refuses its next run, says when it renews, and leaves other agents alone", async t => {
  const { app, clock, create, run } = await start(t)
  const agent = await create({ maxCostUsdPerMonth: 0.05 })
  const other = await create()
  for (let i = 0; i < 2; i++) assert.equal((await run(agent.id)).body.data.usage.costUsd, costOfCall)
  const refused = await run(agent.id)
  assert.equal(refused.status, 403)
  assert.equal(refused.body.code, 'budget_exceeded')
  assert.equal(refused.body.retryable, false)
  assert.equal(
    refused.body.message,
    "The agent's runs have cost 0.06 of at most 0.05 US dollars in 2026-11; its budget renews at 2026-12-01T00:00:00.000Z",
  )
  assert.equal((await run(other.id)).body.data.status, 'succeeded')
  await run(agent.id)
  // What another budget refuses afterwards is told of after it.
  const last = await create({ maxCostUsdPerMonth: 0.01 })
  await run(last.id)
  assert.equal((await run(last.id)).body.code, 'budget_exceeded')
  const events = async (): Promise<{ data: { agentId: string } }[]> =>
    (await app.request('GET', '/events', { query: { type: 'limit.reached' } })).body.data
  const toldOf = async (agentId: string) => (await events()).filter(({ data }) => data.agentId === agentId)
  await eventually('the last one is told of', async () => (await toldOf(last.id)).length > 0)
  const told = await toldOf(agent.id)
  assert.equal(told.length, 1)
  assert.deepEqual(told[0]?.data, { limit: 'agent_budget', agentId: agent.id, max: 0.05, used: 0.06 })
  clock.now = Date.parse('2026-12-01T00:00:00Z')
  assert.equal((await run(agent.id)).body.data.status, 'succeeded')
  const { month } = (await app.request('GET', '/usage')).body.data
  assert.equal(month.name, '2026-12')
  assert.deepEqual(month.costUsd, { limit: null, used: costOfCall })
  assert.equal(month.runs, 1)
})

test("the workspace's budget holds for all of its agents, within a run as well", async t => {
  const { app, modelServer, create, run } = await start(t)
  const changed = await app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: 0.1 } })
  assert.equal(changed.status, 200)
  assert.equal(changed.body.data.monthlyCostLimitUsd, 0.1)
  const agent = await create()
  await run(agent.id)
  modelServer.setScript(() => ({ kind: 'tool_calls', calls: [{ name: 'none', arguments: {} }] }))
  const begun = modelServer.requests.length
  const other = await createAgentIn(app, { model: 'openai/priced' })
  const failed = await run(other.id, { limits: { maxSteps: 20 } })
  // 3 cents were spent; three calls of 3 cents pass the 10.
  assert.equal(failed.body.data.status, 'failed')
  assert.equal(modelServer.requests.length - begun, 3)
  const refused = await run(agent.id)
  assert.equal(refused.body.code, 'budget_exceeded')
  assert.match(refused.body.message, /^The workspace's runs have cost 0\.12 of at most 0\.1 /)
  const { month } = (await app.request('GET', '/usage')).body.data
  assert.deepEqual(month.costUsd, { limit: 0.1, used: 0.12 })
  assert.equal(month.inputTokens, 4_000)
  assert.equal(
    (await app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: null } })).status,
    200,
  )
  modelServer.setScript(() => ({ kind: 'answer', text: 'Hello.' }))
  assert.equal((await run(agent.id)).body.data.status, 'succeeded')
})

test('a run that waits in the queue while the budget is used up does not call its model', async t => {
  const { clock, modelServer, app, create } = await start(t)
  const agent = await create({ maxCostUsdPerMonth: 0.02 })
  modelServer.setScript(() => ({ kind: 'slow', delayMs: 300, behaviour: { kind: 'answer', text: 'Hello.' } }))
  const headers = { prefer: 'respond-async' }
  const path = `/agents/${agent.id}/run`
  const first = await app.request('POST', path, { headers, body: { prompt: 'One' } })
  const { conversationId } = first.body.data
  const second = await app.request('POST', path, { headers, body: { prompt: 'Two', conversationId } })
  clock.now += 2_000
  const ended = await app.request('GET', `/runs/${second.body.data.id}`, { headers: { prefer: 'wait=20' } })
  assert.equal(ended.body.data.error?.code, 'budget_exceeded')
  assert.equal(ended.body.data.error.retryable, false)
  assert.equal(modelServer.requests.length, 1)
})

test('failed and cancelled runs count, and none counts twice', async t => {
  const { app, modelServer, create, run } = await start(t)
  const agent = await create()
  modelServer.setScript(() => ({ kind: 'answer', text: 'Cut', finishReason: 'length' }))
  assert.equal((await run(agent.id)).body.data.error.code, 'output_truncated')
  modelServer.setScript(() => ({ kind: 'stalls', text: 'It goes on and on' }))
  const headers = { prefer: 'respond-async' }
  const begun = await app.request('POST', `/agents/${agent.id}/run`, { headers, body: { prompt: 'Hello' } })
  await eventually('the model is asked', () => modelServer.requests.length >= 2)
  const cancelled = await app.request('POST', `/runs/${begun.body.data.id}/cancel`)
  assert.equal(cancelled.body.data.status, 'cancelled')
  await app.request('POST', `/runs/${begun.body.data.id}/cancel`)
  const { month } = (await app.request('GET', '/usage')).body.data
  assert.equal(month.runs, 2)
  assert.equal(month.costUsd.used, costOfCall + cancelled.body.data.usage.costUsd)
})

test('a budget refuses a model without a known price, also as a fallback', async t => {
  const { app, modelServer, create, run } = await start(t)
  const unpriced = await create({ maxCostUsdPerMonth: 1 }, 'openai/test-model')
  const refused = await run(unpriced.id)
  assert.equal(refused.status, 409)
  assert.match(refused.body.message, /The price of openai\/test-model is not known/)
  const body = {
    model: 'openai/priced',
    fallbackModel: 'openai/test-model',
    tools: [],
    limits: { maxCostUsdPerMonth: 1 },
  }
  const withFallback = await createAgentIn(app, body)
  modelServer.setScript(() => ({ kind: 'status', status: 400 }))
  const failed = await run(withFallback.id)
  assert.equal(failed.body.data.error.code, 'model_request_rejected')
  assert.ok(modelServer.requests.every(({ body: { model } }) => model === 'priced'))
  const free = await create({}, 'openai/test-model')
  modelServer.setScript(() => ({ kind: 'answer', text: 'Hello.' }))
  assert.equal((await run(free.id)).body.data.usage.costUsd, null)
  const { month } = (await app.request('GET', '/usage')).body.data
  assert.equal(month.unpricedRuns, 1)
})

test('only owners and admins change the budget, with a live key, and a test workspace has its own', async t => {
  const { app } = await start(t)
  const body = { monthlyCostLimitUsd: 5 }
  const member = await app.createKey({ role: 'member' })
  assert.equal(
    (await app.request('PATCH', '/workspace', { key: member, body })).body.code,
    'permission_missing',
  )
  assert.equal(
    (await app.request('PATCH', '/workspace', { key: app.testKey, body })).body.code,
    'sandbox_forbidden',
  )
  for (const wrong of [{}, { monthlyCostLimitUsd: -1 }, { monthlyCostLimitUsd: '5' }, { limit: 5 }]) {
    assert.equal((await app.request('PATCH', '/workspace', { body: wrong })).status, 400)
  }
  const { headers } = await app.request('GET', '/workspace')
  const ifMatch = { 'if-match': String(headers.etag) }
  assert.equal((await app.request('PATCH', '/workspace', { body, headers: ifMatch })).status, 200)
  assert.equal(
    (await app.request('PATCH', '/workspace', { body, headers: ifMatch })).body.code,
    'precondition_failed',
  )
})

test('months are those of the calendar in UTC', () => {
  assert.equal(monthOf(Date.parse('2027-01-01T00:30:00+01:00')), '2026-12')
  assert.equal(monthEnd(Date.parse('2026-12-31T23:59:59.999Z')), Date.parse('2027-01-01T00:00:00Z'))
  assert.equal(monthEnd(Date.parse('2028-02-01T00:00:00Z')), Date.parse('2028-03-01T00:00:00Z'))
})
