import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import type { Scope } from '../../../../platform/caller.ts'
import type { Database } from '../../../../platform/database/database.ts'
import { createTestDatabase } from '../../../../testing/database.ts'
import { createLibrary, type Library } from '../../../../testing/knowledge/indexed-documents.ts'
import { chunksPerSlice, prepareChunks } from './index-writer.ts'

type Setting = { database: Database; library: Library; scope: Scope; collectionId: string }

async function createSetting(t: TestContext): Promise<Setting> {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  return { database, library, scope, collectionId: await library.createCollection(scope) }
}

/** Everything that ranking knows besides the chunks. */
async function readStatistics({ read }: Database): Promise<unknown> {
  return {
    indexes: await read.selectFrom('search_indexes').selectAll().orderBy('number').execute(),
    terms: await read
      .selectFrom('search_terms')
      .selectAll()
      .orderBy('index_number')
      .orderBy('term')
      .execute(),
    collections: await read
      .selectFrom('search_collections')
      .select(['number', 'chunk_count'])
      .orderBy('number')
      .execute(),
  }
}

const textsOf = async (library: Library, scope: Scope, query: string): Promise<string[]> =>
  (await library.find(scope, query)).results.map(result => result.text).sort()

test('removing a document takes back exactly what it added to the statistics', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  await library.add(scope, { collectionId, title: 'Birds', chunks: ['heron and stork', 'heron heron'] })
  const before = await readStatistics(database)
  const found = await library.find(scope, 'heron stork')
  const chunks = Array.from({ length: 50 }, (_, i) => ({
    text: `heron egret ${i} ${'nest '.repeat(i % 5)}`,
    headings: 'Nests',
  }))
  const document = await library.add(scope, {
    collectionId,
    title: 'Heron and egret',
    name: 'egret2.txt',
    chunks,
  })
  assert.notDeepEqual(await readStatistics(database), before)
  await library.remove(document)
  assert.deepEqual(await readStatistics(database), before)
  assert.deepEqual(await library.find(scope, 'heron stork'), found)
  assert.deepEqual(await textsOf(library, scope, 'egret'), [])
  for (const table of ['search_chunks', 'search_segments'] as const) {
    const { count } = await database.read
      .selectFrom(table)
      .select(row => row.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    assert.equal(count, table === 'search_chunks' ? 2 : 1)
  }
})

test('a new version is found all at once, in place of the old one, when it is published', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  const old = Array.from({ length: 40 }, (_, i) => `heron ${i}`)
  const document = await library.add(scope, { collectionId, chunks: old })
  await library.addVersion(
    document,
    2,
    Array.from({ length: 40 }, (_, i) => `heron stork ${i}`),
  )
  assert.deepEqual(await textsOf(library, scope, 'stork'), [])
  assert.equal(
    (await library.find(scope, 'heron')).results.every(result => result.documentVersion === 1),
    true,
  )

  const left = await database.write(tx => library.writer.publishVersion(scope, tx, document.id, 2))
  assert.ok(left > 0, 'so that the old version has not been removed yet')
  const published = await library.find(scope, 'heron')
  assert.equal(published.results[0]?.text, 'heron stork 0heron stork 1heron stork 2')
  assert.equal(
    published.results.every(result => result.documentVersion === 2),
    true,
  )

  await library.publish(document, 2)
  const { count } = await database.read
    .selectFrom('search_chunks')
    .select(row => row.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  assert.equal(count, 40)
})

test('a search while a document is replaced returns exactly one version of the document', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  const chunks = Array.from({ length: 20 }, (_, i) => `heron ${i}`)
  const document = await library.add(scope, { collectionId, chunks })
  let replacing = true
  const replace = async (): Promise<void> => {
    for (let version = 2; version <= 12; version++) {
      await library.addVersion(document, version, chunks)
      await library.publish(document, version)
    }
    replacing = false
  }
  const versions = new Set<number>()
  const watch = async (): Promise<void> => {
    while (replacing) {
      const { total, results } = await library.find(scope, 'heron')
      assert.deepEqual([total, results[0]?.text], [7, 'heron 0heron 1heron 2'])
      assert.equal(new Set(results.map(result => result.documentVersion)).size, 1)
      versions.add(results[0]?.documentVersion ?? 0)
      await new Promise(resolve => setImmediate(resolve))
    }
  }
  await Promise.all([replace(), watch(), watch()])
  assert.ok(versions.size > 2)
})

