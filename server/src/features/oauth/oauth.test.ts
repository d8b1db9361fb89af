/** An app connects to `/mcp`: what it finds, what a person gives it, how its tokens live, and what ends them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs, hourMs, minuteMs, secondMs } from '../../platform/clock.ts'
import {
  authorization,
  callerAt,
  connect,
  decide,
  givenCode,
  redirectUri,
  register,
  registered,
  renew,
  sendForm,
  wholeGrant,
} from '../../testing/apps/connected-app.ts'
import { type SignedIn, signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let owner: SignedIn
let now = Date.now()

before(async () => {
  app = await startTestApp({
    clock: () => now,
    settings: { ATRIUM_ANONYMOUS_RATE: '100000', ATRIUM_PERSON_RATE: '100000' },
  })
  owner = await signIn(app, app.ownerId, 400 * dayMs)
})
after(() => app.close())

function pass(ms: number): void {
  now += ms
}

test('both addresses of the resource say the same, and lead to an authorization server without secrets', async () => {
  const read = async (path: string) => (await app.app.server.inject({ method: 'GET', url: path })).json()
  const root = await read('/.well-known/oauth-protected-resource')
  assert.deepEqual(await read('/.well-known/oauth-protected-resource/mcp'), root)
  const origin = app.dependencies.publicUrl()
  assert.equal(root.resource, `${origin}/mcp`)
  assert.deepEqual(root.authorization_servers, [origin])
  const server = await read('/.well-known/oauth-authorization-server')
  assert.deepEqual(await read('/.well-known/openid-configuration'), server)
  assert.equal(server.issuer, origin)
  assert.deepEqual(server.code_challenge_methods_supported, ['S256'])
  assert.deepEqual(server.token_endpoint_auth_methods_supported, ['none'])
  assert.equal(server.client_id_metadata_document_supported, true)
})

test('an app gets what the person allows, for /mcp alone, and is told which server answers', async () => {
  const clientId = await registered(app)
  const { verifier, query } = authorization(clientId, { resource: `${app.dependencies.publicUrl()}/mcp` })
  const sent = await app.app.server.inject({ method: 'GET', url: `/oauth/authorize${query}` })
  assert.deepEqual([sent.statusCode, sent.headers.location], [303, `/authorize${query}`])

  const asked = await owner.request('POST', '/console/apps/ask', { body: { query } })
  assert.equal(asked.status, 200)
  assert.equal(asked.body.data.name, 'Assistant')
  assert.equal(asked.body.data.redirectHost, 'assistant.example')
  assert.equal(asked.body.data.redirectUri, redirectUri)
  assert.deepEqual(asked.body.data.permissions, ['agents:read', 'agents:run', 'knowledge:read'])

  const agent = await app.request('POST', '/agents', { body: { name: 'Shown' } })
  await app.request('POST', '/agents', { body: { name: 'Hidden' } })
  const decided = await decide(owner, query, wholeGrant(app, { agentIds: [agent.body.data.id] }))
  assert.equal(decided.status, 200)
  const { origin, pathname, searchParams } = new URL(decided.body.data.redirectTo)
  assert.equal(origin + pathname, redirectUri)
  assert.equal(searchParams.get('state'), 'a state')
  assert.equal(searchParams.get('iss'), app.dependencies.publicUrl())

  const { status, headers, body } = await sendForm(app, '/oauth/token', {
    grant_type: 'authorization_code',
    code: searchParams.get('code') ?? '',
    redirect_uri: redirectUri,
    client_id: clientId,
    code_verifier: verifier,
  })
  assert.deepEqual([status, headers['cache-control']], [200, 'no-store'])
  assert.deepEqual(
    [body.token_type, body.expires_in, body.scope],
    ['Bearer', 3_600, 'agents:read knowledge:read'],
  )

  const caller = await callerAt(app, 'mcp', body.access_token)
  assert.equal(caller?.userId, app.ownerId)
  assert.deepEqual([...(caller?.permissions ?? [])], ['agents:read', 'knowledge:read'])
  assert.deepEqual(caller?.scope.agentIds, [agent.body.data.id])
  assert.equal(await callerAt(app, 'api', body.access_token), null)
  for (const path of ['/me', '/agents', '/api-keys']) {
    assert.equal((await app.request('GET', path, { key: body.access_token })).status, 401)
  }
  assert.equal(await callerAt(app, 'mcp', body.refresh_token), null)
  pass(hourMs + 11 * minuteMs)
  assert.equal(await callerAt(app, 'mcp', body.access_token), null)
})

test('a grant is a key in the list, which can be narrowed and revoked, and neither widened nor given a secret', async () => {
  const clientId = await registered(app)
  const tokens = await connect(app, owner, clientId)
  const { body } = await app.request('GET', '/api-keys')
  const [key] = body.data
  assert.deepEqual(key.app, { clientId, host: 'assistant.example', audience: 'mcp' })
  assert.equal(key.name, 'Assistant')
  assert.equal(key.hint, 'at_live_…')

  const change = (change: object) => app.request('PATCH', `/api-keys/${key.id}`, { body: change })
  assert.equal((await change({ permissions: ['knowledge:read'] })).status, 200)
  assert.deepEqual(
    [...((await callerAt(app, 'mcp', tokens.access_token))?.permissions ?? [])],
    ['knowledge:read'],
  )
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'One' } })
  assert.equal((await change({ collectionIds: [collection.body.data.id] })).status, 200)
  for (const wider of [
    { permissions: ['knowledge:read', 'keys:write'] },
    { collectionIds: null },
    { expiresAt: null },
  ]) {
    assert.equal((await change(wider)).status, 400, JSON.stringify(wider))
  }
  const rotated = await app.request('POST', `/api-keys/${key.id}/rotate`, { body: {} })
  assert.deepEqual([rotated.status, rotated.body.code], [409, 'key_of_app'])

  await app.request('POST', `/api-keys/${key.id}/revoke`)
  assert.equal(await callerAt(app, 'mcp', tokens.access_token), null)
  const refused = await renew(app, clientId, tokens.refresh_token)
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
})

test('a person finds their apps of all workspaces in their account, ends one at once, and none of anybody else', async () => {
  const clientId = await registered(app)
  const tokens = await connect(app, owner, clientId)
  const listed = await owner.request('GET', '/console/apps')
  const [{ id, name, host, workspaceName }] = listed.body.data
  assert.deepEqual([name, host, workspaceName], ['Assistant', 'assistant.example', 'Test workspace'])
  const other = await signIn(app, (await app.createKey({ role: 'admin' })).caller.userId)
  assert.deepEqual((await other.request('GET', '/console/apps')).body.data, [])
  assert.equal((await other.request('POST', '/console/apps/disconnect', { body: { id } })).status, 404)
  assert.equal((await owner.request('POST', '/console/apps/disconnect', { body: { id } })).status, 204)
  assert.equal(await callerAt(app, 'mcp', tokens.access_token), null)
})

test('who loses a role or leaves the workspace takes it from the app at once', async () => {
  const key = await app.createKey({ role: 'member' })
  const member = await signIn(app, key.caller.userId)
  const clientId = await registered(app)
  const grant = wholeGrant(app, { permissions: ['agents:read', 'agents:run'] })
  const tokens = await connect(app, member, clientId, grant)
  const members = await app.request('GET', '/workspace/members', { query: { pageSize: 100 } })
  const { id } = members.body.data.find(({ userId }: { userId: string }) => userId === member.userId)
  await app.request('PATCH', `/workspace/members/${id}`, { body: { role: 'viewer' } })
  assert.deepEqual(
    [...((await callerAt(app, 'mcp', tokens.access_token))?.permissions ?? [])],
    ['agents:read'],
  )
  const renewed = await renew(app, clientId, tokens.refresh_token)
  assert.equal(renewed.body.scope, 'agents:read')
  await app.request('DELETE', `/workspace/members/${id}`)
  assert.equal(await callerAt(app, 'mcp', renewed.body.access_token), null)
  assert.equal((await renew(app, clientId, renewed.body.refresh_token)).body.error, 'invalid_grant')
})

test('a grant of the sandbox reaches the sandbox', async () => {
  const tokens = await connect(app, owner, await registered(app), wholeGrant(app, { environment: 'test' }))
  assert.match(tokens.access_token, /^at_test_/)
  assert.equal((await callerAt(app, 'mcp', tokens.access_token))?.scope.environment, 'test')
})

test('each renewal brings new tokens, and the grant lives on as long as it is used', async () => {
  const clientId = await registered(app)
  let tokens = await connect(app, owner, clientId)
  for (let days = 0; days < 60; days += 20) {
    pass(20 * dayMs)
    const { status, body } = await renew(app, clientId, tokens.refresh_token)
    assert.equal(status, 200)
    assert.notEqual(body.refresh_token, tokens.refresh_token)
    tokens = body
  }
  assert.notEqual(await callerAt(app, 'mcp', tokens.access_token), null)
  pass(31 * dayMs)
  assert.equal((await renew(app, clientId, tokens.refresh_token)).body.error, 'invalid_grant')
  const { body } = await app.request('GET', '/api-keys')
  assert.equal(body.data[0].status, 'expired')
})

test('two tabs that renew at once get the same next token, and no third party can branch it', async () => {
  const clientId = await registered(app)
  const tokens = await connect(app, owner, clientId)
  const replies = await Promise.all(
    Array.from({ length: 5 }, () => renew(app, clientId, tokens.refresh_token)),
  )
  assert.deepEqual(
    replies.map(({ status }) => status),
    [200, 200, 200, 200, 200],
  )
  assert.equal(new Set(replies.map(({ body }) => body.refresh_token)).size, 1)
  for (const { body } of replies) assert.notEqual(await callerAt(app, 'mcp', body.access_token), null)
  pass(29 * secondMs)
  assert.equal((await renew(app, clientId, tokens.refresh_token)).status, 200)
})

test('a refresh token that comes again later ends the grant, and the log says why', async () => {
  const clientId = await registered(app)
  const stolen = await connect(app, owner, clientId)
  const { body } = await renew(app, clientId, stolen.refresh_token)
  pass(minuteMs)
  const refused = await renew(app, clientId, stolen.refresh_token)
  assert.deepEqual([refused.status, refused.body.error], [400, 'invalid_grant'])
  assert.equal(await callerAt(app, 'mcp', body.access_token), null)
  assert.equal((await renew(app, clientId, body.refresh_token)).body.error, 'invalid_grant')
  const log = await app.request('GET', '/audit-log', { query: { action: 'api_key.revoke' } })
  assert.equal(log.body.data[0].details.reason, 'refresh_token_used_twice')
  assert.equal(log.body.data[0].userId, app.ownerId)
})

test('a code works once, and a second use ends what the first one brought', async () => {
  const clientId = await registered(app)
  const form = await givenCode(app, owner, clientId)
  const first = await sendForm(app, '/oauth/token', form)
  assert.notEqual(await callerAt(app, 'mcp', first.body.access_token), null)
  const second = await sendForm(app, '/oauth/token', form)
  assert.deepEqual([second.status, second.body.error], [400, 'invalid_grant'])
  assert.equal(await callerAt(app, 'mcp', first.body.access_token), null)

  const raced = await givenCode(app, owner, clientId)
  const both = await Promise.all([1, 2].map(() => sendForm(app, '/oauth/token', raced)))
  assert.deepEqual(both.map(({ status }) => status).sort(), [200, 400])
})

test('a code that another app, address or verifier comes with is used up', async () => {
  const clientId = await registered(app)
  const other = await registered(app)
  for (const wrong of [
    { client_id: other },
    { redirect_uri: 'https://assistant.example/other' },
    { code_verifier: 'x'.repeat(60) },
    { code_verifier: 'short' },
  ]) {
    const form = await givenCode(app, owner, clientId)
    assert.equal((await sendForm(app, '/oauth/token', { ...form, ...wrong })).body.error, 'invalid_grant')
    assert.equal((await sendForm(app, '/oauth/token', form)).body.error, 'invalid_grant')
  }
  const late = await givenCode(app, owner, clientId)
  pass(3 * minuteMs)
  assert.equal((await sendForm(app, '/oauth/token', late)).body.error, 'invalid_grant')
})

test('an app gives its grant back by either token, and any other text ends nothing', async () => {
  const clientId = await registered(app)
  for (const which of ['access_token', 'refresh_token'] as const) {
    const tokens = await connect(app, owner, clientId)
    assert.equal((await sendForm(app, '/oauth/revoke', { token: 'nonsense' })).status, 200)
    assert.equal((await sendForm(app, '/oauth/revoke', { token: app.liveKey.key })).status, 200)
    assert.notEqual(await callerAt(app, 'mcp', tokens.access_token), null)
    assert.equal((await sendForm(app, '/oauth/revoke', { token: tokens[which] })).status, 200)
    assert.equal(await callerAt(app, 'mcp', tokens.access_token), null)
  }
  assert.equal((await app.request('GET', '/me')).status, 200)
})

test('what apps hold is stored as a hash, and never logged', async () => {
  const clientId = await registered(app)
  const form = await givenCode(app, owner, clientId)
  const { body } = await sendForm(app, '/oauth/token', form)
  const { database } = app.dependencies
  const stored = JSON.stringify([
    ...(await database.read.selectFrom('app_codes').selectAll().execute()),
    ...(await database.read.selectFrom('app_refresh_tokens').selectAll().execute()),
    ...(await database.read.selectFrom('api_key_secrets').selectAll().execute()),
    ...(await database.read.selectFrom('audit_log').selectAll().execute()),
    ...(await database.read.selectFrom('events').selectAll().execute()),
  ])
  app.dependencies.log.error('Somebody repeats them', {
    error: new Error(`${body.access_token} and ${body.refresh_token}`),
  })
  const all = stored + app.logLines.join('')
  assert.match(all, /\[secret\] and \[secret\]/)
  for (const secret of [form.code ?? '', body.access_token, body.refresh_token])
    assert.ok(!all.includes(secret))
})

test('what has ended is forgotten, apps that no person connected too', async () => {
  const { database } = app.dependencies
  const unused = await registered(app)
  const used = await registered(app)
  await connect(app, owner, used)
  await givenCode(app, owner, used)
  const abandoned = (await app.request('GET', '/api-keys')).body.data[0].id
  pass(2 * dayMs)
  await app.app.features.schedules.find(({ name }) => name === 'remove apps that were not connected')?.run()
  const clients = await database.read.selectFrom('app_clients').select('id').execute()
  const ids = clients.map(({ id }) => id)
  assert.deepEqual([ids.includes(unused), ids.includes(used)], [false, true])
  pass(40 * dayMs)
  await app.app.features.schedules.find(({ name }) => name === 'remove ended tokens and codes of apps')?.run()
  assert.equal((await app.request('GET', `/api-keys/${abandoned}`)).status, 404)
  assert.deepEqual(await database.read.selectFrom('app_codes').select('code_hash').execute(), [])
  assert.deepEqual(await database.read.selectFrom('app_refresh_tokens').select('token_hash').execute(), [])
})

test('an app is sent on to https, a loopback address or its own reversed host name, in one writing only', async () => {
  const status = async (uri: string) => (await register(app, { redirect_uris: [uri] })).status
  for (const fine of [
    'https://a.example/cb',
    'https://a.example',
    'https://a.example:8443/cb?x=1',
    'http://127.0.0.1:33418',
    'http://127.0.0.1/cb',
    'http://[::1]:5000/cb',
    'http://localhost/cb',
    'com.example.app:/oauth2redirect',
    'com.example.app://oauth',
    'com.googleusercontent.apps.123-abc:/oauth2redirect',
    'cursor://anysphere.cursor-mcp/oauth/callback',
    'cursor://anysphere.cursor-retrieval/oauth/user-figma/callback',
    'vscode://publisher.extension/callback',
    'vscode://saoudrizwan.claude-dev/mcp-auth/callback/5f2a9c',
    'vscode-insiders://vscode.github-authentication/did-authenticate',
  ])
    assert.equal(await status(fine), 201, fine)
  for (const wrong of [
    'javascript.x:alert(1)',
    'javascript.example.app://x',
    'vbscript.x:msgbox',
    'data.x:text/html,x',
    'file.x:///etc/passwd',
    'https.x://a.example/',
    'x.y:/cb',
    'c0m.example:/cb',
    'com:/cb',
    'com.:/cb',
    'com..app:/cb',
    'com.example-.app:/cb',
    'com.-example:/cb',
    'com.example+app:/cb',
    'COM.example.app:/cb',
    'HTTPS://a.example/cb',
    'https://A.example/cb',
    'https://a.example:443/cb',
    'https://a.example/x/../cb',
    'https://a.example/%2e%2e/cb',
    'https:a.example/cb',
    'https:\\\\a.example\\cb',
    'https://@a.example/cb',
    ' https://a.example/cb',
    'https://a.example/c\tb',
    'https://a.example/\u202ecb',
    'https://b\u00fccher.example/cb',
    'https://%61.example/cb',
    'https://a.example/cb#',
    'http://localhost./cb',
    'http://localhost.a.example/cb',
    'http://app.localhost/cb',
    'http://127.0.0.1:*/cb',
    'http://*/cb',
    'http://127.1/cb',
    'http://0x7f.0.0.1/cb',
    'http://2130706433/cb',
    'http://127.0.0.2/cb',
    'http://0.0.0.0/cb',
    'http://[0:0:0:0:0:0:0:1]/cb',
    'http://[::ffff:127.0.0.1]/cb',
    'http://me@127.0.0.1/cb',
    'com.example.app://me@x/cb',
    'com.example.app:/cb#x',
    'chrome-extension://abc/cb',
    'ms-settings:x',
  ])
    assert.equal(await status(wrong), 400, wrong)
})

