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

const atOnce = 12

async function copyAgent(app: TestApp, count: number): Promise<void> {
  const { body } = await app.request('POST', '/agents', { body: { name: 'Copied' } })
  const { database, newId } = app.dependencies
  await database.write(async tx => {
    const row = await tx
      .selectFrom('agents')
      .selectAll()
      .where('id', '=', body.data.id)
      .executeTakeFirstOrThrow()
    for (let index = 1; index < count; index++) {
      await tx
        .insertInto('agents')
        .values({ ...row, id: newId('agent') })
        .execute()
    }
  })
}

test('of many who ask at once for the last ones, no more are served than there is room for', async t => {
  const app = await startTestApp({ settings: { ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1' } })
  t.after(app.close)
  const collection = (await app.request('POST', '/knowledge/collections', { body: { name: 'C' } })).body.data
  const uploadHeaders = {
    'tus-resumable': '1.0.0',
    'upload-length': '10',
    'upload-metadata': `filename ${btoa('a.txt')},collectionId ${btoa(collection.id)}`,
  }
  const kinds = {
    agents: { most: 1_000, add: () => app.request('POST', '/agents', { body: { name: 'One more' } }) },
    webhooks: {
      most: 50,
      add: (number: number) =>
        app.request('POST', '/webhooks', { body: { url: `http://127.0.0.1:9/hook/${number}` } }),
    },
    'model-providers': {
      most: 20,
      add: (number: number) =>
        app.request('POST', '/model-providers', {
          body: {
            name: `gpu${number}`,
            kind: 'openai_compatible',
            baseUrl: 'http://127.0.0.1:9/v1',
            models: [{ id: 'a-model' }],
          },
        }),
    },
    'knowledge/uploads': {
      most: 100,
      add: () => app.request('POST', '/knowledge/uploads', { headers: uploadHeaders }),
    },
  }
  await copyAgent(app, kinds.agents.most - atOnce / 2)
  for (const [path, { most, add }] of Object.entries(kinds)) {
    const total = async () => (await app.request('GET', `/${path}`)).body.meta.total
    for (let number = await total(); number < most - atOnce / 2; number++) {
      assert.equal((await add(number)).status, 201, path)
    }
    const replies = await Promise.all(Array.from({ length: atOnce }, (_, index) => add(most + index)))
    assert.equal(replies.filter(({ status }) => status === 201).length, atOnce / 2, path)
    assert.equal(await total(), most, path)
  }
})
