/** What strangers, other people, other apps and other pages try with a consent. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
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
import { createTeam, keepTo } from '../../testing/apps/team-access.ts'
import { startLoopbackPeer } from '../../testing/peers/loopback-peer.ts'
import { reroute } from '../../testing/peers/rerouted.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let owner: SignedIn
let clientId: string
const routes: Record<string, string> = {}

before(async () => {
  app = await startTestApp({
    settings: {
      ATRIUM_ANONYMOUS_RATE: '100000',
      ATRIUM_PERSON_RATE: '100000',
      ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1/32',
    },
    adapt: dependencies => ({ ...dependencies, safeFetch: reroute(dependencies.safeFetch, routes) }),
  })
  owner = await signIn(app, app.ownerId)
  clientId = await registered(app)
})
after(() => app.close())

const ask = (query: string, person = owner) =>
  person.request('POST', '/console/apps/ask', { body: { query } })

test('a browser is sent nowhere before it is certain that the address is the app’s', async () => {
  for (const uri of [
    'https://evil.example/callback',
    `${redirectUri}/more`,
    `${redirectUri}?x=1`,
    'https://assistant.example@evil.example/callback',
    'https://ASSISTANT.example/callback',
    'http://assistant.example/callback',
    'javascript:alert(1)',
    '',
  ]) {
    const { query } = authorization(clientId, { redirect_uri: uri })
    for (const reply of [
      await ask(query),
      await decide(owner, query, wholeGrant(app)),
      await decide(owner, query, null),
    ]) {
      assert.equal(reply.status, 400, uri)
      assert.ok(!JSON.stringify(reply.body).includes('redirectTo'))
    }
    const sent = await app.app.server.inject({ method: 'GET', url: `/oauth/authorize${query}` })
    assert.match(String(sent.headers.location), /^\/authorize\?/)
  }
  const twice = `${authorization(clientId).query}&redirect_uri=https%3A%2F%2Fevil.example%2F`
  assert.equal((await ask(twice)).status, 400)
  assert.equal((await ask(authorization('app_unknown').query)).status, 400)
  assert.equal((await ask(authorization('atrium-cli').query)).status, 400)
})

test('a request without a proof key, or for another resource, is refused by the person’s click only', async () => {
  const withoutKey = new URLSearchParams(authorization(clientId).query)
  withoutKey.delete('code_challenge')
  for (const [query, error] of [
    [`?${withoutKey}`, 'invalid_request'],
    [authorization(clientId, { code_challenge_method: 'plain' }).query, 'invalid_request'],
    [authorization(clientId, { response_type: 'token' }).query, 'unsupported_response_type'],
    [authorization(clientId, { response_mode: 'fragment' }).query, 'invalid_request'],
    [authorization(clientId, { resource: 'https://other.example/mcp' }).query, 'invalid_target'],
    [authorization(clientId, { resource: `${app.dependencies.publicUrl()}/api/v1` }).query, 'invalid_target'],
  ] as const) {
    const { body } = await ask(query)
    const { searchParams } = new URL(body.data.refusal.redirectTo)
    assert.equal(searchParams.get('error'), error)
    assert.equal(searchParams.get('iss'), app.dependencies.publicUrl())
    assert.equal((await decide(owner, query, wholeGrant(app))).status, 400)
  }
})

test('an app on the person’s computer may listen at any port, and nothing else of its address may differ', async () => {
  const local = await registered(app, [
    'http://127.0.0.1:33418/callback',
    'http://localhost/cb',
    'com.example.app:/cb',
  ])
  const status = async (uri: string) => (await ask(authorization(local, { redirect_uri: uri }).query)).status
  assert.equal(await status('http://127.0.0.1:51234/callback'), 200)
  assert.equal(await status('http://127.0.0.1/callback'), 200)
  assert.equal(await status('http://localhost:8787/cb'), 200)
  assert.equal(await status('com.example.app:/cb'), 200)
  for (const uri of [
    'http://localhost:51234/callback',
    'http://127.0.0.1:51234/other',
    'http://127.0.0.1:51234/callback?x=1',
    'https://127.0.0.1:51234/callback',
    'http://127.0.0.1:51234@evil.example/callback',
    'com.example.app:/other',
  ]) {
    assert.equal(await status(uri), 400, uri)
  }
})

test('an app cannot have an editor act, nor register what needs escaping', async () => {
  for (const uri of [
    'vscode://vscode.git/clone?url=https://evil.example/x',
    'vscode://vscode.git/clone?url=https://evil.example/oauth/callback',
    'vscode://publisher.extension/callback?command=x',
    'vscode://publisher.extension/',
    'vscode://publisher.extension/callback/a/b',
    'vscode://publisher.extension:80/callback',
    'vscode://file/etc/callback',
    'vscode://settings/oauth',
    'vscode://vscode-remote/ssh-remote+evil.example/callback',
    'vscode:extension/ms-vscode.auth',
    'vscode:mcp/install',
    'vscode:mcp/callback',
    'vscode:///oauth/callback',
    'cursor://anysphere.cursor-deeplink/mcp/install?name=x&config=e30',
    'cursor://anysphere.cursor-deeplink/mcp/install',
    'cursor://anysphere.cursor-deeplink/prompt?text=callback',
    'windsurf://windsurf-mcp-registry?serverName=callback',
    'com.example.app:<script>',
    'com.example.app:/cb"onclick=x',
    'com.example.app:/cb?x=`{|}',
    'com.example.app:a b',
  ])
    assert.equal((await register(app, { redirect_uris: [uri] })).status, 400, uri)
})

test('the consent says so of every address that is this computer’s', async () => {
  const isOnThisComputer = async (uri: string): Promise<boolean> => {
    const id = await registered(app, [uri])
    const { status, body } = await ask(authorization(id, { redirect_uri: uri }).query)
    assert.equal(status, 200, uri)
    return body.data.isOnThisComputer
  }
  for (const host of [
    '[::1]',
    '127.0.0.2',
    '[::ffff:7f00:1]',
    'app.localhost',
    'localhost.',
    '0.0.0.0',
    '[::]',
  ]) {
    assert.equal(await isOnThisComputer(`https://${host}/cb`), true, host)
  }
  for (const host of ['127.a.example', 'localhost.example', '[2001:db8::1]', '127.0.0.1.nip.example']) {
    assert.equal(await isOnThisComputer(`https://${host}/cb`), false, host)
  }
})

test('only a person who is signed in decides, on our own page, and for themselves alone', async () => {
  const { query } = authorization(clientId)
  const body = { query, userId: owner.userId, grant: wholeGrant(app) }
  const post = (headers: Record<string, string | undefined>) =>
    owner.request('POST', '/console/apps/decide', { body, headers })
  assert.equal((await post({ cookie: undefined })).status, 401)
  for (const headers of [
    { origin: 'https://evil.example' },
    { origin: undefined },
    { 'sec-fetch-site': 'cross-site' },
    { origin: 'null' },
  ]) {
    assert.deepEqual(
      [(await post(headers)).status, (await post(headers)).body.code],
      [403, 'origin_forbidden'],
    )
  }
  const other = await signIn(app, (await app.createKey({ role: 'admin' })).caller.userId)
  const mistaken = await decide(other, query, wholeGrant(app), owner.userId)
  assert.deepEqual([mistaken.status, mistaken.body.errors[0].field], [400, 'userId'])
  const form = await app.app.server.inject({
    method: 'POST',
    url: '/console/apps/decide',
    headers: {
      cookie: owner.cookie,
      'content-type': 'application/x-www-form-urlencoded',
      origin: 'https://evil.example',
    },
    payload: 'grant=',
  })
  assert.ok(form.statusCode >= 400)
  const key = await app.request('POST', '/api/v1/../../console/apps/decide', { body })
  assert.ok(key.status >= 400)
})

test('the page of the consent cannot be framed', async () => {
  const page = await app.app.server.inject({
    method: 'GET',
    url: '/authorize',
    headers: { accept: 'text/html' },
  })
  assert.match(String(page.headers['content-security-policy']), /frame-ancestors 'none'/)
  assert.equal(page.headers['x-frame-options'], 'DENY')
})

test('a person gives only what they have, and what the app asked for', async () => {
  const { query } = authorization(clientId, { scope: 'agents:read offline_access' })
  const refused = async (person: SignedIn, grant: ReturnType<typeof wholeGrant>) => {
    const { status, body } = await decide(person, query, grant)
    return [status, body.errors?.[0]?.field ?? body.code]
  }
  const just = { permissions: ['agents:read'] }
  assert.deepEqual(await refused(owner, wholeGrant(app)), [400, 'grant.permissions.1'])
  assert.deepEqual(await refused(owner, wholeGrant(app, { permissions: ['keys:write'] })), [
    400,
    'grant.permissions.0',
  ])
  const elsewhere = await app.createWorkspace()
  assert.deepEqual(await refused(owner, wholeGrant(app, { ...just, workspaceId: elsewhere.workspaceId })), [
    400,
    'grant.workspaceId',
  ])
  const stranger = await signIn(app, elsewhere.ownerId)
  const theirs = await stranger.token({ workspaceId: elsewhere.workspaceId })
  const agent = await app.request('POST', '/agents', { key: theirs, body: { name: 'Theirs' } })
  assert.deepEqual(await refused(owner, wholeGrant(app, { ...just, agentIds: [agent.body.data.id] })), [
    400,
    'agentIds.0',
  ])
  const free = await app.createWorkspace('free')
  const poor = await signIn(app, free.ownerId)
  assert.deepEqual(await refused(poor, wholeGrant(app, { ...just, workspaceId: free.workspaceId })), [
    403,
    'plan_required',
  ])
  const viewer = await signIn(app, (await app.createKey({ role: 'viewer' })).caller.userId)
  const all = authorization(clientId).query
  const { status, body } = await decide(viewer, all, wholeGrant(app, { permissions: ['agents:run'] }))
  assert.deepEqual([status, body.errors[0].field], [400, 'permissions.0'])
})

test('what teams withhold from a person does not exist for their app', async () => {
  const key = await app.createKey({ role: 'member' })
  const member = await signIn(app, key.caller.userId)
  const tokens = await connect(app, member, clientId)
  const agent = await app.request('POST', '/agents', { body: { name: 'Kept' } })
  await keepTo(app, `/agents/${agent.body.data.id}`, [await createTeam(app, 'Others')])
  const caller = await callerAt(app, 'mcp', tokens.access_token)
  assert.deepEqual(caller?.scope.withheld?.agentIds, [agent.body.data.id])
  assert.equal(caller?.scope.reader, undefined)
})

test('the tokens of one app are nothing in the hands of another', async () => {
  const other = await registered(app)
  const tokens = await connect(app, owner, clientId)
  assert.equal((await renew(app, other, tokens.refresh_token)).body.error, 'invalid_grant')
  assert.equal((await renew(app, clientId, tokens.access_token)).body.error, 'invalid_grant')
  assert.equal(
    (await renew(app, clientId, tokens.refresh_token, { scope: 'knowledge:write' })).body.error,
    'invalid_scope',
  )
  assert.equal(
    (await renew(app, clientId, tokens.refresh_token, { resource: 'https://other.example' })).body.error,
    'invalid_target',
  )
  assert.equal((await renew(app, clientId, tokens.refresh_token)).status, 200)
})

test('a form that says a thing twice, says too much or says nothing is refused in words of OAuth', async () => {
  const form = await givenCode(app, owner, clientId)
  const doubled = `${new URLSearchParams(form)}&client_id=other`
  assert.equal((await sendForm(app, '/oauth/token', doubled)).body.error, 'invalid_request')
  assert.equal((await sendForm(app, '/oauth/token', {})).body.error, 'invalid_request')
  assert.equal(
    (await sendForm(app, '/oauth/token', { grant_type: 'password' })).body.error,
    'unsupported_grant_type',
  )
  assert.equal(
    (await sendForm(app, '/oauth/token', { grant_type: '__proto__' })).body.error,
    'unsupported_grant_type',
  )
  assert.equal(
    (await sendForm(app, '/oauth/token', { ...form, code: 'x'.repeat(500) })).body.error,
    'invalid_request',
  )
  // A page of another origin gets no further than a program, and may not read the answer.
  const paged = await sendForm(app, '/oauth/token', form, {
    origin: 'https://page.example',
    cookie: owner.cookie,
  })
  assert.equal(paged.status, 200)
  assert.equal(paged.headers['access-control-allow-origin'], undefined)
  assert.equal(paged.headers['set-cookie'], undefined)
})

test('guesses at the token endpoint count against their address, and what succeeds does not', async () => {
  const small = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '6' } })
  try {
    const person = await signIn(small, small.ownerId)
    const id = await registered(small)
    let tokens = await connect(small, person, id)
    for (let i = 0; i < 10; i++) tokens = (await renew(small, id, tokens.refresh_token)).body
    assert.notEqual(tokens.access_token, undefined)
    const statuses = []
    for (let i = 0; i < 8; i++) statuses.push((await renew(small, id, 'rt_live_guess')).status)
    assert.equal(statuses[0], 400)
    assert.equal(statuses.at(-1), 429)
  } finally {
    await small.close()
  }
})

test('an app is known by the document at its own address, which nothing else can speak for', async context => {
  const url = 'https://app.example/client.json'
  let document: unknown = { client_id: url, client_name: 'Documented', redirect_uris: [redirectUri] }
  let redirect: string | null = null
  const peer = await startLoopbackPeer(context, () =>
    redirect === null ? { json: document } : { status: 302, headers: { location: redirect } },
  )
  routes['https://app.example'] = peer.origin
  const { body } = await ask(authorization(url).query)
  assert.deepEqual([body.data.name, body.data.provenHost], ['Documented', 'app.example'])
  const tokens = await connect(app, owner, url)
  assert.notEqual(await callerAt(app, 'mcp', tokens.access_token), null)
  assert.equal(peer.requests.length, 1, 'the document is kept for a time')

  let path = 0
  const faultOf = async (wrong: unknown) => {
    const id = `https://app.example/${++path}.json`
    document =
      typeof wrong === 'object' && wrong !== null
        ? { client_id: id, redirect_uris: [redirectUri], ...wrong }
        : wrong
    const reply = await ask(authorization(id).query)
    assert.equal(reply.status, 400, JSON.stringify(wrong))
    return reply.body.message
  }
  assert.match(await faultOf({ client_id: url }), /not its own address/)
  assert.match(await faultOf({ redirect_uris: ['javascript:alert(1)'] }), /redirect_uris/)
  assert.match(await faultOf({ redirect_uris: [] }), /redirect_uris/)
  assert.match(await faultOf({ token_endpoint_auth_method: 'client_secret_post' }), /none/)
  assert.match(await faultOf({ padding: 'x'.repeat(20_000) }), /right size/)
  assert.match(await faultOf(null), /not its own address/)
  redirect = url
  assert.match(await faultOf({}), /cannot be reached/)

  const asked = peer.requests.length
  for (const id of [
    'https://app.example/',
    'https://app.example/client.json?x=1',
    'https://app.example/a/../client.json',
    'https://me@app.example/client.json',
    'https://app.example/client.json#x',
  ]) {
    assert.equal((await ask(authorization(id).query)).status, 400, id)
  }
  assert.equal(peer.requests.length, asked)
})

test('a document within the network of the server is out of reach, and its content is never shown', async () => {
  const guarded = await startTestApp()
  try {
    const person = await signIn(guarded, guarded.ownerId)
    for (const host of ['127.0.0.1:9', '169.254.169.254', '[::1]', 'localhost', '10.0.0.1']) {
      const reply = await ask(authorization(`https://${host}/client.json`).query, person)
      assert.equal(reply.status, 400)
      assert.match(reply.body.message, /cannot be (reached|used)/)
    }
  } finally {
    await guarded.close()
  }
})
