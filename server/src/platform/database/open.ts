/** Opens either database, and brings its schema up to date. */

import { closeSync, openSync } from 'node:fs'
import { readdir, rename, rm } from 'node:fs/promises'
import { basename, dirname, join } from 'node:path'
import { backup, DatabaseSync } from 'node:sqlite'
import { makeFolder } from '../private-files.ts'
import type { Database, Engine } from './database.ts'
import { migrations as allMigrations } from './migrations.ts'
import { openSqlite } from './sqlite/sqlite.ts'
import { ddlOf, type Migration } from './table.ts'
import { schemaOf } from './tables.ts'

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
  // Loaded where it is used: the embedded database starts faster without it.
  const { openPostgres } = await import('./postgres/postgres.ts')
  return openPostgres({ url, maxConnections, applicationName, acquireTimeoutMs, transactionTimeoutMs })
}

/**
 * Throws if newer code has migrated the file. Before it changes a file that holds data, it copies the file to
 * `FILE.before-NUMBER-TIME` beside it; the last three such copies are kept.
 */
export async function migrateSqlite(file: string, migrations: readonly Migration[]): Promise<void> {
  makeFolder(dirname(file))
  // Made here, so that only this user can read the file: SQLite itself would leave that to the umask.
  closeSync(openSync(file, 'a', 0o600))
  const database = new DatabaseSync(file, { timeout: lockTimeoutMs })
  try {
    database.exec('PRAGMA journal_mode = WAL; PRAGMA synchronous = FULL; PRAGMA foreign_keys = ON')
    const place = `The database ${file}`
    if (pendingOf(readNumbers(database), migrations, place).length === 0) return
    database.exec('BEGIN IMMEDIATE')
    try {
      // Read again: another process may have migrated the file while it held the lock.
      const applied = readNumbers(database)
      const pending = pendingOf(applied, migrations, place)
      if (pending.length > 0 && applied.length > 0) await backUp(file, pending)
      database.exec(createTable('sqlite'))
      const insert = database.prepare(
        'INSERT INTO schema_migrations (number, name, applied_at) VALUES (?, ?, ?)',
      )
      for (const statement of statementsOf(pending, applied, 'sqlite')) database.exec(statement)
      for (const { number, name } of pending) insert.run(number, name, Date.now())
      database.exec('COMMIT')
    } catch (error) {
      if (database.isTransaction) database.exec('ROLLBACK')
      throw error
    }
  } finally {
    database.close()
  }
}

/** Throws if newer code has migrated the database, or if it cannot be reached. */
export async function migratePostgres(url: string, migrations: readonly Migration[]): Promise<void> {
  const { connectPostgres, faultOf, placeOf } = await import('./postgres/connecting.ts')
  const client = await connectPostgres(url, 'atrium-migrate')
  try {
    await client.query(`BEGIN; SET LOCAL lock_timeout = ${lockTimeoutMs}`)
    await client.query('SELECT pg_advisory_xact_lock($1)', [advisoryLock])
    await client.query(createTable('postgres'))
    const { rows } = await client.query<{ number: number }>('SELECT number FROM schema_migrations')
    const applied = rows.map(row => row.number)
    const pending = pendingOf(applied, migrations, placeOf(client))
    for (const statement of statementsOf(pending, applied, 'postgres')) await client.query(statement)
    for (const { number, name } of pending)
      await client.query('INSERT INTO schema_migrations (number, name, applied_at) VALUES ($1, $2, $3)', [
        number,
        name,
        Date.now(),
      ])
    await client.query('COMMIT')
  } catch (error) {
    throw faultOf(error, client)
  } finally {
    // Closing the connection also rolls back an uncommitted transaction.
    await client.end()
  }
}

const lockTimeoutMs = 60_000
const keptBackups = 3
/** Any number of our own will do: these are the first eight letters of "atriummi(grate)". */
const advisoryLock = '7022907862264637801'

function pendingOf(
  applied: readonly number[],
  migrations: readonly Migration[],
  place: string,
): readonly Migration[] {
  const newestKnown = Math.max(0, ...migrations.map(migration => migration.number))
  const newestApplied = Math.max(0, ...applied)
  if (newestApplied > newestKnown) {
    throw new Error(
      `${place} is at schema ${newestApplied}, but this version of Atrium only knows schema ${newestKnown}: start a newer version, or restore a backup made by this one`,
    )
  }
  const oldestKnown = (migrations[0]?.number ?? 1) - 1
  if (newestApplied > 0 && newestApplied < oldestKnown) {
    throw new Error(
      `${place} is at schema ${newestApplied}, but this version of Atrium upgrades from schema ${oldestKnown} on: start a version that is at schema ${oldestKnown} once, then this one`,
    )
  }
  return migrations.filter(migration => migration.number > newestApplied)
}

/** An empty database gets the present schema, and counts as migrated. */
const statementsOf = (
  pending: readonly Migration[],
  applied: readonly number[],
  engine: Engine,
): readonly string[] =>
  applied.length === 0 ? schemaOf(ddlOf(engine)) : pending.flatMap(({ up }) => up(ddlOf(engine)))

const createTable = (engine: Engine): string => {
  const { text, integer } = ddlOf(engine)
  return `CREATE TABLE IF NOT EXISTS schema_migrations (
    number ${integer} PRIMARY KEY,
    name ${text} NOT NULL,
    applied_at ${integer} NOT NULL
  )`
}

function readNumbers(database: DatabaseSync): number[] {
  const exists = database.prepare("SELECT 1 FROM sqlite_schema WHERE name = 'schema_migrations'").get()
  if (exists === undefined) return []
  return database
    .prepare('SELECT number FROM schema_migrations')
    .all()
    .map(row => Number(row.number))
}

/** Copies the file through a second connection, which sees committed data. The caller holds the writer's lock. */
async function backUp(file: string, pending: readonly Migration[]): Promise<void> {
  const prefix = `${basename(file)}.before-`
  const time = new Date().toISOString().replaceAll(/[:.]/g, '-')
  const target = join(dirname(file), `${prefix}${pending[0]?.number}-${time}`)
  await backUpSqlite(file, target)
  await removeOldBackups(dirname(file), prefix)
}

async function removeOldBackups(folder: string, prefix: string): Promise<void> {
  const timeOf = (name: string): string => name.slice(prefix.length).replace(/^\d+-/, '')
  const copies = (await readdir(folder)).filter(name => name.startsWith(prefix) && !name.endsWith('.part'))
  const oldestLast = copies.sort((one, other) => (timeOf(one) < timeOf(other) ? 1 : -1))
  for (const name of oldestLast.slice(keptBackups)) await rm(join(folder, name))
}

/** `target` appears once the copy is complete, and replaces an existing file. */
async function backUpSqlite(file: string, target: string): Promise<void> {
  const source = new DatabaseSync(file, { readOnly: true })
  try {
    closeSync(openSync(`${target}.part`, 'a', 0o600))
    await backup(source, `${target}.part`)
    await rename(`${target}.part`, target)
  } finally {
    source.close()
  }
}
