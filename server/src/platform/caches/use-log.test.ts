import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { createUseLog } from './caches.ts'

test('a use that could not be written is kept for the next flush, unless a later one has come', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  let isDown = true
  const written: string[] = []
  const uses = createUseLog<string>({
    database,
    write: async (_tx, use) => {
      if (isDown) throw new Error('The database is down')
      written.push(use)
    },
  })
  uses.note('one', 'one, early')
  uses.note('two', 'two, early')
  const failing = uses.flush()
  uses.note('two', 'two, late')
  await assert.rejects(failing, /is down/)
  isDown = false
  await uses.close()
  assert.deepEqual(written.sort(), ['one, early', 'two, late'])
})
