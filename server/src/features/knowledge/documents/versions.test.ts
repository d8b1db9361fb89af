import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { rm } from 'node:fs/promises'
import { request as httpRequest, type IncomingMessage } from 'node:http'
import { text } from 'node:stream/consumers'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../testing/eventually.ts'
import {
  collectionOf,
  createCollection,
  documentOf,
  longText,
  put,
  putAndWait,
  untilNoJobs,
  upload,
  uploadAndWait,
  versionsFound,
} from '../../../testing/knowledge/knowledge.ts'
import { pdfOf } from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp, type TestKey, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_DOCUMENT_VERSIONS: '2', ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' },
  })
  collectionId = await createCollection(app)
})
after(() => app.close())

test('an upsert makes a document, leaves it alone while its content is the same, and changes it when that changes', async () => {
  const target = { collectionId, externalId: 'a' }
  const made = await put(app, { ...target, content: 'The axolotl swims.', headers: { prefer: 'wait=30' } })
  assert.deepEqual([made.status, made.body.data.version, made.body.data.servedVersion], [201, 1, 1])
  const { id } = made.body.data
  assert.equal(made.headers.location, `/api/v1/knowledge/documents/${id}`)
  const same = await put(app, { ...target, content: 'The axolotl swims.' })
  assert.deepEqual([same.status, same.body.data.version, same.body.data.id], [200, 1, id])
  assert.equal(same.headers.etag, made.headers.etag)
  const changed = await put(app, {
    ...target,
    content: 'The axolotl sleeps.',
    headers: { prefer: 'wait=30' },
  })
  assert.deepEqual([changed.status, changed.body.data.version, changed.body.data.servedVersion], [200, 2, 2])
  assert.deepEqual(await versionsFound(app, 'axolotl'), [[id, 2]])
  assert.deepEqual(await versionsFound(app, 'axolotl swims'), [[id, 2]])
  await untilNoJobs(app)
  const { documentCount, chunkCount, sizeBytes, storedBytes } = await collectionOf(app, collectionId)
  assert.deepEqual([documentCount, chunkCount, sizeBytes, storedBytes], [1, 1, 19, 37])
})

test('the old version is found until the new one is ready, and never both', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'long' }
  const { id } = await putAndWait(app, { ...target, content: `First. ${longText('hoatzin', 200)}` })
  const changed = await put(app, { ...target, content: `Second. ${longText('hoatzin', 900)}` })
  assert.deepEqual([changed.body.data.version, changed.body.data.servedVersion], [2, 1])
  const seen = new Set<string>()
  for (let status = ''; status !== 'ready'; await sleep(2)) {
    const versions = new Set((await versionsFound(app, 'hoatzin')).map(([, version]) => version))
    seen.add([...versions].join())
    status = (await documentOf(app, id)).status
  }
  assert.ok(
    [...seen].every(versions => versions === '1' || versions === '2'),
    [...seen].join(' | '),
  )
  assert.ok(seen.has('1'), 'the new version was ready before anyone could look')
  assert.deepEqual(new Set((await versionsFound(app, 'hoatzin')).map(([, version]) => version)), new Set([2]))
  await untilNoJobs(app)
  const segments = await app.dependencies.database.read
    .selectFrom('search_segments')
    .select('document_version')
    .distinct()
    .where('document_id', '=', id)
    .execute()
  assert.deepEqual(segments, [{ document_version: 2 }])
})

test('a search of one collection finds a short version that has replaced a long one', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'shortened' }
  const { chunkCount } = await putAndWait(app, { ...target, content: longText('shoebill', 200) })
  // A search reads a sample of 128 chunks at most.
  assert.ok(chunkCount > 128)
  await putAndWait(app, { ...target, content: 'The shoebill stands still.' })
  await untilNoJobs(app)
  const { body } = await app.request('GET', '/knowledge/search', {
    query: { query: 'shoebill', collectionId: own },
  })
  assert.equal(body.meta.total, 1)
})

test('a version that cannot be read leaves the one before it in service, and the next one takes over', async () => {
  const target = { collectionId, externalId: 'broken' }
  const { id } = await putAndWait(app, { ...target, content: 'The numbat eats.' })
  const broken = await putAndWait(app, { ...target, name: 'a.pdf', content: pdfOf('') })
  assert.deepEqual([broken.status, broken.version, broken.servedVersion], ['failed', 2, 1])
  assert.deepEqual(await versionsFound(app, 'numbat'), [[id, 1]])
  const content = await app.request('GET', `/knowledge/documents/${id}/content`)
  assert.deepEqual([content.body.data.version, content.body.data.text], [1, 'The numbat eats.'])
  const again = await putAndWait(app, { ...target, content: 'The numbat eats.' })
  assert.deepEqual([again.status, again.version, again.servedVersion], ['ready', 3, 3])
  assert.deepEqual(await versionsFound(app, 'numbat'), [[id, 3]])
  const { data } = (await app.request('GET', `/knowledge/documents/${id}/versions`)).body
  assert.deepEqual(
    data.map(({ version }: { version: number }) => version),
    [3, 1],
  )
})

