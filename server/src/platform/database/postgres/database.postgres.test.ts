import assert from 'node:assert/strict'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../testing/database.ts'
import { isUnavailable, namesIn, put } from '../../../testing/meta-rows.ts'
import type { Tx } from '../database.ts'
import { openDatabase } from '../open.ts'

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
  await assert.rejects(cut, isUnavailable)
  await place.database.write(tx => put(tx, 'after'))
  assert.deepEqual(await namesIn(place.database), ['after'])
})
