import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'
import type { LanguageCode } from './stop-words.ts'

const wordsOf = (text: string, languages: LanguageCode[] = ['en']): string[] =>
  parseQuery(text, languages)
    .words.filter(({ onlyInName }) => !onlyInName)
    .map(({ word }) => word)

test('stop words are left out, unless there is nothing else', () => {
  assert.deepEqual(wordsOf('What is the cost of it?'), ['cost'])
  assert.deepEqual(wordsOf('to be or not to be'), ['to', 'be', 'or', 'not'])
})

test('a word that is asked for twice weighs twice, in whatever form', () => {
  assert.deepEqual(
    parseQuery('retrieval of retrieved documents', ['en']).words.map(({ terms, weight }) => [terms, weight]),
    [
      [['retriev'], 2],
      [['document'], 1],
      [['retrievalretriev'], 1],
      [['retrieveddocu'], 1],
    ],
  )
})

test('a word is a word of each language of the index, and yet one', () => {
  const [word, ...others] = parseQuery('Verträge', ['en', 'de', 'fr']).words
  assert.deepEqual(word?.terms, ['vertrag', 'vertrag·de', 'vertrag·fr'])
  assert.deepEqual(others, [])
})

test('stop words are those of the language of which the query has most, else of the commonest', () => {
  assert.deepEqual(wordsOf('die hard', ['en', 'de']), ['die', 'hard'])
  assert.deepEqual(wordsOf('die Kosten der Reise', ['en', 'de']), ['kosten', 'reise'])
  assert.deepEqual(wordsOf('war and peace', ['en', 'de']), ['war', 'peace'])
  assert.deepEqual(wordsOf('die Reise', ['de', 'en']), ['reise'])
})

test('neighbours are pairs, also across stop words', () => {
  assert.deepEqual(parseQuery('the state of the art', ['en']).pairs, [{ first: 0, second: 1, count: 1 }])
})

test('file names are looked for in other spellings as well', () => {
  const spellings = parseQuery('Best Buy FY2019', ['en'])
    .words.filter(({ onlyInName }) => onlyInName)
    .flatMap(({ terms }) => terms)
  assert.deepEqual(spellings, ['fy', '2019', 'bestbui', 'buyfy2019'])
})

test('words in quotes are a phrase with its stop words, and words that are looked for', () => {
  const { words, phrases, pairs } = parseQuery('“state of the art” budget', ['en'])
  assert.deepEqual(
    words.filter(({ onlyInName }) => !onlyInName).map(({ word }) => word),
    ['state', 'art', 'budget'],
  )
  assert.deepEqual(pairs, [])
  assert.deepEqual(
    phrases.map(({ words: phrase, isExcluded }) => [phrase.map(({ word }) => word), isExcluded]),
    [[['state', 'of', 'the', 'art'], false]],
  )
})

test('a hyphen before a word or a phrase excludes it; within a word, or alone, it does nothing', () => {
  const excludedOf = (query: string): string[][] =>
    parseQuery(query, ['en']).phrases.map(({ words }) => words.map(({ word }) => word))
  assert.deepEqual(excludedOf('report -draft -"last year" -well-known'), [
    ['draft'],
    ['last', 'year'],
    ['well', 'known'],
  ])
  assert.deepEqual(excludedOf('well-known - report -- x "'), [])
  assert.deepEqual(wordsOf('report -draft'), ['report'])
  assert.deepEqual(wordsOf('-draft'), [])
})

test('a star behind a word asks for all that begin so; elsewhere it does nothing', () => {
  const prefixesOf = (query: string): string[] =>
    parseQuery(query, ['en'])
      .words.filter(({ isPrefix }) => isPrefix)
      .map(({ word }) => word)
  assert.deepEqual(prefixesOf('inv* of Organiz*, x'), ['inv', 'organiz'])
  assert.deepEqual(prefixesOf('* a* 2*3 **'), [])
})

test('characters across the border of two words are not asked for', () => {
  assert.deepEqual(wordsOf('東京都'), ['東京'])
})

test('a query without a letter or a digit asks for nothing', () => {
  for (const query of ['', ' ', '?!', '"*" -', '\0', '😀'])
    assert.deepEqual(parseQuery(query, ['en']).words, [])
})
