/** OpenAI's Agents SDK, over responses and over chat completions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, OpenAIConversationsSession, OpenAIProvider, Runner, tool } from '@openai/agents'
import { z } from 'zod'
import { tryClient, weather, words } from './server.ts'

const tried = tryClient()

const getWeather = tool({
  name: 'get_weather',
  description: 'How the weather is in a city.',
  parameters: z.object({ city: z.string() }),
  execute: async ({ city }) => `21 degrees in ${city}`,
})

for (const useResponses of [true, false]) {
  const name = useResponses ? 'responses' : 'chat'
  const runner = () => {
    const modelProvider = new OpenAIProvider({ apiKey: tried.key, baseURL: tried.baseUrl, useResponses })
    return new Runner({ modelProvider, tracingDisabled: true })
  }
  const agent = (more = {}) => new Agent({ name: 'Client', model: tried.model, ...more })

  test(`${name}: a text, whole and streamed`, async () => {
    assert.equal((await runner().run(agent(), 'Hi')).finalOutput, words)
    const stream = await runner().run(agent(), 'Hi', { stream: true })
    await stream.completed
    assert.equal(stream.finalOutput, words)
  })

  test(`${name}: functions`, async () => {
    const { finalOutput } = await runner().run(agent({ tools: [getWeather] }), 'How is the weather?')
    assert.match(String(finalOutput), /21 degrees in Paris/)
  })

  test(`${name}: an answer of a schema`, async () => {
    const outputType = z.object({ city: z.string(), degrees: z.number() })
    const { finalOutput } = await runner().run(agent({ outputType }), 'How warm is it?')
    assert.deepEqual(finalOutput, weather)
  })

  test(`${name}: an answer with sources`, async () => {
    const { finalOutput } = await runner().run(agent({ model: tried.citing }), 'What do geese pay a day?')
    assert.match(String(finalOutput), /two euros/)
  })

  test(`${name}: a stream that breaks is an error`, async () => {
    await assert.rejects(async () => {
      const stream = await runner().run(agent(), 'Please break', { stream: true })
      for await (const _ of stream);
      await stream.completed
    })
  })
}

test('a session is kept in a conversation, from which its last item goes first', async () => {
  const options = { apiKey: tried.key, baseURL: tried.baseUrl }
  const runner = new Runner({
    modelProvider: new OpenAIProvider({ ...options, useResponses: true }),
    tracingDisabled: true,
  })
  const session = new OpenAIConversationsSession(options)
  const agent = new Agent({ name: 'Client', model: tried.model, tools: [getWeather] })
  await runner.run(agent, 'How is the weather?', { session })
  const { finalOutput } = await runner.run(agent, 'What was said?', { session })
  assert.match(String(finalOutput), /How is the weather\?[\s\S]*21 degrees in Paris[\s\S]*What was said\?/)
  const items = await session.getItems()
  assert.deepEqual(
    items.map(({ type }) => type),
    ['message', 'function_call', 'function_call_result', 'message', 'message', 'message'],
  )
  assert.equal((await session.getItems(2)).length, 2)
  await session.popItem()
  assert.equal((await session.getItems()).length, items.length - 1)
  await session.clearSession()
  assert.deepEqual(await session.getItems(), [])
})
