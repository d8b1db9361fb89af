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
      'runAgent/commit.after',
      'runs/commit.before',
      'runs/commit.before:3',
      'runs/commit.after:5',
      'runs/model.writing',
      'runs/request.sending',
      'runs/request.answered',
      'decideRun/commit.before',
      'sendToolResults/commit.before',
      'sendToolResults/commit.after',
    ],
  })
})

test('on PostgreSQL, too, a killed run ends as its record says and sends nothing twice', {
  timeout,
}, async t => {
  const points = ['runs/request.answered', 'runs/commit.before:3'] as const
  await killOnceAtEach(t, { ...round, engine: 'postgres', points })
})