test('a version that is overtaken before it is ready is never found and leaves nothing behind', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'fast' }
  const { id } = (await put(app, { ...target, content: longText('first quoll', 400) })).body.data
  await put(app, { ...target, content: longText('second quoll', 400) })
  const last = await putAndWait(app, { ...target, content: 'The third quoll.' })
  assert.deepEqual([last.version, last.servedVersion, last.status], [3, 3, 'ready'])
  await untilNoJobs(app)
  assert.deepEqual(await versionsFound(app, 'quoll'), [[id, 3]])
  const chunks = await app.dependencies.database.read
    .selectFrom('chunks')
    .select('document_version')
    .where('document_id', '=', id)
    .execute()
  assert.deepEqual(chunks, [{ document_version: 3 }])
  const { chunkCount, sizeBytes, storedBytes } = await collectionOf(app, own)
  assert.deepEqual([chunkCount, sizeBytes, storedBytes], [1, 16, 16])
  await filesAreThoseOfTheRows()
})

test('of many upserts of one document at once each is answered, one document stands, and what was sent last is found', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'race' }
  const replies = await Promise.all(
    Array.from({ length: 12 }, (_, i) => put(app, { ...target, content: `The kinkajou number ${i % 6}.` })),
  )
  const statuses = replies.map(
    ({ status, body }) => `${status}${body.message === undefined ? '' : ` ${body.message}`}`,
  )
  assert.deepEqual(statuses.sort(), [...Array<string>(11).fill('200'), '201'])
  const id = replies[0]?.body.data.id
  assert.ok(replies.every(({ body }) => body.data.id === id))
  const last = await putAndWait(app, { ...target, content: 'The kinkajou that stays.' })
  assert.equal(last.status, 'ready')
  await untilNoJobs(app)
  assert.deepEqual(await versionsFound(app, 'kinkajou'), [[id, last.version]])
  const counted = await collectionOf(app, own)
  assert.deepEqual([counted.documentCount, counted.chunkCount, counted.sizeBytes], [1, 1, 24])
  const { data } = (await app.request('GET', `/knowledge/documents/${id}/versions`)).body
  const bytes = data.reduce((sum: number, { sizeBytes }: { sizeBytes: number }) => sum + sizeBytes, 0)
  assert.equal(counted.storedBytes, bytes)
  await filesAreThoseOfTheRows()
})

test('preconditions of an upsert: If-None-Match for one that must be new, If-Match for one that was read', async () => {
  const target = { collectionId, externalId: 'conditions' }
  const missing = await put(app, { ...target, headers: { 'if-match': '*' } })
  assert.deepEqual([missing.status, missing.body.code], [412, 'precondition_failed'])
  const made = await put(app, { ...target, headers: { 'if-none-match': '*', prefer: 'wait=30' } })
  assert.equal(made.status, 201)
  const taken = await put(app, { ...target, content: 'Other', headers: { 'if-none-match': '*' } })
  assert.deepEqual([taken.status, taken.body.code], [412, 'precondition_failed'])
  const stale = await put(app, { ...target, content: 'Other', headers: { 'if-match': '"old"' } })
  assert.equal(stale.status, 412)
  const fresh = { 'if-match': String(made.headers.etag) }
  assert.equal((await put(app, { ...target, content: 'Other', headers: fresh })).status, 200)
  const odd = await put(app, { ...target, headers: { 'if-none-match': '"x"' } })
  assert.deepEqual([odd.status, odd.body.errors[0].field], [400, 'If-None-Match'])
})

