import assert from 'node:assert/strict'
import { test } from 'node:test'
import type { FaultPoint } from '../../../platform/faults.ts'
import { killAgainAndAgain } from '../../../testing/kill-loop/rounds.ts'
import { prepare, sweepFiles } from '../../../testing/kill-loop/setup.ts'
import { createPlace } from '../../../testing/operator.ts'

/** The first passing of those that are hardest to get right: `npm run kill-loop` goes through all, for as long as one likes. */
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
] as const satisfies FaultPoint[]

test('a server that is killed at its most delicate points loses nothing that it acknowledged, and leaves nothing half-done or doubled', async t => {
  const prepared = await prepare(t, 'sqlite', { bookSize: 12 })
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
  assert.ok(tally.acknowledged > points.length, `${tally.acknowledged} changes were acknowledged`)
  assert.deepEqual((await sweepFiles(prepared)).faults, [])
})

test('a fault is taken only by a server that is run as a test, and only at a point that there is', async t => {
  const place = await createPlace(t, { engine: 'sqlite' })
  const refusal = async (settings: Record<string, string>): Promise<string> => {
    const error = await place.startServer(settings).catch((reason: Error) => reason)
    return error instanceof Error ? error.message : 'It started'
  }
  assert.match(await refusal({ ATRIUM_TEST_FAULT: 'ingest.parsed:1' }), /only with NODE_ENV=test/)
  assert.match(
    await refusal({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'no.such-point' }),
    /no fault point no\.such-point/,
  )
  assert.match(await refusal({ NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'ingest.parsed:0' }), /begins with 1/)
})
