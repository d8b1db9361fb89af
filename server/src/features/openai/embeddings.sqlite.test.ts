/** Vectors of texts through HTTP, as OpenAI's clients read them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type OpenAiApp, startOpenAiApp } from '../../testing/apps/openai-app.ts'
import { startTestApp } from '../../testing/test-app.ts'

let openAi: OpenAiApp

const model = 'text-embedding-3-small'

before(async () => {
  openAi = await startOpenAiApp({ ATRIUM_EMBEDDING_MODEL: `openai/${model}` })
})
after(() => openAi.close())

const embed = (body: object, key = openAi.app.testKey) =>
  openAi.ask('POST', '/embeddings', { body: { model, ...body }, key })

const numbersOf = (base64: string): number[] => {
  const bytes = Buffer.from(base64, 'base64')
  return Array.from({ length: bytes.length / 4 }, (_, at) => bytes.readFloatLE(at * 4))
}

test('texts have their vectors in their order, as numbers or as bytes', async () => {
  const texts = Array.from({ length: 20 }, (_, at) => `The harbour has ${at} ships`)
  const floats = await embed({ input: texts, encoding_format: 'float' })
  assert.equal(floats.status, 200, JSON.stringify(floats.body))
  assert.equal(floats.body.object, 'list')
  assert.equal(floats.body.data.length, texts.length)
  const { status, body } = await embed({
    input: texts,
    encoding_format: 'base64',
    user: 'ada',
    strange: null,
  })
  assert.equal(status, 200)
  for (const [at, { object, index, embedding }] of body.data.entries()) {
    assert.deepEqual([object, index], ['embedding', at])
    assert.deepEqual(numbersOf(embedding), floats.body.data[at].embedding)
  }
  assert.deepEqual(Object.keys(body.usage), ['prompt_tokens', 'total_tokens'])
  const one = await embed({ input: texts[3] })
  assert.deepEqual(one.body.data[0].embedding, floats.body.data[3].embedding)
})

test('numbers of tokens have the vectors of their text, alone and in lists', async () => {
  const text = 'hello world,🦆'
  const tokens = [15_339, 1_917, 11, 9_468, 99, 228]
  const { body } = await embed({ input: [text, tokens] })
  assert.deepEqual(body.data[1].embedding, body.data[0].embedding)
  const alone = await embed({ input: tokens })
  assert.deepEqual(alone.body.data[0].embedding, body.data[0].embedding)
  const many = await embed({
    input: Array.from({ length: 1_000 }, () => Array.from({ length: 300 }, () => 1_917)),
    encoding_format: 'base64',
  })
  assert.deepEqual([many.status, many.body.data?.length], [200, 1_000])
})

test('what is no text, too much, or not to be had of the model is a 400 that names the parameter', async () => {
  const cases: [object, string][] = [
    [{}, 'input'],
    [{ input: [] }, 'input'],
    [{ input: '' }, 'input'],
    [{ input: [15_339, -1] }, 'input'],
    [{ input: ['a', [15_339, 200_000]] }, 'input[1]'],
    [{ input: ['a', [15_339, '1917']] }, 'input[1]'],
    [{ input: [Array.from({ length: 8_193 }, () => 11)] }, 'input[0]'],
    [{ input: [{ text: 'x' }] }, 'input[0]'],
    [{ input: 'x'.repeat(8_001) }, 'input'],
    [{ input: Array.from({ length: 513 }, () => 'x') }, 'input'],
    [{ input: Array.from({ length: 1_025 }, () => 'x'), encoding_format: 'base64' }, 'input'],
    [{ input: 'x', encoding_format: 'hex' }, 'encoding_format'],
    [{ input: 'x', dimensions: 0 }, 'dimensions'],
    [{ input: 'x', dimensions: 64 }, 'dimensions'],
    [{ input: 'x', model: null }, 'model'],
  ]
  for (const [body, param] of cases) {
    const reply = await embed(body)
    assert.equal(reply.status, 400, JSON.stringify(body))
    assert.equal(reply.body.error.param, param)
  }
})

test('only the model of search is there, by its name with or without its provider', async () => {
  for (const name of [model, `openai/${model}`, 'sandbox']) {
    const { status, body } = await embed({ input: 'x', model: name })
    assert.deepEqual([status, body.model], [200, 'sandbox'])
  }
  const other = await embed({ input: 'x', model: 'text-embedding-ada-002' })
  assert.equal(other.status, 404)
  assert.equal(other.body.error.code, 'model_not_found')
  assert.match(other.body.error.message, /this server has openai\/text-embedding-3-small/)
  const app = await startTestApp()
  const origin = await app.listen()
  const none = await fetch(`${origin}/v1/embeddings`, {
    method: 'POST',
    headers: { authorization: `Bearer ${app.testKey.key}`, 'content-type': 'application/json' },
    body: JSON.stringify({ model, input: 'x' }),
  })
  assert.equal(none.status, 404)
  await app.close()
})

test('a model that has shorter vectors gives them, again of length 1', async () => {
  const live = openAi.app.liveKey
  const [whole, short] = await Promise.all([
    embed({ input: 'The harbour' }, live),
    embed({ input: 'The harbour', dimensions: 32, encoding_format: 'base64' }, live),
  ])
  assert.equal(short.status, 200, JSON.stringify(short.body))
  const numbers = numbersOf(short.body.data[0].embedding)
  const first = whole.body.data[0].embedding.slice(0, 32)
  const length = Math.hypot(...first)
  for (const [at, number] of numbers.entries()) assert.ok(Math.abs(number - first[at] / length) < 1e-6)
  assert.equal(numbers.length, 32)
  const long = await embed({ input: 'The harbour', dimensions: 100_000 }, live)
  assert.deepEqual([long.status, long.body.error.param], [400, 'dimensions'])
})

test("embeddings count in the usage of the agent of models, whose budget and the workspace's hold for them", async t => {
  const { app } = openAi
  t.after(() => app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: null } }))
  const live = app.liveKey
  const { body } = await embed({ input: ['The harbour', 'A ship'] }, live)
  assert.ok(body.usage.total_tokens > 0, JSON.stringify(body))
  const usage = await app.request('GET', '/usage/history', { query: { groupBy: 'agent' } })
  const [row] = usage.body.data
  assert.equal(row.subject.name, 'Models without an agent')
  assert.equal(row.runs, 0)
  assert.ok(row.inputTokens >= body.usage.total_tokens)

  await app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: 100 } })
  const unpriced = await embed({ input: 'x' }, live)
  assert.deepEqual([unpriced.status, unpriced.body.error.code], [409, 'price_unknown'])
  await app.request('PATCH', '/workspace', { body: { monthlyCostLimitUsd: 0 } })
  const refused = await embed({ input: 'x' }, live)
  assert.deepEqual([refused.status, refused.body.error.code], [403, 'budget_exceeded'])
  assert.equal(refused.headers.get('x-should-retry'), 'false')
})

test('a model that does not answer is a 503 that says when to try again', async () => {
  openAi.modelServer.setVectorScript(() => ({ kind: 'status', status: 400 }))
  const { status, headers, body } = await embed({ input: 'x' }, openAi.app.liveKey)
  assert.equal(status, 503, JSON.stringify(body))
  assert.equal(body.error.code, 'embedding_unavailable')
  assert.equal(headers.get('retry-after-ms'), '10000')
})
