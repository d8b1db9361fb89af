/** OpenAI's Agents SDK, over responses and over chat completions. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { Agent, OpenAIProvider, Runner, tool } from '@openai/agents'
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
