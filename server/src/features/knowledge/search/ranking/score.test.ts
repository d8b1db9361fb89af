import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { countTerms, encodeTerms } from '../index/chunk-terms.ts'
import { inverseFrequency, type MeanLengths } from '../index/relevance.ts'
import { createScanner } from './scan.ts'
import { createScorer, type WeighedWord } from './score.ts'

const mean: MeanLengths = { body: 10, title: 3, name: 3, headings: 3 }
const weighed = (term: string, spells: WeighedWord['spells'] = null): WeighedWord => ({
  word: term,
  terms: [term],
  weight: 2,
  inverseFrequency: 2,
  spells,
})
const chunk = (text: string, { title = '', name = '', headings = '' } = {}) =>
  encodeTerms({ title, name, headings, text })

test('a scan counts the same as a full reading of the chunk', () => {
  const words = fc.array(fc.constantFrom('apple', 'the', 'pear', 'kiwi', '東京', 'é', 'plum2'), {
    maxLength: 30,
  })
  const terms = ['appl', 'the', '東京', 'e', 'plum2', 'absent']
  const scan = createScanner(
    terms.map(term => [term]),
    [],
  )
  fc.assert(
    fc.property(words, words, words, words, (title, name, headings, text) => {
      const encoded = encodeTerms({
        title: title.join(' '),
        name: name.join(' '),
        headings: headings.join(' '),
        text: text.join(' '),
      })
      const expected = countTerms(encoded)
      const { counts, lengths } = scan(encoded)
      assert.deepEqual(lengths, expected.lengths)
      assert.deepEqual(
        counts,
        terms.map(term => expected.counts.get(term) ?? [0, 0, 0, 0]),
      )
    }),
  )
})

test('the parts of a score add up to it', () => {
  const scorer = createScorer(
    {
      words: [weighed('annual'), weighed('report'), weighed('annualreport', [])],
      pairs: [{ first: 0, second: 1, count: 1 }],
      phrases: [],
    },
    mean,
    [],
  )
  const encoded = chunk('The annual report of the year', {
    title: 'Report',
    name: 'AnnualReport.pdf',
    headings: 'Annual',
  })
  const parts = scorer.explain(encoded)
  assert.deepEqual([...new Set(parts.map(part => part.field))].sort(), [
    'body',
    'headings',
    'name',
    'proximity',
    'title',
  ])
  const sum = parts.reduce((total, part) => total + part.score, 0)
  assert.ok(Math.abs(sum - scorer.score(encoded)) < 1e-12)
})

test('a word counts more in the title, in a shorter chunk, and beside its neighbour', () => {
  const { score } = createScorer(
    { words: [weighed('solar'), weighed('panel')], pairs: [{ first: 0, second: 1, count: 1 }], phrases: [] },
    mean,
    [],
  )
  assert.ok(score(chunk('roof', { title: 'Solar' })) > score(chunk('solar roof')))
  assert.ok(score(chunk('solar')) > score(chunk('solar and a long tale about many other things')))
  assert.ok(score(chunk('solar panels roof')) > score(chunk('solar roof panels')))
  assert.equal(score(chunk('nothing of that')), 0)
})

test('a word in the name counts once however it is spelled, and hardly more if the text repeats it', () => {
  const words = [
    weighed('best'),
    weighed('shop'),
    weighed(
      'bestshop',
      [0, 1].map(place => ({ place, share: 1 })),
    ),
  ]
  const { score } = createScorer({ words, pairs: [], phrases: [] }, mean, [])
  const named = score(chunk('sales', { name: 'BestShop.pdf' }))
  assert.equal(score(chunk('sales', { name: 'bestshop.pdf' })), named)
  assert.equal(score(chunk('sales', { name: 'Best_Shop.pdf' })), named)
  const repeated = score(chunk('best shop', { name: 'Best_Shop.pdf' }))
  assert.ok(repeated > named && repeated < named + score(chunk('best shop')) / 2)
})

test('a word that few of the names have tells much in a name, however many texts have it', () => {
  const common = { ...weighed('2019'), weight: 0.1, inverseFrequency: 0.1 }
  const report = (year: number) => chunk('2018 2019 2020', { name: `report-${year}.pdf` })
  const years = Array.from({ length: 20 }, (_, place) => report(2000 + place))
  const of = (names: Uint8Array[]) =>
    createScorer({ words: [common], pairs: [], phrases: [] }, mean, names).score(report(2019))
  assert.ok(of(years) > 5 * of([report(2019), report(2019)]))
})

test('proximity reaches over stop words in either order, but not over other words or from one field into another', () => {
  const { explain } = createScorer(
    { words: [weighed('state'), weighed('art')], pairs: [{ first: 0, second: 1, count: 1 }], phrases: [] },
    mean,
    [],
  )
  const isNear = (encoded: Uint8Array): boolean => explain(encoded).some(part => part.field === 'proximity')
  assert.equal(isNear(chunk('the state of the art')), true)
  assert.equal(isNear(chunk('the art of a state')), true)
  assert.equal(isNear(chunk('art state')), false)
  assert.equal(isNear(chunk('the state of modern art')), false)
  assert.equal(isNear(chunk('art', { headings: 'state' })), false)
})

test('the rarer a term, the more it tells, and no term tells less than nothing', () => {
  assert.ok(inverseFrequency(1, 100) > inverseFrequency(2, 100))
  assert.ok(inverseFrequency(100, 100) > 0)
})
