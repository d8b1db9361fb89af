/** The points of a run that are hardest to get right: `npm run kill-loop -- --only runs` goes through all. */
import { test } from 'node:test'
import { killOnceAtEach } from '../../../testing/kill-loop/short-round.ts'

const round = { bookSize: 1, subjects: ['runs'] } as const
const timeout = 10 * 60_000

test('after a server is killed during runs, every run ends as its record says, no event is sent twice, and followers receive every event', {
  timeout,
}, async t => {
  await killOnceAtEach(t, {
    ...round,
    engine: 'sqlite',
    points: [
      'run.committed',
      'run.delta-told',
      'run.before-unsafe-tool',
      'run.after-unsafe-tool',
      'run.before-pause',
      'run.successor-queued',
      'run.before-end',
      'approval.before-commit',
    ],
  })
})

test('on PostgreSQL, too, a killed run ends as its record says and sends nothing twice', {
  timeout,
}, async t => {
  const points = ['run.after-unsafe-tool', 'run.before-end'] as const
  await killOnceAtEach(t, { ...round, engine: 'postgres', points })
})
