/** A key that is narrowed to some agents and collections learns of no others: not by the audit log, the list of keys, or events. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { startScriptedApp } from '../../testing/apps/scripted-source.ts'
import { createCollection, untilNoJobs, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import type { TestApp, TestKey } from '../../testing/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

type Narrowing = { collectionId: string; agentId: string; keyId: string; ids: string[] }

test('a narrowed key is told of what it reaches, and by no list, id, count or event of anything else', async t => {
  const { app, source, connect, sync } = await startScriptedApp(t)
  source.put('a', 'The text of a')

  /** One of everything that a key can be narrowed to, or that is in it; each name holds the word. */
  async function furnish(word: string): Promise<Narrowing> {
    const ask = async (method: string, path: string, body: object): Promise<Json> => {
      const reply = await app.request(method, path, { body })
      assert.ok(reply.status < 300, `${method} ${path} ${JSON.stringify(reply.body)}`)
      return reply.body.data
    }
    const collectionId = await createCollection(app, app.liveKey, word)
    const document = await uploadAndWait(app, {
      collectionId,
      name: `${word}.txt`,
      content: word,
      key: app.liveKey,
    })
    await ask('PATCH', `/knowledge/documents/${document.id}`, { title: word })
    const { id: agentId } = await createAgentIn(app, { name: word })
    await ask('PATCH', `/agents/${agentId}`, { description: word })
    const run = await ask('POST', `/agents/${agentId}/run`, { prompt: word })
    await ask('PATCH', `/conversations/${run.conversationId}`, { name: word })
    const key = await ask('POST', '/api-keys', {
      name: word,
      permissions: ['agents:read'],
      agentIds: [agentId],
      collectionIds: [collectionId],
    })
    const ids = [collectionId, document.id, agentId, run.id, run.conversationId, key.id]
    return { collectionId, agentId, keyId: key.id, ids }
  }
  const mine = await furnish('mine')
  const other = await furnish('other')
  const wide = await app.request('POST', '/api-keys', {
    body: { name: 'other', permissions: ['agents:read'] },
  })
  const narrow = await app.createKey({
    userId: app.ownerId,
    agentIds: [mine.agentId],
    collectionIds: [mine.collectionId],
  })
  const connections: string[] = []
  for (const { collectionId } of [mine, other]) {
    const id = await connect()
    connections.push(id)
    const body = { sync: { collectionId } }
    assert.equal((await app.request('PATCH', `/integrations/${id}`, { body })).status, 200)
    await sync(id)
    await app.request('POST', `/integrations/${id}/reconnect`, { body: {} })
  }
  const [ownConnection = '', otherConnection = ''] = connections
  await app.request('POST', `/api-keys/${other.keyId}/revoke`)
  await untilNoJobs(app)

  const foreign = [...other.ids, otherConnection, wide.body.data.id, 'other']
  const entries = await all(app, '/audit-log', narrow)
  const events = await all(app, '/events', narrow)
  const keys = await all(app, '/api-keys', narrow)
  for (const [what, rows] of Object.entries({ entries, events, keys })) {
    for (const row of rows) {
      const text = JSON.stringify(row)
      assert.deepEqual(
        foreign.filter(word => text.includes(word)),
        [],
        `${what}: ${text}`,
      )
    }
  }
  // What it reaches it is told of, as before; the runs of wider keys are none of that.
  const told = new Set(entries.map(({ resourceId }) => resourceId))
  const [collectionId, documentId, agentId, runId, , keyId] = mine.ids
  for (const id of [collectionId, documentId, agentId, keyId, ownConnection]) assert.ok(told.has(id), id)
  assert.ok(!told.has(runId ?? ''))
  assert.deepEqual(keys.map(({ id }) => id).sort(), [keyId, narrow.id].sort())
  assert.ok(events.some(({ data }) => data.id === documentId))
  assert.ok(events.some(({ data }) => data.id === keyId))

  for (const path of [`/api-keys/${other.keyId}`, `/api-keys/${wide.body.data.id}`]) {
    assert.equal((await app.request('GET', path, { key: narrow })).status, 404)
    assert.equal((await app.request('POST', `${path}/revoke`, { key: narrow })).status, 404)
  }
  for (const id of foreign) {
    const filtered = await app.request('GET', '/audit-log', { key: narrow, query: { resourceId: id } })
    assert.deepEqual([filtered.body.data, filtered.body.meta.total], [[], 0])
  }
  for (const event of await all(app, '/events', app.liveKey)) {
    const isForeign = foreign.some(word => JSON.stringify(event).includes(word))
    const { status } = await app.request('GET', `/events/${event.id}`, { key: narrow })
    if (isForeign) assert.equal(status, 404, JSON.stringify(event))
  }
  assert.ok(
    (await all(app, '/audit-log', app.liveKey)).some(({ resourceId }) => resourceId === otherConnection),
  )
  // One that is narrowed to agents alone sees every collection, and no other agent.
  const ofAgent = await app.createKey({ userId: app.ownerId, agentIds: [mine.agentId] })
  const seen = new Set((await all(app, '/audit-log', ofAgent)).map(({ resourceId }) => resourceId))
  assert.deepEqual(
    [other.collectionId, otherConnection, runId ?? '', other.agentId, other.keyId].map(id => seen.has(id)),
    [true, true, true, false, false],
  )
})

async function all(app: TestApp, path: string, key: TestKey): Promise<Json[]> {
  const { status, body } = await app.request('GET', path, { key, query: { pageSize: 100 } })
  assert.equal(status, 200, JSON.stringify(body))
  assert.equal(body.meta.total, body.data.length)
  return body.data
}
