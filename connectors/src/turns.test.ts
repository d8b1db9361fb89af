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

test('calls to one host wait for each other and rest; those to another one wait for nobody', async () => {
  const { clock, turns } = startClock()
  const log: string[] = []
  const call = (host: string, name: string, takesMs: number) =>
    turns(host, 200, never, async () => {
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
  await turns('a', 200, never, async () => undefined)
  clock.now += 500
  await turns('a', 200, never, async () => undefined)
  assert.deepEqual(clock.rests, [])
})

test('a call that fails, or is called off before its turn, keeps nobody waiting', async () => {
  const { turns } = startClock()
  const off = new AbortController()
  const failing = turns('a', 200, never, async () => {
    await sleep(5)
    throw new Error('refused')
  })
  const calledOff = turns('a', 200, off.signal, async () => 'was made')
  const last = turns('a', 200, never, async () => 'made')
  off.abort(new Error('no longer wanted'))
  await assert.rejects(failing, /refused/)
  await assert.rejects(calledOff, /no longer wanted/)
  assert.equal(await last, 'made')
})
