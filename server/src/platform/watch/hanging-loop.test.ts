/** The kill loop with servers that block for ever instead of being killed: their own watchers end them. */
import { test } from 'node:test'
import { killOnceAtEach } from '../../testing/kill-loop/short-round.ts'

const timeout = 10 * 60_000
const round = { hangs: true, bookSize: 12, subjects: ['knowledge'] } as const

test('a server whose work hangs is ended by its watcher, loses nothing that it acknowledged, and ends no innocent job', {
  timeout,
}, async t => {
  const points = [
    'uploadDocument/commit.before',
    'knowledge-ingest/commit.before:2',
    'knowledge-upload/commit.after',
  ] as const
  await killOnceAtEach(t, { ...round, engine: 'sqlite', points })
})

test('on PostgreSQL, too, a hanging server is ended and loses nothing', { timeout }, async t => {
  const points = ['uploadDocument/commit.before', 'knowledge-ingest/commit.before:2'] as const
  await killOnceAtEach(t, { ...round, engine: 'postgres', points })
})
