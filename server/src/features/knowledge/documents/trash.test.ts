import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '../../../platform/clock.ts'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { startVectorApp } from '../../../testing/apps/vector-app.ts'
import { waitsForLock } from '../../../testing/database.ts'
import { eventually } from '../../../testing/eventually.ts'
import {
  collectionOf,
  createCollection,
  longText,
  put,
  putAndWait,
  search,
  untilNoJobs,
  upload,
  uploadAndWait,
} from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { reindexJob } from '../records/document-jobs.ts'
import { createIndexWriter } from '../search/index/index-writer.ts'

let app: TestApp
let collectionId: string
let nowMs = Date.now()

before(async () => {
  app = await startTestApp({
    clock: () => nowMs,
    settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' },
  })
  collectionId = await createCollection(app)
})
after(() => app.close())

const get = (id: string) => app.request('GET', `/knowledge/documents/${id}`)
const restore = (id: string) =>
  app.request('POST', `/knowledge/documents/${id}/restore`, { headers: { prefer: 'wait=30' } })
const erase = (id: string) => app.request('DELETE', `/knowledge/documents/${id}?erase=true`)
const remove = async (id: string): Promise<void> =>
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
const trash = async () => (await app.request('GET', '/knowledge/trash')).body.data
const found = async (query: string): Promise<string[]> =>
  (await search(app, query)).map(hit => hit.documentId)

/** What is left of a document in the tables that hold its text or name its files. */
async function rowsOf(documentId: string, of: TestApp = app): Promise<Record<string, number>> {
  const { read } = of.dependencies.database
  const count = async (table: 'chunks' | 'document_versions' | 'search_segments' | 'search_chunks') =>
    (await read.selectFrom(table).select('document_id').where('document_id', '=', documentId).execute())
      .length
  const documents = await read.selectFrom('documents').select('id').where('id', '=', documentId).execute()
  return {
    documents: documents.length,
    chunks: await count('chunks'),
    versions: await count('document_versions'),
    segments: await count('search_segments'),
    indexed: await count('search_chunks'),
  }
}

const nothing = { documents: 0, chunks: 0, versions: 0, segments: 0, indexed: 0 }

test('a deleted document lies in the trash until its day, counts for storage, and comes back as it was', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'x' }
  await putAndWait(app, { ...target, content: 'The first pangolin.' })
  const { id } = await putAndWait(app, {
    ...target,
    content: 'The second pangolin.',
    fields: { title: 'Scales', metadata: '{"a":1}' },
  })
  const before = (await get(id)).body.data
  await remove(id)
  const [trashed] = await trash()
  assert.equal(trashed.id, id)
  assert.deepEqual(
    [trashed.deletedAt, trashed.eraseAt],
    [new Date(nowMs).toISOString(), new Date(nowMs + 30 * dayMs).toISOString()],
  )
  const { documentCount, sizeBytes, storedBytes } = await collectionOf(app, own)
  assert.deepEqual([documentCount, sizeBytes, storedBytes], [0, 0, 39])
  await untilNoJobs(app)
  const rows = await rowsOf(id)
  assert.deepEqual([rows.segments, rows.indexed, rows.chunks], [0, 0, 2])
  const back = await restore(id)
  assert.equal(back.status, 200)
  const { updatedAt: _then, ...same } = before
  const { updatedAt: _now, ...restored } = back.body.data
  assert.deepEqual(restored, same)
  assert.deepEqual(await found('pangolin'), [id])
  assert.deepEqual(await found('scales'), [id])
  assert.ok((await trash()).every((row: { id: string }) => row.id !== id))
  const first = await app.request('GET', `/knowledge/documents/${id}/content?version=1`)
  assert.equal(first.body.data.text, 'The first pangolin.')
  assert.deepEqual((await collectionOf(app, own)).documentCount, 1)
  assert.equal((await restore(id)).status, 409)
})

