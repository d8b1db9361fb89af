import assert from 'node:assert/strict'
import { DatabaseSync } from 'node:sqlite'
import { test } from 'node:test'
import { databaseFile, filesWithCanaries, putCanaries } from '../../../testing/canaries.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, untilNoJobs } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp } from '../../../testing/test-app.ts'

test('a reader that holds the write-ahead log puts the end of erasing off, and does not prevent it', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const collectionId = await createCollection(app)
  const file = (await databaseFile(app)) ?? ''
  const id = await putCanaries(app, collectionId, 'second')
  const reader = new DatabaseSync(file)
  reader.exec('BEGIN; SELECT count(*) FROM documents')
  reader.prepare('SELECT count(*) FROM documents').get()
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)).status, 204)
  const purge = () =>
    app.dependencies.database.read
      .selectFrom('jobs')
      .select(['state', 'error'])
      .where('queue', '=', 'knowledge-purge')
      .where('error', 'is not', null)
      .executeTakeFirst()
  await eventually('the purge has failed once', async () => (await purge()) !== undefined)
  assert.match((await purge())?.error ?? '', /A reader still needs the write-ahead log/)
  assert.ok((await filesWithCanaries(app)).length > 0)
  reader.close()
  await untilNoJobs(app)
  assert.deepEqual(await filesWithCanaries(app), [])
})
