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
      'connection-sync.items-written',
      'connection-sync.page-written',
      'connection-sync.item-fetched',
      'connection-sync.item-written',
      'connection-sync.removal-begun',
      'connection-sync.before-end',
    ],
  })
})

test('on PostgreSQL, too, a killed sync goes on where it was and ends with exact counts', {
  timeout,
}, async t => {
  const points = ['connection-sync.item-written', 'connection-sync.before-end'] as const
  await killOnceAtEach(t, { engine: 'postgres', subjects, points })
})
