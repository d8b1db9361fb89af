/** Runs against a model server that means harm: each ends soon, and nothing that it says counts for more than it is. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { noSleep } from '../../../testing/sleeps.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let answer: () => object[] = () => []
const server = createServer((request, response) => {
  request.resume().on('end', () => {
    response.writeHead(200, { 'content-type': 'text/event-stream' })
    for (const event of answer()) response.write(`data: ${JSON.stringify(event)}\n\n`)
    response.end('data: [DONE]\n\n')
  })
})

before(async () => {
  await new Promise<void>(listening => server.listen(0, '127.0.0.1', listening))
  app = await startTestApp({
    settings: { OPENAI_BASE_URL: `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1` },
    adapt: dependencies => ({ ...dependencies, sleep: noSleep }),
  })
})
after(async () => {
  await app.close()
  server.closeAllConnections()
  server.close()
})

const chunk = (delta: object, finish: string | null = null, usage?: object) => ({
  id: 'c',
  object: 'chat.completion.chunk',
  created: 0,
  model: 'm',
  choices: [{ index: 0, delta, finish_reason: finish }],
  usage,
})

/** Answers so once, and then that it is done. */
async function run(first: object[]) {
  const answers = [first, [chunk({ role: 'assistant', content: 'Done' }), chunk({}, 'stop')]]
  answer = () => answers.shift() ?? []
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: ['calculator'] })
  const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const callOf = (name: string, index: number, id = `call_${index}`) => ({
  index,
  id,
  type: 'function',
  function: { name, arguments: '{}' },
})
const calling = (calls: object[]) => [
  chunk({ role: 'assistant', tool_calls: calls }),
  chunk({}, 'tool_calls'),
]

test('tokens that no model can have read or written neither lower nor break what is counted', async () => {
  const month = async () => {
    const reply = await app.request('GET', '/usage')
    assert.equal(reply.status, 200, JSON.stringify(reply.body))
    return reply.body.data.month
  }
  for (const [prompt, completion, input, output] of [
    // Counts that cannot be are estimated: the prompt has some 50 tokens, and `Hi` is one.
    [-1_000_000, -5, null, 1],
    [1e300, 1.5, 100_000_000, 2],
    [9e15, 9e15, 100_000_000, 100_000_000],
  ] as const) {
    const before = await month()
    const usage = { prompt_tokens: prompt, completion_tokens: completion, total_tokens: 1 }
    const done = await run([chunk({ role: 'assistant', content: 'Hi' }), chunk({}, 'stop', usage)])
    const { inputTokens, outputTokens, isEstimate } = done.usage
    assert.deepEqual([done.status, outputTokens, isEstimate], ['succeeded', output, input === null])
    if (input === null) assert.ok(inputTokens > 10 && inputTokens < 1_000, String(inputTokens))
    else assert.equal(inputTokens, input)
    const now = await month()
    assert.deepEqual(
      [now.inputTokens - before.inputTokens, now.outputTokens - before.outputTokens],
      [inputTokens, outputTokens],
    )
  }
})

test('an answer that calls a thousand tools fails the run, whatever ids it gives the calls', async () => {
  for (const id of [undefined, 'the same']) {
    const calls = Array.from({ length: 1_000 }, (_, index) => callOf('calculator', index, id))
    const { status, error, steps } = await run(calling(calls))
    assert.deepEqual([status, error?.code], ['failed', 'model_invalid_response'])
    assert.ok(steps.length <= 1, `${steps.length} steps`)
  }
})

test('a call of a built-in tool is refused where the agent lacks that tool', async () => {
  const { status, steps } = await run(calling([callOf('http_request', 0), callOf('search_knowledge', 1)]))
  assert.equal(status, 'succeeded')
  const answers = steps
    .filter(({ type }: { type: string }) => type === 'tool')
    .map(({ output }: { output: { error: { message: string } } }) => output.error.message)
  assert.deepEqual(answers, [
    'There is no tool http_request; there is calculator',
    'There is no tool search_knowledge; there is calculator',
  ])
})