test('an app registers within limits, and an address cannot flood the server', async () => {
  for (const wrong of [
    {},
    { redirect_uris: [] },
    { redirect_uris: 'https://a.example/cb' },
    { redirect_uris: Array.from({ length: 11 }, (_, index) => `https://a.example/${index}`) },
    { redirect_uris: ['http://a.example/cb'] },
    { redirect_uris: ['javascript:alert(1)//a.b'] },
    { redirect_uris: ['data:text/html,x'] },
    { redirect_uris: ['https://a.example/cb#x'] },
    { redirect_uris: ['https://me@a.example/cb'] },
    { redirect_uris: ['http://127.0.0.1.a.example/cb'] },
    { redirect_uris: [`https://a.example/${'x'.repeat(1_000)}`] },
    { redirect_uris: [redirectUri], client_name: 7 },
  ]) {
    const reply = await register(app, wrong)
    assert.equal(reply.status, 400, JSON.stringify(wrong))
    assert.match(reply.body.error, /^invalid_(redirect_uri|client_metadata)$/)
  }
  const named = await register(app, {
    redirect_uris: [redirectUri],
    client_name: '\u202eevil\n\u0000name',
    token_endpoint_auth_method: 'client_secret_post',
  })
  assert.equal(named.body.client_name, 'evilname')
  assert.equal(named.body.token_endpoint_auth_method, 'none')
  assert.equal(named.body.client_secret, undefined)
  let last = named
  for (let i = 0; i < 120 && last.status === 201; i++)
    last = await register(app, { redirect_uris: [redirectUri] })
  assert.deepEqual([last.status, last.body.code], [429, 'rate_limited'])
})
