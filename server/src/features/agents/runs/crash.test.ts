import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultPoint } from '../../../platform/faults.ts'
import { killAgainAndAgain } from '../../../testing/kill-loop/rounds.ts'
import { prepare } from '../../../testing/kill-loop/setup.ts'

/** The hardest to get right: `npm run kill-loop -- --only runs` goes through all, for as long as one likes. */
const points = [
  'run.committed',
  'run.delta-told',
  'run.before-unsafe-tool',
  'run.after-unsafe-tool',
  'run.before-pause',
  'run.successor-queued',
  'run.before-end',
  'approval.before-commit',
] as const satisfies FaultPoint[]

test('a server that is killed in the middle of runs ends every one as its record says, sends nothing twice, and tells whoever follows all of it', async t => {
  const prepared = await prepare(t, 'sqlite', { bookSize: 1, subjects: ['runs'] })
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
})
