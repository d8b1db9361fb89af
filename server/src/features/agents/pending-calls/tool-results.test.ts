/** Functions that the caller's program runs: the run rests at a call, and goes on once its result is there. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { hourMs } from '../../../platform/clock.ts'
import { calls, says, startToolApp, type ToolApp, toldBy } from '../../../testing/apps/tool-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import type { TestKey } from '../../../testing/test-app.ts'

let tools: ToolApp
let agentId: string
let skippedMs = 0

before(async () => {
  tools = await startToolApp({}, () => Date.now() + skippedMs)
  agentId = await tools.createAgent({
    tools: ['calculator', 'http_request'],
    httpHosts: [tools.host],
    functions: [lookUp],
  })
})

after(() => tools.close())

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const lookUp = {
  name: 'look_up',
  description: 'Finds an order.',
  inputSchema: {
    type: 'object',
    properties: { number: { type: 'integer', minimum: 1 } },
    required: ['number'],
    additionalProperties: false,
  },
}

const order = (number: unknown): [string, unknown] => ['look_up', { number }]
const post: () => [string, unknown] = () => [
  'http_request',
  { method: 'POST', url: `http://${tools.host}/orders` },
]

const wait = { prefer: 'wait=20' }

const start = (body: Json = {}, id = agentId) =>
  tools.app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Go!', ...body } })

const send = (runId: string, results: Json[], headers: Record<string, string> = {}, key?: TestKey) =>
  tools.app.request('POST', `/runs/${runId}/tool-results`, { key, body: { results }, headers })

const read = async (id: string): Promise<Json> =>
  (await tools.app.request('GET', `/runs/${id}`, { headers: wait })).body.data

async function startWaiting(...wanted: [string, unknown][]): Promise<Json> {
  tools.requests.length = 0
  tools.script(calls(...wanted), says('Done.'))
  const { status, body } = await start()
  assert.equal(status, 202, JSON.stringify(body))
  assert.equal(body.data.status, 'waiting')
  return body.data
}

const idsOf = (run: Json): string[] => run.pendingToolCalls.map(({ toolCallId }: Json) => toolCallId)

const asked = (index: number): Json => tools.modelServer.requests[index]?.body

test('a call of a function rests the run, and its result is what the model reads and the step shows', async () => {
  const run = await startWaiting(order(7))
  assert.deepEqual(run.pendingApprovals, [])
  const [{ toolCallId, requestedAt, expiresAt, ...rest }] = run.pendingToolCalls
  assert.deepEqual(rest, { runId: run.id, name: 'look_up', input: { number: 7 } })
  assert.equal(Date.parse(expiresAt) - Date.parse(requestedAt), 24 * hourMs)
  const offered = asked(0).tools.find((tool: Json) => tool.function.name === 'look_up').function
  assert.deepEqual([offered.description, offered.parameters], [lookUp.description, lookUp.inputSchema])
  assert.equal(asked(0).tool_choice, undefined)

  const { status, body } = await send(run.id, [{ toolCallId, output: { state: 'shipped' } }], wait)
  assert.equal(status, 200, JSON.stringify(body))
  assert.deepEqual(
    [body.data.status, body.data.output, body.data.pendingToolCalls],
    ['succeeded', 'Done.', []],
  )
  assert.equal(toldBy(asked(1)).get(toolCallId), '{"state":"shipped"}')
  const step = body.data.steps.find(({ name }: Json) => name === 'look_up')
  assert.deepEqual([step.input, step.output], [{ number: 7 }, { content: { state: 'shipped' } }])
  const { ownerId, liveKey } = tools.app
  assert.deepEqual(step.result.sentBy, { userId: ownerId, keyId: liveKey.id })
  assert.equal(step.startedAt, requestedAt)
})

test('calls of one answer wait together, tools of the server run meanwhile, and an error is data for the model', async () => {
  const run = await startWaiting(order(1), ['calculator', { expression: '1+1' }], order(2), order(3))
  const [first = '', second = '', third = ''] = idsOf(run)
  assert.equal(run.pendingToolCalls.length, 3)
  assert.equal(run.steps.at(-1).name, 'calculator')
  const partial = await send(run.id, [{ toolCallId: second, error: 'There is no order 2.' }])
  assert.deepEqual([partial.status, idsOf(partial.body.data)], [202, [first, third]])
  assert.notEqual(partial.headers.etag, undefined)
  const results = [
    { toolCallId: third, output: null },
    { toolCallId: first, output: 'shipped' },
  ]
  const { body } = await send(run.id, results, wait)
  assert.equal(body.data.status, 'succeeded')
  const told = toldBy(asked(1))
  assert.deepEqual(
    [first, second, third].map(id => told.get(id)),
    ['shipped', 'There is no order 2.', 'null'],
  )
  const failed = body.data.steps.find((step: Json) => step.toolCallId === second)
  assert.deepEqual(failed.output, { error: { message: 'There is no order 2.' } })
  assert.equal(body.data.steps.filter(({ name }: Json) => name === 'calculator').length, 1)
})

test('however often a program answers with an error, the run goes on', async () => {
  tools.script(
    calls(order(1)),
    calls(order(2)),
    calls(order(3)),
    calls(order(4)),
    says('None of them is there.'),
  )
  let { data } = (await start()).body
  while (data.status === 'waiting') {
    const results = idsOf(data).map(toolCallId => ({ toolCallId, error: 'There is no such order.' }))
    data = (await send(data.id, results, wait)).body.data
  }
  assert.deepEqual([data.status, data.output], ['succeeded', 'None of them is there.'])
})

test('the same result again changes nothing, whatever has become of the run, and another one is refused', async () => {
  const run = await startWaiting(order(1), order(2))
  const [first = '', second = ''] = idsOf(run)
  const output = { state: 'shipped', items: [1, { a: 1, b: 2 }] }
  const same = { toolCallId: first, output: { items: [1, { b: 2, a: 1 }], state: 'shipped' } }
  const sent = await send(run.id, [{ toolCallId: first, output }])
  assert.equal(sent.status, 202)
  const again = await send(run.id, [same])
  assert.deepEqual([again.status, idsOf(again.body.data)], [202, [second]])
  assert.equal(again.headers.etag, sent.headers.etag)
  for (const other of [{ output: 'lost' }, { error: 'It is lost.' }]) {
    const { status, body } = await send(run.id, [
      { toolCallId: first, ...other },
      { toolCallId: second, output: 1 },
    ])
    assert.equal(status, 400)
    assert.deepEqual(body.errors, [
      { field: 'results.0.toolCallId', message: 'is answered already, with another result' },
    ])
  }
  assert.deepEqual(idsOf(await read(run.id)), [second], 'of a request that is refused nothing is kept')
  const both = await send(run.id, [same, { toolCallId: second, error: 'Gone.' }], wait)
  assert.equal(both.body.data.status, 'succeeded')
  const late = await send(run.id, [same], wait)
  assert.deepEqual([late.status, late.body.data.status], [200, 'succeeded'])
  const ended = await send(run.id, [{ toolCallId: first, output: 'lost' }])
  assert.deepEqual([ended.status, ended.body.code], [409, 'run_ended'])
  assert.deepEqual(ended.body.details, { runId: run.id, status: 'succeeded' })
  const audit = await tools.app.request('GET', '/audit-log', { query: { action: 'run.tool_results' } })
  const mine = audit.body.data.filter((entry: Json) => entry.resourceId === run.id)
  assert.deepEqual(
    mine.map(({ details }: Json) => details.results.length),
    [0, 1, 0, 1],
  )
})

test('what is unknown, doubled, too large or no result is refused by name, and nothing of it is kept', async () => {
  const run = await startWaiting(order(1), post())
  const [toolCallId = ''] = idsOf(run)
  const approvalId = run.pendingApprovals[0].toolCallId
  const refused = async (...results: Json[]) => {
    const { status, body } = await send(run.id, results)
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors.map(({ field, message }: Json) => `${field} ${message}`)
  }
  const unknown = 'No call with this id waits for a result in this run'
  assert.deepEqual(
    await refused(
      { toolCallId, output: 1 },
      { toolCallId: 'call_99', output: 1 },
      { toolCallId: approvalId, output: 1 },
      { toolCallId, output: 1 },
    ),
    [
      `results.1.toolCallId ${unknown}`,
      `results.2.toolCallId ${unknown}`,
      'results.3.toolCallId is answered twice in this request',
    ],
  )
  assert.deepEqual(
    await refused(
      { toolCallId },
      { toolCallId, output: 1, error: 'x' },
      { toolCallId, output: 'x'.repeat(60_000) },
    ),
    [
      'results.0.output is required, or `error`',
      'results.1.error cannot stand beside `output`; send one of them',
      'results.2.output must have at most 60000 characters as JSON',
    ],
  )
  assert.match((await refused({ toolCallId, error: '' }))[0], /^results\.0\.error must not be empty/)
  assert.match((await refused({ toolCallId, error: 'x'.repeat(2_001) }))[0], /^results\.0\.error .*2000/)
  assert.match((await refused({ toolCallId, result: 1 }))[0], /^results\.0\.result/)
  assert.match((await refused())[0], /^results must have at least one/)
  assert.match((await refused(...Array(51).fill({ toolCallId, output: 1 })))[0], /^results .*50/)
  const decision = { decisions: [{ toolCallId, decision: 'approve' }] }
  const decided = await tools.app.request('POST', `/runs/${run.id}/approvals`, { body: decision })
  assert.deepEqual(decided.body.errors[0].field, 'decisions.0.toolCallId')
  assert.deepEqual(idsOf(await read(run.id)), [toolCallId])
  await tools.app.request('POST', `/runs/${run.id}/cancel`)
  const late = await send(run.id, [{ toolCallId, output: 1 }])
  assert.deepEqual([late.status, late.body.code, late.body.details.status], [409, 'run_ended', 'cancelled'])
})

test('only those who may run agents in this workspace and environment send results', async () => {
  const run = await startWaiting(order(1))
  const results = [{ toolCallId: idsOf(run)[0], output: 1 }]
  const { app } = tools
  const reader = await app.createKey({ permissions: ['agents:read'] })
  assert.equal((await send(run.id, results, {}, reader)).body.code, 'permission_missing')
  const other = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId: other.workspaceId, userId: other.ownerId })
  const elsewhere = await tools.createAgent({ tools: [] })
  const narrowed = await app.createKey({ agentIds: [elsewhere] })
  for (const key of [stranger, app.testKey, narrowed]) {
    assert.equal((await send(run.id, results, {}, key)).status, 404)
  }
  const member = await app.createKey({ role: 'member', permissions: ['agents:run'] })
  assert.equal((await send(run.id, results, wait, member)).status, 200)
})

test('of two results at the same moment one counts, and a run that waits for an approval too goes on after both', async () => {
  const run = await startWaiting(order(1), post())
  const [toolCallId = ''] = idsOf(run)
  const replies = await Promise.all([1, 2, 3].map(output => send(run.id, [{ toolCallId, output }])))
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 400, 400])
  const resting = await read(run.id)
  assert.deepEqual(
    [resting.status, resting.pendingToolCalls.length, resting.pendingApprovals.length],
    ['waiting', 0, 1],
  )
  assert.equal(tools.requests.length, 0)
  const done = await tools.approveAll(resting)
  assert.deepEqual([done.status, tools.requests.length], ['succeeded', 1])
})

test('arguments that do not fit never reach the program: the model is told, as of every tool', async () => {
  tools.script(calls(order('seven'), order(0)), calls(order(7)), says('Done.'))
  const { data } = (await start()).body
  assert.deepEqual(
    data.pendingToolCalls.map(({ input }: Json) => input),
    [{ number: 7 }],
  )
  const told = [...toldBy(asked(1)).values()]
  assert.match(told[0] ?? '', /The arguments do not fit: number must be a whole number/)
  assert.match(told[1] ?? '', /number must be at least 1/)
  await send(data.id, [{ toolCallId: idsOf(data)[0], output: 1 }], wait)
  tools.script(calls(order('seven')))
  const failed = (await start()).body.data
  assert.deepEqual([failed.status, failed.error.code], ['failed', 'tool_error'])
})

test('a run names functions of its own besides those of the agent, and a rerun has them as well', async () => {
  const refund = { name: 'refund', inputSchema: { type: 'object' } }
  tools.script(calls(['refund', { any: 1 }], order(1)), says('Done.'))
  const { data } = (await start({ functions: [refund] })).body
  assert.deepEqual(data.functions, [refund])
  const results = idsOf(data).map(toolCallId => ({ toolCallId, output: 1 }))
  assert.equal(results.length, 2)
  assert.equal((await send(data.id, results, wait)).body.data.status, 'succeeded')
  tools.script(calls(['refund', {}]), says('Done.'))
  const again = (await tools.app.request('POST', `/runs/${data.id}/rerun`, { body: {} })).body.data
  assert.deepEqual([again.status, again.functions], ['waiting', [refund]])
  const listed = await tools.app.request('GET', `/agents/${agentId}/runs`, { query: { status: 'waiting' } })
  const mine = listed.body.data.find(({ id }: Json) => id === again.id)
  assert.equal(mine.pendingToolCalls.length, 1)
  await tools.app.request('POST', `/runs/${again.id}/cancel`)
})

test('functions that cannot be had are refused by name, all at once, on an agent and on a run', async () => {
  const named = (name: string, inputSchema: Json = { type: 'object' }) => ({ name, inputSchema })
  let deep: Json = {}
  for (let level = 0; level < 40; level++) deep = { items: deep }
  const functions = [
    named('calculator'),
    named('github_create_issue'),
    named('twice'),
    named('twice'),
    named('array', { type: 'array' }),
    named('outside', { type: 'object', properties: { a: { $ref: 'https://example.com/a' } } }),
    named('broken', { type: 'object', required: 'all' }),
  ]
  const expected = [
    'functions.0.name',
    'functions.1.name',
    'functions.3.name',
    'functions.4.inputSchema.type',
    'functions.5.inputSchema.properties.a.$ref',
    'functions.6.inputSchema.required',
  ]
  const faults = ({ status, body }: { status: number; body: Json }): string[] => {
    assert.equal(status, 400, JSON.stringify(body))
    return body.errors.map(({ field, message }: Json) => (field === 'body' ? message : field))
  }
  const onAgent = async (given: Json) =>
    faults(await tools.app.request('PATCH', `/agents/${agentId}`, { body: { functions: given } }))
  const onRun = async (given: Json) => faults(await start({ functions: given }))
  for (const refusedOn of [onAgent, onRun]) {
    assert.deepEqual(await refusedOn(functions), expected)
    assert.deepEqual(await refusedOn([{ name: '7up', inputSchema: {} }, { name: 'no_schema' }]), [
      'functions.0.name',
      'functions.1.inputSchema',
    ])
    assert.deepEqual(await refusedOn(Array.from({ length: 129 }, (_, index) => named(`f${index}`))), [
      'functions',
    ])
    assert.deepEqual(await refusedOn([named('deep', { type: 'object', properties: { a: deep } })]), [
      'must not be nested deeper than 32 levels',
    ])
    const large = { type: 'object', description: 'x'.repeat(40_000) }
    const tooLarge = Array.from({ length: 7 }, (_, index) => named(`f${index}`, large))
    assert.deepEqual(await refusedOn(tooLarge), ['functions'])
  }
  assert.deepEqual(await onRun([named('look_up')]), ['functions.0.name'])
  const tooMuch = { tools: ['calculator', 'look_up'] }
  assert.deepEqual(faults(await tools.app.request('PATCH', `/agents/${agentId}`, { body: tooMuch })), [
    'tools.1',
  ])
})

test('toolChoice reaches the model in its own words, for the first answer; what cannot be chosen is refused', async () => {
  const wordsOf = async (toolChoice: Json): Promise<Json[]> => {
    tools.script(calls(['calculator', { expression: '1+1' }]), says('Done.'))
    const { body } = await start({ toolChoice })
    assert.deepEqual([body.data.status, body.data.toolChoice], ['succeeded', toolChoice])
    return [0, 1].map(index => asked(index).tool_choice)
  }
  assert.deepEqual(await wordsOf('auto'), [undefined, undefined])
  assert.deepEqual(await wordsOf('required'), ['required', undefined])
  const named = { type: 'function', function: { name: 'calculator' } }
  assert.deepEqual(await wordsOf({ function: 'calculator' }), [named, undefined])
  tools.script(calls(order(1)), says('Done.'))
  const none = (await start({ toolChoice: 'none' })).body.data
  assert.deepEqual([none.status, asked(0).tool_choice], ['succeeded', 'none'])
  assert.match(none.steps[1].output.error.message, /no tools are called/)

  const bare = await tools.createAgent({ tools: [] })
  const refusal = async (body: Json, id?: string) => {
    const reply = await start(body, id)
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    return reply.body.errors.map(({ field }: Json) => field)
  }
  assert.deepEqual(await refusal({ toolChoice: { function: 'look_down' } }), ['toolChoice.function'])
  assert.deepEqual(await refusal({ toolChoice: 'required' }, bare), ['toolChoice'])
  assert.deepEqual(await refusal({ toolChoice: 'always' }), ['toolChoice'])
  assert.deepEqual(await refusal({ toolChoice: { function: 7 } }), ['toolChoice'])
  assert.deepEqual(await refusal({ toolChoice: 'required', limits: { maxSteps: 1 } }), ['toolChoice'])
})

test('a function of an agent that another one calls is answered at the part, and both runs go on', async () => {
  const knower = await tools.createAgent({ instructions: 'I know.', tools: [], functions: [lookUp] })
  const boss = await tools.createAgent({ instructions: 'I ask.', tools: ['call_agent'], agentIds: [knower] })
  tools.modelServer.setScript(({ messages }) => {
    const hasCalled = messages.some(({ role }) => role === 'tool')
    const isBoss = String(messages[0]?.content).startsWith('I ask.')
    if (hasCalled) return says(isBoss ? 'It is shipped.' : 'Shipped.')
    return calls(isBoss ? ['call_agent', { agentId: knower, prompt: 'Where is order 7?' }] : order(7))
  })
  const { data } = (await start({}, boss)).body
  assert.equal(data.status, 'waiting')
  const [{ runId, toolCallId, name }] = data.pendingToolCalls
  assert.notEqual(runId, data.id)
  assert.equal(name, 'look_up')
  const misdirected = await send(data.id, [{ toolCallId, output: 'shipped' }])
  assert.equal(misdirected.body.errors[0].field, 'results.0.toolCallId')
  assert.equal((await send(runId, [{ toolCallId, output: 'shipped' }], wait)).body.data.output, 'Shipped.')
  assert.equal((await read(data.id)).output, 'It is shipped.')
})

test('a run without a result in time fails with tool_result_expired, and takes no more', async t => {
  let now = Date.now()
  const late = await startToolApp({ ATRIUM_TOOL_RESULT_HOURS: '1' }, () => now)
  t.after(() => late.close())
  const id = await late.createAgent({ tools: [], functions: [lookUp] })
  late.script(calls(order(1)), says('Done.'))
  const { body } = await late.app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Go!' } })
  const { pendingCalls } = late.app.app.services
  now += hourMs - 1
  assert.equal(await pendingCalls.expire(), 0)
  now += 1
  const results = [{ toolCallId: idsOf(body.data)[0], output: 1 }]
  const refused = await late.app.request('POST', `/runs/${body.data.id}/tool-results`, { body: { results } })
  assert.deepEqual([refused.status, refused.body.code], [409, 'run_ended'])
  assert.equal(await pendingCalls.expire(), 1)
  const { data } = (await late.app.request('GET', `/runs/${body.data.id}`)).body
  assert.deepEqual([data.status, data.error.code], ['failed', 'tool_result_expired'])
})

test('the time that a run waits for a result does not count for its deadline', async () => {
  tools.script(calls(order(1)), says('Done.'))
  const { data } = (await start({ limits: { timeoutSeconds: 2 } })).body
  skippedMs += hourMs
  const sent = await send(data.id, [{ toolCallId: idsOf(data)[0], output: 1 }], wait)
  assert.equal(sent.body.data.status, 'succeeded')
})

test('a stream ends where the run begins to wait, and goes on behind that', async () => {
  const address = `${await tools.app.listen()}/api/v1`
  const { key } = tools.app.liveKey
  tools.script(calls(order(1)), says('Done.'))
  const first = await (
    await openStream(`${address}/agents/${agentId}/run`, { key }, { body: { prompt: 'Go!' } })
  ).rest()
  const waiting = first.at(-1)
  assert.equal(waiting?.event, 'run.waiting')
  const run: Json = waiting?.data.run
  assert.equal(run.pendingToolCalls[0].input.number, 1)
  await send(run.id, [{ toolCallId: idsOf(run)[0], output: 1 }])
  const lastEventId = waiting?.id ?? ''
  const second = await (await openStream(`${address}/runs/${run.id}/events`, { key }, { lastEventId })).rest()
  assert.equal(second.at(-1)?.event, 'run.succeeded')
  assert.ok(second.some(({ data }) => data.step?.type === 'tool' && data.step.result !== undefined))
  const events = await tools.app.request('GET', '/events', { query: { type: 'run.waiting' } })
  assert.ok(events.body.data.some((event: Json) => event.data.id === run.id))
})

test('in the sandbox sim:tool calls a function, and toolChoice makes the sandbox call or leave it', async () => {
  const key = tools.app.testKey
  const id = await tools.createAgent(
    { model: 'sandbox', tools: ['search_knowledge'], functions: [lookUp] },
    key,
  )
  const run = async (body: Json): Promise<Json> =>
    (await tools.app.request('POST', `/agents/${id}/run`, { key, body })).body.data
  const scripted = await run({ prompt: 'sim:tool=look_up({"number": 7})' })
  assert.deepEqual(scripted.pendingToolCalls[0].input, { number: 7 })
  const results = [{ toolCallId: scripted.pendingToolCalls[0].toolCallId, output: 'shipped' }]
  const done = await send(scripted.id, results, wait, key)
  assert.equal(done.body.data.output, 'look_up: shipped')
  const forced = await run({ prompt: 'Where is it?', toolChoice: { function: 'look_up' } })
  assert.equal(forced.pendingToolCalls[0].name, 'look_up')
  const none = await run({ prompt: 'Where is it?', toolChoice: 'none' })
  assert.deepEqual([none.status, none.steps.length], ['succeeded', 1])
})
