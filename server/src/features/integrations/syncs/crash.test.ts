import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultPoint } from '../../../platform/faults.ts'
import { killAgainAndAgain } from '../../../testing/kill-loop/rounds.ts'
import { prepare, sweepFiles } from '../../../testing/kill-loop/setup.ts'

/** The hardest to get right: `npm run kill-loop -- --only connections` goes through all, for as long as one likes. */
const points = [
  'connection-sync.page-written',
  'connection-sync.item-fetched',
  'connection-sync.item-written',
  'connection-sync.removal-begun',
  'connection-sync.before-end',
] as const satisfies FaultPoint[]

test('a sync whose server is killed goes on where it was, ends with exact counts, and leaves what the service holds', async t => {
  const prepared = await prepare(t, 'sqlite', { subjects: ['connections'] })
  const tally = await killAgainAndAgain(points.length, {
    ...prepared,
    points,
    anyMomentEvery: Number.POSITIVE_INFINITY,
    maxNth: 1,
    random: Math.random,
  })
  assert.deepEqual(
    points.filter(point => !tally.kills.has(point)),
    [],
    'points that were never reached',
  )
  assert.deepEqual((await sweepFiles(prepared)).faults, [])
})
