/** When a process counts as idle. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createIdleWatch } from './idle.ts'

test('a process that becomes idle is told so once, and again only after more work', () => {
  let calls = 0
  const look = createIdleWatch(() => {
    calls++
  })
  const callsAfter = (...utilizations: number[]): number => {
    for (const utilization of utilizations) look(utilization)
    return calls
  }
  assert.equal(callsAfter(0, 0.01), 0)
  assert.equal(callsAfter(0.5, 0.03), 0)
  assert.equal(callsAfter(0.01, 0, 0.02), 1)
  assert.equal(callsAfter(1, 0), 2)
})
