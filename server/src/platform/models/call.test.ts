/** Model calls against a real server that misbehaves in every way. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import {
  type ModelBehaviour,
  type ModelServer,
  sample,
  startModelServer,
} from '../../testing/servers/model-server.ts'
import { createNotedSleep, noSleep } from '../../testing/sleeps.ts'
import { noFaults } from '../faults.ts'
import { createCallModel, type ModelAnswer } from './call.ts'
import type { ModelErrorCode } from './failures/codes.ts'
import { ModelError } from './model-error.ts'
import { createModelFetch } from './model-fetch.ts'
import { createModels, type ModelScope } from './models.ts'

const live: ModelScope = { workspaceId: 'wsp_1', environment: 'live' }

const modelFetch = createModelFetch()
const { sleep, pausesMs } = createNotedSleep()
const callModel = createCallModel({ clock: Date.now, sleep, random: () => 0, faults: noFaults })
let server: ModelServer

before(async () => {
  server = await startModelServer()
})

after(async () => {
  await server.close()
  await modelFetch.close()
})

async function ask(
  behaviours: ModelBehaviour[],
  signal: AbortSignal = AbortSignal.timeout(10_000),
): Promise<ModelAnswer> {
  server.requests.length = 0
  server.setScript((_, index) => behaviours[Math.min(index, behaviours.length - 1)] ?? { kind: 'never' })
  const models = createModels({
    settings: {
      openaiApiKey: 'key',
      openaiBaseUrl: server.baseUrl,
      anthropicApiKey: null,
      anthropicBaseUrl: null,
      googleApiKey: null,
      defaultModel: null,
    },
    fetch: modelFetch.fetch,
    now: Date.now,
    sleep: noSleep,
    sample,
  })
  const model = await models.resolve('openai/test-model', live)
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
  return callModel(model, { prompt, abortSignal: signal })
}

const failsWith = (code: ModelErrorCode) => (error: unknown) => {
  assert.ok(error instanceof ModelError, String(error))
  assert.equal(error.code, code)
  return true
}

test('an answer carries its text, its tokens and, for a model without a price, no cost', async () => {
  const answer = await ask([{ kind: 'answer', text: 'Good day.' }])
  assert.equal(answer.content[0]?.type === 'text' && answer.content[0].text, 'Good day.')
  assert.deepEqual(answer.usage, {
    inputTokens: 1000,
    cachedInputTokens: 0,
    outputTokens: 100,
    reasoningTokens: 0,
  })
  assert.equal(answer.costUsd, null)
  assert.equal(server.requests[0]?.headers.authorization, 'Bearer key')
})

test('a 429 is tried again after the time that Retry-After names', async () => {
  pausesMs.length = 0
  const limited: ModelBehaviour = { kind: 'status', status: 429, headers: { 'retry-after': '7' } }
  await ask([limited, { kind: 'answer', text: 'At last.' }])
  assert.equal(server.requests.length, 2)
  assert.deepEqual(pausesMs, [7_000])
})

test('a Retry-After beyond all patience fails at once', async () => {
  const limited: ModelBehaviour = { kind: 'status', status: 429, headers: { 'retry-after': '3600' } }
  await assert.rejects(ask([limited]), failsWith('model_rate_limited'))
  assert.equal(server.requests.length, 1)
})

test('a server that keeps failing is asked three times', async () => {
  const failing: ModelBehaviour = { kind: 'status', status: 500, headers: { 'retry-after-ms': '1' } }
  await assert.rejects(ask([failing]), failsWith('model_unavailable'))
  assert.equal(server.requests.length, 3)
})

for (const [status, code, requests] of [
  [401, 'model_unauthorized', 1],
  [403, 'model_unauthorized', 1],
  [404, 'model_not_found', 1],
  // Once more without the one optional field of the request.
  [400, 'model_request_rejected', 2],
] as const) {
  test(`an answer ${status} is ${code} and is not tried again as it was`, async () => {
    await assert.rejects(ask([{ kind: 'status', status }]), failsWith(code))
    assert.equal(server.requests.length, requests)
  })
}

test('a prompt that does not fit is told from other refusals', async () => {
  const body = { error: { message: 'too long', code: 'context_length_exceeded' } }
  await assert.rejects(ask([{ kind: 'status', status: 400, body }]), failsWith('context_too_long'))
})

test('the refusal of a key says nothing that the server said', async () => {
  const body = { error: { message: 'Incorrect API key provided: sk-abc' } }
  await assert.rejects(ask([{ kind: 'status', status: 401, body }]), (error: Error) => {
    assert.ok(!error.message.includes('sk-abc'))
    return true
  })
})

test('nonsense, half an answer and an empty one are invalid responses', async () => {
  await assert.rejects(ask([{ kind: 'invalid_json' }]), failsWith('model_invalid_response'))
  await assert.rejects(ask([{ kind: 'half' }]), failsWith('model_invalid_response'))
  await assert.rejects(ask([{ kind: 'answer', text: '' }]), failsWith('model_invalid_response'))
})

test('an answer of 50 MB is cut off, whatever the server goes on to send', async () => {
  const huge: ModelBehaviour = { kind: 'huge', sizeBytes: 50 * 1024 * 1024 }
  await assert.rejects(ask([huge]), failsWith('model_invalid_response'))
  assert.equal(server.requests.length, 1)
})

test('an aborted call closes the connection and throws the reason', async () => {
  const reason = new Error('cancelled')
  const abort = new AbortController()
  const asked = ask([{ kind: 'never' }], abort.signal)
  while (server.requests.length === 0) await new Promise(resolve => setImmediate(resolve))
  abort.abort(reason)
  await assert.rejects(asked, error => error === reason)
  while (server.requests[0]?.closedByClientAtMs === null) await new Promise(resolve => setImmediate(resolve))
})

test('a server that is not there is unavailable', async () => {
  const gone = await startModelServer()
  await gone.close()
  const models = createModels({
    settings: {
      openaiApiKey: null,
      openaiBaseUrl: gone.baseUrl,
      anthropicApiKey: null,
      anthropicBaseUrl: null,
      googleApiKey: null,
      defaultModel: null,
    },
    fetch: modelFetch.fetch,
    now: Date.now,
    sleep: noSleep,
    sample,
  })
  const model = await models.resolve('openai/test-model', live)
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
  await assert.rejects(
    callModel(model, { prompt, abortSignal: AbortSignal.timeout(10_000) }),
    failsWith('model_unavailable'),
  )
  assert.deepEqual(
    (await models.list('live')).map(({ id }) => id),
    ['extractive'],
  )
})
