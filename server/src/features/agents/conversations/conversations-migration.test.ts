/** Runs that were there before there were conversations get theirs, in the order in which they were made. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ddlOf } from '../../../platform/database/ddl.ts'
import { conversationsMigration } from '../../../platform/database/migrations/0019-conversations.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { insertWorkspace } from '../../../testing/workspace.ts'

/** As the schema was before. */
const undone = [
  'DROP TABLE conversations',
  'DROP INDEX runs_of_conversation',
  'DROP INDEX runs_under_way',
  'ALTER TABLE runs DROP COLUMN turn',
  'ALTER TABLE agents DROP COLUMN conversation_count',
  'CREATE INDEX runs_of_conversation ON runs (conversation_id, id)',
  'CREATE INDEX runs_under_way ON runs (workspace_id) WHERE finished_at IS NULL',
]

type OldRun = {
  id: string
  conversation: string
  prompt: string
  narrowing: string | null
  end: number | null
}

const oldRuns: OldRun[] = [
  { id: 'run_1', conversation: 'cnv_1', prompt: 'What is\nthis?', narrowing: null, end: 20 },
  { id: 'run_2', conversation: 'cnv_2', prompt: 'x'.repeat(200), narrowing: 'col_1', end: 30 },
  { id: 'run_3', conversation: 'cnv_1', prompt: 'And that?', narrowing: null, end: null },
  { id: 'run_4', conversation: 'cnv_2', prompt: 'Wider', narrowing: null, end: 50 },
]

test('each conversation gets a row with its name, its counts and the narrowing that all of its runs had', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const { up } = conversationsMigration
  await database.write(async tx => {
    for (const statement of undone) await sql.raw(statement).execute(tx)
    await sql`INSERT INTO agents (id, workspace_id, environment, name, model, instructions, collection_ids, tools,
      status, revision, created_at, updated_at, run_count)
      VALUES ('agt_1', ${workspaceId}, 'live', 'Test', 'default', '', '[]', '[]', 'active', 1, 0, 0, 4)`.execute(
      tx,
    )
    for (const [place, { id, conversation, prompt, narrowing, end }] of oldRuns.entries()) {
      await sql`INSERT INTO runs (id, workspace_id, environment, agent_id, agent_revision, conversation_id, status,
        prompt, citations, input_tokens, output_tokens, metadata, max_steps, timeout_ms, caller, narrowing, job_id,
        created_at, finished_at, end_user_id)
        VALUES (${id}, ${workspaceId}, 'live', 'agt_1', 1, ${conversation}, 'succeeded', ${prompt}, '[]', 0, 0, '{}', 8,
          1000, '{}', ${narrowing}, 'job_1', ${place * 10}, ${end}, 'ada')`.execute(tx)
    }
    for (const statement of up(ddlOf(database.engine))) await sql.raw(statement).execute(tx)
  })
  const rows = await database.read.selectFrom('conversations').selectAll().orderBy('id').execute()
  const shared = {
    agent_id: 'agt_1',
    end_user_id: 'ada',
    narrowing: null,
    summary: null,
    parent_id: null,
    run_count: 2,
  }
  const shown = rows.map(({ id, name, ended_count, created_at, updated_at, ...row }) => ({
    id,
    name,
    ended_count,
    created_at,
    updated_at,
    isShared: Object.entries(shared).every(([field, value]) => row[field as keyof typeof row] === value),
  }))
  assert.deepEqual(shown, [
    { id: 'cnv_1', name: 'What is this?', ended_count: 1, created_at: 0, updated_at: 20, isShared: true },
    { id: 'cnv_2', name: 'x'.repeat(60), ended_count: 2, created_at: 10, updated_at: 30, isShared: true },
  ])
  const turns = await database.read.selectFrom('runs').select(['id', 'turn']).orderBy('id').execute()
  assert.deepEqual(
    turns.map(({ turn }) => turn),
    [1, 1, 2, 2],
  )
  const agent = await database.read.selectFrom('agents').select('conversation_count').executeTakeFirst()
  assert.equal(agent?.conversation_count, 2)
})
