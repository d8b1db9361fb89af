/** That a key gives no longer life and no wider addresses than its own, neither to a key that it makes nor to itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs, secondMs } from '../../platform/clock.ts'
import { signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let now = Date.now()
before(async () => {
  app = await startTestApp({ clock: () => now })
})
after(() => app.close())

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
