/** Runs and events from before it was written down which connection they are about: the migration finds out what it can. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import type { Tx } from '../../../platform/database/database.ts'
import { ddlOf } from '../../../platform/database/ddl.ts'
import { runConnectionsMigration } from '../../../platform/database/migrations/0030-run-connections.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { insertWorkspace } from '../../../testing/workspace.ts'

const insertConnection = (
  tx: Tx,
  workspaceId: string,
  { id, integration, collection }: { id: string; integration: string; collection: string | null },
) =>
  sql`INSERT INTO connections (id, workspace_id, environment, integration_id, name, status, config, scopes, created_at,
    updated_at, revision, sync_collection_id)
    VALUES (${id}, ${workspaceId}, 'live', ${integration}, 'Test', 'active', '{}', '[]', 0, 0, 1, ${collection})`.execute(
    tx,
  )

const insertAgent = async (tx: Tx, workspaceId: string, id: string, connectionIds: string[]) => {
  await sql`INSERT INTO agents (id, workspace_id, environment, name, model, instructions, collection_ids, tools,
    status, revision, created_at, updated_at, run_count)
    VALUES (${id}, ${workspaceId}, 'live', 'Test', 'default', '', '[]', '[]', 'active', 1, 0, 0, 0)`.execute(
    tx,
  )
  await sql`INSERT INTO agent_revisions (id, agent_id, workspace_id, environment, revision, content, created_at)
    VALUES (${`rev_${id}`}, ${id}, ${workspaceId}, 'live', 1, ${JSON.stringify({ connectionIds })}, 0)`.execute(
    tx,
  )
}

const insertRun = async (
  tx: Tx,
  workspaceId: string,
  { id, agent, root = null, tool }: { id: string; agent: string; root?: string | null; tool: string },
) => {
  await sql`INSERT INTO runs (id, workspace_id, environment, agent_id, agent_revision, conversation_id, status, prompt,
    citations, input_tokens, output_tokens, metadata, max_steps, timeout_ms, caller, job_id, created_at, root_run_id)
    VALUES (${id}, ${workspaceId}, 'live', ${agent}, 1, ${id}, 'succeeded', '?', '[]', 0, 0, '{}', 8, 1000, '{}',
      'job_1', 0, ${root})`.execute(tx)
  await sql`INSERT INTO run_steps (run_id, seq, type, name, record, started_at, duration_ms)
    VALUES (${id}, 1, 'model', 'default', '{}', 0, 0), (${id}, 2, 'tool', ${tool}, '{}', 0, 0)`.execute(tx)
}

test('a run that used a tool of a connection, or heard of one that did, counts as shown what it answered', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const workspaceId = await insertWorkspace(database)
  const neighbourId = await insertWorkspace(database)
  await database.write(async tx => {
    await sql`DROP TABLE run_connections`.execute(tx)
    for (const connection of [
      { id: 'con_filling', integration: 'our-wiki', collection: 'col_1' },
      { id: 'con_bare', integration: 'our-wiki', collection: null },
      { id: 'con_unbound', integration: 'our-wiki', collection: 'col_2' },
      { id: 'con_otherwise', integration: 'github', collection: 'col_3' },
    ]) {
      await insertConnection(tx, workspaceId, connection)
    }
    await insertConnection(tx, neighbourId, {
      id: 'con_foreign',
      integration: 'our-wiki',
      collection: 'col_4',
    })
    const bound = ['con_filling', 'con_bare', 'con_otherwise', 'con_foreign']
    await insertAgent(tx, workspaceId, 'agt_bound', bound)
    await insertAgent(tx, workspaceId, 'agt_boss', [])
    for (const run of [
      { id: 'run_used', agent: 'agt_bound', tool: 'our_wiki_search_pages' },
      { id: 'run_quiet', agent: 'agt_bound', tool: 'search_knowledge' },
      { id: 'run_root', agent: 'agt_boss', tool: 'call_agent' },
      { id: 'run_part', agent: 'agt_bound', root: 'run_root', tool: 'our_wiki_search_pages' },
      { id: 'run_sibling', agent: 'agt_boss', root: 'run_root', tool: 'calculator' },
    ]) {
      await insertRun(tx, workspaceId, run)
    }
    for (const [id, type, about] of [
      ['evt_1', 'connection.active', 'con_filling'],
      ['evt_2', 'connection.active', 'con_bare'],
      ['evt_3', 'run.succeeded', 'con_filling'],
    ] as const) {
      await sql`INSERT INTO events (id, workspace_id, environment, type, data, created_at)
        VALUES (${id}, ${workspaceId}, 'live', ${type}, ${JSON.stringify({ id: about })}, 0)`.execute(tx)
    }
    const statements = runConnectionsMigration.up(ddlOf(database.engine))
    for (const statement of statements) await sql.raw(statement).execute(tx)
  })
  const shown = await database.read.selectFrom('run_connections').selectAll().execute()
  assert.deepEqual(
    shown.map(row => `${row.run_id} ${row.connection_id} ${row.collection_id}`).sort(),
    ['run_part', 'run_root', 'run_sibling', 'run_used'].flatMap(run => [
      `${run} con_bare `,
      `${run} con_filling col_1`,
    ]),
  )
  const events = await database.read
    .selectFrom('events')
    .select(['id', 'collection_id'])
    .orderBy('id')
    .execute()
  assert.deepEqual(
    events.map(row => [row.id, row.collection_id]),
    [
      ['evt_1', 'col_1'],
      ['evt_2', null],
      ['evt_3', null],
    ],
  )
})
