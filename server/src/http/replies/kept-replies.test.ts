/** What a client may keep of a read, and that it is told when it need not read again. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, upload, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey, type TestReply } from '../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp({ settings: { ATRIUM_CORS_ORIGINS: 'https://app.example.com' } })
})
after(() => app.close())

type Read = { ifNoneMatch?: unknown; key?: TestKey; method?: string; headers?: Record<string, string> }

const read = (
  path: string,
  { ifNoneMatch, key, method = 'GET', headers = {} }: Read = {},
): Promise<TestReply> =>
  app.request(method, path, {
    key,
    headers: ifNoneMatch === undefined ? headers : { ...headers, 'if-none-match': String(ifNoneMatch) },
  })

test('a read that is still the same is a 304 without a body, with the limits and the id of the request', async () => {
  const path = `/knowledge/collections/${await createCollection(app)}`
  const first = await read(path)
  for (const method of ['GET', 'HEAD']) {
    const again = await read(path, { ifNoneMatch: first.headers.etag, method })
    assert.deepEqual([again.status, again.body], [304, null])
    assert.equal(again.headers.etag, first.headers.etag)
    assert.equal(again.headers['content-length'], undefined)
    assert.equal(again.headers['content-type'], undefined)
    assert.match(String(again.headers['x-request-id']), /^req_/)
    assert.equal(again.headers['cache-control'], 'private, no-cache')
  }
})

test('a read matches any tag of a list, a tag that a proxy made weak, and any at all', async () => {
  const path = `/knowledge/collections/${await createCollection(app)}`
  const etag = String((await read(path)).headers.etag)
  for (const ifNoneMatch of [`"other", ${etag}`, `W/${etag}`, `W/"other",W/${etag}`, '*', ' * '])
    assert.equal((await read(path, { ifNoneMatch })).status, 304, ifNoneMatch)
  for (const ifNoneMatch of [
    '"other"',
    etag.slice(1, -1),
    etag.slice(0, -2),
    '',
    '"',
    etag.replace(/:.*/, '"'),
  ])
    assert.equal((await read(path, { ifNoneMatch })).status, 200, ifNoneMatch)
})

test('a count in the body changes the tag, and refuses no change of the record', async () => {
  const collectionId = await createCollection(app)
  const path = `/knowledge/collections/${collectionId}`
  const before = await read(path)
  await uploadAndWait(app, { collectionId })
  const grown = await read(path, { ifNoneMatch: before.headers.etag })
  assert.deepEqual([grown.status, grown.body.data.documentCount], [200, 1])
  assert.notEqual(grown.headers.etag, before.headers.etag)
  const rename = (name: string, ifMatch: unknown) =>
    app.request('PATCH', path, { body: { name }, headers: { 'if-match': String(ifMatch) } })
  const renamed = await rename('Rules', before.headers.etag)
  assert.equal(renamed.status, 200)
  assert.equal((await rename('Laws', before.headers.etag)).status, 412)
  assert.equal((await rename('Laws', `W/${renamed.headers.etag}`)).status, 200)
})

test('what a change answers has the tag of the read that follows, also where the change shows a secret', async () => {
  const made = await app.request('POST', '/knowledge/collections', { body: { name: 'Tagged' } })
  const path = `/knowledge/collections/${made.body.data.id}`
  assert.equal((await read(path)).headers.etag, made.headers.etag)
  const changed = await app.request('PATCH', path, { body: { description: 'Other' } })
  assert.notEqual(changed.headers.etag, made.headers.etag)
  assert.equal((await read(path)).headers.etag, changed.headers.etag)
  const body = { name: 'Deploy', permissions: ['agents:read'] }
  const key = await app.request('POST', '/api-keys', { body })
  assert.ok(key.body.data.key.startsWith('sk_live_'))
  assert.equal((await read(`/api-keys/${key.body.data.id}`)).headers.etag, key.headers.etag)
})

test('a repeated change has the tag that it had, although the record has changed since', async () => {
  const headers = { 'idempotency-key': 'tagged-once' }
  const options = { body: { name: 'Once' }, headers }
  const made = await app.request('POST', '/knowledge/collections', options)
  await app.request('PATCH', `/knowledge/collections/${made.body.data.id}`, { body: { name: 'Twice' } })
  const again = await app.request('POST', '/knowledge/collections', options)
  assert.deepEqual([again.headers['idempotency-replayed'], again.headers.etag], ['true', made.headers.etag])
})

test('a list has a tag as well, which changes with any of its items', async () => {
  const first = await read('/knowledge/collections')
  assert.equal((await read('/knowledge/collections', { ifNoneMatch: first.headers.etag })).status, 304)
  await createCollection(app)
  const grown = await read('/knowledge/collections', { ifNoneMatch: first.headers.etag })
  assert.equal(grown.status, 200)
  assert.notEqual(grown.headers.etag, first.headers.etag)
})

test('access is checked before anything is said to be unchanged', async () => {
  const path = `/knowledge/collections/${await createCollection(app)}`
  const { etag } = (await read(path)).headers
  const other = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId: other.workspaceId, userId: other.ownerId })
  const lesser = await app.createKey({ permissions: ['agents:read'] })
  const narrowed = await app.createKey({ collectionIds: [await createCollection(app)] })
  for (const ifNoneMatch of [etag, '*']) {
    for (const key of [stranger, app.testKey, narrowed])
      assert.equal((await read(path, { ifNoneMatch, key })).status, 404)
    assert.equal((await read(path, { ifNoneMatch, key: lesser })).status, 403)
  }
})

test('a browser keeps reads for one caller and one origin, and nothing of errors and changes', async () => {
  const path = `/knowledge/collections/${await createCollection(app)}`
  const cachingOf = ({ headers }: TestReply) => [headers['cache-control'], headers.vary]
  const usual = ['private, no-cache', 'Origin, Authorization, Accept-Encoding']
  assert.deepEqual(cachingOf(await read(path)), usual)
  assert.deepEqual(cachingOf(await read(path, { headers: { origin: 'https://app.example.com' } })), usual)
  assert.deepEqual(cachingOf(await read('/openapi.json')), ['no-cache', 'Origin, Accept-Encoding'])
  assert.deepEqual(cachingOf(await read(`${path}x`)), ['no-store', 'Origin'])
  const changed = await app.request('PATCH', path, { body: { name: 'Other' } })
  assert.deepEqual(cachingOf(changed), ['no-store', 'Origin'])
})

test('a write takes no notice of If-None-Match, except the one that says what it means there', async () => {
  const collectionId = await createCollection(app)
  const made = await upload(app, { collectionId, headers: { 'if-none-match': '*' } })
  assert.equal(made.status, 201)
})