test('external ids may have slashes, dots, spaces and any script, percent-encoded', async () => {
  for (const externalId of [
    'wiki/4711',
    'a/../b',
    'über uns?#%',
    '文書/第一',
    '💩'.repeat(250),
    '/'.repeat(500),
    'é'.repeat(500),
  ]) {
    const made = await put(app, { collectionId, externalId, content: `About ${externalId}` })
    assert.equal(made.status, 201, `${externalId.slice(0, 20)}: ${JSON.stringify(made.body)}`)
    assert.equal(made.body.data.externalId, externalId)
    const path = `/knowledge/collections/${collectionId}/documents/${encodeURIComponent(externalId)}`
    const read = await app.request('GET', path, { headers: { prefer: 'wait=30' } })
    assert.deepEqual([read.status, read.body.data.id], [200, made.body.data.id])
    const dry = await app.request('DELETE', `${path}?dryRun=true`)
    assert.deepEqual(dry.body.data.effects[0].ids, [made.body.data.id])
    assert.equal((await app.request('DELETE', path)).status, 204)
    assert.equal((await app.request('GET', path)).status, 404)
  }
  for (const externalId of ['x'.repeat(501), 'a\0b']) {
    const refused = await put(app, { collectionId, externalId })
    assert.deepEqual([refused.status, refused.body.errors[0].field], [400, 'externalId'])
  }
  const unknownId = collectionId.replace(/.$/, last => (last === '0' ? '1' : '0'))
  const elsewhere = await put(app, { collectionId: unknownId, externalId: 'x' })
  assert.equal(elsewhere.status, 404)
})

test('a new title is found and the old one no more, also of a document of many slices, which is found all the while', async () => {
  const content = longText('caracal', 300)
  const { id, chunkCount } = await uploadAndWait(app, {
    collectionId,
    content,
    fields: { title: 'Zibeline' },
  })
  assert.ok(chunkCount > 64)
  assert.equal((await versionsFound(app, 'zibeline'))[0]?.[0], id)
  const changed = await app.request('PATCH', `/knowledge/documents/${id}`, {
    body: { title: 'Ocelliform', metadata: { year: 2027 } },
  })
  assert.deepEqual(
    [changed.status, changed.body.data.title, changed.body.data.version],
    [200, 'Ocelliform', 1],
  )
  assert.deepEqual(changed.body.data.metadata, { year: 2027 })
  for (let tries = 0; tries < 400 && (await versionsFound(app, 'zibeline')).length > 0; tries++) {
    assert.ok((await versionsFound(app, 'caracal')).length > 0)
    await sleep(2)
  }
  await untilNoJobs(app)
  assert.deepEqual(await versionsFound(app, 'zibeline'), [])
  assert.equal((await versionsFound(app, 'ocelliform'))[0]?.[0], id)
  const segments = await app.dependencies.database.read
    .selectFrom('search_segments')
    .select(['first_number', 'last_number', 'live'])
    .where('document_id', '=', id)
    .execute()
  const places = segments.reduce(
    (sum, { first_number, last_number }) => sum + last_number - first_number + 1,
    0,
  )
  assert.equal(places, chunkCount)
  assert.ok(segments.every(({ live }) => live === 1))
})

test('an external id that programs drop from an address is refused however it is written or sent', async () => {
  const { hostname, port } = new URL(await app.listen())
  const written = ['.', '%2E', '%2e', '..', '.%2E', '%2e.', '%2E%2E', '%2e%2e']
  for (const step of written) {
    // An inject, a fetch and a browser drop the step before they send the request; a socket sends it.
    const sent = httpRequest({
      hostname,
      port,
      method: 'PUT',
      path: `/api/v1/knowledge/collections/${collectionId}/documents/${step}`,
      headers: { authorization: `Bearer ${app.liveKey.key}`, 'content-type': 'application/json' },
    }).end('{"text":"hello"}')
    const [reply] = (await once(sent, 'response')) as [IncomingMessage]
    const body = JSON.parse(await text(reply))
    assert.deepEqual([reply.statusCode, body.errors?.[0]?.field], [400, 'externalId'], step)
  }
  const { id } = await uploadAndWait(app, { collectionId })
  const tusValue = (value: string) => Buffer.from(value).toString('base64')
  for (const externalId of ['.', '..']) {
    const entries = [{ externalId, sha256: sha256Of('hello') }]
    const refused: TestReply[] = [
      await upload(app, { collectionId, fields: { externalId } }),
      await app.request('POST', '/knowledge/documents', {
        body: { collectionId, externalId, text: 'hello' },
      }),
      await app.request('POST', '/knowledge/documents/from-url', {
        body: { collectionId, externalId, url: 'https://example.com/a.txt' },
      }),
      await app.request('POST', '/knowledge/uploads', {
        headers: {
          'tus-resumable': '1.0.0',
          'upload-length': '5',
          'upload-metadata': `filename ${tusValue('a.txt')},collectionId ${tusValue(collectionId)},externalId ${tusValue(externalId)}`,
        },
      }),
      await app.request('PATCH', `/knowledge/documents/${id}`, { body: { externalId } }),
      await app.request('POST', `/knowledge/collections/${collectionId}/syncs`, { body: { entries } }),
      await app.request('POST', `/knowledge/collections/${collectionId}/syncs?dryRun=true`, {
        body: { entries },
      }),
    ]
    for (const { status, body } of refused) {
      assert.equal(status, 400, JSON.stringify(body))
      assert.match(body.errors[0].field, /(^|\.)externalId$/)
      assert.match(body.errors[0].message, /neither `\.` nor `\.\.`/)
    }
    const form = new FormData()
    form.append('collectionId', collectionId)
    form.append('file', new Blob(['hello']), externalId)
    const batch = await app.request('POST', '/knowledge/documents/batch', { form })
    assert.equal(batch.body.data?.files[0].outcome, 'rejected', JSON.stringify(batch.body))
  }
  const { total } = (
    await app.request('GET', `/knowledge/documents?collectionId=${collectionId}&externalId=..`)
  ).body.meta
  assert.equal(total, 0)
})

