/** The command line signs in by a code that its person confirms elsewhere. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Permission } from '../../platform/caller.ts'
import { minuteMs, secondMs } from '../../platform/clock.ts'
import { encodeJson } from '../../platform/database/json.ts'
import { callerAt, type Grant, renew, sendForm, wholeGrant } from '../../testing/apps/connected-app.ts'
import { type SignedIn, signIn } from '../../testing/apps/signed-in.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

let app: TestApp
let owner: SignedIn
let now = Date.now()

before(async () => {
  app = await startTestApp({
    clock: () => now,
    settings: { ATRIUM_ANONYMOUS_RATE: '100000', ATRIUM_PERSON_RATE: '100000' },
  })
  owner = await signIn(app, app.ownerId)
})
after(() => app.close())

const clientId = 'atrium-cli'
const begin = async (scope = '') =>
  (await sendForm(app, '/oauth/device', { client_id: clientId, scope })).body
const poll = (deviceCode: string, id = clientId) =>
  sendForm(app, '/oauth/token', {
    grant_type: 'urn:ietf:params:oauth:grant-type:device_code',
    client_id: id,
    device_code: deviceCode,
  })
const confirm = (userCode: string, grant: Grant | null, person = owner, userId = person.userId) =>
  person.request('POST', '/console/devices/decide', { body: { userCode, userId, grant } })
const lookUp = (userCode: string, person = owner) =>
  person.request('POST', '/console/devices/ask', { body: { userCode } })

test('a device gets what its person confirms, at the API, and no more', async () => {
  const device = await begin()
  assert.match(device.user_code, /^[B-Z]{4}-[B-Z]{4}$/)
  assert.equal(device.verification_uri, `${app.dependencies.publicUrl()}/device`)
  assert.equal((await poll(device.device_code)).body.error, 'authorization_pending')

  const shown = await lookUp(device.user_code.toLowerCase().replace('-', ' '))
  assert.deepEqual([shown.status, shown.body.data.device.address], [200, '127.0.0.1'])
  assert.ok(!shown.body.data.permissions.includes('keys:write'))
  const grant = wholeGrant(app, { permissions: ['agents:read', 'knowledge:read'] })
  assert.equal((await confirm(device.user_code, grant)).status, 204)
  const { status, body } = await poll(device.device_code)
  assert.equal(status, 200)
  const me = await app.request('GET', '/me', { key: body.access_token })
  assert.deepEqual(me.body.data.permissions, ['agents:read', 'knowledge:read'])
  assert.equal(me.body.data.key.name, 'Atrium command line')
  assert.equal((await app.request('GET', '/api-keys', { key: body.access_token })).status, 403)
  assert.notEqual(await callerAt(app, 'mcp', body.access_token), null)
  assert.equal((await renew(app, clientId, body.refresh_token)).status, 200)

  assert.equal((await poll(device.device_code)).body.error, 'invalid_grant')
  assert.equal((await app.request('GET', '/me', { key: body.access_token })).status, 401)
})

test('a device cannot ask for what manages the workspace', async () => {
  const device = await begin('keys:write members:write agents:read')
  assert.deepEqual((await lookUp(device.user_code)).body.data.permissions, ['agents:read'])
  const grant = wholeGrant(app, { permissions: ['keys:write'] })
  assert.equal((await confirm(device.user_code, grant)).status, 400)
  assert.equal(
    (await confirm(device.user_code, wholeGrant(app, { permissions: ['agents:read'] }))).status,
    204,
  )
})

test('a device that asks too often is told to slow down', async () => {
  const device = await begin()
  assert.equal((await poll(device.device_code)).body.error, 'authorization_pending')
  now += secondMs
  assert.equal((await poll(device.device_code)).body.error, 'slow_down')
  now += 6 * secondMs
  assert.equal((await poll(device.device_code)).body.error, 'slow_down')
  now += 20 * secondMs
  assert.equal((await poll(device.device_code)).body.error, 'authorization_pending')
})

test('a refused, expired, foreign or decided code brings nothing', async () => {
  const refused = await begin()
  assert.equal((await confirm(refused.user_code, null)).status, 204)
  assert.equal((await poll(refused.device_code)).body.error, 'access_denied')
  assert.equal((await confirm(refused.user_code, wholeGrant(app))).status, 400)

  const foreign = await begin()
  assert.equal((await poll(foreign.device_code, 'other')).body.error, 'invalid_grant')
  assert.equal((await poll('nonsense')).body.error, 'invalid_grant')
  assert.equal(
    (await sendForm(app, '/oauth/device', { client_id: 'other' })).body.error,
    'unauthorized_client',
  )
  assert.equal(
    (await confirm(foreign.user_code, wholeGrant(app), owner, app.liveKey.caller.userId)).status,
    204,
  )

  const mistaken = await begin()
  const other = await signIn(app, (await app.createKey({ role: 'admin' })).caller.userId)
  assert.equal((await confirm(mistaken.user_code, wholeGrant(app), other, owner.userId)).status, 400)

  const late = await begin()
  now += 11 * minuteMs
  assert.equal((await lookUp(late.user_code)).status, 400)
  assert.equal((await poll(late.device_code)).body.error, 'expired_token')
})

/** `addressOf` is asked for each of ten thousand devices that begin now. */
async function flood(addressOf: (index: number) => string): Promise<void> {
  const devices = Array.from({ length: 10_000 }, (_, index) => ({
    device_hash: `hash ${addressOf(index)}`,
    user_code_hash: `code ${addressOf(index)}`,
    client_id: clientId,
    permissions: encodeJson<Permission[]>(['agents:read']),
    address: addressOf(index),
    status: 'pending' as const,
    key_id: null,
    polled_at: null,
    interval_seconds: 5,
    created_at: now,
    expires_at: now + 10 * minuteMs,
  }))
  for (let from = 0; from < devices.length; from += 1_000) {
    const rows = devices.slice(from, from + 1_000)
    await app.dependencies.database.write(tx => tx.insertInto('app_devices').values(rows).execute())
  }
}

