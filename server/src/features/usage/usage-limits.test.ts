/** What one question may add up: very many who used something must not hold up everybody else. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { dayMs } from '../../platform/clock.ts'
import { startTestApp } from '../../testing/test-app.ts'
import { dayOf } from './buckets.ts'

const now = Date.parse('2026-11-30T12:00:00Z')
const days = Array.from({ length: 126 }, (_, index) => dayOf(now - index * dayMs))

test('more than 50,000 rows are not added up: fewer days are asked for', async t => {
  const app = await startTestApp({ clock: () => now })
  t.after(app.close)
  const { database } = app.dependencies
  await database.write(async tx => {
    for (const day of days) {
      await sql`WITH RECURSIVE numbers (number) AS (
          SELECT 1 UNION ALL SELECT number + 1 FROM numbers WHERE number < 400
        )
        INSERT INTO usage_periods (workspace_id, environment, kind, period, subject_id, requests, runs, unpriced_runs,
          input_tokens, output_tokens, cost_usd)
        SELECT ${app.workspaceId}, 'live', 'agent', ${day}, 'agt_' || (1000 + number), 0, 1, 0, 10, 1, 0
        FROM numbers`.execute(tx)
    }
  })
  const first = days.at(-1) ?? ''
  for (const groupBy of ['day', 'agent']) {
    const { status, body } = await app.request('GET', '/usage/history', { query: { groupBy, from: first } })
    assert.equal(status, 400)
    assert.equal(body.errors[0].field, 'from')
    assert.match(body.errors[0].message, /ask for fewer days/)
  }
  const query = { groupBy: 'agent', from: days.at(-2) ?? '', interval: 'total', pageSize: 100 }
  const last = await app.request('GET', '/usage/history', { query: { ...query, page: 4 } })
  assert.deepEqual(last.body.meta, { page: 4, pageSize: 100, total: 400 })
  assert.equal(last.body.data.at(-1).subject.id, 'agt_1400')
  assert.equal(last.body.data.at(-1).runs, 125)
  const behind = await app.request('GET', '/usage/history', { query: { ...query, page: 5 } })
  assert.deepEqual(behind.body, { data: [], meta: { page: 5, pageSize: 100, total: 400 } })
})
