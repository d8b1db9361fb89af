/** What becomes of several chunks of one document: a few of them, and neighbours as one. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary } from '../../../testing/knowledge/indexed-documents.ts'
import { fuse, type RankedList } from './merge.ts'

const listed = (
  name: RankedList['name'],
  model: string | null,
  scores: Record<string, number>,
): RankedList => ({
  name,
  model,
  chunks: Object.entries(scores).map(([chunkId, score], number) => ({
    number,
    chunkId,
    documentId: chunkId,
    terms: new Uint8Array(),
    score,
  })),
})

test('vectors that agree with nothing change little, those that agree more, and alone they decide', () => {
  const text = listed('text', null, { a: 9, b: 8, c: 3, d: 2 })
  const order = (...lists: RankedList[]): string =>
    fuse(lists)
      .map(({ chunkId }) => chunkId)
      .join('')
  assert.equal(order(text, listed('vector', 'strange', { x: 0.9, y: 0.8, z: 0.1 })), 'abcxdyz')
  assert.equal(order(text, listed('vector', 'near', { b: 0.9, c: 0.7, a: 0.1 })), 'bcad')
  assert.equal(order(text, listed('vector', 'sandbox', { c: 0.9, b: 0.1 })), 'abcd')
  assert.equal(order(listed('text', null, {}), listed('vector', 'near', { x: 0.9, y: 0.8 })), 'xy')
})

async function start(t: TestContext) {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  return { library, scope, collectionId: await library.createCollection(scope) }
}

/** Every other chunk is about something else, so that none are neighbours. */
const heronsApart = (count: number): string[] =>
  Array.from({ length: 2 * count }, (_, i) => (i % 2 === 0 ? `heron number ${i}` : `stork ${i}`))

test('where many documents match at most three chunks of each are shown unless more are asked for, and the total counts what is shown', async t => {
  const { library, scope, collectionId } = await start(t)
  await library.add(scope, { collectionId, chunks: heronsApart(10) })
  for (let i = 0; i < 14; i++) await library.add(scope, { collectionId, chunks: [`heron number ${i}`] })
  assert.equal((await library.find(scope, 'heron')).total, 3 + 14)
  const more = await library.search(scope, { query: 'heron', limit: 50, perDocument: 7 })
  assert.equal(more.total, 7 + 14)
})

test('where few documents match more chunks of each are shown', async t => {
  const { library, scope, collectionId } = await start(t)
  await library.add(scope, { collectionId, chunks: heronsApart(40) })
  assert.equal((await library.find(scope, 'heron')).total, 30)
  await library.add(scope, { collectionId, chunks: heronsApart(40) })
  assert.equal((await library.find(scope, 'heron')).total, 2 * 15)
})

test('a report is found by the company and the year in its name, and its pages by the other words', async t => {
  const { library, scope, collectionId } = await start(t)
  const page = (text: string): string => `${text} The year 2019 was compared with 2020, 2021 and 2022.`
  const chunks = [
    page('Dividends were paid.'),
    page('Best Harbor is a company.'),
    page('Leases of Best Harbor.'),
  ]
  for (const company of ['BESTHARBOR', 'NORTHWIND', 'ACMEFORGE'])
    for (const year of [2019, 2020, 2021, 2022])
      await library.add(scope, { collectionId, name: `${company}_${year}_10K.pdf`, chunks })
  const query =
    'You are an analyst who reads only filings, with care. How much in dividends was paid, all in all, by Best Harbor in FY2021? Please give details of the statement and name the page of it.'
  const { results } = await library.search(scope, { query, limit: 1 })
  assert.equal(results[0]?.name, 'BESTHARBOR_2021_10K.pdf')
  assert.match(results[0]?.text ?? '', /Dividends/)
})

test('chunks that follow each other are one result, with the words of the document between them', async t => {
  const { library, scope, collectionId } = await start(t)
  const chunks = ['A heron waits.', 'It is a grey heron.', 'Nothing here.', 'A heron 🦆 flies.']
  const { chunkIds } = await library.add(scope, { collectionId, chunks })
  const { total, results } = await library.find(scope, 'grey heron')
  assert.equal(total, 2)
  const [merged, alone] = results
  assert.equal(merged?.chunkId, chunkIds[1])
  assert.equal(merged?.text, 'A heron waits.It is a grey heron.')
  assert.deepEqual([merged?.startOffset, merged?.endOffset], [0, 33])
  assert.deepEqual(
    merged?.highlights.map(({ startOffset, endOffset }) => merged.text.slice(startOffset, endOffset)),
    ['heron', 'grey', 'heron'],
  )
  assert.deepEqual([alone?.text, alone?.startOffset, alone?.endOffset], [chunks[3], 46, 62])
})
