import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createFairQueue } from './fair-queue.ts'

test('an owner with many tasks lets another one in after one of them', async () => {
  const queue = createFairQueue(1)
  const done: string[] = []
  const task = (name: string) => async () => {
    await Promise.resolve()
    done.push(name)
  }
  await Promise.all([
    ...['a1', 'a2', 'a3', 'a4'].map(name => queue.run('a', task(name))),
    queue.run('b', task('b1')),
    queue.run('c', task('c1')),
  ])
  assert.deepEqual(done, ['a1', 'a2', 'b1', 'c1', 'a3', 'a4'])
})

test('a task that fails fails its caller alone', async () => {
  const queue = createFairQueue(1)
  const failing = queue.run('a', async () => {
    throw new Error('broken')
  })
  const fine = queue.run('a', async () => 7)
  await assert.rejects(failing, /broken/)
  assert.equal(await fine, 7)
})

test('as many tasks run at once as the queue is wide', async () => {
  const queue = createFairQueue(2)
  let running = 0
  let most = 0
  await Promise.all(
    Array.from({ length: 6 }, (_, i) =>
      queue.run(`owner ${i}`, async () => {
        running += 1
        most = Math.max(most, running)
        await new Promise(resolve => setImmediate(resolve))
        running -= 1
      }),
    ),
  )
  assert.equal(most, 2)
})

test('a task that is aborted while it waits never runs, and the others go on', async () => {
  const queue = createFairQueue(1)
  const { promise: first, resolve: endFirst } = Promise.withResolvers<void>()
  const aborting = new AbortController()
  const running = queue.run('a', () => first)
  let hasRun = false
  const aborted = queue.run(
    'a',
    async () => {
      hasRun = true
    },
    aborting.signal,
  )
  const last = queue.run('b', async () => 7)
  aborting.abort(new Error('given up'))
  await assert.rejects(aborted, /given up/)
  endFirst()
  await running
  assert.equal(await last, 7)
  assert.equal(hasRun, false)
})

test('an owner who fills the places that one owner may have keeps the last one free for another', async () => {
  const queue = createFairQueue(3, 2)
  const { promise: end, resolve } = Promise.withResolvers<void>()
  const begun: string[] = []
  const endless = (name: string) => () => {
    begun.push(name)
    return end
  }
  const running = ['a1', 'a2', 'a3'].map(name => queue.run('a', endless(name)))
  await queue.run('b', async () => {
    begun.push('b1')
  })
  assert.deepEqual(begun, ['a1', 'a2', 'b1'])
  resolve()
  await Promise.all(running)
  assert.deepEqual(begun, ['a1', 'a2', 'b1', 'a3'])
})
