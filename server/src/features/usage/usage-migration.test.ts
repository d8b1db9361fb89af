/** What was used before it was kept by the day: budgets go on, and days are made from the runs that ended. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ddlOf } from '../../platform/database/ddl.ts'
import { budgetsOutboxMigration } from '../../platform/database/migrations/0021-budgets-outbox.ts'
import { usageMigration } from '../../platform/database/migrations/0026-usage.ts'
import { createTestDatabase } from '../../testing/database.ts'
import { insertWorkspace } from '../../testing/workspace.ts'

const byKey = JSON.stringify({ kind: 'key', keyId: 'key_1', userId: 'usr_1' })
const bySystem = JSON.stringify({ kind: 'system', keyId: null, userId: null })

const oldRuns = [
  { id: 'run_1', caller: byKey, end: '2026-10-31T23:59:59.999Z', cost: 0.5 },
  { id: 'run_2', caller: byKey, end: '2026-11-01T00:00:00.000Z', cost: 0.25 },
  { id: 'run_3', caller: bySystem, end: '2026-11-01T12:00:00.000Z', cost: null },
  { id: 'run_4', caller: byKey, end: null, cost: 8 },
]

test('the months of budgets are kept, and runs that have ended are counted in their days', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const ddl = ddlOf(database.engine)
  const months = budgetsOutboxMigration.up(ddl).filter(line => line.includes('CREATE TABLE usage_months'))
  assert.equal(months.length, 1)
  await database.write(async tx => {
    for (const line of ['DROP TABLE usage_periods', ...months]) await sql.raw(line).execute(tx)
    await sql`INSERT INTO usage_months VALUES (${workspaceId}, 'live', '2026-11', 'agt_1', 2, 1, 20, 10, 0.25)`.execute(
      tx,
    )
    await sql`INSERT INTO agents (id, workspace_id, environment, name, model, instructions, collection_ids, tools,
      status, revision, created_at, updated_at, run_count)
      VALUES ('agt_1', ${workspaceId}, 'live', 'Test', 'default', '', '[]', '[]', 'active', 1, 0, 0, 4)`.execute(
      tx,
    )
    for (const [place, { id, caller, end, cost }] of oldRuns.entries()) {
      await sql`INSERT INTO runs (id, workspace_id, environment, agent_id, agent_revision, conversation_id, turn, status,
        prompt, citations, input_tokens, output_tokens, cost_usd, metadata, max_steps, timeout_ms, caller, job_id,
        created_at, finished_at)
        VALUES (${id}, ${workspaceId}, 'live', 'agt_1', 1, 'cnv_1', ${place + 1}, 'succeeded', 'Hello', '[]', 10, 5,
          ${cost}, '{}', 8, 1000, ${caller}, 'job_1', 0, ${end === null ? null : Date.parse(end)})`.execute(
        tx,
      )
    }
    for (const line of usageMigration.up(ddl)) await sql.raw(line).execute(tx)
  })
  const rows = await database.read.selectFrom('usage_periods').selectAll().execute()
  const shown = rows.map(
    row =>
      `${row.kind} ${row.period} ${row.subject_id}: ${row.runs} ${row.unpriced_runs} ${row.input_tokens} ${row.output_tokens} ${row.cost_usd}`,
  )
  assert.deepEqual(shown.sort(), [
    'actor 2026-10-31 key_1: 1 0 10 5 0.5',
    'actor 2026-11-01 key_1: 1 0 10 5 0.25',
    'actor 2026-11-01 system: 1 1 10 5 0',
    'agent 2026-10-31 agt_1: 1 0 10 5 0.5',
    'agent 2026-11-01 agt_1: 2 1 20 10 0.25',
    'agent_month 2026-11 agt_1: 2 1 20 10 0.25',
  ])
})
