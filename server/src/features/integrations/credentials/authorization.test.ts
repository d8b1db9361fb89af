import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { minuteMs } from '../../../platform/clock.ts'
import { allowedReturn, shareIntegrationApp } from '../../../testing/apps/integration-app.ts'

const enterIntegrations = shareIntegrationApp({ before, after })

test('connect, authorize, test and disconnect: the whole dance, with each OAuth service of the catalog', async () => {
  const { app, oauth, browse } = await enterIntegrations()
  for (const [integrationId, account, scope] of [
    ['github', { id: '583231', name: 'octocat' }, 'repo'],
    [
      'google-drive',
      { id: '09876', name: 'ada@example.com' },
      'https://www.googleapis.com/auth/drive.readonly',
    ],
  ] as const) {
    oauth.mood.githubStyle = integrationId === 'github'
    const started = await app.request('POST', '/integrations/connect', {
      body: { integrationId, name: 'Ours' },
    })
    assert.equal(started.status, 201)
    const { id, status, authorizationUrl } = started.body.data
    assert.equal(started.headers.location, `/api/v1/integrations/${id}`)
    assert.equal(status, 'pending')

    const page = await browse(authorizationUrl)
    assert.equal(page.status, 200)
    assert.match(page.text, /is connected/)
    assert.match(page.headers.get('content-security-policy') ?? '', /default-src 'none'/)
    assert.doesNotMatch(page.text, /<script/)

    const { body } = await app.request('GET', `/integrations/${id}`)
    assert.equal(body.data.status, 'active')
    assert.deepEqual(body.data.account, account)
    assert.ok(body.data.scopes.includes(scope))
    assert.equal('authorizationUrl' in body.data, false)
    const tested = await app.request('POST', `/integrations/${id}/test`)
    assert.deepEqual([tested.status, tested.body.data.ok, tested.body.data.account], [200, true, account])

    oauth.revoked.length = 0
    assert.equal((await app.request('DELETE', `/integrations/${id}`)).status, 204)
    assert.equal((await app.request('GET', `/integrations/${id}`)).status, 404)
    assert.equal(oauth.revoked.length, 1)
    const left = await app.dependencies.database.read
      .selectFrom('connections')
      .selectAll()
      .where('workspace_id', '=', app.workspaceId)
      .execute()
    assert.deepEqual(left, [])
  }
})

test('the authorization address carries a state, an S256 challenge, the exact callback and the scopes', async () => {
  const { app, oauth } = await enterIntegrations()
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'google-drive' },
  })
  const query = new URL(body.data.authorizationUrl).searchParams
  assert.equal(query.get('redirect_uri'), oauth.registeredRedirect)
  assert.equal(query.get('code_challenge_method'), 'S256')
  assert.match(query.get('code_challenge') ?? '', /^[\w-]{43}$/)
  assert.match(query.get('state') ?? '', /^[0-9A-Za-z]{43}$/)
  assert.equal(query.get('scope'), 'https://www.googleapis.com/auth/drive.readonly')
  assert.equal(query.get('access_type'), 'offline')
  const leftMs = Date.parse(body.data.expiresAt) - Date.parse(body.data.createdAt)
  assert.ok(leftMs <= 10 * minuteMs + 5_000, `${leftMs} ms`)
})

