/** Idempotency-Key, as a client meets it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'
import { createIdempotency } from './idempotency.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const create = (name: string, idempotencyKey: string, key = app.liveKey) =>
  app.request('POST', '/api-keys', {
    key,
    headers: { 'idempotency-key': idempotencyKey },
    body: { name, permissions: ['keys:read'] },
  })

const countKeys = async (name: string): Promise<number> => {
  const reply = await app.request('GET', '/api-keys?pageSize=100')
  return reply.body.data.filter((key: { name: string }) => key.name === name).length
}

test('the same request under the same key is carried out once and answered with the stored reply', async () => {
  const first = await create('once', 'k1')
  const second = await create('once', 'k1')
  assert.equal(first.status, 201)
  assert.equal(second.status, 201)
  assert.equal(first.headers['idempotency-replayed'], undefined)
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.equal(second.headers.location, first.headers.location)
  assert.equal(second.headers.etag, first.headers.etag)
  assert.equal(await countKeys('once'), 1)
})

test('the same content under another file name is another request', async () => {
  const collectionId = await createCollection(app)
  const send = (name: string) => {
    const form = new FormData()
    form.append('collectionId', collectionId)
    form.append('file', new Blob(['The same words.']), name)
    const headers = { 'idempotency-key': 'one-file' }
    return app.request('POST', '/knowledge/documents', { headers, form })
  }
  assert.equal((await send('first.txt')).status, 201)
  const second = await send('second.txt')
  assert.deepEqual([second.status, second.body.code], [422, 'idempotency_mismatch'])
  assert.equal((await send('first.txt')).headers['idempotency-replayed'], 'true')
})

test('a reply that showed a secret is repeated without it', async () => {
  const first = await create('secret', 'k2')
  const second = await create('secret', 'k2')
  assert.match(first.body.data.key, /^sk_live_/)
  assert.equal(second.body.data.key, undefined)
  const { key: _key, ...rest } = first.body.data
  assert.deepEqual(second.body.data, rest)
  const stored = await app.dependencies.database.read.selectFrom('idempotency').select('body').execute()
  assert.ok(stored.every(row => !row.body?.includes(first.body.data.key)))
})

test('another request under the same key is a 422, and the order of the fields does not make another', async () => {
  await create('mine', 'k3')
  const other = await create('other', 'k3')
  assert.equal(other.status, 422)
  assert.equal(other.body.code, 'idempotency_mismatch')
  const reordered = await app.request('POST', '/api-keys', {
    headers: { 'idempotency-key': 'k3' },
    body: { permissions: ['keys:read'], name: 'mine' },
  })
  assert.equal(reordered.status, 201)
})

test('a key belongs to the API key that sent it', async () => {
  const first = await create('shared', 'k4')
  const other = await create('shared', 'k4', await app.createKey())
  assert.equal(other.status, 201)
  assert.notEqual(other.body.data.id, first.body.data.id)
})

test('a refusal before the handler is not stored: the corrected request goes through', async () => {
  const headers = { 'idempotency-key': 'k5' }
  const refused = await app.request('POST', '/api-keys', { headers, body: { name: '' } })
  assert.equal(refused.status, 400)
  const lacking = await app.createKey({ permissions: ['keys:read'] })
  assert.equal((await create('later', 'k5', lacking)).status, 403)
  assert.equal((await create('later', 'k5')).status, 201)
})

test('of two at the same time one is carried out, and the other is told to wait', async () => {
  const replies = await Promise.all(Array.from({ length: 8 }, () => create('race', 'k6')))
  const statuses = replies.map(reply => reply.status).sort()
  assert.equal(await countKeys('race'), 1)
  assert.ok(statuses.includes(201))
  for (const reply of replies.filter(known => known.status !== 201)) {
    assert.equal(reply.status, 409)
    assert.equal(reply.body.code, 'idempotency_in_progress')
    assert.equal(reply.body.retryable, true)
    assert.match(String(reply.headers['retry-after']), /^\d+$/)
  }
})

test('an idempotency key must be 1 to 255 printable characters', async () => {
  for (const key of ['', 'x'.repeat(256), 'tab\there']) {
    const reply = await create('never', key)
    assert.equal(reply.status, 400)
    assert.equal(reply.body.errors[0].field, 'Idempotency-Key')
  }
})

test('after a crash, a request without effect is carried out again, and one with an effect names its record', async () => {
  let now = Date.now()
  const { database, newId } = app.dependencies
  const crashed = createIdempotency({ database, newId, clock: () => now, reachesRecord: async () => true })
  const restarted = createIdempotency({ database, newId, clock: () => now, reachesRecord: async () => true })
  const { caller } = app.liveKey
  const lock = () => restarted.lock(caller, 'k7', 'createApiKey')

  await crashed.lock(caller, 'k7', 'createApiKey')
  crashed.close()
  await assert.rejects(lock, { code: 'idempotency_in_progress' })
  now += 91_000
  const again = await lock()
  assert.equal(again.kind, 'locked')

  const { id } = again as { id: string }
  await database.write(tx =>
    app.app.services.audit.record(tx, { ...caller, idempotencyId: id }, { action: 'x', resourceId: 'agt_1' }),
  )
  now += 91_000
  await assert.rejects(lock, (error: { code: string; message: string }) => {
    assert.equal(error.code, 'idempotency_interrupted')
    assert.match(error.message, /agt_1/)
    return true
  })
  restarted.close()
})

test('replies are kept for 24 hours and then purged', async () => {
  let now = Date.now()
  const { database, newId } = app.dependencies
  const idempotency = createIdempotency({
    database,
    newId,
    clock: () => now,
    reachesRecord: async () => true,
  })
  const lock = await idempotency.lock(app.liveKey.caller, 'k8', 'createApiKey')
  assert.equal(lock.kind, 'locked')
  const reply = { fingerprint: 'f', status: 201, headers: {}, body: '{}' }
  await idempotency.finish((lock as { id: string }).id, reply)
  now += 24 * 3_600_000 - 1_000
  assert.deepEqual(await idempotency.lock(app.liveKey.caller, 'k8', 'createApiKey'), {
    kind: 'stored',
    reply,
    refusal: null,
  })
  now += 2_000
  assert.ok((await idempotency.purge()) > 0)
  assert.equal((await idempotency.lock(app.liveKey.caller, 'k8', 'createApiKey')).kind, 'locked')
  idempotency.close()
})
