import assert from 'node:assert/strict'
import { test } from 'node:test'
import { parseQuery } from './query.ts'

const termsOf = (text: string): string[] =>
  parseQuery(text)
    .terms.filter(({ onlyInName }) => !onlyInName)
    .map(({ term }) => term)

test('stop words are left out, unless there is nothing else', () => {
  assert.deepEqual(termsOf('What is the cost of it?'), ['cost'])
  assert.deepEqual(termsOf('to be or not to be'), ['to', 'be', 'or', 'not'])
})

test('a term that is asked for twice weighs twice', () => {
  assert.deepEqual(
    parseQuery('retrieval of retrieved documents').terms.map(({ term, weight }) => [term, weight]),
    [
      ['retriev', 2],
      ['document', 1],
      ['retrievalretriev', 1],
      ['retrieveddocu', 1],
    ],
  )
})

test('neighbours are pairs, also across stop words', () => {
  assert.deepEqual(parseQuery('the state of the art').pairs, [{ first: 'state', second: 'art', count: 1 }])
})

test('file names are looked for in other spellings as well', () => {
  const spellings = parseQuery('Best Buy FY2019')
    .terms.filter(({ onlyInName }) => onlyInName)
    .map(({ term }) => term)
  assert.deepEqual(spellings, ['fy', '2019', 'bestbui', 'buyfy2019'])
})

test('a query without a letter or a digit asks for nothing', () => {
  for (const query of ['', ' ', '?!', '"*" -', '\0', '😀']) assert.deepEqual(parseQuery(query).terms, [])
})
