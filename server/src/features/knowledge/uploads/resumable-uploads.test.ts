import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { readdir, stat } from 'node:fs/promises'
import { request as httpRequest } from 'node:http'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { Upload } from 'tus-js-client'
import { dayMs } from '../../../platform/clock.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import {
  createTus,
  downloadOriginal,
  encodeMetadata,
  headOf,
  type Tus,
  textOf,
} from '../../../testing/knowledge/resumable.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let address: string
let collectionId: string
let create: Tus['create']
let append: Tus['append']
let offsetOf: Tus['offsetOf']
let skippedMs = 0

before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_PLAN_ENTERPRISE: 'uploadMb=32' },
    clock: () => Date.now() + skippedMs,
  })
  address = await app.listen()
  collectionId = await createCollection(app)
  ;({ create, append, offsetOf } = createTus(app, collectionId))
})
after(() => app.close())

const original = (id: string): Promise<Buffer> => downloadOriginal(app, address, id)

test('tus-js-client uploads a file in pieces, and it becomes a document with what was said of it', async () => {
  const content = textOf(600_000)
  const told: (string | undefined)[] = []
  await new Promise<void>((resolve, reject) => {
    new Upload(Readable.from([content]) as never, {
      endpoint: `${address}/api/v1/knowledge/uploads`,
      headers: { authorization: `Bearer ${app.liveKey.key}` },
      chunkSize: 200_000,
      uploadSize: content.length,
      metadata: {
        filename: 'über.txt',
        filetype: 'text/plain',
        collectionId,
        externalId: 'tus/1',
        title: 'Long',
        metadata: '{"year":2026}',
      },
      onAfterResponse: (_request, response) => {
        told.push(response.getHeader('Atrium-Document-Id'))
      },
      onSuccess: () => resolve(),
      onError: reject,
    }).start()
  })
  const id = told.at(-1) ?? ''
  const document = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=30' } })
  const { name, externalId, title, metadata, sizeBytes, sha256, status } = document.body.data
  assert.deepEqual(
    { name, externalId, title, metadata, sizeBytes, sha256, status },
    {
      name: 'über.txt',
      externalId: 'tus/1',
      title: 'Long',
      metadata: { year: 2026 },
      sizeBytes: content.length,
      sha256: createHash('sha256').update(content).digest('hex'),
      status: 'ready',
    },
  )
  assert.deepEqual(await original(id), content)
})

test('tus-js-client goes on where it was cut off', async () => {
  const content = textOf(3_000_000)
  let cuts = 0
  const offsets: number[] = []
  let documentId: string | undefined
  await new Promise<void>((resolve, reject) => {
    const upload = new Upload(content as never, {
      endpoint: `${address}/api/v1/knowledge/uploads`,
      headers: { authorization: `Bearer ${app.liveKey.key}` },
      metadata: { filename: 'cut.txt', collectionId },
      retryDelays: [0, 100, 200, 400],
      chunkSize: 500_000,
      onBeforeRequest: request => {
        if (request.getMethod() === 'PATCH') offsets.push(Number(request.getHeader('Upload-Offset')))
      },
      onChunkComplete: (_size, accepted) => {
        if (cuts > 0 || accepted < 1_000_000) return
        cuts += 1
        void upload.abort().then(() => upload.start())
      },
      onAfterResponse: (_request, response) => {
        documentId = response.getHeader('Atrium-Document-Id') ?? documentId
      },
      onSuccess: () => resolve(),
      onError: reject,
    })
    upload.start()
  })
  assert.equal(cuts, 1)
  assert.ok(!offsets.slice(1).includes(0), `It started again: ${offsets}`)
  assert.deepEqual(await original(documentId ?? ''), content)
})

async function partialBytes(): Promise<number> {
  const folder = join(app.dependencies.blobFolder, 'partial')
  const files = await Promise.all((await readdir(folder)).map(name => stat(join(folder, name))))
  return files.reduce((sum, { size }) => sum + size, 0)
}

