import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

test('a key learns what it may do, what it is narrowed to, when it ends, and its workspace', async () => {
  const collectionIds = [await createCollection(app)]
  const expiresAt = '2100-01-01T00:00:00.000Z'
  const given = ['agents:read', 'knowledge:read'] as const
  const key = await app.createKey({ collectionIds, expiresAt, permissions: given, role: 'viewer' })
  const { status, body } = await app.request('GET', '/me', { key })
  assert.equal(status, 200)
  const { workspace, key: shown, ...me } = body.data
  assert.deepEqual(me, {
    kind: 'key',
    userId: key.caller.userId,
    role: 'viewer',
    environment: 'live',
    permissions: ['agents:read', 'knowledge:read'],
    browserToken: null,
  })
  const { name, ...rest } = shown
  assert.equal(typeof name, 'string')
  const narrowing = { agentIds: null, collectionIds, filter: null, allowedAddresses: null }
  assert.deepEqual(rest, { id: key.id, ...narrowing, expiresAt })
  assert.deepEqual([workspace.id, workspace.plan], [app.workspaceId, 'enterprise'])
})

test('of the permissions of a key, those are named that its person has now', async () => {
  const key = await app.createKey({ role: 'admin', permissions: ['agents:read', 'keys:write'] })
  const permissionsNow = async () => (await app.request('GET', '/me', { key })).body.data.permissions
  assert.deepEqual(await permissionsNow(), ['agents:read', 'keys:write'])
  const members = await app.request('GET', '/workspace/members', { query: { pageSize: 100 } })
  const { id } = members.body.data.find((one: { userId: string }) => one.userId === key.caller.userId)
  await app.request('PATCH', `/workspace/members/${id}`, { body: { role: 'viewer' } })
  assert.deepEqual(await permissionsNow(), ['agents:read'])
})
