import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { request as sendRequest } from 'node:http'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import {
  createCollection,
  put,
  putAndWait,
  search,
  upload,
  uploadAndWait,
} from '../../../testing/knowledge/knowledge.ts'
import { docxOf, docxParagraph, pdfBomb, pdfOf } from '../../../testing/knowledge/sample-files.ts'
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

const documentCount = async (): Promise<number> =>
  (await app.request('GET', '/knowledge/documents', { query: { pageSize: 1 } })).body.meta.total

const sendForm = (fill: (form: FormData) => void): Promise<TestReply> => {
  const form = new FormData()
  fill(form)
  return app.request('POST', '/knowledge/documents', { form })
}
const noteFile = (): Blob => new Blob(['A note.'])

test('missing, unknown and repeated parts are each named', async () => {
  const cases: [fill: (form: FormData) => void, fields: string[]][] = [
    [() => undefined, ['file', 'collectionId']],
    [form => form.append('file', noteFile(), 'a.txt'), ['collectionId']],
    [form => form.append('collectionId', collectionId), ['file']],
    [
      form => {
        form.append('collectionId', collectionId)
        form.append('file', 'only text')
      },
      ['file'],
    ],
    [
      form => {
        form.append('colectionId', collectionId)
        form.append('file', noteFile(), 'a.txt')
      },
      ['colectionId', 'collectionId'],
    ],
    [
      form => {
        form.append('collectionId', collectionId)
        form.append('file', noteFile(), 'a.txt')
        form.append('file', noteFile(), 'b.txt')
      },
      ['file'],
    ],
    [
      form => {
        form.append('collectionId', collectionId)
        form.append('collectionId', collectionId)
        form.append('file', noteFile(), 'a.txt')
      },
      ['collectionId'],
    ],
  ]
  const before = await documentCount()
  for (const [fill, fields] of cases) {
    const reply = await sendForm(fill)
    assert.equal(reply.status, 400)
    assert.deepEqual(fieldsIn(reply), fields)
  }
  assert.equal(await documentCount(), before)
})

test('a body that is no multipart upload is refused before anything is stored', async () => {
  const asText = { body: 'x', headers: { 'content-type': 'text/plain' } }
  assert.equal((await app.request('POST', '/knowledge/documents', asText)).status, 415)
  for (const contentType of ['multipart/form-data', 'multipart/form-data; boundary=nowhere']) {
    const reply = await app.request('POST', '/knowledge/documents', {
      body: 'no boundary in here',
      headers: { 'content-type': contentType },
    })
    assert.equal(reply.status, 400)
  }
})

test('an unknown collection is a 400 that names it, whether it does not exist, or belongs to another workspace or environment', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace()
  const neighbour = await app.createKey({ workspaceId, userId: ownerId })
  const ids = [
    'col_00000000000000000000000000',
    await createCollection(app, neighbour),
    await createCollection(app, app.testKey),
  ]
  const replies = await Promise.all(ids.map(id => upload(app, { collectionId: id })))
  for (const { status, body } of replies) {
    assert.equal(status, 400)
    assert.deepEqual(body.errors, [{ field: 'collectionId', message: 'There is no collection with this id' }])
  }
  const garbage = await upload(app, { collectionId: "col_' OR 1=1 --" })
  assert.deepEqual([garbage.status, fieldsIn(garbage)], [400, ['collectionId']])
})

test('faulty fields are named: metadata that is no JSON, no object or too large, an empty title', async () => {
  const faulty: [fields: Record<string, string>, field: string][] = [
    [{ metadata: '{' }, 'metadata'],
    [{ metadata: '"text"' }, 'metadata'],
    [{ metadata: '[1]' }, 'metadata'],
    [{ metadata: '{"a":{"b":1}}' }, 'metadata.a'],
    [
      { metadata: JSON.stringify(Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i]))) },
      'metadata',
    ],
    [{ title: '' }, 'title'],
    [{ title: 'x'.repeat(501) }, 'title'],
    [{ externalId: '' }, 'externalId'],
  ]
  for (const [fields, field] of faulty) {
    const reply = await upload(app, { collectionId, fields })
    assert.deepEqual([reply.status, fieldsIn(reply)], [400, [field]], JSON.stringify(fields).slice(0, 80))
  }
})

