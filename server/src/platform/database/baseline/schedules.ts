/** Periodic tasks: how the last round of each ended, and which process works on it. */
import type { Ddl } from '../ddl.ts'

export const schedulesSchema = ({ id, text, integer }: Ddl): string[] => [
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
]
