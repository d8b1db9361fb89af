import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../testing/database.ts'
import { allowedOf } from '../testing/limiters.ts'
import { createPostgresCounters } from './counters.ts'

test('two servers on one PostgreSQL count together, also where they begin at the same moment', async t => {
  const { database, close } = await createTestDatabase('postgres')
  t.after(close)
  // All of them make the table, at the same moment.
  const counters = await Promise.all(Array.from({ length: 6 }, () => createPostgresCounters(database)))
  assert.equal(await allowedOf(24, counters.slice(0, 2)), 10)
  await Promise.all(counters.map(counter => counter.close()))
})
