/** Endpoints through HTTP: made, signed for by the reference library, changed, rotated, deleted; and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { startWebhookApp } from '../../testing/apps/webhook-app.ts'
import { eventually } from '../../testing/eventually.ts'
import { startTestApp } from '../../testing/test-app.ts'

async function start(t: { after(end: () => Promise<void>): void }) {
  const setting = await startWebhookApp()
  t.after(setting.close)
  return setting
}

test('an event is delivered once, signed so that the reference library takes it, as GET /events shows it', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  const { id, secret } = await endpoint('/hook')
  const collectionId = await happen()
  const [one] = await receiver.until('/hook', 1)
  assert.ok(one)
  const payload = new Webhook(secret).verify(one.body, one.headers) as Record<string, unknown>
  const events = await app.request('GET', '/events', { query: { type: 'collection.deleted' } })
  const [event] = events.body.data
  assert.equal(one.headers['webhook-id'], event.id)
  assert.deepEqual(payload, event)
  assert.deepEqual(event.data, {
    id: collectionId,
    documentCount: 0,
    erased: false,
    actor: { kind: 'key', userId: app.ownerId, keyId: app.liveKey.id },
  })
  const [delivery] = await deliveries(id, rows => rows[0]?.status === 'delivered')
  const detail = (await app.request('GET', `/webhooks/${id}/deliveries/${delivery.id}`)).body.data
  assert.equal(detail.body, one.body)
  assert.equal(detail.attempts.length, 1)
  assert.equal(detail.attempts[0].response.statusCode, 204)
  assert.equal(detail.attempts[0].request.headers['webhook-id'], event.id)
  assert.equal(receiver.received.length, 1)
})

test('a secret is shown once, kept encrypted, and left out when the reply is repeated', async t => {
  const { app, receiver } = await start(t)
  const request = {
    body: { url: `${receiver.origin}/hook`, description: 'For tests' },
    headers: { 'idempotency-key': 'once' },
  }
  const made = await app.request('POST', '/webhooks', request)
  const again = await app.request('POST', '/webhooks', request)
  const { secret, ...rest } = made.body.data
  assert.match(secret, /^whsec_[A-Za-z0-9+/]{43}=$/)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual(again.body.data, rest)
  assert.deepEqual((await app.request('GET', `/webhooks/${rest.id}`)).body.data, rest)
  const rows = await app.dependencies.database.read.selectFrom('webhooks').selectAll().execute()
  const audit = await app.dependencies.database.read.selectFrom('audit_log').selectAll().execute()
  assert.equal(JSON.stringify([rows, audit, app.logLines]).includes(secret.slice(6)), false)
})

test('while a secret is rotated both sign, and after the overlap the new one alone', async t => {
  const { app, receiver, clock, endpoint, happen } = await start(t)
  const { id, secret } = await endpoint('/hook')
  const rotated = await app.request('POST', `/webhooks/${id}/rotate-secret`, { body: { overlapSeconds: 60 } })
  const fresh = rotated.body.data.secret
  assert.notEqual(fresh, secret)
  await happen()
  const [both] = await receiver.until('/hook', 1)
  assert.ok(both)
  for (const known of [secret, fresh]) new Webhook(known).verify(both.body, both.headers)
  clock.offsetMs = 61_000
  await happen()
  const [, last] = await receiver.until('/hook', 2)
  assert.ok(last)
  assert.equal(last.headers['webhook-signature']?.split(' ').length, 1)
  new Webhook(fresh).verify(last.body, last.headers)
  assert.throws(() => new Webhook(secret).verify(last.body, last.headers))
})

test('an endpoint is told of the types that it names, and of its own environment', async t => {
  const { app, receiver, endpoint, happen } = await start(t)
  await endpoint('/live')
  await endpoint('/test', {}, app.testKey)
  await endpoint('/keys', { eventTypes: ['key.created', 'key.revoked'] })
  await happen()
  await happen(app.testKey)
  const made = await app.request('POST', '/api-keys', { body: { name: 'k', permissions: ['agents:read'] } })
  await app.request('POST', `/api-keys/${made.body.data.id}/revoke`)
  await receiver.until('/live', 3)
  await receiver.until('/test', 1)
  const types = (await receiver.until('/keys', 2)).map(({ body }) => JSON.parse(body).type).sort()
  assert.deepEqual(types, ['key.created', 'key.revoked'])
  assert.equal(receiver.received.length, 6)
  const ofTest = receiver.received.find(({ path }) => path === '/test')
  assert.equal(JSON.parse(ofTest?.body ?? '{}').environment, 'test')
})

test('a wildcard sends every type of its kind, and `*` every type', async t => {
  const { app, receiver, endpoint, happen } = await start(t)
  const kinds = await endpoint('/kinds', { eventTypes: ['collection.*', 'member.joined'] })
  const all = await endpoint('/all')
  assert.deepEqual((await app.request('GET', `/webhooks/${kinds.id}`)).body.data.eventTypes, [
    'collection.*',
    'member.joined',
  ])
  assert.deepEqual((await app.request('GET', `/webhooks/${all.id}`)).body.data.eventTypes, ['*'])
  await app.request('POST', '/api-keys', { body: { name: 'k', permissions: ['agents:read'] } })
  await happen()
  await receiver.until('/all', 2)
  const [only] = await receiver.until('/kinds', 1)
  assert.equal(JSON.parse(only?.body ?? '{}').type, 'collection.deleted')
  assert.equal(receiver.received.length, 3)
  const faulty = { url: `${receiver.origin}/x`, eventTypes: ['lunch.*'] }
  assert.equal(
    (await app.request('POST', '/webhooks', { body: faulty })).body.errors[0].field,
    'eventTypes.0',
  )
  const none = { url: `${receiver.origin}/x`, eventTypes: [] }
  assert.equal((await app.request('POST', '/webhooks', { body: none })).body.errors[0].field, 'eventTypes')
})

test('a URL has one endpoint in an environment, of programs that start at the same moment too', async t => {
  const { app, receiver } = await start(t)
  const url = `${receiver.origin}/hook`
  const put = (body: Record<string, unknown> = {}, key = app.liveKey) =>
    app.request('PUT', '/webhooks', { key, body: { url, ...body } })
  const replies = await Promise.all([put(), put(), put(), put()])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 200, 200, 201])
  const [{ id } = { id: '' }] = replies.map(({ body }) => body.data)
  assert.ok(replies.every(({ body }) => body.data.id === id))
  assert.equal(replies.filter(({ body }) => 'secret' in body.data).length, 1)
  assert.equal((await app.request('GET', '/webhooks')).body.meta.total, 1)
  const second = await app.request('POST', '/webhooks', { body: { url } })
  assert.deepEqual([second.status, second.body.code], [409, 'already_exists'])
  assert.deepEqual(second.body.details, { resource: 'webhook', field: 'url', id })
  const other = await app.request('POST', '/webhooks', { body: { url: `${url}/other` } })
  const moved = await app.request('PATCH', `/webhooks/${other.body.data.id}`, { body: { url } })
  assert.deepEqual([moved.status, moved.body.details.id], [409, id])
  assert.equal((await put({}, app.testKey)).status, 201)
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'c' } })
  const narrow = await app.createKey({ collectionIds: [collection.body.data.id] })
  const own = await put({}, narrow)
  assert.equal(own.status, 201)
  assert.notEqual(own.body.data.id, id)
  await app.request('DELETE', `/webhooks/${id}`)
  assert.equal((await put()).status, 201)
})

test('PUT changes the fields that it is sent, leaves the secret, and changes nothing where all is so already', async t => {
  const { app, receiver, endpoint, happen } = await start(t)
  const { id, url, secret } = await endpoint('/hook', { eventTypes: ['run.*'], description: 'Mine' })
  const put = (body: Record<string, unknown>, key = app.liveKey) =>
    app.request('PUT', '/webhooks', { key, body: { url, ...body } })
  const changed = await put({ eventTypes: ['collection.*'] })
  assert.deepEqual([changed.body.data.id, changed.body.data.description], [id, 'Mine'])
  const again = await put({ eventTypes: ['collection.*'] })
  assert.equal(again.headers.etag, changed.headers.etag)
  await happen()
  const [one] = await receiver.until('/hook', 1)
  assert.ok(one)
  new Webhook(secret).verify(one.body, one.headers)
  await app.request('PATCH', `/webhooks/${id}`, { body: { enabled: false } })
  assert.equal((await put({})).body.data.enabled, false)
  assert.equal((await put({ enabled: true })).body.data.enabled, true)
  const lesser = await app.createKey({ permissions: ['webhooks:write', 'agents:read'] })
  assert.equal((await put({ eventTypes: ['run.*'] }, lesser)).status, 403)
  const inside = await app.request('PUT', '/webhooks', { body: { url: 'http://10.0.0.1/' } })
  assert.deepEqual([inside.status, inside.body.errors[0].field], [400, 'url'])
})

test('no caller has events sent that they could not read, nor redirects those of others', async t => {
  const { app, endpoint, receiver, happen } = await start(t)
  const url = `${receiver.origin}/hook`
  const lesser = await app.createKey({ permissions: ['webhooks:read', 'webhooks:write', 'knowledge:read'] })
  const refused = await app.request('POST', '/webhooks', {
    key: lesser,
    body: { url, eventTypes: ['document.ready', 'member.joined'] },
  })
  assert.equal(refused.status, 400)
  assert.deepEqual(refused.body.errors, [
    { field: 'eventTypes.1', message: 'member.joined needs the permission members:read' },
  ])
  const open = await app.request('POST', '/webhooks', { key: lesser, body: { url } })
  assert.deepEqual(open.body.data.eventTypes, ['document.*', 'collection.*', 'webhook.*'])
  const kinds = await app.request('POST', '/webhooks', {
    key: lesser,
    body: { url: `${url}/2`, eventTypes: ['document.*', 'key.*'] },
  })
  assert.deepEqual(kinds.body.errors, [
    { field: 'eventTypes.1', message: 'key.* needs the permission keys:read' },
  ])
  const all = await endpoint('/all')
  const taken = await app.request('PATCH', `/webhooks/${all.id}`, { key: lesser, body: { url } })
  assert.equal(taken.status, 403)
  const rotated = await app.request('POST', `/webhooks/${all.id}/rotate-secret`, { key: lesser, body: {} })
  assert.equal(rotated.status, 403)
  const reader = await app.createKey({ permissions: ['webhooks:read'] })
  await happen()
  const events = await app.request('GET', '/events', { key: reader })
  assert.equal(events.body.meta.total, 0)
  const asked = await app.request('GET', '/events', { key: reader, query: { type: 'key.created' } })
  assert.equal(asked.status, 403)
})

test('deliveries of events that the caller may not read are neither listed, counted, shown nor sent again', async t => {
  const { app, endpoint, happen, deliveries } = await start(t)
  const hook = await endpoint('/all')
  await happen()
  // Making it is told, too.
  const key = await app.createKey({ permissions: ['webhooks:read', 'webhooks:write', 'members:read'] })
  assert.equal((await app.request('POST', `/webhooks/${hook.id}/test`)).status, 200)
  const rows = await deliveries(hook.id, all => all.length === 3)
  const path = `/webhooks/${hook.id}/deliveries`
  const list = await app.request('GET', path, { key })
  assert.deepEqual(
    [list.body.meta.total, list.body.data.map(({ eventType }: { eventType: string }) => eventType)],
    [1, ['webhook.test']],
  )
  const typed = await app.request('GET', path, { key, query: { eventType: 'key.created' } })
  assert.equal(typed.status, 403)
  for (const { id, eventId, eventType } of rows) {
    const isReadable = eventType === 'webhook.test'
    const found = await app.request('GET', path, { key, query: { eventId } })
    assert.equal(found.body.meta.total, isReadable ? 1 : 0)
    assert.equal((await app.request('GET', `${path}/${id}`, { key })).status, isReadable ? 200 : 404)
    const behind = await app.request('GET', path, { key, query: { after: id } })
    assert.equal(behind.status, isReadable ? 200 : 400)
    const again = await app.request('POST', `${path}/${id}/redeliver`, { key })
    assert.equal(again.status, isReadable ? 202 : 404)
  }
  const body = { createdAfter: new Date(Date.now() - 60_000).toISOString() }
  const replay = (query: Record<string, string>) =>
    app.request('POST', `/webhooks/${hook.id}/replay`, { key, body, query })
  assert.deepEqual([(await replay({ dryRun: 'true' })).status, (await replay({})).status], [403, 403])
})

test('a narrowed key makes endpoints that are told of what it reaches, and sees no others', async t => {
  const { app, receiver, endpoint } = await start(t)
  const collection = async () =>
    (await app.request('POST', '/knowledge/collections', { body: { name: 'c' } })).body.data.id
  const [mine, other] = [await collection(), await collection()]
  const narrow = await app.createKey({ collectionIds: [mine] })
  const wide = await endpoint('/wide')
  const own = await endpoint('/narrow', {}, narrow)
  const seen = await app.request('GET', '/webhooks', { key: narrow })
  assert.deepEqual(
    seen.body.data.map(({ id }: { id: string }) => id),
    [own.id],
  )
  assert.equal((await app.request('GET', `/webhooks/${wide.id}`, { key: narrow })).status, 404)
  const { url } = wide
  assert.equal(
    (await app.request('PATCH', `/webhooks/${wide.id}`, { key: narrow, body: { url } })).status,
    404,
  )
  for (const id of [other, mine]) await app.request('DELETE', `/knowledge/collections/${id}`)
  await receiver.until('/wide', 2)
  const told = await receiver.until('/narrow', 1)
  assert.equal(JSON.parse(told[0]?.body ?? '{}').data.id, mine)
})

test("a neighbour's endpoint, and one of the other environment, are not there", async t => {
  const { app, endpoint } = await start(t)
  const { id } = await endpoint('/hook')
  const stranger = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: stranger.workspaceId, userId: stranger.ownerId })
  const body = { createdAfter: new Date(Date.now() - 1_000).toISOString() }
  for (const one of [key, app.testKey]) {
    for (const [method, path, sent] of [
      ['GET', `/webhooks/${id}`],
      ['PATCH', `/webhooks/${id}`, { enabled: false }],
      ['DELETE', `/webhooks/${id}`],
      ['POST', `/webhooks/${id}/rotate-secret`, {}],
      ['POST', `/webhooks/${id}/test`],
      ['POST', `/webhooks/${id}/replay`, body],
      ['GET', `/webhooks/${id}/deliveries`],
    ] as const) {
      const reply = await app.request(method, path, {
        key: one,
        body: sent,
      })
      assert.equal(reply.status, 404, `${method} ${path}`)
    }
    assert.equal((await app.request('GET', '/webhooks', { key: one })).body.meta.total, 0)
  }
})

test('an address that points inside, is no address or holds a password is refused by its field', async t => {
  const app = await startTestApp()
  t.after(app.close)
  for (const url of [
    'http://127.0.0.1:9/hook',
    'http://localhost/hook',
    'http://[::1]/',
    'http://169.254.169.254/latest/meta-data',
    'http://2130706433/',
    'http://10.0.0.1/',
    'ftp://example.com/',
    'nonsense',
    'https://user:password@example.com/',
    'https://example.com/#part',
  ]) {
    const reply = await app.request('POST', '/webhooks', { body: { url } })
    assert.equal(reply.status, 400, url)
    assert.equal(reply.body.errors[0].field, 'url')
  }
  const kept = await app.request('POST', '/webhooks', { body: { url: 'https://hooks.example.com/a' } })
  assert.equal(kept.status, 201)
  const path = `/webhooks/${kept.body.data.id}`
  assert.equal((await app.request('PATCH', path, { body: { url: 'http://127.1/' } })).status, 400)
})

test('changes want the ETag that they name, a dry run changes nothing, and deleting erases secret and log', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  const { id } = await endpoint('/hook')
  await happen()
  await deliveries(id, rows => rows[0]?.status === 'delivered')
  const path = `/webhooks/${id}`
  const read = await app.request('GET', path)
  const etag = String(read.headers.etag)
  const changed = await app.request('PATCH', path, {
    body: { enabled: false, description: null },
    headers: { 'if-match': etag },
  })
  assert.equal(changed.body.data.disabledReason, 'manual')
  const stale = await app.request('PATCH', path, { body: { enabled: true }, headers: { 'if-match': etag } })
  assert.equal(stale.status, 412)
  await happen()
  assert.equal((await app.request('POST', `${path}/test`)).status, 409)
  const dry = await app.request('DELETE', path, { query: { dryRun: 'true' } })
  assert.equal(dry.body.data.effects[0].resource, 'webhook')
  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.equal((await app.request('GET', path)).status, 404)
  const { read: query } = app.dependencies.database
  const left = () => query.selectFrom('webhooks').select('id').execute()
  await eventually('it is gone', async () => (await left()).length === 0)
  assert.deepEqual(await query.selectFrom('webhook_deliveries').selectAll().execute(), [])
  assert.deepEqual(await query.selectFrom('webhook_attempts').selectAll().execute(), [])
  assert.equal(receiver.received.length, 1)
})
