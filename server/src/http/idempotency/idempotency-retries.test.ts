/** What a client gets that sends a request again under its Idempotency-Key, where the first reply was not the last word. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { type ModelServer, startModelServer } from '../../testing/servers/model-server.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let model: ModelServer
let agentId = ''
before(async () => {
  model = await startModelServer()
  const settings = { OPENAI_BASE_URL: model.baseUrl, ATRIUM_PLAN_ENTERPRISE: 'runsAtOnce=1' }
  app = await startTestApp({ settings })
  const agent = { name: 'Ducks', model: 'openai/test-model', tools: [] }
  agentId = (await app.request('POST', '/agents', { body: agent })).body.data.id
})
after(async () => {
  await app.close()
  await model.close()
})

const run = (idempotencyKey: string, headers: Record<string, string> = {}) =>
  app.request('POST', `/agents/${agentId}/run`, {
    body: { prompt: 'Think!' },
    headers: { 'idempotency-key': idempotencyKey, ...headers },
  })

test('a refusal that may pass is not kept: the same request is carried out once there is room', async () => {
  const held = Promise.withResolvers<void>()
  model.setScript(() => ({ kind: 'held', until: held.promise, behaviour: { kind: 'answer', text: 'Done.' } }))
  const first = await run('first', { prefer: 'respond-async' })
  const refused = await run('second')
  assert.deepEqual([refused.status, refused.body.code], [429, 'run_limit'])
  held.resolve()
  const path = `/runs/${first.body.data.id}`
  assert.equal(
    (await app.request('GET', path, { headers: { prefer: 'wait=30' } })).body.data.status,
    'succeeded',
  )
  const done = await run('second')
  assert.deepEqual([done.status, done.body.data.status], [200, 'succeeded'])
  assert.equal(done.headers['idempotency-replayed'], undefined)
})

test('a run that was in progress when it was answered is repeated as it is now, and waited for', async () => {
  const held = Promise.withResolvers<void>()
  model.setScript(() => ({ kind: 'held', until: held.promise, behaviour: { kind: 'answer', text: 'Done.' } }))
  const asked = model.requests.length
  const first = await run('lost', { prefer: 'wait=0' })
  assert.equal(first.status, 202)
  await eventually('the model is asked', () => model.requests.length > asked)
  const still = await run('lost', { prefer: 'wait=0' })
  assert.deepEqual([still.status, still.body.data.status], [202, 'running'])
  const again = run('lost')
  held.resolve()
  const { status, body, headers } = await again
  assert.deepEqual([status, body.data.status, body.data.output], [200, 'succeeded', 'Done.'])
  assert.equal(body.data.id, first.body.data.id)
  assert.equal(headers['idempotency-replayed'], 'true')
  const unwaited = await run('lost', { prefer: 'respond-async' })
  assert.deepEqual([unwaited.status, unwaited.body.data.status], [202, 'succeeded'])
  assert.equal(model.requests.length, asked + 1)
})

test('a change whose reply cannot be kept is answered as it was, and never as an error afterwards', async () => {
  const { idempotency } = app.app
  const { finish } = idempotency
  idempotency.finish = () => Promise.reject(new Error('The database is away'))
  const create = () =>
    app.request('POST', '/knowledge/collections', {
      body: { name: 'Once' },
      headers: { 'idempotency-key': 'kept not' },
    })
  const first = await create()
  idempotency.finish = finish
  assert.equal(first.status, 201)
  assert.ok(app.logLines.some(line => line.includes('could not be kept')))
  await idempotency.expireLeases()
  const again = await create()
  assert.deepEqual([again.status, again.body.code], [409, 'idempotency_interrupted'])
  assert.match(again.body.message, new RegExp(first.body.data.id))
})

test('a dry run is not kept: its Idempotency-Key is free for the change itself', async () => {
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Soon gone' } })
  const remove = (query: Record<string, string>) =>
    app.request('DELETE', `/knowledge/collections/${collection.body.data.id}`, {
      query,
      headers: { 'idempotency-key': 'dry' },
    })
  assert.equal((await remove({ dryRun: 'true' })).status, 200)
  assert.equal((await remove({ dryRun: 'true' })).headers['idempotency-replayed'], undefined)
  assert.equal((await remove({})).status, 204)
})
