/** One consistent view of a whole database, read table by table while others go on writing. */
import { DatabaseSync } from 'node:sqlite'
import pg from 'pg'
import type { DatabaseSettings } from '../../platform/database/open.ts'
import { connectionConfig } from '../../platform/database/postgres/postgres.ts'
import type { BackedUpTable } from './tables.ts'

export type Row = Record<string, unknown>

export type Snapshot = {
  /** The number of the last migration that the database has seen. */
  schemaVersion: number
  /** Every row of the table, some at a time. */
  rows(table: BackedUpTable): AsyncIterable<Row[]>
  close(): Promise<void>
}

const rowsAtOnce = 500

export const openSnapshot = (settings: DatabaseSettings): Promise<Snapshot> =>
  settings.engine === 'sqlite' ? openSqliteSnapshot(settings.file) : openPostgresSnapshot(settings.url)

async function openSqliteSnapshot(file: string): Promise<Snapshot> {
  const database = new DatabaseSync(file, { readOnly: true, timeout: 10_000 })
  database.exec('BEGIN')
  // The snapshot begins with the first read; from then on the file's later changes are not seen.
  const version = database.prepare('SELECT max(number) AS version FROM schema_migrations').get()
  return {
    schemaVersion: Number(version?.version),
    async *rows(table) {
      let page: Row[] = []
      for (const row of database.prepare(`SELECT * FROM ${table}`).iterate()) {
        page.push(row)
        if (page.length < rowsAtOnce) continue
        yield page
        page = []
      }
      if (page.length > 0) yield page
    },
    close: async () => database.close(),
  }
}

async function openPostgresSnapshot(url: string): Promise<Snapshot> {
  const client = new pg.Client({ ...connectionConfig(url, 'atrium-backup'), connectionTimeoutMillis: 10_000 })
  // A connection that is lost fails the query that needs it.
  client.on('error', () => undefined)
  await client.connect()
  await client.query('BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY')
  const { rows } = await client.query('SELECT max(number) AS version FROM schema_migrations')
  return {
    schemaVersion: Number(rows[0]?.version),
    async *rows(table) {
      await client.query(`DECLARE backup_rows NO SCROLL CURSOR FOR SELECT * FROM ${table}`)
      for (;;) {
        const fetched = await client.query<Row>(`FETCH ${rowsAtOnce} FROM backup_rows`)
        if (fetched.rows.length === 0) break
        yield fetched.rows
      }
      await client.query('CLOSE backup_rows')
    },
    close: () => client.end(),
  }
}
