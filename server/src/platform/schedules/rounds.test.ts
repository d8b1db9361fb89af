import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createLog } from '../log.ts'
import { bySlices, createRounds } from './rounds.ts'

const rowsOf = (count: number) =>
  Array.from({ length: count }, (_, index) => ({ id: String(index).padStart(3, '0') }))

test('rows that fail are logged and hold up no other, also where they fill whole rounds', async () => {
  const left = new Set(rowsOf(250).map(({ id }) => id))
  const lines: string[] = []
  const round = createRounds({
    list: async ({ after, limit }) =>
      [...left]
        .filter(id => id > after)
        .slice(0, limit)
        .map(id => ({ id })),
    work: async ({ id }) => {
      if (Number(id) < 220) throw new Error(`No way with ${id}`)
      left.delete(id)
      return id
    },
    log: createLog({ level: 'warn', write: line => lines.push(line) }),
    failure: 'It could not be done',
  })
  assert.deepEqual(await round(), [])
  assert.deepEqual(await round(), [])
  assert.equal((await round()).length, 30)
  assert.equal(lines.length, 220)
  assert.match(lines[0] ?? '', /It could not be done.*"id":"000".*No way with 000/)
  await round()
  assert.equal(lines.length, 320, 'a later round tries them again')
})

test('a round works on as many rows at the same time as it may', async () => {
  let underWay = 0
  let most = 0
  const round = createRounds({
    list: async ({ after, limit }) =>
      rowsOf(20)
        .filter(({ id }) => id > after)
        .slice(0, limit),
    work: async ({ id }) => {
      most = Math.max(most, ++underWay)
      await new Promise(resolve => setImmediate(resolve))
      underWay--
      return id
    },
    log: createLog({ level: 'silent' }),
    failure: 'It could not be done',
    rowsAtOnce: 12,
    concurrency: 3,
  })
  assert.equal((await round()).length, 12)
  assert.equal((await round()).length, 8)
  assert.equal(most, 3)
})

test('work by slices ends with the first slice that is not full, and in any case after half a million rows', async () => {
  const left = { rows: 1_234 }
  const limits: number[] = []
  const takeSlice = async (limit: number): Promise<number> => {
    limits.push(limit)
    const taken = Math.min(limit, left.rows)
    left.rows -= taken
    return taken
  }
  assert.equal(await bySlices(takeSlice, 500), 1_234)
  assert.deepEqual(limits, [500, 500, 500])
  left.rows = 600_000
  assert.equal(await bySlices(takeSlice, 1_000), 500_000)
  assert.equal(left.rows, 100_000)
})
