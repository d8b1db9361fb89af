/** Runs of all agents in one list, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
  const { steps, citations, ...slim } = first
  assert.deepEqual((await app.request('GET', '/runs', { query: { after: second.id } })).body.data[0], slim)
  const full = await app.request('GET', '/runs', { query: { after: second.id, expand: 'steps,citations' } })
  assert.deepEqual(full.body.data[0], first)
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
