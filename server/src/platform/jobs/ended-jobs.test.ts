import assert from 'node:assert/strict'
import { test } from 'node:test'
import { removeEndedJobs } from '../../housekeeping.ts'
import { createTestJobs } from '../../testing/jobs.ts'
import { hourMs } from '../clock.ts'

test('jobs that are done are removed after an hour, others that have ended after 30 days', async t => {
  const { database, jobs, enqueue } = await createTestJobs(t)
  const states = ['done', 'dead', 'cancelled', 'queued'] as const
  for (const state of states) {
    for (const hours of [0.9, 1.1, 29 * 24, 31 * 24]) {
      const id = await enqueue()
      const finished_at = Math.round(Date.now() - hours * hourMs)
      await database.write(tx =>
        tx.updateTable('jobs').set({ state, finished_at }).where('id', '=', id).execute(),
      )
    }
  }
  assert.equal(await removeEndedJobs(jobs), 3 + 1 + 1)
  const left = await database.read.selectFrom('jobs').select('state').execute()
  assert.deepEqual(
    states.map(wanted => left.filter(({ state }) => state === wanted).length),
    [1, 3, 3, 4],
  )
})
