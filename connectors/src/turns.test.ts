import assert from 'node:assert/strict'
import { test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createTurns } from './turns.ts'

const never = new AbortController().signal

/** Turns by a clock that moves only while somebody rests. */
function startClock() {
  const clock = { now: 0, rests: [] as number[] }
  const turns = createTurns({
    now: () => clock.now,
    sleep: async (ms, signal) => {
      signal.throwIfAborted()
      clock.rests.push(ms)
      clock.now += ms
    },
  })
  return { clock, turns }
}

test('calls to one host wait for each other and pause; calls to another host do not wait', async () => {
  const { clock, turns } = startClock()
  const log: string[] = []
  const call = (host: string, name: string, takesMs: number) =>
    turns({ host, owner: 'one', everyMs: 200, signal: never }, async () => {
      log.push(`${name} begins`)
      await sleep(takesMs)
      log.push(`${name} ends`)
    })
  await Promise.all([call('a', 'first', 30), call('a', 'second', 1), call('b', 'other', 1)])
  assert.deepEqual(log, [
    'first begins',
    'other begins',
    'other ends',
    'first ends',
    'second begins',
    'second ends',
  ])
  assert.deepEqual(clock.rests, [200])
})

test('a host that was left alone for long enough is called at once', async () => {
  const { clock, turns } = startClock()
  await turns({ host: 'a', owner: 'one', everyMs: 200, signal: never }, async () => undefined)
  clock.now += 500
  await turns({ host: 'a', owner: 'one', everyMs: 200, signal: never }, async () => undefined)
  assert.deepEqual(clock.rests, [])
})

test('a call that fails, or is cancelled before its turn, does not delay the next call', async () => {
  const { turns } = startClock()
  const off = new AbortController()
  const failing = turns({ host: 'a', owner: 'one', everyMs: 200, signal: never }, async () => {
    await sleep(5)
    throw new Error('refused')
  })
  const calledOff = assert.rejects(
    turns({ host: 'a', owner: 'one', everyMs: 200, signal: off.signal }, async () => 'was made'),
    /no longer wanted/,
  )
  const last = turns({ host: 'a', owner: 'one', everyMs: 200, signal: never }, async () => 'made')
  off.abort(new Error('no longer wanted'))
  await assert.rejects(failing, /refused/)
  await calledOff
  assert.equal(await last, 'made')
})

test('an owner with many calls to a host delays another one by one of them', async () => {
  const { turns } = startClock()
  const called: string[] = []
  const call = (owner: string) =>
    turns({ host: 'a', owner, everyMs: 200, signal: never }, async () => {
      called.push(owner)
    })
  await Promise.all([...Array.from({ length: 5 }, () => call('busy')), call('other')])
  assert.deepEqual(called, ['busy', 'busy', 'other', 'busy', 'busy', 'busy'])
})
