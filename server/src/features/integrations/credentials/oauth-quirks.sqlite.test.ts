import assert from 'node:assert/strict'
import { test } from 'node:test'
import { hourMs } from '../../../platform/clock.ts'
import { startIntegrationApp } from '../../../testing/apps/integration-app.ts'

test("Slack's tokens are taken from where they stand, refreshed, and revoked by Slack's own call", async t => {
  const { app, oauth, pass, connected } = await startIntegrationApp(t)
  oauth.mood.style = 'slack'
  const id = await connected('slack')
  const read = async () => (await app.request('GET', `/integrations/${id}`)).body.data
  const { status, account, scopes } = await read()
  assert.deepEqual([status, account.id], ['active', 'T12345678/W12345678'])
  assert.ok(scopes.includes('channels:history') && scopes.includes('search:read'))
  pass(2 * hourMs)
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  assert.deepEqual(oauth.tokenRequests, ['authorization_code', 'refresh_token'])
  assert.equal((await app.request('DELETE', `/integrations/${id}`)).status, 204)
  assert.deepEqual(oauth.revoked, [oauth.issued.filter(secret => secret.startsWith('access-')).at(-1)])
})

test("Slack's refusals come with status 200 and are understood: a dead grant, a wrong code", async t => {
  const { app, oauth, pass, connected, browse } = await startIntegrationApp(t)
  oauth.mood.style = 'slack'
  const id = await connected('slack')
  oauth.revokeAllGrants()
  pass(2 * hourMs)
  await app.request('POST', `/integrations/${id}/test`)
  const { data } = (await app.request('GET', `/integrations/${id}`)).body
  assert.deepEqual([data.status, data.lastError.code], ['needs_reauth', 'invalid_refresh_token'])
  oauth.mood.tokenReply = {
    status: 200,
    type: 'application/json',
    body: '{"ok":false,"error":"invalid_code"}',
  }
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'slack' } })
  const url = new URL(body.data.authorizationUrl)
  assert.ok(url.searchParams.get('user_scope')?.includes(','))
  assert.equal(url.searchParams.get('scope'), null)
  assert.equal(url.searchParams.get('code_challenge'), null)
  assert.equal((await browse(url.href)).status, 400)
  const failed = (await app.request('GET', `/integrations/${body.data.id}`)).body.data
  assert.deepEqual([failed.status, failed.lastError.code], ['failed', 'invalid_code'])
})

test("Notion's token endpoint gets JSON and HTTP Basic, and its authorization neither scopes nor PKCE", async t => {
  const { app, oauth, pass, connected } = await startIntegrationApp(t)
  oauth.mood.style = 'notion'
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'notion' } })
  const query = new URL(body.data.authorizationUrl).searchParams
  assert.deepEqual(
    [query.get('owner'), query.get('scope'), query.get('code_challenge')],
    ['user', null, null],
  )
  const id = await connected('notion')
  assert.equal((await app.request('GET', `/integrations/${id}`)).body.data.status, 'active')
  pass(2 * hourMs)
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  assert.deepEqual(oauth.tokenRequests, ['authorization_code', 'refresh_token'])
  assert.equal((await app.request('DELETE', `/integrations/${id}`)).status, 204)
  assert.equal(oauth.revoked.length, 1)
})
