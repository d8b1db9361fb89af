/** Embedding models: what is asked of a provider, what is made of its answers, and what stops the start. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { type ModelServer, startModelServer } from '../../../testing/servers/model-server.ts'
import { createNotedSleep } from '../../../testing/sleeps.ts'
import { systemClock } from '../../clock.ts'
import { createModelFetch } from '../model-fetch.ts'
import { createEmbeddings, type EmbeddingSettings, type Embeddings } from './embeddings.ts'

const nothing: EmbeddingSettings = {
  openaiApiKey: null,
  openaiBaseUrl: null,
  anthropicApiKey: null,
  anthropicBaseUrl: null,
  googleApiKey: null,
  embeddingModel: null,
}

async function start(t: TestContext): Promise<{ server: ModelServer; embeddings: Embeddings }> {
  const server = await startModelServer()
  const modelFetch = createModelFetch()
  t.after(async () => {
    await modelFetch.close()
    await server.close()
  })
  return {
    server,
    embeddings: createWith({ openaiBaseUrl: server.baseUrl, embeddingModel: name }, modelFetch.fetch),
  }
}

const name = 'openai/test-embedding-128'

const { sleep, pausesMs } = createNotedSleep()

const createWith = (settings: Partial<EmbeddingSettings>, fetch = globalThis.fetch): Embeddings =>
  createEmbeddings({
    settings: { ...nothing, ...settings },
    fetch,
    clock: systemClock,
    sleep,
    random: () => 0,
  })

const { signal } = new AbortController()

test('texts become vectors of length 1, and those that share words are near', async t => {
  const { embeddings, server } = await start(t)
  const texts = ['grey herons', 'grey heron', 'tax return']
  const { vectors, tokens } = await embeddings.embed('a', name, texts, signal)
  const cosine = (one = 0, other = 0) =>
    vectors[one]?.reduce((sum, number, at) => sum + number * (vectors[other]?.[at] ?? 0), 0) ?? 0
  assert.deepEqual([vectors.length, vectors[0]?.length], [3, 128])
  assert.ok(Math.abs(cosine(0, 0) - 1) < 1e-6)
  assert.ok(cosine(0, 1) > 0.5 && cosine(0, 2) < 0.3)
  assert.ok(tokens > 0)
  assert.equal(server.vectorRequests.length, 1)
})

test('a provider that is busy is asked again, as late as it says, and one that refuses is not', async t => {
  const { embeddings, server } = await start(t)
  let answers = 0
  server.setVectorScript(() =>
    answers++ === 0 ? { kind: 'status', status: 429, headers: { 'retry-after': '7' } } : { kind: 'answer' },
  )
  pausesMs.length = 0
  await embeddings.embed('a', name, ['heron'], signal)
  assert.deepEqual(pausesMs, [7_000])
  assert.equal(answers, 2)
  server.setVectorScript(() => ({ kind: 'status', status: 401 }))
  await assert.rejects(embeddings.embed('a', name, ['heron'], signal), { code: 'model_unauthorized' })
  assert.equal(server.vectorRequests.length, 3)
})

test('an answer that is no vectors is refused', async t => {
  const { embeddings, server } = await start(t)
  server.setVectorScript(() => ({ kind: 'nonsense' }))
  await assert.rejects(embeddings.embed('a', name, ['heron'], signal), { code: 'model_invalid_response' })
})

test('a caller that gives up is obeyed at once', async t => {
  const { embeddings, server } = await start(t)
  server.setVectorScript(() => ({ kind: 'never' }))
  const controller = new AbortController()
  const asked = embeddings.embed('a', name, ['heron'], controller.signal)
  await eventually('the server is asked', () => server.vectorRequests.length === 1)
  controller.abort(new Error('enough'))
  await assert.rejects(asked, /enough/)
})

test('a setting that cannot work stops the start, and says what is missing', () => {
  const faults: [Partial<EmbeddingSettings>, RegExp][] = [
    [{ embeddingModel: 'openai/text-embedding-3-small' }, /needs OPENAI_API_KEY or OPENAI_BASE_URL/],
    [{ embeddingModel: 'google/gemini-embedding-001' }, /needs GOOGLE_API_KEY/],
    [{ embeddingModel: 'text-embedding-3-small' }, /must be openai\/…/],
    [{ embeddingModel: 'anthropic/claude' }, /must be openai\/…/],
    [{ embeddingModel: 'local/Xenova/all-MiniLM-L6-v2' }, /npm install @huggingface\/transformers/],
  ]
  for (const [settings, message] of faults) assert.throws(() => createWith(settings), message)
  assert.equal(createWith({}).modelOf('live'), null)
})

test('test keys have a model of their own, which sends no request', async t => {
  const { embeddings, server } = await start(t)
  assert.equal(createWith({}).modelOf('test'), null)
  assert.equal(embeddings.modelOf('test'), 'sandbox')
  const [one, other] = await Promise.all([
    embeddings.embed('a', 'sandbox', ['heron'], signal),
    embeddings.embed('a', 'sandbox', ['heron'], signal),
  ])
  assert.deepEqual(one, other)
  assert.deepEqual(server.vectorRequests, [])
})

test('a workspace with two hundred texts to embed delays another by one of them', async t => {
  const { embeddings } = await start(t)
  const done: string[] = []
  const embed = async (owner: string) => {
    await embeddings.embed(owner, name, ['heron'], signal)
    done.push(owner)
  }
  await Promise.all([...Array.from({ length: 200 }, () => embed('busy')), embed('other')])
  // Eight are in progress at once, and the answers of a server may overtake each other.
  assert.ok(done.indexOf('other') <= 20, `${done.indexOf('other')} were embedded before`)
})
