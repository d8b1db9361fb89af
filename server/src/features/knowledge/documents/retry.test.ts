import assert from 'node:assert/strict'
import { rename } from 'node:fs/promises'
import { after, before, test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, search, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const retry = (id: string, key?: TestKey) =>
  app.request('POST', `/knowledge/documents/${id}/retry`, key === undefined ? {} : { key })

const retryAll = (body: unknown, options: { dryRun?: boolean; key?: TestKey } = {}) =>
  app.request(
    'POST',
    '/knowledge/documents/retry',
    withoutUndefined({
      body,
      query: options.dryRun ? { dryRun: 'true' } : undefined,
      key: options.key ? options.key : undefined,
    }),
  )

const statusOf = async (id: string): Promise<string> =>
  (await app.request('GET', `/knowledge/documents/${id}`)).body.data.status

/** A document whose file went missing before it was read; `putBack` restores the file. */
async function failedDocument(collectionId: string, word: string) {
  const { database, blobs } = app.dependencies
  await app.app.services.worker.drain(5_000)
  const { id } = (await upload(app, { collectionId, content: `A word: ${word}.` })).body.data
  const { blob_id } = await database.read
    .selectFrom('documents')
    .select('blob_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  const path = await blobs.localPath(blob_id)
  await rename(path, `${path}.away`)
  app.app.services.worker.start()
  await eventually('it failed', async () => (await statusOf(id)) === 'failed')
  return { id, putBack: () => rename(`${path}.away`, path) }
}

test('a retried document is ready once its fault is fixed, and search returns it once', async () => {
  const collectionId = await createCollection(app)
  const { id, putBack } = await failedDocument(collectionId, 'numbat')
  assert.equal((await retry(id)).status, 202)
  await eventually('it failed again', async () => (await statusOf(id)) === 'failed')
  await putBack()
  const reply = await retry(id)
  assert.equal(reply.status, 202)
  assert.equal(reply.headers.location, `/api/v1/knowledge/documents/${id}`)
  assert.deepEqual([reply.body.data.status, reply.body.data.error], ['queued', null])
  await eventually('it is ready', async () => (await statusOf(id)) === 'ready')
  assert.deepEqual(
    (await search(app, 'numbat')).map(hit => hit.documentId),
    [id],
  )
})

test('a document that has not failed is not tried again', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId })
  const reply = await retry(id)
  assert.deepEqual([reply.status, reply.body.code], [409, 'document_not_failed'])
  assert.match(reply.body.message, /ready/)
})

test('all failed documents of a collection are tried again, and a dry run tells how many', async () => {
  const collectionId = await createCollection(app)
  const other = await createCollection(app)
  const documents = [
    await failedDocument(collectionId, 'quokka1'),
    await failedDocument(collectionId, 'quokka2'),
  ]
  const elsewhere = await failedDocument(other, 'quokka3')
  const body = { collectionId, errorCodes: ['file_missing'] }
  const dry = await retryAll(body, { dryRun: true })
  const ids = documents.map(({ id }) => id)
  assert.deepEqual(dry.body.data.effects, [{ effect: 'queued', resource: 'document', count: 2, ids }])
  assert.equal(await statusOf(documents[0]?.id ?? ''), 'failed')
  for (const { putBack } of [...documents, elsewhere]) await putBack()
  assert.equal((await retryAll({ collectionId, errorCodes: ['no_text'] })).body.data.documentCount, 0)
  const reply = await retryAll(body)
  assert.deepEqual([reply.status, reply.body.data], [202, { documentCount: 2 }])
  for (const { id } of documents)
    await eventually('it is ready', async () => (await statusOf(id)) === 'ready')
  assert.equal(await statusOf(elsewhere.id), 'failed')
})

test('a narrowed key, another workspace and the sandbox try nothing again that is not theirs', async () => {
  const collectionId = await createCollection(app)
  const own = await createCollection(app)
  const { id, putBack } = await failedDocument(collectionId, 'bilby')
  await putBack()
  const narrowed = await app.createKey({ collectionIds: [own] })
  const { workspaceId, ownerId } = await app.createWorkspace()
  const neighbour = await app.createKey({ workspaceId, userId: ownerId })
  for (const key of [narrowed, neighbour, app.testKey]) {
    assert.equal((await retry(id, key)).status, 404)
    assert.equal((await retryAll({}, { key })).body.data.documentCount, 0)
    const named = await retryAll({ collectionId }, { key })
    assert.deepEqual([named.status, named.body.errors[0].field], [400, 'collectionId'])
  }
  assert.equal(await statusOf(id), 'failed')
  const viewer = await app.createKey({ role: 'viewer' })
  assert.equal((await retry(id, viewer)).status, 403)
})

test('an error code that does not exist is refused by name', async () => {
  const reply = await retryAll({ errorCodes: ['no_such_code'] })
  assert.equal(reply.status, 400)
  assert.equal(reply.body.errors[0].field, 'errorCodes.0')
})
