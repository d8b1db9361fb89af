/** Models by name, and what each provider's package sends to a server that speaks the provider's protocol. */
import assert from 'node:assert/strict'
import { once } from 'node:events'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { after, before, test } from 'node:test'
import type { JSONSchema7 } from '@ai-sdk/provider'
import { sample, servedModels, startModelServer } from '../../testing/servers/model-server.ts'
import { noSleep } from '../../testing/sleeps.ts'
import { noFaults } from '../faults.ts'
import type { SampleFor } from './built-in.ts'
import { type CallModel, createCallModel } from './call.ts'
import { ModelError } from './model-error.ts'
import { createModelFetch } from './model-fetch.ts'
import { createModels, type ModelScope, type ModelSettings } from './models.ts'
import { type ModelParameters, noParameters } from './parameters.ts'
import type { PriceTable } from './price-table.ts'

const live: ModelScope = { workspaceId: 'wsp_1', environment: 'live' }

const modelFetch = createModelFetch()
const nothing: ModelSettings = {
  openaiApiKey: null,
  openaiBaseUrl: null,
  anthropicApiKey: null,
  anthropicBaseUrl: null,
  googleApiKey: null,
  defaultModel: null,
}
const keys = { openaiApiKey: 'openai-key', anthropicApiKey: 'anthropic-key', googleApiKey: 'google-key' }

const modelsWith = (settings: Partial<ModelSettings>, fetch: typeof globalThis.fetch = modelFetch.fetch) =>
  createModels({ settings: { ...nothing, ...settings }, fetch, now: Date.now, sleep: noSleep, sample })

const sse = (...events: Record<string, unknown>[]): string =>
  events.map(data => `data: ${JSON.stringify(data)}\n\n`).join('')

const replies: Record<string, string> = {
  '/v1/messages': sse(
    {
      type: 'message_start',
      message: {
        type: 'message',
        id: 'msg_1',
        role: 'assistant',
        model: 'claude',
        content: [],
        usage: { input_tokens: 600_000, cache_creation_input_tokens: 400_000, output_tokens: 1 },
      },
    },
    { type: 'content_block_start', index: 0, content_block: { type: 'text', text: '' } },
    { type: 'content_block_delta', index: 0, delta: { type: 'text_delta', text: 'From Anthropic.' } },
    { type: 'content_block_stop', index: 0 },
    { type: 'message_delta', delta: { stop_reason: 'end_turn' }, usage: { output_tokens: 100_000 } },
    { type: 'message_stop' },
  ),
  '/v1beta/models/gemini-2.5-flash:streamGenerateContent': sse({
    candidates: [{ content: { role: 'model', parts: [{ text: 'From Google.' }] }, finishReason: 'STOP' }],
    usageMetadata: { promptTokenCount: 1_000_000, candidatesTokenCount: 100_000, totalTokenCount: 1_100_000 },
  }),
  '/v1/responses': sse(
    { type: 'response.created', response: { id: 'resp_1', created_at: 0, model: 'gpt-5.4-mini' } },
    { type: 'response.output_item.added', output_index: 0, item: { type: 'message', id: 'msg_1' } },
    { type: 'response.output_text.delta', item_id: 'msg_1', delta: 'From OpenAI.' },
    { type: 'response.output_item.done', output_index: 0, item: { type: 'message', id: 'msg_1' } },
    {
      type: 'response.completed',
      response: {
        usage: {
          input_tokens: 1_000_000,
          input_tokens_details: { cached_tokens: 500_000 },
          output_tokens: 100_000,
          output_tokens_details: { reasoning_tokens: 0 },
        },
      },
    },
  ),
}

let server: Server
const received: { path: string; headers: Record<string, unknown>; body: Record<string, unknown> }[] = []

before(async () => {
  server = createServer(async (request, response) => {
    const chunks: Buffer[] = []
    for await (const chunk of request) chunks.push(chunk as Buffer)
    const path = request.url ?? ''
    received.push({ path, headers: request.headers, body: JSON.parse(Buffer.concat(chunks).toString()) })
    response.writeHead(200, { 'content-type': 'text/event-stream' }).end(replies[path])
  }).listen(0, '127.0.0.1')
  await once(server, 'listening')
})