test('a version that was begun and discarded leaves no trace', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  const document = await library.add(scope, { collectionId, chunks: ['heron'] })
  const before = await readStatistics(database)
  await library.addVersion(
    document,
    2,
    Array.from({ length: 40 }, (_, i) => `stork ${i}`),
  )
  let left = Number.POSITIVE_INFINITY
  while (left > 0) {
    left = await database.write(tx => library.writer.discardVersion(scope, tx, document.id, 2))
  }
  assert.deepEqual(await readStatistics(database), before)
  assert.deepEqual(await textsOf(library, scope, 'heron stork'), ['heron'])
})

test('from the commit on nothing of a removed document or a hidden collection is found', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  const other = await library.createCollection(scope)
  const chunks = Array.from({ length: 60 }, (_, i) => `heron ${i}`)
  const removed = await library.add(scope, { collectionId, chunks })
  const hidden = await library.add(scope, { collectionId: other, chunks })
  const kept = await library.add(scope, { collectionId, chunks: ['heron'] })
  await database.write(async tx => {
    const left = await library.writer.removeDocument(scope, tx, removed.id)
    assert.equal(left, 60 - chunksPerSlice)
    await library.writer.hideCollection(scope, tx, other)
  })
  assert.deepEqual(
    (await library.find(scope, 'heron')).results.map(result => result.documentId),
    [kept.id],
  )
  assert.equal((await library.find(scope, 'heron', [other])).total, 0)

  await library.remove(removed)
  await library.remove(hidden)
  await database.write(tx => library.writer.forgetCollection(scope, tx, other))
  assert.equal((await database.read.selectFrom('search_collections').selectAll().execute()).length, 1)
})

test('search finds nothing of a collection that was deleted before its first chunk, until it is shown', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  await database.write(tx =>
    tx.updateTable('collections').set({ deleted_at: 1 }).where('id', '=', collectionId).execute(),
  )
  await library.add(scope, { collectionId, chunks: ['heron'] })
  assert.deepEqual(await textsOf(library, scope, 'heron'), [])
  await database.write(tx => library.writer.showCollection(scope, tx, collectionId))
  assert.deepEqual(await textsOf(library, scope, 'heron'), ['heron'])
})

test('another workspace or environment cannot publish or remove a document', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  const document = await library.add(scope, { collectionId, chunks: ['heron'] })
  const strangers: Scope[] = [await library.createScope(), { ...scope, environment: 'test' }]
  for (const stranger of strangers) {
    const theirs = await library.createCollection(stranger)
    await library.add(stranger, { collectionId: theirs, chunks: ['stork'] })
    await library.remove({ ...document, scope: stranger })
    await library.publish({ ...document, scope: stranger }, 7)
  }
  assert.deepEqual(await textsOf(library, scope, 'heron'), ['heron'])
  const { chunk_count } = await database.read
    .selectFrom('search_indexes')
    .select('chunk_count')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', 'live')
    .executeTakeFirstOrThrow()
  assert.equal(chunk_count, 1)
})

test('documents that come and go at the same time leave statistics as if they had come one by one', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  const other = await library.createCollection(scope)
  const add = (i: number) =>
    library.add(scope, {
      collectionId: i % 2 === 0 ? collectionId : other,
      title: `Heron ${i % 3}`,
      chunks: Array.from({ length: 20 }, (_, k) => `stork ${i} roof ${k % 4} nest`),
    })
  const documents = await Promise.all(Array.from({ length: 12 }, (_, i) => add(i)))
  await Promise.all([...documents.slice(4).map(library.remove), add(0), add(1)])
  const busy = await readStatistics(database)

  const calm = await createTestDatabase()
  t.after(calm.close)
  const another = createLibrary(calm.database)
  const calmScope = await another.createScope()
  const collections = [await another.createCollection(calmScope), await another.createCollection(calmScope)]
  for (const i of [0, 1, 2, 3, 0, 1]) {
    await another.add(calmScope, {
      collectionId: collections[i % 2] ?? '',
      title: `Heron ${i % 3}`,
      chunks: Array.from({ length: 20 }, (_, k) => `stork ${i} roof ${k % 4} nest`),
    })
  }
  const withoutIds = (statistics: unknown): unknown =>
    JSON.parse(JSON.stringify(statistics), (key, value) =>
      ['workspace_id', 'number', 'index_number'].includes(key) ? null : value,
    )
  assert.deepEqual(withoutIds(busy), withoutIds(await readStatistics(calm.database)))
})

test('a slice has a limit', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  const document = { id: 'doc_1', version: 1, collectionId, title: null, name: 'a.txt' }
  const chunks = Array.from({ length: chunksPerSlice + 1 }, (_, i) => ({
    id: `chk_${i}`,
    headings: '',
    text: 'heron',
  }))
  const prepared = prepareChunks(document, chunks)
  await assert.rejects(
    database.write(tx => library.writer.writeChunks(scope, tx, document, prepared)),
    RangeError,
  )
})
