import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, search, upload } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let nowMs = Date.now()

before(async () => {
  app = await startTestApp({ clock: () => nowMs })
})
after(() => app.close())

/** An upload whose job no worker has taken up yet. */
async function queuedDocument(word: string): Promise<string> {
  const collectionId = await createCollection(app)
  const reply = await upload(app, { collectionId, content: `It tells of the ${word}.` })
  assert.equal(reply.status, 201)
  assert.equal(reply.body.data.status, 'queued')
  return reply.body.data.id
}

const jobOf = (id: string) => ({ queue: 'knowledge-ingest', key: `${id}:1` })

async function changeJob(id: string, change: Record<string, unknown>): Promise<void> {
  const { queue, key } = jobOf(id)
  const { numUpdatedRows } = await app.dependencies.database.write(tx =>
    tx
      .updateTable('jobs')
      .set(change)
      .where('queue', '=', queue)
      .where('unique_key', '=', key)
      .executeTakeFirstOrThrow(),
  )
  assert.equal(numUpdatedRows, 1n)
}

const waysOfGettingStuck: Record<string, (id: string) => Promise<unknown>> = {
  'its job was deleted': id =>
    app.dependencies.database.write(tx =>
      tx.deleteFrom('jobs').where('unique_key', '=', jobOf(id).key).execute(),
    ),
  'its job was cancelled': id => changeJob(id, { state: 'cancelled', finished_at: nowMs }),
  'its job was given up without it': id => changeJob(id, { state: 'dead', finished_at: nowMs }),
  'its job was done without it': id => changeJob(id, { state: 'done', finished_at: nowMs }),
  'its stage was left by a job that is gone': async id => {
    await changeJob(id, { state: 'done', finished_at: nowMs })
    await app.dependencies.database.write(tx =>
      tx.updateTable('documents').set({ status: 'indexing', progress: 0.7 }).where('id', '=', id).execute(),
    )
  },
}

for (const [index, [way, happen]] of Object.entries(waysOfGettingStuck).entries()) {
  test(`a document is healed where ${way}`, async () => {
    const { worker, reapDocuments } = app.app.services
    await worker.drain(5_000)
    const word = `okapi${index}`
    const id = await queuedDocument(word)
    await happen(id)
    assert.equal(await reapDocuments(), 0, 'so young a document is let alone')
    nowMs += 2 * 60_000
    assert.equal(await reapDocuments(), 1)
    assert.equal(await reapDocuments(), 0, 'it has a job again')
    worker.start()
    const { data } = (
      await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=20' } })
    ).body
    assert.equal(data.status, 'ready', JSON.stringify(data))
    assert.deepEqual(
      (await search(app, word)).map(hit => hit.documentId),
      [id],
    )
  })
}

test('a document whose attempts are used up is failed with a code, and can be tried again', async () => {
  const { worker } = app.app.services
  const { blobs } = app.dependencies
  await worker.drain(5_000)
  const id = await queuedDocument('bongo')
  await changeJob(id, { max_attempts: 1 })
  const { localPath } = blobs
  blobs.localPath = () => Promise.reject(new Error('The disk is gone'))
  worker.start()
  const failed = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=20' } })
  blobs.localPath = localPath
  const { data } = failed.body
  assert.equal(data.status, 'failed')
  assert.deepEqual([data.error.code, data.error.retryable], ['processing_failed', true])
  assert.equal((await app.request('POST', `/knowledge/documents/${id}/retry`)).status, 202)
  const read = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=20' } })
  assert.deepEqual([read.body.data.status, read.body.data.error], ['ready', null])
})

test('a document that waits for its turn, however long, is no one’s prey', async () => {
  const { worker, reapDocuments } = app.app.services
  await worker.drain(5_000)
  const id = await queuedDocument('kudu')
  nowMs += 24 * 60 * 60_000
  assert.equal(await reapDocuments(), 0)
  assert.equal((await app.request('GET', `/knowledge/documents/${id}`)).body.data.status, 'queued')
  worker.start()
})