after(async () => {
  server.closeAllConnections()
  server.close()
  await modelFetch.close()
})

/** The providers' own addresses, led to the server of this test. */
const toTestServer: typeof globalThis.fetch = (address, options) => {
  const { pathname } = new URL(String(address))
  return modelFetch.fetch(`http://127.0.0.1:${(server.address() as AddressInfo).port}${pathname}`, options)
}

for (const [name, text, path, credential, cost] of [
  ['openai/gpt-5.4-mini', 'From OpenAI.', '/v1/responses', 'Bearer openai-key', 0.375 + 0.0375 + 0.45],
  ['anthropic/claude-sonnet-4-6', 'From Anthropic.', '/v1/messages', 'anthropic-key', 1.8 + 1.5 + 1.5],
  [
    'google/gemini-2.5-flash',
    'From Google.',
    '/v1beta/models/gemini-2.5-flash:streamGenerateContent',
    'google-key',
    0.3 + 0.25,
  ],
] as const) {
  test(`${name} is called in its provider's protocol, and its tokens are priced`, async () => {
    received.length = 0
    const model = await modelsWith(keys, toTestServer).resolve(name, live)
    const inputSchema: JSONSchema7 = { type: 'object', properties: { query: { type: 'string' } } }
    const answer = await createCallModel({
      clock: Date.now,
      sleep: noSleep,
      random: () => 0,
      faults: noFaults,
    })(model, {
      prompt: [
        { role: 'system', content: 'Be kind.' },
        { role: 'user', content: [{ type: 'text', text: 'Hello' }] },
      ],
      tools: [{ type: 'function', name: 'search_knowledge', description: 'Searches.', inputSchema }],
      toolChoice: { type: 'none' },
      abortSignal: AbortSignal.timeout(5_000),
    })
    assert.equal(answer.content[0]?.type === 'text' && answer.content[0].text, text)
    assert.ok(Math.abs((answer.costUsd ?? 0) - cost) < 1e-9, String(answer.costUsd))
    assert.equal(received[0]?.path, path)
    assert.ok(Object.values(received[0]?.headers ?? {}).includes(credential))
    if (name.startsWith('openai/')) assert.equal(received[0]?.body.store, false)
  })
}

/** What a model's call sends to its provider with these parameters, and which of them it refuses. */
async function sentWith(name: string, given: Partial<ModelParameters>) {
  received.length = 0
  const model = await modelsWith(keys, toTestServer).resolve(name, live)
  const { options, refused } = (await model.readParameters?.({ ...noParameters, ...given })) ?? {
    options: {},
    refused: [],
  }
  assert.equal(received.length, 0, 'reading parameters sends nothing')
  const call = createCallModel({ clock: Date.now, sleep: noSleep, random: () => 0, faults: noFaults })
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
  await call(model, { ...options, prompt, abortSignal: AbortSignal.timeout(5_000) })
  return { body: received[0]?.body ?? {}, refused: refused.map(({ name }) => name) }
}

test('each parameter reaches OpenAI, Anthropic and Google under its own name', async () => {
  const openai = await sentWith('openai/gpt-5.4-mini', {
    reasoningEffort: 'none',
    temperature: 0.5,
    topP: 0.9,
  })
  const { temperature, top_p, reasoning, store } = openai.body
  assert.deepEqual([temperature, top_p, reasoning, store], [0.5, 0.9, { effort: 'none' }, false])
  assert.deepEqual(openai.refused, [])

  const { body: claude, refused } = await sentWith('anthropic/claude-sonnet-4-6', {
    temperature: 0.5,
    reasoningEffort: 'high',
    stop: ['END'],
  })
  assert.deepEqual(
    [claude.temperature, claude.output_config, claude.stop_sequences, refused],
    [0.5, { effort: 'high' }, ['END'], []],
  )

  const gemini = await sentWith('google/gemini-2.5-flash', {
    temperature: 0.5,
    topP: 0.9,
    reasoningEffort: 'low',
    stop: ['END'],
    seed: 7,
  })
  assert.deepEqual(gemini.body.generationConfig, {
    temperature: 0.5,
    topP: 0.9,
    stopSequences: ['END'],
    seed: 7,
    thinkingConfig: { thinkingBudget: 1_024 },
  })
  assert.deepEqual(gemini.refused, [])
})

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const lookUp = { type: 'function' as const, name: 'look_up', inputSchema: { type: 'object' as const } }
const providers = ['openai/gpt-5.4-mini', 'anthropic/claude-sonnet-4-6', 'google/gemini-2.5-flash'] as const

