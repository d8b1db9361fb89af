/** The points of a document that are hardest to get right: `npm run kill-loop -- --only knowledge` goes through all. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { killOnceAtEach } from '../../../testing/kill-loop/short-round.ts'
import { createInstallation } from '../../../testing/operator.ts'

const round = { bookSize: 12, subjects: ['knowledge'] } as const
const timeout = 10 * 60_000

test('a server that is killed at its most delicate points loses nothing that it acknowledged, and leaves nothing half-done or doubled', {
  timeout,
}, async t => {
  const points = [
    'upload.before-commit',
    'upload.committed',
    'ingest.slice-written',
    'ingest.before-publish',
    'leftovers.postings-removed',
    'reindex.slice-written',
    'erase.begun',
    'resumable.flushed',
    'resumable.document-made',
    'batch.file-taken',
    'sync.document-deleted',
    'import.before-show',
  ] as const
  await killOnceAtEach(t, { ...round, engine: 'sqlite', points })
})

test('on PostgreSQL, too, a killed server loses nothing that it acknowledged', { timeout }, async t => {
  const points = ['upload.committed', 'ingest.before-publish', 'batch.file-taken'] as const
  await killOnceAtEach(t, { ...round, engine: 'postgres', points })
})

test('a fault is taken only by a server that is run as a test, and only at a point that there is', async t => {
  const installation = await createInstallation(t, { engine: 'sqlite' })
  const refusal = async (settings: Record<string, string>): Promise<string> => {
    const error = await installation.startServer(settings).catch((reason: Error) => reason)
    return error instanceof Error ? error.message : 'It started'
  }
  assert.match(await refusal({ ATRIUM_TEST_FAULT: 'ingest.parsed:1' }), /only with NODE_ENV=test/)
  assert.match(
    await refusal({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'no.such-point' }),
    /no fault point no\.such-point/,
  )
  assert.match(await refusal({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'ingest.parsed:0' }), /begins with 1/)
})
