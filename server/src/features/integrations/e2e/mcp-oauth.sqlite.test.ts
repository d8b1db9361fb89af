/** An MCP server that a person authorizes: found by its refusal, opened at the service that it names, and nowhere inside. */
import assert from 'node:assert/strict'
import { text } from 'node:stream/consumers'
import { type TestContext, test } from 'node:test'
import {
  allowedReturn,
  type IntegrationApp,
  serveOnLoopback,
  startIntegrationApp,
} from '../../../testing/apps/integration-app.ts'
import { type McpServer, sendJson, startMcpServer } from '../../../testing/servers/mcp-server.ts'

const resourcePath = '/.well-known/oauth-protected-resource/mcp'

async function start(t: TestContext): Promise<IntegrationApp & { mcp: McpServer }> {
  const integrations = await startIntegrationApp(t)
  const mcp = await startMcpServer()
  t.after(mcp.close)
  const { oauth } = integrations
  mcp.accepts = ({ authorization }) => oauth.accepts(authorization)
  mcp.challenge = `Bearer resource_metadata="${mcp.origin}${resourcePath}", scope="notes.read"`
  mcp.pages[resourcePath] = response =>
    sendJson(response, 200, { resource: mcp.url, authorization_servers: [oauth.origin] })
  return { ...integrations, mcp }
}

const connect = ({ app, mcp }: { app: IntegrationApp['app']; mcp: McpServer }, more: object = {}) =>
  app.request('POST', '/integrations/connect', {
    key: app.liveKey,
    body: { integrationId: 'mcp', config: { url: mcp.url }, ...more },
  })

test('a server that refuses leads to its authorization server, and works once a person has agreed', async t => {
  const started = await start(t)
  const { app, oauth, mcp, browse } = started
  const { status, body } = await connect(started, { redirectUrl: `${allowedReturn}/done` })
  assert.equal(status, 201, JSON.stringify(body))
  assert.equal(body.data.status, 'pending')
  const address = new URL(body.data.authorizationUrl)
  assert.equal(address.searchParams.get('resource'), mcp.url)
  assert.equal(address.searchParams.get('scope'), 'notes.read')
  assert.equal(address.searchParams.get('code_challenge_method'), 'S256')
  await browse(body.data.authorizationUrl)
  const { body: shown } = await app.request('GET', `/integrations/${body.data.id}`, { key: app.liveKey })
  assert.equal(shown.data.status, 'active', JSON.stringify(shown.data))
  assert.deepEqual(oauth.resources, [mcp.url])
  assert.deepEqual(oauth.registrations, [[oauth.registeredRedirect]])
  const { body: tools } = await app.request('GET', `/integrations/${body.data.id}/tools`, {
    key: app.liveKey,
  })
  assert.equal(tools.data.length, 2)
  const everything = JSON.stringify([body, shown, tools, app.logLines])
  for (const secret of [oauth.client.secret, ...oauth.issued]) assert.ok(!everything.includes(secret))
})

test('a token is renewed at the endpoint that was stored, and a dead grant needs a person again', async t => {
  const started = await start(t)
  const { app, oauth, mcp, browse } = started
  const { body } = await connect(started)
  await browse(body.data.authorizationUrl)
  // From now on the server names another service, which must get nothing.
  const stolen: string[] = []
  const thief = await serveOnLoopback(t, (request, response) => {
    stolen.push(request.url ?? '')
    response.end()
  })
  mcp.pages[resourcePath] = response =>
    sendJson(response, 200, { resource: mcp.url, authorization_servers: [thief] })
  oauth.forgetAccessTokens()
  const test = () => app.request('POST', `/integrations/${body.data.id}/test`, { key: app.liveKey })
  assert.equal((await test()).body.data.ok, true)
  assert.deepEqual(oauth.tokenRequests, ['authorization_code', 'refresh_token'])
  assert.deepEqual(oauth.resources, [mcp.url, mcp.url])
  oauth.revokeAllGrants()
  assert.equal((await test()).body.data.status, 'needs_reauth')
  assert.deepEqual(stolen, [])
})

