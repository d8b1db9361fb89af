import assert from 'node:assert/strict'
import { after, before, type TestContext, test } from 'node:test'
import { serveOnLoopback, shareIntegrationApp } from '../../../testing/apps/integration-app.ts'
import { startTestApp } from '../../../testing/test-app.ts'

const fields = (body: { errors: { field: string }[] }): string[] =>
  body.errors.map(({ field }) => field).sort()

const enterIntegrations = shareIntegrationApp({ before, after })

/** An API on loopback that takes one key in one header; the key can be changed. */
async function serveApi(t: TestContext, header = 'authorization', accepted = 'Bearer right-key') {
  const api = { origin: '', accepted, requests: 0 }
  api.origin = await serveOnLoopback(t, (request, response) => {
    api.requests++
    const status = request.headers[header] !== api.accepted ? 401 : request.url === '/v1/me' ? 200 : 404
    response.writeHead(status).end()
  })
  return api
}

test('the catalog lists what can be connected, and says what the operator has not configured', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const { status, body } = await app.request('GET', '/integrations/catalog')
  assert.equal(status, 200)
  assert.deepEqual(body.meta, { page: 1, pageSize: 20, total: body.data.length })
  const shown = body.data.map((entry: Record<string, unknown>) => [entry.id, entry.auth, entry.configured])
  assert.deepEqual(shown, [
    ['github', 'oauth2', false],
    ['google-drive', 'oauth2', false],
    ['http', 'api_key', true],
    ['mcp', 'mcp', true],
    ['notion', 'oauth2', false],
    ['slack', 'oauth2', false],
    ['website', 'none', true],
  ])
  const github = body.data[0]
  assert.deepEqual(github.authKinds, ['oauth2', 'api_key'])
  assert.match(github.credentialsSchema.description, /personal access token/i)
  const second = await app.request('GET', '/integrations/catalog', { query: { page: 2, pageSize: 5 } })
  assert.deepEqual(
    second.body.data.map((entry: { id: string }) => entry.id),
    ['slack', 'website'],
  )
  const refused = await app.request('POST', '/integrations/connect', { body: { integrationId: 'github' } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'integration_not_configured'])
})

test('an API key is tried before anything is stored', async t => {
  const { app } = await enterIntegrations()
  const api = await serveApi(t)
  const connect = (apiKey: string, testPath = '/me') =>
    app.request('POST', '/integrations/connect', {
      body: {
        integrationId: 'http',
        config: { baseUrl: `${api.origin}/v1`, testPath },
        credentials: { apiKey },
      },
    })
  const rejected = await connect('wrong-key')
  assert.deepEqual([rejected.status, rejected.body.code], [422, 'credentials_rejected'])
  const misled = await connect('right-key', '/nowhere')
  assert.deepEqual([misled.status, fields(misled.body)], [400, ['config.testPath']])
  assert.equal((await app.request('GET', '/integrations')).body.meta.total, 0)

  const active = await connect('right-key')
  assert.equal(active.status, 201)
  assert.equal(active.body.data.status, 'active')
  assert.equal('authorizationUrl' in active.body.data, false)
  assert.equal(active.body.data.account.name, new URL(api.origin).host)
  assert.doesNotMatch(JSON.stringify(active.body), /right-key/)
})

test('a key goes into the header that the config names, with or without a word before it', async t => {
  const { app } = await enterIntegrations()
  const plain = await serveApi(t, 'x-api-key', 'right-key')
  const token = await serveApi(t, 'authorization', 'Token right-key')
  for (const [api, header] of [
    [plain, { header: 'X-Api-Key', scheme: '' }],
    [token, { scheme: 'Token' }],
  ] as const) {
    const { status } = await app.request('POST', '/integrations/connect', {
      body: {
        integrationId: 'http',
        config: { baseUrl: `${api.origin}/v1/`, testPath: 'me', ...header },
        credentials: { apiKey: 'right-key' },
      },
    })
    assert.equal(status, 201)
  }
})

