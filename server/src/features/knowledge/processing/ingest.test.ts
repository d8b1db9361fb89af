import assert from 'node:assert/strict'
import { Readable } from 'node:stream'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, search, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let nowMs = Date.now()

before(async () => {
  app = await startTestApp({ clock: () => nowMs })
})
after(() => app.close())

/** So many different paragraphs, of about a chunk each. */
const longText = (paragraphs: number): string =>
  Array.from(
    { length: paragraphs },
    (_, i) => `Paragraph ${i} tells of the tapir. ${'It goes on. '.repeat(90)}`,
  ).join('\n\n')

async function untilStatus(id: string, wanted: string): Promise<void> {
  await eventually(`it is ${wanted}`, async () => {
    const { status } = (await app.request('GET', `/knowledge/documents/${id}`)).body.data
    if (status === wanted) return true
    assert.ok(status !== 'ready' && status !== 'failed', `It is ${status} before it was ${wanted}`)
    return false
  })
}

async function untilNoJobs(): Promise<void> {
  const { read } = app.dependencies.database
  await eventually('no job is left', async () => {
    const open = await read
      .selectFrom('jobs')
      .select('id')
      .where('state', 'in', ['queued', 'running'])
      // An erasure looks again hours later for what was being written meanwhile.
      .where('run_at', '<=', Date.now() + 60_000)
      .execute()
    return open.length === 0
  })
}

const rowsOf = async (documentId: string): Promise<number[]> => {
  const { read } = app.dependencies.database
  const chunks = await read.selectFrom('chunks').select('id').where('document_id', '=', documentId).execute()
  const segments = await read
    .selectFrom('search_segments')
    .select('first_number')
    .where('document_id', '=', documentId)
    .execute()
  return [chunks.length, segments.length]
}

test('a long document shows its stages and its progress, and is found only when all of it is', async () => {
  const collectionId = await createCollection(app)
  const reply = await upload(app, { collectionId, content: longText(1_500) })
  const { id } = reply.body.data
  await untilStatus(id, 'indexing')
  assert.deepEqual(await search(app, 'tapir'), [])
  const seen: number[] = []
  for (let status = ''; status !== 'ready'; await sleep(20)) {
    const { data } = (await app.request('GET', `/knowledge/documents/${id}`)).body
    status = data.status
    seen.push(data.progress)
  }
  assert.deepEqual(
    seen,
    [...seen].sort((a, b) => a - b),
  )
  assert.equal(seen.at(-1), 1)
  assert.ok((await search(app, 'tapir')).length > 0)
})

test('a document that is erased while it is read leaves nothing behind and is never found', async () => {
  const collectionId = await createCollection(app)
  const { id } = (
    await upload(app, { collectionId, content: longText(1_500).replaceAll('tapir', 'gharial') })
  ).body.data
  await untilStatus(id, 'indexing')
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)).status, 204)
  await untilNoJobs()
  assert.deepEqual(await search(app, 'gharial'), [])
  assert.deepEqual(await rowsOf(id), [0, 0])
  const { data } = (await app.request('GET', `/knowledge/collections/${collectionId}`)).body
  assert.deepEqual([data.documentCount, data.chunkCount, data.sizeBytes], [0, 0, 0])
})

test('documents that are read at the same time are each found once, whichever of them is erased meanwhile', async () => {
  const collectionId = await createCollection(app)
  const numbers = Array.from({ length: 18 }, (_, number) => number)
  const ids = await Promise.all(
    numbers.map(async number => {
      const content = `The okapi number${number} eats leaves.`
      const { id } = (await upload(app, { collectionId, content })).body.data
      if (number % 6 === 0) await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)
      return id as string
    }),
  )
  for (const number of numbers) {
    const id = ids[number] ?? ''
    if (number % 6 > 0) await untilStatus(id, 'ready')
    const results = await search(app, `okapi number${number}`)
    const found = results.filter(({ text }) => text.includes(`number${number} `))
    assert.equal(found.length, number % 6 > 0 ? 1 : 0, `number ${number}`)
  }
  await untilNoJobs()
  for (const number of numbers) {
    assert.deepEqual(await rowsOf(ids[number] ?? ''), number % 6 > 0 ? [1, 1] : [0, 0], `number ${number}`)
  }
})

