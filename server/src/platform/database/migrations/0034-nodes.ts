/** The processes that work on this database, and whose turn it was to do what one of them does for all. */
import type { Migration } from '../ddl.ts'

export const nodesMigration: Migration = {
  number: 34,
  name: 'nodes',
  up: ({ id, text, integer }) => [
    `CREATE TABLE nodes (
      id ${id} PRIMARY KEY,
      role ${id} NOT NULL,
      host ${text} NOT NULL,
      storage_id ${id} NOT NULL,
      started_at ${integer} NOT NULL,
      seen_at ${integer} NOT NULL
    )`,
    `CREATE TABLE chore_turns (
      name ${id} PRIMARY KEY,
      taken_at ${integer} NOT NULL
    )`,
  ],
}
