/** Runs through HTTP, as their readers use and misuse them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import type { ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let collectionId: string
let close: () => Promise<void>

before(async () => {
  ;({ app, modelServer, collectionId, close } = await startAgentApp())
})
after(() => close())

const createAgent = (body?: Record<string, unknown>, key?: TestKey) => createAgentIn(app, body, key)

const fieldsOf = (reply: { body: { errors: { field: string }[] } }) =>
  reply.body.errors.map(({ field }) => field)

test('an agent answers from the documents, and each citation stands where it says', async () => {
  const { id } = await createAgent({ collectionIds: [collectionId] })
  const reply = await app.request('POST', `/agents/${id}/run`, {
    body: { prompt: 'What do geese pay a day?', metadata: { ticket: 7 }, endUserId: 'ada' },
  })
  assert.equal(reply.status, 200)
  const run = reply.body.data
  assert.equal(run.status, 'succeeded')
  assert.equal(run.output, '"Geese pay two euros a day." [1]')
  assert.equal(run.model, 'extractive')
  assert.equal(run.agentRevision, 1)
  assert.deepEqual(run.metadata, { ticket: 7 })
  assert.equal(run.endUserId, 'ada')
  const [{ documentId, startOffset, endOffset, quote, documentVersion }] = run.citations
  assert.equal(documentVersion, 1)
  const query = { from: startOffset, to: endOffset }
  const content = await app.request('GET', `/knowledge/documents/${documentId}/content`, { query })
  assert.equal(content.body.data.text, quote)
  assert.deepEqual(
    run.steps.map(({ type, name }: { type: string; name: string }) => `${type} ${name}`),
    ['model extractive', 'tool search_knowledge', 'model extractive'],
  )
  assert.equal(run.usage.costUsd, 0)
  assert.ok(run.usage.inputTokens > 0)
})

test('a run that fails is a 200 that says why', async () => {
  modelServer.setScript(() => ({ kind: 'status', status: 401 }))
  const { id } = await createAgent({ model: 'openai/test-model' })
  const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })
  assert.equal(reply.status, 200)
  assert.equal(reply.body.data.status, 'failed')
  assert.equal(reply.body.data.error.code, 'model_unauthorized')
})

test('a run answers 202 when it is not waited for, and is found ended later', async () => {
  modelServer.setScript(() => ({
    kind: 'slow',
    delayMs: 300,
    behaviour: { kind: 'answer', text: 'At last.' },
  }))
  const { id } = await createAgent({ model: 'openai/test-model', tools: [] })
  for (const prefer of ['respond-async', 'wait=0']) {
    const headers = { prefer }
    const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, headers })
    assert.equal(reply.status, 202)
    assert.ok(['queued', 'running'].includes(reply.body.data.status))
    const runId = reply.body.data.id
    assert.equal(reply.headers.location, `/api/v1/runs/${runId}`)
    const ended = await app.request('GET', `/runs/${runId}`, { headers: { prefer: 'wait=10' } })
    assert.equal(ended.body.data.output, 'At last.')
  }
})

test('a run is cancelled while its model thinks, and the model server sees the connection close', async () => {
  modelServer.requests.length = 0
  modelServer.setScript(() => ({ kind: 'never' }))
  const { id } = await createAgent({ model: 'openai/test-model', tools: [] })
  const headers = { prefer: 'respond-async' }
  const begun = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, headers })
  while (modelServer.requests.length === 0) await sleep(5)
  const cancelled = await app.request('POST', `/runs/${begun.body.data.id}/cancel`)
  assert.equal(cancelled.status, 200)
  assert.equal(cancelled.body.data.status, 'cancelled')
  while (modelServer.requests[0]?.closedByClientAtMs === null) await sleep(1)
  const again = await app.request('POST', `/runs/${begun.body.data.id}/cancel`)
  assert.deepEqual(again.body.data, cancelled.body.data)
})

test('the history is filtered by each of its filters', async () => {
  modelServer.setScript(() => ({ kind: 'status', status: 400 }))
  const { id } = await createAgent({ tools: [], model: 'extractive' })
  const run = async (body: Record<string, unknown>) =>
    (await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello', ...body } })).body.data
  const first = await run({ endUserId: 'ada' })
  const second = await run({ endUserId: 'ada', conversationId: first.conversationId })
  await app.request('PATCH', `/agents/${id}`, { body: { model: 'openai/test-model' } })
  const failed = await run({})
  assert.equal(failed.agentRevision, 2)
  const idsFor = async (query: Record<string, string>) => {
    const { body } = await app.request('GET', `/agents/${id}/runs`, { query })
    assert.equal(body.meta.total, body.data.length)
    return body.data.map((item: { id: string }) => item.id)
  }
  assert.deepEqual(await idsFor({}), [failed.id, second.id, first.id])
  assert.deepEqual(await idsFor({ status: 'failed' }), [failed.id])
  assert.deepEqual(await idsFor({ endUserId: 'ada' }), [second.id, first.id])
  assert.deepEqual(await idsFor({ conversationId: first.conversationId }), [second.id, first.id])
  assert.deepEqual(await idsFor({ createdAfter: second.createdAt, createdBefore: failed.createdAt }), [
    second.id,
  ])
  const listed = await app.request('GET', `/agents/${id}/runs`, { query: { status: 'failed' } })
  assert.deepEqual(listed.body.data[0], failed)
  const unknown = await app.request('GET', `/agents/${id}/runs`, {
    query: { conversationId: 'cnv_01kajz4v7qf3x8m2c9t5b6n0rw' },
  })
  assert.deepEqual(fieldsOf(unknown), ['conversationId'])
  const wrong = await app.request('GET', `/agents/${id}/runs`, {
    query: { status: 'done', createdAfter: 'today' },
  })
  assert.deepEqual(new Set(fieldsOf(wrong)), new Set(['status', 'createdAfter']))
})

test('a prompt that is missing, empty, blank or too long is refused, and so is a field that does not exist', async () => {
  const { id } = await createAgent()
  for (const prompt of [undefined, '', ' \n ', 'a'.repeat(100_001), 7, null]) {
    const reply = await app.request('POST', `/agents/${id}/run`, { body: { prompt } })
    assert.equal(reply.status, 400)
    assert.deepEqual(fieldsOf(reply), ['prompt'])
  }
  const reply = await app.request('POST', `/agents/${id}/run`, {
    body: {
      prompt: 'Hi',
      promt: 'x',
      limits: { maxSteps: 0, timeoutSeconds: 601, maxCostUsd: -1, tokens: 1 },
    },
  })
  assert.deepEqual(
    new Set(fieldsOf(reply)),
    new Set(['promt', 'limits.maxSteps', 'limits.timeoutSeconds', 'limits.maxCostUsd', 'limits.tokens']),
  )
  const longest = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'a'.repeat(100_000) } })
  assert.equal(longest.body.data.status, 'succeeded')
})

test('neighbours, the other environment and narrowed keys see nothing of an agent or its runs', async () => {
  const { id } = await createAgent({ tools: [], model: 'extractive' })
  const mine = await createAgent()
  const run = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })
  const runId = run.body.data.id
  const neighbour = await app.createWorkspace()
  const strangers = [
    await app.createKey({ workspaceId: neighbour.workspaceId, userId: neighbour.ownerId }),
    app.testKey,
    await app.createKey({ agentIds: [mine.id] }),
  ]
  for (const key of strangers) {
    for (const [method, path, body] of [
      ['GET', `/agents/${id}`],
      ['PATCH', `/agents/${id}`, { name: 'Theirs' }],
      ['DELETE', `/agents/${id}`],
      ['GET', `/agents/${id}/runs`],
      ['POST', `/agents/${id}/run`, { prompt: 'Hello' }],
      ['GET', `/runs/${runId}`],
      ['POST', `/runs/${runId}/cancel`],
    ] as const) {
      const reply = await app.request(method, path, { key, body })
      assert.equal(reply.status, 404, `${method} ${path}`)
    }
    const list = await app.request('GET', '/agents', { key, query: { pageSize: 100 } })
    assert.ok(!list.body.data.some((agent: { id: string }) => agent.id === id))
  }
  const narrowed = strangers[2]
  assert.equal(
    (await app.request('POST', '/agents', { key: narrowed ?? null, body: { name: 'New' } })).status,
    403,
  )
})

test('a conversation of another workspace cannot be gone on with', async () => {
  const { id } = await createAgent({ tools: [], model: 'extractive' })
  const run = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' } })
  const { conversationId } = run.body.data
  const theirs = await createAgent({ tools: [] }, app.testKey)
  const reply = await app.request('POST', `/agents/${theirs.id}/run`, {
    key: app.testKey,
    body: { prompt: 'Hello', conversationId },
  })
  assert.deepEqual(fieldsOf(reply), ['conversationId'])
})

test('an agent bound to a collection that the key cannot reach finds nothing in it', async () => {
  const { id } = await createAgent({ collectionIds: [collectionId] })
  const other = await app.request('POST', '/knowledge/collections', { body: { name: 'Empty' } })
  const key = await app.createKey({ collectionIds: [other.body.data.id] })
  const reply = await app.request('POST', `/agents/${id}/run`, {
    key,
    body: { prompt: 'What do geese pay a day?' },
  })
  assert.equal(reply.body.data.output, 'The documents do not answer this question.')
  assert.deepEqual(reply.body.data.citations, [])
})

test('the same Idempotency-Key starts one run', async () => {
  const { id } = await createAgent({ tools: [], model: 'extractive' })
  const headers = { 'idempotency-key': `once-${id}` }
  const first = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, headers })
  const second = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, headers })
  assert.equal(second.headers['idempotency-replayed'], 'true')
  assert.deepEqual(second.body, first.body)
  assert.equal((await app.request('GET', `/agents/${id}/runs`)).body.meta.total, 1)
})

test('a run carries an ETag that stays the same once it has ended', async () => {
  const { id } = await createAgent({ collectionIds: [collectionId] })
  const run = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Who may enter?' } })
  const read = await app.request('GET', `/runs/${run.body.data.id}`)
  assert.match(String(run.headers.etag), /^"run_\w+\.succeeded\.\d+\.0"$/)
  assert.equal(read.headers.etag, run.headers.etag)
})