test('metadata keeps its types', async () => {
  const metadata = { text: '1', number: 1.5, yes: true, list: ['a', 'b'] }
  const { id } = await uploadAndWait(app, { collectionId, fields: { metadata: JSON.stringify(metadata) } })
  assert.deepEqual((await app.request('GET', `/knowledge/documents/${id}`)).body.data.metadata, metadata)
})

test('a text part may come as a file of JSON, as browsers send it', async () => {
  const sent = await sendForm(form => {
    form.append('collectionId', new Blob([collectionId]))
    form.append('metadata', new Blob(['{"team":"people"}'], { type: 'application/json' }))
    form.append('file', noteFile(), 'a.txt')
  })
  assert.deepEqual(
    [sent.status, sent.body.data?.metadata],
    [201, { team: 'people' }],
    JSON.stringify(sent.body),
  )
})

test('an empty file is a 400 that names the part', async () => {
  const reply = await upload(app, { collectionId, content: '' })
  assert.deepEqual([reply.status, fieldsIn(reply)], [400, ['file']])
})

test('a file over the limit is a 413 that names the limit, and leaves nothing behind', async () => {
  const reply = await upload(app, { collectionId, content: Buffer.alloc(1024 * 1024 + 1, 'a ') })
  assert.equal(reply.status, 413)
  assert.equal(reply.body.code, 'payload_too_large')
  assert.match(reply.body.message, /1048576/)
  const staging = await readdir(join(app.dependencies.blobFolder, 'staging'))
  assert.deepEqual(staging, [])
})

test('an unsupported type is a 415 that names what is taken, whatever the name says', async () => {
  const gzip = Buffer.from('1f8b0800000000000003', 'hex')
  for (const name of ['photos.gz', 'photo.pdf', 'notes.txt']) {
    const reply = await upload(app, { collectionId, name, content: gzip })
    assert.equal(reply.status, 415)
    assert.equal(reply.body.code, 'unsupported_media_type')
    for (const type of ['application/pdf', 'text/markdown', 'wordprocessingml']) {
      assert.ok(reply.body.message.includes(type), reply.body.message)
    }
  }
})

test('a file that cannot be read is stored, and fails with a code and a message for people', async () => {
  const failing: [name: string, content: Buffer, code: string][] = [
    ['locked.pdf', encryptedPdf(), 'encrypted'],
    ['half.pdf', pdfOf('A page').subarray(0, 300), 'corrupt'],
    ['scan.pdf', pdfOf(''), 'no_text'],
    ['bomb.pdf', pdfBomb(1_000), 'out_of_memory'],
    ['blank.txt', Buffer.from(' \n\t\n '), 'no_text'],
    ['half.docx', docxOf(docxParagraph('x')).subarray(0, 700), 'corrupt'],
    ['bomb.docx', docxOf('', '', { 'word/styles.xml': Buffer.alloc(30_000_000, ' ') }), 'archive_bomb'],
    ['laughs.docx', docxOf(docxParagraph('&a;'), '<!DOCTYPE w [<!ENTITY a "ha">]>'), 'corrupt'],
  ]
  for (const [name, content, code] of failing) {
    const { status, error, chunkCount } = await uploadAndWait(app, { collectionId, name, content })
    assert.deepEqual([name, status, error?.code, chunkCount], [name, 'failed', code, 0])
    assert.ok(error.message.length > 10)
  }
  const { status } = await uploadAndWait(app, { collectionId, name: 'a.pdf', content: pdfOf('Sound') })
  assert.equal(status, 'ready')
})

