import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { exportOf, importInto, putDocument } from '../../../testing/knowledge/archives.ts'
import { createCollection, longText, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { docxOf, docxParagraph, pdfOf } from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { createIndexWriter } from '../search/index/index-writer.ts'

let here: TestApp
let elsewhere: TestApp

before(async () => {
  ;[here, elsewhere] = await Promise.all([startTestApp(), startTestApp()])
})
after(() => Promise.all([here.close(), elsewhere.close()]))

test('a collection that is exported and imported elsewhere answers every search alike, and has all that it had', async () => {
  const collectionId = await fill(here)
  const archive = await exportOf(here, collectionId)
  const done = await importInto(elsewhere, archive)
  assert.equal(done.status, 'succeeded', JSON.stringify(done.error))
  assert.notEqual(done.collectionId, collectionId)
  const before = await everything(here, collectionId)
  assert.ok(done.collectionId !== null)
  assert.ok(before.searches.every(found => found.length > 0))
  assert.deepEqual(await everything(elsewhere, done.collectionId), before)
  assert.equal(before.collection.documentCount, done.documentCount)
})

test('an import into the same workspace makes a second collection, with new ids and the external ids that it had', async () => {
  const collectionId = await createCollection(here, undefined, 'Twice')
  await putDocument(here, collectionId, {
    externalId: 'a',
    content: 'A lone cormorant.',
    name: 'a.txt',
    metadata: {},
  })
  const done = await importInto(here, await exportOf(here, collectionId), here.liveKey, 'Twice, again')
  assert.ok(done.collectionId !== null)
  const reply = await here.request('GET', '/knowledge/search', { query: { query: 'cormorant' } })
  const [one, other] = reply.body.data
  assert.equal(reply.body.data.length, 2)
  assert.deepEqual(
    [one.externalId, other.externalId, one.text, one.score],
    ['a', 'a', other.text, other.score],
  )
  assert.notEqual(one.documentId, other.documentId)
  const named = await here.request('GET', `/knowledge/collections/${done.collectionId}`)
  assert.deepEqual([named.body.data.name, named.body.data.documentCount], ['Twice, again', 1])
  // It is a collection like any other: a new version takes the place of the imported one.
  await putDocument(here, done.collectionId, {
    externalId: 'a',
    content: 'Two cormorants.',
    name: 'a.txt',
    metadata: {},
  })
})

test('a document that is being indexed again, or could not be, is imported with its whole text and found', async () => {
  const { database } = here.dependencies
  const writer = createIndexWriter(database)
  const scope = { workspaceId: here.workspaceId, environment: 'live' } as const
  const failed = { status: 'failed', error_code: 'processing_failed', error_message: 'It failed.' } as const
  for (const [name, state] of Object.entries({ again: { status: 'indexing' } as const, failed })) {
    const collectionId = await createCollection(here, undefined, name)
    const { id } = await uploadAndWait(here, { collectionId, content: longText('a storm', 40) })
    const before = await everything(here, collectionId)
    // What the job that indexes it again leaves between two slices.
    await database.write(async tx => {
      await tx.updateTable('documents').set(state).where('id', '=', id).execute()
      assert.ok((await writer.removeDocument(scope, tx, id)) > 0)
      await writer.publishVersion(scope, tx, id, 1)
    })
    const done = await importInto(elsewhere, await exportOf(here, collectionId))
    assert.equal(done.status, 'succeeded', JSON.stringify(done.error))
    const after = await everything(elsewhere, done.collectionId ?? '')
    assert.deepEqual(after.documents, before.documents)
    assert.ok(before.searches.flat().length > 0)
    assert.deepEqual(textsOf(after.searches), textsOf(before.searches))
  }
})

test('a HEAD request for an export makes no archive', async () => {
  const collectionId = await createCollection(here, undefined, 'Heads')
  const url = `/api/v1/knowledge/collections/${collectionId}/export`
  const headers = { authorization: `Bearer ${here.liveKey.key}` }
  await putDocument(here, collectionId, {
    externalId: 'a',
    content: Buffer.alloc(3_000_000, 'A lone cormorant. '),
    name: 'a.txt',
    metadata: {},
  })
  const opened: string[] = []
  const { blobs } = here.dependencies
  const open = blobs.open
  blobs.open = (id, range) => {
    opened.push(id)
    return open(id, range)
  }
  // More than may be in progress at once.
  for (let i = 0; i < 6; i++) {
    const { statusCode } = await here.app.server.inject({ method: 'HEAD', url, headers })
    assert.equal(statusCode, 200)
  }
  blobs.open = open
  assert.deepEqual(opened, [])
})

test('of five exports that are asked for at once three are made, and a later one is', async () => {
  const collectionId = await createCollection(here, undefined, 'Asked for at once')
  const file = { content: Buffer.from('A lone gannet.'), name: 'a.txt', metadata: {} }
  await putDocument(here, collectionId, { externalId: 'a', ...file })
  const url = `/api/v1/knowledge/collections/${collectionId}/export`
  const headers = { authorization: `Bearer ${here.liveKey.key}` }
  const ask = () => here.app.server.inject({ url, headers })
  const { blobs } = here.dependencies
  const open = blobs.open
  const gate = Promise.withResolvers<void>()
  blobs.open = async (id, range) => {
    await gate.promise
    return await open(id, range)
  }
  const replied: number[] = []
  const replies = Array.from({ length: 5 }, async () => replied.push((await ask()).statusCode))
  await eventually('two are refused while three are held', () => replied.length === 2)
  gate.resolve()
  await Promise.all(replies)
  blobs.open = open
  assert.deepEqual(replied, [409, 409, 200, 200, 200])
  assert.equal((await ask()).statusCode, 200)
})

const textsOf = (searches: { text: string }[][]): string[][] =>
  searches.map(hits => hits.map(({ text }) => text).sort())

const queries = ['harbour lamp', 'keeper of the lighthouse', 'storm', 'gleich', 'second page']

async function fill(app: TestApp): Promise<string> {
  const collectionId = await createCollection(app, undefined, 'Coast')
  const put = (externalId: string, content: string | Buffer, name: string, metadata: object) =>
    putDocument(app, collectionId, { externalId, content, name, metadata })
  await put('a', '# The lighthouse\n\nThe keeper lights the lamp at dusk.', 'lighthouse.md', {
    place: 1,
    tags: ['light'],
  })
  await put('b', '# The harbour\n\nThe lamp of the harbour.', 'harbour.md', { since: '2026-01-01' })
  await put('b', '# The harbour\n\nShips wait in the harbour for the keeper and the lamp.', 'harbour.md', {
    since: '2026-01-02',
  })
  await put('c', pdfOf('A storm came up', 'On the second page the storm went'), 'storm.pdf', { big: true })
  await put('d', docxOf(docxParagraph('A lamp for the harbour 🌊')), 'lamp.docx', {})
  await put(
    'e',
    `\n\n  ${Array.from({ length: 900 }, (_, i) => `Sentence ${i} of the keeper.`).join(' ')}\n\n`,
    'long.txt',
    {},
  )
  // Equal scores: only their order in the index and among the ids decides.
  for (let i = 0; i < 8; i++) await put(`same-${i}`, 'Alle gleich.', `gleich-${i}.txt`, {})
  const failed = await uploadAndWait(app, { collectionId, name: 'broken.pdf', content: '%PDF-1.4 broken' })
  assert.equal(failed.status, 'failed')
  return collectionId
}

/** All that can be read of a collection, but for ids. */
async function everything(app: TestApp, collectionId: string) {
  const get = async (path: string, query = {}) => {
    const reply = await app.request('GET', path, { query })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data
  }
  const { id: _id, ...collection } = await get(`/knowledge/collections/${collectionId}`)
  const listed = await get('/knowledge/documents', { collectionId, pageSize: 100 })
  const documents = []
  for (const { id, collectionId: _collection, duplicateOf, ...document } of listed) {
    const original = await app.app.server.inject({
      url: `/api/v1/knowledge/documents/${id}/original`,
      headers: { authorization: `Bearer ${app.liveKey.key}` },
    })
    const versions = await get(`/knowledge/documents/${id}/versions`)
    const content = document.status === 'ready' ? await get(`/knowledge/documents/${id}/content`) : null
    documents.push({
      ...document,
      isDuplicate: duplicateOf !== null,
      original: original.rawPayload.toString('base64'),
      versions: versions.map(({ documentId, ...version }: Record<string, unknown>) => version),
      text: content?.text,
    })
  }
  const searches = []
  for (const query of queries) {
    const hits = await get('/knowledge/search', { query, collectionId, pageSize: 50 })
    searches.push(hits.map(({ chunkId, documentId, collectionId, ...hit }: Record<string, unknown>) => hit))
  }
  return { collection, documents, searches }
}
