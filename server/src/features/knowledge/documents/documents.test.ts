import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  createCollection,
  put,
  putAndWait,
  search,
  upload,
  uploadAndWait,
} from '../../../testing/knowledge/knowledge.ts'
import { docxOf, docxParagraph, pdfOf } from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import type { SearchHit } from '../search/search-schemas.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

test('an uploaded document passes from queued to ready and is found by the very next request', async () => {
  const uploaded = await upload(app, {
    collectionId,
    name: 'leave.md',
    content: '# Leave\n\nEverybody has 28 days of paid vacation a year.',
    fields: { externalId: 'wiki/1', metadata: '{"department":"people"}' },
  })
  assert.equal(uploaded.status, 201)
  const { id, status } = uploaded.body.data
  assert.equal(status, 'queued')
  assert.equal(uploaded.headers.location, `/api/v1/knowledge/documents/${id}`)
  const settled = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=30' } })
  const { data } = settled.body
  assert.equal(data.status, 'ready')
  assert.equal(data.progress, 1)
  assert.equal(data.title, 'Leave')
  assert.equal(data.mediaType, 'text/markdown')
  assert.equal(data.version, 1)
  assert.equal(data.externalId, 'wiki/1')
  assert.deepEqual(data.metadata, { department: 'people' })
  assert.equal(data.error, null)
  const [hit] = await search(app, 'paid vacation')
  assert.equal(hit.documentId, id)
  assert.equal(hit.externalId, 'wiki/1')
  assert.equal(hit.documentVersion, 1)
  assert.deepEqual(hit.metadata, { department: 'people' })
})

test('Prefer: respond-async answers an upload at once, whatever wait stands beside it', async () => {
  const headers = { prefer: 'respond-async, wait=30' }
  const reply = await upload(app, { collectionId, content: 'No hurry.', headers })
  assert.equal(reply.body.data.status, 'queued')
})

test('every format is read to text, with the pages of a PDF', async () => {
  const files: Record<string, string | Buffer> = {
    'a.txt': 'quokka in plain text',
    'a.md': '# Title\n\nquokka in *Markdown*',
    'a.html': '<html><body><p>quokka in <b>HTML</b></body></html>',
    'a.csv': 'animal,place\nquokka,Rottnest',
    'a.pdf': pdfOf('First page', 'quokka on the second page'),
    'a.docx': docxOf(docxParagraph('quokka in Word')),
  }
  const own = await createCollection(app)
  for (const [name, content] of Object.entries(files)) {
    const { status, error } = await uploadAndWait(app, { collectionId: own, name, content })
    assert.equal(status, 'ready', `${name}: ${JSON.stringify(error)}`)
  }
  const reply = await app.request('GET', '/knowledge/search', {
    query: { q: 'quokka', collectionId: own, pageSize: 50 },
  })
  assert.equal(reply.body.meta.total, 6)
  assert.ok(reply.body.data.some((hit: SearchHit) => hit.location.page === 2))
})

test('the text of a result stands in the content at its offsets, whatever the characters', async () => {
  const text = Array.from({ length: 200 }, (_, i) => `Line ${i}: 😀 𝒳 e\u0301 漢字 wombat${i}.`).join('\n\n')
  const { id } = await uploadAndWait(app, { collectionId, content: text })
  const [hit] = await search(app, 'wombat150')
  const { startOffset, endOffset } = hit.location
  const content = await app.request('GET', `/knowledge/documents/${id}/content`, {
    query: { from: startOffset, to: endOffset },
  })
  assert.equal(content.body.data.text, hit.text)
  assert.equal(content.body.data.length, Array.from(text).length)
  const all = await app.request('GET', `/knowledge/documents/${id}/content`)
  assert.equal(all.body.data.text, text)
  for (const [from, to] of [
    [0, 1],
    [9, 10],
    [777, 778],
    [1_000, 3_000],
    [5_000, 5_000],
  ] as const) {
    const part = await app.request('GET', `/knowledge/documents/${id}/content`, { query: { from, to } })
    assert.equal(part.body.data.text, Array.from(text).slice(from, to).join(''))
  }
})

test('content behind the end is empty, and a range that runs backwards is refused', async () => {
  const { id } = await uploadAndWait(app, { collectionId, content: 'Short.' })
  const behind = await app.request('GET', `/knowledge/documents/${id}/content`, { query: { from: 100 } })
  assert.deepEqual([behind.status, behind.body.data.text], [200, ''])
  const backwards = await app.request('GET', `/knowledge/documents/${id}/content`, {
    query: { from: 4, to: 2 },
  })
  assert.equal(backwards.status, 400)
  assert.equal(backwards.body.errors[0].field, 'to')
})

test('the original comes back byte for byte, as a download that no browser runs', async () => {
  const name = 'Prüfung (2026).html'
  const content = '<script>alert(1)</script><h1>Prüfung</h1>'
  const { id, sizeBytes } = await uploadAndWait(app, { collectionId, name, content })
  assert.equal(sizeBytes, Buffer.byteLength(content))
  const address = `/api/v1/knowledge/documents/${id}/original`
  const reply = await app.app.server.inject({
    url: address,
    headers: { authorization: `Bearer ${app.liveKey.key}` },
  })
  assert.equal(reply.statusCode, 200)
  assert.equal(reply.body, content)
  assert.equal(reply.headers['x-content-type-options'], 'nosniff')
  const disposition = String(reply.headers['content-disposition'])
  assert.match(disposition, /^attachment; /)
  assert.ok(disposition.includes("filename*=UTF-8''Pr%C3%BCfung%20%282026%29.html"))
  assert.ok(!/[^\x20-\x7e]/.test(disposition))
})

