import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { setImmediate as nextTurn } from 'node:timers/promises'
import { ServiceError } from '../errors.ts'
import { createLog } from '../log.ts'
import { createThreadPool, type ThreadPoolOptions } from './pool.ts'

/** What `testing/programs/thread.ts` can be asked for. */
type Work = 'which' | 'fail' | 'refuse' | 'exit' | 'steps' | 'count'

function createPool(t: TestContext, options: Partial<ThreadPoolOptions> = {}) {
  const lines: string[] = []
  const pool = createThreadPool<Work, number>({
    program: new URL('../../testing/programs/thread.ts', import.meta.url),
    data: null,
    threads: 1,
    deadlineMs: 60_000,
    log: createLog({ level: 'debug', write: line => lines.push(line) }),
    ...options,
  })
  t.after(pool.close)
  return { ...pool, lines }
}

const hasCode = (code: string) => (error: unknown) => error instanceof ServiceError && error.code === code

test('works are done in the order of their questions, and owners take turns', async t => {
  const { run } = createPool(t)
  const done: string[] = []
  const ask = async (owner: string, name: string) => {
    await run(owner, 'which')
    done.push(name)
  }
  const busy = Array.from({ length: 20 }, (_, place) => ask('busy', `busy ${place}`))
  await Promise.all([...busy, ask('other', 'other')])
  assert.ok(done.indexOf('other') <= 2, done.join())
  assert.deepEqual(
    done.filter(name => name !== 'other'),
    busy.map((_, place) => `busy ${place}`),
  )
})

test('there are no more threads than allowed, and none that is not needed', async t => {
  const { run } = createPool(t, { threads: 2 })
  const one = new Set([await run('a', 'which'), await run('a', 'which')])
  assert.equal(one.size, 1)
  const all = new Set<number>()
  // The first thread does what it can until the second one has begun.
  while (all.size < 2)
    for (const thread of await Promise.all(Array.from({ length: 12 }, () => run('a', 'which'))))
      all.add(thread)
  for (const thread of await Promise.all(Array.from({ length: 12 }, () => run('a', 'which')))) all.add(thread)
  assert.equal(all.size, 2)
})

test('an error comes out as it was thrown, a refusal with its code', async t => {
  const { run } = createPool(t)
  await assert.rejects(run('a', 'fail'), /as it was thrown/)
  await assert.rejects(run('a', 'refuse'), error => {
    assert.ok(error instanceof ServiceError)
    assert.deepEqual(
      [error.code, error.message, error.errors, error.headers],
      ['validation_failed', 'Refused', [{ field: 'filter', message: 'is wrong' }], { 'retry-after': '7' }],
    )
    return true
  })
})

test('a thread that ends by itself fails what it was asked for with a 503, and the next question starts another', async t => {
  const { run, lines } = createPool(t)
  const first = await run('a', 'which')
  const [fallen, next] = await Promise.allSettled([run('a', 'exit'), run('a', 'which')])
  assert.ok(fallen.status === 'rejected' && hasCode('unavailable')(fallen.reason))
  assert.ok(next.status === 'fulfilled' && next.value !== first)
  assert.ok(lines.some(line => line.includes('A thread has ended by itself')))
})

test('work whose caller has gone ends between two of its steps, and what waits is never begun', async t => {
  const { run } = createPool(t)
  const gone = new AbortController()
  const before = await run('a', 'count')
  const [running, waiting] = [run('a', 'steps', gone.signal), run('a', 'steps', gone.signal)]
  // The thread has been asked for the first one.
  await nextTurn()
  gone.abort(new Error('gone'))
  await assert.rejects(running, /gone/)
  await assert.rejects(waiting, /gone/)
  // Only the first one was begun, and the thread is the same one: it was not ended to be free again.
  assert.equal(await run('a', 'count'), before + 1)
})

test('who has no answer in time is told to come back', async t => {
  const { run } = createPool(t, { deadlineMs: 300 })
  await assert.rejects(run('a', 'steps'), hasCode('overloaded'))
})

test('a workspace can ask for so much at once, and others still have room', async t => {
  const { run, close } = createPool(t)
  const all = Array.from({ length: 510 }, () => run('a', 'which'))
  const settled = Promise.allSettled(all)
  await assert.rejects(run('a', 'which'), hasCode('overloaded'))
  assert.equal(typeof (await run('b', 'which')), 'number')
  await close()
  const refused = (await settled).filter(({ status }) => status === 'rejected')
  assert.ok(refused.length >= 10)
})

test('a thread ends when it has been idle for a while', async t => {
  const { run } = createPool(t, { idleMs: 1 })
  const first = await run('a', 'which')
  await new Promise(resolve => setTimeout(resolve, 50))
  assert.notEqual(await run('a', 'which'), first)
})

test('a thread that the machine has no room for takes no place from who asks next', async t => {
  let isFull = true
  const data = {
    // Where it has none, Node throws when the thread is made, as it does here.
    get copied(): null {
      if (isFull) throw new Error('no room')
      return null
    },
  }
  const { run, lines } = createPool(t, { data, deadlineMs: 5_000 })
  await assert.rejects(run('a', 'which'), hasCode('unavailable'))
  assert.ok(lines.some(line => line.includes('A thread could not begin')))
  isFull = false
  const [one, other] = await Promise.all([run('a', 'which'), run('a', 'which')])
  assert.equal(one, other)
})
