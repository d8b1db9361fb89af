/** Lines that stay, go and come. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { differences } from './line-differences.ts'

const marked = (before: string, after: string): string[] =>
  differences(before, after).map(
    ({ kind, text }) => `${{ kept: ' ', added: '+', removed: '-' }[kind]}${text}`,
  )

test('what both texts have stays, also where lines come before, between and behind it', () => {
  assert.deepEqual(marked('a\nb\nc', 'x\na\nc\ny'), ['+x', ' a', '-b', ' c', '+y'])
  assert.deepEqual(marked('same', 'same'), [' same'])
  assert.deepEqual(marked('', 'a'), ['-', '+a'])
})

test('texts that are too long to be compared line by line are shown as replaced, at once', () => {
  const long = (word: string) => Array.from({ length: 1_200 }, (_, index) => `${word}${index}`).join('\n')
  const lines = differences(long('a'), long('b'))
  assert.equal(lines.length, 2_400)
  assert.equal(new Set(lines.map(({ key }) => key)).size, 2_400)
})
