/** The chunks of a document, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { keepKnowledge } from '../../../testing/apps/team-access.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
type Read = any

const chunksOf = (id: string, query: Record<string, string | number> = {}, key: TestKey = app.liveKey) =>
  app.request('GET', `/knowledge/documents/${id}/chunks`, { key, query })

const section = (name: string) => `## ${name}\n\n${`About ${name} there is this to say. `.repeat(60)}\n\n`
const handbook = `# Handbook\n\n${['Leave', 'Travel', 'Süden 🐘', 'Pay'].map(section).join('')}`

const uploadHandbook = (content = handbook) =>
  uploadAndWait(app, { collectionId, name: 'handbook.md', content, key: app.liveKey })

test('the chunks come in the order of the text, and each stands where it says', async () => {
  const { id } = await uploadHandbook()
  const { status, body } = await chunksOf(id, { pageSize: 100 })
  assert.equal(status, 200, JSON.stringify(body))
  const { chunkCount } = (await app.request('GET', `/knowledge/documents/${id}`)).body.data
  assert.deepEqual([body.data.length, body.meta.total], [chunkCount, chunkCount])
  assert.ok(chunkCount > 3)
  const text = Array.from((await app.request('GET', `/knowledge/documents/${id}/content`)).body.data.text)
  for (const [position, chunk] of body.data.entries()) {
    const { startOffset, endOffset, page } = chunk.location
    assert.equal(text.slice(startOffset, endOffset).join(''), chunk.text)
    assert.deepEqual([chunk.position, chunk.documentId, chunk.documentVersion], [position, id, 1])
    assert.equal(page, null)
  }
  assert.ok(body.data.some(({ headings }: Read) => headings.join() === 'Handbook,Süden 🐘'))
  const [hit] = (await app.request('GET', '/knowledge/search', { query: { query: 'Travel', collectionId } }))
    .body.data
  const found = body.data.find((chunk: Read) => chunk.id === hit.chunkId)
  assert.ok(hit.location.startOffset <= found.location.startOffset)

  const walked: Read[] = []
  for (let query: Record<string, string | number> = { pageSize: 2 }; ; ) {
    const { data, meta } = (await chunksOf(id, query)).body
    assert.equal(meta.total, chunkCount)
    if (data.length === 0) break
    walked.push(...data)
    query = { pageSize: 2, after: data.at(-1).id }
  }
  assert.deepEqual(walked, body.data)
  assert.deepEqual((await chunksOf(id, { pageSize: 2, page: 2 })).body.data, body.data.slice(2, 4))
})

test('each kept version has its chunks, and a cursor stays in one version', async () => {
  const target = `/knowledge/collections/${collectionId}/documents/versioned`
  const put = async (text: string) => {
    const headers = { prefer: 'wait=30' }
    const reply = await app.request('PUT', target, { body: { text, name: 'note.md' }, headers })
    assert.equal(reply.body.data.status, 'ready', JSON.stringify(reply.body))
    return reply.body.data.id
  }
  const id = await put('The first text.')
  const [first] = (await chunksOf(id)).body.data
  await put('The second text.')
  const textOf = async (query = {}) => (await chunksOf(id, query)).body.data.map(({ text }: Read) => text)
  assert.deepEqual(await textOf(), ['The second text.'])
  assert.deepEqual(await textOf({ version: 1 }), ['The first text.'])
  const crossed = await chunksOf(id, { after: first.id })
  assert.deepEqual([crossed.status, crossed.body.errors[0].field], [400, 'after'])
  const unknown = await chunksOf(id, { version: 7 })
  assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'version'])
})

test('a document without text answers as the read of its text does', async () => {
  const content = Buffer.from('%PDF-1.7\nbroken').toString()
  const form = new FormData()
  form.set('collectionId', collectionId)
  form.set('file', new File([content], 'broken.pdf'))
  const headers = { prefer: 'wait=30' }
  const { id } = (await app.request('POST', '/knowledge/documents', { form, headers })).body.data
  const chunks = await chunksOf(id)
  const text = await app.request('GET', `/knowledge/documents/${id}/content`)
  assert.equal(chunks.body.code, 'version_without_text')
  assert.deepEqual([chunks.status, chunks.body.message], [text.status, text.body.message])
})

test('the chunks of a document that the caller does not reach are the 404 of no document', async () => {
  const { kept, insider, outsider } = await keepKnowledge(app)
  assert.equal((await chunksOf(kept.documentId, {}, insider.key)).status, 200)
  const unknownId = 'doc_01kajz4v7qf3x8m2c9t5b6n0rw'
  const nowhere = await chunksOf(unknownId)
  const narrowed = await app.createKey({ collectionIds: [collectionId] })
  for (const key of [outsider.key, narrowed]) {
    const { status, body } = await chunksOf(kept.documentId, {}, key)
    const expected = nowhere.body.message.replace(unknownId, kept.documentId)
    assert.deepEqual([status, body.message], [404, expected])
  }
  const inSandbox = await chunksOf(kept.documentId, {}, app.testKey)
  assert.equal(inSandbox.status, 404)
  const [chunk] = (await chunksOf(kept.documentId)).body.data
  const { id } = await uploadHandbook('Another text.')
  const foreign = await chunksOf(id, { after: chunk.id }, narrowed)
  assert.deepEqual([foreign.status, foreign.body.errors[0].field], [400, 'after'])
})
