import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { pageOf } from './page.ts'

test('pages are newest first, whole, without overlap, and know the exact total', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const all = Array.from({ length: 7 }, (_, i) => `row_${i}`)
  await database.write(async tx => {
    for (const name of [...all, 'other']) await tx.insertInto('meta').values({ name, value: name }).execute()
  })
  const rows = database.read.selectFrom('meta').select('value').where('name', 'like', 'row%')
  const values = async (page: { page: number; pageSize: number; after?: string }) => {
    const { items, total } = await pageOf(rows, page, { idColumn: 'name' })
    assert.equal(total, 7)
    return items.map(item => item.value)
  }
  assert.deepEqual(await values({ page: 1, pageSize: 3 }), ['row_6', 'row_5', 'row_4'])
  assert.deepEqual(await values({ page: 3, pageSize: 3 }), ['row_0'])
  assert.deepEqual(await values({ page: 4, pageSize: 3 }), [])
  assert.deepEqual(await values({ page: 1, pageSize: 3, after: 'row_4' }), ['row_3', 'row_2', 'row_1'])
  assert.deepEqual(await values({ page: 2, pageSize: 3, after: 'row_4' }), ['row_0'])
})
