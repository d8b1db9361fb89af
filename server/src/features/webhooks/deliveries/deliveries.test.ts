/** Delivering through HTTP to receivers that hang, redirect, flood, fail and are gone; and what can be sent again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { dayMs, hourMs, minuteMs } from '../../../platform/clock.ts'
import { startWebhookApp } from '../../../testing/apps/webhook-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { untilNoJobs } from '../../../testing/knowledge/knowledge.ts'
import { startMailServer } from '../../../testing/servers/mail-server.ts'
import { mailTo } from '../../../testing/servers/mailbox.ts'
import { endpointPauseMs, retryPauseMs } from './record-attempts.ts'

async function start(t: { after(end: () => Promise<void>): void }, settings: Record<string, string> = {}) {
  const setting = await startWebhookApp(settings)
  t.after(setting.close)
  const { app } = setting
  const sweep = () => app.app.services.webhookHousekeeping.sweep()
  return { ...setting, sweep }
}

const isDone = (count: number) => (rows: { status: string }[]) =>
  rows.length === count && rows.every(({ status }) => status !== 'pending')
const wasTried = (rows: { attemptCount: number }[]) =>
  rows.length > 0 && rows.every(row => row.attemptCount > 0)

/** A receiver that hangs is not waited for as long as usual. */
const impatient = { ATRIUM_WEBHOOK_TIMEOUT_SECONDS: '1' }

test('an endpoint that does not answer is left in peace after a few attempts, and says since when', async t => {
  const { app, receiver, endpoint, happen } = await start(t, impatient)
  receiver.answer('/dead', () => undefined)
  const { id } = await endpoint('/dead')
  for (let index = 0; index < 20; index++) await happen()
  const { read } = app.dependencies.database
  const row = () => read.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await eventually('it is left in peace', async () => (await row()).paused_until !== null)
  assert.ok(((await row()).paused_until ?? 0) > Date.now())
  // Three times four at once.
  assert.ok(receiver.received.length <= 12, `${receiver.received.length} attempts`)
  const shown = (await app.request('GET', `/webhooks/${id}`)).body.data
  assert.deepEqual([shown.enabled, shown.failingSince !== null], [true, true])
})

test('a receiver that hangs, redirects, breaks off or points inside by then has failed; one that floods was told', async t => {
  const patience = { ATRIUM_WEBHOOK_TIMEOUT_SECONDS: '4' }
  const { app, receiver, endpoint, happen, deliveries } = await start(t, patience)
  receiver.answer('/hangs', () => undefined)
  receiver.answer('/redirects', (_, response) => response.writeHead(302, { location: '/elsewhere' }).end())
  receiver.answer('/breaks', request => request.socket.destroy())
  receiver.answer('/floods', (_, response) => {
    response.writeHead(200, { 'content-type': 'text/plain', 'x-long': 'y'.repeat(5_000) })
    response.end(Buffer.alloc(10_000_000, 'z\0'))
  })
  const wanted = [
    ['/hangs', 'pending', /did not answer within 4 s/],
    ['/redirects', 'pending', /redirects are not followed/],
    ['/breaks', 'pending', /could not be reached|ended/],
    ['/floods', 'delivered', null],
  ] as const
  const made = new Map<string, string>()
  for (const [path] of wanted) made.set(path, (await endpoint(path)).id)
  // A name that was let pass when it was not known, and turns out to be inside.
  const inside = await endpoint('/inside')
  await app.dependencies.database.write(tx =>
    tx.updateTable('webhooks').set({ url: 'http://127.0.0.2:8080/' }).where('id', '=', inside.id).execute(),
  )
  await happen()
  for (const [path, status, error] of [...wanted, ['/inside', 'pending', /not an address/] as const]) {
    const id = made.get(path) ?? inside.id
    const [row] = await deliveries(id, wasTried)
    assert.equal(row.status, status, path)
    const detail = (await app.request('GET', `/webhooks/${id}/deliveries/${row.id}`)).body.data
    const [attempt] = detail.attempts
    if (error === null) {
      assert.equal(attempt.response.body.length, 4_000)
      assert.ok(attempt.response.headers['x-long'].length <= 300)
    } else assert.match(attempt.error, error)
  }
  assert.equal(receiver.received.filter(({ path }) => path === '/elsewhere').length, 0)
})

