import assert from 'node:assert/strict'
import { test } from 'node:test'
import { backoffMs } from './attempt.ts'

test('pauses double up to their limit, and lie between half and all of it', () => {
  const limits = { firstMs: 1_000, maxMs: 60_000 }
  const longest = [1, 2, 3, 7, 100].map(attempt => backoffMs(attempt, limits, () => 1))
  assert.deepEqual(longest, [1_000, 2_000, 4_000, 60_000, 60_000])
  assert.equal(
    backoffMs(3, limits, () => 0),
    2_000,
  )
})
