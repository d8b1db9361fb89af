/** A database for one test: migrated, empty, of the engine that the run is for. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import pg from 'pg'
import type { Database, Engine } from '../platform/database/database.ts'
import { migrations } from '../platform/database/migrations.ts'
import {
  type DatabaseSettings,
  migratePostgres,
  migrateSqlite,
  openDatabase,
} from '../platform/database/open.ts'
import { ddlOf } from '../platform/database/table.ts'
import { schemaOf } from '../platform/database/tables.ts'

export type TestDatabase = {
  database: Database
  /** Opens the same database once more, as another process would. */
  settings: DatabaseSettings
  /** Closes it and removes every trace of it. */
  close(): Promise<void>
}

/** The engine that this run tests: `ATRIUM_TEST_ENGINE`, or SQLite. */
export const testEngine: Engine = process.env.ATRIUM_TEST_ENGINE === 'postgres' ? 'postgres' : 'sqlite'

export async function createTestDatabase(engine: Engine = testEngine): Promise<TestDatabase> {
  const { settings, remove } = await createEmptyDatabase(engine)
  const database = await openDatabase(settings)
  return {
    database,
    settings,
    close: async () => {
      await database.close()
      await remove()
    },
  }
}

export type EmptyDatabase = { settings: DatabaseSettings; remove(): Promise<void> }

/** A database that has its tables and no rows, and that nothing has opened yet. */
export const createEmptyDatabase = (engine: Engine = testEngine): Promise<EmptyDatabase> =>
  engine === 'sqlite' ? createFolder() : createPostgresDatabase()

/** The PostgreSQL server of this run, or null if there is none. */
export const testPostgresUrl = (): string | null =>
  process.env.ATRIUM_TEST_POSTGRES_URL ?? process.env.DATABASE_URL ?? null

/** Writes a copy of a file that is migrated once per process: a fiftieth of the time that the migrations take. */
async function createFolder(): Promise<EmptyDatabase> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-test-'))
  const file = join(folder, 'atrium.db')
  sqliteTemplate ??= migrateOnce()
  await writeFile(file, await sqliteTemplate, { mode: 0o600 })
  return {
    settings: { engine: 'sqlite', file, durable: false },
    remove: () => rm(folder, { recursive: true, force: true }),
  }
}

let sqliteTemplate: Promise<Buffer> | undefined

async function migrateOnce(): Promise<Buffer> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-template-'))
  try {
    const file = join(folder, 'template.db')
    await migrateSqlite(file, migrations)
    return await readFile(file)
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** Copies a template that is migrated once per schema: faster than to migrate each time. */
async function createPostgresDatabase(): Promise<EmptyDatabase> {
  const serverUrl = testPostgresUrl()
  if (serverUrl === null) {
    throw new Error(
      'There is no PostgreSQL: `npm run tests -- PATH --lane postgres` starts one, or set DATABASE_URL',
    )
  }
  const name = `atrium_test_${randomBytes(8).toString('hex')}`
  await onServer(serverUrl, async client => {
    const template = await ensureTemplate(client, serverUrl)
    await whenUnused(() => client.query(`CREATE DATABASE ${name} TEMPLATE ${template} STRATEGY FILE_COPY`))
  })
  return {
    // However busy the machine is, who waits for a connection gets one.
    settings: {
      engine: 'postgres',
      url: urlOf(serverUrl, name),
      maxConnections: 5,
      acquireTimeoutMs: 60_000,
    },
    remove: () =>
      onServer(serverUrl, async client => {
        await client.query(`DROP DATABASE IF EXISTS ${name} WITH (FORCE)`)
      }),
  }
}

async function ensureTemplate(client: pg.Client, serverUrl: string): Promise<string> {
  const schema = schemaOf(ddlOf('postgres')).join(';')
  const template = `atrium_template_${createHash('sha256').update(schema).digest('hex').slice(0, 16)}`
  const isThere = async (): Promise<boolean> =>
    (await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [template])).rowCount !== 0
  if (await isThere()) return template
  await client.query('SELECT pg_advisory_lock(hashtext($1))', [template])
  if (await isThere()) return template
  // Migrated under another name first, so that a template that is there is always complete.
  const unfinished = `${template}_new`
  await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
  await client.query(`CREATE DATABASE ${unfinished}`)
  await migratePostgres(urlOf(serverUrl, unfinished), migrations)
  await whenUnused(() => client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`))
  return template
}

/** A connection that has been closed lives on in the server for a moment, and keeps its database in use. */
async function whenUnused(statement: () => Promise<unknown>): Promise<void> {
  for (let tries = 1; ; tries++) {
    try {
      await statement()
      return
    } catch (error) {
      const inUse = error instanceof pg.DatabaseError && error.code === '55006'
      if (!inUse || tries === 100) throw error
      await sleep(20)
    }
  }
}

async function onServer(serverUrl: string, work: (client: pg.Client) => Promise<void>): Promise<void> {
  const client = new pg.Client({ connectionString: serverUrl, connectionTimeoutMillis: 10_000 })
  await client.connect()
  try {
    await work(client)
  } finally {
    await client.end()
  }
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
