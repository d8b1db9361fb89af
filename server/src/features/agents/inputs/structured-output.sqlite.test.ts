/** Structured output through HTTP: what is asked of the model, what becomes of its answer, and which schemas are refused. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import type { ModelBehaviour, ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let collectionId: string
let close: () => Promise<void>

before(async () => {
  ;({ app, modelServer, collectionId, close } = await startAgentApp())
})
after(() => close())

const price = {
  type: 'object',
  properties: { animal: { type: 'string' }, euros: { type: 'number', minimum: 0 } },
  required: ['animal', 'euros'],
  additionalProperties: false,
}

async function runWith(
  schema: unknown,
  behaviours: ModelBehaviour[],
  { agent = {}, body = {} }: { agent?: Record<string, unknown>; body?: Record<string, unknown> } = {},
) {
  modelServer.requests.length = 0
  modelServer.setScript((_, index) => behaviours[index] ?? { kind: 'status', status: 500 })
  const { id } = await createAgentIn(app, { model: 'openai/test-model', tools: [], ...agent })
  return await app.request('POST', `/agents/${id}/run`, {
    body: { prompt: 'What do geese pay?', responseSchema: schema, ...body },
  })
}

const answer = (text: string): ModelBehaviour => ({ kind: 'answer', text })

test('an answer that fits is parsed, and its text is kept as it was', async () => {
  const text = '{"animal": "goose", "euros": 2}'
  const { body } = await runWith(price, [answer(text)])
  assert.equal(body.data.status, 'succeeded')
  assert.deepEqual(body.data.structuredOutput, { animal: 'goose', euros: 2 })
  assert.equal(body.data.output, text)
  assert.deepEqual(body.data.responseSchema, price)
  const [asked] = modelServer.requests
  assert.deepEqual(asked?.body.response_format?.json_schema?.schema, price)
  assert.equal(asked?.body.response_format?.json_schema?.strict, false)
  // A provider that passes the format over is told in words.
  assert.match(String(asked?.body.messages[0]?.content), /JSON Schema.*"euros"/s)
  const read = await app.request('GET', `/runs/${body.data.id}`)
  assert.deepEqual(read.body.data.structuredOutput, { animal: 'goose', euros: 2 })
})

test('the JSON is found in a code fence and between other words', async () => {
  for (const text of [
    'Here it is:\n```json\n{"animal": "goose", "euros": 2}\n```\nAnything else?',
    'Sure! {"animal": "goose", "euros": 2} is what they pay.',
  ]) {
    const { body } = await runWith(price, [answer(text)])
    assert.deepEqual(body.data.structuredOutput, { animal: 'goose', euros: 2 })
    assert.equal(modelServer.requests.length, 1)
  }
})

test('an answer that does not fit is asked for once more, with what did not fit', async () => {
  const { body } = await runWith(price, [
    answer('{"animal": "goose", "euros": "two", "colour": "grey"}'),
    answer('{"animal": "goose", "euros": 2}'),
  ])
  assert.equal(body.data.status, 'succeeded')
  assert.deepEqual(body.data.structuredOutput, { animal: 'goose', euros: 2 })
  assert.equal(body.data.steps.length, 2)
  assert.match(body.data.steps[0].output.rejected, /euros: must be a number/)
  const messages = modelServer.requests[1]?.body.messages ?? []
  assert.deepEqual(
    messages.map(({ role }) => role),
    ['system', 'user', 'assistant', 'user'],
  )
  assert.match(String(messages[3]?.content), /euros: must be a number/)
  assert.match(String(messages[3]?.content), /colour: is not a known field/)
})

test('an answer that does not fit twice fails the run, with what did not fit', async () => {
  const { body } = await runWith(price, [answer('I cannot say.'), answer('{"animal": 7, "euros": -1}')])
  assert.equal(body.data.status, 'failed')
  assert.equal(body.data.error.code, 'output_invalid')
  assert.equal(body.data.error.retryable, false)
  assert.match(
    body.data.error.message,
    /animal: must be a string: put it in quotation marks; euros: must be at least 0/,
  )
  assert.equal(body.data.structuredOutput, null)
  assert.equal(modelServer.requests.length, 2)
  assert.equal(body.data.usage.outputTokens, 200)
})

test('an answer is not asked for again where no step is left', async () => {
  const { body } = await runWith(price, [answer('No.')], { body: { limits: { maxSteps: 1 } } })
  assert.equal(body.data.error.code, 'output_invalid')
  assert.equal(modelServer.requests.length, 1)
})

test('tools are called on the way to a structured answer', async () => {
  const { body } = await runWith(
    price,
    [
      { kind: 'tool_calls', calls: [{ name: 'search_knowledge', arguments: { query: 'geese' } }] },
      answer('{"animal": "goose [1]", "euros": 2}'),
    ],
    { agent: { tools: ['search_knowledge'], collectionIds: [collectionId] } },
  )
  assert.deepEqual(body.data.structuredOutput, { animal: 'goose [1]', euros: 2 })
  assert.equal(body.data.citations.length, 1)
})

test('what cannot be stored is not taken for an answer', async () => {
  const { body } = await runWith({ type: 'string' }, [answer('"a\\u0000b"'), answer('"\\ud800"')])
  assert.equal(body.data.error.code, 'output_invalid')
})

test('a schema that is none is a 400 that names the place', async () => {
  const { id } = await createAgentIn(app, { tools: [] })
  const refused = async (schema: unknown) => {
    const body = { prompt: 'Hello', responseSchema: schema }
    const reply = await app.request('POST', `/agents/${id}/run`, { body })
    assert.equal(reply.status, 400, JSON.stringify(reply.body))
    return reply.body.errors[0]
  }
  assert.equal((await refused('text')).field, 'responseSchema')
  assert.equal((await refused({ type: 'strin' })).field, 'responseSchema.type')
  assert.equal((await refused({ properties: { a: 5 } })).field, 'responseSchema.properties.a')
  assert.equal(
    (await refused({ properties: { a: { $ref: 'https://example.com/a.json' } } })).field,
    'responseSchema.properties.a.$ref',
  )
  assert.match((await refused({ $ref: '#/$defs/nothing' })).message, /\$defs\/nothing/)
  assert.match((await refused({ pattern: '(' })).message, /regular expression/)
  assert.match((await refused({ description: 'x'.repeat(70_000) })).message, /65536/)
  let deep: Record<string, unknown> = {}
  for (let i = 0; i < 40; i++) deep = { items: deep }
  assert.match((await refused(deep)).message, /nested deeper/)
})

test('a schema that would take for ever to check delays no other request', async () => {
  const defs: Record<string, unknown> = { a40: { type: 'string' } }
  for (let i = 0; i < 40; i++) {
    const next = { $ref: `#/$defs/a${i + 1}` }
    defs[`a${i}`] = { allOf: [next, next] }
  }
  const text = JSON.stringify(`${'a'.repeat(60)}b`)
  for (const schema of [
    { $ref: '#/$defs/a0', $defs: defs },
    { type: 'string', pattern: '^(a+)+$' },
    { $ref: '#' },
  ]) {
    const { body } = await runWith(schema, [answer(text), answer(text)])
    assert.equal(body.data.error.code, 'output_invalid')
    assert.match(body.data.error.message, /could not be checked in time/)
  }
})

test('the built-in models answer with a value that fits', async () => {
  const schema = {
    type: 'object',
    properties: {
      quote: { type: 'string' },
      code: { type: 'string', pattern: '^[A-Z]{2}-\\d{3}$' },
      count: { type: 'integer', minimum: 3, multipleOf: 2 },
      when: { type: 'string', format: 'date-time' },
      kind: { enum: ['fee', 'gift'] },
      lines: { type: 'array', minItems: 2, items: { $ref: '#/$defs/line' } },
    },
    required: ['quote', 'code', 'count', 'when', 'kind', 'lines'],
    $defs: {
      line: { type: 'object', properties: { text: { type: 'string', maxLength: 5 } }, required: ['text'] },
    },
  }
  const ask = async (key: TestKey, agent: Record<string, unknown>, prompt: string) => {
    const { id } = await createAgentIn(app, agent, key)
    const { body } = await app.request('POST', `/agents/${id}/run`, {
      key,
      body: { prompt, responseSchema: schema },
    })
    return body.data
  }
  const live = await ask(
    app.liveKey,
    { model: 'extractive', collectionIds: [collectionId] },
    'What do geese pay a day?',
  )
  assert.equal(live.status, 'succeeded')
  assert.equal(live.structuredOutput.quote, '"Geese pay two euros a day." [1]')
  assert.equal(live.structuredOutput.count, 4)
  assert.equal(live.structuredOutput.kind, 'fee')
  assert.equal(live.structuredOutput.lines.length, 2)
  assert.equal(live.citations.length, 1)
  const first = await ask(app.testKey, {}, 'Anything')
  const second = await ask(app.testKey, {}, 'Anything')
  assert.equal(first.status, 'succeeded')
  assert.deepEqual(first.structuredOutput, second.structuredOutput)
})

test('a test key is given the structured answer that it asks for, and one that does not fit', async () => {
  const { id } = await createAgentIn(app, {}, app.testKey)
  const ask = async (prompt: string) =>
    (
      await app.request('POST', `/agents/${id}/run`, {
        key: app.testKey,
        body: { prompt, responseSchema: price },
      })
    ).body.data
  const asked = await ask('sim:output={"animal": "swan", "euros": 0}')
  assert.deepEqual(asked.structuredOutput, { animal: 'swan', euros: 0 })
  const wrong = await ask('sim:output={"animal": "swan"}')
  assert.equal(wrong.error.code, 'output_invalid')
  const repaired = await ask('sim:repair')
  assert.equal(repaired.status, 'succeeded')
  assert.equal(repaired.structuredOutput.animal, 'Corrected.')
  assert.ok('rejected' in repaired.steps[0].output)
})

test('a pattern that runs away in the sandbox ends its run once, and the server answers meanwhile', async () => {
  const { id } = await createAgentIn(app, {}, app.testKey)
  const hostile = { type: 'string', pattern: '^(?:a{60}b^|(a+)+$)' }
  let isOver = false
  const ended = app
    .request('POST', `/agents/${id}/run`, {
      key: app.testKey,
      body: { prompt: 'hi', responseSchema: hostile },
    })
    .finally(() => {
      isOver = true
    })
  let answered = 0
  while (!isOver) {
    assert.equal((await app.request('GET', '/workspace')).status, 200)
    answered += 1
    await sleep(50)
  }
  const { body } = await ended
  assert.ok(answered > 1, `${answered} other requests were answered`)
  assert.equal(body.data.error?.code, 'model_request_rejected', JSON.stringify(body.data))
  assert.match(body.data.error.message, /took more than 500 ms: give its texts `examples`/)
  const { body: listed } = await app.request('GET', `/agents/${id}/runs`, { key: app.testKey })
  assert.equal(listed.meta.total, 1)
})
