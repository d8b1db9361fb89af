import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { createTus, downloadOriginal, type Tus, textOf } from '../../../testing/knowledge/resumable.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
let address: string
let collectionId: string
let create: Tus['create']
let append: Tus['append']
let offsetOf: Tus['offsetOf']

before(async () => {
  app = await startTestApp({
    settings: { ATRIUM_PLAN_ENTERPRISE: 'uploadMb=32' },
  })
  address = await app.listen()
  collectionId = await createCollection(app)
  ;({ create, append, offsetOf } = createTus(app, collectionId))
})
after(() => app.close())

const original = (id: string): Promise<Buffer> => downloadOriginal(app, address, id)

test('a wrong offset is a 409 that tells the right one, and changes nothing', async () => {
  const { id } = (await create(10)).body.data
  await append(id, 0, Buffer.from('12345'))
  for (const offset of [0, 4, 6, 10]) {
    const reply = await append(id, offset, Buffer.from('x'))
    assert.deepEqual(
      [reply.status, reply.body.code, reply.headers['upload-offset']],
      [409, 'upload_offset', '5'],
    )
  }
  assert.equal(await offsetOf(id), 5)
  for (const offset of ['-1', 'x', '1.5', '']) {
    const reply = await append(id, 0, Buffer.from('x'), { 'upload-offset': offset })
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, 'Upload-Offset'])
  }
})

test('more bytes than were said are a 413, whether the request says so or not, and are not taken', async () => {
  const { id } = (await create(10)).body.data
  const said = await append(id, 0, Buffer.from('eleven bytes'))
  assert.deepEqual([said.status, said.body.code], [413, 'payload_too_large'])
  assert.equal(await offsetOf(id), 0)
  const unsaid = await fetch(`${address}/api/v1/knowledge/uploads/${id}`, {
    method: 'PATCH',
    headers: {
      authorization: `Bearer ${app.liveKey.key}`,
      'tus-resumable': '1.0.0',
      'content-type': 'application/offset+octet-stream',
      'upload-offset': '0',
    },
    body: Readable.toWeb(Readable.from([Buffer.from('123456'), Buffer.from('7890123')])) as ReadableStream,
    duplex: 'half',
  } as RequestInit)
  assert.equal(unsaid.status, 413)
  const offset = await offsetOf(id)
  assert.ok(offset < 10)
  const rest = await append(id, offset, Buffer.from('1234567890').subarray(offset))
  assert.equal(rest.status, 204)
  assert.deepEqual(await original(String(rest.headers['atrium-document-id'])), Buffer.from('1234567890'))
})

test('a key that is revoked or narrowed while a file comes in does not store it', async () => {
  const other = await createCollection(app)
  const changes: Record<string, [number, (id: string) => Promise<TestReply>]> = {
    revoked: [401, id => app.request('POST', `/api-keys/${id}/revoke`)],
    narrowed: [403, id => app.request('PATCH', `/api-keys/${id}`, { body: { collectionIds: [other] } })],
    unchanged: [201, async id => app.request('GET', `/api-keys/${id}`)],
  }
  const documents = async () =>
    (await app.request('GET', `/knowledge/documents?collectionId=${collectionId}`)).body.meta.total
  const before = await documents()
  for (const [name, [status, change]] of Object.entries(changes)) {
    const { key, caller } = await app.createKey({ userId: app.ownerId, collectionIds: [collectionId] })
    assert.ok(caller.kind === 'key')
    const { keyId } = caller
    const upload = (await create(10)).body.data
    let changing: Promise<TestReply> | null = null
    /** The second half comes after the change, and after the time for which a caller is believed. */
    const slowly = async (method: string, path: string, headers: object, halves: [string, string]) => {
      const body = Readable.from(
        (async function* () {
          yield Buffer.from(halves[0])
          await sleep(200)
          changing ??= change(keyId)
          assert.ok((await changing).status < 300)
          await sleep(200)
          yield Buffer.from(halves[1])
        })(),
      )
      const reply = await fetch(`${address}/api/v1${path}`, {
        method,
        headers: { authorization: `Bearer ${key}`, ...headers },
        body: Readable.toWeb(body) as ReadableStream,
        duplex: 'half',
      } as RequestInit)
      await reply.body?.cancel()
      return reply.status
    }
    const [piece, form] = await Promise.all([
      slowly(
        'PATCH',
        `/knowledge/uploads/${upload.id}`,
        {
          'tus-resumable': '1.0.0',
          'content-type': 'application/offset+octet-stream',
          'upload-offset': '0',
        },
        ['12345', '67890'],
      ),
      slowly('POST', '/knowledge/documents', { 'content-type': 'multipart/form-data; boundary=b' }, [
        `--b\r\nContent-Disposition: form-data; name="collectionId"\r\n\r\n${collectionId}\r\n--b\r\nContent-Disposition: form-data; name="file"; filename="${name}.txt"\r\n\r\nhalf`,
        ` and half of ${name}\r\n--b--\r\n`,
      ]),
    ])
    assert.deepEqual([piece, form], [status === 201 ? 204 : status, status], name)
    assert.equal(await offsetOf(upload.id), status === 201 ? 10 : 0, name)
  }
  assert.equal(await documents(), before + 2)
})

