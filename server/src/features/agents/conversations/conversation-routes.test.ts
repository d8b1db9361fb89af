/** Conversations through HTTP: found, renamed, branched, erased, and out of reach for others. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { type ModelServer, startModelServer } from '../../../testing/servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let agentId: string

before(async () => {
  modelServer = await startModelServer()
  app = await startTestApp({ settings: { OPENAI_BASE_URL: modelServer.baseUrl } })
  agentId = await createTalker()
})
after(async () => {
  await app.close()
  await modelServer.close()
})

const createTalker = async (): Promise<string> =>
  (await createAgentIn(app, { model: 'openai/test-model', tools: [] })).id

async function talk(prompt: string, more: Record<string, unknown> = {}, key: TestKey = app.liveKey) {
  const reply = await app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt, ...more } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data as { id: string; conversationId: string; output: string }
}

/** What the model read last, without its instructions. */
const lastRead = (): string[] =>
  modelServer.requests.at(-1)?.body.messages.map(({ content }) => String(content)) ?? []

const fieldsOf = (reply: { body: { errors: { field: string }[] } }) =>
  reply.body.errors.map(({ field }) => field)

test('a conversation is called by the first words of its prompt, counts its runs, and is found by its filters', async () => {
  const first = await talk('  How many days\nof leave do I have in my first year, and do they carry over?', {
    endUserId: 'ada',
  })
  const id = first.conversationId
  const second = await talk('And in the second?', { conversationId: id, endUserId: 'ada' })
  const other = await talk('Hello', { endUserId: 'bob' })

  const { body, headers } = await app.request('GET', `/conversations/${id}`)
  assert.match(body.data.name, /^How many days of leave do I have in my first year.* …$/)
  assert.ok(body.data.name.length <= 63)
  assert.deepEqual(
    [body.data.agentId, body.data.endUserId, body.data.runCount, body.data.parentId, body.data.summary],
    [agentId, 'ada', 2, null, null],
  )
  assert.match(String(headers.etag), /^"cnv_/)

  const idsOf = async (query: Record<string, string>) =>
    (await app.request('GET', '/conversations', { query })).body
  const ofAda = await idsOf({ agentId, endUserId: 'ada' })
  assert.deepEqual([ofAda.data.map((one: { id: string }) => one.id), ofAda.meta.total], [[id], 1])
  const all = await idsOf({ agentId, pageSize: '1' })
  assert.deepEqual([all.data[0].id, all.meta.total], [other.conversationId, 2])
  const none = await idsOf({ createdAfter: '2100-01-01T00:00:00.000Z' })
  assert.equal(none.meta.total, 0)
  const unknown = await app.request('GET', '/conversations', {
    query: { agentId: 'agt_01kajz4v7qf3x8m2c9t5b6n0rw' },
  })
  assert.deepEqual([unknown.status, fieldsOf(unknown)], [400, ['agentId']])

  const runs = await app.request('GET', `/conversations/${id}/runs`)
  assert.deepEqual(
    [runs.body.data.map((run: { id: string }) => run.id), runs.body.meta.total],
    [[second.id, first.id], 2],
  )
  const behind = await app.request('GET', `/conversations/${id}/runs`, { query: { after: second.id } })
  assert.deepEqual(
    behind.body.data.map((run: { id: string }) => run.id),
    [first.id],
  )
})

test('a conversation is renamed, unless it has changed meanwhile', async () => {
  const { conversationId: id } = await talk('Hello')
  const { headers } = await app.request('GET', `/conversations/${id}`)
  const renamed = await app.request('PATCH', `/conversations/${id}`, { body: { name: ' Leave ' } })
  assert.deepEqual([renamed.status, renamed.body.data.name], [200, 'Leave'])
  const late = await app.request('PATCH', `/conversations/${id}`, {
    body: { name: 'Late' },
    headers: { 'if-match': String(headers.etag) },
  })
  assert.equal(late.status, 412)
  await talk('Again', { conversationId: id })
  assert.equal((await app.request('GET', `/conversations/${id}`)).body.data.name, 'Leave')
  const empty = await app.request('PATCH', `/conversations/${id}`, { body: { name: ' ' } })
  assert.deepEqual([empty.status, fieldsOf(empty)], [400, ['name']])
})

test('a branch remembers everything up to and including its run, and nothing after it, through branches of branches', async () => {
  modelServer.setScript(request => ({ kind: 'answer', text: `To ${request.messages.at(-1)?.content}.` }))
  const one = await talk('one', { endUserId: 'ada' })
  const id = one.conversationId
  const two = await talk('two', { conversationId: id, endUserId: 'ada' })
  await talk('three', { conversationId: id, endUserId: 'ada' })
  const branch = (from: string, runId: string, name?: string) =>
    app.request('POST', `/conversations/${from}/branch`, { body: { runId, name: name ? name : undefined } })

  const made = await branch(id, two.id)
  assert.equal(made.status, 201)
  const branchId = made.body.data.id
  assert.equal(made.headers.location, `/api/v1/conversations/${branchId}`)
  assert.deepEqual(
    [made.body.data.parentId, made.body.data.branchRunId, made.body.data.runCount, made.body.data.name],
    [id, two.id, 0, 'one'],
  )
  const four = await talk('four', { conversationId: branchId, endUserId: 'ada' })
  assert.deepEqual(lastRead(), ['one', 'To one.', 'two', 'To two.', 'four'])
  await talk('five', { conversationId: id, endUserId: 'ada' })
  assert.deepEqual(lastRead(), ['one', 'To one.', 'two', 'To two.', 'three', 'To three.', 'five'])

  const again = await branch(branchId, four.id, 'Deeper')
  assert.equal(again.body.data.name, 'Deeper')
  await talk('six', { conversationId: again.body.data.id, endUserId: 'ada' })
  assert.deepEqual(lastRead(), ['one', 'To one.', 'two', 'To two.', 'four', 'To four.', 'six'])

  const wrong = await branch(branchId, one.id)
  assert.deepEqual([wrong.status, fieldsOf(wrong)], [400, ['runId']])
  const stranger = await app.request('POST', `/agents/${agentId}/run`, {
    body: { prompt: 'seven', conversationId: branchId, endUserId: 'bob' },
  })
  assert.deepEqual([stranger.status, fieldsOf(stranger)], [400, ['conversationId']])
})

test('a deleted conversation is gone with its runs and kept replies, and what branched from it forgets it', async () => {
  modelServer.setScript(() => ({ kind: 'answer', text: 'The word is xyzzy.' }))
  const agent = await createTalker()
  const begin = (body: Record<string, unknown>, key: string) =>
    app.request('POST', `/agents/${agent}/run`, { body, headers: { 'idempotency-key': key } })
  const first = (await begin({ prompt: 'The secret word, please' }, 'delete-1')).body.data
  const id = first.conversationId
  const last = (await begin({ prompt: 'Once more', conversationId: id }, 'delete-2')).body.data
  const made = await app.request('POST', `/conversations/${id}/branch`, { body: { runId: last.id } })
  const branchId = made.body.data.id

  const path = `/conversations/${id}`
  const preview = await app.request('DELETE', path, { query: { dryRun: 'true' } })
  assert.deepEqual(
    preview.body.data.effects.map(({ effect, resource, count }: Record<string, unknown>) => [
      effect,
      resource,
      count,
    ]),
    [
      ['deleted', 'conversation', 1],
      ['deleted', 'run', 2],
      ['detached', 'conversation', 1],
    ],
  )
  assert.equal((await app.request('GET', path)).status, 200)
  assert.equal((await app.request('DELETE', path)).status, 204)

  for (const gone of [path, `${path}/runs`, `/runs/${first.id}`, `/runs/${last.id}`]) {
    assert.equal((await app.request('GET', gone)).status, 404, gone)
  }
  const { read } = app.dependencies.database
  for (const table of ['run_steps', 'run_events', 'run_documents'] as const) {
    const left = await read
      .selectFrom(table)
      .select('run_id')
      .where('run_id', 'in', [first.id, last.id])
      .execute()
    assert.deepEqual(left, [], table)
  }
  const replies = await read.selectFrom('idempotency').select('body').execute()
  assert.ok(replies.every(({ body }) => !body?.includes(id)))
  const runs = await app.request('GET', `/agents/${agent}/runs`)
  assert.equal(runs.body.meta.total, 0)
  const list = await app.request('GET', '/conversations', { query: { agentId: agent } })
  assert.equal(list.body.meta.total, 1)

  const branch = await app.request('GET', `/conversations/${branchId}`)
  assert.deepEqual([branch.body.data.parentId, branch.body.data.branchRunId], [null, null])
  await begin({ prompt: 'What was it?', conversationId: branchId }, 'delete-3')
  assert.deepEqual(lastRead(), ['What was it?'])
})

test('conversations of other workspaces, environments, agents and narrowings are not there', async () => {
  const { conversationId: id, id: runId } = await talk('Hello')
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Narrow' } })
  const otherAgent = await createTalker()
  const { workspaceId, ownerId } = await app.createWorkspace()
  const keys = [
    await app.createKey({ workspaceId, userId: ownerId }),
    app.testKey,
    await app.createKey({ agentIds: [otherAgent] }),
    await app.createKey({ collectionIds: [collection.body.data.id] }),
  ]
  for (const key of keys) {
    for (const [method, path, body] of [
      ['GET', '', undefined],
      ['GET', '/runs', undefined],
      ['PATCH', '', { name: 'Mine' }],
      ['POST', '/branch', { runId }],
      ['DELETE', '', undefined],
    ] as const) {
      const reply = await app.request(method, `/conversations/${id}${path}`, {
        key,
        body,
      })
      assert.equal(reply.status, 404, `${method} ${path}`)
    }
    const list = await app.request('GET', '/conversations', { key })
    assert.deepEqual([list.body.data, list.body.meta.total], [[], 0])
  }
})

test('a conversation that a narrowed key began goes on with such a key alone, and an open key may branch it', async () => {
  const collection = await app.request('POST', '/knowledge/collections', { body: { name: 'Narrow' } })
  const narrow = await app.createKey({ collectionIds: [collection.body.data.id] })
  const begun = await talk('Hello', {}, narrow)
  const id = begun.conversationId
  const reply = await app.request('POST', `/agents/${agentId}/run`, {
    body: { prompt: 'Hello?', conversationId: id },
  })
  assert.equal(reply.status, 400)
  assert.match(reply.body.errors[0].message, /narrowed/)
  await talk('Go on', { conversationId: id }, narrow)
  const made = await app.request('POST', `/conversations/${id}/branch`, { body: { runId: begun.id } })
  await talk('Hello?', { conversationId: made.body.data.id })
  assert.equal(lastRead()[0], 'Hello')
  const unseen = await app.request('GET', `/conversations/${made.body.data.id}`, { key: narrow })
  assert.equal(unseen.status, 404)
})
