/** A connection exists for those alone who reach the collection that it fills: in lists, by id, and for every change. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startScriptedApp } from '../../../testing/apps/scripted-source.ts'
import { createTeam, keepTo } from '../../../testing/apps/team-access.ts'
import type { TestKey } from '../../../testing/test-app.ts'

/** Everything that can be asked about a connection. */
const asksOf = (id: string, syncId: string) =>
  [
    ['GET', `/integrations/${id}`],
    ['PATCH', `/integrations/${id}`, { name: 'Mine' }],
    ['POST', `/integrations/${id}/test`],
    ['POST', `/integrations/${id}/reconnect`, {}],
    ['POST', `/integrations/${id}/sync`, {}],
    ['GET', `/integrations/${id}/syncs`],
    ['GET', `/integrations/${id}/syncs/${syncId}`],
    ['GET', `/integrations/${id}/syncs/${syncId}/items`],
    ['POST', `/integrations/${id}/syncs/${syncId}/cancel`],
    ['DELETE', `/integrations/${id}`],
  ] as const

test('a connection whose collection is kept from a member is neither listed nor read by them, and shows again', async t => {
  const { app, source, connect, sync, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const { collectionId, id: syncId } = await sync(id)
  const member = await app.createKey({ role: 'member' })
  const listed = async (key: TestKey) => {
    const { data, meta } = (await request('GET', '/integrations', { key })).body
    assert.equal(meta.total, data.length)
    return data.map((row: { id: string }) => row.id)
  }
  assert.deepEqual(await listed(member), [id])
  await keepTo(app, `/knowledge/collections/${collectionId}`, [await createTeam(app, 'Guards')])
  assert.deepEqual(await listed(member), [])
  for (const [method, path] of asksOf(id, syncId)) {
    if (method === 'GET') assert.equal((await request(method, path, { key: member })).status, 404, path)
  }
  const made = await request('POST', '/knowledge/collections', { body: { name: 'Other' } })
  assert.deepEqual(await listed(await app.createKey({ collectionIds: [made.body.data.id] })), [])
  assert.deepEqual(await listed(await app.createKey({ collectionIds: [collectionId] })), [id])
  assert.deepEqual(await listed(app.liveKey), [id])
  const open = { body: { access: 'workspace' } }
  await request('PATCH', `/knowledge/collections/${collectionId}`, open)
  assert.deepEqual(await listed(member), [id])
})

test('who may not write knowledge, or does not reach the collection, synchronizes nothing', async t => {
  const { app, source, connect, sync, request } = await startScriptedApp(t)
  source.put('a', 'The text of a')
  const id = await connect()
  const { id: syncId } = await sync(id)
  const weak = await app.createKey({
    userId: app.ownerId,
    permissions: ['integrations:read', 'integrations:write', 'knowledge:read'],
  })
  const refused = await request('POST', `/integrations/${id}/sync`, { body: {}, key: weak })
  assert.deepEqual([refused.status, refused.body.code], [403, 'permission_missing'])
  const schedule = { body: { sync: { everyMinutes: 60 } }, key: weak }
  assert.equal((await request('PATCH', `/integrations/${id}`, schedule)).status, 403)
  assert.equal(
    (await request('DELETE', `/integrations/${id}`, { query: { documents: 'trash' }, key: weak })).status,
    403,
  )
  const made = await request('POST', '/knowledge/collections', { body: { name: 'Other' } })
  const narrow = await app.createKey({ userId: app.ownerId, collectionIds: [made.body.data.id] })
  for (const [method, path, body] of asksOf(id, syncId)) {
    const reply = await request(method, path, { key: narrow, body })
    assert.equal(reply.status, 404, `${method} ${path}`)
  }
  for (const body of [
    { sync: { collectionId: made.body.data.id } },
    { sync: { collectionId: null } },
    { sync: { everyMinutes: 60 } },
    { config: {} },
  ]) {
    const steered = await request('PATCH', `/integrations/${id}`, { body, key: narrow })
    assert.equal(steered.status, 404, JSON.stringify(body))
  }
  assert.equal((await request('GET', `/integrations/${id}/syncs/${syncId}`)).body.data.status, 'succeeded')
  const { workspaceId, ownerId } = await app.createWorkspace()
  const foreign = await app.createKey({ workspaceId, userId: ownerId })
  for (const key of [foreign, app.testKey]) {
    assert.equal((await request('POST', `/integrations/${id}/sync`, { body: {}, key })).status, 404)
    assert.equal((await request('GET', `/integrations/${id}/syncs/${syncId}`, { key })).status, 404)
  }
})
