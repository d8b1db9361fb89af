/** The embedded database: one SQLite file. */
import { mkdirSync } from 'node:fs'
import { dirname } from 'node:path'
import { Kysely, sql } from 'kysely'
import type { Database } from '../database.ts'
import { createSnapshotTurns } from '../snapshot-turns.ts'
import type { Tables } from '../tables.ts'
import { createTransactions } from '../transactions.ts'
import { createSqliteDialect, type SqliteDialectOptions } from './dialect.ts'
import { createSnapshotDialect, mostSnapshots } from './snapshots.ts'

/** Opens the file as it is; `openDatabase` brings its schema up to date first. */
export function openSqlite(options: SqliteDialectOptions): Database {
  mkdirSync(dirname(options.file), { recursive: true, mode: 0o700 })
  const kysely = new Kysely<Tables>({ dialect: createSqliteDialect(options) })
  const snapshots = new Kysely<Tables>({ dialect: createSnapshotDialect(options.file) })
  const turns = createSnapshotTurns(mostSnapshots, options.acquireTimeoutMs)
  return {
    engine: 'sqlite',
    read: kysely,
    snapshot: (owner, work) => turns.run(owner, () => snapshots.transaction().execute(work)),
    // One writer: no two transactions can cross.
    ...createTransactions(kysely, () => false),
    maintain: null,
    emptyLog: async () => {
      const { rows } = await sql<{ busy: number }>`PRAGMA wal_checkpoint(TRUNCATE)`.execute(kysely)
      return rows[0]?.busy === 0
    },
    ping: async () => {
      await sql`select 1`.execute(kysely)
    },
    close: async () => {
      turns.close()
      await snapshots.destroy()
      await kysely.destroy()
    },
  }
}
