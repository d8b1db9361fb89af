/** What was used, through HTTP: who counts where, what is told of it, and that nothing counts twice. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { dayMs, toDay } from '../../platform/clock.ts'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { startModelServer } from '../../testing/servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../../testing/test-app.ts'
import type { UsageRow } from './schemas.ts'

/** 1,000 tokens read and 100 written: 3 cents with the prices below. */
const costOfCall = 0.03
const prices = { 'openai/priced': { inputUsdPerMillionTokens: 20, outputUsdPerMillionTokens: 100 } }

async function start(t: { after(end: () => Promise<void>): void }) {
  const modelServer = await startModelServer()
  const clock = { now: Date.parse('2026-11-30T23:59:00Z') }
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
  modelServer.setScript(() => ({ kind: 'answer', text: 'Hello.' }))
  const create = (body: Record<string, unknown> = {}) =>
    createAgentIn(app, { model: 'openai/priced', tools: [], ...body })
  const run = (agentId: string, key: TestKey = app.liveKey) =>
    app.request('POST', `/agents/${agentId}/run`, { body: { prompt: 'Hello' }, key })
  return { app, clock, modelServer, create, run }
}

async function history(
  app: TestApp,
  query: Record<string, string | number>,
  key: TestKey = app.liveKey,
): Promise<UsageRow[]> {
  const reply = await app.request('GET', '/usage/history', { query, key })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  assert.equal(reply.body.meta.total >= reply.body.data.length, true)
  return reply.body.data
}

const unused = { runs: 0, unpricedRuns: 0, inputTokens: 0, outputTokens: 0, costUsd: 0 }
const usedBy = (runs: number) => ({
  runs,
  unpricedRuns: 0,
  inputTokens: runs * 1_000,
  outputTokens: runs * 100,
  costUsd: runs * costOfCall,
})
const ofNoSubject = { subject: null, documents: null, storageBytes: null }

test('runs and requests count in the day of UTC in which they end, in all, by key and by agent', async t => {
  const { app, clock, create, run } = await start(t)
  const agent = await create({ name: 'Ducks' })
  const other = await create({ name: 'Geese' })
  const key = await app.createKey({ role: 'admin' })
  await run(agent.id)
  await run(agent.id, key)
  clock.now += 61_000
  await run(agent.id)
  await run(other.id)
  await app.app.services.requestMeter.flush()
  clock.now += 1

  assert.deepEqual(await history(app, {}), [
    { period: '2026-12-01', ...ofNoSubject, ...usedBy(2), requests: 2 },
    { period: '2026-11-30', ...ofNoSubject, ...usedBy(2), requests: 4 },
  ])
  assert.deepEqual(await history(app, { interval: 'total', from: '2026-11-30', to: '2026-12-31' }), [
    { period: '2026-11-30/2026-12-31', ...ofNoSubject, ...usedBy(4), requests: 6 },
  ])
  assert.deepEqual(
    (await history(app, { groupBy: 'agent', interval: 'month' })).map(
      ({ period, subject, runs, requests }) => ({
        period,
        id: subject?.id,
        name: subject?.name,
        runs,
        requests,
      }),
    ),
    [
      { period: '2026-12', id: agent.id, name: 'Ducks', runs: 1, requests: null },
      { period: '2026-12', id: other.id, name: 'Geese', runs: 1, requests: null },
      { period: '2026-11', id: agent.id, name: 'Ducks', runs: 2, requests: null },
    ],
  )
  const byKey = await history(app, { groupBy: 'key', to: '2026-11-30' })
  assert.deepEqual(
    byKey.map(({ subject, runs, requests }) => ({ ...subject, runs, requests })),
    [
      { type: 'key', id: app.liveKey.id, name: 'Test key', runs: 1, requests: 3 },
      { type: 'key', id: key.id, name: 'Test key', runs: 1, requests: 1 },
    ],
  )
})

