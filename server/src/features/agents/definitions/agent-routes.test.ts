/** Agents through HTTP, as their readers use and misuse them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string
let close: () => Promise<void>

before(async () => {
  ;({ app, collectionId, close } = await startAgentApp())
})
after(() => close())

const createAgent = (body?: Record<string, unknown>, key?: TestKey) => createAgentIn(app, body, key)

const fieldsOf = (reply: { body: { errors: { field: string }[] } }) =>
  reply.body.errors.map(({ field }) => field)

test('an agent is made of a name alone, found, changed, and every change is a revision', async () => {
  const made = await app.request('POST', '/agents', { body: { name: '  Ducks  ' } })
  assert.equal(made.status, 201)
  const { id, ...agent } = made.body.data
  assert.equal(made.headers.location, `/api/v1/agents/${id}`)
  assert.deepEqual(
    { ...agent, createdAt: '', updatedAt: '' },
    {
      name: 'Ducks',
      description: null,
      model: 'default',
      instructions: '',
      collectionIds: [],
      tools: ['search_knowledge'],
      fallbackModel: null,
      functions: [],
      approvalTools: [],
      httpHosts: [],
      agentIds: [],
      connectionIds: [],
      variables: {},
      limits: {
        maxSteps: null,
        maxCostUsd: null,
        timeoutSeconds: null,
        maxOutputTokens: null,
        maxCostUsdPerMonth: null,
      },
      modelParameters: {
        temperature: null,
        topP: null,
        reasoningEffort: null,
        stop: [],
        seed: null,
        lenient: false,
      },
      approvals: [{ tool: 'search_knowledge', calls: 'none' }],
      status: 'active',
      viewersMayRun: false,
      frame: { origins: [], heading: null, welcome: null },
      access: 'workspace',
      teamIds: [],
      revision: 1,
      publishedRevision: 1,
      createdAt: '',
      updatedAt: '',
    },
  )
  const headers = { 'if-match': String(made.headers.etag) }
  const changed = await app.request('PATCH', `/agents/${id}`, { body: { instructions: 'Be kind.' }, headers })
  assert.equal(changed.body.data.revision, 2)
  const stale = await app.request('PATCH', `/agents/${id}`, { body: { name: 'Geese' }, headers })
  assert.equal(stale.status, 412)
  const unquoted = { 'if-match': String(changed.headers.etag).replaceAll('"', '') }
  const refused = await app.request('PATCH', `/agents/${id}`, { body: { name: 'Geese' }, headers: unquoted })
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'If-Match'])
  const found = await app.request('GET', `/agents/${id}`)
  assert.deepEqual(found.body.data, changed.body.data)
  const list = await app.request('GET', '/agents', { query: { pageSize: 1 } })
  assert.equal(list.body.data[0].id, id)
  assert.equal(list.body.meta.pageSize, 1)
})

test('an agent shows which calls of its tools wait for an approval', async () => {
  const { id } = await createAgent({
    tools: ['search_knowledge', 'calculator', 'http_request'],
    approvalTools: ['search_knowledge'],
    httpHosts: ['api.example.com'],
  })
  const { body } = await app.request('GET', `/agents/${id}`)
  assert.deepEqual(body.data.approvals, [
    { tool: 'search_knowledge', calls: 'all' },
    { tool: 'calculator', calls: 'none' },
    { tool: 'http_request', calls: 'some' },
  ])
})

test('everything that does not exist is named at once', async () => {
  const reply = await app.request('POST', '/agents', {
    body: {
      name: 'Ducks',
      model: 'mistral/large',
      tools: ['search_knowledge', 'format_disk'],
      collectionIds: [collectionId, 'col_01kajz4v7qf3x8m2c9t5b6n0rw'],
    },
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(fieldsOf(reply), ['model', 'tools.1', 'collectionIds.1'])
  const { id } = await createAgent()
  const patched = await app.request('PATCH', `/agents/${id}`, { body: { tools: ['x'] } })
  assert.deepEqual(fieldsOf(patched), ['tools.0'])
})

test('fields that are unknown, empty, too long or of another type are refused', async () => {
  const reply = await app.request('POST', '/agents', {
    body: {
      name: ' ',
      instruction: 'x',
      tools: 'search_knowledge',
      status: 'asleep',
      collectionIds: ['nothing'],
    },
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(
    new Set(fieldsOf(reply)),
    new Set(['name', 'instruction', 'tools', 'status', 'collectionIds.0']),
  )
  assert.equal((await app.request('PATCH', `/agents/${(await createAgent()).id}`, { body: {} })).status, 400)
})

test('the words of an agent’s frame, and the pages around it, change at once and without a revision', async () => {
  const { body } = await app.request('POST', '/agents', {
    body: { name: 'Geese', frame: { heading: 'Ask' } },
  })
  const { id } = body.data
  assert.deepEqual(body.data.frame, { origins: [], heading: 'Ask', welcome: null })
  const set = (frame: object) => app.request('PATCH', `/agents/${id}`, { body: { frame } })
  const { data } = (await set({ origins: ['https://a.example', 'http://localhost:3000'], welcome: 'Hello' }))
    .body
  assert.deepEqual(
    [data.frame, data.revision],
    [{ origins: ['https://a.example', 'http://localhost:3000'], heading: null, welcome: 'Hello' }, 1],
  )
  for (const origin of [
    '*',
    "'self'",
    'https://*.a.example',
    'https://a.example/',
    'https://a.example; script-src *',
    'https://a.example,sandbox',
    'http://a.example',
    'HTTPS://a.example',
    'javascript:1',
    // Chromium leaves it out of the policy.
    'https://[::1]',
    'http://[::1]:3000',
  ]) {
    const { status, body } = await set({ origins: ['https://a.example', origin] })
    assert.deepEqual([status, body.errors[0].field], [400, 'frame.origins.1'], origin)
  }
  assert.equal((await set({ heading: '' })).status, 400)
})

test('an agent that is deleted is gone, and its runs keep their records', async () => {
  const { id } = await createAgent({ tools: [], model: 'extractive' })
  const run = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })
  const preview = await app.request('DELETE', `/agents/${id}?dryRun=true`)
  assert.equal(preview.status, 200)
  assert.equal((await app.request('GET', `/agents/${id}`)).status, 200)
  assert.equal((await app.request('DELETE', `/agents/${id}`)).status, 204)
  for (const [method, path] of [
    ['GET', `/agents/${id}`],
    ['GET', `/agents/${id}/runs`],
    ['DELETE', `/agents/${id}`],
  ] as const) {
    assert.equal((await app.request(method, path)).status, 404)
  }
  assert.equal((await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })).status, 404)
  const kept = await app.request('GET', `/runs/${run.body.data.id}`)
  assert.deepEqual(kept.body.data, run.body.data)
})

test('a template is installed with what is chosen, and there are pages of them', async () => {
  const catalog = await app.request('GET', '/agents/catalog', { query: { pageSize: 2 } })
  assert.equal(catalog.body.data.length, 2)
  assert.ok(catalog.body.meta.total >= 3)
  const [{ id: templateId, instructions }] = catalog.body.data
  const installed = await app.request('POST', `/agents/catalog/${templateId}/install`, {
    body: { name: 'Mine', collectionIds: [collectionId] },
  })
  assert.equal(installed.status, 201)
  assert.equal(installed.body.data.name, 'Mine')
  assert.equal(installed.body.data.instructions, instructions)
  assert.deepEqual(installed.body.data.collectionIds, [collectionId])
  assert.equal((await app.request('POST', '/agents/catalog/nothing/install', { body: {} })).status, 404)
})

test('the models tell which of them is the default and what they cost', async () => {
  const live = await app.request('GET', '/models')
  assert.deepEqual(
    live.body.data.map(({ id }: { id: string }) => id),
    ['extractive', 'openai/test-model', 'openai/other-model'],
  )
  assert.equal(live.body.data[0].isDefault, true)
  const sandbox = await app.request('GET', '/models', { key: app.testKey })
  assert.deepEqual(
    sandbox.body.data.map(({ id }: { id: string }) => id),
    ['sandbox'],
  )
})
