import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { prepared } from './prepared.ts'

test('a prepared query answers for each set of values as if it had been built for them', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  await database.write(async tx => {
    for (const name of ['a', 'b', 'c'])
      await tx
        .insertInto('meta')
        .values({ name, value: `${name}!` })
        .execute()
  })
  const behind = prepared((values: { name: string; limit: number }) =>
    database.read
      .selectFrom('meta')
      .select(['name', 'value'])
      .where('name', '>', values.name)
      .where('value', '<>', 'z')
      .orderBy('name')
      .limit(values.limit),
  )
  assert.deepEqual(await behind(database.read, { name: 'a', limit: 1 }), [{ name: 'b', value: 'b!' }])
  assert.deepEqual(
    (await behind(database.read, { name: '', limit: 9 })).map(row => row.name),
    ['a', 'b', 'c'],
  )
  await database.write(async tx => assert.equal((await behind(tx, { name: 'b', limit: 5 })).length, 1))
})
