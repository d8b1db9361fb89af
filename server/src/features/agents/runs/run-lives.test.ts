/** Runs over time: conversations, the background, cancelling, a process that is gone, limits. */

import assert from 'node:assert/strict'
import { once } from 'node:events'
import { after, before, test } from 'node:test'
import { setTimeout } from 'node:timers/promises'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { cancelsEveryMs } from '../../../platform/jobs/queue-runner.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import type { Tool } from '../../../platform/tool.ts'
import { startChild } from '../../../testing/child.ts'
import { eventually } from '../../../testing/eventually.ts'
import {
  impatient,
  patient,
  type RunProcesses,
  search,
  startRunProcesses,
} from '../../../testing/run-processes.ts'
import { presentRun } from '../records/run-records.ts'
import type { NewRun } from '../records/run-schemas.ts'

let processes: RunProcesses

before(async () => {
  processes = await startRunProcesses()
})

after(() => processes.close())

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
    const wanted = withoutUndefined<NewRun>({ prompt: 'Who am I?', conversationId, endUserId })
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
    runs.cancel(processes.caller, id, patient.signal),
    runs.cancel(processes.caller, id, patient.signal),
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
  const cancelled = await runs.cancel(processes.caller, id, patient.signal)
  assert.equal(cancelled.row.status, 'cancelled')
  assert.equal((await running).row.status, 'cancelled')
  await worker.drain(1_000)
})

test('a queued run that is cancelled never runs', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Work!' }, impatient)
  const cancelled = await runs.cancel(processes.caller, queued.row.id, patient.signal)
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
  const ended = presentRun(await living.runs.get(processes.caller, begun.row.id, patient))
  assert.equal(ended.status, 'succeeded')
  assert.deepEqual(
    ended.steps.map(({ type }) => type),
    ['model', 'tool', 'model'],
  )
  assert.equal(processes.server.requests.length, 3)
  assert.equal(ended.citations.length, 1)
  await living.worker.drain(1_000)
})

/** A process of its own that works on background runs until it is killed. */
async function startChildWorker(leaseMs = 5_000) {
  const { databaseSettings, server } = processes
  const child = startChild('run-worker', {
    settings: databaseSettings,
    modelServerUrl: server.baseUrl,
    leaseMs,
  })
  assert.equal(await child.line(), 'ready')
  return child
}

test('a run whose process is killed goes on in another from its last recorded step', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript((_, index) => {
    if (index === 1) return { kind: 'never' }
    return index === 0 ? search('ducks') : { kind: 'answer', text: 'Ducks may enter. [1]' }
  })
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'May ducks enter?' }, impatient)
  const child = await startChildWorker()
  await untilAsked(2)
  await child.kill()
  worker.start()
  const ended = presentRun(await runs.get(processes.caller, queued.row.id, patient))
  assert.equal(ended.status, 'succeeded')
  assert.deepEqual(
    ended.steps.map(({ type }) => type),
    ['model', 'tool', 'model'],
  )
  assert.equal(processes.server.requests.length, 3)
  await worker.drain(1_000)
})

test('a run that another process works on stops soon after its cancelling, before its lease is renewed', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript(() => ({ kind: 'stalls', text: 'It was a dark and stormy night' }))
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Tell me!' }, impatient)
  const child = await startChildWorker(60_000)
  await untilAsked(1)
  const { row } = await runs.cancel(processes.caller, queued.row.id, patient.signal)
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

test('a run whose processes are killed again and again is failed with a reason', async () => {
  const { agents, runs, worker } = processes.start()
  processes.server.requests.length = 0
  processes.server.setScript(() => ({ kind: 'never' }))
  const agent = await agents.create(processes.caller, { name: 'Test' })
  const queued = await runs.run(processes.caller, agent.id, { prompt: 'Hello' }, impatient)
  for (const attempt of [1, 2, 3]) {
    const child = await startChildWorker()
    await untilAsked(attempt)
    await child.kill()
  }
  worker.start()
  const ended = presentRun(await runs.get(processes.caller, queued.row.id, patient))
  assert.equal(ended.status, 'failed')
  assert.equal(ended.error?.code, 'run_interrupted')
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
    (error: { code: string }) => error.code === 'conflict',
  )
  await worker.drain(1_000)
})
