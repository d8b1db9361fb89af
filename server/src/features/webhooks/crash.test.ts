/** A server that is killed while it delivers: nothing is lost, and what is told again keeps its id. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultPoint } from '../../platform/faults.ts'
import { killAgainAndAgain } from '../../testing/kill-loop/rounds.ts'
import { prepare } from '../../testing/kill-loop/setup.ts'

const points = ['webhook.sent', 'webhook.recorded'] as const satisfies FaultPoint[]

test('what a killed server was delivering is delivered again under the same id, and nothing is lost', async t => {
  const prepared = await prepare(t, 'sqlite', { subjects: ['webhooks'] })
  const tally = await killAgainAndAgain(points.length, {
    ...prepared,
    points,
    anyMomentEvery: Number.POSITIVE_INFINITY,
    maxNth: 2,
    random: Math.random,
  })
  assert.deepEqual(
    points.filter(point => !tally.kills.has(point)),
    [],
    'points that were never reached',
  )
  assert.ok(tally.checks >= points.length)
})
