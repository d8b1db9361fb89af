/** What agents and workspaces may cost in a month and have cost, and the outbox of what happened. */
import type { Migration } from '../ddl.ts'

export const budgetsOutboxMigration: Migration = {
  number: 21,
  name: 'budgets-outbox',
  up: ({ id, json, integer, real }) => [
    `ALTER TABLE runs ADD COLUMN max_output_tokens ${integer}`,
    `ALTER TABLE workspaces ADD COLUMN monthly_cost_limit_usd ${real}`,
    `CREATE TABLE usage_months (
      workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment ${id} NOT NULL,
      month ${id} NOT NULL,
      agent_id ${id} NOT NULL,
      runs ${integer} NOT NULL,
      unpriced_runs ${integer} NOT NULL,
      input_tokens ${integer} NOT NULL,
      output_tokens ${integer} NOT NULL,
      cost_usd ${real} NOT NULL,
      PRIMARY KEY (workspace_id, environment, month, agent_id)
    )`,
    `CREATE TABLE events (
      id ${id} PRIMARY KEY,
      workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
      environment ${id} NOT NULL,
      type ${id} NOT NULL,
      data ${json} NOT NULL,
      agent_id ${id},
      narrowing ${id},
      created_at ${integer} NOT NULL
    )`,
    'CREATE INDEX events_list ON events (workspace_id, environment, id)',
  ],
}
