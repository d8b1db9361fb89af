/** Earlier majors of OpenAI's package and of Vercel's AI SDK, which many programs stay with. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import * as ai4 from 'ai-4'
import { createOpenAI as createOpenAI4 } from 'ai-4-openai'
import * as ai5 from 'ai-5'
import { createOpenAI as createOpenAI5 } from 'ai-5-openai'
import OpenAI4 from 'openai-4'
import OpenAI5 from 'openai-5'
import { z } from 'zod'
import { tryClient, weather, words } from '../openai/server.ts'

const tried = tryClient()
const user = (content: string) => [{ role: 'user' as const, content }]
const settings = () => ({ baseURL: tried.baseUrl, apiKey: tried.key, maxRetries: 0 })
const declared = {
  type: 'function' as const,
  function: { name: 'get_weather', parameters: { type: 'object', properties: { city: { type: 'string' } } } },
}

for (const [name, OpenAI] of [
  ['openai 4', OpenAI4],
  ['openai 5', OpenAI5 as unknown as typeof OpenAI4],
] as const) {
  test(`${name}: a chat streams, with its usage`, async () => {
    const stream = await new OpenAI(settings()).chat.completions.create({
      model: tried.model,
      messages: user('Hi'),
      stream: true,
      stream_options: { include_usage: true },
    })
    let text = ''
    let total = 0
    for await (const { choices, usage } of stream) {
      text += choices[0]?.delta.content ?? ''
      total += usage?.total_tokens ?? 0
    }
    assert.equal(text, words)
    assert.ok(total > 0)
  })

  test(`${name}: a call streams, and its result is answered`, async () => {
    const { chat } = new OpenAI(settings())
    const asked = { model: tried.model, tools: [declared] }
    const stream = await chat.completions.create({ ...asked, messages: user('weather?'), stream: true })
    const pieces = []
    for await (const { choices } of stream) pieces.push(...(choices[0]?.delta.tool_calls ?? []))
    const text = pieces.map(piece => piece.function?.arguments ?? '').join('')
    assert.deepEqual(JSON.parse(text), { city: 'Paris' })
    const id = pieces[0]?.id ?? ''
    const answer = await chat.completions.create({
      ...asked,
      messages: [
        ...user('weather?'),
        {
          role: 'assistant',
          tool_calls: [{ id, type: 'function', function: { name: 'get_weather', arguments: text } }],
        },
        { role: 'tool', tool_call_id: id, content: '21 degrees' },
      ],
    })
    assert.equal(answer.choices[0]?.message.content, 'It has 21 degrees there.')
  })

  test(`${name}: a response streams`, async () => {
    const stream = await new OpenAI(settings()).responses.create({
      model: tried.model,
      input: 'Hi',
      stream: true,
    })
    let text = ''
    for await (const event of stream) if (event.type === 'response.output_text.delta') text += event.delta
    assert.equal(text, words)
  })

  test(`${name}: errors are those of their kind`, async () => {
    const { chat } = new OpenAI(settings())
    const ask = (more: object) =>
      chat.completions.create({ model: tried.model, messages: user('Hi'), ...more })
    await assert.rejects(ask({ model: 'nope' }), OpenAI.NotFoundError)
    await assert.rejects(ask({ top_logprobs: 2 }), OpenAI.BadRequestError)
    const wrong = new OpenAI({ ...settings(), apiKey: 'sk_test_bad' })
    await assert.rejects(wrong.models.list(), OpenAI.AuthenticationError)
  })
}

async function joined(pieces: AsyncIterable<string>): Promise<string> {
  let text = ''
  for await (const piece of pieces) text += piece
  return text
}

const schema = z.object({ city: z.string(), degrees: z.number() })

for (const kind of ['chat', 'responses'] as const) {
  test(`ai 4 .${kind}: streams with usage, calls tools, answers objects`, async () => {
    const provider = createOpenAI4({ ...settings(), compatibility: 'strict' })
    const model =
      kind === 'chat'
        ? provider.chat(tried.model, { structuredOutputs: true })
        : provider.responses(tried.model)
    const stream = ai4.streamText({ model, prompt: 'Hi' })
    assert.equal(await joined(stream.textStream), words)
    assert.ok((await stream.usage).totalTokens > 0)
    const get_weather = ai4.tool({
      parameters: z.object({ city: z.string() }),
      execute: async ({ city }) => `21 degrees in ${city}`,
    })
    const { text } = await ai4.generateText({
      model,
      prompt: 'weather?',
      tools: { get_weather },
      maxSteps: 2,
    })
    assert.match(text, /21 degrees in Paris/)
    assert.deepEqual((await ai4.generateObject({ model, prompt: 'How warm?', schema })).object, weather)
  })

  test(`ai 5 .${kind}: streams with usage, calls tools, answers objects`, async () => {
    const model = createOpenAI5(settings())[kind](tried.model)
    const stream = ai5.streamText({ model, prompt: 'Hi' })
    assert.equal(await joined(stream.textStream), words)
    assert.ok(((await stream.usage).totalTokens ?? 0) > 0)
    const get_weather = ai5.tool({
      inputSchema: z.object({ city: z.string() }),
      execute: async ({ city }) => `21 degrees in ${city}`,
    })
    const stopWhen = ai5.stepCountIs(2)
    const { text } = await ai5.generateText({ model, prompt: 'weather?', tools: { get_weather }, stopWhen })
    assert.match(text, /21 degrees in Paris/)
    assert.deepEqual((await ai5.generateObject({ model, prompt: 'How warm?', schema })).object, weather)
  })
}
