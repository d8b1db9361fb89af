import assert from 'node:assert/strict'
import { test } from 'node:test'
import { lostLines } from './lost-lines.ts'
import type { Word } from './words.ts'

const wordAt = (text: string, start: number, base: number): Word => ({
  text,
  start,
  end: start + text.length * 5,
  base,
  size: 10,
  turn: 0,
  font: 0,
  isGlued: false,
  hasSpace: true,
})

const words = [
  wordAt('Kept', 50, 100),
  wordAt('exam-', 80, 100),
  wordAt('ples', 50, 112),
  wordAt('Lost', 50, 300),
  wordAt('words', 80, 300),
]

test('words that no block has are lines of their own, with their share of the letters', () => {
  const { lines, share } = lostLines(words, [{ kind: 'paragraph', text: 'Kept examples' }])
  assert.deepEqual(lines, ['Lost words'])
  assert.equal(share, 9 / 21)
})

test('words in another order, in cells or joined at the end of a line are not lost', () => {
  const { lines, share } = lostLines(words, [
    { kind: 'table', rows: [['words', 'Lost']] },
    { kind: 'paragraph', text: 'Kept examples' },
  ])
  assert.deepEqual([lines, share], [[], 0])
})
