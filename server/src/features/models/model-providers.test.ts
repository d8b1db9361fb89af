/** The workspace's own model providers: made, used by agents, tried, changed, deleted; their walls, and never a key in sight. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  fieldsOf,
  type ProviderSetting,
  providerKey,
  startProviderApp,
} from '../../testing/apps/provider-app.ts'
import { everythingIn } from '../../testing/database-contents.ts'
import { eventually } from '../../testing/eventually.ts'
import { servedModels, startModelServer } from '../../testing/servers/model-server.ts'
import { startTestApp } from '../../testing/test-app.ts'

let setting: ProviderSetting

before(async () => {
  setting = await startProviderApp()
})

beforeEach(() => {
  setting.server.requests.length = 0
  setting.server.setScript(() => ({ kind: 'answer', text: 'Good day.' }))
})

after(() => setting.close())

test('a provider is added, and shows of its key the last four characters', async () => {
  const { app, server, wantedProvider } = setting
  const reply = await app.request('POST', '/model-providers', { body: wantedProvider({ name: 'acme' }) })
  assert.equal(reply.status, 201)
  const { id, createdAt, updatedAt, ...provider } = reply.body.data
  assert.deepEqual(provider, {
    name: 'acme',
    kind: 'openai_compatible',
    baseUrl: server.baseUrl,
    apiKeyEnding: 'x7Qa',
    models: [],
    learned: [],
  })
  assert.equal(reply.headers.location, `/api/v1/model-providers/${id}`)
  const got = await app.request('GET', `/model-providers/${id}`)
  assert.deepEqual(got.body.data, reply.body.data)
  const list = await app.request('GET', '/model-providers')
  assert.ok(list.body.data.some((item: { id: string }) => item.id === id))
})

test('an agent runs on a model of the workspace, with its key, and the cost is what the workspace says', async () => {
  const { server, createProvider, run } = setting
  const price = { inputUsdPerMillionTokens: 10, outputUsdPerMillionTokens: 100 }
  const { name } = await createProvider({ models: [{ id: 'large', contextTokens: 4_000, price }] })
  const ended = await run(`${name}/large`)
  assert.equal(ended.status, 'succeeded', JSON.stringify(ended.error))
  assert.equal(ended.output, 'Good day.')
  assert.equal(ended.model, `${name}/large`)
  assert.ok(Math.abs(ended.usage.costUsd - (0.01 + 0.01)) < 1e-9, String(ended.usage.costUsd))
  assert.equal(server.requests[0]?.body.model, 'large')
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${providerKey}`)
})

test('what a model’s server refuses is learned for the model, shown on its provider, and forgotten on request', async () => {
  const { app, server, createProvider, run } = setting
  const { id, name } = await createProvider()
  const words = 'unknown field "stream_options"'
  server.setScript(body =>
    'stream_options' in body
      ? { kind: 'status', status: 422, body: { detail: words } }
      : { kind: 'answer', text: 'Good day.' },
  )
  for (const requests of [2, 1]) {
    server.requests.length = 0
    assert.equal((await run(`${name}/large`)).output, 'Good day.')
    assert.equal(server.requests.filter(({ body }) => body !== undefined).length, requests)
  }
  const learned = async () => (await app.request('GET', `/model-providers/${id}`)).body.data.learned
  await eventually('what was learned is stored', async () => (await learned()).length > 0)
  const [{ learnedAt, ...first }] = await learned()
  assert.deepEqual(first, { model: 'large', field: 'stream_options', instead: 'none', because: words })
  const reply = await app.request('PATCH', `/model-providers/${id}`, { body: { learned: [] } })
  assert.deepEqual([reply.status, reply.body.data.learned, await learned()], [200, [], []])
  server.requests.length = 0
  await run(`${name}/large`)
  assert.ok('stream_options' in (server.requests[0]?.body ?? {}), learnedAt)
})

test('a provider that speaks Anthropic’s protocol is spoken to in it', async () => {
  const { anthropic, createProvider, run } = setting
  const { name } = await createProvider({ kind: 'anthropic', baseUrl: anthropic.baseUrl })
  const ended = await run(`${name}/claude-of-ours`)
  assert.equal(ended.output, 'Hello from the model.')
  assert.equal(anthropic.requests[0]?.headers['x-api-key'], providerKey)
})

test('GET /models lists what the workspace says of its models, or what their server says', async () => {
  const { app, createProvider } = setting
  const said = await createProvider({ models: [{ id: 'large', contextTokens: 4_000, seesImages: true }] })
  const unsaid = await createProvider()
  const company = await createProvider({ kind: 'google', baseUrl: null })
  const { data } = (await app.request('GET', '/models', { query: { pageSize: 100 } })).body
  const byProvider = (name: string) => data.filter(({ provider }: { provider: string }) => provider === name)
  const [large] = byProvider(said.name)
  assert.deepEqual(
    [large.id, large.contextTokens, large.seesImages, large.price],
    [`${said.name}/large`, 4_000, true, null],
  )
  assert.deepEqual(
    byProvider(unsaid.name).map(({ id }: { id: string }) => id),
    servedModels.map(id => `${unsaid.name}/${id}`),
  )
  const flash = byProvider(company.name).find(({ id }: { id: string }) => id.endsWith('/gemini-2.5-flash'))
  assert.equal(flash.price.outputUsdPerMillionTokens, 2.5)
})

test('what does not go together is refused, all of it at once', async () => {
  const { app, wantedProvider } = setting
  for (const [body, fields] of [
    [{ name: 'openai' }, ['name']],
    [{ name: 'Own' }, ['name']],
    [{ baseUrl: null }, ['baseUrl']],
    [{ kind: 'openai' }, ['baseUrl']],
    [{ kind: 'google', baseUrl: null, apiKey: null }, ['apiKey']],
    [{ name: 'sandbox', kind: 'anthropic', baseUrl: 'ftp://x', apiKey: null }, ['name', 'baseUrl']],
    [{ baseUrl: 'https://user:password@models.example.com/v1' }, ['baseUrl']],
    [{ baseUrl: 'https://models.example.com/v1?key=1' }, ['baseUrl']],
    [{ models: [{ id: 'a' }, { id: 'a' }] }, ['models.1.id']],
    [{ kind: 'google', baseUrl: null, models: [{ id: '../x' }] }, ['models.0.id']],
    [{ models: [{ id: 'a\nb' }] }, ['models.0.id']],
    [
      { models: [{ id: 'a', price: { inputUsdPerMillionTokens: 1 } }] },
      ['models.0.price.outputUsdPerMillionTokens'],
    ],
    [{ apiKey: 'with space' }, ['apiKey']],
  ] as const) {
    const reply = await app.request('POST', '/model-providers', { body: wantedProvider(body) })
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.deepEqual(fieldsOf(reply), fields)
  }
})

test('an address inside the server’s own network is refused in every spelling, and by name when it is called', async () => {
  const { app, server, wantedProvider } = setting
  for (const baseUrl of ['http://10.0.0.1/v1', 'http://2130706434/v1', 'http://[::ffff:10.0.0.1]/v1']) {
    const reply = await app.request('POST', '/model-providers', { body: wantedProvider({ baseUrl }) })
    assert.deepEqual([baseUrl, reply.status, fieldsOf(reply)], [baseUrl, 400, ['baseUrl']])
  }
  const closed = await startTestApp()
  const { port } = new URL(server.baseUrl)
  const body = wantedProvider({ baseUrl: `http://localhost:${port}/v1` })
  const { id } = (await closed.request('POST', '/model-providers', { body })).body.data
  const tried = await closed.request('POST', `/model-providers/${id}/test`, { body: { model: 'large' } })
  assert.equal(tried.body.data.error.code, 'model_not_configured')
  assert.match(tried.body.data.error.message, /may not be reached/)
  assert.equal(server.requests.length, 0)
  await closed.close()
})

test('a test calls a model once and says what happened', async () => {
  const { app, server, anthropic, createProvider } = setting
  const { id, name } = await createProvider()
  const fine = await app.request('POST', `/model-providers/${id}/test`, { body: {} })
  assert.deepEqual(
    [fine.status, fine.body.data.ok, fine.body.data.model, fine.body.data.error],
    [200, true, `${name}/${servedModels[0]}`, null],
  )
  assert.equal(server.requests[0]?.body.max_tokens, 16)
  for (const [status, code] of [
    [401, 'model_unauthorized'],
    [404, 'model_not_found'],
    [429, 'model_rate_limited'],
    [500, 'model_unavailable'],
  ] as const) {
    server.requests.length = 0
    server.setScript(() => ({ kind: 'status', status, body: { error: { message: `No: ${providerKey}` } } }))
    const failed = await app.request('POST', `/model-providers/${id}/test`, { body: { model: 'large' } })
    assert.deepEqual([failed.status, failed.body.data.ok, failed.body.data.error.code], [200, false, code])
    assert.equal(server.requests.length, 1)
    assert.ok(!JSON.stringify(failed.body).includes(providerKey))
  }
  const silent = await createProvider({ baseUrl: `${anthropic.baseUrl}/nothing` })
  const unnamed = await app.request('POST', `/model-providers/${silent.id}/test`, { body: {} })
  assert.deepEqual([unnamed.status, fieldsOf(unnamed)], [400, ['model']])
})

test('a change replaces the key, keeps the rest, and is refused where the record has changed meanwhile', async () => {
  const { app, server, createProvider, run } = setting
  const { id, name } = await createProvider()
  const { headers } = await app.request('GET', `/model-providers/${id}`)
  const key = 'sk-another-key-of-the-provider-k3Zb'
  const ifMatch = { 'if-match': String(headers.etag) }
  const changed = await app.request('PATCH', `/model-providers/${id}`, {
    body: { apiKey: key },
    headers: ifMatch,
  })
  assert.deepEqual([changed.body.data.apiKeyEnding, changed.body.data.name], ['k3Zb', name])
  const stale = await app.request('PATCH', `/model-providers/${id}`, {
    body: { apiKey: 'sk-a-third-key-of-the-provider' },
    headers: ifMatch,
  })
  assert.equal(stale.status, 412)
  await run(`${name}/large`)
  assert.equal(server.requests[0]?.headers.authorization, `Bearer ${key}`)
})

test('a stored key goes to no other address', async () => {
  const { app, createProvider } = setting
  const { id } = await createProvider()
  const other = await startModelServer()
  const reply = await app.request('PATCH', `/model-providers/${id}`, { body: { baseUrl: other.baseUrl } })
  assert.deepEqual([reply.status, fieldsOf(reply)], [400, ['apiKey']])
  const both = { baseUrl: other.baseUrl, apiKey: 'sk-for-the-other-address' }
  assert.equal((await app.request('PATCH', `/model-providers/${id}`, { body: both })).status, 200)
  await other.close()
})

test('the agents of a deleted provider fail with a code', async () => {
  const { app, createProvider } = setting
  const { id, name } = await createProvider()
  const agent = await app.request('POST', '/agents', { body: { name: 'Left', model: `${name}/large` } })
  const preview = await app.request('DELETE', `/model-providers/${id}?dryRun=true`)
  assert.deepEqual(preview.body.data.effects?.[0]?.ids ?? preview.body.data[0]?.ids, [id])
  assert.equal((await app.request('DELETE', `/model-providers/${id}`)).status, 204)
  const ended = await app.request('POST', `/agents/${agent.body.data.id}/run`, { body: { prompt: 'Hello' } })
  assert.deepEqual([ended.body.data.status, ended.body.data.error.code], ['failed', 'model_not_configured'])
})

test('a name is unique in its workspace, and free in another', async () => {
  const { app, wantedProvider, createProvider } = setting
  const { name } = await createProvider()
  const { id: otherId } = await createProvider()
  const again = await app.request('POST', '/model-providers', { body: wantedProvider({ name }) })
  assert.equal(again.status, 409)
  assert.equal((await app.request('PATCH', `/model-providers/${otherId}`, { body: { name } })).status, 409)
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const free = await app.request('POST', '/model-providers', { body: wantedProvider({ name }), key })
  assert.equal(free.status, 201)
})

test('of two providers that take a name at once, one gets it', async () => {
  const { app, wantedProvider } = setting
  const body = wantedProvider()
  const replies = await Promise.all([1, 2].map(() => app.request('POST', '/model-providers', { body })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409])
})

test('another workspace neither sees a provider nor runs on it', async () => {
  const { app, createProvider } = setting
  const { id, name } = await createProvider()
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  for (const [method, path, body] of [
    ['GET', `/model-providers/${id}`, undefined],
    ['PATCH', `/model-providers/${id}`, { name: 'mine' }],
    ['DELETE', `/model-providers/${id}`, undefined],
    ['POST', `/model-providers/${id}/test`, {}],
  ] as const) {
    assert.equal((await app.request(method, path, { key, body })).status, 404, method)
  }
  const agent = await app.request('POST', '/agents', { body: { name: 'X', model: `${name}/large` }, key })
  assert.deepEqual([agent.status, fieldsOf(agent)], [400, ['model']])
})

test('a test key has no providers, and its agents run on the sandbox whatever they name', async () => {
  const { app, server, createProvider, run } = setting
  const { id, name } = await createProvider()
  for (const [method, path] of [
    ['GET', '/model-providers'],
    ['GET', `/model-providers/${id}`],
  ] as const) {
    const reply = await app.request(method, path, { key: app.testKey })
    assert.deepEqual([reply.status, reply.body.code], [403, 'sandbox_forbidden'])
  }
  const ended = await run(`${name}/large`, app.testKey)
  assert.equal(ended.model, 'sandbox')
  assert.equal(server.requests.length, 0)
})

test('who may only read agents changes no provider, and neither does a key that is narrowed to some agents', async () => {
  const { app, wantedProvider, createProvider } = setting
  const { id } = await createProvider()
  const reader = await app.createKey({ role: 'viewer' })
  assert.equal((await app.request('GET', '/model-providers', { key: reader })).status, 200)
  const agent = await app.request('POST', '/agents', { body: { name: 'Narrow' } })
  const narrow = await app.createKey({ agentIds: [agent.body.data.id] })
  for (const key of [reader, narrow]) {
    for (const [method, path, body] of [
      ['POST', '/model-providers', wantedProvider()],
      ['PATCH', `/model-providers/${id}`, { apiKey: 'sk-of-somebody-else' }],
      ['POST', `/model-providers/${id}/test`, {}],
      ['DELETE', `/model-providers/${id}`, undefined],
    ] as const) {
      const reply = await app.request(method, path, { key, body })
      assert.deepEqual([method, reply.status, reply.body.code], [method, 403, 'permission_missing'])
    }
  }
})

test('a workspace has at most twenty providers', async () => {
  const { app, wantedProvider } = setting
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  for (let made = 0; made < 20; made++) {
    const reply = await app.request('POST', '/model-providers', { body: wantedProvider(), key })
    assert.equal(reply.status, 201)
  }
  const reply = await app.request('POST', '/model-providers', { body: wantedProvider(), key })
  assert.deepEqual([reply.status, reply.body.code], [409, 'limit_reached'])
})

test('no key is readable in the database, the log or a reply', async () => {
  const { app, server, wantedProvider, run } = setting
  const headers = { 'idempotency-key': 'canary' }
  const body = wantedProvider()
  const replies: unknown[] = []
  const made = await app.request('POST', '/model-providers', { body, headers })
  replies.push(made.body, (await app.request('POST', '/model-providers', { body, headers })).body)
  const { id, name } = made.body.data
  server.setScript(() => ({
    kind: 'status',
    status: 400,
    body: { error: { message: `Bad: ${providerKey}` } },
  }))
  replies.push(await run(`${name}/large`))
  replies.push((await app.request('POST', `/model-providers/${id}/test`, { body: { model: 'x' } })).body)
  for (const path of ['/model-providers', `/model-providers/${id}`, '/models', '/audit-log']) {
    replies.push((await app.request('GET', path)).body)
  }
  const { read, engine } = app.dependencies.database
  const database = await everythingIn(read, engine)
  assert.ok(database.includes(id), 'the database was read')
  const places = { replies: JSON.stringify(replies), log: app.logLines.join('\n'), database }
  for (const [place, text] of Object.entries(places)) assert.equal(text.includes(providerKey), false, place)
})
