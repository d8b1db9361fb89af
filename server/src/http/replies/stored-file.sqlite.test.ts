/** A stored file: whole, in parts, and not at all for a client that has it. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { createCollection, put, upload } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

const content = 'abcdefghijklmnopqrstuvwxyz'
let app: TestApp
let path: string

before(async () => {
  app = await startTestApp()
  const { body } = await upload(app, { collectionId: await createCollection(app), content })
  path = `/api/v1/knowledge/documents/${body.data.id}/original`
})
after(() => app.close())

const etag = `"${createHash('sha256').update(content).digest('hex')}"`

async function ask(headers: Record<string, string> = {}, method: 'GET' | 'HEAD' = 'GET') {
  const authorization = `Bearer ${app.liveKey.key}`
  const reply = await app.app.server.inject({ method, url: path, headers: { authorization, ...headers } })
  const { 'content-range': range, 'content-length': length } = reply.headers
  return { status: reply.statusCode, text: reply.payload, range, length, headers: reply.headers }
}

test('a part of the file is sent alone: from a byte on, between two, or the last ones', async () => {
  const cases: [range: string, text: string, contentRange: string][] = [
    ['bytes=0-0', 'a', 'bytes 0-0/26'],
    ['bytes=2-5', 'cdef', 'bytes 2-5/26'],
    ['bytes=20-', 'uvwxyz', 'bytes 20-25/26'],
    ['BYTES=20-999', 'uvwxyz', 'bytes 20-25/26'],
    ['bytes=-3', 'xyz', 'bytes 23-25/26'],
    ['bytes=-99', content, 'bytes 0-25/26'],
  ]
  for (const [asked, text, contentRange] of cases) {
    const { status, range, length, headers, ...reply } = await ask({ range: asked })
    assert.deepEqual([status, reply.text, range], [206, text, contentRange], asked)
    assert.deepEqual([length, headers.etag], [String(text.length), etag])
  }
})

test('the file is sent whole where no single part of it is asked for', async () => {
  for (const range of [
    ...['bytes=0-1,4-5', 'bytes=5-2', 'bytes=', 'bytes=-', 'bytes=a-b', 'lines=0-1', 'bytes 0-1', '0-1', ''],
  ]) {
    const reply = await ask({ range })
    assert.deepEqual([reply.status, reply.text, reply.range], [200, content, undefined], range)
    assert.deepEqual([reply.length, reply.headers['accept-ranges']], ['26', 'bytes'])
  }
})

test('a part behind the end is refused with the size of the file', async () => {
  for (const range of ['bytes=26-', 'bytes=99-100', 'bytes=-0', `bytes=${'9'.repeat(400)}-`]) {
    const reply = await ask({ range })
    assert.deepEqual([reply.status, reply.range], [416, 'bytes */26'], range)
    const { code, details } = JSON.parse(reply.text)
    assert.deepEqual([code, details], ['range_not_satisfiable', { sizeBytes: 26 }])
    const { 'cache-control': caching, 'content-disposition': name } = reply.headers
    assert.deepEqual([caching, name, reply.headers.etag], ['no-store', undefined, undefined])
  }
})

test('a part comes only of the file that the client has begun with, otherwise the whole file', async () => {
  const range = 'bytes=20-'
  assert.equal((await ask({ range, 'if-range': etag })).status, 206)
  for (const ifRange of ['"other"', `W/${etag}`, 'Tue, 24 Nov 2026 18:00:00 GMT', '*']) {
    const reply = await ask({ range, 'if-range': ifRange })
    assert.deepEqual([reply.status, reply.text], [200, content], ifRange)
  }
})

test('a client that has the file gets a 304, and one that has another gets a 412 if it asks for this', async () => {
  for (const headers of [{}, { range: 'bytes=2-5' }, { range: 'bytes=99-' }]) {
    const same = await ask({ ...headers, 'if-none-match': etag })
    assert.deepEqual([same.status, same.text, same.headers.etag], [304, '', etag])
  }
  assert.equal((await ask({ 'if-match': etag, range: 'bytes=2-5' })).status, 206)
  assert.equal((await ask({ 'if-match': '"other"', range: 'bytes=2-5' })).status, 412)
})

test('HEAD tells the size of the file and that it has parts, and opens it not', async () => {
  for (const headers of [{}, { range: 'bytes=2-5' }]) {
    const reply = await ask(headers, 'HEAD')
    assert.deepEqual([reply.status, reply.text, reply.length], [200, '', '26'])
    assert.deepEqual([reply.headers.etag, reply.headers['accept-ranges']], [etag, 'bytes'])
  }
})

test('a new version has another tag, so that a client that continues begins again', async () => {
  const target = { collectionId: await createCollection(app), externalId: 'a' }
  const { body } = await put(app, { ...target, content: 'First content' })
  const original = `/knowledge/documents/${body.data.id}/original`
  const first = await app.request('GET', original)
  await put(app, { ...target, content: 'Other content', headers: { prefer: 'wait=30' } })
  const headers = { range: 'bytes=6-', 'if-range': String(first.headers.etag) }
  const continued = await app.request('GET', original, { headers })
  assert.equal(continued.status, 200)
  assert.notEqual(continued.headers.etag, first.headers.etag)
})

test('an export is made while it is sent: it has no parts', async () => {
  const id = await createCollection(app)
  const reply = await app.request('GET', `/knowledge/collections/${id}/export`, {
    headers: { range: 'bytes=0-5' },
  })
  assert.deepEqual([reply.status, reply.headers['accept-ranges']], [200, 'none'])
})
