import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs, minuteMs } from '../../../platform/clock.ts'
import {
  type IntegrationApp,
  serveOnLoopback,
  startIntegrationApp,
} from '../../../testing/apps/integration-app.ts'

const reconnect = async ({ app }: IntegrationApp, id: string, body: object = {}, more: object = {}) =>
  app.request('POST', `/integrations/${id}/reconnect`, { body, ...more })

const read = async ({ app }: IntegrationApp, id: string) =>
  (await app.request('GET', `/integrations/${id}`)).body.data

test('a connection that needs its person is reopened under its id, and works again', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth, connected, browse } = setting
  const id = await connected('google-drive')
  oauth.revokeAllGrants()
  await app.request('POST', `/integrations/${id}/test`)
  assert.equal((await read(setting, id)).status, 'needs_reauth')
  const { status, body } = await reconnect(setting, id)
  assert.deepEqual([status, body.data.id, body.data.status], [200, id, 'needs_reauth'])
  assert.equal((await browse(body.data.authorizationUrl)).status, 200)
  const after = await read(setting, id)
  assert.deepEqual([after.status, after.lastError], ['active', null])
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
})

test('an active connection keeps working with its old credentials until new ones do, and when the person does not go on', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth, connected, browse, newBrowser } = setting
  const id = await connected('google-drive')
  const check = async () => (await app.request('POST', `/integrations/${id}/test`)).body.data.ok
  const first = (await reconnect(setting, id)).body.data
  assert.equal(first.status, 'active')
  assert.equal(await check(), true)
  oauth.mood.refuse = 'access_denied'
  assert.equal((await browse(first.authorizationUrl)).status, 400)
  const kept = await read(setting, id)
  assert.deepEqual([kept.status, kept.lastError], ['active', null])
  assert.equal(await check(), true)

  oauth.mood.refuse = null
  const second = (await reconnect(setting, id)).body.data
  const page = await newBrowser().open(second.connectUrl)
  assert.match(page.text, /renews its connection/)
  assert.equal((await newBrowser().send(second.connectUrl, { decision: 'continue' })).status, 200)
  assert.equal(await check(), true)
  // The same account's older grant is left alone: some services end all grants of a person with one.
  assert.deepEqual(oauth.revoked, [])
  assert.match((await browse(second.authorizationUrl)).text, /no longer valid/)
})

test('of another account everything is listed again; of the same one the syncs go on from where they were', async t => {
  const setting = await startIntegrationApp(t)
  const { app, connected, browse } = setting
  const id = await connected('google-drive')
  const { database } = app.dependencies
  const change = (values: { sync_since?: string; account?: string }) =>
    database.write(tx => tx.updateTable('connections').set(values).where('id', '=', id).execute())
  const reconnected = async () => {
    await browse((await reconnect(setting, id)).body.data.authorizationUrl)
    const row = await database.read.selectFrom('connections').select('sync_since').executeTakeFirstOrThrow()
    return row.sync_since
  }
  await change({ sync_since: 'mark' })
  assert.equal(await reconnected(), 'mark')
  await change({ account: JSON.stringify({ id: 'another', name: 'bob@example.com' }) })
  assert.equal(await reconnected(), null)
})

test('what failed or expired begins again, and only the last authorization counts', async t => {
  const setting = await startIntegrationApp(t)
  const { app, pass, browse } = setting
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  const { id } = body.data
  pass(11 * minuteMs)
  assert.equal((await read(setting, id)).status, 'expired')
  const first = (await reconnect(setting, id)).body.data
  const second = (await reconnect(setting, id)).body.data
  assert.equal(second.status, 'pending')
  assert.match((await browse(first.authorizationUrl)).text, /no longer valid/)
  assert.equal((await browse(second.authorizationUrl)).status, 200)
  assert.equal((await read(setting, id)).status, 'active')
})

