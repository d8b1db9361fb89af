import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { openWriterConnection, type SqliteConnection } from './connection.ts'
import { SqliteWriter } from './writer.ts'

/** A writer on a file of its own, and what it has told SQLite. */
function openWriter(t: TestContext, groupMs?: number): { writer: SqliteWriter; said: string[] } {
  const file = join(tmpdir(), `atrium-writer-${crypto.randomUUID()}.db`)
  const connection = openWriterConnection(file, false)
  connection.run('CREATE TABLE notes (text TEXT)', [])
  const said: string[] = []
  const heard: SqliteConnection = {
    ...connection,
    run: (text, parameters) => {
      said.push(text)
      return connection.run(text, parameters)
    },
  }
  const writer = new SqliteWriter(heard, null, {
    acquireTimeoutMs: 5_000,
    transactionTimeoutMs: 5_000,
    groupMs,
  })
  t.after(async () => {
    await writer.close()
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  })
  return { writer, said }
}

async function note(writer: SqliteWriter, text: string): Promise<void> {
  const unit = await writer.begin()
  unit.run('INSERT INTO notes VALUES (?)', [text])
  await unit.commit()
}

const commits = (said: readonly string[]): number => said.filter(text => text === 'COMMIT').length

function workFor(ms: number): void {
  const endMs = performance.now() + ms
  while (performance.now() < endMs);
}

test('a unit that is alone is committed in the next turns of an idle event loop', async t => {
  const { writer, said } = openWriter(t)
  let committed = false
  const writing = note(writer, 'alone').then(() => {
    committed = true
  })
  // The first turns may still be long, by what was compiled for them.
  for (let turn = 0; turn < 10 && !committed; turn++) await setImmediate()
  assert.equal(committed, true)
  await writing
  assert.equal(commits(said), 1)
})

test('units that come while the event loop has other work share a commit, and each learns of it then', async t => {
  const { writer, said } = openWriter(t, 5_000)
  const ends: Promise<void>[] = []
  for (let i = 0; i < 5; i++) {
    ends.push(note(writer, `${i}`).then(() => assert.equal(commits(said), 1)))
    await setImmediate()
    workFor(1)
  }
  await Promise.all(ends)
  assert.equal(commits(said), 1)
})

test('a loop that never rests does not put a commit off', async t => {
  const { writer, said } = openWriter(t)
  let committed = false
  const writing = note(writer, 'in a hurry').then(() => {
    committed = true
  })
  for (let turn = 0; turn < 200 && !committed; turn++) {
    workFor(1)
    await setImmediate()
  }
  assert.equal(committed, true)
  await writing
  assert.equal(commits(said), 1)
})