test('a long document that comes back says that it is not ready before it can be found', async () => {
  const { id, chunkCount } = await uploadAndWait(app, { collectionId, content: longText('markhor', 700) })
  await remove(id)
  await untilNoJobs(app)
  assert.deepEqual(await found('markhor'), [])
  const reply = await app.request('POST', `/knowledge/documents/${id}/restore`)
  assert.equal(reply.body.data.status, 'indexing')
  const settled = await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=30' } })
  assert.deepEqual([settled.body.data.status, settled.body.data.chunkCount], ['ready', chunkCount])
  assert.equal((await rowsOf(id)).indexed, chunkCount)
  assert.deepEqual(new Set(await found('markhor')), new Set([id]))
})

test('a document that could not be indexed again keeps its text in the trash, and can be found once it comes back', async () => {
  const { id, chunkCount } = await uploadAndWait(app, { collectionId, content: longText('addax', 700) })
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('documents')
      .set({ status: 'failed', error_code: 'processing_failed', error_message: 'It failed.' })
      .where('id', '=', id)
      .execute(),
  )
  await remove(id)
  await untilNoJobs(app)
  const { status, chunkCount: restored, error } = (await restore(id)).body.data
  assert.deepEqual([status, restored, error], ['ready', chunkCount, null])
  assert.deepEqual(new Set(await found('addax')), new Set([id]))
})

test('a document that was in progress when it was deleted goes on when it comes back', async () => {
  const { id } = (await upload(app, { collectionId, content: longText('saola', 400) })).body.data
  await remove(id)
  const back = await restore(id)
  assert.deepEqual([back.body.data.status, back.body.data.version], ['ready', 1])
  assert.deepEqual(new Set(await found('saola')), new Set([id]))
  assert.equal((await rowsOf(id)).chunks, back.body.data.chunkCount)
  const quick = (await upload(app, { collectionId, content: longText('takin', 400) })).body.data.id
  await remove(quick)
  await untilNoJobs(app)
  assert.equal((await restore(quick)).body.data.status, 'ready')
  assert.deepEqual(new Set(await found('takin')), new Set([quick]))
})

test('a document that goes and comes back while it is indexed again is ready only with every chunk', async () => {
  const { id, chunkCount } = await uploadAndWait(app, { collectionId, content: longText('kudu', 700) })
  const { database } = app.dependencies
  const writer = createIndexWriter(database)
  const scope = { workspaceId: app.workspaceId, environment: 'live' } as const
  await remove(id)
  await untilNoJobs(app)
  await app.request('POST', `/knowledge/documents/${id}/restore`)
  await eventually('chunks are written', async () => ((await rowsOf(id)).indexed ?? 0) > 0)
  // What a deletion and a restore leave behind that come between two slices of the job.
  await database.write(async tx => {
    await writer.removeDocument(scope, tx, id)
    await createJobs(app.dependencies).enqueue(tx, reindexJob(scope, id, 'write'))
  })
  const statusOf = async () => (await app.request('GET', `/knowledge/documents/${id}`)).body.data.status
  await eventually('it is indexed', async () => (await statusOf()) !== 'indexing')
  assert.deepEqual([await statusOf(), (await rowsOf(id)).indexed], ['ready', chunkCount])
  await untilNoJobs(app)
  assert.equal((await rowsOf(id)).indexed, chunkCount)
})

test('a document that goes and comes back between two of its slices is found with every chunk once', async t => {
  const { app, server, collectionId } = await startVectorApp(t)
  const goOn = Promise.withResolvers<void>()
  // The first chunks are embedded at once, and written while the model thinks about the next ones.
  server.setVectorScript(request =>
    request.path === 'embeddings' && request.input.some(text => text.includes('Part 70 '))
      ? { kind: 'after', event: goOn.promise }
      : { kind: 'answer' },
  )
  const { id } = (await upload(app, { collectionId, content: longText('bongo', 100) })).body.data
  await eventually('slices are written', async () => ((await rowsOf(id, app)).segments ?? 0) >= 3)
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
  assert.equal((await app.request('POST', `/knowledge/documents/${id}/restore`)).status, 200)
  goOn.resolve()
  await untilNoJobs(app)
  const { status, chunkCount } = (await app.request('GET', `/knowledge/documents/${id}`)).body.data
  const { indexed } = await rowsOf(id, app)
  assert.deepEqual([status, chunkCount, indexed], ['ready', 100, 100])
})

