/** Conversations as records of their own, and the order of their runs. */
import type { Migration } from '../ddl.ts'

export const conversationsMigration: Migration = {
  number: 19,
  name: 'conversations',
  up: ({ engine, id, text, integer }) => [
    `CREATE TABLE conversations (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment ${id} NOT NULL,
      agent_id ${id} NOT NULL REFERENCES agents (id) ON DELETE CASCADE,
      end_user_id ${text},
      narrowing ${text},
      name ${text} NOT NULL,
      parent_id ${id},
      branch_run_id ${id},
      branch_turn ${integer} NOT NULL,
      depth ${integer} NOT NULL,
      summary ${text},
      summary_until_run_id ${id},
      summary_until_turn ${integer},
      run_count ${integer} NOT NULL,
      ended_count ${integer} NOT NULL,
      revision ${integer} NOT NULL,
      created_at ${integer} NOT NULL,
      updated_at ${integer} NOT NULL
    )`,
    `ALTER TABLE runs ADD COLUMN turn ${integer} NOT NULL DEFAULT 1`,
    `ALTER TABLE agents ADD COLUMN conversation_count ${integer} NOT NULL DEFAULT 0`,
    `UPDATE runs SET turn = numbered.turn
      FROM (SELECT id, row_number() OVER (PARTITION BY conversation_id ORDER BY id) AS turn FROM runs) AS numbered
      WHERE numbered.id = runs.id AND numbered.turn > 1`,
    // Where keys of several narrowings have met in one, only those that are not narrowed go on with it.
    `INSERT INTO conversations
      SELECT runs.conversation_id, runs.workspace_id, runs.environment, runs.agent_id, runs.end_user_id,
        CASE WHEN met.narrowings = 1 THEN runs.narrowing END,
        substr(trim(replace(runs.prompt, ${engine === 'sqlite' ? 'char' : 'chr'}(10), ' ')), 1, 60),
        NULL, NULL, 0, 0, NULL, NULL, NULL, met.run_count, met.ended_count, 1, met.created_at, met.updated_at
      FROM runs JOIN (
        SELECT conversation_id, count(*) AS run_count, count(finished_at) AS ended_count,
          count(DISTINCT coalesce(narrowing, '')) AS narrowings,
          min(created_at) AS created_at, max(created_at) AS updated_at
        FROM runs GROUP BY conversation_id
      ) AS met ON met.conversation_id = runs.conversation_id
      WHERE runs.turn = 1`,
    `UPDATE agents SET conversation_count =
      (SELECT count(*) FROM conversations WHERE conversations.agent_id = agents.id)`,
    'CREATE INDEX conversations_list ON conversations (workspace_id, environment, id)',
    'CREATE INDEX conversations_of_agent ON conversations (agent_id, id)',
    `CREATE INDEX conversations_of_end_user ON conversations (workspace_id, environment, end_user_id, id)
      WHERE end_user_id IS NOT NULL`,
    'CREATE INDEX conversations_branched ON conversations (parent_id) WHERE parent_id IS NOT NULL',
    'DROP INDEX runs_of_conversation',
    'CREATE UNIQUE INDEX runs_of_conversation ON runs (conversation_id, turn)',
    'DROP INDEX runs_under_way',
    // Tells how many of a workspace are under way, and which of a conversation is next.
    'CREATE INDEX runs_under_way ON runs (workspace_id, conversation_id, turn) WHERE finished_at IS NULL',
  ],
}