test('what failed is repeated with the same id and body, until it is taken', async t => {
  const { app, receiver, clock, endpoint, happen, deliveries, sweep } = await start(t)
  let failures = 2
  receiver.answer('/hook', (_, response) => response.writeHead(failures-- > 0 ? 500 : 200).end('so so'))
  const { id, secret } = await endpoint('/hook')
  await happen()
  for (const pauseMs of [6_000, 6 * minuteMs]) {
    const before = receiver.received.length
    await deliveries(id, rows => rows[0]?.attemptCount === before || before === 0)
    await deliveries(id, wasTried)
    clock.offsetMs += pauseMs
    await sweep()
    await receiver.until('/hook', pauseMs === 6_000 ? 2 : 3)
  }
  const [row] = await deliveries(id, isDone(1))
  assert.deepEqual([row.status, row.attemptCount, row.error], ['delivered', 3, null])
  assert.equal(new Set(receiver.received.map(({ headers }) => headers['webhook-id'])).size, 1)
  assert.equal(new Set(receiver.received.map(({ body }) => body)).size, 1)
  const stamps = receiver.received.map(({ headers }) => Number(headers['webhook-timestamp']))
  assert.ok((stamps[2] ?? 0) - (stamps[0] ?? 0) > 300)
  assert.ok(secret)
  const detail = (await app.request('GET', `/webhooks/${id}/deliveries/${row.id}`)).body.data
  assert.deepEqual(
    detail.attempts.map((attempt: { response: { statusCode: number; body: string } }) => [
      attempt.response.statusCode,
      attempt.response.body,
    ]),
    [
      [500, 'so so'],
      [500, 'so so'],
      [200, 'so so'],
    ],
  )
})

test('retries go on for about three days with jitter, and an endpoint that fails is tried less and less often', () => {
  const sum = (random: number) => {
    let total = 0
    let attempts = 1
    for (
      let pause = retryPauseMs(attempts, () => random);
      pause !== null;
      pause = retryPauseMs(++attempts, () => random)
    ) {
      total += pause
    }
    return { total, attempts }
  }
  assert.equal(sum(0.5).attempts, 10)
  assert.ok(sum(0).total > 2.4 * dayMs && sum(1).total < 3.9 * dayMs)
  assert.notEqual(
    retryPauseMs(3, () => 0.1),
    retryPauseMs(3, () => 0.9),
  )
  assert.deepEqual([endpointPauseMs(2, () => 0.5), endpointPauseMs(3, () => 0.5)], [0, 10_000])
  assert.ok(endpointPauseMs(60, () => 1) <= 12 * minuteMs)
})

test('a 410 of the address that an endpoint had before does not disable it', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  const { id, url } = await endpoint('/old')
  const asked = Promise.withResolvers<void>()
  const changed = Promise.withResolvers<void>()
  receiver.answer('/old', async (_, response) => {
    asked.resolve()
    await changed.promise
    response.writeHead(410).end()
  })
  await happen()
  await asked.promise
  const moved = { url: url.replace('/old', '/new') }
  assert.equal((await app.request('PATCH', `/webhooks/${id}`, { body: moved })).status, 200)
  changed.resolve()
  await deliveries(id, wasTried)
  const shown = (await app.request('GET', `/webhooks/${id}`)).body.data
  assert.deepEqual([shown.enabled, shown.disabledReason], [true, null])
})

test('an endpoint that answers 410 is disabled at once, with an audit row, and others are told', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  receiver.answer('/gone', (_, response) => response.writeHead(410).end())
  const gone = await endpoint('/gone')
  await endpoint('/other', { eventTypes: ['webhook.disabled'] })
  await happen()
  const [told] = await receiver.until('/other', 1)
  assert.deepEqual(JSON.parse(told?.body ?? '{}').data, { id: gone.id, reason: 'gone' })
  const shown = (await app.request('GET', `/webhooks/${gone.id}`)).body.data
  assert.deepEqual([shown.enabled, shown.disabledReason], [false, 'gone'])
  const audit = await app.request('GET', '/audit-log', { query: { action: 'webhook.disable' } })
  assert.deepEqual([audit.body.data[0].actor, audit.body.data[0].resourceId], ['system', gone.id])
  await happen()
  receiver.answer('/gone', (_, response) => response.writeHead(200).end())
  await app.request('PATCH', `/webhooks/${gone.id}`, { body: { enabled: true } })
  // What happened while it was disabled would stand before what happens now.
  await happen()
  const rows = await deliveries(gone.id, found => found.at(-1)?.status === 'delivered')
  assert.equal(rows.length, 2)
})

test('only owners and admins are told by mail of an endpoint that was given up', async t => {
  const mailServer = await startMailServer(t)
  const { app, receiver, endpoint, happen } = await start(t, { SMTP_URL: mailServer.url })
  const addressOf = async (role: 'admin' | 'viewer') => {
    const { userId } = (await app.createKey({ role })).caller
    const { body } = await app.request('GET', '/workspace/members')
    return body.data.find((member: { userId: string }) => member.userId === userId).email as string
  }
  const admin = await addressOf('admin')
  const viewer = await addressOf('viewer')
  receiver.answer('/gone', (_, response) => response.writeHead(410).end())
  const { id } = await endpoint('/gone')
  await happen()
  const text = await mailTo(mailServer.received, admin)
  assert.match(text, /gets no more events\. It answered 410/)
  assert.ok(text.includes(`/webhooks/${id}`))
  assert.ok(!mailServer.received.some(({ recipients }) => recipients.includes(viewer)))
})