test('what one service gave goes to no other, whichever service the server names at a reconnection', async t => {
  const started = await start(t)
  const { app, oauth, mcp, browse } = started
  const { body } = await connect(started)
  const path = `/integrations/${body.data.id}`
  await browse(body.data.authorizationUrl)
  const stolen: string[] = []
  const thief = await serveOnLoopback(t, async (request, response) => {
    const { host, authorization = '' } = request.headers
    stolen.push(`${authorization} ${await text(request)}`)
    sendJson(response, 200, {
      issuer: `http://${host}`,
      authorization_endpoint: `http://${host}/authorize`,
      token_endpoint: `http://${host}/token`,
      revocation_endpoint: `http://${host}/revoke`,
      registration_endpoint: `http://${host}/register`,
      code_challenge_methods_supported: ['S256'],
      // The id of the client stands in the address that a person is sent to.
      client_id: oauth.client.id,
      token_endpoint_auth_method: 'none',
    })
  })
  mcp.pages[resourcePath] = response =>
    sendJson(response, 200, { resource: mcp.url, authorization_servers: [thief] })
  assert.equal((await app.request('POST', `${path}/reconnect`, { body: {} })).status, 200)
  oauth.forgetAccessTokens()
  // The person has not agreed yet: what works goes on, and ends where it began.
  assert.equal((await app.request('POST', `${path}/test`)).body.data.ok, true)
  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.equal(oauth.revoked.length, 1)
  assert.ok(stolen.length > 0)
  for (const token of oauth.issued) assert.ok(!stolen.join('\n').includes(token))
})

test('a connection that needs a person is opened again under its own id, and keeps what was accepted', async t => {
  const started = await start(t)
  const { app, oauth, browse } = started
  const { body } = await connect(started)
  const path = `/integrations/${body.data.id}`
  await browse(body.data.authorizationUrl)
  const { body: tools } = await app.request('GET', `${path}/tools`, { key: app.liveKey })
  const [{ name, hash }] = tools.data
  await app.request('POST', `${path}/tools`, { key: app.liveKey, body: { tools: [{ name, accept: hash }] } })
  oauth.revokeAllGrants()
  await app.request('POST', `${path}/test`, { key: app.liveKey })
  const again = await app.request('POST', `${path}/reconnect`, { key: app.liveKey, body: {} })
  assert.equal(again.status, 200, JSON.stringify(again.body))
  await browse(again.body.data.authorizationUrl)
  const after = await app.request('GET', path, { key: app.liveKey })
  assert.equal(after.body.data.status, 'active')
  const { body: kept } = await app.request('GET', `${path}/tools`, { key: app.liveKey })
  assert.equal(kept.data[0].status, 'accepted')
})

test('no address that the server or its service names leads inside', async t => {
  const started = await start(t)
  const { oauth, mcp } = started
  let reached = 0
  const inside = await serveOnLoopback(
    t,
    (_, response) => {
      reached += 1
      response.end('{}')
    },
    '127.0.0.2',
  )
  const refused = async () => {
    const { status, body } = await connect(started)
    assert.ok([400, 422].includes(status), JSON.stringify(body))
    return body.message + JSON.stringify(body.errors)
  }
  const honest = mcp.pages[resourcePath]
  assert.ok(honest !== undefined)
  mcp.challenge = `Bearer resource_metadata="${inside}/metadata"`
  assert.match(await refused(), /must not be reached/)
  mcp.challenge = null
  mcp.pages[resourcePath] = response =>
    sendJson(response, 200, { resource: mcp.url, authorization_servers: [inside] })
  assert.match(await refused(), /must not be reached/)
  mcp.pages[resourcePath] = response => response.writeHead(302, { location: `${inside}/metadata` }).end()
  assert.match(await refused(), /must not be reached/)
  mcp.pages[resourcePath] = honest
  oauth.mood.metadata = { registration_endpoint: `${inside}/register` }
  assert.match(await refused(), /must not be reached/)
  mcp.lie = (_, response) => {
    response.writeHead(307, { location: `${inside}/mcp` }).end()
    return true
  }
  mcp.accepts = () => true
  assert.match(await refused(), /redirects/)
  assert.equal(reached, 0)
})

