import assert from 'node:assert/strict'
import { test } from 'node:test'
import { systemClock } from '../../../platform/clock.ts'
import { createIds } from '../../../platform/ids.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { waitsForLock } from '../../../testing/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, longText, untilNoJobs, upload } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { ingestJob, ingestQueue } from '../records/document-jobs.ts'

test('a document that is restored while its earlier job is ending is read by another job', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const { database } = app.dependencies
  const jobs = createJobs({ database, newId: createIds(systemClock) })
  const collectionId = await createCollection(app)
  const { id } = (await upload(app, { collectionId, content: longText('saola', 400) })).body.data
  await app.request('DELETE', `/knowledge/documents/${id}`)
  await untilNoJobs(app)
  const scope = { workspaceId: app.workspaceId, environment: 'live' } as const
  const isEndingOrEnded = async (): Promise<boolean> => {
    const open = await database.read
      .selectFrom('jobs')
      .select('id')
      .where('queue', '=', ingestQueue)
      .where('finished_at', 'is', null)
      .execute()
    return open.length === 0 || (await waitsForLock(database))
  }
  // As a restore does that finds the job at work, and commits while that ends.
  await database.write(async tx => {
    await tx
      .updateTable('documents')
      .set({ deleted_at: null, erase_at: null, status: 'queued' })
      .where('id', '=', id)
      .execute()
    await database.write(other => jobs.enqueue(other, ingestJob(scope, id, 1)))
    await eventually('the job ends, or waits for the document', isEndingOrEnded)
  })
  const settled = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=20' } })
  assert.equal(settled.body.data.status, 'ready')
})
