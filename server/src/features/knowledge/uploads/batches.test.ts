import assert from 'node:assert/strict'
import { readdir } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import {
  type BatchArguments,
  outcomes,
  type SentFile,
  sendBatch,
} from '../../../testing/knowledge/batches.ts'
import { createCollection, search } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'uploadMb=2' } })
})
after(() => app.close())

const send = (collectionId: string, ...rest: BatchArguments): Promise<TestReply> =>
  sendBatch(app, collectionId, ...rest)

const countIn = async (collectionId: string): Promise<number> =>
  (await app.request('GET', `/knowledge/collections/${collectionId}`)).body.data.documentCount

/** Staging is cleared right behind the reply. */
async function stagingIsEmpty(): Promise<void> {
  const staged = () => readdir(join(app.dependencies.blobFolder, 'staging'))
  await eventually('staging is empty', async () => (await staged()).length === 0)
}

const gzip = Buffer.from('1f8b0800000000000003', 'hex')

test('many files are taken in at once, and a bad one never costs another', async () => {
  const collectionId = await createCollection(app)
  const reply = await send(collectionId, [
    { name: 'a.txt', content: 'The aardvark digs.' },
    { name: 'photos.gz', content: gzip },
    { name: 'empty.txt', content: '' },
    { name: 'huge.txt', content: Buffer.alloc(2 * 1024 * 1024 + 1, 'a ') },
    { name: 'docs/b.md', content: '# Beaver\n\nThe beaver builds.' },
    { name: 'docs/b.md', content: 'The same name once more.' },
  ])
  assert.deepEqual(
    reply.body.data.files.map((file: { name: string; error: { code: string } | null; outcome: string }) => [
      file.name,
      file.error?.code ?? file.outcome,
    ]),
    [
      ['a.txt', 'created'],
      ['photos.gz', 'unsupported_media_type'],
      ['empty.txt', 'validation_failed'],
      ['huge.txt', 'payload_too_large'],
      ['docs/b.md', 'created'],
      ['docs/b.md', 'already_exists'],
    ],
  )
  const { created, rejected, files } = reply.body.data
  assert.deepEqual([created, rejected], [2, 4])
  assert.equal(files[4].externalId, 'docs/b.md')
  assert.equal(files[4].document.name, 'docs/b.md')
  assert.equal(await countIn(collectionId), 2)
  for (const { document } of [files[0], files[4]]) {
    const settled = await app.request('GET', `/knowledge/documents/${document.id}`, {
      headers: { prefer: 'wait=30' },
    })
    assert.equal(settled.body.data.status, 'ready')
  }
  assert.equal((await search(app, 'beaver'))[0].documentId, files[4].document.id)
  await stagingIsEmpty()
})

test('the same files again are unchanged, and one with other content is a new version', async () => {
  const collectionId = await createCollection(app)
  const files = [
    { name: 'a.txt', content: 'One.' },
    { name: 'b.txt', content: 'Two.' },
  ]
  await send(collectionId, files)
  assert.deepEqual(outcomes(await send(collectionId, files)), { 'a.txt': 'unchanged', 'b.txt': 'unchanged' })
  const later = [files[0] as SentFile, { name: 'b.txt', content: 'Two, revised.' }]
  const reply = await send(collectionId, later)
  assert.deepEqual(outcomes(reply), { 'a.txt': 'unchanged', 'b.txt': 'changed' })
  assert.equal(reply.body.data.files[1].document.version, 2)
  assert.equal(await countIn(collectionId), 2)
})

test('without external ids every file is a new document, and metadata is given to all', async () => {
  const collectionId = await createCollection(app)
  const files = [{ name: 'a.txt', content: 'One.' }]
  const fields = { externalIds: 'none', metadata: '{"department":"people"}' }
  for (let round = 0; round < 2; round++) {
    const [file] = (await send(collectionId, files, { fields })).body.data.files
    assert.deepEqual([file.outcome, file.externalId, file.document.externalId], ['created', null, null])
    assert.deepEqual(file.document.metadata, { department: 'people' })
  }
  assert.equal(await countIn(collectionId), 2)
})

test('the plan’s storage is a limit for each file, and what fits is taken', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace('starter')
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const collectionId = await createCollection(app, key)
  const { storageBytes } = app.app.services.limits.of({ plan: 'starter', requestsPerMinute: null })
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('collections')
      .set({ size_bytes: storageBytes - 10, stored_bytes: storageBytes - 10 })
      .where('id', '=', collectionId)
      .execute(),
  )
  const files = [
    { name: 'long.txt', content: 'Longer than what is left.' },
    { name: 'short.txt', content: 'Short.' },
  ]
  assert.deepEqual(outcomes(await send(collectionId, files, { key })), {
    'long.txt': 'storage_limit',
    'short.txt': 'created',
  })
})

