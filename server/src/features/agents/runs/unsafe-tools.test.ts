/** Calls that are not safe to repeat, while processes are killed: made once, or told to be in doubt. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, type TestContext, test } from 'node:test'
import { calls, says, toldBy } from '../../../testing/apps/tool-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { impatient, patient, type RunProcesses, startRunProcesses } from '../../../testing/run-processes.ts'
import { presentRun } from '../records/run-records.ts'

let processes: RunProcesses
let host: Server
let received: string[]
/** What the host does with a request. */
let answer: (method: string, response: ServerResponse) => void

before(async () => {
  processes = await startRunProcesses()
  host = createServer((request, response) => {
    received.push(request.method ?? '')
    answer(request.method ?? '', response)
  })
  host.listen(0, '127.0.0.1')
  await once(host, 'listening')
})

after(async () => {
  await processes.close()
  host.close()
  host.closeAllConnections()
})

const request = (method: string): [string, unknown] => {
  const { port } = host.address() as AddressInfo
  return ['http_request', { method, url: `http://api.example.com:${port}/` }]
}

async function startRun(t: TestContext) {
  const { port } = host.address() as AddressInfo
  const living = processes.start()
  processes.server.requests.length = 0
  received = []
  const agent = await living.agents.create(processes.caller, {
    name: 'Test',
    tools: ['http_request'],
    httpHosts: [`api.example.com:${port}`],
  })
  const queued = await living.runs.run(processes.caller, agent.id, { prompt: 'Order!' }, impatient)
  const child = await processes.startWorker(t)
  return {
    steps: async () => {
      const present = await living.runs.get(processes.caller, queued.row.id, impatient)
      return presentRun(present, processes.caller.scope).steps
    },
    async goOn() {
      await processes.killWorker(child)
      living.worker.start()
      const ended = presentRun(
        await living.runs.get(processes.caller, queued.row.id, { ...patient, waitMs: 30_000 }),
        processes.caller.scope,
      )
      await living.worker.drain(1_000)
      return ended
    },
  }
}

test('a call that was in progress when its process was killed is not made again, and the model is told of the doubt', async t => {
  answer = (method, response) => void (method === 'POST' ? undefined : response.end('read'))
  processes.server.setScript((_, index) =>
    index === 0 ? calls(request('POST'), request('GET')) : says('Done.'),
  )
  const run = await startRun(t)
  await eventually('the order arrives', () => received.includes('POST'))
  const ended = await run.goOn()
  assert.equal(ended.status, 'succeeded')
  assert.equal(received.filter(method => method === 'POST').length, 1)
  const told = [...toldBy(processes.server.requests.at(-1)?.body ?? { model: '', messages: [] }).values()]
  assert.equal(told.length, 2)
  assert.match(told[0] ?? '', /may or may not have been carried out/)
  assert.match(told[1] ?? '', /"status":200/)
  assert.equal(processes.server.requests.length, 2, 'the model was not asked again what to call')
})

test('a call that was answered before its process was killed is on the record and is not made again', async t => {
  answer = (_, response) => void response.end('ordered')
  processes.server.setScript((_, index) => {
    if (index === 1) return { kind: 'never' }
    return index === 0 ? calls(request('POST')) : says('Done.')
  })
  const run = await startRun(t)
  await eventually('the model is asked again', () => processes.server.requests.length === 2)
  // The answer is kept at once, while the model is already being asked.
  await eventually('the answer is on the record', async () =>
    (await run.steps()).some(({ type }) => type === 'tool'),
  )
  const ended = await run.goOn()
  assert.equal(ended.status, 'succeeded')
  assert.deepEqual(received, ['POST'])
  const told = [...toldBy(processes.server.requests.at(-1)?.body ?? { model: '', messages: [] }).values()]
  assert.match(told[0] ?? '', /"body":"ordered"/)
})

test('an agent that was at work for another when the process was killed goes on with its run, and is not begun twice', async t => {
  const living = processes.start()
  processes.server.requests.length = 0
  const helper = await living.agents.create(processes.caller, {
    name: 'Helper',
    instructions: 'I help.',
    tools: [],
  })
  const asking = await living.agents.create(processes.caller, {
    name: 'Asking',
    instructions: 'I ask.',
    tools: ['call_agent'],
    agentIds: [helper.id],
  })
  let helped = 0
  processes.server.setScript(({ messages }) => {
    if (String(messages[0]?.content).startsWith('I help.'))
      return helped++ === 0 ? { kind: 'never' } : says('Here.')
    return messages.some(({ role }) => role === 'tool')
      ? says('Done.')
      : calls(['call_agent', { agentId: helper.id, prompt: 'Help!' }])
  })
  const queued = await living.runs.run(processes.caller, asking.id, { prompt: 'Ask!' }, impatient)
  const child = await processes.startWorker(t)
  await eventually('the helper is at work', () => helped === 1)
  await processes.killWorker(child)
  living.worker.start()
  const ended = presentRun(
    await living.runs.get(processes.caller, queued.row.id, { ...patient, waitMs: 30_000 }),
    processes.caller.scope,
  )
  await living.worker.drain(1_000)
  assert.deepEqual([ended.status, ended.output], ['succeeded', 'Done.'])
  const parts = await living.runs.list(processes.caller, helper.id, {}, { page: 1, pageSize: 10 })
  assert.deepEqual(
    parts.items.map(({ row }) => [row.status, row.output, row.parent_run_id]),
    [['succeeded', 'Here.', ended.id]],
  )
})
