/** The list of models, through HTTP. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { startTestApp } from '../../testing/test-app.ts'

test('GET /models says what each model is for, those of search included', async t => {
  const app = await startTestApp({
    settings: {
      OPENAI_API_KEY: 'key',
      ATRIUM_EMBEDDING_MODEL: 'openai/text-embedding-3-small',
      ATRIUM_RERANK_URL: 'https://rerank.example.com/v1/rerank',
      ATRIUM_RERANK_MODEL: 'rerank-3',
    },
  })
  t.after(app.close)
  const list = async (key = app.liveKey): Promise<{ id: string; purposes: string[] }[]> =>
    (await app.request('GET', '/models', { query: { pageSize: 100 }, key })).body.data
  const live = new Map((await list()).map(({ id, purposes }) => [id, purposes]))
  assert.deepEqual(live.get('openai/gpt-5.4-mini'), ['chat'])
  assert.deepEqual(live.get('extractive'), ['chat'])
  assert.deepEqual(live.get('openai/text-embedding-3-small'), ['embedding'])
  assert.deepEqual(live.get('rerank-3'), ['rerank'])
  assert.deepEqual(
    (await list(app.testKey)).map(({ id, purposes }) => [id, purposes]),
    [['sandbox', ['chat', 'embedding']]],
  )
})