test('what is no key is refused in words, and a service that is not there is named once', async () => {
  const { app } = await enterIntegrations()
  const connect = (apiKey: string) =>
    app.request('POST', '/integrations/connect', {
      body: { integrationId: 'http', config: { baseUrl: 'http://127.0.0.1:1' }, credentials: { apiKey } },
    })
  const message = 'must be printable ASCII characters without spaces'
  assert.deepEqual((await connect('ghp_…')).body.errors, [
    { field: 'credentials.apiKey', message, rule: 'pattern' },
  ])
  const { body } = await connect('a-key')
  assert.equal(body.code, 'integration_unreachable')
  assert.equal(body.message.match(/127\.0\.0\.1/g)?.length, 1, body.message)
})

test('of several connections of a service that were given no name each is named after its account', async t => {
  const { app } = await enterIntegrations()
  const names: string[] = []
  for (const more of [{}, {}, { name: 'Third' }]) {
    const baseUrl = await serveOnLoopback(t, (_request, response) => response.end('{}'))
    const { body } = await app.request('POST', '/integrations/connect', {
      body: { integrationId: 'http', config: { baseUrl }, ...more },
    })
    names.push(body.data.name.replace(new URL(baseUrl).host, 'its host'))
  }
  assert.deepEqual(names, ['HTTP API', 'HTTP API (its host)', 'Third'])
})

test('a key that the service stops taking makes the connection needs_reauth; once it is taken again, active', async t => {
  const { app } = await enterIntegrations()
  const api = await serveApi(t)
  const { body } = await app.request('POST', '/integrations/connect', {
    body: {
      integrationId: 'http',
      config: { baseUrl: api.origin, testPath: '/v1/me' },
      credentials: { apiKey: 'right-key' },
    },
  })
  const check = async () => (await app.request('POST', `/integrations/${body.data.id}/test`)).body.data
  api.accepted = 'Bearer another-key'
  const failed = await check()
  assert.deepEqual(
    [failed.ok, failed.status, failed.error.code],
    [false, 'needs_reauth', 'credentials_rejected'],
  )
  api.accepted = 'Bearer right-key'
  assert.deepEqual([(await check()).ok, (await check()).status], [true, 'active'])
})

test('an API that is open to all is connected without a key, and one that asks for a key is not', async t => {
  const { app } = await enterIntegrations()
  const open = await serveOnLoopback(t, (_request, response) => response.end('{}'))
  const closed = await serveOnLoopback(t, (_request, response) => response.writeHead(401).end('{}'))
  const connect = (baseUrl: string) =>
    app.request('POST', '/integrations/connect', { body: { integrationId: 'http', config: { baseUrl } } })
  const { status, body } = await connect(open)
  assert.deepEqual([status, body.data.status], [201, 'active'])
  const tested = await app.request('POST', `/integrations/${body.data.id}/test`)
  assert.equal(tested.body.data.ok, true)
  assert.equal((await connect(closed)).body.code, 'credentials_rejected')
})

test('every fault of the input is named at once, under its own name', async () => {
  const { app } = await enterIntegrations()
  const connect = async (body: unknown) => {
    const reply = await app.request('POST', '/integrations/connect', { body })
    assert.equal(reply.status, 400)
    return fields(reply.body)
  }
  assert.deepEqual(await connect({ integrationId: 'nothing' }), ['integrationId'])
  assert.deepEqual(await connect({ integrationId: 'http' }), ['config.baseUrl'])
  assert.deepEqual(
    await connect({
      integrationId: 'http',
      config: { baseUrl: 'ftp://example.com', header: 'Host', surprise: 1 },
      credentials: { apiKey: 'a\nb', other: 1 },
      redirectUrl: 'https://app.example.com/',
    }),
    ['config.surprise', 'credentials.apiKey', 'credentials.other', 'redirectUrl'],
  )
  const config = { baseUrl: 'https://user:pass@example.com', header: 'Host' }
  assert.deepEqual(await connect({ integrationId: 'http', config, credentials: { apiKey: 'k' } }), [
    'config.baseUrl',
    'config.header',
  ])
  assert.deepEqual(
    await connect({ integrationId: 'google-drive', config: { a: 1 }, credentials: { apiKey: 'k' } }),
    ['config.a', 'credentials'],
  )
  assert.deepEqual(await connect({ integrationId: 'website', config: { url: 'nowhere' }, credentials: {} }), [
    'config.url',
    'credentials',
  ])
})

