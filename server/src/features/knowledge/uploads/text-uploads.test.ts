/** Documents that come as a text in a JSON body, and changes by external id. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createCollection, search, upload } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'uploadMb=1' } })
  collectionId = await createCollection(app)
})
after(() => app.close())

const fieldsIn = (reply: TestReply): string[] =>
  reply.body.errors.map((error: { field: string }) => error.field)

const create = (body: unknown, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.request('POST', '/knowledge/documents/from-text', { body, headers })

const pathOf = (externalId: string, collection = collectionId): string =>
  `/knowledge/collections/${collection}/documents/${encodeURIComponent(externalId)}`

const put = (externalId: string, body: unknown, headers: Record<string, string> = {}): Promise<TestReply> =>
  app.request('PUT', `${pathOf(externalId)}/text`, { body, headers })

test('a text sent as JSON becomes a document that is found, with its title as its name', async () => {
  const text = '# Leave\n\nEverybody has 28 days of pelican leave a year.\n'
  const body = { collectionId, title: 'Leave', text, metadata: { department: 'people' } }
  const reply = await create(body, { prefer: 'wait=30' })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  const { id, name, title, status, sha256, metadata } = reply.body.data
  assert.deepEqual([name, title, status, metadata], ['Leave', 'Leave', 'ready', { department: 'people' }])
  assert.equal(sha256, createHash('sha256').update(text).digest('hex'))
  assert.deepEqual(
    (await search(app, 'pelican')).map(hit => hit.documentId),
    [id],
  )
})

test('a text as JSON at the path of files is still taken, and the reply names the path for texts', async () => {
  const body = { collectionId, text: 'Bicycles are lent for a week.' }
  const made = await app.request('POST', '/knowledge/documents', { body })
  const put = await app.request('PUT', pathOf('wiki/bicycles'), { body: { text: body.text } })
  assert.deepEqual([made.status, put.status], [201, 201])
  for (const [{ headers }, path] of [
    [made, '/api/v1/knowledge/documents/from-text'],
    [put, `/api/v1${pathOf('wiki/bicycles')}/text`],
  ] as const) {
    assert.match(String(headers.deprecation), /^@\d+$/)
    assert.equal(headers.link, `<${path}>; rel="successor-version"`)
  }
  const current = await create({ ...body, title: 'Bicycles' })
  assert.deepEqual([current.status, current.headers.deprecation], [201, undefined])
})

test('the ending of `name` tells the format of a text', async () => {
  const body = { collectionId, text: '<p>A page.</p>', name: 'folder/page.html' }
  const { data } = (await create(body, { prefer: 'wait=30' })).body
  assert.deepEqual([data.name, data.mediaType], ['page.html', 'text/html'])
})

test('the same text under an external id is no new version, whether it comes as JSON or as a file', async () => {
  const text = 'Trains are paid for in second class.'
  const made = await put('wiki/travel', { title: 'Travel', text })
  assert.deepEqual([made.status, made.body.data.version, made.body.data.name], [201, 1, 'Travel'])
  const again = await put('wiki/travel', { text })
  assert.deepEqual([again.status, again.body.data.version], [200, 1])
  assert.deepEqual([again.body.data.title, again.body.data.name], ['Travel', 'Travel'])
  const form = new FormData()
  form.append('file', new Blob([text]), 'travel.txt')
  const asFile = await app.request('PUT', pathOf('wiki/travel'), { form })
  assert.deepEqual([asFile.status, asFile.body.data.version, asFile.body.data.name], [200, 1, 'travel.txt'])
  const changed = await put('wiki/travel', { text: `${text} Flights are not.` }, { prefer: 'wait=30' })
  assert.deepEqual([changed.status, changed.body.data.version, changed.body.data.title], [200, 2, 'Travel'])
  const exists = await put('wiki/travel', { text }, { 'if-none-match': '*' })
  assert.equal(exists.status, 412)
})

test('every fault of a JSON upload is named at once', async () => {
  assert.deepEqual(fieldsIn(await create({})), ['collectionId', 'text'])
  const faulty = { collectionId, text: '', title: '', metadata: [], content: 'x' }
  assert.deepEqual(fieldsIn(await create(faulty)).sort(), ['content', 'metadata', 'text', 'title'])
  assert.deepEqual(fieldsIn(await create({ collectionId, text: 'a\0' })), ['text'])
  assert.deepEqual(fieldsIn(await create({ collectionId, text: 'a', name: '../a' })), ['name'])
  assert.deepEqual(fieldsIn(await create({ collectionId: 'col_0', text: 'a' })), ['collectionId'])
  assert.deepEqual(fieldsIn(await put('a', {})), ['text'])
  const broken = await app.request('POST', '/knowledge/documents', {
    body: '{"text"',
    headers: { 'content-type': 'application/json' },
  })
  assert.deepEqual([broken.status, broken.body.code], [400, 'malformed_json'])
})

test('a text over the upload size is a 413, and a body of another type a 415 that names both types', async () => {
  const large = await create({ collectionId, text: 'a'.repeat(1_100_000) })
  assert.deepEqual([large.status, large.body.code], [413, 'payload_too_large'])
  const other = await app.request('POST', '/knowledge/documents', {
    body: 'A text.',
    headers: { 'content-type': 'text/plain' },
  })
  assert.equal(other.status, 415)
  assert.match(other.body.message, /multipart\/form-data or application\/json/)
})

test('a JSON upload repeated with its Idempotency-Key is carried out once; with another text it is a 422', async () => {
  const headers = { 'idempotency-key': 'text-1' }
  const first = await create({ collectionId, text: 'Once.' }, headers)
  const again = await create({ text: 'Once.', collectionId }, headers)
  assert.equal(again.body.data.id, first.body.data.id)
  assert.equal((await create({ collectionId, text: 'Twice.' }, headers)).status, 422)
})

test('title, metadata and external id of a document are changed by its external id', async () => {
  const { id } = (await put('wiki/a', { text: 'A.' })).body.data
  const patched = await app.request('PATCH', pathOf('wiki/a'), {
    body: { title: 'New', metadata: { year: 2027 }, externalId: 'wiki/b' },
  })
  const { data } = patched.body
  assert.deepEqual([patched.status, data.id, data.title, data.externalId], [200, id, 'New', 'wiki/b'])
  assert.deepEqual([data.version, data.metadata], [1, { year: 2027 }])
  const gone = await app.request('PATCH', pathOf('wiki/a'), { body: { title: 'Again' } })
  assert.equal(gone.status, 404)
  const etag = '"of-before.1"'
  const stale = await app.request('PATCH', pathOf('wiki/b'), {
    body: { title: 'Again' },
    headers: { 'if-match': etag },
  })
  assert.equal(stale.status, 412)
  const foreign = await app.createKey({ collectionIds: [await createCollection(app)] })
  const unseen = await app.request('PATCH', pathOf('wiki/b'), { key: foreign, body: { title: 'Mine' } })
  assert.equal(unseen.status, 404)
  assert.equal((await upload(app, { collectionId, fields: { externalId: 'wiki/b' } })).status, 409)
})
