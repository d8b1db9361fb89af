/** The points of a sync that are hardest to get right: `npm run kill-loop -- --only connections` goes through all. */
import { test } from 'node:test'
import { killOnceAtEach } from '../../../testing/kill-loop/short-round.ts'

const subjects = ['connections'] as const
const timeout = 10 * 60_000

test('a sync whose server is killed goes on where it was, ends with exact counts, and leaves what the service holds', {
  timeout,
}, async t => {
  await killOnceAtEach(t, {
    engine: 'sqlite',
    subjects,
    points: [
      'integration.sync/commit.after',
      'integration.sync/commit.before:3',
      'integration.sync/blob.received',
      'integration.sync/blob.adopted',
      'integration.sync/commit.after:8',
      'knowledge-sync/commit.after',
    ],
  })
})

test('on PostgreSQL, too, a killed sync goes on where it was and ends with exact counts', {
  timeout,
}, async t => {
  const points = ['integration.sync/blob.adopted', 'integration.sync/commit.after:8'] as const
  await killOnceAtEach(t, { engine: 'postgres', subjects, points })
})
