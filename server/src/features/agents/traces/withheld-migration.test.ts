/** Agents that told each other something before that was written down: what one was shown counts for all of them. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { ddlOf } from '../../../platform/database/ddl.ts'
import { teamAccessMigration } from '../../../platform/database/migrations/0024-team-access.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { insertWorkspace } from '../../../testing/workspace.ts'

test('a run and its parts count as shown what any of them was, and no other run does', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const handOn = teamAccessMigration.up(ddlOf(database.engine)).filter(text => text.startsWith('INSERT'))
  assert.equal(handOn.length, 2)
  await database.write(async tx => {
    await sql`INSERT INTO agents (id, workspace_id, environment, name, model, instructions, collection_ids, tools,
      status, revision, created_at, updated_at, run_count)
      VALUES ('agt_1', ${workspaceId}, 'live', 'Test', 'default', '', '[]', '[]', 'active', 1, 0, 0, 4)`.execute(
      tx,
    )
    for (const [id, root] of [
      ['run_root', null],
      ['run_part', 'run_root'],
      ['run_other', 'run_root'],
      ['run_apart', null],
    ] as const) {
      await sql`INSERT INTO runs (id, workspace_id, environment, agent_id, agent_revision, conversation_id, status,
        prompt, citations, input_tokens, output_tokens, metadata, max_steps, timeout_ms, caller, job_id, created_at,
        root_run_id)
        VALUES (${id}, ${workspaceId}, 'live', 'agt_1', 1, ${id}, 'succeeded', '?', '[]', 0, 0, '{}', 8, 1000, '{}',
          'job_1', 0, ${root})`.execute(tx)
    }
    await sql`INSERT INTO run_documents (document_id, run_id)
      VALUES ('doc_1', 'run_part'), ('doc_2', 'run_root'), ('doc_3', 'run_apart')`.execute(tx)
    for (const statement of handOn) await sql.raw(statement).execute(tx)
  })
  const rows = await database.read
    .selectFrom('run_documents')
    .select(['run_id', 'document_id'])
    .orderBy('run_id')
    .orderBy('document_id')
    .execute()
  assert.deepEqual(
    rows.map(row => `${row.run_id} ${row.document_id}`),
    [
      'run_apart doc_3',
      ...['run_other', 'run_part', 'run_root'].flatMap(id => [`${id} doc_1`, `${id} doc_2`]),
    ],
  )
})