/** What each provider is sent for the same call. */
async function sentToAll(options: Omit<Parameters<CallModel>[1], 'abortSignal' | 'tools'>) {
  const bodies: Json[] = []
  for (const name of providers) {
    received.length = 0
    const model = await modelsWith(keys, toTestServer).resolve(name, live)
    const call = createCallModel({ clock: Date.now, sleep: noSleep, random: () => 0, faults: noFaults })
    await call(model, { ...options, tools: [lookUp], abortSignal: AbortSignal.timeout(5_000) })
    bodies.push(received[0]?.body)
  }
  const [openai, anthropic, google] = bodies
  return { openai, anthropic, google }
}

test('a choice of tools reaches OpenAI, Anthropic and Google in their own words', async () => {
  const prompt = [{ role: 'user' as const, content: [{ type: 'text' as const, text: 'Hello' }] }]
  const one = await sentToAll({ prompt, toolChoice: { type: 'tool', toolName: 'look_up' } })
  assert.deepEqual(one.openai.tool_choice, { type: 'function', name: 'look_up' })
  assert.deepEqual(one.anthropic.tool_choice, { type: 'tool', name: 'look_up' })
  const { functionCallingConfig } = one.google.toolConfig
  assert.deepEqual(functionCallingConfig, { mode: 'ANY', allowedFunctionNames: ['look_up'] })
  const any = await sentToAll({ prompt, toolChoice: { type: 'required' } })
  assert.deepEqual(
    [any.openai.tool_choice, any.anthropic.tool_choice, any.google.toolConfig.functionCallingConfig],
    ['required', { type: 'any' }, { mode: 'ANY' }],
  )
})

test('an image, a call of a function and its results reach OpenAI, Anthropic and Google in their own form', async () => {
  const data = Buffer.from('iVBORw0KGgo=', 'base64')
  const call = { type: 'tool-call' as const, toolCallId: 'call_1', toolName: 'look_up', input: { number: 7 } }
  const result = {
    type: 'tool-result' as const,
    toolCallId: 'call_1',
    toolName: 'look_up',
    output: { type: 'json' as const, value: { content: 'shipped' } },
  }
  const { openai, anthropic, google } = await sentToAll({
    prompt: [
      {
        role: 'user',
        content: [
          { type: 'text', text: 'What is it?' },
          { type: 'file', mediaType: 'image/png', data },
        ],
      },
      { role: 'assistant', content: [call] },
      { role: 'tool', content: [result] },
    ],
  })
  const base64 = data.toString('base64')
  const [asked, called, answered] = openai.input
  assert.equal(asked.content[1].image_url, `data:image/png;base64,${base64}`)
  assert.deepEqual(
    [called.type, called.call_id, JSON.parse(called.arguments)],
    ['function_call', 'call_1', { number: 7 }],
  )
  assert.match(answered.output, /shipped/)
  const [user, assistant, tool] = anthropic.messages
  assert.deepEqual(user.content[1].source, { type: 'base64', media_type: 'image/png', data: base64 })
  assert.deepEqual(
    [assistant.content[0].type, assistant.content[0].id, tool.content[0].tool_use_id],
    ['tool_use', 'call_1', 'call_1'],
  )
  const [question, step, answer] = google.contents
  assert.deepEqual(question.parts[1].inlineData, { mimeType: 'image/png', data: base64 })
  assert.deepEqual(step.parts[0].functionCall.args, { number: 7 })
  assert.equal(answer.parts[0].functionResponse.name, 'look_up')
})

