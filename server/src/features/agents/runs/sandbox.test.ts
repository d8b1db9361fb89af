/** The sandbox: the same answer every time, free of charge, and every failure on request. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { Caller } from '../../../platform/caller.ts'
import { type RunProcesses, startRunProcesses } from '../../../testing/run-processes.ts'

let processes: RunProcesses
let sandbox: Caller

before(async () => {
  processes = await startRunProcesses()
  const { caller } = processes
  sandbox = { ...caller, scope: { ...caller.scope, environment: 'test' } }
})

after(() => processes.close())

test('in the test environment no model is called, whatever the agent names', async () => {
  const run = await processes.runAgainst([{ kind: 'answer', text: 'Paid for' }], {}, sandbox)
  assert.equal(run.model, 'sandbox')
  assert.equal(run.output, '"Ducks may enter." [1]')
  assert.deepEqual(run.usage.costUsd, 0)
  assert.equal(processes.server.requests.length, 0)
  const again = await processes.runAgainst([], {}, sandbox)
  assert.deepEqual([again.usage, again.citations], [run.usage, run.citations])
})

for (const [prompt, code] of [
  ['sim:rate_limited', 'model_rate_limited'],
  ['sim:timeout', 'model_timeout'],
  ['sim:unavailable', 'model_unavailable'],
  ['sim:unauthorized', 'model_unauthorized'],
  ['sim:invalid_response', 'model_invalid_response'],
  ['sim:context_too_long', 'context_too_long'],
  ['sim:tool_error', 'tool_error'],
  ['sim:max_steps', 'max_steps'],
  ['sim:something_else', 'model_request_rejected'],
  ['sim:constructor', 'model_request_rejected'],
  ['sim:slow=soon', 'model_request_rejected'],
] as const) {
  test(`${prompt} fails with ${code}`, async () => {
    const run = await processes.runAgainst([], { prompt }, sandbox)
    assert.equal(run.status, 'failed')
    assert.equal(run.error?.code, code)
  })
}

test('sim:output and sim:slow answer as they are told', async () => {
  const output = await processes.runAgainst([], { prompt: 'sim:output=Hello\nyou' }, sandbox)
  assert.equal(output.output, 'Hello\nyou')
  const slow = await processes.runAgainst([], { prompt: 'sim:slow=200ms' }, sandbox)
  assert.equal(slow.status, 'succeeded')
  assert.ok((slow.durationMs ?? 0) >= 190)
})
