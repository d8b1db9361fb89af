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
]