test('what the metadata must not say opens nothing', async t => {
  const started = await start(t)
  const { oauth, mcp } = started
  const message = async () => {
    const { status, body } = await connect(started)
    assert.equal(status, 422, JSON.stringify(body))
    return body.message
  }
  oauth.mood.metadata = { issuer: 'https://other.example.com' }
  assert.match(await message(), /speaks of the issuer/)
  oauth.mood.metadata = { code_challenge_methods_supported: ['plain'] }
  assert.match(await message(), /PKCE/)
  oauth.mood.metadata = { authorization_endpoint: 'javascript:alert(1)' }
  assert.match(await message(), /authorization_endpoint must be an https address/)
  oauth.mood.metadata = { token_endpoint: 'http://127.0.0.1:1/token' }
  assert.match(await message(), /two origins/)
  oauth.mood.metadata = { registration_endpoint: undefined }
  assert.match(await message(), /registers no clients/)
  mcp.pages[resourcePath] = response =>
    sendJson(response, 200, { resource: 'https://bank.example.com', authorization_servers: [oauth.origin] })
  assert.match(await message(), /not about this one/)
})

test('a client with a secret that a person registered by hand is used, kept, and sent to no other service', async t => {
  const started = await start(t)
  const { app, oauth, mcp, browse } = started
  oauth.mood.metadata = { registration_endpoint: undefined }
  const config = { url: mcp.url, clientId: oauth.client.id }
  const credentials = { clientSecret: oauth.client.secret }
  const without = await connect(started, { config: { url: mcp.url }, credentials })
  assert.equal(without.body.errors[0].field, 'credentials.clientSecret')
  assert.match((await connect(started)).body.message, /oauth\/callback.* and set clientId/)
  const { status, body } = await connect(started, { config, credentials })
  assert.equal(status, 201, JSON.stringify(body))
  await browse(body.data.authorizationUrl)
  const path = `/integrations/${body.data.id}`
  const statusNow = async () => (await app.request('GET', path)).body.data.status
  assert.equal(await statusNow(), 'active')
  assert.deepEqual(oauth.registrations, [])
  const again = await app.request('POST', `${path}/reconnect`, { body: {} })
  await browse(again.body.data.authorizationUrl)
  assert.equal(await statusNow(), 'active')
  const { body: shown } = await app.request('GET', path)
  assert.ok(!JSON.stringify([body, again.body, shown, app.logLines]).includes(oauth.client.secret))

  const endpoints = { authorization_endpoint: 'authorize', token_endpoint: 'token' }
  oauth.mood.metadata = Object.fromEntries(
    Object.entries(endpoints).map(([name, at]) => [name, `http://127.0.0.1:1/${at}`]),
  )
  const moved = await app.request('POST', `${path}/reconnect`, { body: {} })
  assert.deepEqual([moved.status, moved.body.errors[0].field], [400, 'credentials.clientSecret'])
})

test('the secret of a client goes to its own service alone, also when the connection ends', async t => {
  const started = await start(t)
  const { app, oauth, mcp, browse } = started
  const config = { url: mcp.url, clientId: oauth.client.id }
  const credentials = { clientSecret: oauth.client.secret }
  const { body } = await connect(started, { config, credentials })
  const path = `/integrations/${body.data.id}`
  await browse(body.data.authorizationUrl)
  const stolen: string[] = []
  const thief = await serveOnLoopback(t, async (request, response) => {
    stolen.push(`${request.headers.authorization} ${await text(request)}`)
    response.end('{}')
  })
  oauth.mood.metadata = { revocation_endpoint: `${thief}/revoke` }
  const again = await app.request('POST', `${path}/reconnect`, { body: {} })
  await browse(again.body.data.authorizationUrl)
  assert.equal((await app.request('GET', path)).body.data.status, 'active')
  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.deepEqual(stolen, [])
})

test('a client without its secret is refused by a service that gave one', async t => {
  const started = await start(t)
  const { app, oauth, mcp, browse } = started
  const { body } = await connect(started, { config: { url: mcp.url, clientId: oauth.client.id } })
  await browse(body.data.authorizationUrl)
  assert.equal((await app.request('GET', `/integrations/${body.data.id}`)).body.data.status, 'failed')
})

test('services can read what this server is', async t => {
  const { oauth } = await startIntegrationApp(t, {
    settings: { ATRIUM_PUBLIC_URL: 'https://atrium.example.com' },
  })
  const reply = await fetch(new URL('/oauth/client.json', oauth.registeredRedirect ?? ''))
  const document = (await reply.json()) as Record<string, unknown>
  assert.equal(document.client_id, 'https://atrium.example.com/oauth/client.json')
  assert.deepEqual(document.redirect_uris, ['https://atrium.example.com/oauth/callback'])
})
