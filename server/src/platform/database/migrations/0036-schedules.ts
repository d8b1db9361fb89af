/** How the rounds of periodic tasks ended, and whose turn it is: in the place of `chore_turns`, which knew turns only. */
import type { Migration } from '../ddl.ts'

export const schedulesMigration: Migration = {
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
}
