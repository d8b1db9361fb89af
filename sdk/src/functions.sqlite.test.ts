/** Functions of a program that a model calls, against the real server: the client carries them out by itself. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { calls, says, startToolApp, type ToolApp } from '../../server/src/testing/apps/tool-app.ts'
import { Atrium } from './client.ts'
import type { RunFunction } from './functions.ts'

let tools: ToolApp
let atrium: Atrium
let agentId: string

before(async () => {
  tools = await startToolApp()
  atrium = new Atrium({ apiKey: tools.app.liveKey.key, baseUrl: await tools.app.listen() })
  agentId = await tools.createAgent({ tools: ['current_time'], approvalTools: ['current_time'] })
})

after(() => tools.close())

const schema = { type: 'object', properties: { number: { type: 'integer' } }, required: ['number'] }
const lookUp = (run: RunFunction['run']): Record<string, RunFunction> => ({
  lookUp: { description: 'Finds an order.', schema, run },
})
const order = (number: number): [string, unknown] => ['lookUp', { number }]

const toldTo = (index: number): string[] =>
  (tools.modelServer.requests[index]?.body.messages ?? [])
    .filter(({ role }) => role === 'tool')
    .map(({ content }) => String(content))

test('a run calls functions of the program, several at the same time, until there is an answer', async () => {
  tools.script(calls(order(1), order(2)), calls(order(3)), says('All are shipped.'))
  const both = Promise.withResolvers<void>()
  const asked: number[] = []
  const run = await atrium.agents.run(agentId, {
    prompt: 'Where are they?',
    tools: lookUp(async ({ number }) => {
      asked.push(number)
      // Neither of the first two returns before the other has begun.
      if (asked.length === 2) both.resolve()
      await both.promise
      return { number, state: 'shipped' }
    }),
  })
  assert.deepEqual([run.status, run.output], ['succeeded', 'All are shipped.'])
  assert.deepEqual(asked.toSorted(), [1, 2, 3])
  assert.deepEqual(run.functions, [{ name: 'lookUp', description: 'Finds an order.', inputSchema: schema }])
  assert.ok(toldTo(2).includes('{"number":3,"state":"shipped"}'))
})

test('what a function throws, and what it cannot return, is told to the model as an error', async () => {
  tools.script(calls(order(1), order(2), order(3), order(4)), says('I cannot find them.'))
  const run = await atrium.agents.run(agentId, {
    prompt: 'Where are they?',
    tools: lookUp(({ number }) => {
      if (number === 1) throw new Error('There is no order 1.')
      if (number === 2) return 'x'.repeat(60_000)
      return number === 3 ? { total: 1n } : undefined
    }),
  })
  assert.equal(run.status, 'succeeded')
  const [thrown, large, strange, nothing] = toldTo(1)
  assert.equal(thrown, 'There is no order 1.')
  assert.match(large ?? '', /60002 characters, of at most 60000/)
  assert.match(strange ?? '', /BigInt/)
  assert.equal(nothing, 'null')
})

test('a stream goes on behind the calls, and its events are those of one run', async () => {
  tools.script(calls(order(1)), calls(order(2)), says('Shipped.'))
  const types: string[] = []
  const ids: string[] = []
  let output: string | null | undefined
  for await (const event of atrium.agents.stream(agentId, {
    prompt: 'Where is it?',
    tools: lookUp(({ number }) => number),
  })) {
    types.push(event.type)
    ids.push(event.id)
    if ('run' in event) output = event.run.output
  }
  assert.equal(output, 'Shipped.')
  assert.equal(types.filter(type => type === 'run.waiting').length, 2)
  assert.equal(types.at(-1), 'run.succeeded')
  assert.equal(new Set(ids).size, ids.length)
})

test('a run that is followed after a person has decided calls functions, each once, until it ends', async () => {
  tools.script(calls(['current_time', {}]), calls(order(1)), says('Shipped.'))
  const asked: number[] = []
  const functions = lookUp(({ number }) => asked.push(number))
  const run = await atrium.agents.run(agentId, { prompt: 'Where is it?', tools: functions })
  const [{ toolCallId = '' } = {}] = run.pendingApprovals
  await atrium.runs.decide(run.id, [{ toolCallId, decision: 'approve' }])
  assert.equal((await atrium.runs.waitUntilEnded(run.id)).pendingToolCalls.length, 1)
  const types: string[] = []
  for await (const { type } of atrium.runs.follow(run.id, { tools: functions })) types.push(type)
  assert.equal(types.at(-1), 'run.succeeded')
  assert.equal(types.filter(type => type === 'run.waiting').length, 2)
  assert.deepEqual(asked, [1])
})

test('a run that waits again is followed from its beginning to its last wait', async () => {
  tools.script(calls(['current_time', {}]), calls(['current_time', {}]), says('Noon.'))
  const { id, pendingApprovals } = await atrium.agents.run(agentId, { prompt: 'What time is it?' })
  await atrium.runs.decide(
    id,
    pendingApprovals.map(({ toolCallId }) => ({ toolCallId, decision: 'approve' })),
  )
  await atrium.runs.waitUntilEnded(id)
  const types: string[] = []
  for await (const { type } of atrium.runs.follow(id)) types.push(type)
  assert.equal(types.filter(type => type === 'run.waiting').length, 2)
  assert.equal(types.at(-1), 'run.waiting')
})

test('where a person has to decide too, the results are sent, and the run is returned as it waits', async () => {
  const script = () => tools.script(calls(order(1), ['current_time', {}]), says('Done.'))
  const given = { prompt: 'Go!', tools: lookUp(() => 1) }
  script()
  const run = await atrium.agents.run(agentId, given)
  assert.deepEqual([run.status, run.pendingToolCalls.length, run.pendingApprovals.length], ['waiting', 0, 1])
  script()
  const types: string[] = []
  for await (const { type } of atrium.agents.stream(agentId, given)) types.push(type)
  assert.equal(types.at(-1), 'run.waiting')
  await tools.approveAll(run)
})

test('a function that the agent names needs no schema, and a call that no function answers is left to others', async () => {
  const functions = [
    { name: 'lookUp', inputSchema: schema },
    { name: 'refund', inputSchema: schema },
  ]
  const id = await tools.createAgent({ tools: [], functions })
  tools.script(calls(order(1), ['refund', { number: 1 }]), says('Done.'))
  const run = await atrium.agents.run(id, { prompt: 'Go!', tools: { lookUp: { run: () => 'shipped' } } })
  assert.deepEqual([run.status, run.pendingToolCalls.map(({ name }) => name)], ['waiting', ['refund']])
  const [{ toolCallId = '' } = {}] = run.pendingToolCalls
  await atrium.runs.sendToolResults(run.id, [{ toolCallId, output: true }])
  assert.equal((await atrium.runs.waitUntilEnded(run.id)).status, 'succeeded')
})

test('an abort ends the wait for a function, which hears of it, and sends nothing', async () => {
  tools.script(calls(order(1)), says('Done.'))
  const abort = new AbortController()
  let runId = ''
  let heard: AbortSignal | undefined
  const running = atrium.agents.run(
    agentId,
    {
      prompt: 'Go!',
      tools: lookUp((_, call) => {
        runId = call.runId
        heard = call.signal
        abort.abort(new Error('Enough.'))
        return new Promise(() => undefined)
      }),
    },
    { signal: abort.signal },
  )
  await assert.rejects(running, /Enough\./)
  assert.equal(heard?.aborted, true)
  const { status, pendingToolCalls } = await atrium.runs.get(runId)
  assert.deepEqual([status, pendingToolCalls.length], ['waiting', 1])
  await atrium.runs.cancel(runId)
})
