/** A run keeps what it promises: a demanded call, the cost of all attempts, and an end that is the server's. */
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { noSleep } from '../../../testing/sleeps.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
type Asked = { model: string; messages: { role: string; content: string }[]; tool_choice?: unknown }
let asked: Asked[] = []
let answers: object[][] = []
const server = createServer(async (request, response) => {
  // It has no list of models.
  if (request.method === 'GET') {
    response.writeHead(404).end()
    return
  }
  let body = ''
  for await (const piece of request) body += piece
  asked.push(JSON.parse(body))
  response.writeHead(200, { 'content-type': 'text/event-stream' })
  const [first, ...others] = answers
  if (others.length > 0) answers = others
  for (const event of first ?? []) response.write(`data: ${JSON.stringify(event)}\n\n`)
  response.end()
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

const chunk = (delta: object, finish: string | null = null) => ({
  choices: [{ index: 0, delta, finish_reason: finish }],
})
const said = (content: string, finish = 'stop') => [chunk({ content }), chunk({}, finish)]
const calling = (name: string) => [
  chunk({ tool_calls: [{ index: 0, id: 'a', function: { name, arguments: '{"expression":"2+2"}' } }] }),
  chunk({}, 'tool_calls'),
]

async function run(script: object[][], agent: object = {}, wanted: object = {}) {
  asked = []
  answers = script
  const { id } = await createAgentIn(app, { model: 'openai/first', tools: ['calculator'], ...agent })
  const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello', ...wanted } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

for (const toolChoice of ['required', { function: 'calculator' }]) {
  test(`a call that toolChoice ${JSON.stringify(toolChoice)} demands is asked for once more, and then missed`, async () => {
    const late = await run([said('It is 4.'), calling('calculator'), said('4')], {}, { toolChoice })
    assert.deepEqual([late.status, late.output, asked.length], ['succeeded', '4', 3])
    assert.match(late.steps[0].output.rejected, /no call/)
    assert.match(asked[1]?.messages.at(-1)?.content ?? '', /calculator|a tool/)
    assert.deepEqual(asked[1]?.tool_choice, asked[0]?.tool_choice)
    const never = await run([said('It is 4.')], {}, { toolChoice })
    assert.deepEqual([never.error.code, asked.length], ['tool_not_called', 2])
    const script = [said('It is 4.'), said('4.'), calling('calculator'), said('4')]
    const other = await run(script, { fallbackModel: 'openai/second' }, { toolChoice })
    assert.deepEqual([other.output, asked[2]?.model], ['4', 'second'])
  })
}

test('the words of attempts that came to nothing are in the usage, as an estimate', async () => {
  const one = await run([said('word '.repeat(400))])
  const two = await run([[chunk({ content: 'word '.repeat(400) })], said('word '.repeat(400))])
  assert.deepEqual([one.usage.isEstimate, two.usage.isEstimate], [true, true])
  assert.equal(two.usage.outputTokens, 2 * one.usage.outputTokens)
  assert.equal(two.usage.inputTokens, 2 * one.usage.inputTokens)
  const failed = await run([[chunk({ content: 'word '.repeat(400) })]])
  assert.equal(failed.error.code, 'model_invalid_response')
  assert.equal(failed.usage.outputTokens, 3 * one.usage.outputTokens)
})

test('the end that the server tells decides, before its text or its calls are looked at', async () => {
  for (const [finish, code] of [
    ['MAX_TOKENS', 'output_truncated'],
    ['model_length', 'output_truncated'],
    ['SAFETY', 'content_filtered'],
    ['engine_error', 'model_invalid_response'],
    ['abort', 'model_invalid_response'],
    ['tool_calls', 'model_invalid_response'],
  ] as const) {
    const { status, error, output } = await run([said('Pay 500 to acc', finish)])
    assert.deepEqual([status, error?.code, output], ['failed', code, null], finish)
  }
  const cut = await run([[...calling('calculator').slice(0, 1), chunk({}, 'length')]])
  assert.deepEqual([cut.error.code, asked.length], ['output_truncated', 1])
})
