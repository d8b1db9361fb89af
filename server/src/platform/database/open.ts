/** Opens either database, its schema brought up to date. */
import type { Database } from './database.ts'
import type { Migration } from './ddl.ts'
import { migratePostgres, migrateSqlite } from './migrate.ts'
import { migrations as allMigrations } from './migrations.ts'
import { openSqlite } from './sqlite/sqlite.ts'

export type DatabaseSettings = (
  | {
      engine: 'sqlite'
      file: string
      /** False leaves out the fsync of each commit: for tests only. */
      durable?: boolean
    }
  | { engine: 'postgres'; url: string; maxConnections?: number; applicationName?: string }
) & {
  /** The longest wait for the writer or for a free connection; 10 seconds unless given. */
  acquireTimeoutMs?: number
  /** The longest time that a transaction may take; 30 seconds unless given. */
  transactionTimeoutMs?: number
  /** For tests of the migrations themselves. */
  migrations?: readonly Migration[]
}

/** Throws with one clear line if the database is newer than this code. */
export async function openDatabase(settings: DatabaseSettings): Promise<Database> {
  const { acquireTimeoutMs = 10_000, transactionTimeoutMs = 30_000, migrations = allMigrations } = settings
  if (settings.engine === 'sqlite') {
    const { file, durable = true } = settings
    await migrateSqlite(file, migrations)
    return openSqlite({ file, durable, acquireTimeoutMs, transactionTimeoutMs })
  }
  const { url, maxConnections = 10, applicationName = 'atrium' } = settings
  await migratePostgres(url, migrations)
  // Loaded where it is used: the embedded database starts sooner without it.
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres({ url, maxConnections, applicationName, acquireTimeoutMs, transactionTimeoutMs })
}