test('the person returns to an allowed redirectUrl with the result, and an origin that is not listed is refused', async () => {
  const { app, oauth, browse } = await enterIntegrations()
  const connect = (redirectUrl: string) =>
    app.request('POST', '/integrations/connect', { body: { integrationId: 'github', redirectUrl } })

  const active = await connect(`${allowedReturn}/done?tab=1`)
  const end = new URL((await browse(active.body.data.authorizationUrl)).url)
  assert.equal(`${end.origin}${end.pathname}`, `${allowedReturn}/done`)
  assert.deepEqual(Object.fromEntries(end.searchParams), {
    tab: '1',
    connectionId: active.body.data.id,
    status: 'active',
  })

  oauth.mood.refuse = 'access_denied'
  const failed = await connect(`${allowedReturn}/done`)
  const refusal = new URL((await browse(failed.body.data.authorizationUrl)).url)
  assert.deepEqual(Object.fromEntries(refusal.searchParams), {
    connectionId: failed.body.data.id,
    status: 'failed',
    error: 'access_denied',
  })

  for (const foreign of [
    'https://evil.example/',
    `${allowedReturn}.evil.example/`,
    'javascript:alert(1)',
    '/done',
  ]) {
    const { status, body } = await connect(foreign)
    assert.equal(status, 400)
    assert.deepEqual(
      body.errors.map((error: { field: string }) => error.field),
      ['redirectUrl'],
    )
  }
})

test('a refusal ends the connection as failed, and the page says so without repeating what the service wrote', async () => {
  const { app, oauth, browse } = await enterIntegrations()
  oauth.mood.refuse = 'access_denied'
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'github', name: '<b>Ours</b>' },
  })
  const page = await browse(body.data.authorizationUrl)
  assert.equal(page.status, 400)
  assert.match(page.text, /GitHub was not connected/)
  assert.match(page.text, /access_denied/)
  assert.doesNotMatch(page.text, /<script|<b>/)
  const after = await app.request('GET', `/integrations/${body.data.id}`)
  assert.equal(after.body.data.status, 'failed')
  assert.equal(after.body.data.lastError.code, 'access_denied')
  const tested = await app.request('POST', `/integrations/${body.data.id}/test`)
  assert.deepEqual([tested.status, tested.body.code], [409, 'connection_not_active'])
})

test('a state works once; a forged, missing, doubled or cut one never', async () => {
  const { app, oauth, browse, callbackAddress } = await enterIntegrations()
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  const callback = new URL(await callbackAddress(body.data.authorizationUrl))
  const state = callback.searchParams.get('state') ?? ''
  const altered = (change: (query: URLSearchParams) => void) => {
    const url = new URL(callback)
    change(url.searchParams)
    return url.href
  }
  const forged = [
    altered(query => query.set('state', 'A'.repeat(43))),
    altered(query => query.set('state', state.slice(1))),
    altered(query => query.set('state', 'x'.repeat(100_000).slice(0, 5_000))),
    altered(query => query.delete('state')),
    altered(query => query.append('state', 'A'.repeat(43))),
  ]
  for (const url of forged) {
    const page = await browse(url)
    assert.equal(page.status, 400)
    assert.match(page.text, /no longer valid/)
  }
  assert.deepEqual(oauth.tokenRequests, [])
  assert.equal((await browse(callback.href)).status, 200)
  const again = await browse(callback.href)
  assert.equal(again.status, 400)
  assert.match(again.text, /no longer valid/)
  assert.deepEqual(oauth.tokenRequests, ['authorization_code'])
  assert.equal((await app.request('GET', `/integrations/${body.data.id}`)).body.data.status, 'active')
})

test('two callbacks with one state at once: one of them connects, the service is asked once', async () => {
  const { app, oauth, browse, callbackAddress } = await enterIntegrations()
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  const callback = await callbackAddress(body.data.authorizationUrl)
  const pages = await Promise.all([browse(callback), browse(callback), browse(callback)])
  assert.deepEqual(pages.map(page => page.status).sort(), [200, 400, 400])
  assert.deepEqual(oauth.tokenRequests, ['authorization_code'])
})

test('after ten minutes the connection is expired and its state is worth nothing', async () => {
  const { app, oauth, pass, browse, callbackAddress } = await enterIntegrations()
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  const callback = await callbackAddress(body.data.authorizationUrl)
  pass(10 * minuteMs)
  assert.equal((await browse(callback)).status, 400)
  assert.deepEqual(oauth.tokenRequests, [])
  assert.equal((await app.request('GET', `/integrations/${body.data.id}`)).body.data.status, 'expired')
  const listed = await app.request('GET', '/integrations', { query: { status: 'expired' } })
  assert.equal(listed.body.meta.total, 1)
  const pending = await app.request('GET', '/integrations', { query: { status: 'pending' } })
  assert.equal(pending.body.meta.total, 0)
})

