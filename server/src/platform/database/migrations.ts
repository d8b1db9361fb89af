/** The migrations in their order. They bring a database that has data to the schema that `tables.ts` states. */
import type { Migration } from './ddl.ts'

/** A released migration is never edited. A new one is added at the end, together with its change in `schema/`. */
export const migrations: readonly Migration[] = [
  {
    number: 36,
    name: 'records of periodic tasks',
    up: ({ id, text, integer }) => [
      `CREATE TABLE schedules (
        name ${id} NOT NULL,
        server ${id} NOT NULL,
        every_ms ${integer} NOT NULL,
        registered_at ${integer} NOT NULL,
        begun_at ${integer},
        holder ${id},
        held_until ${integer},
        succeeded_at ${integer},
        failed_at ${integer},
        duration_ms ${integer},
        failures ${integer} NOT NULL,
        error ${text},
        PRIMARY KEY (name, server)
      )`,
      'DROP TABLE chore_turns',
    ],
  },
  {
    number: 37,
    name: 'parameters of models',
    up: ({ json }) => [
      `ALTER TABLE agents ADD COLUMN model_parameters ${json} NOT NULL DEFAULT '{}'`,
      `ALTER TABLE runs ADD COLUMN model_parameters ${json} NOT NULL DEFAULT '{}'`,
    ],
  },
  {
    number: 38,
    name: 'narrowed runs and conversations',
    up: ({ json }) =>
      ['conversations', 'runs'].flatMap(table => [
        `ALTER TABLE ${table} ADD COLUMN collection_ids ${json}`,
        `ALTER TABLE ${table} ADD COLUMN filter ${json}`,
      ]),
  },
  {
    number: 39,
    name: 'functions that the caller runs',
    up: ({ id, json }) => [
      `ALTER TABLE agents ADD COLUMN functions ${json} NOT NULL DEFAULT '[]'`,
      `ALTER TABLE runs ADD COLUMN functions ${json} NOT NULL DEFAULT '[]'`,
      `ALTER TABLE runs ADD COLUMN tool_choice ${json}`,
      `ALTER TABLE run_tool_calls ADD COLUMN awaits ${id}`,
      `ALTER TABLE run_tool_calls ADD COLUMN result ${json}`,
      "UPDATE run_tool_calls SET awaits = 'approval' WHERE requested_at IS NOT NULL",
    ],
  },
  {
    number: 40,
    name: 'callbacks of runs, and one webhook endpoint for each URL',
    up: ({ id, text, integer }) => [
      `ALTER TABLE webhooks ADD COLUMN kind ${id} NOT NULL DEFAULT 'endpoint'`,
      `ALTER TABLE webhooks ADD COLUMN unique_key ${id}`,
      'DROP INDEX webhooks_list',
      'CREATE INDEX webhooks_of_kind ON webhooks (workspace_id, environment, kind, id)',
      'CREATE UNIQUE INDEX webhooks_unique ON webhooks (workspace_id, environment, unique_key) WHERE unique_key IS NOT NULL',
      `CREATE TABLE callback_secrets (
        workspace_id ${id} NOT NULL REFERENCES workspaces (id) ON DELETE CASCADE,
        environment ${id} NOT NULL,
        secret ${text} NOT NULL,
        previous_secret ${text},
        previous_secret_expires_at ${integer},
        created_at ${integer} NOT NULL,
        updated_at ${integer} NOT NULL,
        PRIMARY KEY (workspace_id, environment)
      )`,
      `ALTER TABLE webhook_deliveries ADD COLUMN url ${text}`,
      `ALTER TABLE webhook_deliveries ADD COLUMN run_id ${id}`,
      'CREATE INDEX webhook_deliveries_run ON webhook_deliveries (run_id) WHERE run_id IS NOT NULL',
      `ALTER TABLE runs ADD COLUMN callback_url ${text}`,
    ],
  },
  {
    number: 41,
    name: 'messages that a run is given',
    up: ({ json }) => [`ALTER TABLE runs ADD COLUMN messages ${json}`],
  },
  {
    number: 42,
    name: 'keys that are narrowed to a filter',
    up: ({ json }) => [`ALTER TABLE api_keys ADD COLUMN filter ${json}`],
  },
  {
    number: 43,
    name: 'lists across agents, and by the last change',
    up: () => [
      'DROP INDEX runs_with_feedback',
      'CREATE INDEX runs_with_feedback ON runs (agent_id, workspace_id, environment, feedback_rating, id) WHERE feedback_rating IS NOT NULL',
      'DROP INDEX runs_of_agent',
      'CREATE INDEX runs_of_agent ON runs (agent_id, workspace_id, environment, id, status, created_at)',
      'CREATE INDEX runs_list ON runs (workspace_id, environment, id, status, created_at, feedback_rating)',
      'CREATE INDEX runs_of_end_user ON runs (workspace_id, environment, end_user_id, id) WHERE end_user_id IS NOT NULL',
      'CREATE INDEX conversations_by_update ON conversations (workspace_id, environment, updated_at, id)',
      'CREATE INDEX conversations_of_end_user_by_update ON conversations (workspace_id, environment, end_user_id, updated_at, id) WHERE end_user_id IS NOT NULL',
      'CREATE INDEX documents_by_update ON documents (workspace_id, environment, updated_at, id)',
      'CREATE INDEX documents_of_collection_by_update ON documents (collection_id, updated_at, id)',
    ],
  },
]
