import assert from 'node:assert/strict'
import { rm } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import {
  createCollection,
  documentOf,
  untilNoJobs,
  uploadAndWait,
  versionsFound,
} from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const reprocess = (id: string, options: { key?: TestKey; headers?: Record<string, string> } = {}) =>
  app.request('POST', `/knowledge/documents/${id}/reprocess`, options)

test('a document that is read again becomes the next version of the same file, and its text is found all the time', async () => {
  const collectionId = await createCollection(app)
  const { id, sha256 } = await uploadAndWait(app, { collectionId, content: 'A word: quokka.' })
  await app.app.services.worker.drain(5_000)
  const reply = await reprocess(id)
  assert.equal(reply.status, 202)
  assert.equal(reply.headers.location, `/api/v1/knowledge/documents/${id}`)
  const { version, servedVersion, status } = reply.body.data
  assert.deepEqual([version, servedVersion, status, reply.body.data.sha256], [2, 1, 'queued', sha256])
  assert.deepEqual(await versionsFound(app, 'quokka'), [[id, 1]])
  app.app.services.worker.start()
  await eventually('it is ready', async () => (await documentOf(app, id)).status === 'ready')
  assert.deepEqual(await versionsFound(app, 'quokka'), [[id, 2]])
  await untilNoJobs(app)
  const versions = await app.request('GET', `/knowledge/documents/${id}/versions`)
  assert.deepEqual(
    versions.body.data.map((one: { version: number; isServed: boolean }) => [one.version, one.isServed]),
    [
      [2, true],
      [1, false],
    ],
  )
  const original = await app.request('GET', `/knowledge/documents/${id}/original`, {
    query: { version: '1' },
  })
  assert.equal(original.status, 200)
})

test('a document that is under way is not read again: one reading is enough', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId, content: 'A word: bilby.' })
  await app.app.services.worker.drain(5_000)
  const replies = await Promise.all([reprocess(id), reprocess(id)])
  assert.deepEqual(replies.map(reply => reply.status).sort(), [202, 409])
  const refused = replies.find(reply => reply.status === 409)
  assert.match(refused?.body.message, /is queued: wait until it is ready or failed/)
  app.app.services.worker.start()
  await eventually('it is ready', async () => (await documentOf(app, id)).status === 'ready')
  assert.equal((await documentOf(app, id)).version, 2)
})

test('only the document that was seen is read again, and only by who may write it', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId, content: 'A word: dunnart.' })
  assert.equal((await reprocess(id, { headers: { 'if-match': '"0"' } })).status, 412)
  assert.equal((await reprocess(id, { key: app.testKey })).status, 404)
  assert.equal((await reprocess('doc_00000000000000000000000000')).status, 404)
  assert.equal((await documentOf(app, id)).version, 1)
})

test('a document whose file is gone keeps the version that is served', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId, content: 'A word: numbat.' })
  const { database, blobs } = app.dependencies
  const { blob_id } = await database.read
    .selectFrom('documents')
    .select('blob_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await rm(await blobs.localPath(blob_id))
  assert.equal((await reprocess(id)).status, 404)
  assert.deepEqual(await versionsFound(app, 'numbat'), [[id, 1]])
  assert.deepEqual([(await documentOf(app, id)).version, (await documentOf(app, id)).status], [1, 'ready'])
})
