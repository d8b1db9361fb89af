/** Runs of all agents in one list, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { insertRows } from '../../../platform/database/rows.ts'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { addToTeam, createTeam, join, keepTo } from '../../../testing/apps/team-access.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
type Read = any

const createAgent = (name: string, key?: TestKey) => createAgentIn(app, { name, tools: [] }, key)

async function run(agentId: string, body: Record<string, unknown> = {}, key?: TestKey): Promise<Read> {
  const reply = await app.request('POST', `/agents/${agentId}/run`, {
    key: key ?? app.liveKey,
    body: { prompt: 'Hello', ...body },
  })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

/** The ids of the list, which `meta.total` counts. */
async function idsFor(
  query: Record<string, string | number> = {},
  key: TestKey = app.liveKey,
): Promise<string[]> {
  const { status, body } = await app.request('GET', '/runs', { key, query: { pageSize: 100, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.meta.total, body.data.length)
  return body.data.map(({ id }: Read) => id)
}

async function faultOf(path: string, query: Record<string, string | number>, key?: TestKey) {
  const { status, body } = await app.request('GET', path, { key: key ?? app.liveKey, query })
  assert.equal(status, 400, JSON.stringify(body))
  return body.errors[0]
}

test('runs of all agents are one list, newest first, with the filters of the list of one agent', async () => {
  const one = await createAgent('One')
  const two = await createAgent('Two')
  const first = await run(one.id, { endUserId: 'ada' })
  const second = await run(two.id, { endUserId: 'ada' })
  const third = await run(one.id)
  assert.deepEqual(await idsFor(), [third.id, second.id, first.id])
  assert.deepEqual(await idsFor({ agentId: one.id }), [third.id, first.id])
  assert.deepEqual(await idsFor({ endUserId: 'ada' }), [second.id, first.id])
  assert.deepEqual(await idsFor({ conversationId: second.conversationId }), [second.id])
  assert.deepEqual(await idsFor({ status: 'failed' }), [])
  assert.deepEqual(await idsFor({ createdAfter: second.createdAt, createdBefore: third.createdAt }), [
    second.id,
  ])
  const paged = await app.request('GET', '/runs', { query: { pageSize: 1, after: third.id } })
  assert.deepEqual([paged.body.data[0].id, paged.body.meta.total], [second.id, 3])
  const { messages: _, ...listed } = first
  const { steps, citations, ...slim } = listed
  assert.deepEqual((await app.request('GET', '/runs', { query: { after: second.id } })).body.data[0], slim)
  const full = await app.request('GET', '/runs', { query: { after: second.id, expand: 'steps,citations' } })
  assert.deepEqual(full.body.data[0], listed)
  await app.request('DELETE', `/agents/${two.id}`)
  assert.deepEqual(await idsFor(), [third.id, second.id, first.id])
})

test('an agent or a conversation that is not there for the caller is a 400 that names it', async () => {
  const theirs = await createAgent('Sandbox', app.testKey)
  const { conversationId } = await run(theirs.id, {}, app.testKey)
  const mine = await createAgent('Mine')
  assert.equal((await faultOf('/runs', { agentId: theirs.id })).field, 'agentId')
  assert.equal((await faultOf('/runs', { conversationId })).field, 'conversationId')
  const of = { conversationId, agentId: theirs.id }
  assert.deepEqual((await idsFor(of, app.testKey)).length, 1)
  const other = await run(mine.id)
  const crossed = { conversationId: other.conversationId, agentId: (await createAgent('Third')).id }
  assert.equal((await faultOf('/runs', crossed)).field, 'conversationId')
})

test('the list holds no run of another environment, workspace, withheld agent or wider narrowing', async () => {
  const collectionId = await createCollection(app)
  const kept = await createAgent('Kept')
  const team = await createTeam(app, 'Readers')
  const [insider, outsider] = [await join(app), await join(app)]
  await addToTeam(app, team, insider)
  const keptRun = await run(kept.id)
  await keepTo(app, `/agents/${kept.id}`, [team])
  assert.ok((await idsFor({}, insider.key)).includes(keptRun.id))
  assert.ok(!(await idsFor({}, outsider.key)).includes(keptRun.id))

  const open = await createAgent('Open')
  const wide = await run(open.id)
  const byAgent = await app.createKey({ agentIds: [open.id] })
  assert.deepEqual(await idsFor({}, byAgent), [wide.id])
  const byCollection = await app.createKey({ collectionIds: [collectionId] })
  assert.deepEqual(await idsFor({}, byCollection), [])
  const own = await run(open.id, {}, byCollection)
  assert.deepEqual(await idsFor({}, byCollection), [own.id])

  assert.ok(!(await idsFor({}, app.testKey)).includes(wide.id))
  const neighbour = await app.createWorkspace()
  const stranger = await app.createKey({
    workspaceId: neighbour.workspaceId,
    userId: neighbour.ownerId,
  })
  assert.deepEqual(await idsFor({}, stranger), [])
  assert.equal((await faultOf('/runs', { after: wide.id }, stranger)).field, 'after')
})

test('a filter finds runs by their metadata, on full pages with an exact total', async () => {
  const agent = await createAgent('Tagged')
  const other = await createAgent('Tagged too')
  const ids: string[] = []
  for (const [place, metadata] of [
    { ticket: 7, tags: ['urgent', 'billing'], due: '2026-11-21' },
    { ticket: '7', long: Array.from({ length: 100 }, () => 'x'.repeat(100)) },
    {},
    { ticket: 8, tags: [] },
    { ticket: null, customer: 'Ada' },
    { ticket: 9, tags: ['urgent'] },
  ].entries()) {
    ids.push((await run(place === 5 ? other.id : agent.id, { metadata })).id)
  }
  const [seven, text, none, eight, ada, nine] = ids
  const found = (filter: object, query = {}) => idsFor({ filter: JSON.stringify(filter), ...query })
  assert.deepEqual(await found({ field: 'ticket', op: 'eq', value: 7 }), [seven])
  assert.deepEqual(await found({ field: 'ticket', op: 'eq', value: '7' }), [text])
  assert.deepEqual(await found({ field: 'ticket', op: 'gte', value: 8 }), [nine, eight])
  assert.deepEqual(await found({ field: 'tags', op: 'contains', value: 'urgent' }), [nine, seven])
  assert.deepEqual(await found({ field: 'due', op: 'lt', value: '2026-12-01T00:00:00Z' }), [seven])
  const ofAgent = { agentId: agent.id }
  assert.deepEqual(await found({ field: 'tags', op: 'exists' }, ofAgent), [eight, seven])
  assert.deepEqual(await found({ field: 'ticket', op: 'exists', value: false }, ofAgent), [ada, none])
  assert.deepEqual(await found({ not: { field: 'ticket', op: 'in', value: [7, 8] } }, ofAgent), [
    ada,
    none,
    text,
  ])

  const filter = JSON.stringify({ field: 'ticket', op: 'in', value: [7, 8, 9] })
  const path = `/agents/${agent.id}/runs`
  const first = await app.request('GET', path, { query: { filter, pageSize: 1, sort: 'createdAt' } })
  assert.deepEqual([first.body.data[0].id, first.body.meta.total], [seven, 2])
  const after = first.body.meta.next
  const second = await app.request('GET', path, { query: { filter, pageSize: 1, sort: 'createdAt', after } })
  assert.deepEqual(
    [second.body.data[0].id, second.body.meta],
    [eight, { page: 1, pageSize: 1, total: 2, next: null }],
  )
  const behind = await app.request('GET', path, { query: { filter, after: eight ?? '' } })
  assert.deepEqual([behind.body.data[0].id, behind.body.meta.total], [seven, 2])
  const { createdAt } = (await app.request('GET', `/runs/${eight}`)).body.data
  assert.deepEqual(await idsFor({ filter, createdAfter: createdAt, ...ofAgent }), [eight])
})

test('a faulty filter of runs is refused as search refuses it', async () => {
  for (const filter of [
    { field: 'ticket', op: 'equals', value: 7 },
    { and: [] },
    {},
    { field: 'ticket', op: 'gt', value: true },
  ]) {
    const text = JSON.stringify(filter)
    const asked = await faultOf('/runs', { filter: text })
    const searched = await faultOf('/knowledge/search', { filter: text, query: 'x' })
    assert.deepEqual(asked, searched)
  }
  assert.match((await faultOf('/runs', { filter: '{"field":' })).message, /valid JSON/)
  const own = JSON.stringify({ field: '$createdAt', op: 'gte', value: '2026-01-01' })
  assert.match((await faultOf('/runs', { filter: own })).message, /is not a known field of runs/)
})

test('a filter is asked of 100,000 runs at most, and the refusal says how to ask of fewer', async () => {
  const { database } = app.dependencies
  const agent = await createAgent('Busy')
  const template = await database.read
    .selectFrom('runs')
    .selectAll()
    .where('id', '=', (await run(agent.id)).id)
    .executeTakeFirstOrThrow()
  // A run counts once for each 1,000 characters of its metadata.
  const metadata = JSON.stringify({ text: 'x'.repeat(1_000) }) as typeof template.metadata
  for (let from = 0; from < 50_000; from += 500) {
    const rows = Array.from({ length: 500 }, (_, place) => {
      const id = `${template.id.slice(0, -6)}${String(from + place).padStart(6, '0')}`
      return { ...template, id, turn: from + place + 2, metadata }
    })
    await database.write(tx => insertRows(tx, 'runs', rows))
  }
  const filter = JSON.stringify({ field: 'text', op: 'eq', value: 'x' })
  const fault = await faultOf(`/agents/${agent.id}/runs`, { filter })
  assert.equal(fault.field, 'filter')
  assert.match(fault.message, /more than 100000 runs.*`createdAfter`/)
  const { createdAt } = (await app.request('GET', `/runs/${template.id}`)).body.data
  assert.deepEqual(await idsFor({ agentId: agent.id, filter, createdBefore: createdAt }), [])
})
