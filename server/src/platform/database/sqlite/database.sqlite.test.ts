import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { sql } from 'kysely'
import { createTestDatabase } from '../../../testing/database.ts'
import { isUnavailable, namesIn, put } from '../../../testing/meta-rows.ts'
import { openDatabase } from '../open.ts'

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
    isUnavailable,
  )
  await sql.raw('PRAGMA max_page_count = 1000000').execute(database.read)
  await database.write(tx => put(tx, 'big', 'x'.repeat(200_000)))
  assert.deepEqual(await namesIn(database), ['before', 'big'])
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
  assert.deepEqual(await namesIn(place.database), [])
  // All that leads to the first attempt has run before the event loop turns.
  await nextTurn()
  hold.resolve()
  await Promise.all([first, second])
  assert.deepEqual(await namesIn(place.database), ['other', 'ours'])
})
