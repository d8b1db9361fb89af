import assert from 'node:assert/strict'
import { spawnSync } from 'node:child_process'
import { mkdtemp, readdir, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type TestContext, test } from 'node:test'
import { startChild } from '../../testing/child.ts'
import { openDatabase } from './open.ts'
import {
  addressOfServer,
  announceServer,
  isDataFolderLocked,
  lockDataFolder,
  withdrawServer,
} from './server-lock.ts'

const createFolder = async (t: TestContext): Promise<string> => {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-lock-'))
  t.after(() => rm(folder, { recursive: true, force: true }))
  return folder
}

test('a second server on a data folder is refused, and told who holds it', async t => {
  const folder = await createFolder(t)
  const holder = startChild('lock-holder', { folder })
  assert.equal(await holder.line(), 'locked')
  assert.throws(() => lockDataFolder(folder), {
    message: `Another Atrium server (process ${holder.process.pid}) runs on the data folder ${folder}: stop it first, or choose another folder with ATRIUM_DATA_DIR`,
  })
  assert.equal(isDataFolderLocked(folder), true)
  holder.send('release')
  assert.equal(await holder.line(), 'released')
  assert.equal(isDataFolderLocked(folder), false)
  lockDataFolder(folder).release()
  await holder.ended()
})

test('it can be asked whether a server runs, which makes no file', async t => {
  const folder = await createFolder(t)
  assert.equal(isDataFolderLocked(folder), false)
  assert.deepEqual(await readdir(folder), [])
})

test('the address of a server is known until it ends, in order or not', async t => {
  const folder = await createFolder(t)
  const address = 'http://127.0.0.1:4711'
  announceServer(folder, address)
  assert.equal(addressOfServer(folder), address)
  withdrawServer(folder)
  assert.deepEqual([addressOfServer(folder), await readdir(folder)], [null, []])

  const dead = spawnSync(process.execPath, ['--version']).pid
  await writeFile(join(folder, 'server.pid'), `${dead}\n${address}\n`)
  assert.equal(addressOfServer(folder), null)
  withdrawServer(folder)
  assert.deepEqual(await readdir(folder), ['server.pid'], 'the file of another process is left')
})

test('a second server in the same process is refused as well', async t => {
  const folder = await createFolder(t)
  const lock = lockDataFolder(folder)
  assert.throws(() => lockDataFolder(folder), /Another Atrium server/)
  lock.release()
  lockDataFolder(folder).release()
})

test('the lock of a killed server is gone without any cleaning up', async t => {
  const folder = await createFolder(t)
  const holder = startChild('lock-holder', { folder })
  assert.equal(await holder.line(), 'locked')
  await holder.kill()
  lockDataFolder(folder).release()
})

test("the operator's command opens and changes the database beside the server", async t => {
  const folder = await createFolder(t)
  const lock = lockDataFolder(folder)
  const server = await openDatabase({ engine: 'sqlite', file: join(folder, 'atrium.db'), durable: false })
  const operator = await openDatabase({ engine: 'sqlite', file: join(folder, 'atrium.db'), durable: false })
  await operator.write(tx => tx.insertInto('meta').values({ name: 'by', value: 'operator' }).execute())
  assert.deepEqual(await server.read.selectFrom('meta').selectAll().execute(), [
    { name: 'by', value: 'operator' },
  ])
  await operator.close()
  await server.close()
  lock.release()
})