test('an endpoint to which nothing is delivered for five days is disabled; one success begins the count again', async t => {
  const { app, receiver, clock, endpoint, happen, deliveries, sweep } = await start(t)
  let status = 500
  receiver.answer('/hook', (_, response) => response.writeHead(status).end())
  const { id } = await endpoint('/hook')
  const { read } = app.dependencies.database
  const row = () => read.selectFrom('webhooks').selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  const once = (isSo: (found: Awaited<ReturnType<typeof row>>) => boolean) =>
    eventually(`it is so: ${isSo}`, async () => isSo(await row()))
  const failFor = async (days: number) => {
    for (let passed = 0; passed < days; passed++) {
      const before = (await row()).last_failure_at
      await happen()
      await sweep()
      await once(({ last_failure_at }) => last_failure_at !== before)
      clock.offsetMs += dayMs + hourMs
    }
  }
  const isEnabled = async () => (await app.request('GET', `/webhooks/${id}`)).body.data.enabled
  await failFor(4)
  assert.equal(await isEnabled(), true)
  status = 200
  await happen()
  await sweep()
  await deliveries(id, rows => rows.at(-1)?.status === 'delivered')
  await once(({ failing_since }) => failing_since === null)
  assert.equal((await app.request('GET', `/webhooks/${id}`)).body.data.failingSince, null)
  status = 500
  await failFor(5)
  assert.equal(await isEnabled(), true)
  await happen()
  await sweep()
  await once(({ enabled }) => enabled === 0)
  const shown = (await app.request('GET', `/webhooks/${id}`)).body.data
  assert.deepEqual([shown.enabled, shown.disabledReason], [false, 'failing'])
})

test('as soon as an endpoint answers again, what waits is sent', async t => {
  const { app, receiver, clock, endpoint, happen, deliveries, sweep } = await start(t)
  let status = 503
  receiver.answer('/hook', (_, response) => response.writeHead(status).end())
  const { id } = await endpoint('/hook')
  const isAtRest = async () => {
    const due = await app.dependencies.database.read
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      // By the database's clock; what is to be tried later has a later time.
      .where('run_at', '<=', Date.now())
      .execute()
    return due.length === 0
  }
  for (let round = 0; round < 4; round++) {
    await happen()
    clock.offsetMs += minuteMs
    await sweep()
    await eventually('no job is left that is due', isAtRest)
  }
  status = 200
  clock.offsetMs += 20 * minuteMs
  await sweep()
  const rows = await deliveries(id, isDone(4))
  assert.ok(rows.every(row => row.status === 'delivered'))
})

test('the log is kept for its days, and what could not be tried is given up', async t => {
  const { app, clock, receiver, endpoint, happen, deliveries } = await start(t)
  receiver.answer('/hook', (_, response) => response.writeHead(500).end())
  const { id } = await endpoint('/hook')
  await happen()
  await deliveries(id, wasTried)
  await app.request('PATCH', `/webhooks/${id}`, { body: { enabled: false } })
  const { webhookHousekeeping } = app.app.services
  clock.offsetMs += 5 * dayMs
  assert.equal(await webhookHousekeeping.tidy(), 0)
  const [late] = await deliveries(id, () => true)
  assert.deepEqual([late.status, late.error], ['failed', 'It was not delivered for days'])
  clock.offsetMs += 26 * dayMs
  assert.equal(await webhookHousekeeping.tidy(), 1)
  assert.equal((await app.request('GET', `/webhooks/${id}/deliveries`)).body.meta.total, 0)
})

test('whatever happens while a job is about to rest is delivered all the same, and once', async t => {
  const { app, receiver, endpoint, happen, close } = await startWebhookApp()
  t.after(close)
  const { id } = await endpoint('/one')
  await endpoint('/two')
  let count = 0
  const lane = async (pauseMs: number) => {
    for (let index = 0; index < 20; index++) {
      await happen()
      count += 1
      await sleep(pauseMs)
    }
  }
  await Promise.all([lane(0), lane(3), lane(8)])
  // No sweep runs meanwhile: it would be in a minute.
  for (const path of ['/one', '/two']) {
    const told = await receiver.until(path, count)
    assert.equal(new Set(told.map(({ headers }) => headers['webhook-id'])).size, count)
  }
  await untilNoJobs(app)
  assert.equal(receiver.received.length, 2 * count)
  const { body } = await app.request('GET', `/webhooks/${id}/deliveries`, { query: { status: 'delivered' } })
  assert.equal(body.meta.total, count)
})

test('a change that is rolled back is delivered to no endpoint', async t => {
  const { app, receiver, endpoint, happen, close } = await startWebhookApp()
  t.after(close)
  await endpoint('/hook')
  const made = await app.request('POST', '/knowledge/collections', { body: { name: 'Kept' } })
  const path = `/knowledge/collections/${made.body.data.id}`
  const stale = { headers: { 'if-match': '"col_0.1"' } }
  assert.equal((await app.request('DELETE', path, stale)).status, 412)
  assert.equal((await app.request('DELETE', path, { query: { dryRun: 'true' } })).status, 200)
  await happen()
  await receiver.until('/hook', 1)
  await untilNoJobs(app)
  assert.equal(receiver.received.length, 1)
})
