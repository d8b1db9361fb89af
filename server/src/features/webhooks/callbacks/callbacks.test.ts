/** Callbacks of runs through HTTP: signed, repeated, logged; and what is refused. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Webhook } from 'standardwebhooks'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { signIn } from '../../../testing/apps/signed-in.ts'
import { createTeam } from '../../../testing/apps/team-access.ts'
import { startWebhookApp } from '../../../testing/apps/webhook-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestKey } from '../../../testing/test-app.ts'

const dayMs = 86_400_000

async function start(t: { after(end: () => Promise<void>): void }) {
  const setting = await startWebhookApp()
  t.after(setting.close)
  const { app, receiver } = setting
  const key = app.testKey
  const rotate = async (body: Record<string, unknown> = {}, as: TestKey = key): Promise<string> => {
    const reply = await app.request('POST', '/callbacks/secret/rotate', { key: as, body })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data.secret
  }
  const { id: agentId } = await createAgentIn(app, { model: 'sandbox', tools: [] }, key)
  const run = (path: string, body: Record<string, unknown> = {}, as: TestKey = key) => {
    const callbackUrl = `${receiver.origin}${path}`
    return app.request('POST', `/agents/${agentId}/run`, {
      key: as,
      body: { prompt: 'sim:output=Done.', callbackUrl, ...body },
    })
  }
  const log = async (query: Record<string, string> = {}, as: TestKey = key) =>
    (await app.request('GET', '/callbacks/deliveries', { key: as, query })).body
  return { ...setting, key, agentId, rotate, run, log }
}

test('the end of a run is sent to its `callbackUrl`, signed with the secret of the environment, as GET /events shows it', async t => {
  const { app, receiver, key, rotate, run, log } = await start(t)
  const secret = await rotate()
  const done = await run('/answers?ticket=4711', { metadata: { ticket: '4711' } })
  assert.equal(done.status, 200, JSON.stringify(done.body))
  const [one] = await receiver.until('/answers?ticket=4711', 1)
  assert.ok(one)
  const sent = new Webhook(secret).verify(one.body, one.headers) as { data: Record<string, unknown> }
  const { body } = await app.request('GET', '/events', { key, query: { type: 'run.succeeded' } })
  assert.deepEqual(sent, body.data[0])
  assert.deepEqual([sent.data.output, sent.data.metadata], ['Done.', { ticket: '4711' }])
  await run('/other')
  await receiver.until('/other', 1)
  await eventually('both are delivered', async () => (await log({ status: 'delivered' })).meta.total === 2)
  const { data } = await log({ runId: done.body.data.id, eventType: 'run.*' })
  assert.equal(data.length, 1)
  const path = `/callbacks/deliveries/${data[0].id}`
  const detail = (await app.request('GET', path, { key })).body.data
  assert.deepEqual([detail.body, detail.url], [one.body, `${receiver.origin}/answers?ticket=4711`])
  assert.equal(detail.attempts[0].response.statusCode, 204)
  assert.equal((await app.request('POST', `${path}/redeliver`, { key })).status, 202)
  const [, again] = await receiver.until('/answers?ticket=4711', 2)
  assert.equal(again?.headers['webhook-id'], one.headers['webhook-id'])
  assert.doesNotMatch(JSON.stringify(done.body), /ticket=4711/)
  assert.equal((await app.request('GET', '/webhooks', { key })).body.meta.total, 0)
})

test('the secret is shown once, kept encrypted, and rotated with an overlap in which both sign', async t => {
  const { app, receiver, clock, key, rotate, run } = await start(t)
  const path = '/callbacks/secret'
  assert.deepEqual((await app.request('GET', path, { key })).body.data, {
    environment: 'test',
    rotatedAt: null,
    previousSecretExpiresAt: null,
  })
  const first = await rotate()
  const second = await rotate({ overlapSeconds: 60 })
  const state = (await app.request('GET', path, { key })).body.data
  assert.ok(state.previousSecretExpiresAt > state.rotatedAt)
  await run('/a')
  const [both] = await receiver.until('/a', 1)
  assert.ok(both)
  for (const secret of [first, second]) new Webhook(secret).verify(both.body, both.headers)
  clock.offsetMs += 61_000
  await run('/b')
  const [last] = await receiver.until('/b', 1)
  assert.ok(last)
  new Webhook(second).verify(last.body, last.headers)
  assert.throws(() => new Webhook(first).verify(last.body, last.headers))
  const rows = await app.dependencies.database.read.selectFrom('callback_secrets').selectAll().execute()
  const audit = await app.dependencies.database.read.selectFrom('audit_log').selectAll().execute()
  const kept = JSON.stringify([rows, audit, app.logLines])
  assert.ok([first, second].every(secret => !kept.includes(secret.slice(6))))
  const live = (await app.request('GET', path)).body.data
  assert.equal(live.rotatedAt, null)
})

test('a URL that points inside, and any URL before there is a secret, is refused by its field, and no run begins', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const key = app.testKey
  const { id } = await createAgentIn(app, { model: 'sandbox', tools: [] }, key)
  const run = (callbackUrl: unknown) =>
    app.request('POST', `/agents/${id}/run`, { key, body: { prompt: 'Hello', callbackUrl } })
  const before = await run('https://hooks.example.com/a')
  assert.equal(before.status, 400)
  assert.match(before.body.errors[0].message, /POST \/callbacks\/secret\/rotate/)
  await app.request('POST', '/callbacks/secret/rotate', { key, body: {} })
  const long = `https://example.com/${'a'.repeat(2_000)}`
  for (const url of [
    'http://127.0.0.1:9/',
    'http://10.0.0.1/',
    'ftp://example.com/',
    'nonsense',
    long,
    '',
    1,
  ]) {
    const reply = await run(url)
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'callbackUrl'], String(url))
  }
  assert.equal((await app.request('GET', `/agents/${id}/runs`, { key })).body.meta.total, 0)
})

test('a callback that fails is tried again like any delivery; a 410 ends it, and its host is never given up', async t => {
  const { app, receiver, clock, key, rotate, run, log } = await start(t)
  await rotate()
  const states = { '/down': 500, '/gone': 410 }
  for (const [path, status] of Object.entries(states)) {
    receiver.answer(path, (_, response) => void response.writeHead(status).end())
    await run(path)
    await receiver.until(path, 1)
  }
  await eventually('the 410 has ended', async () => (await log({ status: 'failed' })).meta.total === 1)
  assert.equal((await log({ status: 'pending' })).meta.total, 1)
  receiver.answer('/down', (_, response) => void response.writeHead(204).end())
  clock.offsetMs += 3_600_000
  await app.app.services.webhookHousekeeping.sweep()
  await receiver.until('/down', 2)
  await eventually('it is delivered', async () => (await log({ status: 'delivered' })).meta.total === 1)
  const events = await app.request('GET', '/events', { key, query: { type: 'webhook.*' } })
  assert.equal(events.body.meta.total, 0)
})

test('callbacks of a key that was revoked meanwhile are given up unsent', async t => {
  const { app, receiver, clock, rotate, run, log } = await start(t)
  await rotate()
  const leaver = await app.createKey({ environment: 'test' })
  receiver.answer('/hook', (_, response) => void response.writeHead(500).end())
  await run('/hook', {}, leaver)
  await receiver.until('/hook', 1)
  await eventually('it waits', async () => (await log()).data[0]?.attemptCount === 1)
  assert.equal((await app.request('POST', `/api-keys/${leaver.id}/revoke`, { key: app.testKey })).status, 200)
  clock.offsetMs += 3_600_000
  await app.app.services.webhookHousekeeping.sweep()
  await eventually('it is given up', async () => (await log({ status: 'failed' })).meta.total === 1)
  assert.match((await log()).data[0].error, /author may not read it/)
  assert.equal(receiver.received.length, 1)
})

test('a callback that is tried again leaves out words that its author may not read any more', async t => {
  const { app, receiver, clock, key, rotate } = await start(t)
  await rotate()
  const collectionId = await createCollection(app, key)
  const content = '# Vault\n\nThe vault opens with the golden word xyzzy every single morning.'
  await uploadAndWait(app, { collectionId, key, name: 'vault.md', content })
  const { id } = await createAgentIn(app, { model: 'sandbox', collectionIds: [collectionId] }, key)
  const member = await app.createKey({ environment: 'test', role: 'member' })
  receiver.answer('/hook', (_, response) => void response.writeHead(500).end())
  const body = { prompt: 'How does the vault open?', callbackUrl: `${receiver.origin}/hook` }
  await app.request('POST', `/agents/${id}/run`, { key: member, body })
  const [first] = await receiver.until('/hook', 1)
  assert.match(first?.body ?? '', /xyzzy/)
  const teamIds = [await createTeam(app, 'Guards')]
  const kept = { access: 'teams', teamIds }
  const path = `/knowledge/collections/${collectionId}`
  assert.equal((await app.request('PATCH', path, { key, body: kept })).status, 200)
  clock.offsetMs += 3_600_000
  await app.app.services.webhookHousekeeping.sweep()
  const [, second] = await receiver.until('/hook', 2)
  const { data } = JSON.parse(second?.body ?? '{}')
  assert.deepEqual([data.status, data.output, data.metadata], ['succeeded', null, null])
})

test('a narrowed key sees the callbacks of its own runs alone, and cannot rotate the secret of all', async t => {
  const { app, receiver, key, agentId, rotate, run, log } = await start(t)
  await rotate()
  const narrow = await app.createKey({ environment: 'test', agentIds: [agentId] })
  await run('/wide')
  await run('/narrow', {}, narrow)
  await receiver.until('/wide', 1)
  await receiver.until('/narrow', 1)
  const urls = (body: { data: { url: string }[] }) => body.data.map(({ url }) => new URL(url).pathname)
  assert.deepEqual(urls(await log()), ['/narrow', '/wide'])
  assert.deepEqual(urls(await log({}, narrow)), ['/narrow'])
  const [, wide] = (await log()).data
  const path = `/callbacks/deliveries/${wide.id}`
  const stranger = await app.createWorkspace()
  const foreign = await app.createKey({ workspaceId: stranger.workspaceId, userId: stranger.ownerId })
  const unread = await app.createKey({
    environment: 'test',
    permissions: ['webhooks:read', 'webhooks:write'],
  })
  for (const other of [narrow, foreign, app.liveKey, unread]) {
    assert.equal((await app.request('GET', path, { key: other })).status, 404)
    assert.equal((await app.request('POST', `${path}/redeliver`, { key: other })).status, 404)
  }
  assert.equal((await log({}, unread)).meta.total, 0)
  const refused = await app.request('POST', '/callbacks/secret/rotate', { key: narrow, body: {} })
  assert.equal(refused.status, 403)
  const lesser = await app.createKey({ environment: 'test', permissions: ['webhooks:read'] })
  const unwritten = await app.request('POST', '/callbacks/secret/rotate', { key: lesser, body: {} })
  assert.equal(unwritten.status, 403)
  assert.equal((await app.request('GET', '/callbacks/secret', { key })).status, 200)
})

test('an environment calls back 100 hosts at most; those without a log are forgotten', async t => {
  const { app, clock, key, rotate, run } = await start(t)
  await rotate()
  const { database } = app.dependencies
  const now = Date.now()
  await database.write(tx =>
    tx
      .insertInto('webhooks')
      .values(
        Array.from({ length: 100 }, (_, index) => ({
          id: app.dependencies.newId('webhook'),
          workspace_id: app.workspaceId,
          environment: 'test' as const,
          kind: 'callbacks' as const,
          url: `https://host-${index}.example.com`,
          unique_key: `host-${index}`,
          narrowing: '',
          enabled: 1,
          failures: 0,
          created_at: now,
          updated_at: now,
          revision: 1,
        })),
      )
      .execute(),
  )
  const refused = await run('/hook')
  assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'callbackUrl'])
  clock.offsetMs += dayMs
  await app.app.services.webhookHousekeeping.tidy()
  const left = await database.read.selectFrom('webhooks').select('id').execute()
  assert.deepEqual(left, [])
  assert.equal((await run('/hook')).status, 200)
  assert.equal((await app.request('GET', '/webhooks', { key })).body.meta.total, 0)
})

test('a callback of a person’s run has its answer, which its log and webhooks keep from keys', async t => {
  const { app, receiver, endpoint, rotate, agentId, log } = await start(t)
  await rotate()
  const ada = await signIn(app, String((await app.createKey({ role: 'admin' })).caller.userId))
  const token = await ada.token({ environment: 'test' })
  await endpoint('/hook', { eventTypes: ['run.*'] }, app.testKey)
  const body = { prompt: 'sim:output=Secret.', callbackUrl: `${receiver.origin}/mine?ticket=4711` }
  const run = await app.request('POST', `/agents/${agentId}/run`, { key: token, body })
  const [called] = await receiver.until('/mine?ticket=4711', 1)
  assert.match(String(called?.body), /Secret/)
  const [hooked] = await receiver.until('/hook', 1)
  const told = JSON.parse(String(hooked?.body)).data
  assert.deepEqual([told.id, told.output, told.metadata], [run.body.data.id, null, null])
  await eventually('the callback is in the log of its author', async () => {
    const { body: own } = await app.request('GET', '/callbacks/deliveries', { key: token })
    return own.meta.total === 1
  })
  assert.equal((await log()).meta.total, 0)
})