test('of two requests that add bytes at once, one is refused, and the file stays whole', async () => {
  const content = textOf(4_000_000)
  const { id } = (await create(content.length)).body.data
  const replies = await Promise.all([1, 2, 3].map(() => append(id, 0, content)))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [204, 409, 409])
  const whole = replies.find(({ status }) => status === 204)
  assert.deepEqual(await original(String(whole?.headers['atrium-document-id'])), content)
})

test('a refusal that may pass is not kept for the Idempotency-Key: the same request works later', async () => {
  const { id } = (await create(10)).body.data
  const lockUntil = (lock_until: number) =>
    app.dependencies.database.write(tx =>
      tx.updateTable('uploads').set({ lock_until }).where('id', '=', id).execute(),
    )
  const remove = () =>
    app.request('DELETE', `/knowledge/uploads/${id}`, {
      headers: { 'idempotency-key': `remove-${id}`, 'tus-resumable': '1.0.0' },
    })
  await lockUntil(Date.now() + 60_000)
  const busy = await remove()
  assert.deepEqual([busy.status, busy.body.code, busy.body.retryable], [409, 'upload_busy', true])
  await lockUntil(0)
  assert.equal((await remove()).status, 204)
})

test('bytes with another checksum than was said are not kept', async () => {
  const { id } = (await create(8)).body.data
  const sha1 = (text: string) => `sha1 ${createHash('sha1').update(text).digest('base64')}`
  const wrong = await append(id, 0, Buffer.from('abcd'), { 'upload-checksum': sha1('other') })
  assert.deepEqual([wrong.status, wrong.body.code], [460, 'checksum_mismatch'])
  assert.equal(await offsetOf(id), 0)
  const right = await append(id, 0, Buffer.from('abcd'), { 'upload-checksum': sha1('abcd') })
  assert.deepEqual([right.status, right.headers['upload-offset']], [204, '4'])
  const unknown = await append(id, 4, Buffer.from('efgh'), { 'upload-checksum': 'crc32 AAAA' })
  assert.deepEqual([unknown.status, unknown.body.errors[0].field], [400, 'Upload-Checksum'])
})

test('a creation that cannot become a document is refused before a byte is sent', async () => {
  const fieldsOf = (reply: TestReply) => reply.body.errors.map(({ field }: { field: string }) => field)
  const cases: [reply: TestReply, status: number, field: string][] = [
    [
      await create(10, { collectionId: 'col_00000000000000000000000000' }),
      400,
      'Upload-Metadata.collectionId',
    ],
    [await create(10, { collectionId: 'nonsense' }), 400, 'Upload-Metadata.collectionId'],
    [await create(10, { filename: '' }), 400, 'Upload-Metadata.filename'],
    [await create(10, { filname: 'x' }), 400, 'Upload-Metadata.filname'],
    [await create(10, { metadata: '{' }), 400, 'Upload-Metadata.metadata'],
    [await create(10, { metadata: '{"a":{}}' }), 400, 'Upload-Metadata.metadata.a'],
    [await create(10, { title: '' }), 400, 'Upload-Metadata.title'],
    [await create(0), 400, 'Upload-Length'],
    [await create(32 * 1024 * 1024 + 1), 413, 'Upload-Length'],
  ]
  for (const [reply, status, field] of cases) {
    assert.deepEqual([reply.status, fieldsOf(reply)[0]], [status, field], JSON.stringify(reply.body))
  }
})

