/** LlamaIndex's client. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { tool } from '@llamaindex/core/tools'
import { OpenAI } from '@llamaindex/openai'
import { tryClient, words } from './server.ts'

const tried = tryClient()
const llm = (model = tried.model) =>
  new OpenAI({ model, apiKey: tried.key, baseURL: tried.baseUrl, maxRetries: 0 })
const user = (content: string) => [{ role: 'user' as const, content }]

test('a text, whole and streamed', async () => {
  assert.equal((await llm().chat({ messages: user('Hi') })).message.content, words)
  let text = ''
  for await (const { delta } of await llm().chat({ messages: user('Hi'), stream: true })) text += delta
  assert.equal(text, words)
})

test('functions', async () => {
  const getWeather = tool({
    name: 'get_weather',
    description: 'How the weather is in a city.',
    parameters: { type: 'object', properties: { city: { type: 'string' } }, required: ['city'] },
    execute: ({ city }: { city: string }) => `21 degrees in ${city}`,
  })
  const { newMessages, toolCalls } = await llm().exec({
    messages: user('How is the weather?'),
    tools: [getWeather],
  })
  assert.equal(toolCalls.length, 1)
  const { message } = await llm().chat({ messages: [...user('How is the weather?'), ...newMessages] })
  assert.match(String(message.content), /21 degrees in Paris/)
})

test('an answer with sources', async () => {
  const { message } = await llm(tried.citing).chat({ messages: user('What do geese pay a day?') })
  assert.match(String(message.content), /two euros/)
})

test('a stream that breaks is an error', async () => {
  await assert.rejects(async () => {
    for await (const _ of await llm().chat({ messages: user('Please break'), stream: true }));
  })
})