test('a document whose external id was given away does not come back, and of two that race for it one does', async () => {
  const target = { collectionId, externalId: 'given away' }
  const { id } = await putAndWait(app, { ...target, content: 'Old.' })
  await remove(id)
  const { id: other } = await putAndWait(app, { ...target, content: 'New.' })
  assert.notEqual(other, id)
  const refused = await restore(id)
  assert.deepEqual([refused.status, refused.body.code], [409, 'already_exists'])
  assert.match(refused.body.message, new RegExp(other))
  await remove(other)
  const replies = await Promise.all([
    restore(id),
    restore(other),
    upload(app, { collectionId, fields: { externalId: 'given away' } }),
  ])
  assert.equal(
    replies.filter(({ status }) => status === 409).length,
    2,
    JSON.stringify(replies.map(r => r.status)),
  )
})

test('what has been in the trash for its time is erased with every trace, and nothing else is', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'old' }
  await putAndWait(app, { ...target, content: 'Old one.' })
  const old = await putAndWait(app, { ...target, content: 'Old two.' })
  const files = await filesOf(old.id)
  assert.equal(files.length, 2)
  await remove(old.id)
  nowMs += 29 * dayMs
  const young = await uploadAndWait(app, { collectionId: own, content: 'Young.' })
  await remove(young.id)
  await app.app.services.trash.sweep()
  await untilNoJobs(app)
  assert.equal((await rowsOf(old.id)).documents, 1)
  nowMs += 2 * dayMs
  assert.equal((await restore(old.id)).status, 404)
  await app.app.services.trash.sweep()
  await untilNoJobs(app)
  assert.deepEqual(await rowsOf(old.id), nothing)
  const left = await Array.fromAsync(app.dependencies.blobs.ids())
  assert.ok(files.every(file => !left.includes(file)))
  assert.deepEqual(
    (await trash()).map((row: { id: string }) => row.id),
    [young.id],
  )
  assert.equal((await collectionOf(app, own)).storedBytes, 6)
})

test('erasing takes a document at once, from the trash too, with its versions, its files and the replies that name it', async () => {
  const target = { collectionId, externalId: 'erased' }
  await putAndWait(app, { ...target, content: 'Erase one.' })
  const headers = { 'idempotency-key': 'erase-1', prefer: 'wait=30' }
  const sent = { ...target, content: '# Secretive binturong\n\nText.', name: 'a.md', headers }
  const { id } = await putAndWait(app, sent)
  const stored = () =>
    app.dependencies.database.read
      .selectFrom('idempotency')
      .select(['body', 'state'])
      .where('idempotency_key', '=', 'erase-1')
      .executeTakeFirstOrThrow()
  assert.match((await stored()).body ?? '', /binturong/)
  const files = await filesOf(id)
  const dry = await app.request('DELETE', `/knowledge/documents/${id}?erase=true&dryRun=true`)
  assert.equal(dry.status, 200)
  assert.equal((await erase(id)).status, 204)
  for (const reply of [await get(id), await restore(id), await erase(id)]) assert.equal(reply.status, 404)
  assert.ok((await trash()).every((row: { id: string }) => row.id !== id))
  await untilNoJobs(app)
  assert.deepEqual(await rowsOf(id), nothing)
  const left = await Array.fromAsync(app.dependencies.blobs.ids())
  assert.ok(files.length === 2 && files.every(file => !left.includes(file)))
  assert.equal((await stored()).body, null)
  const repeated = await put(app, sent)
  assert.deepEqual([repeated.status, repeated.body.code], [409, 'idempotency_interrupted'])

  const { id: second } = await uploadAndWait(app, { collectionId, content: 'Erase two.' })
  await remove(second)
  const key = { 'idempotency-key': 'erase-2' }
  const path = `/knowledge/documents/${second}?erase=true`
  assert.equal((await app.request('DELETE', path, { headers: key })).status, 204)
  await untilNoJobs(app)
  assert.deepEqual(await rowsOf(second), nothing)
  const again = await app.request('DELETE', path, { headers: key })
  assert.deepEqual([again.status, again.headers['idempotency-replayed']], [204, 'true'])
})

