/** The texts of runs take room in the plan's storage, from their beginning until they are deleted. */
import assert from 'node:assert/strict'
import { type TestContext, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

type Setting = {
  app: TestApp
  agentId: string
  collectionId: string
  run: (body: object, headers?: Record<string, string>) => ReturnType<TestApp['request']>
}

async function start(context: TestContext, storageMb = 100): Promise<Setting> {
  const app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: `storageMb=${storageMb}` } })
  context.after(() => app.close())
  const key = app.testKey
  const collectionId = await createCollection(app, key, 'Birds')
  const made = await app.request('POST', '/agents', {
    key,
    body: { name: 'Birds', collectionIds: [collectionId], tools: ['search_knowledge'] },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const agentId = made.body.data.id
  const run: Setting['run'] = (body, headers = {}) =>
    app.request('POST', `/agents/${agentId}/run`, { key, body, headers: { prefer: 'wait=30', ...headers } })
  return { app, agentId, collectionId, run }
}

const usedIn = async (app: TestApp): Promise<number> =>
  (await app.request('GET', '/usage', { key: app.testKey })).body.data.storageBytes.used

/** What is really there, text by text, beside what was counted. */
async function assertCounted(app: TestApp): Promise<number> {
  const { read } = app.dependencies.database
  const runs = await read.selectFrom('runs').selectAll().execute()
  const steps = await read.selectFrom('run_steps').selectAll().execute()
  const events = await read.selectFrom('run_events').selectAll().execute()
  const calls = await read.selectFrom('run_tool_calls').selectAll().execute()
  const texts = [
    ...runs.flatMap(run => [
      ...[run.prompt, run.output, run.structured_output, run.response_schema],
      ...[run.citations, run.metadata, run.variables, run.functions],
    ]),
    ...steps.map(step => step.record),
    ...events.map(event => event.data),
    ...calls.flatMap(call => [call.input, call.result]),
  ]
  const bytes = texts.reduce((sum, text) => sum + Buffer.byteLength(text ?? ''), 0)
  const collections = await read.selectFrom('collections').select(['stored_bytes', 'environment']).execute()
  const files = collections.filter(({ environment }) => environment === 'test')
  const all = bytes + files.reduce((sum, { stored_bytes }) => sum + stored_bytes, 0)
  assert.equal(await usedIn(app), all)
  return all
}

test('what runs keep is counted to the byte, however they end, and is given back when they are deleted', async context => {
  const { app, collectionId, run } = await start(context)
  const { id } = await uploadAndWait(app, {
    collectionId,
    name: 'heron.txt',
    content: 'A heron stands in the shallows at dusk.',
    key: app.testKey,
  })
  const before = await assertCounted(app)
  const ends: Record<string, string>[] = []
  for (const prompt of ['Where does a heron stand?', 'sim:timeout', 'sim:output=Ü'.padEnd(2_000, 'ü')]) {
    ends.push((await run({ prompt, metadata: { why: 'ä' } })).body.data)
    assert.ok((await assertCounted(app)) > before)
  }
  const slow = await run({ prompt: 'sim:slow=60s' }, { prefer: 'respond-async' })
  await app.request('POST', `/runs/${slow.body.data.id}/cancel`, { key: app.testKey })
  ends.push((await app.request('GET', `/runs/${slow.body.data.id}`, { key: app.testKey })).body.data)
  assert.deepEqual(
    ends.map(({ status }) => status),
    ['succeeded', 'failed', 'succeeded', 'cancelled'],
  )
  const after = await assertCounted(app)

  const erased = { key: app.testKey, query: { erase: 'true' } }
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`, erased)).status, 204)
  await eventually(
    'the words of the document are gone from the runs',
    async () => (await usedIn(app)) < after,
  )
  await eventually('nothing is to be erased any more', async () => {
    const row = await app.dependencies.database.read.selectFrom('documents').select('id').execute()
    return !row.some(document => document.id === id)
  })
  await assertCounted(app)

  for (const { conversationId } of ends) {
    const gone = await app.request('DELETE', `/conversations/${conversationId}`, { key: app.testKey })
    assert.equal(gone.status, 204)
  }
  assert.equal(await assertCounted(app), 0)
})

test('where the storage is full a new run is refused, those before it stay, and room that is made is used', async context => {
  const { app, agentId, collectionId, run } = await start(context, 1)
  const prompt = 'sim:output=done'.padEnd(99_000, ' x')
  const done: { id: string; conversationId: string }[] = []
  let refused = await run({ prompt })
  while (refused.status === 200) {
    assert.ok(done.length < 20, 'the storage is never full')
    done.push(refused.body.data)
    refused = await run({ prompt })
  }
  assert.equal(refused.status, 403)
  assert.equal(refused.body.code, 'storage_limit')
  assert.ok(done.length > 1)
  const key = app.testKey
  const rerun = await app.request('POST', `/runs/${done[0]?.id}/rerun`, { key, body: {} })
  assert.deepEqual([rerun.status, rerun.body.code], [403, 'storage_limit'])
  const file = await upload(app, { collectionId, content: 'x'.repeat(200_000), key })
  assert.deepEqual([file.status, file.body.code], [403, 'storage_limit'])
  const listed = await app.request('GET', `/agents/${agentId}/runs`, { key })
  assert.equal(listed.body.meta.total, done.length)
  // It is written behind the reply.
  await eventually('an event tells of the limit', async () => {
    const told = await app.request('GET', '/events', { key, query: { type: 'limit.reached' } })
    return told.body.data[0]?.data.limit === 'storage'
  })

  await app.request('DELETE', `/conversations/${done[0]?.conversationId}`, { key })
  assert.equal((await run({ prompt })).status, 200)
  await assertCounted(app)
})