test('an external id is changed, taken away, and refused where another document has it', async () => {
  const one = await putAndWait(app, { collectionId, externalId: 'one', content: 'One.' })
  const two = await putAndWait(app, { collectionId, externalId: 'two', content: 'Two.' })
  const patch = (id: string, body: object) => app.request('PATCH', `/knowledge/documents/${id}`, { body })
  const refused = await patch(two.id, { externalId: 'one' })
  assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists'])
  assert.equal((await patch(one.id, { externalId: null })).body.data.externalId, null)
  assert.equal((await patch(two.id, { externalId: 'one' })).body.data.externalId, 'one')
  const replies = await Promise.all([patch(one.id, { externalId: 'x' }), patch(two.id, { externalId: 'x' })])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 409])
})

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

const reprocess = (id: string, options: { key?: TestKey; headers?: Record<string, string> } = {}) =>
  app.request('POST', `/knowledge/documents/${id}/reprocess`, options)

test('a document that is read again becomes the next version of the same file, and its text is found all the time', async () => {
  const collectionId = await createCollection(app)
  const { id, sha256 } = await uploadAndWait(app, { collectionId, content: 'A word: quokka.' })
  await app.app.services.worker.drain(5_000)
  const reply = await reprocess(id)
  assert.equal(reply.status, 202)
  assert.equal(reply.headers.location, `/api/v1/knowledge/documents/${id}`)
  const { version, servedVersion, status } = reply.body.data
  assert.deepEqual([version, servedVersion, status, reply.body.data.sha256], [2, 1, 'queued', sha256])
  assert.deepEqual(await versionsFound(app, 'quokka'), [[id, 1]])
  app.app.services.worker.start()
  await eventually('it is ready', async () => (await documentOf(app, id)).status === 'ready')
  assert.deepEqual(await versionsFound(app, 'quokka'), [[id, 2]])
  await untilNoJobs(app)
  const versions = await app.request('GET', `/knowledge/documents/${id}/versions`)
  assert.deepEqual(
    versions.body.data.map((one: { version: number; isServed: boolean }) => [one.version, one.isServed]),
    [
      [2, true],
      [1, false],
    ],
  )
  const original = await app.request('GET', `/knowledge/documents/${id}/original`, {
    query: { version: '1' },
  })
  assert.equal(original.status, 200)
})

test('a document that is in progress is not read again: one reading is enough', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId, content: 'A word: bilby.' })
  await app.app.services.worker.drain(5_000)
  const replies = await Promise.all([reprocess(id), reprocess(id)])
  assert.deepEqual(replies.map(reply => reply.status).sort(), [202, 409])
  const refused = replies.find(reply => reply.status === 409)
  assert.match(refused?.body.message, /is queued: wait until it is ready or failed/)
  app.app.services.worker.start()
  await eventually('it is ready', async () => (await documentOf(app, id)).status === 'ready')
  assert.equal((await documentOf(app, id)).version, 2)
})

test('only the document that was seen is read again, and only by a key that may write it', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId, content: 'A word: dunnart.' })
  assert.equal((await reprocess(id, { headers: { 'if-match': '"0"' } })).status, 412)
  assert.equal((await reprocess(id, { key: app.testKey })).status, 404)
  assert.equal((await reprocess('doc_00000000000000000000000000')).status, 404)
  assert.equal((await documentOf(app, id)).version, 1)
})

test('a document whose file is gone keeps the version that is served', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId, content: 'A word: potoroo.' })
  const { database, blobs } = app.dependencies
  const { blob_id } = await database.read
    .selectFrom('documents')
    .select('blob_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await rm(await blobs.localPath(blob_id))
  assert.equal((await reprocess(id)).status, 404)
  assert.deepEqual(await versionsFound(app, 'potoroo'), [[id, 1]])
  assert.deepEqual([(await documentOf(app, id)).version, (await documentOf(app, id)).status], [1, 'ready'])
})
