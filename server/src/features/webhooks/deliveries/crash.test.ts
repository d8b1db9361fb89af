/** A server that is killed while it delivers: nothing is lost, and what it tells again keeps its id. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killOnceAtEach } from '../../../testing/kill-loop/short-round.ts'

const round = {
  subjects: ['webhooks'],
  points: ['webhook-deliveries/request.answered', 'webhook-deliveries/commit.after'],
} as const

for (const engine of ['sqlite', 'postgres'] as const)
  test(`what a killed server was delivering is delivered again under the same id, and nothing is lost (${engine})`, {
    timeout: 10 * 60_000,
  }, async t => {
    const { checks } = await killOnceAtEach(t, { ...round, engine })
    assert.ok(checks >= round.points.length, `${checks} checks`)
  })