test('the test environment and other workspaces have a use of their own', async t => {
  const { app, create, run } = await start(t)
  await run((await create()).id)
  await app.app.services.requestMeter.flush()
  assert.deepEqual(await history(app, {}, app.testKey), [])
  const { workspaceId, ownerId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId, userId: ownerId })
  for (const groupBy of ['day', 'key', 'agent', 'collection']) {
    assert.deepEqual(await history(app, { groupBy }, stranger), [])
  }
})

test('a collection tells what it holds each day, and the runs that were shown passages of it, also when it is gone', async t => {
  const { app, clock, modelServer, create, run } = await start(t)
  const { usageHistory } = app.app.services
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Rules' } })
  const { id } = collection.body.data
  await upload(app, id, 'Ducks may enter freely.')
  assert.equal(await usageHistory.measure(), 2)
  assert.equal(await usageHistory.measure(), 0)
  await upload(app, id, 'Geese pay two euros.')
  assert.equal(await usageHistory.measure(), 2)
  const agent = await create({ tools: ['search_knowledge'], collectionIds: [id] })
  modelServer.setScript(body =>
    body.messages.some(({ role }) => role === 'tool')
      ? { kind: 'answer', text: 'Freely.' }
      : { kind: 'tool_calls', calls: [{ name: 'search_knowledge', arguments: { query: 'ducks' } }] },
  )
  assert.equal((await run(agent.id)).body.data.status, 'succeeded')

  const row = { period: '2026-11-30', requests: null, documents: 2, storageBytes: 43 }
  const subject = { type: 'collection', id, name: 'Rules' }
  const used = { ...usedBy(1), inputTokens: 2_000, outputTokens: 200, costUsd: 2 * costOfCall }
  assert.deepEqual(await history(app, { groupBy: 'collection' }), [{ ...row, subject, ...used }])
  const [month] = await history(app, { interval: 'month' })
  assert.equal(month?.documents, 2)
  assert.equal(month?.storageBytes, 43)

  clock.now += 61_000
  await app.request('DELETE', `/knowledge/collections/${id}`)
  assert.equal(await usageHistory.measure(), 2)
  assert.deepEqual(await history(app, { groupBy: 'collection', from: '2026-12-01' }), [
    { ...row, period: '2026-12-01', documents: 0, subject, ...unused },
  ])
  await app.request('DELETE', `/knowledge/collections/${id}?erase=true`)
  const { read } = app.dependencies.database
  const left = () => read.selectFrom('collections').select('id').execute()
  await eventually('nothing is left', async () => (await left()).length === 0)
  assert.equal(await usageHistory.measure(), 1)
  const whole = await history(app, { from: '2026-11-01' })
  assert.deepEqual(
    whole.map(({ period, documents, storageBytes }) => [period, documents, storageBytes]),
    [
      ['2026-12-01', 0, 0],
      ['2026-11-30', 2, 43],
    ],
  )
  const gone = await history(app, { groupBy: 'collection', interval: 'total', from: '2026-11-01' })
  assert.deepEqual(gone, [{ ...row, period: '2026-11-01/2026-12-01', documents: 0, subject, ...used }])
})

async function upload(app: TestApp, collectionId: string, text: string): Promise<void> {
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set('file', new File([text], `${text.length}.txt`))
  const reply = await app.request('POST', '/knowledge/documents', { form, headers: { prefer: 'wait=30' } })
  assert.equal(reply.body.data.status, 'ready', JSON.stringify(reply.body))
}

test('a run that is ended twice counts once, and a refused request not at all', async t => {
  const { app, create, run, modelServer } = await start(t)
  const agent = await create()
  modelServer.setScript(() => ({ kind: 'answer', text: 'Cut', finishReason: 'length' }))
  const { id } = (await run(agent.id)).body.data
  await app.request('POST', `/runs/${id}/cancel`)
  await app.request('GET', '/usage', { key: 'sk_live_unknown' })
  await app.app.services.requestMeter.flush()
  await app.app.services.requestMeter.flush()
  const [day] = await history(app, {})
  assert.equal(day?.runs, 1)
  assert.equal(day?.requests, 3)
  const month = (await app.request('GET', '/usage')).body.data.month
  assert.equal(month.runs, 1)
})