test("another workspace's state finishes only its own connection, and its code cannot be put under mine", async () => {
  const { app, browse, callbackAddress } = await enterIntegrations()
  const neighbour = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: neighbour.workspaceId, userId: neighbour.ownerId })
  const mine = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  const theirs = await app.request('POST', '/integrations/connect', {
    key,
    body: { integrationId: 'github' },
  })
  const mixed = new URL(await callbackAddress(mine.body.data.authorizationUrl))
  const their = new URL(await callbackAddress(theirs.body.data.authorizationUrl))
  mixed.searchParams.set('code', their.searchParams.get('code') ?? '')
  // PKCE ties a code to the connection that it was asked for.
  assert.equal((await browse(mixed.href)).status, 400)
  assert.equal((await app.request('GET', `/integrations/${mine.body.data.id}`)).body.data.status, 'failed')
  const after = await app.request('GET', `/integrations/${theirs.body.data.id}`, { key })
  assert.equal(after.body.data.status, 'pending')
})

test('a service that answers HTML, nonsense, an error or as somebody else fails the connection with a code', async () => {
  const { app, oauth, browse } = await enterIntegrations()
  const attempt = async () => {
    const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
    assert.equal((await browse(body.data.authorizationUrl)).status, 400)
    const { data } = (await app.request('GET', `/integrations/${body.data.id}`)).body
    assert.equal(data.status, 'failed')
    return data.lastError.code
  }
  const reply = (status: number, type: string, body: string) => {
    oauth.mood.tokenReply = { status, type, body }
    return attempt()
  }
  assert.equal(await reply(200, 'text/html', '<html>'), 'unexpected_reply')
  assert.equal(await reply(200, 'application/json', '{"token":1}'), 'unexpected_reply')
  assert.equal(
    await reply(200, 'application/json', '{"error":"bad_verification_code"}'),
    'bad_verification_code',
  )
  assert.equal(await reply(401, 'application/json', '{"error":"invalid_client"}'), 'invalid_client')
  assert.equal(await reply(400, 'application/json', '{"error":"<script>"}'), 'refused')
  assert.equal(await reply(503, 'text/plain', 'busy'), 'server_error')
  assert.equal(await reply(302, 'text/plain', ''), 'unexpected_reply')
  assert.equal(await reply(200, 'application/json', `{"a":"${'x'.repeat(11_000_000)}"}`), 'unexpected_reply')
  oauth.mood.tokenReply = null
  oauth.mood.issuer = 'https://evil.example'
  assert.equal(await attempt(), 'unexpected_reply')
  oauth.mood.issuer = 'https://github.com/login/oauth'
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  assert.equal((await browse(body.data.authorizationUrl)).status, 200)
})

test('tokens that do not open the service are not kept, and their grant is given back', async () => {
  const { app, oauth, browse } = await enterIntegrations()
  oauth.mood.tokenReply = {
    status: 200,
    type: 'application/json',
    body: '{"access_token":"useless","token_type":"bearer"}',
  }
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'google-drive' },
  })
  assert.equal((await browse(body.data.authorizationUrl)).status, 400)
  const { data } = (await app.request('GET', `/integrations/${body.data.id}`)).body
  assert.deepEqual([data.status, data.lastError.code], ['failed', 'credentials_rejected'])
  assert.deepEqual(oauth.revoked, ['useless'])
})

test('a connection that was disconnected while the person was away stays gone', async () => {
  const { app, oauth, browse, callbackAddress } = await enterIntegrations()
  const { body } = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  const callback = await callbackAddress(body.data.authorizationUrl)
  assert.equal((await app.request('DELETE', `/integrations/${body.data.id}`)).status, 204)
  assert.equal((await browse(callback)).status, 400)
  assert.deepEqual(oauth.tokenRequests, [])
})
