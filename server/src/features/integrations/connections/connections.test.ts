import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startIntegrationApp } from '../../../testing/apps/integration-app.ts'

test("another workspace's connection is not there, byte for byte but for the id that was asked for", async t => {
  const { app, connected } = await startIntegrationApp(t)
  const id = await connected('github')
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const never = 'con_01kajz4v7qf3x8m2c9t5b6n0rw'
  const missing = await app.request('GET', `/integrations/${never}`)
  const bare = (body: object, asked: string) =>
    JSON.stringify({ ...body, requestId: '' }).replaceAll(asked, 'asked')
  for (const [method, path] of [
    ['GET', `/integrations/${id}`],
    ['POST', `/integrations/${id}/test`],
    ['DELETE', `/integrations/${id}`],
  ] as const) {
    const { body } = await app.request(method, path, { key })
    assert.equal(bare(body, id), bare(missing.body, never))
  }
  assert.equal((await app.request('GET', '/integrations', { key })).body.meta.total, 0)
  assert.equal((await app.request('GET', `/integrations/${id}`)).status, 200)
})

test('a dry run disconnects nothing, and an outdated If-Match neither', async t => {
  const { app, oauth, connected } = await startIntegrationApp(t)
  const id = await connected('google-drive')
  const preview = await app.request('DELETE', `/integrations/${id}`, { query: { dryRun: 'true' } })
  assert.deepEqual(preview.body.data.effects, [
    { effect: 'deleted', resource: 'connection', count: 1, ids: [id] },
  ])
  const outdated = { headers: { 'if-match': `"${id}.1"` } }
  assert.equal((await app.request('DELETE', `/integrations/${id}`, outdated)).status, 412)
  assert.deepEqual(oauth.revoked, [])
  const { headers } = await app.request('GET', `/integrations/${id}`)
  const present = { headers: { 'if-match': String(headers.etag) } }
  assert.equal((await app.request('DELETE', `/integrations/${id}`, present)).status, 204)
})

test('disconnecting succeeds although the service refuses to revoke', async t => {
  const { app, oauth, connected } = await startIntegrationApp(t)
  const id = await connected('google-drive')
  oauth.client.secret = 'changed'
  oauth.revokeAllGrants()
  assert.equal((await app.request('DELETE', `/integrations/${id}`)).status, 204)
  assert.equal((await app.request('GET', `/integrations/${id}`)).status, 404)
})

test('a repeated connect makes no second connection, and its stored reply holds no authorization address', async t => {
  const { app } = await startIntegrationApp(t)
  const request = { body: { integrationId: 'github' }, headers: { 'idempotency-key': 'once' } }
  const first = await app.request('POST', '/integrations/connect', request)
  const second = await app.request('POST', '/integrations/connect', request)
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.equal(second.body.data.id, first.body.data.id)
  assert.ok('authorizationUrl' in first.body.data)
  assert.equal('authorizationUrl' in second.body.data, false)
  assert.equal((await app.request('GET', '/integrations')).body.meta.total, 1)
})

test('each change leaves an audit row, those that a service causes too', async t => {
  const { app, oauth, connected } = await startIntegrationApp(t)
  const id = await connected('google-drive')
  oauth.revokeAllGrants()
  await app.request('POST', `/integrations/${id}/test`)
  await app.request('DELETE', `/integrations/${id}`)
  const { body } = await app.request('GET', '/audit-log', { query: { resourceId: id } })
  assert.deepEqual(
    body.data.map((entry: { action: string; actor: string }) => [entry.action, entry.actor]).reverse(),
    [
      ['integration.connect', 'key'],
      ['integration.authorize', 'system'],
      ['integration.give_up', 'system'],
      ['integration.test', 'key'],
      ['integration.disconnect', 'key'],
    ],
  )
})

test('a workspace has at most a thousand connections', async t => {
  const { app } = await startIntegrationApp(t)
  const { database, newId } = app.dependencies
  const row = {
    workspace_id: app.workspaceId,
    environment: 'test',
    integration_id: 'github',
    name: 'One of many',
    status: 'active',
    config: '{}',
    scopes: '[]',
    created_at: 0,
    updated_at: 0,
    revision: 1,
  } as const
  const rows = Array.from({ length: 1_000 }, () => ({ ...row, id: newId('connection') }))
  await database.write(tx => tx.insertInto('connections').values(rows).execute())
  const full = await app.request('POST', '/integrations/connect', {
    key: app.testKey,
    body: { integrationId: 'github' },
  })
  assert.deepEqual([full.status, full.body.code], [409, 'limit_reached'])
})
