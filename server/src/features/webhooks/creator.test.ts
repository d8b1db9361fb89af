/** What becomes of the endpoints of a member who may no longer have any. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { join, type Person } from '../../testing/apps/team-access.ts'
import { startWebhookApp, type WebhookSetting } from '../../testing/apps/webhook-app.ts'
import { startMailServer } from '../../testing/servers/mail-server.ts'
import { mailTo } from '../../testing/servers/mailbox.ts'
import type { TestApp } from '../../testing/test-app.ts'

type Setting = WebhookSetting & { maker: Person; received: { recipients: string[]; raw: string }[] }

async function start(context: TestContext): Promise<Setting> {
  const mails = await startMailServer(context)
  const setting = await startWebhookApp({ SMTP_URL: mails.url })
  context.after(setting.close)
  const maker = await join(setting.app, { role: 'admin' })
  return { ...setting, maker, received: mails.received }
}

const emailOf = async (app: TestApp, userId: string): Promise<string> => {
  const { data } = (await app.request('GET', '/workspace/members', { query: { pageSize: 100 } })).body
  return data.find((member: { userId: string }) => member.userId === userId).email
}

/** What an endpoint is shown as, and the audit rows about its end. */
async function endOf(app: TestApp, id: string, key = app.liveKey) {
  const { enabled, disabledReason } = (await app.request('GET', `/webhooks/${id}`, { key })).body.data
  const audit = await app.request('GET', '/audit-log', {
    query: { action: 'webhook.disable', resourceId: id },
  })
  const rows = audit.body.data.map(({ details, environment }: Record<string, unknown>) => ({
    details,
    environment,
  }))
  return { enabled, disabledReason, rows }
}

const reason = 'creator_lost_access'
const ended = (environment: string) => ({
  enabled: false,
  disabledReason: reason,
  rows: [{ details: { reason }, environment }],
})
const working = { enabled: true, disabledReason: null, rows: [] }

for (const [name, take] of [
  ['is removed', (app: TestApp, id: string) => app.request('DELETE', `/workspace/members/${id}`)],
  [
    'gets a role that manages no webhooks',
    (app: TestApp, id: string) =>
      app.request('PATCH', `/workspace/members/${id}`, { body: { role: 'member' } }),
  ],
] as const) {
  test(`the endpoints of a member who ${name} are disabled in both environments, and administrators are told`, async context => {
    const { app, endpoint, happen, maker, receiver, received, deliveries } = await start(context)
    const { userId } = maker.key.caller
    const sandboxKey = await app.createKey({ userId: userId ?? '', role: 'admin', environment: 'test' })
    const theirs = await endpoint('/theirs', {}, maker.key)
    const sandboxed = await endpoint('/sandboxed', {}, sandboxKey)
    const others = await endpoint('/others', { eventTypes: ['webhook.disabled', 'collection.deleted'] })
    const owner = await emailOf(app, app.ownerId)

    assert.ok((await take(app, maker.memberId)).status < 300)
    assert.deepEqual(await endOf(app, theirs.id), ended('live'))
    assert.deepEqual(await endOf(app, sandboxed.id, app.testKey), ended('test'))
    assert.deepEqual(await endOf(app, others.id), working)
    await happen()
    const told = await deliveries(others.id, rows => rows.length === 2 && rows.at(-1).status === 'delivered')
    assert.deepEqual(
      told.map(({ eventType }) => eventType),
      ['webhook.disabled', 'collection.deleted'],
    )
    assert.ok(receiver.received.every(({ path }) => path === '/others'))
    assert.match(await mailTo(received, owner), /member who made it was removed/)
  })
}

test('a member who stays an administrator keeps their endpoints', async context => {
  const { app, endpoint, maker } = await start(context)
  const theirs = await endpoint('/theirs', {}, maker.key)
  const reply = await app.request('PATCH', `/workspace/members/${maker.memberId}`, {
    body: { role: 'admin' },
  })
  assert.equal(reply.status, 200)
  assert.deepEqual(await endOf(app, theirs.id), working)
})

test('a removal lists the endpoints that go with it before it happens', async context => {
  const { app, endpoint, maker } = await start(context)
  const theirs = await endpoint('/theirs', {}, maker.key)
  const reply = await app.request('DELETE', `/workspace/members/${maker.memberId}`, {
    query: { dryRun: 'true' },
  })
  const effect = { effect: 'disabled', resource: 'webhook', count: 1, ids: [theirs.id] }
  assert.deepEqual(
    reply.body.data.effects.filter(({ resource }: { resource: string }) => resource === 'webhook'),
    [effect],
  )
  assert.deepEqual(await endOf(app, theirs.id), working)
})

test('an administrator who enables the endpoint answers for it from then on', async context => {
  const { app, endpoint, maker } = await start(context)
  const theirs = await endpoint('/theirs', {}, maker.key)
  await app.request('DELETE', `/workspace/members/${maker.memberId}`)
  const heir = await join(app, { role: 'admin' })
  const body = { enabled: true }
  assert.equal((await app.request('PATCH', `/webhooks/${theirs.id}`, { key: heir.key, body })).status, 200)
  await app.request('DELETE', `/workspace/members/${heir.memberId}`)
  const { enabled, disabledReason } = (await app.request('GET', `/webhooks/${theirs.id}`)).body.data
  assert.deepEqual([enabled, disabledReason], [false, reason])
})
