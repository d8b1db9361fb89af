import assert from 'node:assert/strict'
import { test } from 'node:test'
import { bestMatching, type Few } from './narrowing.ts'

const numbers = Array.from({ length: 60_000 }, (_, number) => number)
const best = (isWanted: (number: number) => boolean, limit: number) =>
  numbers.filter(isWanted).slice(0, limit)
const last = 59_999

test('the one match is found however many better chunks do not match, and few of these are looked at', async () => {
  let looked = 0
  const found = await bestMatching(
    {
      kind: 'many',
      matching: async asked => {
        looked += asked.length
        return new Set(asked.filter(number => number === last))
      },
      all: async (): Promise<Few> => ({
        kind: 'few',
        chunkCount: 1,
        ranges: Float64Array.from([last, last]),
      }),
    },
    300,
    best,
  )
  assert.deepEqual(found, [last])
  assert.ok(looked <= 5_000)
})
