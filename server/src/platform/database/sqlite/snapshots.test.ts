import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Database, Query } from '../database.ts'
import { openReader, whileWanted } from './snapshots.ts'
import { openSqlite } from './sqlite.ts'

async function openNotes(t: TestContext): Promise<Database> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-snapshots-'))
  const database = openSqlite({
    file: join(folder, 'atrium.db'),
    durable: false,
    acquireTimeoutMs: 200,
    transactionTimeoutMs: 5_000,
  })
  t.after(async () => {
    await database.close()
    await rm(folder, { recursive: true })
  })
  await database.write(tx => sql`CREATE TABLE notes (text TEXT)`.execute(tx))
  return database
}

const add = (database: Database) => database.write(tx => sql`INSERT INTO notes VALUES ('x')`.execute(tx))

async function count(query: Query): Promise<number> {
  const { rows } = await sql<{ count: number }>`SELECT count(*) AS count FROM notes`.execute(query)
  return rows[0]?.count ?? -1
}

test('a snapshot changes nothing', async t => {
  const database = await openNotes(t)
  await assert.rejects(database.snapshot('a', query => sql`INSERT INTO notes VALUES ('x')`.execute(query)))
  assert.equal(await database.snapshot('a', count), 0)
})

test('who waits for a snapshot too long is told to come back, and the one in use comes back whatever happens', async t => {
  const database = await openNotes(t)
  const held = Promise.withResolvers<void>()
  const long = database.snapshot('a', () => held.promise)
  await assert.rejects(
    database.snapshot('a', count),
    error => error instanceof ServiceError && error.code === 'unavailable',
  )
  const next = database.snapshot('a', count)
  held.reject(new Error('It failed'))
  await assert.rejects(long, /It failed/)
  assert.equal(await next, 0)
})

test('a workspace with two hundred snapshots to read delays another by one of them', async t => {
  const database = await openNotes(t)
  const done: string[] = []
  const read = (owner: string) =>
    database.snapshot(owner, async query => {
      await count(query)
      done.push(owner)
    })
  await Promise.all([...Array.from({ length: 200 }, () => read('busy')), read('other')])
  // One is in progress when the other one comes, and one more has the turn before it.
  assert.ok(done.indexOf('other') <= 2, `${done.indexOf('other')} were read before`)
})

test('a reader in another thread sees what was committed before, and ends its work where it is told to', async t => {
  const database = await openNotes(t)
  const reader = await openReader(database.file ?? '')
  for (let expected = 1; expected <= 3; expected++) {
    await add(database)
    assert.equal(await reader.snapshot(count), expected)
  }
  let statements = 0
  const stop = () => {
    if (++statements === 3) throw new Error('No more')
  }
  await assert.rejects(
    reader.snapshot(async query => {
      const stoppable = whileWanted(query, stop)
      for (let i = 0; i < 10; i++) await count(stoppable)
    }),
    /No more/,
  )
  assert.equal(await reader.snapshot(count), 3)
})
