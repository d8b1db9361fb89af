import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createTestDatabase } from '../../testing/database.ts'
import { backedUpTables, derivedTables, foreignTables } from './snapshot.ts'

test('every table of the database is either backed up, made again, or not ours', async t => {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const tables = await database.read.introspection.getTables()
  const known: readonly string[] = [...backedUpTables, ...derivedTables, ...foreignTables]
  // SQLite keeps a full-text index in tables of its own beside the one that we made.
  const names = tables.map(({ name }) => name).filter(name => !/^search_postings_/.test(name))
  assert.ok(names.length > 20)
  assert.deepEqual(
    names.filter(name => !known.includes(name)),
    [],
  )
  assert.deepEqual(
    [...backedUpTables, ...derivedTables].filter(name => !names.includes(name)),
    [],
  )
})
