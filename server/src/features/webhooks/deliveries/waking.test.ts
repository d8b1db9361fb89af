/** The moment at which an endpoint's job ends while another event is being written: nothing is left lying there. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { startWebhookApp } from '../../../testing/apps/webhook-app.ts'
import { untilNoJobs } from '../../../testing/knowledge/knowledge.ts'

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
