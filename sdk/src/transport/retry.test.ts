/** When a call is tried again. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { delayBeforeRetry, parseRetryAfter, pause } from './retry.ts'

test('Retry-After is understood as seconds and as a date, and nothing else', () => {
  const now = Date.parse('2026-11-21T09:30:00Z')
  assert.equal(parseRetryAfter('12', now), 12_000)
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:30:07 GMT', now), 7_000)
  assert.equal(parseRetryAfter('Sat, 21 Nov 2026 09:00:00 GMT', now), 0)
  for (const header of [null, '', 'soon', '-1']) assert.equal(parseRetryAfter(header, now), null)
})

test('the pauses double up to a limit, spread over their upper half', () => {
  const delays = [0, 1, 2, 3, 4, 9].map(attempt => delayBeforeRetry(attempt, null, () => 1))
  assert.deepEqual(delays, [500, 1_000, 2_000, 4_000, 8_000, 8_000])
  assert.equal(
    delayBeforeRetry(0, null, () => 0),
    250,
  )
})

test('what the server asks for comes first, unless it is too long to wait inside a call', () => {
  assert.equal(delayBeforeRetry(0, 3_000), 3_000)
  assert.equal(delayBeforeRetry(0, 60_001), null)
})

test('a pause ends with the reason of its signal, also where that was there before', async () => {
  const reason = new Error('stop')
  await assert.rejects(pause(10_000, AbortSignal.abort(reason)), reason)
  const controller = new AbortController()
  const paused = pause(10_000, controller.signal)
  controller.abort(reason)
  await assert.rejects(paused, reason)
})
