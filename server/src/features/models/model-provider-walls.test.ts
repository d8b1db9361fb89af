/** Whose a model provider is: names, limits, walls between workspaces and environments, and never a key in sight. */
import assert from 'node:assert/strict'
import { after, before, beforeEach, test } from 'node:test'
import {
  fieldsOf,
  type ProviderSetting,
  providerKey,
  startProviderApp,
} from '../../testing/apps/provider-app.ts'
import { everythingIn } from '../../testing/database-contents.ts'

let setting: ProviderSetting

before(async () => {
  setting = await startProviderApp()
})

beforeEach(() => {
  setting.server.requests.length = 0
  setting.server.setScript(() => ({ kind: 'answer', text: 'Good day.' }))
})

after(() => setting.close())

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
  assert.deepEqual([reply.status, reply.body.code], [409, 'conflict'])
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