test('what a model does not take is refused, and the rest is sent', async () => {
  const openai = await sentWith('openai/gpt-5.4-mini', {
    temperature: 0.5,
    stop: ['END'],
    seed: 7,
    reasoningEffort: 'low',
  })
  assert.deepEqual(openai.refused.sort(), ['seed', 'stop', 'temperature'])
  assert.deepEqual([openai.body.temperature, openai.body.reasoning], [undefined, { effort: 'low' }])
  const older = await sentWith('openai/gpt-4.1', { temperature: 0.5, reasoningEffort: 'low' })
  assert.deepEqual([older.refused, older.body.temperature], [['reasoningEffort'], 0.5])
  const claude = await sentWith('anthropic/claude-sonnet-4-6', {
    temperature: 1.5,
    seed: 7,
    reasoningEffort: 'minimal',
  })
  assert.deepEqual(claude.refused.sort(), ['reasoningEffort', 'seed', 'temperature'])
  const gemini = await sentWith('google/gemini-2.5-flash', { reasoningEffort: 'max' })
  assert.deepEqual(gemini.refused, ['reasoningEffort'])
})

test('without a provider the default is extractive, and it is all there is', async () => {
  const models = modelsWith({})
  assert.deepEqual(await models.defaultModel(), { name: 'extractive', hint: null })
  assert.equal((await models.resolve('default', live)).name, 'extractive')
  const listed = await models.list('live')
  assert.deepEqual(
    listed.map(({ id, isDefault, price }) => [id, isDefault, price?.output]),
    [['extractive', true, 0]],
  )
})

test('with a key the provider names the default, unless the operator does', async () => {
  assert.equal(await nameOf(keys), 'openai/gpt-5.4-mini')
  assert.equal(await nameOf({ anthropicApiKey: 'key' }), 'anthropic/claude-sonnet-4-6')
  assert.equal(await nameOf({ googleApiKey: 'key' }), 'google/gemini-2.5-flash')
  assert.equal(await nameOf({ ...keys, defaultModel: 'google/gemini-2.5-pro' }), 'google/gemini-2.5-pro')
})

const nameOf = async (settings: Partial<ModelSettings>): Promise<string> =>
  (await modelsWith(settings).defaultModel()).name

test('a compatible server with one model for conversations makes it the default; with others, it says which setting chooses', async () => {
  const compatible = await startModelServer()
  let now = 0
  const settings = { ...nothing, openaiBaseUrl: compatible.baseUrl }
  const models = createModels({ settings, fetch: modelFetch.fetch, now: () => now, sleep: noSleep, sample })
  const defaultAfterAMinute = () => {
    now += 61_000
    return models.defaultModel()
  }
  compatible.setServed(['nomic-embed-text:latest', 'llama3.2:3b', 'bge-m3'])
  assert.deepEqual(await models.defaultModel(), { name: 'openai/llama3.2:3b', hint: null })
  assert.equal((await models.resolve('default', live)).name, 'openai/llama3.2:3b')
  assert.deepEqual(
    (await models.list('live')).map(({ id, isDefault }) => [id, isDefault]),
    [
      ['openai/llama3.2:3b', true],
      ['extractive', false],
    ],
  )
  compatible.setServed(null)
  assert.equal(
    (await defaultAfterAMinute()).name,
    'openai/llama3.2:3b',
    'a server that is away is remembered',
  )

  compatible.setServed(['llama3.2:3b', 'qwen3:8b'])
  const { name, hint } = await defaultAfterAMinute()
  assert.equal(name, 'extractive')
  assert.match(
    hint ?? '',
    /serves 2 models.* Set ATRIUM_DEFAULT_MODEL to one of them, such as openai\/llama3\.2:3b/,
  )
  const [first] = await models.list('live')
  assert.match(first?.description ?? '', /Set ATRIUM_DEFAULT_MODEL/, 'the console shows it, too')

  compatible.setServed(['nomic-embed-text'])
  assert.match((await defaultAfterAMinute()).hint ?? '', /lists no model for conversations/)
  assert.equal(await nameOf({ openaiBaseUrl: compatible.baseUrl, defaultModel: 'openai/any' }), 'openai/any')
  await compatible.close()
})

