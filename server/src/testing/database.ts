/** A database for one test: migrated, empty, of the engine that the run is for. */
import { createHash, randomBytes } from 'node:crypto'
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { sql } from 'kysely'
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

/**
 * Whether a connection of the database, or the one with the process `pid`, waits for a lock. On SQLite a write that has
 * begun waits as long as another one is in progress.
 */
export async function waitsForLock({ engine, read }: Database, pid: number | null = null): Promise<boolean> {
  if (engine === 'sqlite') return true
  const { rows } = await sql`SELECT 1 FROM pg_stat_activity WHERE datname = current_database()
    AND wait_event_type = 'Lock' AND (pid = ${pid}::integer OR ${pid}::integer IS NULL)`.execute(read)
  return rows.length > 0
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
  await onServer(serverUrl, async ({ client, template }) => {
    template.name ??= ensureTemplate(client, serverUrl)
    const source = await template.name
    await whenUnused(() => client.query(`CREATE DATABASE ${name} TEMPLATE ${source} STRATEGY FILE_COPY`))
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
      onServer(serverUrl, async ({ client }) => {
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
  try {
    if (await isThere()) return template
    // Migrated under another name first, so that a template that is there is always complete.
    const unfinished = `${template}_new`
    await client.query(`DROP DATABASE IF EXISTS ${unfinished} WITH (FORCE)`)
    await client.query(`CREATE DATABASE ${unfinished}`)
    await migratePostgres(urlOf(serverUrl, unfinished), migrations)
    await whenUnused(() => client.query(`ALTER DATABASE ${unfinished} RENAME TO ${template}`))
    return template
  } finally {
    await client.query('SELECT pg_advisory_unlock(hashtext($1))', [template])
  }
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

/** The type lacks what the client of `pg` has. */
type AdminClient = pg.Client & { ref(): void; unref(): void }
type Administration = { client: AdminClient; template: { name?: Promise<string> }; inUse: number }

/** By the address of the server. */
const administrations = new Map<string, Promise<Administration>>()

/**
 * One connection for all databases of this process: a new one for each takes as long as half a database. It keeps the
 * process alive only while it works.
 */
async function onServer(
  serverUrl: string,
  work: (administration: Administration) => Promise<void>,
): Promise<void> {
  const opening = administrations.get(serverUrl) ?? administer(serverUrl)
  administrations.set(serverUrl, opening)
  const administration = await opening
  if (administration.inUse === 0) administration.client.ref()
  administration.inUse += 1
  try {
    await work(administration)
  } finally {
    administration.inUse -= 1
    if (administration.inUse === 0) administration.client.unref()
  }
}

async function administer(serverUrl: string): Promise<Administration> {
  const client = new pg.Client({
    connectionString: serverUrl,
    connectionTimeoutMillis: 10_000,
  }) as AdminClient
  const forget = () => void administrations.delete(serverUrl)
  // A statement on a broken connection fails by itself; the next one gets another connection.
  client.on('error', forget)
  client.on('end', forget)
  try {
    await client.connect()
  } catch (error) {
    forget()
    throw error
  }
  client.unref()
  return { client, template: {}, inUse: 0 }
}

function urlOf(serverUrl: string, name: string): string {
  const url = new URL(serverUrl)
  url.pathname = `/${name}`
  return url.href
}
