/** Runs against model servers that misbehave in every way, in both protocols: each ends, with a code that is documented. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { type AnthropicServer, startAnthropicServer } from '../../../testing/servers/anthropic-server.ts'
import type { ModelBehaviour } from '../../../testing/servers/model-script.ts'
import { type ModelServer, startModelServer } from '../../../testing/servers/model-server.ts'
import { noSleep } from '../../../testing/sleeps.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'
import { runErrorCodes } from '../records/run-errors.ts'

let app: TestApp
let openai: ModelServer
let anthropic: AnthropicServer

/** The longest time without a byte. The server that is slow, and not silent, needs a tenth of it for each word. */
const modelSilenceMs = 1_000

const models = ['openai/test-model', 'anthropic/claude'] as const
type Name = (typeof models)[number]

before(async () => {
  openai = await startModelServer()
  anthropic = await startAnthropicServer()
  app = await startTestApp({
    settings: {
      OPENAI_BASE_URL: openai.baseUrl,
      ANTHROPIC_BASE_URL: anthropic.baseUrl,
      ANTHROPIC_API_KEY: 'key',
      ATRIUM_ALLOWED_PRIVATE_NETWORKS: '127.0.0.1',
    },
    adapt: dependencies => ({
      ...dependencies,
      sleep: noSleep,
      settings: { ...dependencies.settings, modelSilenceMs },
    }),
  })
})

after(async () => {
  await app.close()
  await openai.close()
  await anthropic.close()
})

const requestsOf = (name: Name) => (name === 'openai/test-model' ? openai.requests : anthropic.requests)

/** The last behaviour is repeated. */
function setScript(name: Name, behaviours: readonly ModelBehaviour[]): void {
  const script = (_: unknown, index: number): ModelBehaviour =>
    behaviours[Math.min(index, behaviours.length - 1)] ?? { kind: 'never' }
  requestsOf(name).length = 0
  if (name === 'openai/test-model') openai.setScript(script)
  else anthropic.setScript(script)
}

async function runAgent(agent: Record<string, unknown>, wanted: Record<string, unknown> = {}) {
  const { id } = await createAgentIn(app, { tools: [], ...agent })
  const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello', ...wanted } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const call = (name: string, given: unknown): ModelBehaviour => ({
  kind: 'tool_calls',
  calls: [{ name, arguments: given }],
})
const soon = { 'retry-after': '0' }

const failures: readonly [what: string, behaviour: ModelBehaviour, code: string, requests: number][] = [
  ['never answers', { kind: 'never' }, 'model_timeout', 1],
  ['stops in the middle of its answer', { kind: 'stalls', text: 'Half an' }, 'model_timeout', 1],
  ['answers 401', { kind: 'status', status: 401 }, 'model_unauthorized', 1],
  ['keeps answering 429', { kind: 'status', status: 429, headers: soon }, 'model_rate_limited', 3],
  [
    'asks for an hour of patience',
    { kind: 'status', status: 429, headers: { 'retry-after': '3600' } },
    'model_rate_limited',
    1,
  ],
  ['keeps answering 500', { kind: 'status', status: 500, headers: soon }, 'model_unavailable', 3],
  ['is overloaded', { kind: 'status', status: 529, headers: soon }, 'model_unavailable', 3],
  ['breaks the connection', { kind: 'half', text: 'Half an' }, 'model_invalid_response', 3],
  ['ends a stream without an end', { kind: 'unfinished', text: 'Half an' }, 'model_invalid_response', 3],
  ['streams what is no JSON', { kind: 'invalid_json' }, 'model_invalid_response', 3],
  ['says nothing at all', { kind: 'answer', text: '' }, 'model_invalid_response', 3],
  ['answers 50 MB', { kind: 'huge', sizeBytes: 50 * 1024 * 1024 }, 'model_invalid_response', 1],
]

for (const name of models) {
  for (const [what, behaviour, code, requests] of failures) {
    test(`a run of ${name} whose server ${what} fails with ${code}`, async () => {
      setScript(name, [behaviour])
      const run = await runAgent({ model: name })
      assert.deepEqual([run.status, run.error.code], ['failed', code], run.error.message)
      assert.equal(run.error.retryable, runErrorCodes[code as keyof typeof runErrorCodes])
      assert.equal(requestsOf(name).length, requests)
      assert.equal(run.output, null)
    })
  }

  test(`a run of ${name} whose server is slow waits for it`, async () => {
    setScript(name, [
      {
        kind: 'slow',
        delayMs: 100,
        behaviour: { kind: 'paced', text: 'Word by word it comes.', delayMs: 100 },
      },
    ])
    assert.equal((await runAgent({ model: name })).output, 'Word by word it comes.')
  })

  test(`a run of ${name} that calls tools without end stops at its steps`, async () => {
    setScript(name, [call('search_knowledge', { query: 'ducks' })])
    const run = await runAgent({ model: name, tools: ['search_knowledge'] }, { limits: { maxSteps: 3 } })
    assert.deepEqual([run.error.code, requestsOf(name).length], ['max_steps', 3])
  })

  test(`a run of ${name} that insists on a tool that there is not, or on nonsense for one, fails with tool_error`, async () => {
    for (const behaviour of [call('format_disk', {}), call('search_knowledge', '{"query": ')]) {
      setScript(name, [behaviour])
      const run = await runAgent({ model: name, tools: ['search_knowledge'] })
      assert.deepEqual([run.error.code, requestsOf(name).length], ['tool_error', 3])
    }
  })

  test(`a run of ${name} whose tool call was nonsense once is told so, and goes on`, async () => {
    setScript(name, [call('search_knowledge', '{"query": '), { kind: 'answer', text: 'I see.' }])
    const run = await runAgent({ model: name, tools: ['search_knowledge'] })
    assert.equal(run.output, 'I see.', JSON.stringify(run.error))
    assert.match(run.steps[1].output.error.message, /not valid JSON/)
  })
}