test('a failed document can be downloaded and deleted, and has no text', async () => {
  const content = pdfOf('')
  const { id } = await uploadAndWait(app, { collectionId, name: 'scan.pdf', content })
  assert.equal((await app.request('GET', `/knowledge/documents/${id}/content`)).status, 409)
  assert.equal((await app.request('GET', `/knowledge/documents/${id}/original`)).status, 200)
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
})

test('the sandbox lets a file fail to parse by its name', async () => {
  const sandbox = { collectionId: await createCollection(app, app.testKey), key: app.testKey }
  const failed = await uploadAndWait(app, { ...sandbox, name: 'sim-parse-failed.md' })
  assert.deepEqual([failed.status, failed.error.code], ['failed', 'simulated'])
  assert.equal((await uploadAndWait(app, { collectionId, name: 'sim-parse-failed.md' })).status, 'ready')
})

test('the same content may be uploaded twice; the same external id is a 409', async () => {
  const fields = { externalId: 'crm/7' }
  assert.equal((await upload(app, { collectionId, fields })).status, 201)
  assert.equal((await upload(app, { collectionId })).status, 201)
  const again = await upload(app, { collectionId, fields })
  assert.deepEqual([again.status, again.body.code], [409, 'already_exists'])
  const elsewhere = await createCollection(app)
  assert.equal((await upload(app, { collectionId: elsewhere, fields })).status, 201)
})

test('of two uploads with one external id at the same moment, one is stored', async () => {
  const own = await createCollection(app)
  const fields = { externalId: 'race' }
  const replies = await Promise.all([1, 2, 3, 4].map(() => upload(app, { collectionId: own, fields })))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [201, 409, 409, 409])
})

test('an upload repeated with its Idempotency-Key is carried out once; with another file it is a 422', async () => {
  const headers = { 'idempotency-key': 'upload-1' }
  const content = 'An idempotent note.'
  const first = await upload(app, { collectionId, content, headers })
  const before = await documentCount()
  const again = await upload(app, { collectionId, content, headers })
  assert.equal(again.status, 201)
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.equal(again.body.data.id, first.body.data.id)
  const other = await upload(app, { collectionId, content: 'Another note.', headers })
  assert.deepEqual([other.status, other.body.code], [422, 'idempotency_mismatch'])
  assert.equal(await documentCount(), before)
})

test("a plan's storage is a limit that is named", async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('starter')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const own = await createCollection(app, key)
  const { storageBytes } = app.app.services.limits.of({ plan: 'starter', requestsPerMinute: null })
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('collections')
      .set({ stored_bytes: storageBytes - 5 })
      .where('id', '=', own)
      .execute(),
  )
  const reply = await upload(app, { collectionId: own, key, content: 'six by' })
  assert.deepEqual([reply.status, reply.body.code], [403, 'storage_limit'])
  assert.ok(reply.body.message.includes(String(storageBytes)))
  assert.equal((await upload(app, { collectionId: own, key, content: 'five5' })).status, 201)
})

test('a key narrowed to a collection uploads there only, and sees and finds nothing else', async () => {
  const own = await createCollection(app)
  const elsewhere = await createCollection(app)
  const other = await uploadAndWait(app, { collectionId: elsewhere, content: 'narwhal elsewhere' })
  const key = await app.createKey({ collectionIds: [own] })
  const mine = await uploadAndWait(app, { collectionId: own, key, content: 'narwhal at home' })
  assert.equal((await upload(app, { collectionId: elsewhere, key })).status, 400)
  const listed = await app.request('GET', '/knowledge/documents', { key })
  assert.deepEqual([listed.body.meta.total, listed.body.data[0].id], [1, mine.id])
  const found = await search(app, 'narwhal', key)
  assert.deepEqual(
    found.map(({ documentId }) => documentId),
    [mine.id],
  )
  for (const path of ['', '/content', '/original']) {
    assert.equal((await app.request('GET', `/knowledge/documents/${other.id}${path}`, { key })).status, 404)
  }
  assert.equal((await app.request('DELETE', `/knowledge/documents/${other.id}`, { key })).status, 404)
  const inThere = await app.request('GET', '/knowledge/search', {
    key,
    query: { q: 'x', collectionId: elsewhere },
  })
  assert.deepEqual([inThere.status, fieldsIn(inThere)], [400, ['collectionId.0']])
})

