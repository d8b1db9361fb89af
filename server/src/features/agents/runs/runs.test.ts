/** What a run promises, against a real model server that behaves and misbehaves, and over time. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout, setTimeout as sleep } from 'node:timers/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { cancelsEveryMs } from '../../../platform/jobs/queue-runner.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import type { Tool } from '../../../platform/tool.ts'
import { eventually } from '../../../testing/eventually.ts'
import {
  impatient,
  onlyPassage,
  patient,
  type RunProcesses,
  search,
  startRunProcesses,
} from '../../../testing/run-processes.ts'
import type { RunInput } from '../inputs/messages.ts'
import { presentRun } from '../records/run-records.ts'

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

const untilAsked = (count: number) =>
  eventually(`the model is asked ${count} times`, () => processes.server.requests.length >= count)

test('a conversation remembers, and belongs to its agent and its end user', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript(() => ({ kind: 'answer', text: 'Noted.' }))
  const agent = await agents.create(processes.caller, { name: 'Test', tools: [] })
  const other = await agents.create(processes.caller, { name: 'Other', tools: [] })
  const first = await runs.run(
    processes.caller,
    agent.id,
    { prompt: 'My name is Ada.', endUserId: 'ada' },
    patient,
  )
  const conversationId = first.row.conversation_id
  await runs.run(
    processes.caller,
    agent.id,
    { prompt: 'Who am I?', endUserId: 'ada', conversationId },
    patient,
  )
  assert.deepEqual(
    processes.server.requests[1]?.body.messages.map(({ role, content }) => [role, content]),
    [
      ['user', 'My name is Ada.'],
      ['assistant', 'Noted.'],
      ['user', 'Who am I?'],
    ],
  )
  for (const [agentId, endUserId] of [
    [agent.id, 'bob'],
    [agent.id, undefined],
    [other.id, 'ada'],
  ] as const) {
    const wanted = withoutUndefined<RunInput>({ prompt: 'Who am I?', conversationId, endUserId })
    await assert.rejects(
      runs.run(processes.caller, agentId, wanted, patient),
      (error: { errors: { field: string }[] }) => error.errors[0]?.field === 'conversationId',
    )
  }
  await worker.drain(1_000)
})

test('a run in the background is queued, taken up, and found ended', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.setScript(() => ({ kind: 'answer', text: 'Done.' }))
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Work!' }, impatient)
  assert.equal(queued.row.status, 'queued')
  worker.start()
  const ended = await runs.get(processes.caller, queued.row.id, patient)
  assert.equal(ended.row.status, 'succeeded')
  assert.equal(ended.row.output, 'Done.')
  await worker.drain(1_000)
})

test('cancelling a run aborts the call of its model before it answers, and twice is once', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript(() => ({ kind: 'never' }))
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const running = runs.run(processes.caller, agent.id, { prompt: 'Think!' }, patient)
  await untilAsked(1)
  const [{ id = '' } = {}] = (
    await runs.list(processes.caller, agent.id, {}, { page: 1, pageSize: 1 })
  ).items.map(({ row }) => row)
  const [cancelled, again] = await Promise.all([
    runs.cancel(processes.caller, id, patient),
    runs.cancel(processes.caller, id, patient),
  ])
  assert.equal(cancelled.row.status, 'cancelled')
  assert.equal(again.row.status, 'cancelled')
  assert.equal((await running).row.status, 'cancelled')
  await eventually('the client hangs up', () => processes.server.requests[0]?.closedByClientAtMs !== null)
  assert.equal(processes.server.requests.length, 1)
  await worker.drain(1_000)
})

test('a cancelled run waits for the slowest of its tool calls, and the quicker one ends nothing else', async () => {
  const tool = (name: string, run: Tool['run']): Tool => ({
    name,
    description: 'Takes its time.',
    permission: 'agents:run',
    safeToRepeat: true,
    needsApproval: false,
    input: Type.Object({}, { additionalProperties: false }),
    output: Type.Unknown(),
    run,
  })
  const called = Promise.withResolvers<void>()
  const stubborn = tool('stubborn', async ({ signal }) => {
    await once(signal, 'abort')
    await setTimeout(50)
    return { content: 'done' }
  })
  const obedient = tool('obedient', async ({ signal }) => {
    called.resolve()
    await once(signal, 'abort')
    throw signal.reason
  })
  const { agents, runs, worker } = processes.start({ tools: [stubborn, obedient] })
  processes.server.setScript(() => ({
    kind: 'tool_calls',
    calls: [
      { name: 'stubborn', arguments: {} },
      { name: 'obedient', arguments: {} },
    ],
  }))
  const agent = await agents.create(processes.caller, { name: 'Test', tools: ['stubborn', 'obedient'] })
  const running = runs.run(processes.caller, agent.id, { prompt: 'Work!' }, patient)
  await called.promise
  const [{ id = '' } = {}] = (
    await runs.list(processes.caller, agent.id, {}, { page: 1, pageSize: 1 })
  ).items.map(({ row }) => row)
  const cancelled = await runs.cancel(processes.caller, id, patient)
  assert.equal(cancelled.row.status, 'cancelled')
  assert.equal((await running).row.status, 'cancelled')
  await worker.drain(1_000)
})

test('a queued run that is cancelled never runs', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Work!' }, impatient)
  const cancelled = await runs.cancel(processes.caller, queued.row.id, patient)
  assert.equal(cancelled.row.status, 'cancelled')
  processes.server.setScript(() => ({ kind: 'answer', text: 'Done.' }))
  worker.start()
  // A run that was queued after it has ended.
  const later = await runs.run(processes.caller, agent.id, { prompt: 'Work, too!' }, impatient)
  assert.equal((await runs.get(processes.caller, later.row.id, patient)).row.status, 'succeeded')
  assert.equal(processes.server.requests.length, 1)
  assert.equal((await runs.get(processes.caller, queued.row.id, impatient)).row.status, 'cancelled')
  await worker.drain(1_000)
})

test('a run whose process is gone goes on elsewhere from its last recorded step', async () => {
  const dying = processes.start()
  processes.server.requests.length = 0
  // The first process gets its tool call and then waits for ever.
  processes.server.setScript((_, index) =>
    index === 0
      ? search('ducks')
      : index === 1
        ? { kind: 'never' }
        : { kind: 'answer', text: 'Ducks may enter. [1]' },
  )
  const agent = await dying.agents.create(processes.caller, { name: 'Test' })
  const begun = await dying.runs.run(
    processes.caller,
    agent.id,
    { prompt: 'May ducks enter?' },
    { ...patient, waitMs: 1 },
  )
  await untilAsked(2)
  // Gives the job back as a process that ends would; a killed one is found by the expiry of its lease.
  await dying.worker.drain(0)
  const living = processes.start()
  living.worker.start()
  const ended = presentRun(
    await living.runs.get(processes.caller, begun.row.id, patient),
    processes.caller.scope,
  )
  assert.equal(ended.status, 'succeeded')
  assert.deepEqual(
    ended.steps.map(({ type }) => type),
    ['model', 'tool', 'model'],
  )
  assert.equal(processes.server.requests.length, 3)
  assert.equal(ended.citations.length, 1)
  await living.worker.drain(1_000)
})

test('a run whose process is killed goes on in another from its last recorded step', async t => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript((_, index) => {
    if (index === 1) return { kind: 'never' }
    return index === 0 ? search('ducks') : { kind: 'answer', text: 'Ducks may enter. [1]' }
  })
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'May ducks enter?' }, impatient)
  const child = await processes.startWorker(t)
  await untilAsked(2)
  await processes.killWorker(child)
  worker.start()
  const ended = presentRun(await runs.get(processes.caller, queued.row.id, patient), processes.caller.scope)
  assert.equal(ended.status, 'succeeded')
  assert.deepEqual(
    ended.steps.map(({ type }) => type),
    ['model', 'tool', 'model'],
  )
  assert.equal(processes.server.requests.length, 3)
  await worker.drain(1_000)
})

test('a run that another process works on stops soon after its cancelling, before its lease is renewed', async t => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript(() => ({ kind: 'stalls', text: 'It was a dark and stormy night' }))
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Tell me!' }, impatient)
  const child = await processes.startWorker(t)
  await untilAsked(1)
  const { row } = await runs.cancel(processes.caller, queued.row.id, patient)
  const answeredAtMs = Date.now()
  assert.equal(row.status, 'cancelled')
  const closedAtMs = processes.server.requests[0]?.closedByClientAtMs
  assert.ok(
    closedAtMs != null && closedAtMs <= answeredAtMs,
    `closed at ${closedAtMs} before ${answeredAtMs}`,
  )
  assert.ok(row.input_tokens > 0)
  assert.ok(cancelsEveryMs <= 1_000, 'it is looked for so often that a run stops within two seconds')
  await child.kill()
  await worker.drain(1_000)
})

test('a run whose processes die again and again, twice while it runs alone, is failed with a reason', {
  timeout: 5 * 60_000,
}, async t => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript(() => ({ kind: 'never' }))
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Hello' }, impatient)
  for (const attempt of [1, 2, 3, 4, 5]) {
    const child = await processes.startWorker(t)
    await untilAsked(attempt)
    await processes.killWorker(child)
  }
  worker.start()
  const ended = presentRun(await runs.get(processes.caller, queued.row.id, patient), processes.caller.scope)
  assert.equal(ended.status, 'failed')
  assert.equal(ended.error?.code, 'crashed_server')
  assert.notEqual(ended.finishedAt, null)
  await worker.drain(1_000)
})

test('more runs at once than the plan allows are refused', async () => {
  const { agents, runs, worker } = processes.start({ runsAtOnce: 0 })
  const agent = await agents.create(processes.caller, { name: 'Test' })
  await assert.rejects(
    runs.run(processes.caller, agent.id, { prompt: 'Work!' }, patient),
    (error: { code: string }) => error.code === 'run_limit',
  )
  await worker.drain(1_000)
})

test('a caller who may not use a tool of the agent is refused, and a paused agent does not run', async () => {
  const { agents, runs, worker } = processes.start()
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const lesser = { ...processes.caller, permissions: new Set(['agents:run'] as const) }
  await assert.rejects(runs.run(lesser, agent.id, { prompt: 'Work!' }, patient), (error: Error) =>
    /knowledge:read/.test(error.message),
  )
  await agents.update(processes.caller, agent.id, { status: 'paused' }, null)
  await assert.rejects(
    runs.run(processes.caller, agent.id, { prompt: 'Work!' }, patient),
    (error: { code: string }) => error.code === 'agent_paused',
  )
  await worker.drain(1_000)
})
