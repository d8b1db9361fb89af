/** Agents that call agents: a run within a run, for the same caller, ended and paid for with the one that called it. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { calls, says, startToolApp, type ToolApp, toldBy } from '../../../testing/apps/tool-app.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import type { CompletionRequest, ModelBehaviour } from '../../../testing/servers/model-server.ts'

/** 1,000 tokens read and 100 written: 3 cents with the price below. */
const costOfCall = 0.03
const priced = 'openai/priced'
const prices = { [priced]: { inputUsdPerMillionTokens: 20, outputUsdPerMillionTokens: 100 } }

let tools: ToolApp
let folder: string

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-prices-'))
  await writeFile(join(folder, 'prices.json'), JSON.stringify(prices))
  tools = await startToolApp({ ATRIUM_MODEL_PRICES: join(folder, 'prices.json') })
})

after(async () => {
  await tools.close()
  await rm(folder, { recursive: true })
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

/** Each agent answers by its instructions: a script for its first, second … request. */
function play(scripts: Record<string, ModelBehaviour[]>): void {
  tools.modelServer.requests.length = 0
  const asked = new Map<string, number>()
  tools.modelServer.setScript(request => {
    const name = nameOf(request, Object.keys(scripts))
    const index = asked.get(name) ?? 0
    asked.set(name, index + 1)
    const script = scripts[name] ?? []
    return script[Math.min(index, script.length - 1)] ?? { kind: 'never' }
  })
}

const nameOf = ({ messages }: CompletionRequest, names: readonly string[]): string =>
  names.find(name => String(messages[0]?.content).startsWith(`I am ${name}.`)) ?? ''

const agent = (name: string, body: Record<string, unknown> = {}) =>
  tools.createAgent({ name, instructions: `I am ${name}.`, ...body })

const caller = (name: string, agentIds: string[], body: Record<string, unknown> = {}) =>
  agent(name, { tools: ['call_agent'], agentIds, ...body })

const ask = (agentId: string, prompt = 'What do you say?') => calls(['call_agent', { agentId, prompt }])

async function run(agentId: string, body: Json = {}): Promise<Json> {
  const reply = await tools.app.request('POST', `/agents/${agentId}/run`, {
    body: { prompt: 'Go!', ...body },
  })
  return reply.body.data
}

/** An agent whose requests have to be approved. */
const createSender = () =>
  agent('Sender', {
    tools: ['http_request'],
    approvalTools: ['http_request'],
    httpHosts: [tools.host],
  })

const read = async (id: string): Promise<Json> => (await tools.app.request('GET', `/runs/${id}`)).body.data

test('another agent answers in a run of its own, and its passages are cited by the one that called it', async () => {
  const { app } = tools
  const collectionId = await createCollection(app, app.liveKey)
  const content = 'Geese pay two euros a day. Ducks may enter freely.'
  const { id: documentId } = await uploadAndWait(app, {
    collectionId,
    key: app.liveKey,
    name: 'ducks.txt',
    content,
  })
  const knower = await agent('Knower', { tools: ['search_knowledge'], collectionIds: [collectionId] })
  const boss = await caller('Boss', [knower])
  play({
    Boss: [ask(knower, 'May ducks enter?'), says('Yes: ducks may enter freely [1].')],
    Knower: [calls(['search_knowledge', { query: 'ducks' }]), says('Ducks may enter freely [1]. And [7].')],
  })
  const done = await run(boss, { endUserId: 'ada' })
  assert.equal(done.status, 'succeeded')
  const { content: answer, passages } = done.steps[1].output
  assert.equal(answer.output, 'Ducks may enter freely [1]. And .')
  assert.equal(passages[0].documentId, documentId)
  assert.deepEqual([done.citations[0].documentId, done.citations[0].marker], [documentId, '[1]'])
  const part = await read(answer.runId)
  assert.deepEqual(
    [part.status, part.parentRunId, part.agentId, part.prompt, part.endUserId],
    ['succeeded', done.id, knower, 'May ducks enter?', 'ada'],
  )
  assert.deepEqual(done.steps[1].output.usage, { inputTokens: 2000, outputTokens: 200, costUsd: null })
  assert.equal(done.usage.inputTokens, 2000)
  const description = tools.modelServer.requests[0]?.body.tools?.[0]?.function.description ?? ''
  assert.match(description, new RegExp(`${knower} \\(Knower\\)`))
})

test('agents do not call each other in a circle, more than three deep, or without leave', async () => {
  const fourth = await agent('Fourth')
  const third = await caller('Third', [fourth])
  const second = await caller('Second', [third])
  const first = await caller('First', [second])
  const stranger = await agent('Stranger')
  play({
    First: [ask(second), says('Done.')],
    Second: [ask(third), says('Done.')],
    Third: [ask(fourth), says('Too deep.')],
    Fourth: [says('Never asked.')],
  })
  const deep = await run(first)
  assert.equal(deep.status, 'succeeded')
  const names = tools.modelServer.requests.map(({ body }) =>
    nameOf(body, ['First', 'Second', 'Third', 'Fourth']),
  )
  assert.ok(!names.includes('Fourth'))
  const told = tools.modelServer.requests.flatMap(({ body }) => [...toldBy(body).values()])
  assert.ok(told.some(text => /at most 3 levels deep/.test(text)))

  await tools.app.request('PATCH', `/agents/${second}`, { body: { agentIds: [first] } })
  play({ First: [ask(second), says('Done.')], Second: [ask(first), says('A circle.')] })
  assert.equal((await run(first)).status, 'succeeded')
  const circle = tools.modelServer.requests.flatMap(({ body }) => [...toldBy(body).values()])
  assert.ok(circle.some(text => /cannot call each other in a circle/.test(text)))

  play({ First: [ask(stranger), says('Done.')] })
  const [, refused] = (await run(first)).steps
  assert.match(refused.output.error.message, /cannot be called/)
})

test('the failure of an agent is told to the one that called it, with its code', async () => {
  const failing = await agent('Failing')
  const boss = await caller('Boss', [failing])
  play({ Boss: [ask(failing), says('It failed.')], Failing: [{ kind: 'status', status: 401 }] })
  const done = await run(boss)
  assert.equal(done.output, 'It failed.')
  assert.match(done.steps[1].output.error.message, /run_\w+ gave no answer: model_unauthorized/)
})

test('a key that may not do what the called agent does is refused within the run too', async () => {
  const knower = await agent('Knower', { tools: ['search_knowledge'] })
  const boss = await caller('Boss', [knower])
  play({ Boss: [ask(knower), says('Refused.')] })
  const key = await tools.app.createKey({ permissions: ['agents:run', 'agents:read'] })
  const { body } = await tools.app.request('POST', `/agents/${boss}/run`, { key, body: { prompt: 'Go!' } })
  assert.match(body.data.steps[1].output.error.message, /lacks the permission knowledge:read/)
  const narrow = await tools.app.createKey({ agentIds: [boss] })
  play({ Boss: [ask(knower), says('Refused.')] })
  const narrowed = await tools.app.request('POST', `/agents/${boss}/run`, {
    key: narrow,
    body: { prompt: 'Go!' },
  })
  assert.match(narrowed.body.data.steps[1].output.error.message, /no agent/)
})

test('to cancel the run is to cancel what it called, whose model is hung up on; the part alone cannot be cancelled', async () => {
  const thinker = await agent('Thinker')
  const boss = await caller('Boss', [thinker])
  play({ Boss: [ask(thinker), says('Done.')], Thinker: [{ kind: 'never' }] })
  const started = await tools.app.request('POST', `/agents/${boss}/run`, {
    body: { prompt: 'Go!' },
    headers: { prefer: 'respond-async' },
  })
  const { id } = started.body.data
  while (tools.modelServer.requests.length < 2) await sleep(5)
  const { body } = await tools.app.request('GET', `/agents/${thinker}/runs`)
  const [part] = body.data
  const alone = await tools.app.request('POST', `/runs/${part.id}/cancel`)
  assert.deepEqual([alone.status, alone.body.code], [409, 'run_is_part'])
  assert.match(alone.body.message, new RegExp(id))
  const cancelled = await tools.app.request('POST', `/runs/${id}/cancel`)
  assert.equal(cancelled.body.data.status, 'cancelled')
  assert.equal((await read(part.id)).status, 'cancelled')
  while (tools.modelServer.requests[1]?.closedByClientAtMs === null) await sleep(1)
})

test('a call of the called agent that needs an approval rests both runs, and both go on after it', async () => {
  const sender = await createSender()
  const boss = await caller('Boss', [sender])
  tools.requests.length = 0
  play({
    Boss: [ask(sender), says('It was sent.')],
    Sender: [calls(['http_request', { method: 'POST', url: `http://${tools.host}/a` }]), says('Sent.')],
  })
  const waiting = await run(boss)
  assert.equal(waiting.status, 'waiting')
  const [{ runId, toolCallId, name }] = waiting.pendingApprovals
  assert.equal(name, 'http_request')
  assert.equal((await read(runId)).parentRunId, waiting.id)
  const wrong = await tools.app.request('POST', `/runs/${waiting.id}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
  })
  assert.equal(wrong.status, 400)
  assert.equal(tools.requests.length, 0)
  await tools.app.request('POST', `/runs/${runId}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
  })
  const { body } = await tools.app.request('GET', `/runs/${waiting.id}`, { headers: { prefer: 'wait=20' } })
  assert.deepEqual([body.data.status, body.data.output], ['succeeded', 'It was sent.'])
  assert.equal(tools.requests.length, 1)
  assert.equal((await read(runId)).output, 'Sent.')
  assert.equal(body.data.steps[1].output.content.output, 'Sent.')
})

test('a run within a run that rests is ended with it', async () => {
  const sender = await createSender()
  const boss = await caller('Boss', [sender])
  play({
    Boss: [ask(sender), says('Done.')],
    Sender: [calls(['http_request', { method: 'POST', url: `http://${tools.host}/a` }]), says('Sent.')],
  })
  const waiting = await run(boss)
  const cancelled = await tools.app.request('POST', `/runs/${waiting.id}/cancel`)
  assert.equal(cancelled.body.data.status, 'cancelled')
  assert.equal((await read(waiting.pendingApprovals[0].runId)).status, 'cancelled')
})

test('a run that would interrupt a part is refused, and the run that called the part goes on', async () => {
  const { app } = tools
  const released = Promise.withResolvers<void>()
  const sender = await createSender()
  const boss = await caller('Boss', [sender])
  play({
    Boss: [ask(sender), says('It was sent.')],
    Sender: [
      calls(['http_request', { method: 'POST', url: `http://${tools.host}/a` }]),
      { kind: 'held', until: released.promise, behaviour: says('Sent.') },
    ],
  })
  const waiting = await run(boss)
  const [{ runId, toolCallId }] = waiting.pendingApprovals
  const { conversationId } = await read(runId)
  const key = await app.createKey({ agentIds: [sender] })
  const interrupt = async (more: Json = {}) =>
    await app.request('POST', `/agents/${sender}/run`, {
      key,
      body: { prompt: 'Now!', conversationId, whenBusy: 'interrupt', ...more },
    })
  const whileWaiting = await interrupt()
  assert.deepEqual([whileWaiting.status, whileWaiting.body.code], [409, 'conversation_busy'])
  assert.match(whileWaiting.body.message, new RegExp(`The run ${runId} .*, and is a part of another run`))
  assert.equal((await interrupt({ endUserId: 'ada' })).body.errors[0].field, 'conversationId')
  await app.request('POST', `/runs/${runId}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
  })
  while (tools.modelServer.requests.length < 3) await sleep(5)
  const whileRunning = await interrupt()
  assert.deepEqual([whileRunning.status, whileRunning.body.details], [409, { runId }])
  released.resolve()
  const { body } = await app.request('GET', `/runs/${waiting.id}`, { headers: { prefer: 'wait=20' } })
  assert.deepEqual([body.data.status, body.data.output], ['succeeded', 'It was sent.'])
  assert.equal((await interrupt()).status, 200)
})

test('to cancel a part that has ended changes neither it nor the run that called it', async () => {
  const released = Promise.withResolvers<void>()
  const helper = await agent('Helper')
  const boss = await caller('Boss', [helper])
  play({
    Boss: [ask(helper), { kind: 'held', until: released.promise, behaviour: says('Done.') }],
    Helper: [says('Helped.')],
  })
  const { body } = await tools.app.request('POST', `/agents/${boss}/run`, {
    body: { prompt: 'Go!' },
    headers: { prefer: 'respond-async' },
  })
  while (tools.modelServer.requests.length < 3) await sleep(5)
  const [{ id }] = (await tools.app.request('GET', `/agents/${helper}/runs`)).body.data
  const part = await read(id)
  assert.equal(part.status, 'succeeded')
  const key = await tools.app.createKey({ agentIds: [helper] })
  const cancelled = await tools.app.request('POST', `/runs/${id}/cancel`, { key })
  assert.deepEqual([cancelled.status, cancelled.body.data], [200, part])
  released.resolve()
  const ended = await tools.app.request('GET', `/runs/${body.data.id}`, { headers: { prefer: 'wait=20' } })
  assert.deepEqual([ended.body.data.status, ended.body.data.output], ['succeeded', 'Done.'])
})

test('an agent whose model has no known price is not called where a limit or budget would have to hold', async () => {
  const unpriced = await agent('Unpriced')
  const thrifty = await agent('Thrifty', { limits: { maxCostUsdPerMonth: 1 } })
  const limited = await caller('Limited', [unpriced], { model: priced, limits: { maxCostUsd: 0.05 } })
  const free = await caller('Free', [unpriced, thrifty], { model: priced })
  const refusal = 'the price of openai/test-model is not known, so its cost cannot be limited'
  const script = { Unpriced: [says('I am free.')], Thrifty: [says('I am free.')] }
  const refusedTo = async (name: string, callerId: string, calledId: string): Promise<Json> => {
    play({ ...script, [name]: [ask(calledId), ask(calledId), says('Done.')] })
    const done = await run(callerId)
    assert.ok(done.steps[1].output.error?.message.endsWith(refusal), JSON.stringify(done.steps[1].output))
    assert.ok(tools.modelServer.requests.every(({ body }) => body.model === 'priced'))
    return done
  }
  const { error, usage } = await refusedTo('Limited', limited, unpriced)
  assert.deepEqual([error.code, usage.costUsd], ['max_cost', 2 * costOfCall])
  await refusedTo('Free', free, thrifty)
  await tools.app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: 1_000 } })
  await refusedTo('Free', free, unpriced)
  await tools.app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: null } })
  play({ ...script, Free: [ask(unpriced), says('Done.')] })
  assert.equal((await run(free)).steps[1].output.content.output, 'I am free.')
})

test('agents that one answer calls share what is left of the cost limit equally, and the next answer has the rest', async () => {
  const quick = await agent('Quick', { model: priced })
  const slow = await agent('Slow', { model: priced, tools: ['current_time'] })
  const boss = await caller('Boss', [quick, slow], {
    model: priced,
    tools: ['call_agent', 'current_time'],
    limits: { maxCostUsd: 0.25 },
  })
  const asks = (agentId: string): [string, unknown] => ['call_agent', { agentId, prompt: 'Work!' }]
  const tellTime: [string, unknown] = ['current_time', {}]
  play({
    Boss: [calls(asks(quick), tellTime, asks(slow)), calls(asks(slow)), says('Done.')],
    Quick: [says('Done.')],
    Slow: [calls(tellTime)],
  })
  const done = await run(boss)
  const [, , , atFirst, , later] = done.steps
  // Of the 22 cents left, each agent may spend 11. Then 4 cents are left for the one agent of the next answer.
  assert.match(atFirst.output.error.message, /max_cost: The run has cost 0\.12 of at most 0\.11 US dollars/)
  assert.match(later.output.error.message, /max_cost: The run has cost 0\.06 of at most 0\.04/)
  assert.equal(done.error.code, 'max_cost')
  assert.equal(tools.modelServer.requests.length, 2 + 1 + 4 + 2)
})