test('runs of several agents and keys that end at once are all counted', async t => {
  const { app, create, run } = await start(t)
  const agents = [await create(), await create(), await create()]
  const keys = [app.liveKey, await app.createKey({ role: 'admin' })]
  const pairs = agents.flatMap(agent => keys.map(key => ({ agent, key })))
  const many = [...pairs, ...pairs.toReversed()]
  const replies = await Promise.all(many.map(({ agent, key }) => run(agent.id, key)))
  for (const { body } of replies) assert.equal(body.data?.status, 'succeeded', JSON.stringify(body))
  const runsBy = async (groupBy: string) =>
    (await history(app, { groupBy })).map(({ runs, inputTokens }) => [runs, inputTokens])
  assert.deepEqual(await runsBy('agent'), Array(3).fill([4, 4_000]))
  assert.deepEqual(await runsBy('key'), Array(2).fill([6, 6_000]))
  assert.deepEqual(await runsBy('day'), [[12, 12_000]])
})

test('a revoked key keeps its name and what it has used', async t => {
  const { app } = await start(t)
  const key = await app.createKey({ role: 'admin' })
  await app.request('GET', '/workspace', { key })
  await app.request('PATCH', `/api-keys/${key.id}`, { body: { name: 'Shop' } })
  await app.request('DELETE', `/api-keys/${key.id}`)
  await app.app.services.requestMeter.flush()
  const rows = await history(app, { groupBy: 'key' })
  const row = rows.find(({ subject }) => subject?.id === key.id)
  assert.deepEqual(row?.subject, { type: 'key', id: key.id, name: 'Shop' })
  assert.equal(row?.requests, 1)
})

test('a question that makes no sense is refused by the name of its field', async t => {
  const { app } = await start(t)
  const wrong = [
    [{ from: '2026-02-30' }, 'from'],
    [{ to: 'today' }, 'to'],
    [{ from: '2026-11-02', to: '2026-11-01' }, 'from'],
    [{ from: '2025-01-01', to: '2026-11-01' }, 'from'],
    [{ groupBy: 'team' }, 'groupBy'],
    [{ interval: 'hour' }, 'interval'],
    [{ after: 'x' }, 'after'],
  ] as const
  for (const [query, field] of wrong) {
    const { status, body } = await app.request('GET', '/usage/history', { query })
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: { field: string }) => error.field),
      [field],
    )
  }
  const longest = { from: '2025-10-27', to: '2026-11-30' }
  assert.deepEqual(await history(app, longest), [])
  const member = await app.createKey({ role: 'member' })
  const refused = await app.request('GET', '/usage/history', { key: member })
  assert.equal(refused.body.code, 'permission_missing')
})

test('rows are told page by page, with the number of all of them', async t => {
  const { app, clock } = await start(t)
  for (let day = 0; day < 5; day++) {
    await app.request('GET', '/workspace')
    clock.now += 86_400_000
  }
  await app.app.services.requestMeter.flush()
  for (const groupBy of ['day', 'key']) {
    const query = { groupBy, pageSize: 2, page: 2 }
    const { body } = await app.request('GET', '/usage/history', { query })
    assert.deepEqual(body.meta, { page: 2, pageSize: 2, total: 5 })
    assert.deepEqual(
      body.data.map(({ period }: UsageRow) => period),
      ['2026-12-02', '2026-12-01'],
    )
  }
})

test('days are removed once they are older than they are kept', async t => {
  const { app, clock } = await start(t)
  await app.request('GET', '/workspace')
  await app.app.services.requestMeter.flush()
  assert.equal(await app.app.services.usageHistory.tidy(), 0)
  clock.now += 401 * 86_400_000
  assert.equal(await app.app.services.usageHistory.tidy(), 1)
})

const now = Date.parse('2026-11-30T12:00:00Z')
const days = Array.from({ length: 126 }, (_, index) => toDay(now - index * dayMs))

