/** How chunks come by their vectors, through HTTP: once for each text, after an outage, and by another model. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import {
  add,
  ask,
  collectionOf,
  find,
  startBeside,
  startVectorApp,
  testModel,
} from '../../../testing/apps/vector-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startModelServer } from '../../../testing/servers/model-server.ts'

test('the same text is embedded once, however often it is uploaded', async t => {
  const { app, server, collectionId } = await startVectorApp(t)
  await add(app, collectionId, 'Herons stand in the water.', 'a.txt')
  const requests = server.vectorRequests.length
  await add(app, collectionId, 'Herons stand in the water.', 'b.txt')
  await add(app, await createCollection(app), 'Herons stand in the water.', 'c.txt')
  assert.equal(server.vectorRequests.length, requests)
  assert.equal((await find(app, { query: 'heron', mode: 'vector' })).length, 3)
  const usage = await app.dependencies.database.read.selectFrom('embedding_usage').selectAll().execute()
  assert.deepEqual(
    usage.map(({ texts, reused_texts, tokens }) => [texts, reused_texts, tokens > 0]),
    [[3, 2, true]],
  )
})

test('a model that is down keeps no document from being ready, and its vectors follow', async t => {
  const { app, server, collectionId } = await startVectorApp(t)
  server.setVectorScript(() => ({ kind: 'status', status: 401 }))
  const { id } = await add(app, collectionId, 'Herons stand in the water.')
  assert.equal((await find(app, { query: 'heron' }))[0].documentId, id)
  const refused = await ask(app, { query: 'heron', mode: 'vector' })
  assert.deepEqual([refused.status, refused.body.code], [422, 'vector_unavailable'])

  await app.app.services.sweepVectors()
  await eventually('the collection says what is wrong', async () => {
    const { embeddingUpdate } = await collectionOf(app, collectionId)
    return embeddingUpdate?.error?.code === 'model_unauthorized' && embeddingUpdate.model === testModel
  })
  server.setVectorScript(() => ({ kind: 'answer' }))
  await app.dependencies.database.write(tx => tx.updateTable('jobs').set({ run_at: 0 }).execute())
  await eventually('the vectors are there', async () => {
    const collection = await collectionOf(app, collectionId)
    return collection.embedding === testModel && collection.embeddingUpdate === null
  })
  assert.equal((await find(app, { query: 'heronry', mode: 'vector' }))[0].documentId, id)

  // Only the query's vector is missing now.
  server.setVectorScript(() => ({ kind: 'status', status: 401 }))
  const [result] = await find(app, { query: 'herons water', explain: 'true' })
  assert.equal(result.explanation.mode, 'text')
  assert.match(result.explanation.fallback, /401/)
  const unavailable = await ask(app, { query: 'herons water', mode: 'hybrid' })
  assert.deepEqual([unavailable.status, unavailable.body.code], [503, 'embedding_unavailable'])
  assert.ok(Number(unavailable.headers['retry-after']) > 0)
})

test('another model is brought in while the old one serves, and takes its place at once', async t => {
  const { app, server, collectionId } = await startVectorApp(t)
  for (let i = 0; i < 5; i++)
    await add(app, collectionId, `Herons stand in the water, number ${i}.`, `${i}.txt`)
  const served = Promise.withResolvers<void>()
  server.setVectorScript(request =>
    request.model === 'test-embedding-96' ? { kind: 'after', event: served.promise } : { kind: 'answer' },
  )
  // The thread that searches has begun before the change does.
  await find(app, { query: 'herons' })
  const other = await startBeside(app, server, 'openai/test-embedding-96')
  const seen = new Set<string>()
  let isChanging = true
  const watch = async () => {
    while (isChanging) {
      const found = await find(app, { query: 'herons', mode: 'vector', explain: 'true' })
      assert.equal(found.length, 5)
      for (const { explanation } of found) seen.add(explanation.vectors[0].model)
      served.resolve()
      await new Promise(resolve => setTimeout(resolve, 20))
    }
  }
  const change = async () => {
    await other.app.services.sweepVectors()
    await eventually('the new model serves', async () => {
      const row = await app.dependencies.database.read
        .selectFrom('chunk_vectors')
        .innerJoin('embedding_models', 'embedding_models.number', 'chunk_vectors.model_number')
        .select(({ fn }) => fn.countAll<number>().as('count'))
        .where('name', '=', testModel)
        .executeTakeFirstOrThrow()
      return Number(row.count) === 0
    })
    isChanging = false
  }
  await Promise.all([change(), watch()]).finally(() => other.close())
  assert.ok(seen.has(testModel))
  const [best] = await find(app, { query: 'herons', mode: 'vector', explain: 'true' })
  assert.equal(best.explanation.vectors[0].model, 'openai/test-embedding-96')
})

test('collections made before there was a model are embedded as soon as there is one', async t => {
  const { app, collectionId } = await startVectorApp(t, { ATRIUM_EMBEDDING_MODEL: '' })
  const server = await startModelServer()
  t.after(() => server.close())
  const { id } = await add(app, collectionId, 'Microscopes are cleaned every week.')
  const later = await startBeside(app, server, testModel)
  await eventually('the collection has vectors', async () => {
    const found = await ask(later, { query: 'biomicroscopical', mode: 'vector' }, app.liveKey)
    return found.status === 200 && found.body.data[0]?.documentId === id
  }).finally(() => later.close())
})

test('what was erased leaves no vector behind', async t => {
  const { app, collectionId } = await startVectorApp(t)
  const { id } = await add(app, collectionId, 'Herons stand in the water.')
  assert.equal((await find(app, { query: 'heronry', mode: 'vector' })).length, 1)
  const erased = await app.request('DELETE', `/knowledge/documents/${id}`, { query: { erase: 'true' } })
  assert.equal(erased.status, 204)
  assert.deepEqual(await find(app, { query: 'heronry', mode: 'vector' }), [])
  const { read } = app.dependencies.database
  await eventually('nothing of it is stored', async () => {
    const vectors = await read.selectFrom('chunk_vectors').selectAll().execute()
    const indexed = await read.selectFrom('search_vectors').selectAll().execute()
    return vectors.length + indexed.length === 0
  })
})
