import assert from 'node:assert/strict'
import { test } from 'node:test'
import { type Context, HttpFailure } from '@atrium/connectors'
import { serveOnLoopback, startIntegrationApp } from '../../../testing/apps/integration-app.ts'

const about = 'https://www.googleapis.com/drive/v3/about'
const never = new AbortController().signal

test('a token that is revoked in the middle of much work at once is renewed once, and no work fails', async t => {
  const { app, oauth, connected } = await startIntegrationApp(t)
  const id = await connected('google-drive')
  const { host } = app.app.services.integrations
  const ask = ({ http }: Context) => http.json<{ login: string }>(about)
  const logins = await host.use(app.liveKey.caller.scope, id, never, async (_, context) => {
    const first = await ask(context)
    oauth.forgetAccessTokens()
    const rest = await Promise.all(Array.from({ length: 8 }, () => ask(context)))
    return [first, ...rest].map(({ login }) => login)
  })
  assert.deepEqual(new Set(logins), new Set(['octocat']))
  assert.equal(oauth.tokenRequests.filter(type => type === 'refresh_token').length, 1)
})

test('a grant that ends in the middle of the work makes the connection needs_reauth, and the work knows why', async t => {
  const { app, oauth, connected } = await startIntegrationApp(t)
  const { host } = app.app.services.integrations
  const { scope } = app.liveKey.caller
  const id = await connected('google-drive')
  const work = host.use(scope, id, never, async (_, { http }) => {
    await http.json(about)
    oauth.revokeAllGrants()
    return await http.json(about)
  })
  await assert.rejects(work, error => error instanceof HttpFailure && error.kind === 'not_authorized')
  const { data } = (await app.request('GET', `/integrations/${id}`)).body
  assert.deepEqual([data.status, data.lastError.code], ['needs_reauth', 'invalid_grant'])
  await assert.rejects(
    host.use(scope, id, never, async () => assert.fail('nothing may be called')),
    { code: 'connection_not_active' },
  )
})

test('a key that is refused in the middle of the work ends it in the same way', async t => {
  const { app } = await startIntegrationApp(t)
  let accepts = true
  const api = await serveOnLoopback(t, (_, response) => response.writeHead(accepts ? 200 : 401).end('{}'))
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: api }, credentials: { apiKey: 'a-key' } },
  })
  const work = app.app.services.integrations.host.use(
    app.liveKey.caller.scope,
    body.data.id,
    never,
    async (_, { http }) => {
      accepts = false
      return await http.json(api)
    },
  )
  await assert.rejects(work, error => error instanceof HttpFailure && error.kind === 'not_authorized')
  const { data } = (await app.request('GET', `/integrations/${body.data.id}`)).body
  assert.deepEqual([data.status, data.lastError.code], ['needs_reauth', 'credentials_rejected'])
})

test('a key that one call of many refuses goes on: the work is told that this call is forbidden', async t => {
  const { app } = await startIntegrationApp(t)
  const { host } = app.app.services.integrations
  const mood = { check: 200 }
  const api = await serveOnLoopback(t, ({ url }, response) =>
    response.writeHead(url === '/admin' ? 401 : mood.check).end('{}'),
  )
  for (const credentials of [{ apiKey: 'a-key' }, { username: 'ada', password: 'secret' }]) {
    mood.check = 200
    const { body } = await app.request('POST', '/integrations/connect', {
      body: { integrationId: 'http', config: { baseUrl: api }, credentials },
    })
    const state = async () => {
      const { data } = (await app.request('GET', `/integrations/${body.data.id}`)).body
      return [data.status, data.lastError]
    }
    const work = () =>
      host.use(app.liveKey.caller.scope, body.data.id, never, (_, { http }) => http.json(`${api}/admin`))
    const fails = (kind: string) => (error: unknown) => error instanceof HttpFailure && error.kind === kind
    await assert.rejects(work(), fails('forbidden'))
    assert.deepEqual(await state(), ['active', null])
    // Whether the credentials are still good is not known while the service does not answer.
    mood.check = 503
    await assert.rejects(work(), fails('unavailable'))
    assert.deepEqual(await state(), ['active', null])
    mood.check = 401
    await assert.rejects(work(), fails('not_authorized'))
    assert.equal((await state())[0], 'needs_reauth')
  }
})

test('a call may take as long as it says, to the last byte of the body', async t => {
  const { app } = await startIntegrationApp(t)
  const api = await serveOnLoopback(t, ({ url }, response) => {
    if (url === '/slow') response.writeHead(200).write('a beginning, and never an end')
    else response.end('{}')
  })
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: api } },
  })
  const work = app.app.services.integrations.host.use(
    app.liveKey.caller.scope,
    body.data.id,
    never,
    async (_, { http }) => {
      const response = await http.send(`${api}/slow`, { timeoutMs: 300 })
      return await response.text()
    },
  )
  await assert.rejects(work, /did not answer within 0\.3 s/)
})

test('credentials go to the service’s own origins only, whatever a connector asks for and wherever it is sent', async t => {
  const { app } = await startIntegrationApp(t)
  const seen: (string | undefined)[] = []
  const foreign = await serveOnLoopback(t, (request, response) => {
    seen.push(request.headers.authorization)
    response.end('{}')
  })
  const api = await serveOnLoopback(t, (request, response) => {
    if (request.url === '/away') response.writeHead(302, { location: `${foreign}/taken` }).end()
    else response.end('{}')
  })
  const { body } = await app.request('POST', '/integrations/connect', {
    body: { integrationId: 'http', config: { baseUrl: api }, credentials: { apiKey: 'a-key' } },
  })
  await app.app.services.integrations.host.use(
    app.liveKey.caller.scope,
    body.data.id,
    never,
    async (_, { http }) => {
      await http.json(`${api}/away`)
      await http.json(`${foreign}/asked`)
      await assert.rejects(http.send(`${api}/away`, { method: 'POST', body: { a: 1 } }))
    },
  )
  assert.deepEqual(seen, [undefined, undefined])
})

test('nothing is called for the sandbox, for another workspace, or once the work is cancelled', async t => {
  const { app, connected } = await startIntegrationApp(t)
  const { host } = app.app.services.integrations
  const { scope } = app.liveKey.caller
  const id = await connected('google-drive')
  const nothing = async () => assert.fail('nothing may be called')
  const { workspaceId } = await app.createWorkspace()
  await assert.rejects(host.use({ ...scope, workspaceId }, id, never, nothing), { code: 'not_found' })
  await assert.rejects(host.use({ ...scope, environment: 'test' }, id, never, nothing), {
    code: 'sandbox_forbidden',
  })
  const reason = new Error('enough')
  const work = host.use(scope, id, AbortSignal.abort(reason), (_, { http }) => http.json(about))
  await assert.rejects(work, reason)
})
