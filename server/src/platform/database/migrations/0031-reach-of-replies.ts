/** How far the caller of a kept reply reached: it is repeated only to a caller who reaches just as far. */
import type { Migration } from '../ddl.ts'

export const reachOfRepliesMigration: Migration = {
  number: 31,
  name: 'reach of replies',
  // A reply from before has no reach, which no caller's equals: it is not repeated.
  up: ({ id }) => [`ALTER TABLE idempotency ADD COLUMN reach ${id}`],
}
