/** OpenAI's own client. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import OpenAI from 'openai'
import { zodResponseFormat, zodTextFormat } from 'openai/helpers/zod'
import { z } from 'zod'
import { eventually } from '../../server/src/testing/eventually.ts'
import { lastRun, tryClient, weather, words } from './server.ts'

const tried = tryClient()
const client = (options = {}) => new OpenAI({ baseURL: tried.baseUrl, apiKey: tried.key, ...options })
const user = (content: string) => [{ role: 'user' as const, content }]

const Weather = z.object({ city: z.string(), degrees: z.number() })
const tool = {
  type: 'function' as const,
  function: {
    name: 'get_weather',
    parse: JSON.parse,
    function: ({ city }: { city: string }) => `21 degrees in ${city}`,
    parameters: { type: 'object', properties: { city: { type: 'string' } } },
  },
}
const { parse: _parse, function: _function, ...declared } = tool.function

test('models', async () => {
  const ids = []
  for await (const { id } of client().models.list()) ids.push(id)
  for (const id of [tried.model, tried.citing]) assert.ok(ids.includes(id))
  assert.equal((await client().models.retrieve('geese')).id, tried.citing)
})

test('a model without an agent', async () => {
  const model = 'openai/test-model'
  assert.equal((await client().models.retrieve(model)).id, model)
  const completion = await client().chat.completions.create({ model, messages: user('Hi') })
  assert.deepEqual([completion.choices[0]?.message.content, completion.model], [words, model])
})

test('conversations', async () => {
  const { conversations, responses } = client()
  const { id } = await conversations.create({ items: user('My name is Ada.'), metadata: { topic: 'names' } })
  const { output_text: text } = await responses.create({
    model: tried.model,
    input: 'What was said?',
    conversation: id,
  })
  assert.match(text, /My name is Ada/)
  assert.deepEqual((await conversations.update(id, { metadata: { topic: 'one name' } })).metadata, {
    topic: 'one name',
  })
  assert.equal((await conversations.retrieve(id)).id, id)
  await conversations.items.create(id, { items: user('One more') })
  const ids = []
  for await (const item of conversations.items.list(id, { order: 'asc', limit: 1 })) ids.push(item.id ?? '')
  assert.equal(ids.length, 4)
  const last = ids.at(-1) ?? ''
  assert.equal((await conversations.items.retrieve(last, { conversation_id: id })).id, last)
  assert.equal((await conversations.items.delete(last, { conversation_id: id })).id, id)
  await assert.rejects(conversations.items.retrieve(last, { conversation_id: id }), { status: 404 })
  assert.equal((await conversations.delete(id)).deleted, true)
  await assert.rejects(conversations.retrieve(id), { status: 404 })
})

test('chat', async () => {
  const completion = await client().chat.completions.create({ model: tried.model, messages: user('Hi') })
  assert.equal(completion.choices[0]?.message.content, words)
  assert.ok((completion.usage?.total_tokens ?? 0) > 0)
})

test('chat, streamed', async () => {
  const stream = await client().chat.completions.create({
    model: tried.model,
    messages: user('Hi'),
    stream: true,
  })
  let text = ''
  for await (const { choices } of stream) text += choices[0]?.delta.content ?? ''
  assert.equal(text, words)
})

test('chat, .stream()', async () => {
  const stream = client().chat.completions.stream({ model: tried.model, messages: user('Hi') })
  assert.equal(await stream.finalContent(), words)
})

test('chat, functions', async () => {
  const runner = client().chat.completions.runTools({
    model: tried.model,
    messages: user('How is the weather?'),
    tools: [tool],
  })
  assert.equal(await runner.finalContent(), 'It has 21 degrees in Paris there.')
  const streamed = client().chat.completions.runTools({
    model: tried.model,
    messages: user('How is the weather?'),
    tools: [tool],
    stream: true,
  })
  assert.match((await streamed.finalContent()) ?? '', /21 degrees in Paris/)
})

test('chat, an answer of a schema', async () => {
  const completion = await client().chat.completions.parse({
    model: tried.model,
    messages: user('How warm is it?'),
    response_format: zodResponseFormat(Weather, 'weather'),
  })
  assert.deepEqual(completion.choices[0]?.message.parsed, weather)
})

test('chat, sources', async () => {
  const { choices } = await client().chat.completions.create({
    model: tried.citing,
    messages: user('What do geese pay a day?'),
  })
  const [annotation] = choices[0]?.message.annotations ?? []
  assert.equal(annotation?.type, 'url_citation')
  assert.match(annotation?.url_citation.url ?? '', /\/knowledge\/documents\/doc_/)
})

test('errors', async () => {
  const { chat } = client()
  await assert.rejects(
    chat.completions.create({ model: 'gpt-5', messages: user('Hi') }),
    OpenAI.NotFoundError,
  )
  await assert.rejects(
    chat.completions.create({ model: tried.model, messages: user('Hi'), n: 2 }),
    (error: unknown) => error instanceof OpenAI.BadRequestError && error.param === 'n',
  )
  await assert.rejects(client({ apiKey: 'sk-other' }).models.list(), OpenAI.AuthenticationError)
})

test('a stream that breaks is an error, and the run is not begun again', async () => {
  const before = (await tried.runs(tried.model)).length
  const stream = await client().chat.completions.create({
    model: tried.model,
    messages: user('Please break'),
    stream: true,
  })
  await assert.rejects(async () => {
    for await (const _ of stream);
  }, OpenAI.APIError)
  const responses = await client().responses.create({
    model: tried.model,
    input: 'Please break',
    stream: true,
  })
  await assert.rejects(async () => {
    for await (const _ of responses);
  }, OpenAI.APIError)
  assert.equal((await tried.runs(tried.model)).length, before + 2)
})

test('a stream that is left cancels its run', async () => {
  const stream = await client().chat.completions.create({
    model: tried.model,
    messages: user('A long story'),
    stream: true,
  })
  for await (const { choices } of stream) if (choices[0]?.delta.content !== '') break
  await eventually(
    'the run is cancelled',
    async () => (await lastRun(tried, tried.model)).status === 'cancelled',
  )
})

test('responses', async () => {
  const response = await client().responses.create({ model: tried.model, input: 'Hi' })
  assert.equal(response.output_text, words)
  const next = await client().responses.create({
    model: tried.model,
    input: 'What was said?',
    previous_response_id: response.id,
  })
  assert.equal(next.output_text, `user: Hi\nassistant: ${words}\nuser: What was said?`)
  assert.equal((await client().responses.retrieve(response.id)).output_text, words)
  const items = await client().responses.inputItems.list(response.id)
  assert.equal(items.data.length, 1)
  await client().responses.delete(response.id)
  await assert.rejects(client().responses.retrieve(response.id), OpenAI.NotFoundError)
})

test('responses, streamed and followed again', async () => {
  const stream = client().responses.stream({ model: tried.model, input: 'Hi' })
  const numbers: number[] = []
  let text = ''
  for await (const event of stream) {
    numbers.push(event.sequence_number)
    if (event.type === 'response.output_text.delta') text += event.delta
  }
  const response = await stream.finalResponse()
  assert.equal(text, words)
  assert.equal(response.output_text, words)
  const again = client().responses.stream({ response_id: response.id, starting_after: numbers[4] ?? 0 })
  assert.equal((await again.finalResponse()).output_text, words)
  const rest = await client().responses.retrieve(response.id, {
    stream: true,
    starting_after: numbers[6] ?? 0,
  })
  for await (const { sequence_number: number } of rest) assert.ok(number > (numbers[6] ?? 0))
})

test('responses, functions', async () => {
  const tools = [{ type: 'function' as const, ...declared, strict: null }]
  const first = await client().responses.create({ model: tried.model, input: 'How is the weather?', tools })
  const [call] = first.output
  assert.ok(call?.type === 'function_call')
  assert.deepEqual(JSON.parse(call.arguments), { city: 'Paris' })
  const second = await client().responses.create({
    model: tried.model,
    tools,
    previous_response_id: first.id,
    input: [{ type: 'function_call_output', call_id: call.call_id, output: '21 degrees' }],
  })
  assert.match(second.output_text, /21 degrees/)
  const stream = client().responses.stream({ model: tried.model, input: 'How is the weather?', tools })
  assert.equal((await stream.finalResponse()).output[0]?.type, 'function_call')
})

test('responses, an answer of a schema', async () => {
  const response = await client().responses.parse({
    model: tried.model,
    input: 'How warm is it?',
    text: { format: zodTextFormat(Weather, 'weather') },
  })
  assert.deepEqual(response.output_parsed, weather)
})

test('responses, sources', async () => {
  const stream = client().responses.stream({ model: tried.citing, input: 'What do geese pay a day?' })
  const [item] = (await stream.finalResponse()).output
  assert.ok(item?.type === 'message')
  const [part] = item.content
  assert.ok(part?.type === 'output_text')
  assert.equal(part.annotations[0]?.type, 'url_citation')
})

test('responses, in the background', async () => {
  const { id } = await client().responses.create({
    model: tried.model,
    input: 'A long story',
    background: true,
  })
  assert.equal((await client().responses.cancel(id)).status, 'cancelled')
})

test('embeddings', async () => {
  const { data, usage } = await client().embeddings.create({
    model: 'test-embedding',
    input: ['Geese', 'Ducks'],
  })
  assert.deepEqual(
    data.map(({ index, embedding }) => [index, embedding.length]),
    [
      [0, 128],
      [1, 128],
    ],
  )
  assert.ok(usage.total_tokens > 0)
})

test('files and vector stores', async () => {
  const { vectorStores, files } = client()
  const store = await vectorStores.create({ name: 'Ships' })
  const file = new File(['# Harbour\n\nThe ferry leaves at noon.'], 'harbour.md')
  const stored = await vectorStores.files.uploadAndPoll(store.id, file)
  assert.equal(stored.status, 'completed')
  const { data } = await vectorStores.search(store.id, { query: 'When does the ferry leave?' })
  assert.deepEqual([data[0]?.file_id, data[0]?.attributes], [stored.id, {}])
  assert.match(data[0]?.content[0]?.text ?? '', /at noon/)
  assert.equal(await (await files.content(stored.id)).text(), '# Harbour\n\nThe ferry leaves at noon.')

  const batch = await vectorStores.fileBatches.uploadAndPoll(store.id, {
    files: ['One.', 'Two.', 'Three.'].map((text, at) => new File([text], `${at}.txt`)),
  })
  assert.deepEqual([batch.status, batch.file_counts.completed], ['completed', 3])
  const listed: string[] = []
  for await (const { id } of vectorStores.files.list(store.id, { limit: 2 })) listed.push(id)
  assert.equal(listed.length, 4)
  assert.equal((await vectorStores.files.delete(stored.id, { vector_store_id: store.id })).deleted, true)
  assert.equal((await files.retrieve(stored.id)).status, 'processed')
  assert.equal((await files.delete(stored.id)).deleted, true)
  assert.equal((await vectorStores.update(store.id, { name: 'Boats' })).name, 'Boats')
  assert.equal((await vectorStores.delete(store.id)).deleted, true)
  await assert.rejects(vectorStores.retrieve(store.id), { status: 404 })
})

test('a stream whose server is killed is an error', async () => {
  const stream = await client({ maxRetries: 0 }).chat.completions.create({
    model: tried.model,
    messages: user('A long story'),
    stream: true,
  })
  await assert.rejects(async () => {
    for await (const { choices } of stream) if (choices[0]?.delta.content !== '') await tried.server.kill()
  })
})
