import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { statement } from './statement.ts'

test('a statement is built once and takes new values each time, in a transaction and outside of one', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  let built = 0
  const insert = statement((tx, row: { name: string; value: string }) => {
    built++
    return tx.insertInto('meta').values({ name: row.name, value: row.value })
  })
  const find = statement((query, { name }: { name: string }) =>
    query.selectFrom('meta').selectAll().where('name', '=', name),
  )
  await database.write(async tx => {
    for (const name of ['first', 'second']) {
      const { numAffectedRows } = await insert(tx, { name, value: `of ${name}` })
      assert.equal(numAffectedRows, 1n)
    }
    assert.deepEqual((await find(tx, { name: 'first' })).rows, [{ name: 'first', value: 'of first' }])
  })
  assert.equal(built, 1)
  assert.deepEqual((await find(database.read, { name: 'second' })).rows, [
    { name: 'second', value: 'of second' },
  ])
  assert.deepEqual((await find(database.read, { name: 'third' })).rows, [])
})
