/**
 * The sandbox: every outcome of a run on request, in each way of following it, the same every time, free and without the
 * outside. The words of `sim:` also make events, pauses, tool calls, approvals and streams that break off.
 */
import assert from 'node:assert/strict'
import { readFile } from 'node:fs/promises'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { failureWords } from '../../../platform/models/sandbox/failures.ts'
import { type SandboxApp, shortSleep, startSandboxApp } from '../../../testing/apps/sandbox-app.ts'
import { openStream, type ReceivedEvent, textOfStep } from '../../../testing/event-streams.ts'
import { eventually } from '../../../testing/eventually.ts'
import { runErrorCodes } from '../records/run-errors.ts'
import type { Run } from '../records/run-schemas.ts'

let sandbox: SandboxApp

before(async () => {
  sandbox = await startSandboxApp()
})

after(() => sandbox.close())

/** Runs the prompt once in each way; the three records, which have to be the same but for ids and times. */
async function inEachWay(agentId: string, body: Record<string, unknown>): Promise<Run> {
  const waited = await sandbox.wait(agentId, body)
  const events = await sandbox.stream(agentId, body)
  const last = events.at(-1)?.data.run
  assert.equal(events.at(-1)?.event, `run.${waited.status}`)
  assert.deepEqual(
    events.flatMap(({ data }) => (data.step === undefined ? [] : [data.step])),
    last?.steps,
  )
  if (last?.output !== null) assert.equal(textOfStep(events, (last?.steps.length ?? 0) - 1), last?.output)
  const background = await sandbox.background(agentId, body)
  assert.deepEqual(timeless(last), timeless(waited))
  assert.deepEqual(timeless(background), timeless(waited))
  return waited
}

const times = ['createdAt', 'startedAt', 'finishedAt', 'durationMs']

/** Without what no two runs have in common. */
const timeless = (run: Run | undefined): unknown =>
  JSON.parse(JSON.stringify(run), (key, value) =>
    times.includes(key)
      ? undefined
      : typeof value === 'string'
        ? value.replace(/\b(run|cnv)_\w+/, '$1')
        : value,
  )

/** Each word that fails a run, with its code. */
const failures: Record<string, keyof typeof runErrorCodes> = {
  'sim:not_configured': 'model_not_configured',
  'sim:unauthorized': 'model_unauthorized',
  'sim:not_found': 'model_not_found',
  'sim:rate_limited': 'model_rate_limited',
  'sim:quota_exceeded': 'model_quota_exceeded',
  'sim:unavailable': 'model_unavailable',
  'sim:timeout': 'model_timeout',
  'sim:request_rejected': 'model_request_rejected',
  'sim:invalid_response': 'model_invalid_response',
  'sim:context_too_long': 'context_too_long',
  'sim:content_filtered': 'content_filtered',
  'sim:output_truncated': 'output_truncated',
  'sim:max_steps': 'max_steps',
  'sim:max_cost': 'max_cost',
  'sim:budget_exceeded': 'budget_exceeded',
  'sim:output_invalid': 'output_invalid',
  'sim:attachment_unavailable': 'attachment_unavailable',
  'sim:run_timeout': 'run_timeout',
  'sim:tool_error': 'tool_error',
  'sim:tool_not_called': 'tool_not_called',
  'sim:run_interrupted': 'run_interrupted',
  'sim:crashed_server': 'crashed_server',
  'sim:approval_expired': 'approval_expired',
  'sim:tool_result_expired': 'tool_result_expired',
  'sim:access_revoked': 'access_revoked',
  'sim:internal_error': 'internal_error',
  'sim:model_rate_limited': 'model_rate_limited',
  'sim:nothing_like_it': 'model_request_rejected',
}

test('there is a word for every code that a run can end with', () => {
  const simulated = new Set(Object.values(failures))
  assert.deepEqual(
    Object.keys(runErrorCodes).filter(code => !simulated.has(code as keyof typeof runErrorCodes)),
    [],
  )
})

test('the guide names every word that ends a run, with its code', async () => {
  const guide = await readFile(join(import.meta.dirname, '../../../../../docs/guides/sandbox.md'), 'utf8')
  for (const word of failureWords) {
    const [, code = ''] = new RegExp(`^\\| \`sim:${word}\` \\| fails with \`(\\w+)\``, 'm').exec(guide) ?? []
    assert.equal(code, failures[`sim:${word}`], word)
  }
})

for (const [prompt, code] of Object.entries(failures)) {
  test(`${prompt} fails with ${code}, whether the agent has tools or not, in each way of following`, async () => {
    for (const agentId of [sandbox.agentId, sandbox.bareAgentId]) {
      const run = await inEachWay(agentId, { prompt })
      assert.equal(run.status, 'failed')
      assert.deepEqual([run.error?.code, run.error?.retryable], [code, runErrorCodes[code]])
      assert.notEqual(run.error?.message, '')
      assert.equal(run.output, null)
      assert.equal(run.model, 'sandbox')
    }
  })
}

