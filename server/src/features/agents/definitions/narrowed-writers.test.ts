/** A key that is narrowed changes and compares agents without touching, or being told of, what it does not reach. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import type { TestKey } from '../../../testing/test-app.ts'

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

test('a narrowed key that sends back the agent that it read, or empties its lists, takes away no id beyond its reach', async t => {
  const { open, kept, both, narrow, agent, patch } = await startNarrowed(t)
  const { name, tools, collectionIds, agentIds, connectionIds } = await agent(narrow)
  const read = { collectionIds, agentIds, connectionIds }
  assert.deepEqual(read, open)
  const sent = await patch({ name, tools, ...read, instructions: 'Be kind.' })
  assert.equal(sent.status, 200, JSON.stringify(sent.body))
  assert.deepEqual(idsOf(sent.body.data), idsOf(open))
  assert.deepEqual(idsOf(await agent()), idsOf(both))

  const emptied = await patch({ collectionIds: [], agentIds: [], connectionIds: [] })
  assert.equal(emptied.status, 200, JSON.stringify(emptied.body))
  assert.deepEqual(idsOf(await agent()), idsOf(kept))
  // The tools that the agent has are sent back as they were read, though no connection of theirs is shown.
  assert.equal((await patch({ tools })).status, 200)
  assert.equal((await patch({ tools, fromRevision: 1 })).status, 200)
  assert.deepEqual(idsOf(await agent()), idsOf(both))
})

test('a narrowed key names no id beyond its reach, and an unlimited one takes any away', async t => {
  const { open, kept, both, agent, patch, app } = await startNarrowed(t)
  for (const [field, ids] of Object.entries(kept)) {
    const { status, body } = await patch({ [field]: ids })
    assert.deepEqual([status, body.errors[0].field], [400, `${field}.0`])
  }
  assert.deepEqual(idsOf(await agent()), idsOf(both))
  assert.equal((await patch(open, app.liveKey)).status, 200)
  assert.deepEqual(idsOf(await agent()), idsOf(open))
})

test('a list that would grow too long by the ids beyond reach is refused', async t => {
  const { app, open, kept, both, narrow, agent, patch } = await startNarrowed(t)
  const more = await Promise.all(Array.from({ length: 19 }, () => createAgentIn(app, { name: 'More' })))
  const ids = more.map(({ id }) => id)
  const wide = [...(narrow.caller.scope.agentIds ?? []), ...open.agentIds, ...ids]
  assert.equal(
    (
      await app.request('PATCH', `/api-keys/${narrow.id}`, {
        body: { agentIds: [(await agent()).id, ...wide] },
      })
    ).status,
    200,
  )
  const refused = await patch({ agentIds: [...open.agentIds, ...ids] })
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'agentIds'])
  assert.deepEqual(idsOf(await agent()), idsOf(both))
  assert.equal((await patch({ agentIds: ids })).status, 200)
  assert.deepEqual((await agent()).agentIds.toSorted(), [...ids, ...kept.agentIds].toSorted())
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

test('a narrowed key that goes back to an earlier revision neither brings back nor takes away an id beyond its reach', async t => {
  const { app, open, kept, both, narrow, agent, patch } = await startNarrowed(t)
  const tools = ['search_knowledge', 'call_agent']
  const asOwner = async (body: object) => {
    const reply = await patch(body, app.liveKey)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data.revision
  }
  const withBoth = await asOwner({ tools, ...both })
  const withOpen = await asOwner(open)
  const withNone = await asOwner({ collectionIds: [], agentIds: [], connectionIds: [] })

  const forth = await patch({ fromRevision: withBoth })
  assert.equal(forth.status, 200, JSON.stringify(forth.body))
  assert.deepEqual([idsOf(forth.body.data), idsOf(await agent())], [idsOf(open), idsOf(open)])

  await asOwner(both)
  for (const fromRevision of [withOpen, withBoth]) {
    assert.equal((await patch({ fromRevision })).status, 200)
    assert.deepEqual([idsOf(await agent(narrow)), idsOf(await agent())], [idsOf(open), idsOf(both)])
  }
  assert.equal((await patch({ fromRevision: withNone })).status, 200)
  assert.deepEqual(idsOf(await agent()), idsOf(kept))
  assert.equal((await patch({ fromRevision: withBoth }, app.liveKey)).status, 200)
  assert.deepEqual(idsOf(await agent()), idsOf(both))
})

test('a narrowed key that publishes another revision publishes neither more nor fewer ids beyond its reach than before', async t => {
  const { app, id, open, kept, both, narrow, agent, patch } = await startNarrowed(t)
  const tools = ['search_knowledge', 'call_agent']
  const none: Ids = { collectionIds: [], agentIds: [], connectionIds: [] }
  const asOwner = async (body: object) => {
    const reply = await patch(body, app.liveKey)
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data.revision
  }
  const publish = async (revision: number, key: TestKey) => {
    const reply = await app.request('POST', `/agents/${id}/publish`, { body: { revision }, key })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const published = async () => {
    const { publishedRevision } = await agent()
    return idsOf((await app.request('GET', `/agents/${id}/revisions/${publishedRevision}`)).body.data.content)
  }
  const withBoth = await asOwner({ tools, ...both })
  const withNone = await asOwner(none)

  const forth = await publish(withBoth, narrow)
  assert.deepEqual([idsOf(forth), await published()], [idsOf(open), idsOf(open)])
  assert.deepEqual([forth.revision, forth.publishedRevision], [withNone + 1, withNone + 1])
  const owners = await publish(withBoth, app.liveKey)
  assert.deepEqual([owners.publishedRevision, await published()], [withBoth, idsOf(both)])
  await publish(withNone, narrow)
  assert.deepEqual(await published(), idsOf(kept))

  // The owner's draft is published by a change of the key, but for what the key does not see of it.
  await asOwner(none)
  const draft = await asOwner({ ...both, publish: false })
  assert.equal((await patch({ name: 'Renamed' })).status, 200)
  assert.deepEqual(await published(), idsOf(open))
  await publish(draft, narrow)
  assert.deepEqual(await published(), idsOf(open))
  // A draft of the key keeps what the owner's draft has, and publishing it by the key does not bring that along.
  await asOwner({ ...both, publish: false })
  const { data } = (await patch({ name: 'Again', publish: false })).body
  assert.deepEqual(idsOf(await agent()), idsOf(both))
  await publish(data.revision, narrow)
  assert.deepEqual(await published(), idsOf(open))
})
