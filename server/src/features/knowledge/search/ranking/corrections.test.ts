import assert from 'node:assert/strict'
import { test } from 'node:test'
import fc from 'fast-check'
import { editDistance, editsOf } from './corrections.ts'

test('a missing, a wrong and an added letter, and two that changed places, are one mistake each', () => {
  for (const [one, other, distance] of [
    ['same', 'same', 0],
    ['polcy', 'policy', 1],
    ['recieve', 'receive', 1],
    ['adrress', 'address', 1],
    ['grey', 'gray', 1],
    ['acommodaton', 'accommodation', 2],
    ['house', 'horse', 1],
    ['cat', 'elephant', 3],
  ] as const) {
    assert.equal(editDistance(one, other, 2), distance, `${one}, ${other}`)
    assert.equal(editDistance(other, one, 2), distance, `${other}, ${one}`)
  }
})

test('the edits of a word are all words at the distance of one, and no others', () => {
  const word = fc.stringMatching(/^[abc]{1,6}$/)
  fc.assert(
    fc.property(word, word, (one, other) => {
      const isNear = one !== other && editDistance(one, other, 1) === 1
      assert.equal(editsOf(one)?.has(other), isNear)
    }),
    { numRuns: 500 },
  )
})

test('scripts without an alphabet of a few letters have no edits', () => {
  assert.equal(editsOf('東京'), null)
  assert.equal(editsOf('fy2019'), null)
  assert.ok(editsOf('договр')?.has('договор'))
})
