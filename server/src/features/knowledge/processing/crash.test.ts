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
    'uploadDocument/commit.before',
    'uploadDocument/commit.after',
    'knowledge-ingest/commit.before',
    'knowledge-ingest/commit.after:5',
    'knowledge-leftovers/commit.after',
    'knowledge-reindex/commit.after',
    'knowledge-erase/commit.after',
    'appendToUpload/bytes.flushed',
    'knowledge-upload/commit.after',
    'uploadDocuments/commit.after',
    'knowledge-sync/commit.after',
    'knowledge-import/commit.before:4',
  ] as const
  await killOnceAtEach(t, { ...round, engine: 'sqlite', points })
})

test('on PostgreSQL, too, a killed server loses nothing that it acknowledged', { timeout }, async t => {
  const points = [
    'uploadDocument/commit.after',
    'knowledge-ingest/commit.before:2',
    'uploadDocuments/commit.after',
  ] as const
  await killOnceAtEach(t, { ...round, engine: 'postgres', points })
})

test('a fault is taken only by a server that is run as a test, and only at a point that there is', async t => {
  const installation = await createInstallation(t, { engine: 'sqlite' })
  const refusal = async (settings: Record<string, string>): Promise<string> => {
    const error = await installation.startServer(settings).catch((reason: Error) => reason)
    return error instanceof Error ? error.message : 'It started'
  }
  assert.match(await refusal({ ATRIUM_TEST_FAULT: 'runs/commit.before:1' }), /only with NODE_ENV=test/)
  assert.match(
    await refusal({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'no.such-point' }),
    /no\.such-point is no fault point/,
  )
  assert.match(
    await refusal({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'runs/commit.before:0' }),
    /begins with 1/,
  )
})
