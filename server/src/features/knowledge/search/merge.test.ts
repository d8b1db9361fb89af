/** What becomes of several chunks of one document: a few of them, and neighbours as one. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary } from '../../../testing/knowledge/indexed-documents.ts'

async function start(t: TestContext) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  return { library, scope, collectionId: await library.createCollection(scope) }
}

test('of one document at most three chunks are shown unless more are asked for, and the total counts what is shown', async t => {
  const { library, scope, collectionId } = await start(t)
  // Every other chunk is about something else, so that none are neighbours.
  const chunks = Array.from({ length: 20 }, (_, i) => (i % 2 === 0 ? `heron number ${i}` : `stork ${i}`))
  await library.add(scope, { collectionId, chunks })
  const { id } = await library.add(scope, { collectionId, chunks: ['one more heron'] })
  const found = await library.find(scope, 'heron')
  assert.equal(found.total, 4)
  assert.equal(found.results.filter(result => result.documentId !== id).length, 3)
  const more = await library.search(scope, { query: 'heron', limit: 50, perDocument: 7 })
  assert.equal(more.total, 8)
})

test('chunks that follow each other are one result, with the words of the document between them', async t => {
  const { library, scope, collectionId } = await start(t)
  const chunks = ['A heron waits.', 'It is a grey heron.', 'Nothing here.', 'A heron 🦆 flies.']
  const { chunkIds } = await library.add(scope, { collectionId, chunks })
  const { total, results } = await library.find(scope, 'grey heron')
  assert.equal(total, 2)
  const [merged, alone] = results
  assert.equal(merged?.chunkId, chunkIds[1])
  assert.equal(merged?.text, 'A heron waits.It is a grey heron.')
  assert.deepEqual([merged?.startOffset, merged?.endOffset], [0, 33])
  assert.deepEqual(
    merged?.highlights.map(({ startOffset, endOffset }) => merged.text.slice(startOffset, endOffset)),
    ['heron', 'grey', 'heron'],
  )
  assert.deepEqual([alone?.text, alone?.startOffset, alone?.endOffset], [chunks[3], 46, 62])
})