const found = '"Ducks may enter 🦆 freely." [1]'
const search = 'sim:tool=search_knowledge({"query": "May ducks enter?"})'

const successes: Record<string, string> = {
  'May ducks enter?': found,
  'sim:output=Hello\n you': 'Hello\n you',
  'sim:slow=20ms': 'Done, as the prompt says.',
  'sim:slow=20ms May ducks enter?': found,
  'sim:stream=3': 'word1 word2 word3',
  'sim:reasoning': 'Done, as the prompt says.',
  'sim:restart sim:output=Once more': 'Once more',
  [search]: `search_knowledge: ${found}`,
  [`${search} May ducks enter?`]: found,
  'sim:tool=format_disk':
    'format_disk failed: There is no tool format_disk; there is search_knowledge, calculator, current_time, http_request',
  'sim:tool=current_time({"timeZone": })': 'current_time failed: The arguments are not valid JSON',
}

for (const [prompt, output] of Object.entries(successes)) {
  test(`${JSON.stringify(prompt)} answers ${JSON.stringify(output.slice(0, 40))} in each way of following`, async () => {
    const run = await inEachWay(sandbox.agentId, { prompt })
    assert.deepEqual([run.status, run.error, run.usage.costUsd], ['succeeded', null, 0])
    assert.ok(run.usage.inputTokens > 0 && run.usage.outputTokens > 0)
    assert.ok(
      output.startsWith('current_time')
        ? run.output?.startsWith('current_time failed')
        : run.output === output,
    )
  })
}

const namesOf = (events: readonly ReceivedEvent[]): string[] => events.map(({ event }) => event)

const open = (prompt: string, headers: Record<string, string> = {}) =>
  openStream(`${sandbox.origin}/agents/${sandbox.agentId}/run`, sandbox.app.testKey, {
    body: { prompt },
    headers,
  })

const follow = (runId: string, lastEventId?: string) =>
  openStream(
    `${sandbox.origin}/runs/${runId}/events`,
    sandbox.app.testKey,
    lastEventId === undefined ? {} : { lastEventId },
  )

/** What the model wrote in a step. */
const written = (run: Run, step: number): string => String(Object(run.steps[step]?.output).text ?? '')

