import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createFeatures } from '../../../features.ts'
import { hourMs, minuteMs, systemSleep } from '../../../platform/clock.ts'
import { type IntegrationApp, shareIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { eventually } from '../../../testing/eventually.ts'

const drive = 'google-drive'

const refreshesOf = ({ oauth }: IntegrationApp): number =>
  oauth.tokenRequests.filter(type => type === 'refresh_token').length

const enterIntegrations = shareIntegrationApp({ before, after })

test('an access token is used until shortly before it expires, then refreshed; the new refresh token is kept', async () => {
  const setting = await enterIntegrations()
  const { app, pass, connected } = setting
  const id = await connected(drive)
  const check = async () => (await app.request('POST', `/integrations/${id}/test`)).body.data.ok
  pass(54 * minuteMs)
  assert.equal(await check(), true)
  assert.equal(refreshesOf(setting), 0)
  for (let round = 1; round <= 3; round++) {
    pass(hourMs)
    assert.equal(await check(), true)
    assert.equal(refreshesOf(setting), round)
  }
})

test('a service that does not rotate refresh tokens is refreshed with the first one again and again', async () => {
  const setting = await enterIntegrations()
  const { app, oauth, pass, connected } = setting
  oauth.mood.rotatesRefreshTokens = false
  const id = await connected(drive)
  for (let round = 1; round <= 2; round++) {
    pass(hourMs)
    assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  }
  assert.equal(refreshesOf(setting), 2)
})

test('many who need the token at once, in two processes, make one refresh', async t => {
  const setting = await enterIntegrations()
  const { app, oauth, pass, connected } = setting
  const id = await connected(drive)
  const isRefreshing = Promise.withResolvers<void>()
  const otherWaits = Promise.withResolvers<void>()
  oauth.mood.beforeToken = () => {
    isRefreshing.resolve()
    return otherWaits.promise
  }
  const { services: other } = createFeatures({
    ...app.dependencies,
    // Nothing but the refresh of the first process lets this one pause.
    sleep: async (ms, signal) => {
      otherWaits.resolve()
      await systemSleep(ms, signal)
    },
  })
  t.after(() => other.authenticator.close())
  pass(hourMs)
  const { caller } = app.liveKey
  const { integrations } = app.app.services
  const first = integrations.test(caller, id)
  await isRefreshing.promise
  const others = [integrations, other.integrations, other.integrations].map(service =>
    service.test(caller, id),
  )
  const checks = await Promise.all([first, ...others])
  assert.deepEqual(
    checks.map(({ error }) => error),
    [null, null, null, null],
  )
  assert.equal(refreshesOf(setting), 1)
})

test('a token that stops working before its time is refreshed once and tried again', async () => {
  const setting = await enterIntegrations()
  const { app, oauth, connected } = setting
  const id = await connected(drive)
  oauth.forgetAccessTokens()
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  assert.equal(refreshesOf(setting), 1)
})

test('a grant that was revoked makes the connection needs_reauth, with and without refresh tokens', async () => {
  for (const [integrationId, lifetimeSeconds, githubStyle] of [
    [drive, 3_600, false],
    ['github', 3_600, true],
    ['github', null, true],
  ] as const) {
    const { app, oauth, connected } = await enterIntegrations()
    Object.assign(oauth.mood, { lifetimeSeconds, githubStyle })
    const id = await connected(integrationId)
    oauth.revokeAllGrants()
    const { data } = (await app.request('POST', `/integrations/${id}/test`)).body
    assert.deepEqual([data.ok, data.status], [false, 'needs_reauth'])
    const { body } = await app.request('GET', '/integrations', { query: { status: 'needs_reauth' } })
    assert.equal(body.data[0].id, id)
    assert.equal(typeof body.data[0].lastError.code, 'string')
  }
})

test('the loser of a race for a refresh uses the tokens of the winner instead of giving up', async () => {
  const setting = await enterIntegrations()
  const { app, oauth, pass, connected } = setting
  const id = await connected(drive)
  pass(hourMs)
  const race = Promise.withResolvers<void>()
  oauth.mood.beforeToken = () => race.promise
  oauth.mood.tokenReply = { status: 400, type: 'application/json', body: '{"error":"invalid_grant"}' }
  const check = app.request('POST', `/integrations/${id}/test`)
  await eventually('the tokens are asked for', () => refreshesOf(setting) > 0)
  assert.equal(refreshesOf(setting), 1)
  await sealAnew(setting, id)
  race.resolve()
  assert.equal((await check).body.data.ok, true)
  assert.equal((await app.request('GET', `/integrations/${id}`)).body.data.status, 'active')
})

test('while the token endpoint is down a token that still works is used; one that has expired is unreachable', async () => {
  const { app, oauth, pass, connected } = await enterIntegrations()
  const id = await connected(drive)
  oauth.mood.tokenReply = { status: 503, type: 'text/plain', body: 'busy' }
  pass(57 * minuteMs)
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  pass(hourMs)
  const { data } = (await app.request('POST', `/integrations/${id}/test`)).body
  assert.deepEqual([data.ok, data.status, data.error.code], [false, 'active', 'integration_unreachable'])
  oauth.mood.tokenReply = null
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  assert.equal((await app.request('GET', `/integrations/${id}`)).body.data.lastError, null)
})

test('a refresh that cannot begin holds up no other one', async t => {
  const setting = await enterIntegrations()
  const { app, pass, connected } = setting
  const id = await connected(drive)
  const settings = { ...app.settings, googleClientSecret: null }
  const { services: unconfigured } = createFeatures({ ...app.dependencies, settings })
  t.after(() => unconfigured.authenticator.close())
  pass(hourMs)
  const { error } = await unconfigured.integrations.test(app.liveKey.caller, id)
  assert.equal(error?.code, 'integration_not_configured')
  const leases = await app.dependencies.database.read
    .selectFrom('connections')
    .select('refresh_lease_until')
    .where('id', '=', id)
    .execute()
  assert.deepEqual(leases, [{ refresh_lease_until: null }])
  assert.equal((await app.request('POST', `/integrations/${id}/test`)).body.data.ok, true)
  assert.equal(refreshesOf(setting), 1)
})

/** Puts the connection's credentials into another envelope, as another process does that was given new ones. */
async function sealAnew({ app }: IntegrationApp, id: string): Promise<void> {
  const { database, keyring } = app.dependencies
  const { data_key: wrappedKey } = await app.app.services.workspaces.find(app.workspaceId)
  const place = { workspaceId: app.workspaceId, wrappedKey, field: `${id}|credentials` }
  const { credentials } = await database.read
    .selectFrom('connections')
    .select('credentials')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const sealed = keyring.encrypt({ ...place, text: keyring.decrypt({ ...place, sealed: credentials ?? '' }) })
  await database.write(tx =>
    tx
      .updateTable('connections')
      .set({ credentials: sealed, credentials_expire_at: null })
      .where('id', '=', id)
      .execute(),
  )
}
