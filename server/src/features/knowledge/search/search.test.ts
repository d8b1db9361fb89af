import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import fc from 'fast-check'
import { analyse } from '../../../platform/analysis/analyse.ts'
import type { Scope } from '../../../platform/caller.ts'
import type { Database } from '../../../platform/database/database.ts'
import { createTestDatabase } from '../../../testing/database.ts'
import { createLibrary, type Library } from '../../../testing/knowledge/indexed-documents.ts'
import type { SearchResults } from './find-passages.ts'
import { parseQuery } from './ranking/query.ts'

type Setting = { database: Database; library: Library; scope: Scope; collectionId: string }

async function createSetting(t: TestContext): Promise<Setting> {
  const { database, close } = await createTestDatabase()
  t.after(close)
  const library = createLibrary(database)
  const scope = await library.createScope()
  return { database, library, scope, collectionId: await library.createCollection(scope) }
}

const idsOf = ({ results }: SearchResults): string[] => results.map(result => result.chunkId)
const textsOf = ({ results }: SearchResults): string[] => results.map(result => result.text)

test('a result is the chunk as it is stored, with what its document says and why it was found', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  const document = await library.add(scope, {
    collectionId,
    title: 'Time off',
    name: 'terms.md',
    chunks: [
      'Everyone has a contract.',
      { text: 'Parental leave lasts 16 weeks.', headings: 'Leave', page: 2 },
    ],
  })
  const { total, results } = await library.search(scope, {
    query: 'parental leave',
    limit: 10,
    explain: true,
  })
  assert.equal(total, 1)
  const [best] = results
  assert.ok(best?.explanation?.text != null)
  const { score, explanation, ...rest } = best
  const { parts } = explanation.text ?? { parts: [] }
  assert.deepEqual(rest, {
    chunkId: document.chunkIds[1],
    documentId: document.id,
    externalId: null,
    metadata: {},
    documentVersion: 1,
    collectionId,
    title: 'Time off',
    name: 'terms.md',
    text: 'Parental leave lasts 16 weeks.',
    headings: 'Leave',
    page: 2,
    startOffset: 24,
    endOffset: 54,
    cells: null,
    highlights: [
      { startOffset: 0, endOffset: 8 },
      { startOffset: 9, endOffset: 14 },
    ],
  })
  assert.ok(Math.abs(parts.reduce((sum, part) => sum + part.score, 0) - score) < 1e-9)
})

test('other spellings, forms and scripts of a word find it', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  const add = (text: string) => library.add(scope, { collectionId, chunks: [text] })
  for (const text of [
    'Résumés were adopted',
    '私は東京都に住んでいます',
    '猫が好きです',
    'Это Йога',
    'ภาษาไทยง่าย',
  ]) {
    await add(text)
  }
  for (const [query, text] of [
    ['resume', 'Résumés were adopted'],
    ['ADOPTION', 'Résumés were adopted'],
    ['東京', '私は東京都に住んでいます'],
    ['猫', '猫が好きです'],
    ['йога', 'Это Йога'],
    ['ไทย', 'ภาษาไทยง่าย'],
  ] as const) {
    assert.deepEqual(textsOf(await library.find(scope, query)), [text], query)
  }
})

test('a file is found by its name, however the query spells it', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  const text = 'Figures of the year'
  const add = (name: string) => library.add(scope, { collectionId, name, chunks: [text] })
  const wanted = await add('BestBuy_FY2019_10K.pdf')
  await add('Walmart_FY2018_10Q.pdf')
  for (const query of ['best buy 2019', 'bestbuy fy 2019', 'BestBuy FY2019 figures', '10k']) {
    assert.equal((await library.find(scope, query)).results[0]?.documentId, wanted.id, query)
  }
})

test('words that are everywhere are found where the query has no others', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  await library.add(scope, { collectionId, chunks: ['To be or not to be, that is the question'] })
  await library.add(scope, { collectionId, chunks: ['The band plays'] })
  const { results } = await library.find(scope, 'to be or not to be')
  assert.match(results[0]?.text ?? '', /^To be/)
  assert.deepEqual(textsOf(await library.find(scope, 'the')).sort(), [
    'The band plays',
    'To be or not to be, that is the question',
  ])
})

test('pages join without a gap and without a repetition', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  for (let i = 0; i < 25; i++)
    await library.add(scope, { collectionId, chunks: [`heron ${'nest '.repeat(i % 7)}`] })
  const whole = await library.find(scope, 'heron nest')
  const paged: string[] = []
  for (let offset = 0; offset < 30; offset += 7) {
    const page = await library.search(scope, { query: 'heron nest', offset, limit: 7 })
    assert.equal(page.total, 25)
    paged.push(...idsOf(page))
  }
  assert.deepEqual(paged, idsOf(whole))
})