async function cancel(runId: string): Promise<Run> {
  const reply = await sandbox.app.request('POST', `/runs/${runId}/cancel`, { key: sandbox.app.testKey })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

/** What arrives of a stream before its connection is destroyed. */
async function untilBroken(take: (count: number) => Promise<ReceivedEvent[]>): Promise<ReceivedEvent[]> {
  const events: ReceivedEvent[] = []
  await assert.rejects(async () => {
    for (let last = await take(1); last.length > 0; last = await take(1)) events.push(...last)
  }, /terminated/)
  return events
}

const twentyWords = Array.from({ length: 20 }, (_, index) => `word${index + 1}`).join(' ')

test('sim:disconnect_after breaks the first stream, the run continues, and a client that reconnects receives every event', async () => {
  for (const count of [1, 3, 8, 3, 3]) {
    const { take } = await open(`sim:disconnect_after=${count} sim:stream=20`)
    const first = await untilBroken(take)
    assert.equal(first.length, count)
    const runId = first[0]?.data.runId ?? ''
    const resumed = await (await follow(runId, first.at(-1)?.id)).rest()
    const events = [...first, ...resumed]
    assert.equal(events.at(-1)?.data.run?.status, 'succeeded')
    assert.equal(textOfStep(events, 0), twentyWords)
    assert.equal(new Set(events.map(({ id }) => id)).size, events.length)
    assert.equal(
      (await (await follow(runId)).rest()).at(-1)?.event,
      'run.succeeded',
      'from the beginning too',
    )
  }
  assert.equal(sandbox.app.logLines.filter(line => line.includes('stream of events failed')).length, 0)
})

test('sim:disconnect_after breaks nothing off but the first stream', async () => {
  const prompt = 'sim:disconnect_after=2 sim:stream=4'
  assert.equal((await sandbox.wait(sandbox.agentId, { prompt })).output, 'word1 word2 word3 word4')
  assert.equal((await sandbox.background(sandbox.agentId, { prompt })).status, 'succeeded')
  const headers = { 'idempotency-key': 'broken-once' }
  const { take } = await open(prompt, headers)
  const [begun] = await untilBroken(take)
  const again = await (await open(prompt, headers)).rest()
  assert.equal(again.at(-1)?.data.run?.id, begun?.data.runId)
  const few = await (await open('sim:disconnect_after=1000 sim:stream=4')).rest()
  assert.equal(few.at(-1)?.event, 'run.succeeded')
})

test('sim:reasoning tells thoughts before the answer and apart from it', async () => {
  const events = await sandbox.stream(sandbox.agentId, { prompt: 'sim:reasoning May ducks enter?' })
  const thoughts = events.filter(({ event }) => event === 'reasoning.delta')
  assert.match(thoughts.map(({ data }) => data.text).join(''), /^The prompt asks the sandbox to think/)
  const end = events.at(-1)?.data.run
  assert.equal(end?.output, '"Ducks may enter 🦆 freely." [1]')
  assert.equal(end?.citations[0]?.quote, 'Ducks may enter 🦆 freely.')
})

test('sim:restart makes the first words void, as a connection to a model does that breaks', async () => {
  const events = await sandbox.stream(sandbox.agentId, { prompt: 'sim:restart sim:stream=2' })
  const [voided, restarted] = [
    namesOf(events).indexOf('text.delta'),
    namesOf(events).indexOf('step.restarted'),
  ]
  assert.ok(voided > 0 && restarted > voided)
  assert.equal(textOfStep(events, 0), 'word1 word2')
  assert.equal(events.at(-1)?.data.run?.output, 'word1 word2')
})

test('sim:stream pauses before each word, and each comes when it is written', async () => {
  const pausesMs: number[] = []
  const heard = Promise.withResolvers<void>()
  // The second word is not written before the first has been heard.
  sandbox.setSleep(async (ms, signal) => {
    pausesMs.push(ms)
    if (pausesMs.length === 2) await heard.promise
    await shortSleep(ms, signal)
  })
  const { take, rest } = await open('sim:stream=10')
  assert.deepEqual(namesOf(await take(3)), ['run.started', 'step.started', 'text.delta'])
  heard.resolve()
  const events = await rest()
  sandbox.setSleep(shortSleep)
  assert.deepEqual(pausesMs, Array(10).fill(50))
  assert.equal(events.at(-1)?.data.run?.output?.split(' ').length, 10)
})

test('what stands before a failure has happened when it comes', async () => {
  const run = await sandbox.wait(sandbox.agentId, {
    prompt: 'sim:tool=current_time sim:stream=3 sim:unavailable',
  })
  assert.deepEqual([run.status, run.error?.code], ['failed', 'model_unavailable'])
  assert.deepEqual(
    run.steps.map(({ type, name }) => [type, name]),
    [
      ['model', 'sandbox'],
      ['tool', 'current_time'],
      ['model', 'sandbox'],
    ],
  )
  assert.equal(written(run, 2), 'word1 word2 word3')
})

test('a cancel stops sim:slow and sim:stream before they end, and what was written until then is kept', async () => {
  for (const prompt of ['sim:slow=600s', 'sim:stream=1000']) {
    const { take, rest } = await open(prompt)
    const [first] = await take(prompt === 'sim:slow=600s' ? 2 : 5)
    const run = await cancel(first?.data.runId ?? '')
    assert.equal(run.status, 'cancelled')
    assert.equal((await rest()).at(-1)?.event, 'run.cancelled')
    assert.equal(written(run, 0).startsWith('word1 word2'), prompt === 'sim:stream=1000')
  }
})

test('a deadline stops them too', async () => {
  const run = await sandbox.wait(sandbox.agentId, { prompt: 'sim:slow=600s', limits: { timeoutSeconds: 1 } })
  assert.equal(run.error?.code, 'run_timeout')
})

test('tools that stand together are called together, and without arguments they get such as their schemas allow', async () => {
  const { steps, output } = await sandbox.wait(sandbox.agentId, {
    prompt:
      'sim:tool=search_knowledge sim:tool=current_time sim:reasoning sim:tool=search_knowledge({"query": "geese"})',
  })
  assert.deepEqual(
    steps.map(step => [step.name, step.type === 'tool' ? step.toolCallId : undefined]),
    [
      ['sandbox', undefined],
      ['search_knowledge', 'call_1'],
      ['current_time', 'call_2'],
      ['sandbox', undefined],
      ['search_knowledge', 'call_3'],
      ['sandbox', undefined],
    ],
  )
  assert.ok(
    steps.every(({ output: given }) => !('error' in (given as object))),
    JSON.stringify(steps),
  )
  assert.match(output ?? '', /^search_knowledge: .*\ncurrent_time: \{.*\}\nsearch_knowledge: .*$/)
})

async function waitingInBackground(): Promise<Run> {
  const { app, agentId } = sandbox
  const started = await app.request('POST', `/agents/${agentId}/run`, {
    key: app.testKey,
    body: { prompt: 'sim:approval' },
    headers: { prefer: 'respond-async' },
  })
  const run = async (): Promise<Run> =>
    (await app.request('GET', `/runs/${started.body.data.id}`, { key: app.testKey })).body.data
  await eventually('the run waits', async () => (await run()).status === 'waiting')
  return run()
}

test('sim:approval waits for an approval in each way of following, and says what came of it', async () => {
  const { app, agentId, bareAgentId } = sandbox
  const body = { prompt: 'sim:approval' }
  const events = await sandbox.stream(agentId, body)
  assert.equal(events.at(-1)?.event, 'run.waiting')
  const waiting = [await sandbox.wait(agentId, body), await waitingInBackground(), events.at(-1)?.data.run]
  const ended: (string | null)[] = []
  for (const [place, run] of waiting.entries()) {
    const [pending] = run?.pendingApprovals ?? []
    assert.deepEqual([run?.status, pending?.name, pending?.toolCallId], ['waiting', 'calculator', 'call_1'])
    const decision = place === 0 ? 'reject' : 'approve'
    const reply = await app.request('POST', `/runs/${run?.id}/approvals`, {
      key: app.testKey,
      headers: { prefer: 'wait=30' },
      body: { decisions: [{ toolCallId: 'call_1', decision }] },
    })
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    ended.push(reply.body.data.output)
  }
  assert.match(ended[0] ?? '', /^calculator failed: A person has rejected this call/)
  assert.match(ended[1] ?? '', /^calculator: \{/)
  assert.equal(ended[2], ended[1])
  const bare = await sandbox.wait(bareAgentId, body)
  assert.equal(bare.error?.code, 'model_request_rejected')
  assert.match(bare.error?.message ?? '', /approvalTools/)
})

test('limits.maxOutputTokens cuts the answer of the sandbox as that of any model', async () => {
  const prompt = 'sim:output=Twelve words that come to far more than the three tokens allowed.'
  const run = await sandbox.wait(sandbox.agentId, { prompt, limits: { maxOutputTokens: 3 } })
  assert.equal(run.error?.code, 'output_truncated')
})

const responseSchema = {
  type: 'object',
  properties: { days: { type: 'integer', minimum: 1 }, unit: { enum: ['days', 'hours'] } },
  required: ['days', 'unit'],
  additionalProperties: false,
}

test('with a response schema the sandbox words give valid values, valid values after a repair, or never valid ones', async () => {
  const ask = (prompt: string) => sandbox.wait(sandbox.agentId, { prompt, responseSchema })
  const fitting = { days: 1, unit: 'days' }
  for (const prompt of ['May ducks enter?', 'sim:slow=1ms', 'sim:stream=4', 'sim:tool=current_time']) {
    const run = await ask(prompt)
    assert.deepEqual([run.error, run.structuredOutput], [null, fitting], prompt)
  }
  assert.deepEqual((await ask('sim:output={"days": 4, "unit": "hours"}')).structuredOutput, {
    days: 4,
    unit: 'hours',
  })
  const repaired = await ask('sim:repair')
  assert.deepEqual([repaired.structuredOutput, repaired.steps.length], [fitting, 2])
  for (const prompt of ['sim:output_invalid', 'sim:output={"days": 0}']) {
    const invalid = await ask(prompt)
    assert.deepEqual([invalid.error?.code, invalid.steps.length], ['output_invalid', 2], prompt)
  }
})

test('no test key ever reaches what the operator and the agent name, whatever the prompt', async () => {
  const { agentId, outside, connections, app } = sandbox
  const request = `sim:tool=http_request({"method": "POST", "url": "http://${outside}/", "body": "Hello"})`
  const asked = await sandbox.wait(agentId, {
    prompt: `${request} sim:tool=search_knowledge May ducks enter?`,
  })
  const decisions = asked.pendingApprovals.map(({ toolCallId }) => ({ toolCallId, decision: 'approve' }))
  const decided = await app.request('POST', `/runs/${asked.id}/approvals`, {
    key: app.testKey,
    headers: { prefer: 'wait=30' },
    body: { decisions },
  })
  const run: Run = decided.body.data
  assert.equal(run.output, '"Ducks may enter 🦆 freely." [1]')
  const sent = run.steps.find(({ name }) => name === 'http_request')
  assert.match(JSON.stringify(sent?.output), /"simulated":true/)
  assert.equal(connections(), 0, 'of this and of all tests before it')
  // A live key's run does reach it, so the count means something.
  const live = await app.request('POST', '/agents', { body: { name: 'Live', model: 'openai/gpt-5.4-mini' } })
  const ended = await app.request('POST', `/agents/${live.body.data.id}/run`, { body: { prompt: 'Hello' } })
  assert.equal(ended.body.data.error.code, 'model_unavailable')
  assert.ok(connections() > 0)
})
