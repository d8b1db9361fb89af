/** A connection's sync removes what is gone in several sessions: how much the earlier ones deleted. */
import type { Migration } from '../ddl.ts'

export const removalsMigration: Migration = {
  number: 35,
  name: 'removals in several sessions',
  up: ({ integer }) => [
    `ALTER TABLE connection_syncs ADD COLUMN deleted_before ${integer} NOT NULL DEFAULT 0`,
  ],
}