test('what came before a connection broke in the middle of a request is kept', async () => {
  const content = textOf(2_000_000)
  const { id } = (await create(content.length)).body.data
  const sent = httpRequest(`${address}/api/v1/knowledge/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${app.liveKey.key}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'content-length': String(content.length),
      'upload-offset': '0',
    },
  })
  sent.on('error', () => undefined)
  const before = await partialBytes()
  sent.write(content.subarray(0, 1_200_000))
  await eventually('some of it has arrived', async () => (await partialBytes()) > before)
  sent.destroy()
  let offset = 0
  await eventually('what has arrived is kept', async () => {
    offset = await offsetOf(id)
    return offset > 0
  })
  assert.ok(offset > 0 && offset <= 1_200_000, `It stands at ${offset}`)
  let reply = await append(id, offset, content.subarray(offset))
  await eventually('the first request has let go of it', async () => {
    if (reply.status === 409) reply = await append(id, offset, content.subarray(offset))
    return reply.status !== 409
  })
  assert.equal(reply.status, 204)
  const documentId = String(reply.headers['atrium-document-id'])
  assert.equal(reply.headers.location, `/api/v1/knowledge/documents/${documentId}`)
  assert.deepEqual(await original(documentId), content)
})

test('the protocol is spoken: capabilities, offsets, metadata, expiry, and the version on every reply', async () => {
  const capabilities = await app.request('OPTIONS', '/knowledge/uploads')
  assert.equal(capabilities.headers['tus-version'], '1.0.0')
  assert.match(String(capabilities.headers['tus-extension']), /creation,.*termination,expiration,checksum/)
  assert.equal(capabilities.headers['tus-max-size'], String(32 * 1024 * 1024))
  assert.match(String(capabilities.headers['tus-checksum-algorithm']), /sha1/)
  const created = await create(10)
  assert.equal(created.status, 201)
  const { id } = created.body.data
  assert.equal(created.headers.location, `/api/v1/knowledge/uploads/${id}`)
  assert.ok(Date.parse(String(created.headers['upload-expires'])) > Date.now())
  const first = await append(id, 0, Buffer.from('four'))
  assert.deepEqual([first.status, first.headers['upload-offset']], [204, '4'])
  const head = await headOf(app, id)
  assert.deepEqual(
    [
      head.status,
      head.headers['upload-offset'],
      head.headers['upload-length'],
      head.headers['cache-control'],
    ],
    [200, '4', '10', 'no-store'],
  )
  assert.equal(head.headers['upload-metadata'], encodeMetadata({ filename: 'long.txt', collectionId }))
  for (const reply of [created, first, head, await append(id, 0, Buffer.from('x'))]) {
    assert.equal(reply.headers['tus-resumable'], '1.0.0')
  }
  const other = await append(id, 4, Buffer.from('x'), { 'tus-resumable': '0.2.2' })
  assert.deepEqual([other.status, other.headers['tus-version']], [412, '1.0.0'])
})

test('a request that names no version of the protocol is a 412 that names ours, and changes nothing', async () => {
  const { id } = (await create(10)).body.data
  const path = `/knowledge/uploads/${id}`
  const type = { 'content-type': 'application/offset+octet-stream' }
  const creation = {
    'upload-length': '10',
    'upload-metadata': encodeMetadata({ filename: 'a.txt', collectionId }),
  }
  const { total } = (await app.request('GET', '/knowledge/uploads')).body.meta
  for (const reply of [
    await app.request('POST', '/knowledge/uploads', { headers: creation }),
    await app.request('HEAD', path),
    await app.request('PATCH', path, { body: Buffer.from('x'), headers: { ...type, 'upload-offset': '0' } }),
    await app.request('DELETE', path),
  ]) {
    assert.deepEqual(
      [reply.status, reply.headers['tus-version'], reply.headers['tus-resumable']],
      [412, '1.0.0', '1.0.0'],
    )
  }
  assert.equal(await offsetOf(id), 0)
  assert.equal((await app.request('GET', '/knowledge/uploads')).body.meta.total, total)
  assert.equal((await app.request('OPTIONS', '/knowledge/uploads')).status, 200)
  assert.equal((await app.request('GET', path)).status, 200)
})

test('the first bytes may come with the creation', async () => {
  const reply = await app.request('POST', '/knowledge/uploads', {
    body: Buffer.from('All of it.'),
    headers: {
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-length': '10',
      'upload-metadata': encodeMetadata({ filename: 'short.txt', collectionId }),
    },
  })
  assert.deepEqual([reply.status, reply.headers['upload-offset']], [201, '10'])
  assert.deepEqual(await original(reply.body.data.documentId), Buffer.from('All of it.'))
})

test('an upload with an external id is the next version of the document that has it', async () => {
  const send = async (text: string) => {
    const { id } = (await create(text.length, { externalId: 'tus/versions' })).body.data
    const reply = await append(id, 0, Buffer.from(text))
    const documentId = String(reply.headers['atrium-document-id'])
    return (await app.request('GET', `/knowledge/documents/${documentId}`)).body.data
  }
  const first = await send('The first content.')
  const second = await send('The second content.')
  assert.deepEqual([second.id, first.version, second.version], [first.id, 1, 2])
})

test('an upload can be given up, and is gone; one that is forgotten goes by itself', async () => {
  const { id } = (await create(10)).body.data
  const dry = await app.request('DELETE', `/knowledge/uploads/${id}?dryRun=true`)
  assert.equal(dry.body.data.effects[0].ids[0], id)
  const gone = await app.request('DELETE', `/knowledge/uploads/${id}`, {
    headers: { 'tus-resumable': '1.0.0' },
  })
  assert.equal(gone.status, 204)
  assert.equal((await headOf(app, id)).status, 404)
  const forgotten = (await create(10)).body.data
  skippedMs += dayMs + 1_000
  assert.equal((await append(forgotten.id, 0, Buffer.from('x'))).status, 404)
  await app.app.services.resumableUploads.tidy()
  const left = await app.dependencies.partialFiles.ids(Number.MAX_SAFE_INTEGER)
  assert.ok(!left.includes(forgotten.id) && !left.includes(id))
})
