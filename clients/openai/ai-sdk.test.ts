/** Vercel's AI SDK with each of its providers that speak OpenAI's protocol. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createOpenResponses } from '@ai-sdk/open-responses'
import { createOpenAI } from '@ai-sdk/openai'
import { createOpenAICompatible } from '@ai-sdk/openai-compatible'
import {
  APICallError,
  embedMany,
  generateText,
  type LanguageModel,
  Output,
  stepCountIs,
  streamText,
  tool,
} from 'ai'
import { z } from 'zod'
import { tryClient, weather, words } from './server.ts'

const tried = tryClient()
const own = () => createOpenAI({ baseURL: tried.baseUrl, apiKey: tried.key })
const compatible = () =>
  createOpenAICompatible({
    name: 'atrium',
    baseURL: tried.baseUrl,
    apiKey: tried.key,
    supportsStructuredOutputs: true,
    includeUsage: true,
  })
const open = () =>
  createOpenResponses({ name: 'atrium', url: `${tried.baseUrl}/responses`, apiKey: tried.key })

const providers: Record<string, (agentId: string) => LanguageModel> = {
  '@ai-sdk/openai .chat': id => own().chat(id),
  '@ai-sdk/openai .responses': id => own().responses(id),
  '@ai-sdk/openai-compatible': id => compatible().chatModel(id),
  '@ai-sdk/open-responses': id => open()(id),
}

const tools = {
  get_weather: tool({
    inputSchema: z.object({ city: z.string() }),
    execute: async ({ city }) => `21 degrees in ${city}`,
  }),
}

for (const [name, modelOf] of Object.entries(providers)) {
  const model = () => modelOf(tried.model)

  test(`${name}: a text, whole and streamed`, async () => {
    const { text, usage } = await generateText({ model: model(), prompt: 'Hi' })
    assert.equal(text, words)
    assert.ok((usage.totalTokens ?? 0) > 0)
    const stream = streamText({ model: model(), prompt: 'Hi' })
    let streamed = ''
    for await (const piece of stream.textStream) streamed += piece
    assert.equal(streamed, words)
    assert.equal(await stream.finishReason, 'stop')
  })

  test(`${name}: what was said before`, async () => {
    const { text } = await generateText({
      model: model(),
      system: 'Be brief.',
      messages: [
        { role: 'user', content: 'Hi' },
        { role: 'assistant', content: 'Hello' },
        { role: 'user', content: 'What was said?' },
      ],
    })
    assert.match(text, /Be brief/)
    assert.match(text, /user: Hi\nassistant: Hello\nuser: What was said\?$/)
  })

  test(`${name}: functions, whole and streamed`, async () => {
    const asked = { model: model(), prompt: 'How is the weather?', tools, stopWhen: stepCountIs(3) }
    const { text, steps } = await generateText(asked)
    assert.match(text, /21 degrees in Paris/)
    assert.equal(steps.length, 2)
    const stream = streamText(asked)
    await stream.consumeStream()
    assert.match(await stream.text, /21 degrees in Paris/)
  })

  test(`${name}: an answer of a schema`, async () => {
    const { output } = await generateText({
      model: model(),
      prompt: 'How warm is it?',
      output: Output.object({ schema: z.object({ city: z.string(), degrees: z.number() }) }),
    })
    assert.deepEqual(output, weather)
  })

  test(`${name}: an answer with sources, whole and streamed`, async () => {
    const asked = { model: modelOf(tried.citing), prompt: 'What do geese pay a day?' }
    assert.match((await generateText(asked)).text, /two euros/)
    assert.match(await streamText(asked).text, /two euros/)
  })

  test(`${name}: errors, before and within a stream`, async () => {
    await assert.rejects(
      generateText({ model: modelOf('none'), prompt: 'Hi' }),
      (error: unknown) => APICallError.isInstance(error) && /There is no model/.test(error.message),
    )
    const errors: unknown[] = []
    const stream = streamText({
      model: model(),
      prompt: 'Please break',
      maxRetries: 0,
      onError: ({ error }) => void errors.push(error),
    })
    await stream.consumeStream()
    assert.equal(errors.length > 0, true)
  })
}

test('@ai-sdk/openai: sources are told as sources', async () => {
  for (const model of [own().chat(tried.citing), own().responses(tried.citing)]) {
    const { sources } = await generateText({ model, prompt: 'What do geese pay a day?' })
    assert.equal(sources[0]?.sourceType, 'url')
  }
})

test('@ai-sdk/openai: texts are embedded', async () => {
  const model = own().embedding('test-embedding')
  const { embeddings, usage } = await embedMany({ model, values: ['Geese', 'Ducks'] })
  assert.deepEqual(
    embeddings.map(({ length }) => length),
    [128, 128],
  )
  assert.ok(usage.tokens > 0)
})
