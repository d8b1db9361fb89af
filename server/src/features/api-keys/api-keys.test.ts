/** API keys: what they may do, for how long, and who may make them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { isWithin } from '../../platform/client-address.ts'
import { hourMs, secondMs } from '../../platform/clock.ts'
import { isWellFormedApiKey } from '../../platform/crypto/tokens.ts'
import { exampleId } from '../../platform/schemas.ts'
import { signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let now = Date.now()
before(async () => {
  app = await startTestApp({ clock: () => now })
})
after(() => app.close())

const create = (body: object, key = app.liveKey) => app.request('POST', '/api-keys', { key, body })

test('a new key is shown once, works at once, and is stored only as a keyed hash', async () => {
  const made = await create({ name: 'Import', permissions: ['keys:read'] })
  assert.equal(made.status, 201)
  const { key, id } = made.body.data
  assert.ok(isWellFormedApiKey(key))
  assert.equal((await app.request('GET', '/api-keys', { key })).status, 200)
  const read = await app.request('GET', `/api-keys/${id}`)
  assert.equal(read.body.data.key, undefined)
  assert.equal(read.body.data.hint, `sk_live_…${key.slice(-4)}`)
  for (const table of ['api_keys', 'api_key_secrets', 'audit_log'] as const) {
    const rows = await app.dependencies.database.read.selectFrom(table).selectAll().execute()
    assert.ok(!JSON.stringify(rows).includes(key))
  }
  assert.ok(!app.logLines.join().includes(key))
})

test('a key never may more than its maker may now: a demotion takes effect within ten seconds', async () => {
  const admin = await app.createKey({ role: 'admin' })
  assert.equal((await app.request('GET', '/audit-log', { key: admin })).status, 200)
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('members')
      .set({ role: 'viewer' })
      .where('user_id', '=', String(admin.caller.userId))
      .execute(),
  )
  now += 10_000
  assert.equal((await app.request('GET', '/audit-log', { key: admin })).status, 403)
})

test('a maker who leaves takes the key along', async () => {
  const member = await app.createKey({ role: 'member' })
  assert.equal((await app.request('GET', '/workspace', { key: member })).status, 200)
  await app.dependencies.database.write(tx =>
    tx.deleteFrom('members').where('user_id', '=', String(member.caller.userId)).execute(),
  )
  now += 10_000
  assert.equal((await app.request('GET', '/workspace', { key: member })).status, 401)
})

test('a key cannot make a key that may more, reaches further or lives in the other environment', async () => {
  const narrow = await app.createKey({ permissions: ['keys:write', 'keys:read'] })
  const more = await create({ name: 'More', permissions: ['keys:read', 'audit:read'] }, narrow)
  assert.equal(more.status, 400)
  assert.deepEqual(
    more.body.errors.map((error: { field: string }) => error.field),
    ['permissions.1'],
  )
  const live = await create({ name: 'Live', permissions: ['keys:read'], environment: 'live' }, app.testKey)
  assert.equal(live.status, 403)
  assert.equal(live.body.code, 'sandbox_forbidden')
  const test = await create({ name: 'Test', permissions: ['keys:read'] }, app.testKey)
  assert.match(test.body.data.key, /^sk_test_/)
})

test('a test key sees test keys only, and a live key of another workspace is not there', async () => {
  const list = await app.request('GET', '/api-keys', { key: app.testKey })
  assert.ok(list.body.data.every((key: { environment: string }) => key.environment === 'test'))
  assert.equal((await app.request('GET', `/api-keys/${app.liveKey.id}`, { key: app.testKey })).status, 404)
  const neighbour = await app.createWorkspace()
  const foreign = await app.createKey({ workspaceId: neighbour.workspaceId, userId: neighbour.ownerId })
  for (const [method, path] of [
    ['GET', ''],
    ['POST', '/revoke'],
    ['POST', '/rotate'],
  ] as const) {
    const body = path === '/rotate' ? { body: {} } : {}
    const reply = await app.request(method, `/api-keys/${foreign.id}${path}`, body)
    const missing = await app.request(method, `/api-keys/${exampleId('key')}${path}`, body)
    assert.equal(reply.status, 404)
    const text = (body: object, id: string) =>
      JSON.stringify({ ...body, requestId: '' }).replaceAll(id, 'the key')
    assert.equal(text(reply.body, foreign.id), text(missing.body, exampleId('key')))
  }
})

test('rotation makes a new secret while the old one lives on for the chosen overlap', async () => {
  const made = await create({ name: 'Rotated', permissions: ['keys:read'] })
  const { id, key: old } = made.body.data
  const rotated = await app.request('POST', `/api-keys/${id}/rotate`, { body: { overlapSeconds: 60 } })
  const fresh = rotated.body.data.key
  assert.notEqual(fresh, old)
  const works = async (key: string) => (await app.request('GET', '/workspace', { key })).status
  assert.deepEqual([await works(old), await works(fresh)], [200, 200])
  now += 61_000
  assert.deepEqual([await works(old), await works(fresh)], [401, 200])
  await app.request('POST', `/api-keys/${id}/rotate`, { body: { overlapSeconds: 0 } })
  assert.equal(await works(fresh), 401)
})

test('a revoked key stops at once in this process, cannot be rotated, and stays in the list', async () => {
  const made = await create({ name: 'Revoked', permissions: ['keys:read'] })
  const { id, key } = made.body.data
  assert.equal((await app.request('GET', '/workspace', { key })).status, 200)
  const preview = await app.request('POST', `/api-keys/${id}/revoke?dryRun=true`)
  assert.deepEqual(preview.body.data, {
    dryRun: true,
    effects: [{ effect: 'revoked', resource: 'api_key', count: 1, ids: [id] }],
  })
  assert.equal((await app.request('GET', '/workspace', { key })).status, 200)
  const revoked = await app.request('POST', `/api-keys/${id}/revoke`)
  assert.equal(revoked.body.data.status, 'revoked')
  assert.equal((await app.request('GET', '/workspace', { key })).status, 401)
  assert.equal((await app.request('POST', `/api-keys/${id}/rotate`, { body: {} })).status, 409)
  assert.equal((await app.request('POST', `/api-keys/${id}/revoke`)).status, 200)
})

test('a change that was read before another change is a 412', async () => {
  const made = await create({ name: 'Tagged', permissions: ['keys:read'] })
  const path = `/api-keys/${made.body.data.id}`
  const headers = { 'if-match': String(made.headers.etag) }
  const first = await app.request('PATCH', path, { headers, body: { name: 'First' } })
  assert.equal(first.status, 200)
  assert.notEqual(first.headers.etag, made.headers.etag)
  const second = await app.request('PATCH', path, { headers, body: { name: 'Second' } })
  assert.equal(second.status, 412)
  assert.equal(second.body.code, 'precondition_failed')
  const any = await app.request('PATCH', path, { headers: { 'if-match': '*' }, body: { expiresAt: null } })
  assert.equal(any.status, 200)
})

test('an address that the key does not allow is refused, whatever the spelling', async () => {
  const key = await app.createKey({ allowedAddresses: ['203.0.113.0/24', '2001:db8::/32'] })
  const reply = await app.request('GET', '/workspace', { key })
  assert.equal(reply.status, 403)
  assert.equal(reply.body.code, 'address_not_allowed')
  assert.ok(isWithin(['203.0.113.0/24'], '::ffff:203.0.113.9'))
  assert.ok(isWithin(['127.0.0.1'], '127.0.0.1'))
  assert.ok(isWithin(['2001:db8::/32'], '2001:db8::1'))
  assert.ok(!isWithin(['203.0.113.0/24'], '203.0.114.1'))
  assert.ok(!isWithin(['203.0.113.0/24'], '2001:db8::1'))
})

test('every faulty field of a new key is named at once', async () => {
  const reply = await create({
    name: 'x'.repeat(101),
    permissions: ['agents:fly'],
    allowedAddresses: ['nowhere'],
    expiresAt: 'tomorrow',
    permision: [],
  })
  assert.equal(reply.status, 400)
  assert.equal(reply.body.message, 'Validation failed')
  const fields = reply.body.errors.map((error: { field: string }) => error.field).sort()
  assert.deepEqual(fields, ['expiresAt', 'name', 'permision', 'permissions.0'])
  const unknown = reply.body.errors.find((error: { field: string }) => error.field === 'permision')
  assert.match(unknown.message, /did you mean `permissions`/)
  const past = await create({
    name: 'Past',
    permissions: ['keys:read'],
    expiresAt: '2020-01-01T00:00:00.000Z',
  })
  assert.deepEqual(past.body.errors, [{ field: 'expiresAt', message: 'must lie in the future' }])
  const nowhere = await create({ name: 'Nowhere', permissions: ['keys:read'], allowedAddresses: ['nowhere'] })
  assert.equal(nowhere.body.errors[0].field, 'allowedAddresses.0')
})

test('when a key was last used is written down with its address', async () => {
  const key = await app.createKey()
  await app.request('GET', '/workspace', { key })
  await app.app.services.authenticator.flush()
  const read = await app.request('GET', `/api-keys/${key.id}`)
  assert.equal(read.body.data.lastUsedAt, new Date(now).toISOString())
})

test('a key cannot be rotated with a key that may less, reaches less or belongs to a lesser role', async () => {
  const agentId = (await app.request('POST', '/agents', { body: { name: 'Reachable' } })).body.data.id
  const keyholder = { permissions: ['keys:read', 'keys:write'], userId: app.ownerId } as const
  const narrow = await app.createKey({ userId: app.ownerId, agentIds: [agentId] })
  const lesser = [
    ['fewer permissions', await app.createKey(keyholder), 'permission_missing'],
    ['another role', await app.createKey({ role: 'admin' }), 'permission_missing'],
    // For a narrowed key there is none that reaches further.
    ['a narrowing', narrow, 'not_found'],
  ] as const
  for (const [why, key, code] of lesser) {
    const path = `/api-keys/${app.liveKey.id}/rotate`
    const reply = await app.request('POST', path, { key, body: { overlapSeconds: 600 } })
    assert.equal(reply.body.code, code, why)
    assert.ok(!JSON.stringify(reply.body).includes('sk_live_'))
    const own = await app.request('POST', `/api-keys/${key.id}/rotate`, { key, body: {} })
    assert.equal(own.status, 200, why)
  }
})

test('a narrowed key cannot lift a narrowing, its own included', async () => {
  const agentId = (await app.request('POST', '/agents', { body: { name: 'Narrow' } })).body.data.id
  const narrow = await app.createKey({ agentIds: [agentId] })
  const lifted = await app.request('PATCH', `/api-keys/${narrow.id}`, {
    key: narrow,
    body: { agentIds: null },
  })
  assert.equal(lifted.status, 400)
  assert.equal(lifted.body.errors[0].field, 'agentIds')
  const child = await create({ name: 'Child', permissions: ['agents:read'], agentIds: null }, narrow)
  assert.deepEqual(child.body.data.agentIds, [agentId])
  const by = await app.request('PATCH', `/api-keys/${narrow.id}`, { body: { agentIds: null } })
  assert.equal(by.body.data.agentIds, null)
})

test('an instant that no clock can hold is refused: a key with such an end would never end', async () => {
  for (const expiresAt of ['2030-12-31T23:59:60Z', '2030-02-30T00:00:00Z', '2030-01-01T00:00:00+99:99']) {
    const reply = await create({ name: 'Leap', permissions: ['keys:read'], expiresAt })
    assert.equal(reply.status, 400, expiresAt)
    assert.equal(reply.body.errors[0].field, 'expiresAt')
  }
})

const key = (wanted: readonly string[]) => ({ name: 'Made', permissions: wanted })

test('a key made by a key inherits its end and its addresses, and gets no later end and no wider address', async () => {
  const expiresAt = new Date(now + hourMs).toISOString()
  const allowedAddresses = ['127.0.0.0/24', '203.0.113.7']
  const maker = await app.createKey({ userId: app.ownerId, expiresAt, allowedAddresses })
  const make = (body: object) =>
    app.request('POST', '/api-keys', { key: maker, body: { ...key(['keys:read', 'keys:write']), ...body } })
  const change = (id: string, body: object) => app.request('PATCH', `/api-keys/${id}`, { key: maker, body })
  const child = await make({})
  assert.equal(child.status, 201)
  assert.deepEqual(
    [child.body.data.expiresAt, child.body.data.allowedAddresses],
    [expiresAt, allowedAddresses],
  )
  const narrower = {
    expiresAt: new Date(now + hourMs / 2).toISOString(),
    allowedAddresses: ['127.0.0.0/25', '127.0.0.9', '203.0.113.7/32', '::ffff:203.0.113.7'],
  }
  for (const reply of [await make(narrower), await change(child.body.data.id, narrower)]) {
    assert.ok(reply.status < 300, JSON.stringify(reply.body))
    assert.equal(reply.body.data.expiresAt, narrower.expiresAt)
    assert.deepEqual(reply.body.data.allowedAddresses, narrower.allowedAddresses)
  }
  const later = new Date(now + 2 * hourMs).toISOString()
  for (const [body, field] of [
    [{ expiresAt: later }, 'expiresAt'],
    [{ expiresAt: null }, 'expiresAt'],
    [{ allowedAddresses: null }, 'allowedAddresses'],
    [{ allowedAddresses: ['127.0.0.0/23'] }, 'allowedAddresses.0'],
    [{ allowedAddresses: ['127.0.0.1', '127.0.1.1'] }, 'allowedAddresses.1'],
    [{ allowedAddresses: ['203.0.113.7/31'] }, 'allowedAddresses.0'],
    [{ allowedAddresses: ['0.0.0.0/0'] }, 'allowedAddresses.0'],
    [{ allowedAddresses: ['::/0'] }, 'allowedAddresses.0'],
  ] as const) {
    for (const reply of [
      await make(body),
      await change(child.body.data.id, body),
      await change(maker.id, body),
    ]) {
      assert.deepEqual([reply.status, reply.body.errors?.[0]?.field], [400, field], JSON.stringify(body))
      assert.match(reply.body.errors[0].message, /calling key.*for more use a key/)
    }
  }
  const byPerson = await app.request('PATCH', `/api-keys/${maker.id}`, {
    key: await (await signIn(app, app.ownerId)).token(),
    body: { expiresAt: null, allowedAddresses: null },
  })
  assert.deepEqual([byPerson.status, byPerson.body.data.expiresAt], [200, null])
})

test('a key cannot change or rotate one that lives longer or works from more addresses, and may revoke it', async () => {
  const expiresAt = new Date(now + hourMs).toISOString()
  const bounded = {
    'lives longer': { expiresAt },
    'works from more addresses': { allowedAddresses: ['127.0.0.1'] },
  }
  for (const [why, bounds] of Object.entries(bounded)) {
    const weak = await app.createKey({ userId: app.ownerId, ...bounds })
    const strong = await app.createKey({ userId: app.ownerId })
    for (const [method, path, body] of [
      ['PATCH', '', { name: 'Mine' }],
      ['POST', '/rotate', {}],
    ] as const) {
      const reply = await app.request(method, `/api-keys/${strong.id}${path}`, { key: weak, body })
      assert.deepEqual([reply.status, reply.body.code], [403, 'permission_missing'], `${method} ${why}`)
      assert.ok(reply.body.message.includes(why), reply.body.message)
    }
    assert.equal(
      (await app.request('POST', `/api-keys/${weak.id}/rotate`, { key: weak, body: {} })).status,
      200,
    )
    const ended = await app.request('POST', `/api-keys/${strong.id}/revoke`, { key: weak })
    assert.equal(ended.status, 200)
  }
})

test('the old secret of a rotated key makes no key and no secret that lives longer than itself', async () => {
  const old = await app.createKey({ userId: app.ownerId })
  await app.request('POST', `/api-keys/${old.id}/rotate`, { body: { overlapSeconds: 600 } })
  const again = await app.request('POST', `/api-keys/${old.id}/rotate`, { key: old, body: {} })
  assert.deepEqual([again.status, again.body.code], [403, 'permission_missing'])
  const made = await app.request('POST', '/api-keys', { key: old, body: key(['keys:read']) })
  assert.equal(made.body.data.expiresAt, new Date(now + 600 * secondMs).toISOString())
  now += 601 * secondMs
  for (const token of [old.key, made.body.data.key]) {
    assert.equal((await app.request('GET', '/workspace', { key: token })).status, 401)
  }
})