test('of secret headers without number no more are looked at than a connection may have', async () => {
  const { app } = await enterIntegrations()
  const headers = Object.fromEntries(Array.from({ length: 5_000 }, (_, index) => [`Content-${index}`, 'x']))
  const { status, body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: 'https://api.example.com' }, credentials: { headers } },
  })
  assert.equal(status, 400)
  // One of each, and one for their number.
  assert.deepEqual(body.errors.length, 11)
})

test('an address inside the network is refused in every spelling, also behind a redirect', async t => {
  const { app } = await enterIntegrations()
  let insideRequests = 0
  const inside = await serveOnLoopback(
    t,
    (_, response) => {
      insideRequests++
      response.end()
    },
    '127.0.0.2',
  )
  const { port } = new URL(inside)
  const detour = await serveOnLoopback(t, (_, response) =>
    response.writeHead(302, { location: inside }).end(),
  )
  for (const address of [
    inside,
    `http://2130706434:${port}`,
    `http://0x7f.2:${port}`,
    `http://[::ffff:127.0.0.2]:${port}`,
    'http://169.254.169.254/latest/meta-data',
    detour,
  ]) {
    const website = await app.request('POST', '/integrations/connect', {
      body: { integrationId: 'website', config: { url: address } },
    })
    assert.deepEqual([website.status, fields(website.body)], [400, ['config.url']], address)
    const api = await app.request('POST', '/integrations/connect', {
      body: { integrationId: 'http', config: { baseUrl: address }, credentials: { apiKey: 'k' } },
    })
    assert.equal(api.status, 400, address)
  }
  assert.equal(insideRequests, 0)
})

test('a website is connected by its address; one that is missing or down is not', async t => {
  const { app } = await enterIntegrations()
  const site = await serveOnLoopback(t, (request, response) => {
    response
      .writeHead(request.url === '/docs' ? 200 : request.url === '/busy' ? 503 : 404)
      .end('<h1>Docs</h1>')
  })
  const connect = (path: string) =>
    app.request('POST', '/integrations/connect', {
      body: { integrationId: 'website', config: { url: `${site}${path}` } },
    })
  const connected = await connect('/docs')
  assert.deepEqual([connected.status, connected.body.data.status], [201, 'active'])
  const tested = await app.request('POST', `/integrations/${connected.body.data.id}/test`)
  assert.equal(tested.body.data.ok, true)
  assert.deepEqual(fields((await connect('/missing')).body), ['config.url'])
  const busy = await connect('/busy')
  assert.deepEqual([busy.status, busy.body.code, busy.body.retryable], [503, 'integration_unreachable', true])
  assert.ok(busy.headers['retry-after'])
})

test('in the sandbox a connection is simulated: nothing is called, nothing is kept, nothing is seen by live keys', async t => {
  const { app, oauth } = await enterIntegrations()
  const api = await serveApi(t)
  const key = app.testKey
  const connect = (integrationId: string, more: object = {}) =>
    app.request('POST', '/integrations/connect', { key, body: { integrationId, ...more } })
  const http = (apiKey: string) =>
    connect('http', { config: { baseUrl: api.origin }, credentials: { apiKey } })

  const github = await connect('github')
  assert.deepEqual([github.status, github.body.data.status], [201, 'active'])
  assert.equal('authorizationUrl' in github.body.data, false)
  assert.equal((await http('any-key')).status, 201)
  assert.equal((await http('sim:rejected')).body.code, 'credentials_rejected')
  assert.equal((await http('sim:unreachable')).body.code, 'integration_unreachable')
  assert.deepEqual(fields((await connect('http')).body), ['config.baseUrl'])
  const tested = await app.request('POST', `/integrations/${github.body.data.id}/test`, { key })
  assert.equal(tested.body.data.ok, true)

  assert.equal((await app.request('GET', '/integrations', { key })).body.meta.total, 2)
  assert.equal((await app.request('GET', '/integrations')).body.meta.total, 0)
  assert.equal((await app.request('GET', `/integrations/${github.body.data.id}`)).status, 404)
  assert.equal(api.requests + oauth.tokenRequests.length, 0)
  const rows = await app.dependencies.database.read
    .selectFrom('connections')
    .select('credentials')
    .where('workspace_id', '=', app.workspaceId)
    .execute()
  assert.deepEqual(rows, [{ credentials: null }, { credentials: null }])
  assert.equal((await app.request('DELETE', `/integrations/${github.body.data.id}`, { key })).status, 204)
})