const withFallback = { model: models[0], fallbackModel: models[1] }

test('where the model fails after all attempts, the fallback answers, and the record shows both', async () => {
  setScript(models[0], [{ kind: 'status', status: 500, headers: soon }])
  setScript(models[1], [{ kind: 'answer', text: 'From the other one.' }])
  const run = await runAgent(withFallback)
  assert.deepEqual([run.status, run.output, run.model], ['succeeded', 'From the other one.', models[1]])
  assert.deepEqual(
    run.steps.map(({ name, output }: { name: string; output: { error?: { code: string } } }) => [
      name,
      output.error?.code,
    ]),
    [
      [models[0], 'model_unavailable'],
      [models[1], undefined],
    ],
  )
  assert.equal(requestsOf(models[0]).length, 3)
})

test('a refused key, a silent server and a broken stream are reasons to fall back', async () => {
  for (const behaviour of [
    { kind: 'status', status: 401 },
    { kind: 'stalls', text: 'Half an' },
    { kind: 'half', text: 'Half an' },
  ] as const) {
    setScript(models[0], [behaviour])
    setScript(models[1], [{ kind: 'answer', text: 'From the other one.' }])
    assert.equal((await runAgent(withFallback)).output, 'From the other one.')
  }
})

test('once it has fallen back, a run asks the failing model no more', async () => {
  setScript(models[0], [{ kind: 'status', status: 401 }])
  setScript(models[1], [call('search_knowledge', { query: 'ducks' }), { kind: 'answer', text: 'Done.' }])
  const run = await runAgent({ ...withFallback, tools: ['search_knowledge'] }, { limits: { maxSteps: 2 } })
  assert.equal(run.output, 'Done.', JSON.stringify(run.error))
  assert.deepEqual([requestsOf(models[0]).length, requestsOf(models[1]).length], [1, 2])
})

test('a request that is wrong for one model is not sent to the other', async () => {
  const broken = {
    error: { message: 'Could not parse the body of the request: unexpected end of JSON input' },
  }
  setScript(models[0], [{ kind: 'status', status: 400, body: broken }])
  setScript(models[1], [{ kind: 'answer', text: 'From the other one.' }])
  assert.equal((await runAgent(withFallback)).error.code, 'model_request_rejected')
  assert.equal(requestsOf(models[1]).length, 0)
})

test('what one model refuses is sent to the other as it was, without the half answer of the first', async () => {
  for (const behaviour of [
    { kind: 'status', status: 400, body: { error: { message: 'This model takes no tools' } } },
    { kind: 'status', status: 402, body: { message: 'Please add credits' } },
    { kind: 'half', text: 'Half an' },
  ] as const) {
    setScript(models[1], [behaviour])
    setScript(models[0], [{ kind: 'answer', text: 'From the other one.' }])
    const run = await runAgent({ model: models[1], fallbackModel: models[0] })
    assert.equal(run.output, 'From the other one.', JSON.stringify(run.error))
    assert.deepEqual(
      requestsOf(models[0])[0]?.body.messages?.map(({ role }: { role: string }) => role),
      ['user'],
    )
  }
})

test('a model that can only quote does not take over where there is nothing to quote', async () => {
  setScript(models[0], [{ kind: 'status', status: 401 }])
  const run = await runAgent({ model: models[0], fallbackModel: 'extractive' })
  assert.deepEqual([run.status, run.error.code], ['failed', 'model_unauthorized'])
})

test('where both fail, the run fails with what the fallback said', async () => {
  setScript(models[0], [{ kind: 'status', status: 401 }])
  setScript(models[1], [{ kind: 'never' }])
  const run = await runAgent(withFallback)
  assert.deepEqual([run.error.code, run.steps.length], ['model_timeout', 2])
})

test('where the model is not configured any more, its fallback takes its place', async () => {
  const body = { name: 'gone', kind: 'openai_compatible', baseUrl: openai.baseUrl }
  const provider = await app.request('POST', '/model-providers', { body })
  const { id } = await createAgentIn(app, { tools: [], model: 'gone/large', fallbackModel: models[1] })
  await app.request('DELETE', `/model-providers/${provider.body.data.id}`)
  setScript(models[1], [{ kind: 'answer', text: 'From the other one.' }])
  const run = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })
  assert.deepEqual([run.body.data.output, run.body.data.steps.length], ['From the other one.', 1])
})

test('a cancelled run does not fall back', async () => {
  setScript(models[0], [{ kind: 'paced', text: 'One word after the other, for a long time.', delayMs: 200 }])
  setScript(models[1], [{ kind: 'answer', text: 'From the other one.' }])
  const { id } = await createAgentIn(app, { tools: [], ...withFallback })
  const headers = { prefer: 'respond-async' }
  const begun = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, headers })
  await eventually('the model is asked', () => requestsOf(models[0]).length > 0)
  const cancelled = await app.request('POST', `/runs/${begun.body.data.id}/cancel`)
  assert.equal(cancelled.body.data.status, 'cancelled')
  assert.notEqual(requestsOf(models[0])[0]?.closedByClientAtMs, null)
  assert.equal(requestsOf(models[1]).length, 0)
})