test('a file that is not taken is refused with the last byte, and the upload says why', async () => {
  const gzip = Buffer.from('1f8b0800000000000003', 'hex')
  const { id } = (await create(gzip.length, { filename: 'photos.gz' })).body.data
  const reply = await append(id, 0, gzip)
  assert.deepEqual([reply.status, reply.body.code], [415, 'unsupported_media_type'])
  const upload = (await app.request('GET', `/knowledge/uploads/${id}`)).body.data
  assert.deepEqual(
    [upload.status, upload.error.code, upload.documentId],
    ['failed', 'unsupported_media_type', null],
  )
  assert.equal((await append(id, gzip.length, Buffer.alloc(0))).status, 409)
})

test('what is on its way counts as storage, and only so many uploads are open at once', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('starter')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const own = await createCollection(app, key)
  const { storageBytes } = app.app.services.limits.of({ plan: 'starter', requestsPerMinute: null })
  const use = (bytes: number) =>
    app.dependencies.database.write(tx =>
      tx.updateTable('collections').set({ stored_bytes: bytes }).where('id', '=', own).execute(),
    )
  await use(storageBytes - 100)
  assert.equal((await create(60, { collectionId: own }, key)).status, 201)
  const full = await create(60, { collectionId: own }, key)
  assert.deepEqual([full.status, full.body.code], [403, 'storage_limit'])
  await use(0)
  const { database, newId } = app.dependencies
  await database.write(async tx => {
    const row = await tx
      .selectFrom('uploads')
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .executeTakeFirstOrThrow()
    const rows = Array.from({ length: 99 }, () => ({ ...row, id: newId('upload') }))
    await tx.insertInto('uploads').values(rows).execute()
  })
  const tooMany = await create(60, { collectionId: own }, key)
  assert.deepEqual([tooMany.status, tooMany.body.code], [429, 'upload_limit'])
})

test('another workspace, environment or narrowing finds and lists no upload of it, and cannot add to it', async () => {
  const { id } = (await create(10)).body.data
  const { workspaceId, ownerId } = await app.createWorkspace()
  const strangers = [
    await app.createKey({ workspaceId, userId: ownerId }),
    app.testKey,
    await app.createKey({ collectionIds: [await createCollection(app)] }),
  ]
  for (const key of strangers) {
    assert.equal((await app.request('GET', `/knowledge/uploads/${id}`, { key })).status, 404)
    const headers = { 'tus-resumable': '1.0.0' }
    assert.equal((await app.request('DELETE', `/knowledge/uploads/${id}`, { key, headers })).status, 404)
    const added = await app.request('PATCH', `/knowledge/uploads/${id}`, {
      key,
      body: Buffer.from('x'),
      headers: { ...headers, 'content-type': 'application/offset+octet-stream', 'upload-offset': '0' },
    })
    assert.equal(added.status, 404)
    const listed = await app.request('GET', '/knowledge/uploads', { key })
    assert.ok(listed.body.data.every((one: { id: string }) => one.id !== id))
  }
  const reader = await app.createKey({ role: 'viewer' })
  assert.equal((await app.request('GET', '/knowledge/uploads', { key: reader })).status, 403)
})

test('a body of another type is a 415', async () => {
  const { id } = (await create(10)).body.data
  for (const type of ['application/json', 'text/plain', 'application/octet-stream']) {
    const reply = await append(id, 0, Buffer.from('{}'), { 'content-type': type })
    assert.equal(reply.status, 415, type)
  }
})
