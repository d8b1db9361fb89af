import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Scope } from '../../../platform/caller.ts'
import type { Filter } from '../../../platform/narrowing.ts'
import { createTestDatabase, type TestDatabase } from '../../../testing/database.ts'
import {
  type AddedDocument,
  createLibrary,
  type Library,
} from '../../../testing/knowledge/indexed-documents.ts'
import { writeFields } from './fields-store.ts'
import { type Metadata, parseFilter } from './filter.ts'

let place: TestDatabase
let library: Library
let scope: Scope
let collectionId: string
let sales: AddedDocument[]
let people: AddedDocument[]

const add = async (text: string, metadata: Metadata): Promise<AddedDocument> => {
  const document = await library.add(scope, { collectionId, chunks: [text] })
  await place.database.write(tx => writeFields(scope, tx, document.id, metadata))
  return document
}

before(async () => {
  place = await createTestDatabase()
  library = createLibrary(place.database)
  scope = await library.createScope()
  collectionId = await library.createCollection(scope)
  // More of the one kind than a query has candidates, and all of them far better for the word.
  sales = []
  for (let i = 0; i < 360; i++) {
    sales.push(
      await add('Quokka quokka quokka.', { team: 'sales', place: i, tags: i % 2 === 0 ? ['even'] : [] }),
    )
  }
  people = []
  for (let i = 0; i < 12; i++) {
    const text = `A long story of many words in which, among other animals of the island, a quokka is seen ${i} times.`
    people.push(await add(text, { team: 'people', place: 1_000 + i, since: `2026-01-${10 + i}` }))
  }
})
after(() => place.close())

const find = (filter: unknown, more: { collectionIds?: string[]; limit?: number } = {}) =>
  library.search(scope, { query: 'quokka', limit: 1_000, filter: parseFilter(filter), ...more })

const found = async (filter: Filter): Promise<Set<string>> =>
  new Set((await find(filter)).results.map(({ documentId }) => documentId))

test('a filter narrows before the best are picked: what matches is found however much better all else is', async () => {
  const filters: Filter[] = [
    { field: 'team', op: 'eq', value: 'people' },
    { field: 'team', op: 'ne', value: 'sales' },
    { not: { field: 'team', op: 'in', value: ['sales', 'others'] } },
    { field: 'since', op: 'exists', value: true },
    { field: 'since', op: 'gte', value: '2026-01-10T00:00:00Z' },
    {
      and: [
        { field: 'place', op: 'gte', value: 1_000 },
        { field: 'team', op: 'ne', value: 'sales' },
      ],
    },
    {
      or: [
        { field: 'since', op: 'lt', value: '2026-01-15' },
        { field: 'place', op: 'gt', value: 1_004 },
      ],
    },
  ]
  const all = new Set(people.map(({ id }) => id))
  for (const filter of filters) {
    assert.deepEqual(await found(filter), all, JSON.stringify(filter))
    const page = await find(filter, { limit: 10 })
    assert.deepEqual([page.results.length, page.total], [10, 12])
  }
})

test('the same documents have the same scores with and without a filter', async () => {
  const plain = await library.search(scope, { query: 'animals island quokka', limit: 1_000 })
  const scores = new Map(plain.results.map(({ chunkId, score }) => [chunkId, score]))
  const { results } = await library.search(scope, {
    query: 'animals island quokka',
    limit: 1_000,
    filter: { field: 'team', op: 'eq', value: 'people' },
  })
  assert.equal(results.length, 12)
  for (const { chunkId, score } of results) assert.equal(score, scores.get(chunkId))
})

test('a filter that nothing meets finds nothing, and one that all meet changes nothing', async () => {
  assert.equal((await find({ field: 'team', op: 'eq', value: 'no one' })).total, 0)
  assert.equal((await find({ field: '$name', op: 'eq', value: 'no one' })).total, 0)
  const plain = await library.search(scope, { query: 'quokka', limit: 50 })
  for (const filter of [
    { field: 'team', op: 'exists' },
    { field: 'team', op: 'ne', value: 'no one' },
  ]) {
    assert.deepEqual((await find(filter, { limit: 50 })).results, plain.results)
  }
})

test('a filter sees neither other collections than the searched ones nor another workspace', async () => {
  const other = await library.createCollection(scope)
  const stranger = await library.createScope()
  const { id } = await library.add(scope, { collectionId: other, chunks: ['Another quokka.'] })
  await place.database.write(tx => writeFields(scope, tx, id, { team: 'people' }))
  const people = { field: 'team', op: 'eq', value: 'people' }
  assert.equal((await find(people)).total, 13)
  assert.equal((await find(people, { collectionIds: [other] })).total, 1)
  assert.equal((await find({ field: 'team', op: 'ne', value: 'sales' }, { collectionIds: [other] })).total, 1)
  const theirs = await library.search(stranger, { query: 'quokka', limit: 10, filter: parseFilter(people) })
  assert.equal(theirs.total, 0)
  await library.remove({ id, scope, collectionId: other, title: null, name: '', chunkIds: [] })
  assert.equal((await find(people)).total, 12)
})

test('a filter on a field that every document has finds its documents, be they few or many', async () => {
  const [first] = people
  assert.ok(first !== undefined)
  await place.database.write(tx =>
    tx
      .updateTable('documents')
      .set({ name: 'Island.md', external_id: 'island-1' })
      .where('id', '=', first.id)
      .execute(),
  )
  const only = new Set([first.id])
  const filters: Filter[] = [
    { field: '$name', op: 'eq', value: 'Island.md' },
    { field: '$name', op: 'contains', value: 'sland' },
    { field: '$externalId', op: 'in', value: ['island-1', 'island-2'] },
    { field: '$externalId', op: 'exists', value: true },
    { not: { field: '$name', op: 'eq', value: 'document.txt' } },
  ]
  for (const filter of filters) assert.deepEqual(await found(filter), only, JSON.stringify(filter))
})

test('a filter with alternatives finds each passage once, however many alternatives a document meets', async () => {
  const own = await library.createCollection(scope)
  for (let i = 0; i < 30; i++) {
    // Passages of different pages stay apart.
    const chunks = [1, 2].map(page => ({ text: `A numbat on page ${page}.`, page }))
    const { id } = await library.add(scope, { collectionId: own, chunks })
    await place.database.write(tx => writeFields(scope, tx, id, { habitats: ['dry forest', 'scrub'] }))
  }
  const contains = (value: string): Filter => ({ field: 'habitats', op: 'contains', value })
  // So many conditions that the documents are tested in several parts.
  const others = Array.from({ length: 8 }, (_, i) => contains(`habitat ${i}`))
  const search = (filter: Filter) =>
    library.search(scope, { query: 'numbat', limit: 100, perDocument: 2, filter })
  const one = await search(contains('scrub'))
  assert.equal(one.total, 60)
  const both = await search({ or: [contains('dry forest'), contains('scrub'), ...others] })
  assert.deepEqual(both, one)
})

test('changed metadata counts from the next search on', async () => {
  const [first] = sales
  assert.ok(first !== undefined)
  await place.database.write(tx => writeFields(scope, tx, first.id, { team: 'people' }))
  assert.equal((await find({ field: 'team', op: 'eq', value: 'people' })).total, 13)
  await place.database.write(tx => writeFields(scope, tx, first.id, { team: 'sales' }))
  assert.equal((await find({ field: 'team', op: 'eq', value: 'people' })).total, 12)
})
