import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, collectionOf, find, startVectorApp, testModel } from '../../../testing/apps/vector-app.ts'
import { exportOf, importInto } from '../../../testing/knowledge/archives.ts'

test('vectors are imported: search by meaning works at once, and no text is embedded again', async t => {
  const { app: here, collectionId } = await startVectorApp(t)
  const texts = [
    'Microscopes are cleaned every week.',
    'The canteen opens at noon.',
    'Storks and other birds.',
  ]
  for (const [i, text] of texts.entries()) await add(here, collectionId, text, `${i}.txt`)
  const archive = await exportOf(here, collectionId)

  const { app: elsewhere, server, collectionId: known } = await startVectorApp(t)
  // The server knows the model from a collection that it has had before.
  await add(elsewhere, known, 'Something else.')
  const before = server.vectorRequests.length
  const done = await importInto(elsewhere, archive)
  assert.ok(done.collectionId !== null, JSON.stringify(done.error))
  assert.equal(server.vectorRequests.length, before, 'no text was embedded')
  const collection = await collectionOf(elsewhere, done.collectionId)
  assert.deepEqual([collection.embedding, collection.embeddingUpdate], [testModel, null])

  for (const query of ['biomicroscopical', 'storklike', 'cantina']) {
    const plain = (hits: Record<string, unknown>[]) => hits.map(({ text, score }) => ({ text, score }))
    const asked = { query, mode: 'vector' }
    const expected = plain(await find(here, { ...asked, collectionId: [collectionId] }))
    assert.equal(expected.length, 3)
    assert.deepEqual(plain(await find(elsewhere, { ...asked, collectionId: [done.collectionId] })), expected)
  }
})

test('in the test environment an imported collection is not found by a model that has to be paid', async t => {
  const { app, server, collectionId } = await startVectorApp(t)
  await add(app, collectionId, 'Microscopes are cleaned every week.')
  const done = await importInto(app, await exportOf(app, collectionId), app.testKey)
  assert.ok(done.collectionId !== null, JSON.stringify(done.error))
  const before = server.vectorRequests.length
  const [hit] = await find(app, { query: 'clean microscopes' }, app.testKey)
  assert.equal(hit.collectionId, done.collectionId)
  assert.equal(
    server.vectorRequests.length,
    before,
    'no query was embedded by the model of the live environment',
  )
})
