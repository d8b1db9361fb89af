import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { analyse, analyseName, partsOfName } from './analyse.ts'
import { maxTermLength } from './languages.ts'

const termsOf = (text: string): string[] => analyse(text, 'en').map(token => token.term)
const tellingTermsOf = (text: string): string[] =>
  analyse(text, 'en')
    .filter(token => !token.isStop)
    .map(token => token.term)

test('case, accents, width, ligatures and soft hyphens make no difference', () => {
  for (const [written, plain] of [
    ['RÉSUMÉ', 'resume'],
    ['Straße', 'strasse'],
    ['İstanbul', 'istanbul'],
    ['ｆｕｌｌ', 'full'],
    ['ﬁle', 'file'],
    ['infor\u00admation', 'information'],
    ['Ёлка', 'елка'],
    ['ΟΔΟΣ', 'οδος'],
    ['Łódź', 'lodz'],
    ['user’s', 'user'],
    ['don’t', "don't"],
  ] as const) {
    assert.deepEqual(termsOf(written), termsOf(plain), written)
  }
})

test('accents of scripts that mean another letter by them are kept', () => {
  assert.notDeepEqual(termsOf('ガラス'), termsOf('カラス'))
  assert.notDeepEqual(termsOf('हिन्दी'), termsOf('हनद'))
})

test('stop words are kept, and marked', () => {
  assert.deepEqual(
    analyse('The cost of it', 'en').map(({ term, isStop }) => [term, isStop]),
    [
      ['the', true],
      ['cost', false],
      ['of', true],
      ['it', true],
    ],
  )
})

test('words of scripts without spaces are found inside a sentence', () => {
  assert.ok(termsOf('私は東京都に住んでいます').includes(tellingTermsOf('東京')[0] ?? ''))
  assert.ok(termsOf('猫が好きです').includes(tellingTermsOf('猫')[0] ?? ''))
  assert.ok(termsOf('대한민국의 수도').includes(tellingTermsOf('수도')[0] ?? ''))
  assert.ok(termsOf('ภาษาไทยง่าย').includes(tellingTermsOf('ไทย')[0] ?? ''))
})

test('offsets are code points of the text, whatever stands before the word', () => {
  const text = '😀 the 𝒳 naïve 東京 café'
  const characters = Array.from(text)
  const written = analyse(text, 'en').map(({ start, end }) => characters.slice(start, end).join(''))
  assert.deepEqual(written, ['the', '𝒳', 'naïve', '東', '東京', '京', 'café'])
})

test('whatever the text, tokens lie within it in their order, and no term is empty or too long', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 200 }), text => {
      const length = Array.from(text).length
      let previous = 0
      for (const { term, start, end } of analyse(text, 'en')) {
        assert.ok(start >= previous && end > start && end <= length)
        assert.match(term, /^[\p{L}\p{N}\p{M}]+$/u)
        assert.ok(term.length <= maxTermLength && term.isWellFormed())
        previous = start
      }
    }),
    { numRuns: 500, examples: [['\u0305'], ['\u30fc\u0305'], ['東\u0305京']] },
  )
})

test('a file name is found by its words, by their parts and as it is written', () => {
  const terms = analyseName('BESTBUY_FY2019-AnnualReport_10K.pdf', 'en').map(token => token.term)
  for (const query of [
    'bestbuy',
    'fy',
    '2019',
    'FY2019',
    'annual',
    'reports',
    'AnnualReport',
    '10k',
    'pdf',
  ]) {
    assert.ok(terms.includes(termsOf(query)[0] ?? ''), query)
  }
})

test('a word is taken apart where letters meet digits', () => {
  assert.deepEqual(partsOfName('fy2019q3'), ['fy', '2019', 'q', '3'])
  assert.deepEqual(partsOfName('report'), [])
  assert.deepEqual(partsOfName('camelCase'), ['camel', 'Case'])
})
