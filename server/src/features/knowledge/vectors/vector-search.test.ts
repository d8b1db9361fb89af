/** Search by vectors, through HTTP, with a model server whose vectors are near where texts share parts of words. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { add, ask, collectionOf, find, startVectorApp, testModel } from '../../../testing/apps/vector-app.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'
import { startTestApp } from '../../../testing/test-app.ts'

test('a document that is ready is found by other words than its own', async t => {
  const { app, server, collectionId } = await startVectorApp(t)
  const { id } = await add(app, collectionId, 'Microscopes are cleaned every week.')
  await add(app, collectionId, 'The canteen opens at noon.')
  assert.deepEqual(await find(app, { query: 'biomicroscopical', mode: 'text' }), [])
  const [best] = await find(app, { query: 'biomicroscopical', mode: 'vector', explain: 'true' })
  assert.equal(best.documentId, id)
  assert.equal(best.explanation.mode, 'vector')
  assert.equal(best.explanation.text, null)
  assert.equal(best.explanation.vectors[0].model, testModel)
  assert.equal(best.score, best.explanation.vectors[0].similarity)
  assert.deepEqual(best.highlights, [])
  const collection = await collectionOf(app, collectionId)
  assert.deepEqual([collection.embedding, collection.embeddingUpdate], [testModel, null])
  assert.ok(server.vectorRequests.every(request => request.model === 'test-embedding-128'))
})

test('auto finds by text and by vectors, and the scores in both make the order', async t => {
  const { app, collectionId } = await startVectorApp(t)
  await add(app, collectionId, 'Travel costs are refunded within a month.', 'a.txt')
  await add(app, collectionId, 'Traveller refunding of costly journeys.', 'b.txt')
  await add(app, collectionId, 'The canteen opens at noon.', 'c.txt')
  const found = await find(app, { query: 'refunded travel costs', explain: 'true' })
  assert.equal(found.length, 3)
  for (const { score, explanation } of found) {
    assert.equal(explanation.mode, 'hybrid')
    assert.equal(explanation.fusion, score)
    assert.ok(score >= 0 && score <= 1)
    if (explanation.text === null) assert.ok(score <= 0.5)
  }
  assert.match(found[0].text, /^Travel costs/)
  assert.equal(found[0].explanation.text.rank, 1)
  const sum = found[0].explanation.text.parts.reduce(
    (total: number, part: { score: number }) => total + part.score,
    0,
  )
  assert.ok(Math.abs(sum - found[0].explanation.text.score) < 1e-9)
})

test('of the collections that a key reaches, and of the documents that a filter leaves, the nearest are all found', async t => {
  const { app, collectionId } = await startVectorApp(t)
  const otherId = await createCollection(app, undefined, 'Other')
  for (let i = 0; i < 12; i++) {
    await uploadAndWait(app, {
      collectionId,
      name: `${i}.txt`,
      content: `Storks and other birds, number ${i}.`,
      fields: { metadata: JSON.stringify({ kind: i % 2 === 0 ? 'even' : 'odd' }) },
    })
    await add(app, otherId, `Herons, number ${i}.`, `${i}.txt`)
  }
  const near = { query: 'heronry', mode: 'vector', pageSize: 10 }
  assert.ok((await find(app, near)).every((hit: { collectionId: string }) => hit.collectionId === otherId))
  const narrowed = await find(app, { ...near, collectionId: [collectionId] })
  assert.equal(narrowed.length, 10)
  const key = await app.createKey({ collectionIds: [collectionId] })
  const reached = await find(app, near, key)
  assert.equal(reached.length, 10)
  assert.ok(reached.every((hit: { collectionId: string }) => hit.collectionId === collectionId))
  const filtered = await ask(app, {
    ...near,
    filter: JSON.stringify({ field: 'kind', op: 'eq', value: 'odd' }),
  })
  assert.equal(filtered.status, 200, JSON.stringify(filtered.body))
  assert.equal(filtered.body.meta.total, 6)
  const neighbour = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId: neighbour.workspaceId, userId: neighbour.ownerId })
  assert.deepEqual(await find(app, { query: 'herons' }, stranger), [])
})

test('test keys never reach the provider, and search their own vectors', async t => {
  const { app, server } = await startVectorApp(t)
  const collectionId = await createCollection(app, app.testKey)
  const { id } = await add(app, collectionId, 'Microscopes are cleaned every week.', 'a.txt', app.testKey)
  const query = { query: 'biomicroscopical', mode: 'vector', explain: 'true' }
  const [best] = await find(app, query, app.testKey)
  assert.equal(best.documentId, id)
  assert.equal(best.explanation.vectors[0].model, 'sandbox')
  assert.deepEqual(server.vectorRequests, [])
})

test('without a model search is by text, and vectors asked for by name are refused', async t => {
  const app = await startTestApp()
  t.after(() => app.close())
  const collectionId = await createCollection(app)
  await add(app, collectionId, 'Herons stand in the water.')
  const [best] = await find(app, { query: 'heron', explain: 'true' })
  assert.equal(best.explanation.mode, 'text')
  for (const mode of ['vector', 'hybrid']) {
    const refused = await ask(app, { query: 'heron', mode })
    assert.deepEqual([refused.status, refused.body.code], [422, 'vector_unavailable'])
  }
  assert.equal((await collectionOf(app, collectionId)).embedding, null)
})

test('more chunks than may be scanned are searched by text, and refused where vectors are asked for', async t => {
  const { app, collectionId } = await startVectorApp(t, { ATRIUM_VECTOR_SCAN_LIMIT: '1' })
  await add(app, collectionId, 'Herons stand in the water.')
  await add(app, collectionId, 'Storks stand on the roof.')
  const refused = await ask(app, { query: 'heron', mode: 'vector' })
  assert.deepEqual([refused.status, refused.body.code], [422, 'vector_unavailable'])
  assert.match(refused.body.message, /ATRIUM_VECTOR_SCAN_LIMIT/)
  const [best] = await find(app, { query: 'heron', explain: 'true' })
  assert.equal(best.explanation.mode, 'text')
  assert.match(best.explanation.fallback, /up to 1 chunks/)
})

test('a reranker has the last word on the best results, and search does without one that fails', async t => {
  const server = await startModelServer()
  const app = await startTestApp({
    settings: { ATRIUM_RERANK_URL: `${server.baseUrl}/rerank`, ATRIUM_RERANK_MODEL: 'judge' },
  })
  t.after(async () => {
    await app.close()
    await server.close()
  })
  const collectionId = await createCollection(app)
  await add(app, collectionId, 'Heron heron heron, a text about a heron that is rather long.', 'a.txt')
  await add(app, collectionId, 'A heron.', 'b.txt')
  const [best, second] = await find(app, { query: 'heron', explain: 'true' })
  assert.equal(best.text, 'A heron.')
  assert.deepEqual(best.explanation.rerank, { model: 'judge', rank: 1, score: best.score })
  assert.ok(best.score > second.score)
  const [asked] = server.vectorRequests
  assert.ok(asked?.path === 'rerank' && asked.model === 'judge' && asked.documents.length === 2)

  const [plain] = await find(app, { query: 'heron', rerank: 'false', explain: 'true' })
  assert.equal(plain.explanation.rerank, null)
  for (const behaviour of [{ kind: 'status', status: 500 }, { kind: 'nonsense' }] as const) {
    server.setVectorScript(() => behaviour)
    const [first] = await find(app, { query: 'heron', explain: 'true' })
    assert.equal(first.chunkId, plain.chunkId)
    assert.match(first.explanation.rerank.failure, /the reranker/)
  }
  const requests = server.vectorRequests.length
  await find(app, { query: 'heron' }, app.testKey)
  assert.equal(server.vectorRequests.length, requests)
})

test('what a query excludes or wants in quotes holds for what its meaning finds', async t => {
  const { app, collectionId } = await startVectorApp(t)
  await add(app, collectionId, 'Grey herons stand in the water.', 'a.txt')
  await add(app, collectionId, 'Herons of a grey colour: a draft.', 'b.txt')
  const textsOf = async (query: string, mode: string): Promise<string[]> =>
    (await find(app, { query, mode })).map(({ text }: { text: string }) => text)
  for (const mode of ['auto', 'hybrid', 'vector']) {
    assert.equal((await textsOf('grey herons', mode)).length, 2)
    assert.deepEqual(await textsOf('herons -draft', mode), ['Grey herons stand in the water.'])
    assert.deepEqual(await textsOf('"grey herons" colour', mode), ['Grey herons stand in the water.'])
    assert.deepEqual(await textsOf('"yellow herons"', mode), [])
    assert.deepEqual(await textsOf('-draft', mode), [])
  }
})

test('neighbours that are both found are one result, word for word as the document has it', async t => {
  const { app, collectionId } = await startVectorApp(t)
  const paragraph = (about: string) => `${about} 🦆 ${`${about} and more of it. `.repeat(60)}`.trim()
  const content = ['storks', 'herons', 'heronry', 'canteen'].map(paragraph).join('\n\n\n')
  const { id } = await add(app, collectionId, content)
  for (const mode of ['text', 'vector', 'hybrid']) {
    const found = await find(app, { query: 'herons heronry', mode, perDocument: 4 })
    assert.ok(found.length > 0)
    for (const { text, location } of found) {
      const { startOffset: from, endOffset: to } = location
      const read = await app.request('GET', `/knowledge/documents/${id}/content`, { query: { from, to } })
      assert.equal(read.body.data.text, text)
    }
    const whole = found.find(({ text }: { text: string }) => /herons and more of it\.\s+heronry/.test(text))
    assert.ok(whole !== undefined, mode)
  }
})
