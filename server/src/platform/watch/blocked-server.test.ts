/** A server whose work blocks it: ended by its watcher, started again, and in the end rid of the work. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { eventually } from '../../testing/eventually.ts'
import { createInstallation, type Installation, openInstallationDatabase } from '../../testing/operator.ts'
import { startUploads } from '../../testing/servers/outages.ts'

const watchTimes = { tickMs: 50, saysAfterMs: 300, endsAfterMs: 1_500 }
/** A megabyte, so that a worker reads it and no request. */
const words = Array.from({ length: 150_000 }, (_, index) => `w${index % 3_000}`).join(' ')

async function countOpen(installation: Installation): Promise<number> {
  const database = await openInstallationDatabase(installation)
  try {
    const rows = await database.read
      .selectFrom('jobs')
      .select('id')
      .where('queue', '=', 'knowledge-ingest')
      .where('finished_at', 'is', null)
      .execute()
    return rows.length
  } finally {
    await database.close()
  }
}

test('a document that blocks its server for ever fails as crashed_server, and the server serves on', {
  timeout: 10 * 60_000,
}, async t => {
  const installation = await createInstallation(t)
  const settings = { NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'hang=knowledge-ingest/job.claimed:1' }
  const start = () => installation.startServer(settings, { watchTimes })
  // The first start makes documents of its own.
  const before = await installation.startServer()
  await eventually('the first documents are read', async () => (await countOpen(installation)) === 0)
  await before.stop()
  const first = await start()
  const { upload } = await startUploads(installation, first)
  // The reply is lost: the server blocks as soon as the document is stored.
  await upload(words).catch(() => null)
  assert.match(await first.ended, /"The main thread is blocked".*"name":"knowledge-ingest"/)
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  // Other servers on its PostgreSQL would wait for this time.
  const endLeases = () =>
    database.write(tx =>
      tx.updateTable('jobs').set({ lease_until: 0 }).where('state', '=', 'running').execute(),
    )
  await endLeases()
  // It may block before it has said that it listens.
  const second = await start().then(
    ({ ended }) => ended,
    (error: Error) => error.message,
  )
  assert.match(second, /"The server is ended, since its main thread is blocked"/)
  await endLeases()
  const third = await start()

  const dead = () =>
    database.read
      .selectFrom('jobs')
      .select(['queue', 'deaths', 'kills'])
      .where('state', '=', 'dead')
      .execute()
  await eventually('the job is dead', async () => (await dead()).length > 0)
  assert.deepEqual(await dead(), [{ queue: 'knowledge-ingest', deaths: 2, kills: 0 }])
  const failed = await database.read
    .selectFrom('documents')
    .select('error_code')
    .where('status', '=', 'failed')
    .execute()
  assert.deepEqual(failed, [{ error_code: 'crashed_server' }])
  assert.equal((await fetch(`${third.origin}/healthz`)).status, 200)
  const { stdout } = await installation.atriumHere('doctor')
  assert.match(stdout, /Blocked servers were ended 2 times within a day: .*knowledge-ingest/)
})

test('a request that blocks its server is named by the log and the doctor, and ends no job', {
  timeout: 10 * 60_000,
}, async t => {
  const installation = await createInstallation(t)
  const hangs = { NODE_ENV: 'test', ATRIUM_TEST_FAULT: 'hang=createAgent/commit.before:1' }
  const first = await installation.startServer(hangs, { watchTimes })
  const { call } = await startUploads(installation, first)
  await call('POST', '/agents', { json: { name: 'Never' } }).catch(() => null)
  const said = await first.ended
  assert.match(said, /"The main thread is blocked".*"kind":"request".*"name":"createAgent"/)
  assert.match(said, /"The server is ended, since its main thread is blocked"/)
  const second = await installation.startServer()
  assert.equal((await fetch(`${second.origin}/healthz`)).status, 200)
  const database = await openInstallationDatabase(installation)
  t.after(() => database.close())
  const deaths = await database.read.selectFrom('jobs').select('id').where('deaths', '>', 0).execute()
  assert.deepEqual(deaths, [])
  const made = await database.read.selectFrom('agents').select('id').where('name', '=', 'Never').execute()
  assert.deepEqual(made, [])
  const { stdout } = await installation.atriumHere('doctor')
  assert.match(stdout, /Blocked servers were ended 1 times within a day: .* by request createAgent req_/)
})
