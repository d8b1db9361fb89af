/** What a run promises, against a real model server that behaves and misbehaves. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { onlyPassage, type RunProcesses, search, startRunProcesses } from '../../../testing/run-processes.ts'

let processes: RunProcesses

before(async () => {
  processes = await startRunProcesses()
})

after(() => processes.close())

test('a run calls the tool, answers, cites, and records every step', async () => {
  const run = await processes.runAgainst([
    search('ducks'),
    { kind: 'answer', text: 'Yes, ducks may enter [1].' },
  ])
  assert.equal(run.status, 'succeeded')
  assert.equal(run.output, 'Yes, ducks may enter [1].')
  assert.deepEqual(
    run.citations.map(({ quote, startOffset, endOffset, documentId }) => [
      documentId,
      quote,
      startOffset,
      endOffset,
    ]),
    [['doc_1', 'Ducks may enter.', 10, 26]],
  )
  assert.deepEqual(
    run.steps.map(({ type, name }) => [type, name]),
    [
      ['model', 'openai/test-model'],
      ['tool', 'search_knowledge'],
      ['model', 'openai/test-model'],
    ],
  )
  assert.deepEqual(run.usage, { inputTokens: 2000, outputTokens: 200, costUsd: null, isEstimate: false })
  assert.equal(run.model, 'openai/test-model')
  assert.ok(run.durationMs !== null && run.durationMs >= 0)
  const second = processes.server.requests[1]?.body.messages ?? []
  assert.deepEqual(
    second.map(({ role }) => role),
    ['system', 'user', 'assistant', 'tool'],
  )
  assert.match(String(second[0]?.content), /^Be kind\./)
  assert.deepEqual(JSON.parse(String(second[3]?.content)), {
    passages: [{ cite: '[1]', title: 'Ducks', text: onlyPassage.text }],
  })
})

test('a failing model ends the run as failed, with its code and the step that failed', async () => {
  const run = await processes.runAgainst([{ kind: 'status', status: 401 }])
  assert.equal(run.status, 'failed')
  assert.deepEqual(run.error, {
    code: 'model_unauthorized',
    message: "The model's server answered 401",
    retryable: false,
  })
  assert.equal(run.steps.length, 1)
  assert.equal(run.output, null)
})

test('a model that never answers ends with the deadline, and its connection is closed', async () => {
  const run = await processes.runAgainst([{ kind: 'never' }], { limits: { timeoutSeconds: 1 } })
  assert.equal(run.error?.code, 'run_timeout')
  assert.equal(run.error?.retryable, true)
  while (processes.server.requests[0]?.closedByClientAtMs === null) await sleep(5)
})

test('tool calls without end stop at the steps that are allowed', async () => {
  const run = await processes.runAgainst([search('ducks')], { limits: { maxSteps: 3 } })
  assert.equal(run.error?.code, 'max_steps')
  assert.equal(processes.server.requests.length, 3)
})

test('an unknown tool, arguments that are no JSON, and arguments that do not fit are told to the model', async () => {
  const run = await processes.runAgainst([
    {
      kind: 'tool_calls',
      calls: [
        { name: 'format_disk', arguments: {} },
        { name: 'search_knowledge', arguments: '{"query": ' },
        { name: 'search_knowledge', arguments: { question: 1 } },
      ],
    },
    { kind: 'answer', text: 'I could not.' },
  ])
  assert.equal(run.status, 'succeeded')
  const errors = run.steps
    .slice(1, 4)
    .map(({ output }) => (output as { error: { message: string } }).error.message)
  assert.match(errors[0] ?? '', /There is no tool format_disk/)
  assert.match(errors[1] ?? '', /not valid JSON/)
  assert.match(errors[2] ?? '', /do not fit/)
})

test('a tool that fails again and again ends the run, and says nothing of the reason inside', async () => {
  const run = await processes.runAgainst([search('fail')])
  assert.equal(run.error?.code, 'tool_error')
  assert.equal(processes.server.requests.length, 3)
  assert.ok(!JSON.stringify(run).includes('secret reason'))
  assert.ok(processes.logged.some(line => line.includes('secret reason')))
})

test('an answer that was cut off, withheld or empty is no success', async () => {
  const cut = await processes.runAgainst([{ kind: 'answer', text: 'Half', finishReason: 'length' }])
  assert.equal(cut.error?.code, 'output_truncated')
  const withheld = await processes.runAgainst([{ kind: 'answer', text: '', finishReason: 'content_filter' }])
  assert.equal(withheld.error?.code, 'content_filtered')
})

test('a run whose model has no known price cannot be limited in cost', async () => {
  await assert.rejects(
    processes.runAgainst([{ kind: 'answer', text: 'Yes' }], { limits: { maxCostUsd: 1 } }),
    (error: { errors: { field: string }[] }) => error.errors[0]?.field === 'limits.maxCostUsd',
  )
})
