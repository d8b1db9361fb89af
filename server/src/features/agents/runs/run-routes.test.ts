/** Runs through HTTP, as their readers use and misuse them. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { setTimeout as sleep } from 'node:timers/promises'
import { createJobs } from '../../../platform/jobs/jobs.ts'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import type { ModelServer } from '../../../testing/servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'
import { createOutbox } from '../../events/outbox-service.ts'
import { noJob } from '../records/run-job.ts'
import { findRunOfJob } from '../records/run-store.ts'
import { stopRuns } from './run-ending.ts'

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
    const ended = await app.request('GET', `/runs/${runId}`, { headers: { prefer: 'wait=60' } })
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

test('a run that was queued again since it was read is stopped by the worker that has it', async () => {
  modelServer.requests.length = 0
  modelServer.setScript(() => ({ kind: 'never' }))
  const { id } = await createAgent({ model: 'openai/test-model', tools: [] })
  const headers = { prefer: 'respond-async' }
  const begun = await app.request('POST', `/agents/${id}/run`, { body: { prompt: 'Hello' }, headers })
  await eventually('the model is asked', () => modelServer.requests.length === 1)
  const { database, newId, clock } = app.dependencies
  const row = await findRunOfJob(database.read, begun.body.data.id)
  assert.ok(row !== undefined)
  const outbox = createOutbox({ newId, onRecorded: async () => undefined })
  const stopping = { clock, outbox, jobs: createJobs({ database, newId }) }
  const asItWasRead = { ...row, job_id: noJob }
  assert.equal(await database.write(tx => stopRuns(stopping, tx, [asItWasRead])), 0)
  await eventually('the client hangs up', () => modelServer.requests[0]?.closedByClientAtMs !== null)
  const ended = await app.request('GET', `/runs/${row.id}`, { headers: { prefer: 'wait=60' } })
  assert.equal(ended.body.data.status, 'cancelled')
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
  const listed = await app.request('GET', `/agents/${id}/runs`, {
    query: { status: 'failed', expand: 'steps,citations' },
  })
  const { messages: _, ...shown } = failed
  assert.deepEqual(listed.body.data[0], shown)
  const unknown = await app.request('GET', `/agents/${id}/runs`, {
    query: { conversationId: 'cnv_01kajz4v7qf3x8m2c9t5b6n0rw' },
  })
  assert.deepEqual(fieldsOf(unknown), ['conversationId'])
  const wrong = await app.request('GET', `/agents/${id}/runs`, {
    query: { status: 'done', createdAfter: 'today' },
  })
  assert.deepEqual(new Set(fieldsOf(wrong)), new Set(['status', 'createdAfter']))
})

test('the reply says which preference was applied, and none where none was said', async () => {
  const { id } = await createAgent()
  const body = { prompt: 'Hello' }
  const applied = async (method: string, path: string, prefer?: string) => {
    const headers = prefer === undefined ? {} : { prefer }
    const reply = await app.request(method, path, { headers, body: method === 'POST' ? body : undefined })
    return reply.headers['preference-applied']
  }
  const run = `/agents/${id}/run`
  assert.equal(await applied('POST', run, 'respond-async'), 'respond-async')
  assert.equal(await applied('POST', run, 'Wait=100, handling=lenient'), 'wait=60')
  assert.equal(await applied('POST', run), undefined)
  assert.equal(await applied('POST', run, 'return=minimal'), undefined)
  const { body: listed } = await app.request('GET', `/agents/${id}/runs`)
  assert.equal(await applied('GET', `/runs/${listed.data[0].id}`, 'wait=5'), 'wait=5')
})

test('a list of runs is small; steps and citations come if they are asked for', async () => {
  const { id } = await createAgent({ collectionIds: [collectionId] })
  const prompt = 'What do geese pay a day?'
  for (let count = 0; count < 20; count++)
    await app.request('POST', `/agents/${id}/run`, { body: { prompt } })
  const listed = async (query: Record<string, string>) =>
    await app.request('GET', `/agents/${id}/runs`, { query })
  const slim = await listed({})
  assert.equal(slim.body.data.length, 20)
  assert.ok(JSON.stringify(slim.body).length < 20_000)
  const { steps, citations, messages, ...whole } = (await app.request('GET', `/runs/${slim.body.data[0].id}`))
    .body.data
  assert.ok(steps.length > 0 && citations.length > 0 && messages === null)
  assert.deepEqual(slim.body.data[0], whole)
  assert.deepEqual((await listed({ expand: 'steps' })).body.data[0], { ...whole, steps })
  assert.deepEqual((await listed({ expand: 'citations' })).body.data[0], { ...whole, citations })
  assert.deepEqual((await listed({ expand: 'citations,steps' })).body.data[0], { ...whole, steps, citations })
  const { body } = await app.request('GET', `/conversations/${whole.conversationId}/runs`)
  assert.deepEqual(body.data, [whole])
  for (const expand of ['', 'step', 'steps,', 'steps, citations']) {
    assert.deepEqual(fieldsOf(await listed({ expand })), ['expand'], expand)
  }
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
  assert.match(String(run.headers.etag), /^"run_\w+\.succeeded\.\d+\.0:[\w-]{22}"$/)
  assert.equal(read.headers.etag, run.headers.etag)
})

test('however many start at the same moment, no more run than the plan allows', async t => {
  const small = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'runsAtOnce=2' } })
  t.after(() => small.close())
  const key = small.testKey
  const made = await Promise.all(
    Array.from({ length: 8 }, (_, number) =>
      small.request('POST', '/agents', { key, body: { name: `Agent ${number}` } }),
    ),
  )
  const replies = await Promise.all(
    made.map(({ body }) =>
      small.request('POST', `/agents/${body.data.id}/run`, {
        key,
        body: { prompt: 'sim:slow=60s' },
        headers: { prefer: 'wait=1' },
      }),
    ),
  )
  assert.deepEqual(replies.map(({ status }) => status).sort(), [202, 202, 429, 429, 429, 429, 429, 429])
  const refused = replies.find(({ status }) => status === 429)
  assert.equal(refused?.body.code, 'run_limit')
  assert.equal(refused?.headers['retry-after'], '2')
  const begun = replies.filter(({ status }) => status === 202).map(({ body }) => body.data.id)
  for (const id of begun) await small.request('POST', `/runs/${id}/cancel`, { key })
})

test('runs and conversations of a key that reached further are not there for a narrowed key', async () => {
  const open = await app.request('POST', '/knowledge/collections', { body: { name: 'Open' } })
  const secret = await app.request('POST', '/knowledge/collections', { body: { name: 'Secret' } })
  for (const [collection, text] of [
    [open, 'The canteen opens at nine.'],
    [secret, 'The vault opens at midnight.'],
  ] as const) {
    const form = new FormData()
    form.set('collectionId', collection.body.data.id)
    form.set('file', new File([text], 'note.txt'))
    const headers = { prefer: 'wait=20' }
    await app.request('POST', '/knowledge/documents', { form, headers })
  }
  const agent = await app.request('POST', '/agents', {
    body: { name: 'Doorman', tools: ['search_knowledge'] },
  })
  const path = `/agents/${agent.body.data.id}/run`
  const wide = await app.request('POST', path, { body: { prompt: 'When does the vault open?' } })
  assert.match(wide.body.data.output, /midnight/)

  const key = await app.createKey({ collectionIds: [open.body.data.id] })
  assert.equal((await app.request('GET', `/runs/${wide.body.data.id}`, { key })).status, 404)
  const before = await app.request('GET', `${path}s`, { key })
  assert.deepEqual([before.body.data, before.body.meta.total], [[], 0])
  const continued = await app.request('POST', path, {
    key,
    body: { prompt: 'And again?', conversationId: wide.body.data.conversationId },
  })
  assert.equal(continued.status, 400)
  assert.equal(continued.body.errors[0].field, 'conversationId')

  const own = await app.request('POST', path, { key, body: { prompt: 'When does the canteen open?' } })
  assert.match(own.body.data.output, /nine/)
  const after = await app.request('GET', `${path}s`, { key })
  assert.equal(after.body.meta.total, 1)
  const same = await app.createKey({ collectionIds: [open.body.data.id] })
  assert.equal((await app.request('GET', `/runs/${own.body.data.id}`, { key: same })).status, 200)
  assert.equal((await app.request('GET', `${path}s`)).body.meta.total, 2)
})

const run = async (agentId: string, key: TestKey = app.liveKey): Promise<string> =>
  (await app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt: 'Who may enter?' } })).body.data
    .id

const lastRuns = async (key: TestKey = app.liveKey, query = {}) => {
  const { body, status } = await app.request('GET', '/agents/last-runs', { key, query })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

test('one call tells the last run of each agent, in the order of the agents, null where there is none', async () => {
  const agents: string[] = []
  for (const name of ['One', 'Two', 'Three']) agents.push((await createAgentIn(app, { name })).id)
  const [one = '', two = '', three = ''] = agents
  await run(one)
  const newest = await run(one)
  const only = await run(two)
  const { data, meta } = await lastRuns()
  const listed = await app.request('GET', '/agents')
  assert.deepEqual(
    data.map(({ agentId }: { agentId: string }) => agentId),
    listed.body.data.map(({ id }: { id: string }) => id),
  )
  assert.equal(meta.total, listed.body.meta.total)
  const known = new Map(
    data.map((entry: { agentId: string; run: { id: string } | null }) => [
      entry.agentId,
      entry.run?.id ?? null,
    ]),
  )
  assert.deepEqual([known.get(one), known.get(two), known.get(three)], [newest, only, null])
  const { status, createdAt } = (await app.request('GET', `/runs/${newest}`)).body.data
  assert.deepEqual(data.find(({ agentId }: { agentId: string }) => agentId === one).run, {
    id: newest,
    status,
    createdAt,
  })
  assert.deepEqual((await lastRuns(app.liveKey, { page: 2, pageSize: 1 })).data[0].agentId, two)
})

test('a narrowed key is told of runs of its own reach only, and the sandbox of its own', async () => {
  const collectionId = await createCollection(app)
  const agent = await createAgentIn(app, { name: 'Narrow', collectionIds: [collectionId] })
  await run(agent.id)
  const key = await app.createKey({
    userId: app.ownerId,
    agentIds: [agent.id],
    collectionIds: [collectionId],
  })
  assert.deepEqual((await lastRuns(key)).data, [{ agentId: agent.id, run: null }])
  const seen = await run(agent.id, key)
  assert.equal((await lastRuns(key)).data[0].run.id, seen)
  const sandbox = (await lastRuns(app.testKey)).data as { agentId: string }[]
  assert.ok(sandbox.every(({ agentId }) => agentId !== agent.id))
})
