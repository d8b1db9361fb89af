/** Servers on one database that keep their files in one folder, or in two. */
import assert from 'node:assert/strict'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { test } from 'node:test'
import { sql } from 'kysely'
import { createLog } from './platform/log.ts'
import { joinNodes } from './platform/nodes.ts'
import { createTestDatabase } from './testing/database.ts'
import { createInstallation } from './testing/operator.ts'

const log = createLog({ level: 'silent' })
const on = (storageId: string) => ({ role: 'api', storageId, log })

test('a server that keeps its files in another folder than those that run does not start, and says why', async t => {
  const installation = await createInstallation(t)
  const elsewhere = await mkdtemp(join(tmpdir(), 'atrium-elsewhere-'))
  t.after(() => rm(elsewhere, { recursive: true }))
  const first = await installation.startServer({ ATRIUM_ROLE: 'api' })
  const refused = await installation.startServer({ ATRIUM_DATA_DIR: elsewhere }).then(
    () => 'It has started',
    (error: Error) => error.message,
  )
  assert.match(
    refused,
    /atrium: Another server on this database \(role api on \S+, seen \d+ s ago\) keeps its files/,
  )
  assert.match(refused, /ATRIUM_DATA_DIR/)
  const second = await installation.startServer({ ATRIUM_ROLE: 'worker' })
  await first.stop()
  await second.stop()
  // Once no other server runs, it may.
  const moved = await installation.startServer({ ATRIUM_DATA_DIR: elsewhere })
  await moved.stop()
})

test('a server that was killed is forgotten after its time, and of two that start at once one is refused', async t => {
  const { database, close } = await createTestDatabase('postgres')
  const killed = await joinNodes(database, on('folder-1'))
  t.after(async () => {
    await killed.leave()
    await close()
  })
  await assert.rejects(joinNodes(database, on('folder-2')), /forgotten after 30 s/)
  const ago = (ms: number) => sql`UPDATE nodes SET seen_at = seen_at - ${ms}`.execute(database.read)
  await ago(25_000)
  await assert.rejects(joinNodes(database, on('folder-2')), /keeps its files in another folder/)
  await ago(30_000)
  const starts = await Promise.allSettled([
    joinNodes(database, on('folder-2')),
    joinNodes(database, on('folder-3')),
  ])
  assert.deepEqual(starts.map(({ status }) => status).sort(), ['fulfilled', 'rejected'])
  for (const start of starts) if (start.status === 'fulfilled') await start.value.leave()
  assert.equal((await database.read.selectFrom('nodes').selectAll().execute()).length, 0)
})
