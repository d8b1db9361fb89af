/** A narrowed key changes an agent only if it reaches all that the agent names, and is told of nothing beyond its reach. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

type Ids = { collectionIds: string[]; agentIds: string[]; connectionIds: string[] }

/** An agent that names one of each kind that a narrowed key reaches, and one that it does not. */
async function startNarrowed(t: TestContext) {
  const { app, source, connect, sync } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const one = async (name: string): Promise<Ids> => {
    const connection = await connect()
    const collectionId = await createCollection(app, app.liveKey, name)
    const body = { sync: { collectionId } }
    assert.equal((await app.request('PATCH', `/integrations/${connection}`, { body })).status, 200)
    await sync(connection)
    const { id } = await createAgentIn(app, { name })
    return { collectionIds: [collectionId], agentIds: [id], connectionIds: [connection] }
  }
  const [open, kept] = [await one('open'), await one('kept')]
  const both: Ids = {
    collectionIds: [...kept.collectionIds, ...open.collectionIds],
    agentIds: [...kept.agentIds, ...open.agentIds],
    connectionIds: [...kept.connectionIds, ...open.connectionIds],
  }
  const tools = ['search_knowledge', 'call_agent', 'scripted_recall']
  const { id } = await createAgentIn(app, { name: 'Both', tools, ...both })
  const narrow = await app.createKey({
    userId: app.ownerId,
    collectionIds: open.collectionIds,
    agentIds: [id, ...open.agentIds],
  })
  const agent = async (key: TestKey = app.liveKey) =>
    (await app.request('GET', `/agents/${id}`, { key })).body.data
  const patch = (body: object, key: TestKey = narrow) => app.request('PATCH', `/agents/${id}`, { body, key })
  return { app, id, open, kept, both, narrow, agent, patch }
}

const idsOf = ({ collectionIds, agentIds, connectionIds }: Ids): Ids => ({
  collectionIds: collectionIds.toSorted(),
  agentIds: agentIds.toSorted(),
  connectionIds: connectionIds.toSorted(),
})

/** Every way to change an agent or what belongs to it. */
const changes = (id: string, { schedule, trigger }: { schedule: string; trigger: string }) =>
  [
    ['PATCH', `/agents/${id}`, { instructions: 'Tell me.' }],
    ['PATCH', `/agents/${id}`, { status: 'paused' }],
    ['PATCH', `/agents/${id}`, { collectionIds: [], agentIds: [], connectionIds: [] }],
    ['PATCH', `/agents/${id}`, { name: 'Draft', publish: false }],
    ['POST', `/agents/${id}/schedules`, { name: 'Yearly', cron: '0 0 1 1 *', prompt: 'Zebra?' }],
    ['PATCH', `/agents/${id}/schedules/${schedule}`, { prompt: 'Another?' }],
    ['PATCH', `/agents/${id}/schedules/${schedule}`, { status: 'paused' }],
    ['DELETE', `/agents/${id}/schedules/${schedule}`, undefined],
    ['POST', `/agents/${id}/triggers`, { name: 'A trigger', promptTemplate: 'Zebra?' }],
    ['PATCH', `/agents/${id}/triggers/${trigger}`, { promptTemplate: 'Another?' }],
    ['POST', `/agents/${id}/triggers/${trigger}/rotate`, {}],
    ['DELETE', `/agents/${id}/triggers/${trigger}`, undefined],
    ['PUT', `/agents/${id}/public-chat`, { origins: ['https://example.com'] }],
    ['DELETE', `/agents/${id}/public-chat`, undefined],
    ['DELETE', `/agents/${id}`, undefined],
  ] as const

async function startersOf(app: TestApp, id: string): Promise<{ schedule: string; trigger: string }> {
  const made = async (path: string, body: object): Promise<string> =>
    (await app.request('POST', `/agents/${id}/${path}`, { body })).body.data.id
  return {
    schedule: await made('schedules', { name: 'Yearly', cron: '0 0 1 1 *', prompt: 'Zebra?' }),
    trigger: await made('triggers', { name: 'A trigger', promptTemplate: 'Zebra?' }),
  }
}

