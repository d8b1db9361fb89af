import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { sql } from 'kysely'
import { ServiceError } from '../../errors.ts'
import type { Database, Query } from '../database.ts'
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

/** Some milliseconds within one statement. */
const work = (query: Query) =>
  sql`WITH RECURSIVE numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM numbers WHERE n < 50000)
    SELECT sum(n) FROM numbers`.execute(query)

test('a snapshot shows one state of the database, whatever is committed meanwhile', async t => {
  const database = await openNotes(t)
  await add(database)
  const seen = await database.snapshot('a', async query => {
    const before = await count(query)
    await add(database)
    return [before, await count(query), await count(database.read)]
  })
  assert.deepEqual(seen, [1, 1, 2])
  assert.equal(await database.snapshot('a', count), 2)
})

test('the event loop turns while a snapshot runs many statements', async t => {
  const database = await openNotes(t)
  let turns = 0
  let isDone = false
  const turn = (): void => {
    turns++
    if (!isDone) setImmediate(turn)
  }
  setImmediate(turn)
  await database.snapshot('a', async query => {
    for (let i = 0; i < 40; i++) await work(query)
  })
  isDone = true
  assert.ok(turns >= 5, `${turns} turns`)
})

test('snapshots take turns, statement by statement, also with those that come later', async t => {
  const database = await openNotes(t)
  const done: string[] = []
  const read = (name: string) =>
    database.snapshot(name, async query => {
      for (let i = 0; i < 12; i++) {
        await work(query)
        done.push(name)
        if (name === 'a' && i === 5) later = read('d')
      }
    })
  let later: Promise<void> = Promise.resolve()
  await Promise.all(['a', 'b', 'c'].map(read))
  await later
  for (const name of ['a', 'b', 'c', 'd']) {
    const places = done.flatMap((each, place) => (each === name ? [place] : []))
    const gaps = places.slice(1).map((place, index) => place - (places[index] ?? 0))
    // In one turn of the event loop a snapshot may do a few statements one after the other.
    assert.ok(Math.max(...gaps) <= 8, `${name} waited for ${Math.max(...gaps)} statements: ${done.join('')}`)
  }
})

test('a snapshot changes nothing', async t => {
  const database = await openNotes(t)
  await assert.rejects(database.snapshot('a', query => sql`INSERT INTO notes VALUES ('x')`.execute(query)))
  assert.equal(await database.snapshot('a', count), 0)
})

test('who waits for a snapshot too long is told to come back, and those in use come back whatever happens', async t => {
  const database = await openNotes(t)
  const held = Promise.withResolvers<void>()
  const long = Array.from({ length: 4 }, () => database.snapshot('a', () => held.promise))
  await assert.rejects(
    database.snapshot('a', count),
    error => error instanceof ServiceError && error.code === 'unavailable',
  )
  const next = database.snapshot('a', count)
  held.reject(new Error('It failed'))
  for (const { status } of await Promise.allSettled(long)) assert.equal(status, 'rejected')
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
  // Four are in progress when the other one comes, and one more has the turn before it.
  assert.ok(done.indexOf('other') <= 5, `${done.indexOf('other')} were read before`)
})
