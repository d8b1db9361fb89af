/** The guarantee that both engines have the same schema: read back from each, and compared. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { readSchema, virtualTables } from '../../testing/schema.ts'

test('both engines have the same tables, columns, keys and indexes', async t => {
  const [sqlite, postgres] = await Promise.all([createTestDatabase('sqlite'), createTestDatabase('postgres')])
  t.after(() => Promise.all([sqlite.close(), postgres.close()]))
  const schema = await readSchema(sqlite.database)
  assert.ok(Object.keys(schema).length > 10)
  assert.ok((schema.jobs?.indexes.length ?? 0) >= 4)
  const virtual = await virtualTables(sqlite.database.read)
  const other = Object.entries(await readSchema(postgres.database))
  assert.deepEqual(schema, Object.fromEntries(other.filter(([name]) => !virtual.includes(name))))
})