test('more than 50,000 rows are not added up: fewer days are asked for', async t => {
  const app = await startTestApp({ clock: () => now })
  t.after(app.close)
  const { database } = app.dependencies
  await database.write(async tx => {
    for (const day of days) {
      await sql`WITH RECURSIVE numbers (number) AS (
          SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 400
        )
        INSERT INTO usage_periods (workspace_id, environment, kind, period, subject_id, requests, runs, unpriced_runs,
          input_tokens, output_tokens, cost_usd)
        SELECT ${app.workspaceId}, 'live', 'agent', ${day}, 'agt_' || (1000 + number), 0, 1, 0, 10, 1, 0
        FROM numbers`.execute(tx)
    }
  })
  const first = days.at(-1) ?? ''
  for (const groupBy of ['day', 'agent']) {
    const { status, body } = await app.request('GET', '/usage/history', { query: { groupBy, from: first } })
    assert.equal(status, 400)
    assert.equal(body.errors[0].field, 'from')
    assert.match(body.errors[0].message, /ask for fewer days/)
  }
  const query = { groupBy: 'agent', from: days.at(-2) ?? '', interval: 'total', pageSize: 100 }
  const last = await app.request('GET', '/usage/history', { query: { ...query, page: 4 } })
  assert.deepEqual(last.body.meta, { page: 4, pageSize: 100, total: 400 })
  assert.equal(last.body.data.at(-1).subject.id, 'agt_1400')
  assert.equal(last.body.data.at(-1).runs, 125)
  const behind = await app.request('GET', '/usage/history', { query: { ...query, page: 5 } })
  assert.deepEqual(behind.body, { data: [], meta: { page: 5, pageSize: 100, total: 400 } })
})

test('a narrowed key is told of what it reaches, and of requests and runs that may reach further its own only', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const [own, other] = [await createAgentIn(app), await createAgentIn(app)]
  const [seen, hidden] = [await createCollection(app), await createCollection(app)]
  for (const collectionId of [seen, hidden])
    await uploadAndWait(app, { collectionId, content: 'Ducks may enter.', key: app.liveKey })
  await app.app.services.usageHistory.measure()
  const ofAgent = await app.createKey({ agentIds: [own.id] })
  const ofBoth = await app.createKey({ agentIds: [own.id], collectionIds: [seen] })
  const run = async (agentId: string, key: TestKey) => {
    const body = { prompt: 'May ducks enter?' }
    assert.equal((await app.request('POST', `/agents/${agentId}/run`, { body, key })).status, 200)
  }
  await run(own.id, app.liveKey)
  await run(other.id, app.liveKey)
  await run(own.id, ofBoth)
  await app.app.services.requestMeter.flush()

  const rows = async (key: TestKey, groupBy: string) => {
    const { data } = (await app.request('GET', '/usage/history', { key, query: { groupBy } })).body
    return data.map((row: Record<string, unknown> & { subject: { id: string } | null }) => [
      ...[row.subject?.id, row.requests, row.runs, row.documents],
    ])
  }
  assert.deepEqual(await rows(ofBoth, 'day'), [[undefined, 1, 1, 1]])
  assert.deepEqual(await rows(ofBoth, 'key'), [[ofBoth.id, 1, 1, null]])
  assert.deepEqual(await rows(ofBoth, 'agent'), [])
  assert.deepEqual(await rows(ofBoth, 'collection'), [[seen, null, null, 1]])
  assert.deepEqual(await rows(ofAgent, 'agent'), [[own.id, null, 2, null]])
  assert.deepEqual(await rows(ofAgent, 'collection'), [
    [seen, null, null, 1],
    [hidden, null, null, 1],
  ])

  const usageOf = async (key: TestKey) => {
    const { storageBytes, runsAtOnce, month } = (await app.request('GET', '/usage', { key })).body.data
    return [storageBytes.used, runsAtOnce.used, month.runs]
  }
  assert.deepEqual(await usageOf(ofBoth), [null, null, 1])
  assert.deepEqual(await usageOf(ofAgent), [null, null, 2])
  const [storedBytes, ...rest] = await usageOf(app.liveKey)
  assert.ok(storedBytes > 2 * 'Ducks may enter.'.length, 'the files, and the texts of the runs')
  assert.deepEqual(rest, [0, 3])
})
