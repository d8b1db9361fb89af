import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase, testEngine } from '../../testing/database.ts'
import { eventually } from '../../testing/eventually.ts'
import { isUnavailable, namesIn, put } from '../../testing/meta-rows.ts'
import type { Database } from './database.ts'
import { openDatabase } from './open.ts'
import { ddlOf } from './table.ts'

/** The test's database once more, under other limits. */
const reopen = async (
  { database, settings }: TestDatabase,
  limits: { acquireTimeoutMs?: number; transactionTimeoutMs?: number; maxConnections?: number },
): Promise<Database> => {
  await database.close()
  return openDatabase({ ...settings, ...limits })
}

test('a write that throws leaves nothing behind, and a reader sees only what is committed', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  await assert.rejects(
    database.write(async tx => {
      await put(tx, 'lost')
      assert.deepEqual(await namesIn(database), [])
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.deepEqual(await namesIn(database), [])
  await database.write(tx => put(tx, 'kept'))
  assert.deepEqual(await database.read.selectFrom('meta').selectAll().execute(), [
    { name: 'kept', value: '1' },
  ])
})

test('of many writes at once each is whole or absent, whatever becomes of its neighbours', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const writes = Array.from({ length: 60 }, (_, i) =>
    database.write(async tx => {
      await put(tx, `${i}.first`)
      if (i % 3 === 0) throw new Error('no')
      await put(tx, `${i}.second`)
    }),
  )
  const ends = await Promise.allSettled(writes)
  assert.equal(ends.filter(end => end.status === 'rejected').length, 20)
  const kept = await namesIn(database)
  assert.equal(kept.length, 80)
  assert.ok(kept.every(name => Number(name.split('.')[0]) % 3 !== 0))
})

test('a write inside a write that waits for it ends with a clear error, and the writer is free again', async t => {
  const place = await createTestDatabase()
  const database = await reopen(place, { acquireTimeoutMs: 150, maxConnections: 1 })
  t.after(async () => {
    await database.close()
    await place.close()
  })
  await assert.rejects(
    database.write(async tx => {
      await put(tx, 'outer')
      await database.write(inner => put(inner, 'inner'))
    }),
    isUnavailable,
  )
  await database.write(tx => put(tx, 'after'))
  assert.deepEqual(await namesIn(database), ['after'])
})

test('a transaction that takes too long is rolled back, and the writer is free again', async t => {
  const place = await createTestDatabase()
  const database = await reopen(place, { transactionTimeoutMs: 300 })
  // It looks without that limit, which would end its own statements on a busy machine.
  const watcher = await openDatabase(place.settings)
  t.after(async () => {
    await watcher.close()
    await database.close()
    await place.close()
  })
  const begun = Promise.withResolvers<void>()
  const late = Promise.withResolvers<void>()
  const slow = database.write(async tx => {
    await put(tx, 'slow')
    begun.resolve()
    await late.promise
    await put(tx, 'late')
  })
  await begun.promise
  await database.write(tx => put(tx, 'quick'))
  await eventually('the slow one is over', async () => (await openTransactions(watcher)) === 0)
  late.resolve()
  await assert.rejects(slow, isUnavailable)
  assert.deepEqual(await namesIn(watcher), ['quick'])
})

/** Those that wait for their client; on SQLite there was one, and another one has been written since. */
async function openTransactions(database: Database): Promise<number> {
  if (testEngine === 'sqlite') return 0
  const { rows } = await sql`
    SELECT 1 FROM pg_stat_activity WHERE datname = current_database() AND state LIKE 'idle in transaction%'
  `.execute(database.read)
  return rows.length
}

test('what waits for the commit runs after it, and never after a rollback', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const seen: string[][] = []
  const look = Promise.withResolvers<void>()
  await database.write(async tx => {
    await put(tx, 'kept')
    database.afterCommit(tx, () => {
      void namesIn(database).then(found => {
        seen.push(found)
        look.resolve()
      })
    })
  })
  await look.promise
  assert.deepEqual(seen, [['kept']])
  await assert.rejects(
    database.write(async tx => {
      database.afterCommit(tx, () => seen.push(['never']))
      throw new Error('no')
    }),
  )
  assert.equal(seen.length, 1)
})

test('a transaction that has ended cannot be used any more', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const kept = await database.write(async tx => tx)
  await assert.rejects(put(kept, 'late'))
  assert.deepEqual(await namesIn(database), [])
})

test('counts and sums are numbers, and a number that JavaScript cannot hold exactly is an error', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const { rows } = await sql<Record<string, unknown>>`
    SELECT count(*) AS count, sum(n) AS sum, max(n) AS max FROM (SELECT CAST(9007199254740991 AS bigint) AS n) AS numbers
  `.execute(database.read)
  assert.deepEqual(rows, [{ count: 1, sum: 9007199254740991, max: 9007199254740991 }])
  await assert.rejects(sql`SELECT CAST(9007199254740993 AS bigint) AS n`.execute(database.read), RangeError)
})

test('bytes come back as they were written', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const bytes = new Uint8Array([0, 1, 254, 255])
  const type = sql.raw(ddlOf(testEngine).bytes)
  const { rows } = await sql<{ bytes: Uint8Array }>`SELECT CAST(${bytes} AS ${type}) AS bytes`.execute(
    database.read,
  )
  assert.deepEqual(new Uint8Array(rows[0]?.bytes ?? []), bytes)
})