test('documents are listed newest first, filtered by collection, status and external id', async () => {
  const own = await createCollection(app)
  const first = await uploadAndWait(app, { collectionId: own, fields: { externalId: 'x-1' } })
  const broken = await uploadAndWait(app, { collectionId: own, name: 'a.pdf', content: pdfOf('') })
  const listOf = async (query: Record<string, string>): Promise<string[]> => {
    const reply = await app.request('GET', '/knowledge/documents', { query: { collectionId: own, ...query } })
    assert.equal(reply.body.meta.total, reply.body.data.length)
    return reply.body.data.map((document: { id: string }) => document.id)
  }
  assert.deepEqual(await listOf({}), [broken.id, first.id])
  assert.deepEqual(await listOf({ status: 'failed' }), [broken.id])
  assert.deepEqual(await listOf({ externalId: 'x-1' }), [first.id])
  assert.deepEqual(await listOf({ externalId: 'x-2' }), [])
  const wrong = await app.request('GET', '/knowledge/documents', { query: { status: 'done' } })
  assert.equal(wrong.body.errors[0].field, 'status')
})

test('the counts of a collection follow its documents', async () => {
  const own = await createCollection(app)
  const counts = async (): Promise<number[]> => {
    const { data } = (await app.request('GET', `/knowledge/collections/${own}`)).body
    return [data.documentCount, data.chunkCount, data.sizeBytes]
  }
  const { id } = await uploadAndWait(app, { collectionId: own, content: '12345' })
  assert.deepEqual(await counts(), [1, 1, 5])
  await uploadAndWait(app, { collectionId: own, name: 'scan.pdf', content: pdfOf('') })
  assert.deepEqual((await counts()).slice(0, 2), [2, 1])
  await app.request('DELETE', `/knowledge/documents/${id}`)
  assert.deepEqual((await counts()).slice(0, 2), [1, 0])
})

test('a deleted document is gone from the reply on: not found, not listed, not searched, and its id is free', async () => {
  const own = await createCollection(app)
  const fields = { externalId: 'again' }
  const { id } = await uploadAndWait(app, { collectionId: own, content: 'platypus', fields })
  const dry = await app.request('DELETE', `/knowledge/documents/${id}?dryRun=true`)
  assert.deepEqual(dry.body.data.effects, [{ effect: 'deleted', resource: 'document', count: 1, ids: [id] }])
  assert.equal((await search(app, 'platypus')).length, 1)
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
  for (const path of ['', '/content', '/original']) {
    assert.equal((await app.request('GET', `/knowledge/documents/${id}${path}`)).status, 404)
  }
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 404)
  assert.deepEqual(await search(app, 'platypus'), [])
  const again = await uploadAndWait(app, { collectionId: own, content: 'platypus', fields })
  assert.equal((await search(app, 'platypus'))[0].documentId, again.id)
})

test('If-Match with another ETag keeps a document from being deleted', async () => {
  const { id } = await uploadAndWait(app, { collectionId })
  const stale = await app.request('DELETE', `/knowledge/documents/${id}`, {
    headers: { 'if-match': '"old"' },
  })
  assert.equal(stale.status, 412)
  const { headers } = await app.request('GET', `/knowledge/documents/${id}`)
  const fresh = { 'if-match': String(headers.etag) }
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`, { headers: fresh })).status, 204)
})

const wait = (seconds: number) => ({ headers: { prefer: `wait=${seconds}` } })

test('bringing a version back and reading a document again wait for the new version where that is preferred', async () => {
  const target = { collectionId, externalId: 'waiting' }
  const { id } = await putAndWait(app, { ...target, content: 'The first gharial.' })
  await putAndWait(app, { ...target, content: 'The second gharial.' })
  const restored = await app.request('POST', `/knowledge/documents/${id}/versions/1/restore`, wait(30))
  const { status, version, servedVersion } = restored.body.data
  assert.deepEqual([restored.status, status, version, servedVersion], [201, 'ready', 3, 3])
  const again = await app.request('POST', `/knowledge/documents/${id}/reprocess`, wait(30))
  assert.deepEqual([again.status, again.body.data.status, again.body.data.servedVersion], [202, 'ready', 4])
  const hasty = await app.request('POST', `/knowledge/documents/${id}/reprocess`, {
    headers: { prefer: 'wait=30, respond-async' },
  })
  assert.deepEqual([hasty.status, hasty.body.data.servedVersion], [202, 4])
})

test('a request that waits while no worker runs is answered in the end with the document as it stands', async () => {
  await app.app.services.worker.drain(10_000)
  const present = await upload(app, { collectionId })
  const path = `/knowledge/documents/${present.body.data.id}`
  const order: string[] = []
  const note =
    (name: string) =>
    <T>(reply: T): T => {
      order.push(name)
      return reply
    }
  const [uploaded, written, read] = await Promise.all([
    upload(app, { collectionId, ...wait(1) }).then(note('waited')),
    put(app, { collectionId, externalId: 'unknown', ...wait(1) }).then(note('waited')),
    app.request('GET', path, wait(1)).then(note('waited')),
    app.request('GET', path).then(note('did not wait')),
  ])
  assert.deepEqual([uploaded.status, uploaded.body.data.status], [201, 'queued'])
  assert.deepEqual([written.status, written.body.data.status], [201, 'queued'])
  assert.deepEqual([read.status, read.body.data.status], [200, 'queued'])
  assert.equal(order[0], 'did not wait')
})
