/** Calls of tools that are kept besides their answers, runs that wait for an approval, and runs within runs. */
import type { Migration } from '../ddl.ts'

export const toolCallsMigration: Migration = {
  number: 18,
  name: 'tool-calls',
  up: ({ id, text, json, integer }) => [
    `ALTER TABLE runs ADD COLUMN parent_run_id ${id}`,
    `ALTER TABLE runs ADD COLUMN parent_call_id ${text}`,
    `ALTER TABLE runs ADD COLUMN root_run_id ${id}`,
    `ALTER TABLE runs ADD COLUMN waited_ms ${integer} NOT NULL DEFAULT 0`,
    `ALTER TABLE runs ADD COLUMN waiting_since ${integer}`,
    'CREATE UNIQUE INDEX runs_within ON runs (parent_run_id, parent_call_id) WHERE parent_run_id IS NOT NULL',
    'CREATE INDEX runs_of_root ON runs (root_run_id) WHERE root_run_id IS NOT NULL',
    `CREATE TABLE run_tool_calls (
      run_id ${id} NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      call_id ${text} NOT NULL,
      root_run_id ${id} NOT NULL,
      name ${text} NOT NULL,
      input ${json} NOT NULL,
      requested_at ${integer},
      expires_at ${integer},
      decision ${id},
      reason ${text},
      decided_by_user_id ${id},
      decided_by_key_id ${id},
      decided_at ${integer},
      started_at ${integer},
      PRIMARY KEY (run_id, call_id)
    )`,
    `CREATE INDEX run_tool_calls_undecided ON run_tool_calls (expires_at)
      WHERE requested_at IS NOT NULL AND decision IS NULL`,
    'CREATE INDEX run_tool_calls_of_root ON run_tool_calls (root_run_id)',
  ],
}