test('a collection that is erased while its documents are read leaves nothing behind', async () => {
  const collectionId = await createCollection(app)
  const { id } = (await upload(app, { collectionId, content: longText(1_500).replaceAll('tapir', 'dugong') }))
    .body.data
  await untilStatus(id, 'indexing')
  assert.equal((await app.request('DELETE', `/knowledge/collections/${collectionId}?erase=true`)).status, 204)
  await untilNoJobs()
  assert.deepEqual(await search(app, 'dugong'), [])
  assert.deepEqual(await rowsOf(id), [0, 0])
})

test('an attempt that was cut short in the middle leaves nothing doubled after the next one', async () => {
  const collectionId = await createCollection(app)
  const { id } = (await upload(app, { collectionId, content: longText(800).replaceAll('tapir', 'kakapo') }))
    .body.data
  await untilStatus(id, 'indexing')
  const { database } = app.dependencies
  // What a paused process finds when it wakes up: its lease is somebody else's.
  await database.write(tx =>
    tx
      .updateTable('jobs')
      .set({ state: 'queued', lease_token: null, lease_until: null, run_at: 0 })
      .where('queue', '=', 'knowledge-ingest')
      .where('state', '=', 'running')
      .execute(),
  )
  await untilNoJobs()
  const { data } = (await app.request('GET', `/knowledge/documents/${id}`)).body
  assert.equal(data.status, 'ready')
  const [chunks] = await rowsOf(id)
  assert.equal(chunks, data.chunkCount)
  const content = await app.request('GET', `/knowledge/documents/${id}/content`, {
    query: { from: 0, to: 2_000 },
  })
  assert.ok(content.body.data.text.startsWith('Paragraph 0 tells of the kakapo.'))
  const collection = (await app.request('GET', `/knowledge/collections/${collectionId}`)).body.data
  assert.equal(collection.chunkCount, data.chunkCount)
})

test('a document that a stopping server gives back in the middle is ready after the next start', async () => {
  const collectionId = await createCollection(app)
  const { worker } = app.app.services
  const { id } = (await upload(app, { collectionId, content: longText(1_500).replaceAll('tapir', 'wombat') }))
    .body.data
  await eventually('some of it is written', async () => ((await rowsOf(id))[0] ?? 0) > 0)
  await worker.drain(0)
  const [begun = 0] = await rowsOf(id)
  assert.ok(begun > 0)
  worker.start()
  await untilNoJobs()
  const { data } = (await app.request('GET', `/knowledge/documents/${id}`)).body
  assert.deepEqual([data.status, data.error], ['ready', null])
  assert.equal((await rowsOf(id))[0], data.chunkCount)
})

test('a document whose file is gone fails and says so', async () => {
  const collectionId = await createCollection(app)
  const { database, blobs } = app.dependencies
  await app.app.services.worker.drain(5_000)
  const { id } = (await upload(app, { collectionId })).body.data
  const { blob_id } = await database.read
    .selectFrom('documents')
    .select('blob_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  await blobs.remove(blob_id)
  app.app.services.worker.start()
  const { data } = (
    await app.request('GET', `/knowledge/documents/${id}`, { headers: { prefer: 'wait=20' } })
  ).body
  assert.deepEqual([data.status, data.error.code], ['failed', 'file_missing'])
})

test('files that belong to no document are removed after a day, and no others', async () => {
  const collectionId = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId })
  const { blobs, newId } = app.dependencies
  const file = await blobs.receive(Readable.from([Buffer.from('cut off')]), {
    name: 'a.txt',
    statedMediaType: 'text/plain',
    maxBytes: 100,
  })
  const orphan = newId('blob')
  await blobs.adopt(file, orphan)
  assert.equal(await app.app.services.sweepOrphans(), 0)
  nowMs += 25 * 60 * 60 * 1_000
  assert.equal(await app.app.services.sweepOrphans(), 1)
  assert.ok(!(await Array.fromAsync(blobs.ids())).includes(orphan))
  assert.equal((await app.request('GET', `/knowledge/documents/${id}/original`)).status, 200)
})

test('an archive that waits for its import for longer than a day is not taken for a file that belongs to nothing', async () => {
  const { services } = app.app
  await services.worker.drain(5_000)
  const form = new FormData()
  form.append('file', new Blob(['no archive']), 'archive.tar.gz')
  const { id } = (await app.request('POST', '/knowledge/imports', { form })).body.data
  nowMs += 25 * 60 * 60 * 1_000
  assert.equal(await services.sweepOrphans(), 0)
  services.worker.start()
  const read = () => app.request('GET', `/knowledge/imports/${id}`, { headers: { prefer: 'wait=20' } })
  assert.equal((await read()).body.data.error.code, 'archive_invalid')
})