test('another workspace and the other environment find, list and open nothing of it', async () => {
  const { id } = await uploadAndWait(app, { collectionId, content: 'axolotl' })
  const { workspaceId, ownerId } = await app.createWorkspace()
  for (const key of [await app.createKey({ workspaceId, userId: ownerId }), app.testKey]) {
    assert.deepEqual(await search(app, 'axolotl', key), [])
    assert.equal((await app.request('GET', `/knowledge/documents/${id}`, { key })).status, 404)
    const listed = await app.request('GET', '/knowledge/documents', { key, query: { collectionId } })
    assert.equal(listed.status, 400)
  }
})

/** Of a PDF that needs a password: the dictionary is what a reader looks at first, and no key fits it. */
function encryptedPdf(): Buffer {
  const hash = '<'.concat('00'.repeat(32), '>')
  const encrypt = `/Encrypt<</Filter/Standard/V 1/R 2/O${hash}/U${hash}/P -4>>/ID[<01><01>]`
  return Buffer.from(
    pdfOf('Secret').toString('latin1').replace('/Root 1 0 R', `/Root 1 0 R${encrypt}`),
    'latin1',
  )
}

test('an upload that breaks off leaves no file behind', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  const staged = (): Promise<string[]> => readdir(join(app.dependencies.blobFolder, 'staging'))
  const origin = await app.listen()
  for (const path of ['documents', 'documents/batch', 'imports']) {
    const request = sendRequest(`${origin}/api/v1/knowledge/${path}`, {
      method: 'POST',
      agent: false,
      headers: {
        authorization: `Bearer ${app.liveKey.key}`,
        'content-type': 'multipart/form-data; boundary=B',
        'content-length': 900_000,
      },
    })
    // That it is cut off is what is tried.
    request.on('error', () => undefined)
    const head = 'content-disposition: form-data; name="file"; filename="a.txt"'
    request.write(`--B\r\n${head}\r\n\r\n${'x'.repeat(500_000)}`)
    await until(async () => (await staged()).length === 1)
    request.destroy()
    await until(async () => (await staged()).length === 0)
  }
})

const until = (isSo: () => Promise<boolean>) => eventually(`it is so: ${isSo}`, isSo)

test('uploads and new versions that come at once, into whatever collections, do not exceed the storage together', async t => {
  const app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'storageMb=1' } })
  t.after(() => app.close())
  const kilobytes = (count: number, letter: string): string => letter.repeat(count * 1_024)
  const collections = await Promise.all(Array.from({ length: 12 }, () => createCollection(app)))
  const [first = ''] = collections
  await putAndWait(app, { collectionId: first, externalId: 'known', content: 'A small one.' })
  const replies = await Promise.all([
    ...collections.map((collectionId, index) =>
      upload(app, { collectionId, content: kilobytes(300, String.fromCharCode(97 + index)) }),
    ),
    put(app, { collectionId: first, externalId: 'known', content: kilobytes(300, 'z') }),
  ])
  const taken = replies.filter(({ status }) => status === 200 || status === 201)
  const refused = replies.filter(({ body }) => body.code === 'storage_limit')
  assert.deepEqual([taken.length, refused.length], [3, 10])
  const { data } = (await app.request('GET', '/usage')).body
  assert.ok(JSON.stringify(data).includes(String(3 * 300 * 1_024 + 12)), JSON.stringify(data))
})
