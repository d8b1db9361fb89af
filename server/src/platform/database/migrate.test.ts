import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { basename, dirname } from 'node:path'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { sql } from 'kysely'
import { startChild } from '../../testing/child.ts'
import { createTestDatabase, type TestDatabase } from '../../testing/database.ts'
import type { Database } from './database.ts'
import { migrations } from './migrations.ts'
import { type DatabaseSettings, openDatabase } from './open.ts'
import type { Migration } from './table.ts'

const newest = migrations.at(-1)?.number ?? 0
const next = (name: string, number = newest + 1, statements?: string[]): Migration => ({
  number,
  name,
  up: ({ id }) => statements ?? [`CREATE TABLE ${name} (id ${id} PRIMARY KEY)`],
})

const appliedNumbers = async (database: Database): Promise<number[]> => {
  const { rows } = await sql<{ number: number }>`
    SELECT number FROM schema_migrations ORDER BY number`.execute(database.read)
  return rows.map(row => row.number)
}

/** Opens the database again with these migrations, does something, and closes it again. */
const opened = async <T>(
  settings: DatabaseSettings,
  known: readonly Migration[],
  work: (database: Database) => Promise<T>,
): Promise<T> => {
  const database = await openDatabase({ ...settings, migrations: known })
  try {
    return await work(database)
  } finally {
    await database.close()
  }
}

const empty = async (place: TestDatabase): Promise<void> => {
  await place.database.close()
  if (place.settings.engine === 'postgres') {
    await opened(place.settings, migrations, async database => {
      await sql`DROP SCHEMA public CASCADE`.execute(database.read)
      await sql`CREATE SCHEMA public`.execute(database.read)
    })
  } else {
    const database = new DatabaseSync(place.settings.file)
    database.enableDefensive(false)
    database.exec(
      'PRAGMA writable_schema = RESET; PRAGMA writable_schema = 1; DELETE FROM sqlite_schema; VACUUM',
    )
    database.close()
  }
}

test('the numbers of the migrations follow each other', () => {
  assert.deepEqual(
    migrations.map(migration => migration.number),
    migrations.map((_, i) => (migrations[0]?.number ?? 0) + i),
  )
})

test('a database older than the baseline can upgrade is refused with one clear line', async t => {
  const place = await createTestDatabase()
  t.after(place.close)
  const baseline = (migrations[0]?.number ?? 0) - 1
  await sql`DELETE FROM schema_migrations WHERE number <> ${newest}`.execute(place.database.read)
  await sql`UPDATE schema_migrations SET number = ${baseline - 1}`.execute(place.database.read)
  await assert.rejects(openDatabase(place.settings), {
    message: `${nameOf(place.settings)} is at schema ${baseline - 1}, but this version of Atrium upgrades from schema ${baseline} on: start a version that is at schema ${baseline} once, then this one`,
  })
})

test('servers that start at the same moment on an empty database migrate it once', async t => {
  const place = await createTestDatabase()
  t.after(place.close)
  await empty(place)
  const starters = [1, 2, 3].map(() => startChild('migrator', place.settings))
  const found = await Promise.all(starters.map(starter => starter.line()))
  await Promise.all(starters.map(starter => starter.ended()))
  assert.deepEqual(
    found,
    starters.map(() => String(migrations.length)),
  )
})

test('a database that newer code has migrated is refused with one clear line', async t => {
  const place = await createTestDatabase()
  t.after(place.close)
  await opened(place.settings, [...migrations, next('newer')], async () => undefined)
  await assert.rejects(openDatabase(place.settings), {
    message: `${nameOf(place.settings)} is at schema ${newest + 1}, but this version of Atrium only knows schema ${newest}: start a newer version, or restore a backup made by this one`,
  })
})

test('a migration that fails leaves the schema as it was', async t => {
  const place = await createTestDatabase()
  t.after(place.close)
  const failing = next('failing', newest + 2, ['CREATE TABLE half (n INTEGER)', 'no such statement'])
  await assert.rejects(openDatabase({ ...place.settings, migrations: [...migrations, next('one'), failing] }))
  assert.deepEqual(
    await appliedNumbers(place.database),
    migrations.map(migration => migration.number),
  )
  await opened(place.settings, [...migrations, next('one')], async database => {
    assert.equal((await appliedNumbers(database)).length, migrations.length + 1)
  })
})

test('a file that holds data is copied before it is migrated, and the last three copies are kept', async t => {
  const place = await createTestDatabase('sqlite')
  t.after(place.close)
  const { settings } = place
  if (settings.engine !== 'sqlite') throw new Error('This is about SQLite')
  const numberOf = (name: string): number => Number(name.split('.before-')[1]?.split('-')[0])
  const backups = async (): Promise<string[]> =>
    (await readdir(dirname(settings.file)))
      .filter(name => name.startsWith(`${basename(settings.file)}.before-`))
      .sort((one, other) => numberOf(one) - numberOf(other))
  await place.database.write(tx => tx.insertInto('meta').values({ name: 'kept', value: '1' }).execute())
  assert.deepEqual(await backups(), [])
  const known = [...migrations]
  for (let i = 1; i <= 5; i++) {
    known.push(next(`more_${i}`, newest + i))
    await opened(settings, known, async () => undefined)
    // Nothing to do the second time, so nothing is copied either.
    await opened(settings, known, async () => undefined)
  }
  const names = await backups()
  assert.deepEqual(
    names.map(numberOf),
    [3, 4, 5].map(i => newest + i),
  )
  const file = `${dirname(settings.file)}/${names[0]}`
  await opened({ engine: 'sqlite', file }, known, async database => {
    assert.deepEqual(await database.read.selectFrom('meta').selectAll().execute(), [
      { name: 'kept', value: '1' },
    ])
  })
})

/** As the operator knows the database. */
function nameOf(settings: DatabaseSettings): string {
  if (settings.engine === 'sqlite') return `The database ${settings.file}`
  const { host, pathname } = new URL(settings.url)
  return `PostgreSQL at ${host} (database ${pathname.slice(1)})`
}