test('only the collections that are asked for are searched, and never one outside of the scope', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  const other = await library.createCollection(scope)
  const third = await library.createCollection(scope)
  for (const id of [collectionId, other, third])
    await library.add(scope, { collectionId: id, chunks: [`heron in ${id}`] })
  const foreignScope = await library.createScope()
  const foreign = await library.createCollection(foreignScope)
  await library.add(foreignScope, { collectionId: foreign, chunks: ['heron abroad'] })

  const collectionsOf = async (narrowed: Scope, ids?: string[]): Promise<string[]> =>
    (await library.find(narrowed, 'heron', ids)).results.map(result => result.collectionId).sort()
  assert.deepEqual(await collectionsOf(scope), [collectionId, other, third])
  assert.deepEqual(await collectionsOf(scope, [other]), [other])
  assert.deepEqual(await collectionsOf(scope, [third, collectionId]), [collectionId, third])
  assert.deepEqual(await collectionsOf(scope, [foreign, 'col_of_nobody']), [])
  assert.deepEqual(await collectionsOf(scope, []), [])
  assert.deepEqual(await collectionsOf({ ...scope, collectionIds: [other] }), [other])
  assert.deepEqual(await collectionsOf({ ...scope, collectionIds: [other] }, [collectionId]), [])
})

test('a thousand passages of a neighbour, or of the other environment, change no score', async t => {
  const { database, library, scope, collectionId } = await createSetting(t)
  for (const text of ['heron on the roof', 'heron heron', 'a heron and a stork', 'stork']) {
    await library.add(scope, { collectionId, title: 'Birds', chunks: [text] })
  }
  const before = await library.find(scope, 'heron stork roof')
  for (const foreign of [await library.createScope(), { ...scope, environment: 'test' as const }]) {
    const foreignCollection = await library.createCollection(foreign)
    const chunks = Array.from({ length: 50 }, (_, i) => `roof stork ${i}`)
    const document = { collectionId: foreignCollection, title: 'Heron', chunks }
    await Promise.all(Array.from({ length: 10 }, () => library.add(foreign, document)))
  }
  assert.deepEqual(await library.find(scope, 'heron stork roof'), before)
  const counted = await database.read
    .selectFrom('search_indexes')
    .select('chunk_count')
    .orderBy('number')
    .execute()
  assert.deepEqual(counted, [{ chunk_count: 4 }, { chunk_count: 500 }, { chunk_count: 500 }])
})

test('highlights stand on words that the query asks for', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  const words = fc.constantFrom(
    'Herons',
    'fly',
    'café',
    '東京都',
    '😀',
    'the',
    'nest-building',
    '𝒳',
    'naïve!',
    '猫',
  )
  await fc.assert(
    fc.asyncProperty(
      fc.array(words, { minLength: 1, maxLength: 15 }),
      fc.array(words, { minLength: 1, maxLength: 4 }),
      async (written, asked) => {
        const query = asked.join(' ')
        const document = await library.add(scope, { collectionId, chunks: [written.join(' ')] })
        const parsed = await parseQuery(query, ['en'])
        const terms = new Set(parsed.words.flatMap(word => word.terms))
        const found = await library.find(scope, query)
        const own = found.results.find(result => result.documentId === document.id)
        const matches = analyse(written.join(' '), 'en').some(({ term }) => terms.has(term))
        assert.equal(own !== undefined, matches)
        for (const { startOffset, endOffset } of own?.highlights ?? []) {
          const marked = Array.from(own?.text ?? '')
            .slice(startOffset, endOffset)
            .join('')
          assert.ok(
            analyse(marked, 'en').some(({ term }) => terms.has(term)),
            marked,
          )
        }
        await library.remove(document)
      },
    ),
    { numRuns: 40 },
  )
})

test('no query is an error, whatever is in it', async t => {
  const { library, scope, collectionId } = await createSetting(t)
  await library.add(scope, { collectionId, chunks: ['a heron AND a "stork" NEAR the roof', 'null NULL'] })
  const hostile = [
    ...[
      '',
      ' ',
      '"',
      '""',
      '"heron',
      "'",
      "heron'; DROP TABLE chunks; --",
      '*',
      'heron*',
      '^heron',
      '-heron',
    ],
    ...[
      'heron AND',
      'NOT',
      'NEAR(heron stork, 5)',
      'tokens:heron',
      '{a b}',
      '(heron',
      '((((',
      'a | b & !c <-> d:*',
    ],
    ...[
      '\\',
      "\\'",
      '\0',
      'heron\0stork',
      '\ud800',
      '😀'.repeat(500),
      '?'.repeat(4_000),
      '%_%',
      '$1 :x @y ?2',
    ],
    ...[
      'heron '.repeat(5_000),
      Array.from({ length: 3_000 }, (_, i) => `w${i}`).join(' '),
      'x'.repeat(100_000),
    ],
    ...['12aheron', 'c1', '__proto__', 'constructor toString'],
  ]
  for (const query of hostile) {
    const { total, results } = await library.find(scope, query)
    assert.equal(total, results.length)
  }
  await fc.assert(
    fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 60 }), async query => {
      const { total, results } = await library.find(scope, query)
      assert.equal(total, results.length)
    }),
    { numRuns: 60 },
  )
})

test('an index that does not exist yet finds nothing', async t => {
  const { library } = await createSetting(t)
  assert.deepEqual(await library.find(await library.createScope(), 'heron'), { total: 0, results: [] })
})
