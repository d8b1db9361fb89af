import assert from 'node:assert/strict'
import { test } from 'node:test'
import { languages } from '../../../../platform/analysis/languages.ts'
import type { LanguageCode } from '../../../../platform/analysis/stop-words.ts'
import { cheapestTurnMs } from '../../../../testing/costs/processor-time.ts'
import { parseQuery } from './query.ts'

const wordsOf = async (text: string, languages: LanguageCode[] = ['en']): Promise<string[]> =>
  (await parseQuery(text, languages)).words.filter(({ spells }) => spells === null).map(({ word }) => word)

test('stop words are left out, unless there is nothing else', async () => {
  assert.deepEqual(await wordsOf('What is the cost of it?'), ['cost'])
  assert.deepEqual(await wordsOf('to be or not to be'), ['to', 'be', 'or', 'not'])
})

test('a word that is asked for twice weighs twice, in whatever form', async () => {
  assert.deepEqual(
    (await parseQuery('retrieval of retrieved documents', ['en'])).words.map(({ terms, weight }) => [
      terms,
      weight,
    ]),
    [
      [['retriev'], 2],
      [['document'], 1],
      [['retrievalretriev'], 1],
      [['retrieveddocu'], 1],
    ],
  )
})

test('a word is a word of each language of the index, and yet one', async () => {
  const [word, ...others] = (await parseQuery('Verträge', ['en', 'de', 'fr'])).words
  assert.deepEqual(word?.terms, ['vertrag', 'vertrag·de', 'vertrag·fr'])
  assert.deepEqual(others, [])
})

test('stop words are those of the language of which the query has most, else of the commonest', async () => {
  assert.deepEqual(await wordsOf('die hard', ['en', 'de']), ['die', 'hard'])
  assert.deepEqual(await wordsOf('die Kosten der Reise', ['en', 'de']), ['kosten', 'reise'])
  assert.deepEqual(await wordsOf('war and peace', ['en', 'de']), ['war', 'peace'])
  assert.deepEqual(await wordsOf('die Reise', ['de', 'en']), ['reise'])
})

test('neighbours are pairs, also across stop words', async () => {
  assert.deepEqual((await parseQuery('the state of the art', ['en'])).pairs, [
    { first: 0, second: 1, count: 1 },
  ])
})

test('file names are looked for in other spellings as well', async () => {
  const spellings = (await parseQuery('Best Buy FY2019', ['en'])).words
    .filter(({ spells }) => spells !== null)
    .map(({ terms, spells }) => [terms[0], spells?.map(({ place, share }) => [place, share.toFixed(2)])])
  assert.deepEqual(spellings, [
    ['fy', [[2, '0.33']]],
    ['2019', [[2, '0.67']]],
    [
      'bestbui',
      [
        [0, '1.00'],
        [1, '1.00'],
      ],
    ],
    [
      'buyfy2019',
      [
        [1, '1.00'],
        [2, '1.00'],
      ],
    ],
  ])
  const long = `${'please tell me in a few words what all of us want to know about it today, '.repeat(3)} Best Buy`
  assert.ok((await parseQuery(long, ['en'])).words.some(({ word }) => word === 'bestbuy'))
})

test('words in quotes are a phrase with its stop words, and words that are looked for', async () => {
  const { words, phrases, pairs } = await parseQuery('“state of the art” budget', ['en'])
  assert.deepEqual(
    words.filter(({ spells }) => spells === null).map(({ word }) => word),
    ['state', 'art', 'budget'],
  )
  assert.deepEqual(pairs, [])
  assert.deepEqual(
    phrases.map(({ words: phrase, isExcluded }) => [phrase.map(({ word }) => word), isExcluded]),
    [[['state', 'of', 'the', 'art'], false]],
  )
})

test('a hyphen before a word or a phrase excludes it; within a word, or alone, it does nothing', async () => {
  const excludedOf = async (query: string): Promise<string[][]> =>
    (await parseQuery(query, ['en'])).phrases.map(({ words }) => words.map(({ word }) => word))
  assert.deepEqual(await excludedOf('report -draft -"last year" -well-known'), [
    ['draft'],
    ['last', 'year'],
    ['well', 'known'],
  ])
  assert.deepEqual(await excludedOf('well-known - report -- x "'), [])
  assert.deepEqual(await wordsOf('report -draft'), ['report'])
  assert.deepEqual(await wordsOf('-draft'), [])
})

test('the hyphen of a number or of an option excludes nothing, nor does any in a question', async () => {
  const excludedOf = async (query: string): Promise<string[][]> =>
    (await parseQuery(query, ['en'])).phrases
      .filter(({ isExcluded }) => isExcluded)
      .map(({ words }) => words.map(({ word }) => word))
  for (const query of [
    'kept at -20 °C',
    'between -5 and -10 degrees',
    'rm -rf build',
    'java -Xmx2g -Dname=value --verbose',
    'gcc -O2 -v',
    'Is the report about -draft-?',
    'レポート -下書き？',
  ]) {
    assert.deepEqual(await excludedOf(query), [], query)
  }
  assert.deepEqual(await excludedOf('report -draft -"2019"'), [['draft'], ['2019']])
})

test('without syntax, quotes, hyphens and stars are plain text', async () => {
  const { words, phrases } = await parseQuery('"state of the art" -draft inv*', ['en'], 'none')
  assert.deepEqual(phrases, [])
  assert.ok(words.some(({ word }) => word === 'draft'))
  assert.ok(words.every(({ isPrefix }) => !isPrefix))
})

test('a star behind a word asks for all that begin so; elsewhere it does nothing', async () => {
  const prefixesOf = async (query: string): Promise<string[]> =>
    (await parseQuery(query, ['en'])).words.filter(({ isPrefix }) => isPrefix).map(({ word }) => word)
  assert.deepEqual(await prefixesOf('inv* of Organiz*, x'), ['inv', 'organiz'])
  assert.deepEqual(await prefixesOf('* a* 2*3 **'), [])
})

test('characters across the border of two words are not asked for', async () => {
  assert.deepEqual(await wordsOf('東京都'), ['東京'])
})

test('a query without a letter or a digit asks for nothing', async () => {
  for (const query of ['', ' ', '?!', '"*" -', '\0', '😀'])
    assert.deepEqual((await parseQuery(query, ['en'])).words, [])
})

test('a query of a thousand words in twelve languages holds others up for 50 ms at most', async () => {
  const queryFrom = (first: number): string =>
    Array.from({ length: 1_000 }, (_, place) => (first + place).toString(36)).join(' ')
  // Of words that were asked for before the terms are known.
  let first = 36 ** 3
  const ms = await cheapestTurnMs(50, async () => {
    const { words } = await parseQuery(queryFrom(first), languages)
    assert.ok(words.length > 500)
    first += 1_000
  })
  assert.ok(ms <= 50, `${ms} ms`)
})

test('in a question for one year, what is told beside its core counts less, and its names count in full', async () => {
  const weightsOf = async (text: string) =>
    new Map((await parseQuery(text, ['en'])).words.map(({ word, weight }) => [word, weight]))
  const weights = await weightsOf(
    'You analyse the filings of Best Harbor. Based on the details, what were the net sales in 2019?',
  )
  assert.deepEqual(
    ['filings', 'harbor', 'details', 'sales', '2019'].map(word => weights.get(word)),
    [0.3, 1, 0.3, 1, 1],
  )
  const other = await weightsOf('My bicycle was stolen. What may I do first of all?')
  assert.equal(other.get('bicycle'), 1)
})
