/** Plans and limits: the headers on every reply, and the window. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { addressKey } from '../../platform/client-address.ts'
import { startTestApp, type TestApp, type TestReply } from '../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_PLAN_STARTER: 'requestsPerMinute=3', ATRIUM_ANONYMOUS_RATE: '5' },
  })
})
after(() => app.close())

const limitHeaders = (reply: { headers: Record<string, unknown> }): number[] =>
  ['limit', 'remaining', 'reset'].map(name => Number(reply.headers[`x-ratelimit-${name}`]))

test('what is over the plan’s number gets 429 with Retry-After, and the headers count down', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('starter')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const replies: TestReply[] = []
  for (let i = 0; i < 4; i++) replies.push(await app.request('GET', '/workspace', { key }))
  assert.deepEqual(
    replies.map(reply => reply.status),
    [200, 200, 200, 429],
  )
  assert.deepEqual(
    replies.map(reply => limitHeaders(reply)[1]),
    [2, 1, 0, 0],
  )
  const last = replies[3]
  assert.equal(last?.body.code, 'rate_limited')
  assert.ok(Number(last?.headers['retry-after']) > 0 && Number(last?.headers['retry-after']) <= 60)
  const [, , reset = 0] = limitHeaders(replies[0] ?? { headers: {} })
  assert.ok(reset > Date.now() / 1000 && reset <= Date.now() / 1000 + 61)
  const sandbox = await app.createKey({ workspaceId, userId: ownerId, environment: 'test' })
  assert.equal((await app.request('GET', '/workspace', { key: sandbox })).status, 200)
  assert.equal((await app.request('GET', '/no-such-route', { key })).status, 429)
})

test('the plan free has no API: 403 plan_required with limit headers of zero', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('free')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const reply = await app.request('GET', '/workspace', { key })
  assert.equal(reply.status, 403)
  assert.equal(reply.body.code, 'plan_required')
  assert.deepEqual(limitHeaders(reply).slice(0, 2), [0, 0])
})

test('requests without a valid key are counted by address, and do not lock out a key that is known', async () => {
  assert.equal((await app.request('GET', '/workspace')).status, 200)
  const replies: TestReply[] = []
  for (let i = 0; i < 6; i++) replies.push(await app.request('GET', '/workspace', { key: null }))
  assert.deepEqual(
    replies.map(reply => reply.status),
    [401, 401, 401, 401, 401, 429],
  )
  const guessed = `${app.liveKey.key.slice(0, 8)}${'0'.repeat(49)}`
  assert.equal((await app.request('GET', '/workspace', { key: guessed })).status, 429)
  assert.equal((await app.request('GET', '/openapi.json', { key: null })).status, 429)
  assert.equal((await app.request('GET', '/workspace')).status, 200)
})

test('an IPv6 subscriber has one counter for the whole /64, an IPv4 address one in either spelling', () => {
  assert.equal(addressKey('2001:db8:1:2:aaaa::1'), addressKey('2001:db8:1:2:ffff::9'))
  assert.notEqual(addressKey('2001:db8:1:2::1'), addressKey('2001:db8:1:3::1'))
  assert.equal(addressKey('::ffff:203.0.113.9'), addressKey('203.0.113.9'))
})
