import assert from 'node:assert/strict'
import { test } from 'node:test'
import { inverseFrequency } from '../index/relevance.ts'
import type { LevelCounts } from '../index/statistics.ts'
import { bestOf, chooseLists } from './candidates.ts'

const found = (term: string, counts: LevelCounts, all: number) => {
  const frequency = inverseFrequency(counts[0] + counts[1] + counts[2] + counts[3], all)
  return {
    word: term,
    terms: [term],
    counts: [counts],
    weight: frequency,
    inverseFrequency: frequency,
    spells: null,
  }
}

test('a term that most chunks contain yields no candidates where a rarer one has enough', () => {
  const { chosen, leftOut } = chooseLists(
    [found('common', [60_000, 20_000, 0, 0], 100_000), found('rare', [900, 100, 0, 0], 100_000)],
    1,
  )
  assert.deepEqual(
    chosen.map(({ terms, level }) => [terms, level]),
    [
      [['rare'], 1],
      [['rare'], 0],
    ],
  )
  assert.deepEqual(
    leftOut.map(({ terms, level }) => [terms, level]),
    [
      [['common'], 1],
      [['common'], 0],
    ],
  )
})

test('a term that most chunks contain still finds them where there is no other', () => {
  const { chosen } = chooseLists([found('common', [60_000, 20_000, 300, 100], 100_000)], 1)
  assert.deepEqual(
    chosen.map(({ level }) => level),
    [3, 2],
  )
})

test('the best candidates are those with the greatest sums, and of equal ones the earlier', () => {
  const common = Array.from({ length: 600 }, (_, number) => number)
  const best = bestOf(
    [
      { weight: 1, numbers: common },
      { weight: 2, numbers: [590, 595, 599] },
    ],
    number => number !== 595,
    500,
  )
  const expected = [...common.slice(0, 498), 590, 599]
  assert.deepEqual(
    best.sort((a, b) => a - b),
    expected,
  )
})
