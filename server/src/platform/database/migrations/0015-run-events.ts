/** What followers of a run are told, kept so that a stream can go on where it broke off. */
import type { Migration } from '../ddl.ts'

export const runEventsMigration: Migration = {
  number: 15,
  name: 'run-events',
  up: ({ id, json, integer }) => [
    `CREATE TABLE run_events (
      run_id ${id} NOT NULL REFERENCES runs (id) ON DELETE CASCADE,
      position ${integer} NOT NULL,
      type ${id} NOT NULL,
      data ${json} NOT NULL,
      created_at ${integer} NOT NULL,
      PRIMARY KEY (run_id, position)
    )`,
  ],
}