test('a dry run answers the outcomes and takes nothing', async () => {
  const collectionId = await createCollection(app)
  await send(collectionId, [
    { name: 'a.txt', content: 'One.' },
    { name: 'b.txt', content: 'Two.' },
  ])
  const files = [
    { name: 'a.txt', content: 'One.' },
    { name: 'b.txt', content: 'Other.' },
    { name: 'c.txt', content: 'New.' },
    { name: 'd.gz', content: gzip },
  ]
  const reply = await send(collectionId, files, { query: '?dryRun=true' })
  assert.equal(reply.body.data.dryRun, true)
  assert.deepEqual(outcomes(reply), {
    'a.txt': 'unchanged',
    'b.txt': 'changed',
    'c.txt': 'created',
    'd.gz': 'unsupported_media_type',
  })
  assert.equal(await countIn(collectionId), 2)
  await stagingIsEmpty()
})

test('what is wrong with the request as a whole is a 400 that names it', async () => {
  const collectionId = await createCollection(app)
  const file = { name: 'a.txt', content: 'One.' }
  const fieldsOf = (reply: TestReply) => reply.body.errors.map(({ field }: { field: string }) => field)
  for (const [reply, fields] of [
    [await send('col_00000000000000000000000000', [file]), ['collectionId']],
    [await send(collectionId, []), ['file']],
    [await send(collectionId, [file], { fields: { externalIds: 'name' } }), ['externalIds']],
    [await send(collectionId, [file], { fields: { titel: 'x' } }), ['titel']],
    [
      await send(
        collectionId,
        Array.from({ length: 201 }, () => file),
      ),
      ['file'],
    ],
  ] as const) {
    assert.deepEqual([reply.status, fieldsOf(reply)], [400, fields])
  }
  assert.equal(await countIn(collectionId), 0)
  const narrowed = await app.createKey({ collectionIds: [await createCollection(app)] })
  assert.equal((await send(collectionId, [file], { key: narrowed })).status, 400)
})

test('files that come to too much are a 413, and leave nothing in staging', async () => {
  const collectionId = await createCollection(app)
  const content = Buffer.alloc(2 * 1024 * 1024, 'a ')
  const files = Array.from({ length: 12 }, (_, index) => ({ name: `${index}.txt`, content }))
  assert.equal((await send(collectionId, files)).status, 413)
  await stagingIsEmpty()
})

test('a batch repeated with its Idempotency-Key is carried out once; another file or name is a 422', async () => {
  const collectionId = await createCollection(app)
  const headers = { 'idempotency-key': 'batch-1' }
  const fields = { externalIds: 'none' }
  const files = [
    { name: 'a.txt', content: 'One.' },
    { name: 'b.txt', content: 'Two.' },
  ]
  const first = await send(collectionId, files, { headers, fields })
  const again = await send(collectionId, files, { headers, fields })
  assert.equal(again.headers['idempotency-replayed'], 'true')
  assert.deepEqual(again.body, first.body)
  for (const name of ['b.txt', 'c.txt']) {
    const other = [files[0] as SentFile, { name, content: name === 'b.txt' ? 'Other.' : 'Two.' }]
    assert.equal((await send(collectionId, other, { headers, fields })).status, 422)
  }
  assert.equal(await countIn(collectionId), 2)
})

test('one entry of the audit log stands for all files of an upload, and each file is found by its request and by its id', async () => {
  const collectionId = await createCollection(app)
  const entries = async (query: Record<string, string>): Promise<[total: number, actions: string[]]> => {
    const { body } = await app.request('GET', '/audit-log', { query: { pageSize: 5, ...query } })
    return [body.meta.total, body.data.map(({ action }: { action: string }) => action)]
  }
  const [before] = await entries({})
  const files = Array.from({ length: 40 }, (_, index) => ({
    name: `${index}.txt`,
    content: `File ${index}.`,
  }))
  const sent = await send(collectionId, files)
  const [total, [newest]] = await entries({})
  assert.deepEqual([total, newest], [before + 1, 'document.batch'])
  const [whole] = (await app.request('GET', '/audit-log', { query: { pageSize: 1 } })).body.data
  assert.deepEqual([whole.resourceId, whole.details], [collectionId, { files: 40 }])
  assert.deepEqual((await entries({ requestId: whole.requestId }))[0], 41)
  assert.deepEqual((await entries({ action: 'document.put' }))[0] >= 40, true)
  const [{ document }] = sent.body.data.files
  assert.deepEqual(await entries({ resourceId: document.id }), [1, ['document.put']])
  // What changes nothing leaves no entry.
  await send(collectionId, files)
  assert.deepEqual((await entries({}))[0], before + 1)
})
