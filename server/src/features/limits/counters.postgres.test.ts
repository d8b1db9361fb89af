import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createEmptyDatabase } from '../../testing/database.ts'
import { allowedOf } from '../../testing/limiters.ts'
import { createPostgresCounters } from './counters.ts'

test('two servers on one PostgreSQL count together, also where they begin at the same moment', async t => {
  const { settings, remove } = await createEmptyDatabase('postgres')
  t.after(remove)
  assert.ok(settings.engine === 'postgres')
  // All of them make the table, at the same moment.
  const counters = await Promise.all(Array.from({ length: 6 }, () => createPostgresCounters(settings.url)))
  assert.equal(await allowedOf(24, counters.slice(0, 2)), 10)
  await Promise.all(counters.map(counter => counter.close()))
})