test('a key is exchanged for another one that works, and kept where the new one does not', async t => {
  const setting = await startIntegrationApp(t)
  const { app } = setting
  let accepted = 'old-key'
  const api = await serveOnLoopback(t, (request, response) => {
    response.writeHead(request.headers.authorization === `Bearer ${accepted}` ? 200 : 401).end('{}')
  })
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: api }, credentials: { apiKey: 'old-key' } },
  })
  const { id } = body.data
  const refused = await reconnect(setting, id, { credentials: { apiKey: 'wrong-key' } })
  assert.deepEqual([refused.status, refused.body.code], [422, 'credentials_rejected'])
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  accepted = 'new-key'
  const renewed = await reconnect(setting, id, { credentials: { apiKey: 'new-key' } })
  assert.deepEqual([renewed.status, renewed.body.data.status], [200, 'active'])
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  const missing = await reconnect(setting, id, {})
  assert.deepEqual([missing.status, missing.body.errors[0].field], [400, 'credentials.apiKey'])
})

test('a key is kept only for the address where it was tried', async t => {
  const setting = await startIntegrationApp(t)
  const { app } = setting
  const evil = await serveOnLoopback(t, (_, response) => response.end('{}'))
  let id = ''
  const good = await serveOnLoopback(t, async (request, response) => {
    if (request.headers.authorization !== undefined) {
      const { status } = await app.request('PATCH', `/integrations/${id}`, {
        body: { config: { baseUrl: evil } },
      })
      assert.equal(status, 200)
    }
    response.end('{}')
  })
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: good } },
  })
  id = body.data.id
  const refused = await reconnect(setting, id, { credentials: { apiKey: 'a-key' } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'concurrent_change'])
  const stored = app.dependencies.database.read.selectFrom('connections').select('credentials')
  assert.equal((await stored.where('id', '=', id).executeTakeFirstOrThrow()).credentials, null)
})

test('a key in the place of a grant ends the grant at the service', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth, connected } = setting
  const id = await connected('github')
  const [token] = oauth.issued.filter(secret => secret.startsWith('access-'))
  const other = await connected('github')
  const key = oauth.issued.filter(secret => secret.startsWith('access-')).at(-1)
  assert.equal((await reconnect(setting, id, { credentials: { apiKey: key } })).status, 200)
  assert.deepEqual(oauth.revoked, [token])
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  assert.notEqual(other, id)
})

test('reconnecting obeys roles, workspaces, environments and If-Match', async t => {
  const setting = await startIntegrationApp(t)
  const { app, connected } = setting
  const id = await connected('github')
  const { workspaceId, ownerId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId, userId: ownerId })
  assert.equal((await reconnect(setting, id, {}, { key: stranger })).status, 404)
  assert.equal((await reconnect(setting, id, {}, { key: app.testKey })).status, 404)
  const viewer = await app.createKey({ role: 'viewer' })
  assert.equal((await reconnect(setting, id, {}, { key: viewer })).status, 403)
  const outdated = await reconnect(setting, id, {}, { headers: { 'if-match': `"${id}.1"` } })
  assert.equal(outdated.status, 412)
  const { body } = await app.request('POST', '/integrations/connect', {
    key: app.testKey,
    body: { integrationId: 'github' },
  })
  const simulated = await reconnect(setting, body.data.id, {}, { key: app.testKey })
  assert.deepEqual([simulated.status, simulated.body.data.status], [200, 'active'])
  assert.equal('authorizationUrl' in simulated.body.data, false)
})

test('credentials are refreshed before they expire while they are unused, and a dead grant is known', async t => {
  const setting = await startIntegrationApp(t)
  const { app, oauth, pass, connected } = setting
  const { integrations } = app.app.services
  const id = await connected('google-drive')
  const refreshes = () => oauth.tokenRequests.filter(type => type === 'refresh_token').length
  assert.equal(await integrations.refreshSoonExpiring(), 0)
  pass(57 * minuteMs)
  await Promise.all([integrations.refreshSoonExpiring(), integrations.refreshSoonExpiring()])
  assert.equal(refreshes(), 1)
  assert.equal(await integrations.refreshSoonExpiring(), 0)
  oauth.revokeAllGrants()
  pass(hourMs)
  assert.equal(await integrations.refreshSoonExpiring(), 1)
  const { status, lastError } = await read(setting, id)
  assert.deepEqual([status, lastError.code], ['needs_reauth', 'invalid_grant'])
})
