/** LangChain's client, over chat completions and over responses. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { ToolMessage } from '@langchain/core/messages'
import { tool } from '@langchain/core/tools'
import { ChatOpenAI, OpenAIEmbeddings } from '@langchain/openai'
import { z } from 'zod'
import { tryClient, weather, words } from './server.ts'

const tried = tryClient()

const getWeather = tool(async ({ city }: { city: string }) => `21 degrees in ${city}`, {
  name: 'get_weather',
  description: 'How the weather is in a city.',
  schema: z.object({ city: z.string() }),
})

for (const useResponsesApi of [false, true]) {
  const name = useResponsesApi ? 'responses' : 'chat'
  const llm = (model = tried.model) =>
    new ChatOpenAI({
      model,
      apiKey: tried.key,
      configuration: { baseURL: tried.baseUrl },
      useResponsesApi,
      maxRetries: 0,
    })

  test(`${name}: a text, whole and streamed`, async () => {
    assert.equal((await llm().invoke('Hi')).text, words)
    let text = ''
    for await (const chunk of await llm().stream('Hi')) text += chunk.text
    assert.equal(text, words)
  })

  test(`${name}: functions`, async () => {
    const bound = llm().bindTools([getWeather])
    const asked = { role: 'user', content: 'How is the weather?' }
    const called = await bound.invoke([asked])
    const [call] = called.tool_calls ?? []
    assert.ok(call !== undefined)
    const result = await getWeather.invoke(call)
    assert.ok(result instanceof ToolMessage)
    assert.match((await bound.invoke([asked, called, result])).text, /21 degrees in Paris/)
  })

  test(`${name}: an answer of a schema`, async () => {
    const schema = z.object({ city: z.string(), degrees: z.number() })
    const structured = llm().withStructuredOutput(schema, { method: 'jsonSchema' })
    assert.deepEqual(await structured.invoke('How warm is it?'), weather)
  })

  test(`${name}: an answer with sources`, async () => {
    assert.match((await llm(tried.citing).invoke('What do geese pay a day?')).text, /two euros/)
  })

  test(`${name}: a stream that breaks is an error`, async () => {
    await assert.rejects(async () => {
      for await (const _ of await llm().stream('Please break'));
    })
  })
}

test('texts are embedded', async () => {
  const embeddings = new OpenAIEmbeddings({
    model: 'test-embedding',
    apiKey: tried.key,
    configuration: { baseURL: tried.baseUrl },
  })
  const vectors = await embeddings.embedDocuments(['Geese', 'Ducks'])
  assert.deepEqual(
    vectors.map(({ length }) => length),
    [128, 128],
  )
})