test('emptying the trash tells first what goes, and keeps to the collections of a narrowed key', async () => {
  const own = await createCollection(app)
  const other = await createCollection(app)
  const key = await app.createKey({ collectionIds: [own] })
  const mine = await uploadAndWait(app, { collectionId: own, content: 'Mine.' })
  const theirs = await uploadAndWait(app, { collectionId: other, content: 'Theirs.' })
  await remove(mine.id)
  await remove(theirs.id)
  const seen = await app.request('GET', '/knowledge/trash', { key })
  assert.deepEqual(
    seen.body.data.map((row: { id: string }) => row.id),
    [mine.id],
  )
  const counts = async (query: string) =>
    (await app.request('DELETE', `/knowledge/trash${query}`, { key })).body?.data.effects.map(
      ({ resource, count }: { resource: string; count: number }) => [resource, count],
    )
  assert.deepEqual(await counts('?dryRun=true'), [
    ['document', 1],
    ['collection', 0],
  ])
  await counts('')
  assert.deepEqual(await counts('?dryRun=true'), [
    ['document', 0],
    ['collection', 0],
  ])
  assert.equal((await restore(mine.id)).status, 404)
  await untilNoJobs(app)
  assert.deepEqual(await rowsOf(mine.id), nothing)
  assert.equal((await restore(theirs.id)).status, 200)
})

async function filesOf(documentId: string): Promise<string[]> {
  const { read } = app.dependencies.database
  const latest = await read.selectFrom('documents').select('blob_id').where('id', '=', documentId).execute()
  const versions = await read
    .selectFrom('document_versions')
    .select('blob_id')
    .where('document_id', '=', documentId)
    .execute()
  return [...latest, ...versions].map(({ blob_id }) => blob_id)
}

test('what is being restored while the trash is emptied is not erased', async () => {
  const { id } = await uploadAndWait(app, { collectionId, content: 'A rescued okapi.' })
  await remove(id)
  const { database } = app.dependencies
  const emptying: Promise<unknown>[] = []
  await database.write(async tx => {
    // As a restore does it, which has not committed yet when the other request begins.
    const restored = { deleted_at: null, erase_at: null }
    await tx.updateTable('documents').set(restored).where('id', '=', id).execute()
    emptying.push(app.app.services.trash.empty(app.liveKey.caller))
    await eventually('the other one waits for it', () => waitsForLock(database))
  })
  await Promise.all(emptying)
  await untilNoJobs(app)
  assert.equal((await get(id)).status, 200)
})