test('a compatible server is asked for its models, and has no prices that are not its own', async () => {
  const compatible = await startModelServer()
  const models = modelsWith({ openaiBaseUrl: compatible.baseUrl, openaiApiKey: 'key' })
  assert.deepEqual(
    (await models.list('live')).map(({ id, price }) => [id, price === null]),
    [['extractive', false], ...servedModels.map(id => [`openai/${id}`, true])],
  )
  assert.equal((await models.resolve('openai/gpt-5.4-mini', live)).price, null)
  await compatible.close()
})

test('the operator’s table goes before the catalog, and tells what a server of the operator’s own serves', async () => {
  const price = { input: 1, cachedInput: 0.1, output: 2 }
  const table: PriceTable = new Map([
    ['openai/gpt-5.4-mini', { price }],
    ['openai/of-ours', { contextTokens: 4_000, seesImages: false }],
  ])
  const { fetch } = modelFetch
  const own = createModels({
    settings: { ...nothing, ...keys },
    fetch,
    now: Date.now,
    sleep: noSleep,
    sample,
    table,
  })
  const mini = await own.resolve('openai/gpt-5.4-mini', live)
  assert.deepEqual([mini.price, mini.contextTokens, mini.seesImages], [price, 400_000, true])
  const compatible = await startModelServer()
  const settings = { ...nothing, openaiBaseUrl: compatible.baseUrl }
  const served = createModels({ settings, fetch, now: Date.now, sleep: noSleep, sample, table })
  const ours = await served.resolve('openai/of-ours', live)
  assert.deepEqual([ours.price, ours.contextTokens, ours.seesImages], [null, 4_000, false])
  const namesake = await served.resolve('openai/gpt-5.4-mini', live)
  assert.deepEqual([namesake.price, namesake.contextTokens], [price, null])
  assert.deepEqual(
    (await served.list('live')).map(({ id }) => id),
    ['extractive', 'openai/gpt-5.4-mini', 'openai/of-ours', ...servedModels.map(id => `openai/${id}`)],
  )
  await compatible.close()
})

test('test agents run on the sandbox model whatever they name, and know no other', async () => {
  const models = modelsWith(keys)
  assert.equal(
    (await models.resolve('openai/gpt-5.4-mini', { ...live, environment: 'test' })).name,
    'sandbox',
  )
  assert.deepEqual(
    (await models.list('test')).map(({ id }) => id),
    ['sandbox'],
  )
})

test('a name is checked before an agent gets it', async () => {
  const models = modelsWith({ anthropicApiKey: 'key' })
  assert.equal(models.check('default', 'live'), null)
  assert.equal(models.check('anthropic/claude-of-tomorrow', 'live'), null)
  assert.match(models.check('openai/gpt-5.4', 'live') ?? '', /has not configured openai/)
  assert.equal(models.check('openai/gpt-5.4', 'test'), null)
  for (const name of [
    'gpt-5.4',
    'openai/',
    '/',
    'mistral/large',
    'google/../files?x=',
    'google/a#b',
    '__proto__',
    'constructor',
  ]) {
    assert.notEqual(models.check(name, 'live'), null, name)
    assert.notEqual(models.check(name, 'test'), null, name)
  }
  await assert.rejects(
    models.resolve('openai/gpt-5.4', live),
    error => error instanceof ModelError && error.code === 'model_not_configured',
  )
})

test('what the built-in models make for a schema takes its turn with the workspace that asks', async () => {
  const owners: string[] = []
  const sampleFor: SampleFor = async (_schema, _text, owner) => {
    owners.push(owner)
    return {}
  }
  const models = createModels({ settings: nothing, fetch, now: Date.now, sleep: noSleep, sample: sampleFor })
  for (const [workspaceId, environment] of [
    ['wsp_1', 'live'],
    ['wsp_2', 'test'],
  ] as const) {
    const { model } = await models.resolve('extractive', { workspaceId, environment })
    const { stream } = await model.doStream({
      prompt: [{ role: 'user', content: [{ type: 'text', text: 'Hello?' }] }],
      responseFormat: { type: 'json', schema: { type: 'object' } },
    })
    await Array.fromAsync(stream)
  }
  assert.deepEqual(owners, ['wsp_1', 'wsp_2'])
})
