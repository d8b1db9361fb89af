import assert from 'node:assert/strict'
import { type FileHandle, open, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { eventually } from '../../../testing/eventually.ts'
import { ServiceError } from '../../errors.ts'
import { openReaderConnection, openWriterConnection } from './connection.ts'
import { createSqliteLog, type SqliteLog } from './log.ts'
import { SqliteWriter } from './writer.ts'

/** A disk whose flushes are let through, or fail, one by one. */
class Disk {
  readonly flushes: PromiseWithResolvers<void>[] = []
  readonly paths: string[] = []
  open = async (path: string, flags: string): Promise<FileHandle> => {
    this.paths.push(path)
    const handle = await open(path, flags)
    const flush = handle.datasync.bind(handle)
    handle.datasync = async () => {
      const turn = Promise.withResolvers<void>()
      this.flushes.push(turn)
      await turn.promise
      await flush()
    }
    return handle
  }
}

function openLogged(t: TestContext): { file: string; disk: Disk; log: SqliteLog; writer: SqliteWriter } {
  const file = join(tmpdir(), `atrium-log-${crypto.randomUUID()}.db`)
  const connection = openWriterConnection(file, true)
  connection.run('CREATE TABLE notes (text TEXT)', [])
  const disk = new Disk()
  const log = createSqliteLog(file, disk.open as typeof open)
  // As on a machine so busy that each group is full at once.
  const limits = { acquireTimeoutMs: 5_000, transactionTimeoutMs: 5_000, groupMs: 0 }
  const writer = new SqliteWriter(connection, log, limits)
  t.after(async () => {
    for (const flush of disk.flushes) flush.resolve()
    await writer.close()
    for (const end of ['', '-wal', '-shm']) await rm(`${file}${end}`, { force: true })
  })
  return { file, disk, log, writer }
}

async function note(writer: SqliteWriter, text: string): Promise<void> {
  const unit = await writer.begin()
  unit.run('INSERT INTO notes VALUES (?)', [text])
  await unit.commit()
}

const until = (what: () => boolean) => eventually(`it is so: ${what}`, what)

const isUnavailable = (error: unknown): boolean =>
  error instanceof ServiceError && error.code === 'unavailable'

test('a commit is acknowledged once the log is flushed, and the event loop goes on meanwhile', async t => {
  const { file, disk, writer } = openLogged(t)
  let told = false
  const writing = note(writer, 'safe').then(() => {
    told = true
  })
  await until(() => disk.flushes.length === 1)
  for (let turn = 0; turn < 5; turn++) await setImmediate()
  assert.equal(told, false)
  disk.flushes[0]?.resolve()
  await writing
  assert.deepEqual(disk.paths, [`${file}-wal`])
})

test('those who write during a flush share the next one, which begins after their commit', async t => {
  const { disk, writer } = openLogged(t)
  const first = note(writer, 'first')
  await until(() => disk.flushes.length === 1)
  let told = 0
  const others = ['second', 'third', 'fourth'].map(text =>
    note(writer, text).then(() => {
      told++
    }),
  )
  disk.flushes[0]?.resolve()
  await first
  await until(() => disk.flushes.length === 2)
  assert.equal(told, 0)
  disk.flushes[1]?.resolve()
  await Promise.all(others)
  assert.equal(disk.flushes.length, 2)
})

test('a statement outside of a transaction is flushed as well', async t => {
  const { disk, writer } = openLogged(t)
  const writing = writer.runAlone('INSERT INTO notes VALUES (?)', ['alone'])
  await until(() => disk.flushes.length === 1)
  disk.flushes[0]?.resolve()
  await writing
})

test('after a flush that failed nothing is promised until the whole log has been taken over', async t => {
  const { file, disk, log, writer } = openLogged(t)
  const failing = note(writer, 'uncertain')
  await until(() => disk.flushes.length === 1)
  disk.flushes[0]?.reject(new Error('EIO'))
  await assert.rejects(failing, isUnavailable)

  // Someone who reads an older state keeps the log from being taken over.
  const reader = openReaderConnection(file)
  reader.run('BEGIN', [])
  reader.run('SELECT * FROM notes', [])
  await assert.rejects(note(writer, 'too early'), isUnavailable)
  await assert.rejects(writer.runAlone('INSERT INTO notes VALUES (?)', ['too early']), isUnavailable)
  reader.run('COMMIT', [])

  const writing = note(writer, 'safe again')
  await until(() => disk.flushes.length === 2)
  disk.flushes[1]?.resolve()
  await writing
  assert.equal(log.flushing(), null)
  const { rows } = reader.run('SELECT text FROM notes', [])
  reader.close()
  assert.deepEqual(rows, [{ text: 'uncertain' }, { text: 'safe again' }])
})