test('a collection goes to the trash with its documents and comes back with them, found from the reply on', async () => {
  const own = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId: own, content: 'The gerenuk stands.' })
  const { id: apart } = await uploadAndWait(app, { collectionId: own, content: 'The gerenuk lies.' })
  await remove(apart)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${own}`)).status, 204)
  assert.deepEqual(await found('gerenuk'), [])
  assert.equal((await get(id)).status, 404)
  assert.equal((await restore(apart)).status, 404)
  const listed = (await app.request('GET', '/knowledge/trash/collections')).body.data
  assert.deepEqual([listed[0].id, listed[0].documentCount], [own, 1])
  const back = await app.request('POST', `/knowledge/collections/${own}/restore`)
  assert.deepEqual([back.status, back.body.data.documentCount], [200, 1])
  assert.deepEqual(await found('gerenuk'), [id])
  assert.equal((await restore(apart)).status, 200)
  assert.deepEqual((await found('gerenuk')).sort(), [id, apart].sort())
  assert.equal((await app.request('POST', `/knowledge/collections/${own}/restore`)).status, 409)
})

test('a title that changes just before its collection is deleted is the one found once the collection comes back', async () => {
  const own = await createCollection(app)
  const titled = { collectionId: own, content: longText('nyala', 700), fields: { title: 'Bontebok' } }
  const { id } = await uploadAndWait(app, titled)
  const path = `/knowledge/documents/${id}`
  assert.equal((await app.request('PATCH', path, { body: { title: 'Blesbok' } })).status, 200)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${own}`)).status, 204)
  await untilNoJobs(app)
  assert.deepEqual([await found('bontebok'), await found('blesbok')], [[], []])
  assert.equal((await app.request('POST', `/knowledge/collections/${own}/restore`)).status, 200)
  assert.deepEqual(await found('bontebok'), [])
  assert.deepEqual(new Set(await found('blesbok')), new Set([id]))
})

test('a version that returns from the trash just before its collection goes there is found whole afterwards', async () => {
  const own = await createCollection(app)
  const target = { collectionId: own, externalId: 'x' }
  const { id, chunkCount } = await putAndWait(app, { ...target, content: longText('lechwe', 700) })
  const broken = await putAndWait(app, { ...target, name: 'broken.pdf', content: '%PDF-1.7 broken' })
  assert.deepEqual([broken.id, broken.status], [id, 'failed'])
  await remove(id)
  await untilNoJobs(app)
  assert.equal((await app.request('POST', `/knowledge/documents/${id}/restore`)).status, 200)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${own}`)).status, 204)
  await untilNoJobs(app)
  assert.deepEqual(await found('lechwe'), [])
  assert.equal((await app.request('POST', `/knowledge/collections/${own}/restore`)).status, 200)
  assert.deepEqual(new Set(await found('lechwe')), new Set([id]))
  assert.equal((await rowsOf(id)).indexed, chunkCount)
})

test('a collection is erased when its time is over, or at once, also out of the trash', async () => {
  const ids = [await createCollection(app), await createCollection(app), await createCollection(app)]
  const [late = '', atOnce = '', fromTrash = ''] = ids
  for (const own of ids) await uploadAndWait(app, { collectionId: own, content: 'The okapi.' })
  await app.request('DELETE', `/knowledge/collections/${late}`)
  await app.request('DELETE', `/knowledge/collections/${fromTrash}`)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${atOnce}?erase=true`)).status, 204)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${fromTrash}?erase=true`)).status, 204)
  assert.equal((await app.request('POST', `/knowledge/collections/${fromTrash}/restore`)).status, 404)
  await untilNoJobs(app)
  assert.deepEqual(await collectionsLeft(ids), [late])
  nowMs += 31 * dayMs
  await app.app.services.trash.sweep()
  await untilNoJobs(app)
  assert.deepEqual(await collectionsLeft(ids), [])
  assert.deepEqual(await found('okapi'), [])
})

test('a round empties the trash of a bounded number of environments, and the next one goes on', async () => {
  const { trash } = app.app.services
  await trash.sweep()
  await untilNoJobs(app)
  for (const key of [app.liveKey, app.testKey]) {
    const id = await createCollection(app, key)
    assert.equal((await app.request('DELETE', `/knowledge/collections/${id}`, { key })).status, 204)
  }
  nowMs += 31 * dayMs
  for (const due of [1, 1, 0]) {
    assert.equal(await trash.sweep(1), due)
    await untilNoJobs(app)
  }
})

async function collectionsLeft(ids: string[]): Promise<string[]> {
  const { read } = app.dependencies.database
  const rows = await read.selectFrom('collections').select('id').where('id', 'in', ids).execute()
  const documents = await read
    .selectFrom('documents')
    .select('id')
    .where('collection_id', 'in', ids)
    .execute()
  assert.equal(documents.length, rows.length)
  return rows.map(({ id }) => id)
}
