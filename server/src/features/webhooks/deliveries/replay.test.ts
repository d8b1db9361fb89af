/** Sending again: a test, one delivery, a range of time. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { Webhook } from 'standardwebhooks'
import { hourMs, minuteMs } from '../../../platform/clock.ts'
import { startWebhookApp } from '../../../testing/apps/webhook-app.ts'

async function start(t: { after(end: () => Promise<void>): void }) {
  const setting = await startWebhookApp()
  t.after(setting.close)
  return setting
}

const isDone = (count: number) => (rows: { status: string }[]) =>
  rows.length === count && rows.every(({ status }) => status !== 'pending')

test('a test, a delivery again and a range of time again reach the endpoint under the ids of their events', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  const { id, secret } = await endpoint('/hook', { eventTypes: ['collection.deleted'] })
  const path = `/webhooks/${id}`
  const tested = await app.request('POST', `${path}/test`)
  assert.equal(tested.status, 200)
  assert.equal(tested.body.data.attempts[0].response.statusCode, 204)
  assert.deepEqual([tested.body.data.status, tested.body.data.origin], ['delivered', 'test'])
  const [sent] = await receiver.until('/hook', 1)
  assert.ok(sent)
  const payload = new Webhook(secret).verify(sent.body, sent.headers) as { type: string }
  assert.equal(payload.type, 'webhook.test')
  const began = new Date(Date.now() - minuteMs).toISOString()
  for (let index = 0; index < 3; index++) await happen()
  const first = await deliveries(id, isDone(4))
  const again = await app.request('POST', `${path}/deliveries/${first[1].id}/redeliver`)
  assert.deepEqual([again.status, again.body.data.origin], [202, 'redelivery'])
  assert.equal(again.body.data.eventId, first[1].eventId)
  await receiver.until('/hook', 5)
  const range = { createdAfter: began }
  const dry = await app.request('POST', `${path}/replay`, { body: range, query: { dryRun: 'true' } })
  const ids = first.slice(1).map(({ eventId }) => eventId)
  assert.deepEqual(dry.body.data.effects, [{ effect: 'queued', resource: 'event', count: 3, ids }])
  const replayed = await app.request('POST', `${path}/replay`, { body: range })
  assert.deepEqual([replayed.status, replayed.body.data.eventCount], [202, 3])
  const all = await receiver.until('/hook', 8)
  assert.equal(new Set(all.map(({ headers }) => headers['webhook-id'])).size, 4)
  const wrong = { createdAfter: new Date(Date.now() + hourMs).toISOString() }
  assert.equal((await app.request('POST', `${path}/replay`, { body: wrong })).status, 400)
  const of = await app.request('GET', `${path}/deliveries`, { query: { eventId: first[1].eventId } })
  assert.equal(of.body.meta.total, 3)
})

test('a test is answered with its outcome: also that of an endpoint that refuses, and while it is left in peace', async t => {
  const { app, receiver, endpoint, happen, deliveries } = await start(t)
  const { id } = await endpoint('/broken')
  receiver.answer('/broken', (_request, response) => response.writeHead(500).end('out of order'))
  for (let index = 0; index < 6; index++) await happen()
  await deliveries(id, rows => rows.length === 6 && rows.some(({ attemptCount }) => attemptCount > 0))
  for (const key of ['first', 'second']) {
    const headers = { 'idempotency-key': key }
    const { status, body } = await app.request('POST', `/webhooks/${id}/test`, { headers })
    assert.equal(status, 200)
    assert.deepEqual([body.data.status, body.data.error], ['failed', 'It answered 500'])
    const [attempt] = body.data.attempts
    assert.deepEqual([attempt.response.statusCode, attempt.response.body], [500, 'out of order'])
  }
})

test('a test whose outcome is not waited for is 202, and its repetition is answered with the outcome', async t => {
  const { app, receiver, endpoint } = await start(t)
  const { id } = await endpoint('/slow')
  const held = Promise.withResolvers<void>()
  receiver.answer(
    '/slow',
    (_request, response) => void held.promise.then(() => response.writeHead(204).end()),
  )
  const send = (prefer: string) =>
    app.request('POST', `/webhooks/${id}/test`, { headers: { 'idempotency-key': 'slow', prefer } })
  const first = await send('respond-async')
  assert.deepEqual([first.status, first.body.data.status], [202, 'pending'])
  held.resolve()
  const again = await send('wait=20')
  assert.deepEqual([again.status, again.body.data.status], [200, 'delivered'])
  assert.equal(again.body.data.id, first.body.data.id)
})

test('a range of more events than are taken at once is replayed to its end', async t => {
  const { app, receiver, endpoint } = await start(t)
  const { database, newId } = app.dependencies
  const { id } = await endpoint('/hook')
  const count = 450
  await database.write(async tx => {
    for (let index = 0; index < count; index++) {
      await tx
        .insertInto('events')
        .values({
          id: newId('event'),
          workspace_id: app.workspaceId,
          environment: 'live',
          type: 'webhook.disabled',
          data: JSON.stringify({ id, reason: 'gone' }),
          agent_id: null,
          collection_id: null,
          narrowing: null,
          unique_key: null,
          created_at: Date.now(),
        })
        .execute()
    }
  })
  await sleep(5)
  const body = { createdAfter: new Date(Date.now() - minuteMs).toISOString() }
  const replayed = await app.request('POST', `/webhooks/${id}/replay`, { body })
  const { eventCount } = replayed.body.data
  assert.ok(eventCount >= count)
  const all = await receiver.until('/hook', eventCount)
  assert.equal(new Set(all.map(({ headers }) => headers['webhook-id'])).size, eventCount)
})