test('a narrowed key that reaches only a part of what an agent names changes nothing of the agent', async t => {
  const { app, id, open, both, narrow, agent, patch } = await startNarrowed(t)
  const starters = await startersOf(app, id)
  const before = await agent()
  for (const [field, word] of [
    ['collectionIds', 'collections'],
    ['agentIds', 'agents'],
    ['connectionIds', 'connections'],
  ] as const) {
    await patch({ ...open, [field]: both[field], tools: [] }, app.liveKey)
    for (const [method, path, body] of changes(id, starters)) {
      const reply = await app.request(method, path, { body, key: narrow })
      const answer = `${method} ${path} ${JSON.stringify(reply.body)}`
      assert.deepEqual([reply.status, reply.body?.details?.needs], [403, 'record'], answer)
      assert.match(reply.body.message, new RegExp(`uses ${word} that`))
      assert.ok(
        !Object.values(both)
          .flat()
          .some(one => reply.body.message.includes(one)),
        answer,
      )
    }
  }
  // By the owner.
  assert.equal((await agent()).revision, before.revision + 3)
})

test('a draft, an earlier revision and a search in all collections keep an agent from a narrowed key too', async t => {
  const { id, app, open, both, narrow, patch } = await startNarrowed(t)
  const needs = async (method: string, path: string, body: object) => {
    const reply = await app.request(method, path, { body, key: narrow })
    return reply.status === 200 ? 'nothing' : reply.body.details.needs
  }
  const rename = () => needs('PATCH', `/agents/${id}`, { name: 'Renamed' })
  assert.equal((await patch({ ...open, tools: [] }, app.liveKey)).status, 200)
  assert.equal(await rename(), 'nothing')
  assert.equal(await needs('POST', `/agents/${id}/publish`, { revision: 1 }), 'record')
  assert.equal(await needs('PATCH', `/agents/${id}`, { fromRevision: 1 }), 'record')
  const draft = { collectionIds: both.collectionIds, publish: false }
  assert.equal((await patch(draft, app.liveKey)).status, 200)
  assert.equal(await rename(), 'record')
  assert.equal((await patch({ collectionIds: [] }, app.liveKey)).status, 200)
  assert.equal(await rename(), 'record')
})

test('a narrowed key names no id beyond its reach in an agent that it may change', async t => {
  const { app, open, kept, agent, patch } = await startNarrowed(t)
  assert.equal((await patch({ ...open, tools: [] }, app.liveKey)).status, 200)
  for (const [field, ids] of Object.entries(kept)) {
    const { status, body } = await patch({ [field]: ids })
    assert.deepEqual([status, body.errors[0].field], [400, `${field}.0`])
  }
  const { status, body } = await patch({ instructions: 'Be kind.' })
  assert.deepEqual([status, body.data?.instructions], [200, 'Be kind.'])
  assert.deepEqual(idsOf(await agent()), idsOf(open))
})

test('a comparison of runs names no id beyond reach', async t => {
  const { app, id, open, kept, narrow, patch } = await startNarrowed(t)
  const run = async () => {
    const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Zebra?' }, key: narrow })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data.id
  }
  const first = await run()
  assert.equal((await patch({ ...open, tools: ['search_knowledge'] }, app.liveKey)).status, 200)
  const path = `/runs/${first}/comparison?with=${await run()}`
  const fields = async (key: TestKey) => {
    const { data } = (await app.request('GET', path, { key })).body
    const text = JSON.stringify(data)
    const named = Object.values(kept).flat()
    return {
      fields: data.agent.map(({ field }: { field: string }) => field),
      isTold: named.some(one => text.includes(one)),
    }
  }
  assert.deepEqual(await fields(narrow), { fields: ['tools'], isTold: false })
  const { fields: all, isTold } = await fields(app.liveKey)
  assert.deepEqual([all.includes('collectionIds'), isTold], [true, true])
})
