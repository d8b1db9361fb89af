import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import {
  collectionOf,
  createCollection,
  documentOf,
  put,
  putAndWait,
  untilNoJobs,
  uploadAndWait,
  versionsFound,
} from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_DOCUMENT_VERSIONS: '2', ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' },
  })
  collectionId = await createCollection(app)
})
after(() => app.close())

test('each kept version can be read and downloaded, an unknown one is refused by name, and the oldest are given up', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'history' }
  const texts = ['One fossa.', 'Two fossas!', 'Three fossas?', 'Four fossas…']
  let id = ''
  for (const content of texts) id = (await putAndWait(app, { ...target, content })).id
  await untilNoJobs(app)
  const { data, meta } = (await app.request('GET', `/knowledge/documents/${id}/versions`)).body
  assert.deepEqual(
    data.map(({ version, isServed, sha256 }: Record<string, unknown>) => [version, isServed, sha256]),
    [4, 3, 2].map(version => [version, version === 4, sha256Of(texts[version - 1] ?? '')]),
  )
  assert.equal(meta.total, 3)
  const address = `/knowledge/documents/${id}`
  for (const version of [2, 3, 4]) {
    const content = await app.request('GET', `${address}/content`, { query: { version } })
    assert.deepEqual([content.body.data.version, content.body.data.text], [version, texts[version - 1]])
    const original = await app.app.server.inject({
      url: `/api/v1${address}/original?version=${version}`,
      headers: { authorization: `Bearer ${app.liveKey.key}` },
    })
    assert.equal(original.body, texts[version - 1])
    assert.equal((await app.request('GET', `${address}/versions/${version}`)).body.data.version, version)
  }
  const gone = await app.request('GET', `${address}/content`, { query: { version: 1 } })
  assert.deepEqual([gone.status, gone.body.errors[0].field], [400, 'version'])
  for (const version of ['1', '9', '0', 'x', '1e3', '-1']) {
    assert.equal((await app.request('GET', `${address}/versions/${version}`)).status, 404, version)
    assert.equal((await app.request('POST', `${address}/versions/${version}/restore`)).status, 404, version)
  }
  const { storedBytes, sizeBytes } = await collectionOf(app, own)
  assert.equal(storedBytes, Buffer.byteLength(texts.slice(1).join('')))
  assert.equal(sizeBytes, Buffer.byteLength(texts[3] ?? ''))
  await filesAreThoseOfTheRows()
})

test('an earlier version comes back as a new one, found again, and the history keeps what it replaced', async () => {
  const target = { collectionId, externalId: 'back' }
  const { id } = await putAndWait(app, { ...target, content: 'The good jerboa.' })
  await putAndWait(app, { ...target, content: 'The bad jerboa.' })
  const restored = await app.request('POST', `/knowledge/documents/${id}/versions/1/restore`)
  assert.deepEqual([restored.status, restored.body.data.version], [201, 3])
  const settled = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=30' } })
  assert.deepEqual([settled.body.data.status, settled.body.data.servedVersion], ['ready', 3])
  assert.deepEqual(await versionsFound(app, 'jerboa'), [[id, 3]])
  const content = await app.request('GET', `/knowledge/documents/${id}/content`)
  assert.equal(content.body.data.text, 'The good jerboa.')
  const same = await app.request('POST', `/knowledge/documents/${id}/versions/3/restore`)
  assert.deepEqual([same.status, same.body.data.version], [200, 3])
  const stale = await app.request('POST', `/knowledge/documents/${id}/versions/2/restore`, {
    headers: { 'if-match': '"old"' },
  })
  assert.equal(stale.status, 412)
})

test('content that the collection has already is taken in and reported, for as long as the other one is there', async () => {
  const own = await createCollection(app)
  const first = await uploadAndWait(app, { collectionId: own, content: 'Twice.' })
  const second = await uploadAndWait(app, { collectionId: own, content: 'Twice.' })
  const elsewhere = await uploadAndWait(app, { collectionId, content: 'Twice.' })
  assert.deepEqual([first.duplicateOf, second.duplicateOf, elsewhere.duplicateOf], [null, first.id, null])
  const listed = await app.request('GET', '/knowledge/documents', { query: { collectionId: own } })
  assert.deepEqual(
    listed.body.data.map(({ duplicateOf }: { duplicateOf: string }) => duplicateOf),
    [first.id, null],
  )
  await app.request('DELETE', `/knowledge/documents/${first.id}`)
  assert.equal((await documentOf(app, second.id)).duplicateOf, null)
})

test('what the history keeps counts for the storage of the plan', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('starter')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const own = await createCollection(app, key)
  const target = { collectionId: own, externalId: 'big', key }
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('collections')
      .set({ stored_bytes: 5_000 * 1024 * 1024 - 30 })
      .where('id', '=', own)
      .execute(),
  )
  assert.equal((await put(app, { ...target, content: 'Twenty bytes of text' })).status, 201)
  const refused = await put(app, { ...target, content: 'Other twenty bytes!!' })
  assert.deepEqual([refused.status, refused.body.code], [403, 'storage_limit'])
})

test('versions, trash and upserts of another workspace, environment or collection are not there', async () => {
  const { id } = await putAndWait(app, { collectionId, externalId: 'mine', content: 'Mine.' })
  const { workspaceId, ownerId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId, userId: ownerId })
  const narrowed = await app.createKey({ collectionIds: [await createCollection(app)] })
  for (const key of [stranger, narrowed, app.testKey]) {
    assert.equal((await put(app, { collectionId, externalId: 'mine', content: 'Yours.', key })).status, 404)
    const asked = [
      ['GET', `/knowledge/collections/${collectionId}/documents/mine`],
      ['DELETE', `/knowledge/collections/${collectionId}/documents/mine`],
      ['GET', `/knowledge/documents/${id}/versions`],
      ['GET', `/knowledge/documents/${id}/versions/1`],
      ['POST', `/knowledge/documents/${id}/versions/1/restore`],
      ['POST', `/knowledge/documents/${id}/restore`],
      ['DELETE', `/knowledge/documents/${id}?erase=true`],
    ] as const
    for (const [method, path] of asked) {
      assert.equal((await app.request(method, path, { key })).status, 404, `${method} ${path}`)
    }
    const patched = await app.request('PATCH', `/knowledge/documents/${id}`, {
      key,
      body: { title: 'Yours' },
    })
    assert.equal(patched.status, 404)
  }
  assert.equal((await documentOf(app, id)).title, null)
})

const sha256Of = (text: string): string => createHash('sha256').update(text).digest('hex')

/** No file is left of what was overtaken, refused or given up, and none is missing. */
async function filesAreThoseOfTheRows(): Promise<void> {
  const { database, blobs } = app.dependencies
  const rows = [
    ...(await database.read.selectFrom('documents').select('blob_id').execute()),
    ...(await database.read.selectFrom('document_versions').select('blob_id').execute()),
  ]
  const files = await Array.fromAsync(blobs.ids())
  assert.deepEqual(files.sort(), rows.map(({ blob_id }) => blob_id).sort())
}