async function countWaiting(): Promise<number> {
  const { count } = await app.dependencies.database.read
    .selectFrom('app_devices')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

test('ten thousand devices of a stranger keep no other device out, and end none that waits', async () => {
  const waiting = await begin()
  // A provider gives a customer as many networks of /64.
  await flood(index => `2001:db8:0:${index.toString(16)}::1`)
  const late = await begin()
  for (const { user_code } of [waiting, late]) {
    assert.equal((await confirm(user_code, wholeGrant(app))).status, 204)
  }
  assert.equal((await poll(late.device_code)).status, 200)
  const count = await countWaiting()
  assert.ok(count < 10_000, `${count} devices wait`)
})

test('devices of as many strangers make room for a hundred at once, for to find them reads all', async () => {
  await app.dependencies.database.write(tx => tx.deleteFrom('app_devices').execute())
  await flood(index => `2001:db8:${index.toString(16)}::1`)
  const late = await begin()
  assert.equal((await confirm(late.user_code, wholeGrant(app))).status, 204)
  assert.equal(await countWaiting(), 9_901)
})

test('of two people who confirm at once, one gives', async () => {
  const device = await begin()
  const other = await signIn(app, (await app.createKey({ role: 'admin' })).caller.userId)
  const replies = await Promise.all([
    confirm(device.user_code, wholeGrant(app)),
    confirm(device.user_code, wholeGrant(app), other),
  ])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 400])
})

test('a person who tries many codes is stopped', async () => {
  const guesser = await signIn(app, (await app.createKey({ role: 'member' })).caller.userId)
  const statuses = []
  for (let i = 0; i < 25; i++) statuses.push((await lookUp('BBBB-BBBB', guesser)).status)
  assert.deepEqual([statuses[0], statuses.at(-1)], [400, 429])
  const waiting = await begin()
  assert.equal((await lookUp(waiting.user_code, guesser)).status, 429)
})
