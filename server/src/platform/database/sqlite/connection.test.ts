import assert from 'node:assert/strict'
import { readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { openWriterConnection } from './connection.ts'

test('what was deleted cannot be read in the file any more, not even in the pages that it left free', async t => {
  const file = join(tmpdir(), `atrium-erased-${crypto.randomUUID()}.db`)
  const connection = openWriterConnection(file, false)
  t.after(async () => {
    connection.close()
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  })
  const holds = async (word: string): Promise<boolean> => {
    connection.run('PRAGMA wal_checkpoint(TRUNCATE)', [])
    return (await readFile(file)).includes(word)
  }
  connection.run('CREATE TABLE notes (id INTEGER PRIMARY KEY, text TEXT)', [])
  // Longer than a page, so that it leaves whole pages behind.
  for (const id of [1, 2, 3])
    connection.run('INSERT INTO notes VALUES (?, ?)', [id, `binturong${id} `.repeat(5_000)])
  assert.equal(await holds('binturong2'), true)
  connection.run('DELETE FROM notes WHERE id = 2', [])
  assert.equal(await holds('binturong2'), false)
  assert.equal(await holds('binturong3'), true)
})
