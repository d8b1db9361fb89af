import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../../platform/clock.ts'
import { startIntegrationApp } from '../../../testing/apps/integration-app.ts'

const path = '/oauth-clients/github'
const withoutServer = { settings: { ATRIUM_GITHUB_CLIENT_ID: '', ATRIUM_GITHUB_CLIENT_SECRET: '' } }

test("a workspace's own client goes before the server's, is stored encrypted and never shown", async t => {
  const { app, oauth, connected } = await startIntegrationApp(t, {
    settings: { ATRIUM_GITHUB_CLIENT_ID: 'of-the-server', ATRIUM_GITHUB_CLIENT_SECRET: 'its-secret' },
  })
  const before = await app.request('GET', path)
  assert.deepEqual(before.body.data, {
    integrationId: 'github',
    source: 'server',
    clientId: 'of-the-server',
    redirectUrl: oauth.registeredRedirect,
    updatedAt: null,
  })
  const own = { clientId: oauth.client.id, clientSecret: oauth.client.secret }
  const put = await app.request('PUT', path, { body: own })
  assert.deepEqual(
    [put.status, put.body.data.source, put.body.data.clientId],
    [200, 'workspace', own.clientId],
  )
  const shown = JSON.stringify([put.body, (await app.request('GET', path)).body, app.logLines])
  assert.equal(shown.includes(own.clientSecret), false)
  const rows = await app.dependencies.database.read.selectFrom('oauth_clients').selectAll().execute()
  assert.equal(JSON.stringify(rows).includes(own.clientSecret), false)
  const id = await connected('github')
  assert.equal((await app.request('GET', `/integrations/${id}`)).body.data.status, 'active')
  const outdated = { headers: { 'if-match': String(before.headers.etag) } }
  assert.equal((await app.request('PUT', path, { ...outdated, body: own })).status, 412)
  assert.equal((await app.request('DELETE', path, outdated)).status, 412)

  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.equal((await app.request('GET', path)).body.data.source, 'server')
  assert.equal((await app.request('DELETE', path)).status, 404)
})

test('without any client the integration is not configured; one of the workspace makes it so, for that workspace alone', async t => {
  const { app, oauth } = await startIntegrationApp(t, withoutServer)
  const neighbour = await app.createWorkspace()
  const theirs = await app.createKey({ workspaceId: neighbour.workspaceId, userId: neighbour.ownerId })
  const isConfigured = async (key = app.liveKey) => {
    const { body } = await app.request('GET', '/integrations/catalog', { key })
    return body.data.find((entry: { id: string }) => entry.id === 'github').configured
  }
  assert.equal(await isConfigured(), false)
  const refused = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'integration_not_configured'])
  const body = { clientId: oauth.client.id, clientSecret: oauth.client.secret }
  assert.equal((await app.request('PUT', path, { body })).status, 200)
  assert.deepEqual([await isConfigured(), await isConfigured(theirs)], [true, false])
  assert.equal((await app.request('GET', path, { key: theirs })).body.data.source, 'none')
})

test('tokens stay with the client that they were given to: another one does not spoil them, its end is told', async t => {
  const { app, pass, connected } = await startIntegrationApp(t)
  const id = await connected('google-drive')
  const drive = '/oauth-clients/google-drive'
  const check = async () => (await app.request('POST', `/integrations/${id}/test`)).body.data
  await app.request('PUT', drive, { body: { clientId: 'another', clientSecret: 'secret-of-another' } })
  pass(2 * hourMs)
  assert.equal((await check()).ok, true)

  const { clientId } = (await app.request('GET', drive)).body.data
  assert.equal(clientId, 'another')
  const own = await startIntegrationApp(t, {
    settings: { ATRIUM_GOOGLE_CLIENT_ID: 'x', ATRIUM_GOOGLE_CLIENT_SECRET: 'y' },
  })
  await own.app.request('PUT', drive, {
    body: { clientId: own.oauth.client.id, clientSecret: own.oauth.client.secret },
  })
  const bound = await own.connected('google-drive')
  await own.app.request('DELETE', drive)
  own.pass(2 * hourMs)
  const { data } = (await own.app.request('POST', `/integrations/${bound}/test`)).body
  assert.deepEqual([data.ok, data.status, data.error.code], [false, 'active', 'integration_not_configured'])
})

test('clients obey roles, narrowing and the sandbox, and name the fault of what is sent', async t => {
  const { app } = await startIntegrationApp(t)
  const body = { clientId: 'an-id', clientSecret: 'a-secret' }
  const viewer = await app.createKey({ role: 'viewer' })
  assert.equal((await app.request('PUT', path, { key: viewer, body })).status, 403)
  const member = await app.createKey({ role: 'member' })
  assert.equal((await app.request('PUT', path, { key: member, body })).status, 403)
  const sandboxed = await app.request('PUT', path, { key: app.testKey, body })
  assert.deepEqual([sandboxed.status, sandboxed.body.code], [403, 'sandbox_forbidden'])
  for (const id of ['website', 'nothing', 'http']) {
    assert.equal((await app.request('PUT', `/oauth-clients/${id}`, { body })).status, 404)
  }
  const faulty = await app.request('PUT', path, { body: { clientId: 'a b', clientSecret: '' } })
  assert.deepEqual(faulty.body.errors.map((error: { field: string }) => error.field).sort(), [
    'clientId',
    'clientSecret',
  ])
  const preview = await app.request('DELETE', path, { query: { dryRun: 'true' } })
  assert.equal(preview.status, 404)
  const { data } = (await app.request('GET', '/audit-log', { query: { action: 'integration.set_client' } }))
    .body
  assert.deepEqual(data, [])
})
