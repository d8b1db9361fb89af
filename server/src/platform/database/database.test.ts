import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase, type TestDatabase, testEngine } from '../../testing/database.ts'
import { ServiceError } from '../errors.ts'
import type { Database, Tx } from './database.ts'
import { ddlOf } from './ddl.ts'
import { openDatabase } from './open.ts'

const unavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable' && error.headers['retry-after'] === '1'

const put = (tx: Tx, name: string, value = '1') => tx.insertInto('meta').values({ name, value }).execute()

const names = async (database: Database): Promise<string[]> =>
  (await database.read.selectFrom('meta').select('name').orderBy('name').execute()).map(row => row.name)

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
      assert.deepEqual(await names(database), [])
      throw new Error('changed my mind')
    }),
    /changed my mind/,
  )
  assert.deepEqual(await names(database), [])
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
  const kept = await names(database)
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
    unavailable,
  )
  await database.write(tx => put(tx, 'after'))
  assert.deepEqual(await names(database), ['after'])
})

test('a transaction that takes too long is rolled back, and the writer is free again', async t => {
  const place = await createTestDatabase()
  const database = await reopen(place, { transactionTimeoutMs: 150 })
  t.after(async () => {
    await database.close()
    await place.close()
  })
  const late = Promise.withResolvers<void>()
  const slow = database.write(async tx => {
    await put(tx, 'slow')
    await late.promise
    await put(tx, 'late')
  })
  await new Promise(resolve => setTimeout(resolve, 300))
  await database.write(tx => put(tx, 'quick'))
  late.resolve()
  await assert.rejects(slow, unavailable)
  assert.deepEqual(await names(database), ['quick'])
})

test('what waits for the commit runs after it, and never after a rollback', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const seen: string[][] = []
  const look = Promise.withResolvers<void>()
  await database.write(async tx => {
    await put(tx, 'kept')
    database.afterCommit(tx, () => {
      void names(database).then(found => {
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
  assert.deepEqual(await names(database), [])
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

if (testEngine === 'sqlite') {
  test('a full disk is a 503 that passes, and takes only its own changes along', async t => {
    const { database, close } = await createTestDatabase()
    t.after(close)
    await database.write(tx => put(tx, 'before'))
    const pages = await sql<{ page_count: number }>`SELECT page_count FROM pragma_page_count`.execute(
      database.read,
    )
    await sql.raw(`PRAGMA max_page_count = ${pages.rows[0]?.page_count}`).execute(database.read)
    await assert.rejects(
      database.write(tx => put(tx, 'big', 'x'.repeat(200_000))),
      unavailable,
    )
    await sql.raw('PRAGMA max_page_count = 1000000').execute(database.read)
    await database.write(tx => put(tx, 'big', 'x'.repeat(200_000)))
    assert.deepEqual(await names(database), ['before', 'big'])
  })

  test('while another process writes, a write waits without stopping the event loop', async t => {
    const place = await createTestDatabase()
    const other = await openDatabase(place.settings)
    t.after(async () => {
      await other.close()
      await place.close()
    })
    const hold = Promise.withResolvers<void>()
    const holding = Promise.withResolvers<void>()
    const first = other.write(async tx => {
      await put(tx, 'other')
      holding.resolve()
      await hold.promise
    })
    await holding.promise
    const second = place.database.write(tx => put(tx, 'ours'))
    // These run while the write waits, or the test would never end.
    assert.deepEqual(await names(place.database), [])
    await new Promise(resolve => setTimeout(resolve, 30))
    hold.resolve()
    await Promise.all([first, second])
    assert.deepEqual(await names(place.database), ['other', 'ours'])
  })
}

if (testEngine === 'postgres') {
  test('two transactions that cross are both carried out', async t => {
    const { database, close } = await createTestDatabase()
    t.after(close)
    await database.write(async tx => {
      await put(tx, 'a', '0')
      await put(tx, 'b', '0')
    })
    const bothHold = [Promise.withResolvers<void>(), Promise.withResolvers<void>()]
    const add = (tx: Tx, name: string) =>
      sql`UPDATE meta SET value = CAST(CAST(value AS integer) + 1 AS text) WHERE name = ${name}`.execute(tx)
    const cross = (first: string, second: string, me: number) =>
      database.write(async tx => {
        await add(tx, first)
        bothHold[me]?.resolve()
        await Promise.all(bothHold.map(each => each.promise))
        await add(tx, second)
      })
    await Promise.all([cross('a', 'b', 0), cross('b', 'a', 1)])
    assert.deepEqual(await database.read.selectFrom('meta').selectAll().orderBy('name').execute(), [
      { name: 'a', value: '2' },
      { name: 'b', value: '2' },
    ])
  })

  test('a lost connection is a 503, and the next request finds a new one', async t => {
    const place = await createTestDatabase()
    const other = await openDatabase(place.settings)
    t.after(async () => {
      await other.close()
      await place.close()
    })
    const cut = place.database.write(async tx => {
      await put(tx, 'cut')
      await sql`SELECT pg_terminate_backend(pid) FROM pg_stat_activity
        WHERE datname = current_database() AND pid <> pg_backend_pid()`.execute(other.read)
      await put(tx, 'never')
    })
    await assert.rejects(cut, unavailable)
    await place.database.write(tx => put(tx, 'after'))
    assert.deepEqual(await names(place.database), ['after'])
  })
}
