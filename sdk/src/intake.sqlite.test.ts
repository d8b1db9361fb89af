/** The ways in which documents come besides a single upload, against the real server. */
import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../../server/src/testing/test-app.ts'
import { Atrium } from './client.ts'
import { ConflictError, NotFoundError, UnsupportedTypeError } from './transport/errors.ts'

let app: TestApp
let address: string
let atrium: Atrium
before(async () => {
  app = await startTestApp()
  address = await app.listen()
  atrium = new Atrium({ apiKey: app.liveKey.key, baseUrl: address })
})
after(() => app.close())

const newCollection = async (): Promise<string> =>
  (await atrium.knowledge.collections.create({ name: 'Handbook' })).id
const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex')

test('many files go in one call, and each outcome is told', async () => {
  const { documents } = atrium.knowledge
  const wanted = {
    collectionId: await newCollection(),
    files: [
      { name: 'docs/a.md', content: '# A' },
      { name: 'docs/empty.md', content: '' },
    ],
  }
  const foreseen = await documents.previewUploadMany(wanted)
  assert.deepEqual([foreseen.dryRun, foreseen.created, foreseen.rejected], [true, 1, 1])
  const batch = await documents.uploadMany(wanted)
  assert.deepEqual(
    batch.files.map(({ name, outcome }) => [name, outcome]),
    [
      ['docs/a.md', 'created'],
      ['docs/empty.md', 'rejected'],
    ],
  )
  assert.equal((await documents.uploadMany(wanted)).unchanged, 1)
})

test('a text goes without a file, is unchanged when it is put again, and is changed by its external id', async () => {
  const { documents } = atrium.knowledge
  const collectionId = await newCollection()
  const made = await documents.upload({ collectionId, title: 'Leave', text: 'Everybody has 28 days.' })
  assert.deepEqual([made.title, made.name], ['Leave', 'Leave'])
  const target = { collectionId, externalId: 'wiki/travel' }
  const wanted = { ...target, text: '# Travel', name: 'travel.md' }
  const first = await documents.put(wanted)
  const again = await documents.put(wanted)
  assert.deepEqual([again.id, again.version, again.name], [first.id, 1, 'travel.md'])
  const changed = await documents.updateByExternalId(collectionId, 'wiki/travel', { title: 'Trips' })
  assert.equal(changed.title, 'Trips')
})

test('a sync session brings a collection in line, and its guard is an error of its own', async () => {
  const { documents, syncs } = atrium.knowledge
  const collectionId = await newCollection()
  const texts = Object.fromEntries(
    Array.from({ length: 5 }, (_, index) => [`doc-${index}`, `Text ${index}.`]),
  )
  const entries = Object.entries(texts).map(([externalId, text]) => ({ externalId, sha256: sha256(text) }))
  const { sync, upload } = await syncs.open(collectionId, { entries })
  for (const { externalId } of upload) {
    const content = texts[externalId] ?? ''
    await documents.put({ collectionId, externalId, file: { name: `${externalId}.txt`, content } })
  }
  const completed = await syncs.complete(sync.id)
  assert.deepEqual([completed.status, completed.added, completed.failed], ['completed', 5, 0])

  const plan = await syncs.preview(collectionId, { entries: entries.slice(0, 1) })
  assert.equal(plan.wouldDelete?.count, 4)
  const left = await syncs.open(collectionId)
  assert.equal((await syncs.open(collectionId, { ifOpen: 'resume' })).sync.id, left.sync.id)
  const next = await syncs.open(collectionId, { entries: entries.slice(0, 1), ifOpen: 'cancel' })
  assert.equal((await syncs.get(left.sync.id)).status, 'cancelled')
  assert.equal((await syncs.previewComplete(next.sync.id))[0]?.count, 4)
  await assert.rejects(
    () => syncs.complete(next.sync.id),
    error => error instanceof ConflictError && error.is('delete_guard') && error.details.confirmDeletes === 4,
  )
  assert.equal((await syncs.complete(next.sync.id, { confirmDeletes: 4 })).deleted, 4)
})

test('a large file is sent in pieces, goes on with an upload that was begun, and its refusal is an error', async () => {
  const { uploads, documents } = atrium.knowledge
  const collectionId = await newCollection()
  const content = new Blob(['A line of text.\n'.repeat(20_000)])
  const seen: number[] = []
  const begun = await uploads.create({ collectionId, name: 'large.txt' }, content.size)
  await uploads.append(begun.id, 0, content.slice(0, 100_000))
  const id = await uploads.send({ collectionId, name: 'large.txt' }, content, {
    uploadId: begun.id,
    chunkBytes: 100_000,
    onProgress: (_id, offset) => seen.push(offset),
  })
  assert.deepEqual(seen, [100_000, 200_000, 300_000])
  assert.equal((await documents.get(id)).sizeBytes, content.size)
  const gzip = new Blob([new Uint8Array([0x1f, 0x8b, 0x08, 0, 0, 0, 0, 0, 0, 3])])
  await assert.rejects(() => uploads.send({ collectionId, name: 'a.gz' }, gzip), UnsupportedTypeError)
})

test('an upload goes on after its line was broken for longer than single calls are tried again', async () => {
  const collectionId = await newCollection()
  const content = new Blob(['A line of text.\n'.repeat(10_000)])
  let calls = 0
  const breaking = new Atrium({
    apiKey: app.liveKey.key,
    baseUrl: address,
    maxRetries: 0,
    fetch: (input, init) => {
      calls += 1
      // The second piece, and the two questions after it where the server stands.
      return calls >= 3 && calls <= 5 ? Promise.reject(new TypeError('broken')) : fetch(input, init)
    },
  })
  const id = await breaking.knowledge.uploads.send({ collectionId, name: 'long.txt' }, content, {
    chunkBytes: 60_000,
  })
  assert.equal((await atrium.knowledge.documents.get(id)).sizeBytes, content.size)
})

test('a collection goes out as one archive, comes in as another, and is waited for', async () => {
  const { collections, documents, imports } = atrium.knowledge
  const collectionId = await newCollection()
  const { id } = await documents.upload({ collectionId, file: { name: 'a.md', content: '# A' } })
  await documents.waitUntilReady(id)
  const content = await (await collections.export(collectionId)).blob()
  const begun = await imports.create({ file: { name: 'handbook.tar.gz', content }, name: 'Copy' })
  const ended = await imports.wait(begun.id)
  assert.deepEqual([ended.status, ended.error], ['succeeded', null])
  await assert.rejects(imports.wait('imp_01kajz4v7qf3x8m2c9t5b6n0rw', { timeoutMs: 0 }), NotFoundError)
})
