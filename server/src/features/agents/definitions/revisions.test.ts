/** Drafts, publishing and rolling back, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const patch = async (id: string, body: Record<string, unknown>) => {
  const reply = await app.request('PATCH', `/agents/${id}`, { body })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const fieldsOf = (reply: { body: { errors: { field: string }[] } }) =>
  reply.body.errors.map(({ field }) => field)

test('a draft changes what the agent shows and not what runs, until it is published', async () => {
  const { id } = await createAgentIn(app, { instructions: 'One.' })
  const draft = await patch(id, { instructions: 'Two.', publish: false })
  assert.deepEqual([draft.instructions, draft.revision, draft.publishedRevision], ['Two.', 2, 1])
  const published = await app.request('POST', `/agents/${id}/publish`, { body: { revision: 2 } })
  assert.equal(published.status, 200)
  assert.deepEqual(published.body.data.publishedRevision, 2)
  const next = await patch(id, { instructions: 'Three.' })
  assert.deepEqual([next.revision, next.publishedRevision], [3, 3])
})

test('each revision tells who made it, when, what it holds and what it changed', async () => {
  const { id } = await createAgentIn(app, { instructions: 'One.', variables: { tone: 'kind' } })
  await patch(id, { instructions: 'Two.', limits: { maxSteps: 3 }, publish: false })
  const list = await app.request('GET', `/agents/${id}/revisions`, { query: { pageSize: 1 } })
  assert.equal(list.body.meta.total, 2)
  const [latest] = list.body.data
  assert.deepEqual(
    [latest.revision, latest.isPublished, latest.changedFields],
    [2, false, ['instructions', 'limits']],
  )
  assert.match(latest.createdBy, /^usr_/)
  const first = await app.request('GET', `/agents/${id}/revisions`, { query: { pageSize: 1, page: 2 } })
  assert.deepEqual([first.body.data[0].isPublished, first.body.data[0].changedFields], [true, []])

  const detail = (await app.request('GET', `/agents/${id}/revisions/2`)).body.data
  assert.deepEqual(detail.content.variables, { tone: 'kind' })
  assert.equal(detail.content.limits.maxSteps, 3)
  assert.deepEqual(detail.changes[0], { field: 'instructions', before: 'One.', after: 'Two.' })
  assert.deepEqual([detail.changes[1].before.maxSteps, detail.changes[1].after.maxSteps], [null, 3])
  for (const revision of ['0', '3', 'two', '1.0']) {
    assert.equal((await app.request('GET', `/agents/${id}/revisions/${revision}`)).status, 404, revision)
  }
  const elsewhere = { key: app.testKey }
  assert.equal((await app.request('GET', `/agents/${id}/revisions`, elsewhere)).status, 404)
  assert.equal((await app.request('GET', `/agents/${id}/revisions/1`, elsewhere)).status, 404)
})

test('an earlier revision is published again, and fromRevision works on from it', async () => {
  const { id } = await createAgentIn(app, { instructions: 'Good.', description: 'First.' })
  await patch(id, { instructions: 'Bad.' })
  const back = await app.request('POST', `/agents/${id}/publish`, { body: { revision: 1 } })
  const { instructions, revision, publishedRevision } = back.body.data
  assert.deepEqual([instructions, revision, publishedRevision], ['Bad.', 2, 1])
  const on = await patch(id, { description: 'Third.', fromRevision: 1 })
  assert.deepEqual(
    [on.instructions, on.description, on.revision, on.publishedRevision],
    ['Good.', 'Third.', 3, 3],
  )
  for (const body of [{ fromRevision: 9 }, { publish: true }]) {
    const refused = await app.request('PATCH', `/agents/${id}`, { body })
    assert.deepEqual([refused.status, fieldsOf(refused)], [400, [Object.keys(body)[0]]])
  }
  const none = await app.request('POST', `/agents/${id}/publish`, { body: { revision: 9 } })
  assert.deepEqual([none.status, fieldsOf(none)], [400, ['revision']])
})

test('a pause counts at once, and publishes no draft', async () => {
  const { id } = await createAgentIn(app)
  await patch(id, { instructions: 'Draft.', publish: false })
  const paused = await patch(id, { status: 'paused' })
  assert.deepEqual([paused.status, paused.revision, paused.publishedRevision], ['paused', 2, 1])
})

test('publishing is a change like any other: it moves the ETag, and If-Match guards it', async () => {
  const { id } = await createAgentIn(app)
  await patch(id, { instructions: 'Draft.', publish: false })
  const before = String((await app.request('GET', `/agents/${id}`)).headers.etag)
  const send = (ifMatch: string) =>
    app.request('POST', `/agents/${id}/publish`, { body: { revision: 2 }, headers: { 'if-match': ifMatch } })
  const published = await send(before)
  assert.equal(published.status, 200)
  assert.notEqual(published.headers.etag, before)
  assert.equal((await app.request('GET', `/agents/${id}`)).headers.etag, published.headers.etag)
  assert.equal((await send(before)).status, 412)
})

test('what an agent names must exist and fit together', async () => {
  const { id: otherId } = await createAgentIn(app)
  const { id } = await createAgentIn(app, {
    approvalTools: ['search_knowledge'],
    agentIds: [otherId],
    httpHosts: ['api.example.com', 'localhost:8080', '*.example.com:8443', 'xn--bcher-kva.example'],
    fallbackModel: 'extractive',
  })
  const itself = await app.request('PATCH', `/agents/${id}`, { body: { agentIds: [otherId, id] } })
  assert.deepEqual(fieldsOf(itself), ['agentIds.1'])
  const toolless = await app.request('PATCH', `/agents/${id}`, { body: { tools: [] } })
  assert.deepEqual(fieldsOf(toolless), ['approvalTools.0'])
  await patch(id, { tools: [], approvalTools: [] })
  const refused = await app.request('POST', '/agents', {
    body: {
      name: 'Ducks',
      fallbackModel: 'mistral/large',
      agentIds: ['agt_01kajz4v7qf3x8m2c9t5b6n0rw'],
    },
  })
  assert.deepEqual(fieldsOf(refused), ['fallbackModel', 'agentIds.0'])
  const badNames = await app.request('POST', '/agents', {
    body: { name: 'Ducks', variables: { 'a b': 'x', good: 7 }, limits: { maxSteps: 0, maxStep: 1 } },
  })
  assert.deepEqual(
    new Set(fieldsOf(badNames)),
    new Set(['variables.a b', 'variables.good', 'limits.maxSteps', 'limits.maxStep']),
  )
})

test('a host is given by its name, never by an address in whatever spelling', async () => {
  const { id } = await createAgentIn(app)
  const hosts = [
    ...['https://example.com', 'example.com/path', 'Example.com', 'exam ple.com', '-a.com', 'a..com', '*'],
    ...['*.com', 'a.*.com', 'example.com:0', 'example.com:65536', 'user@example.com', 'bücher.example'],
    ...['127.0.0.1', '2130706433', '0x7f.1', '127.1', '0177.0.0.1', '[::1]', '::1', '169.254.169.254:80'],
  ]
  const reply = await app.request('PATCH', `/agents/${id}`, { body: { httpHosts: hosts } })
  assert.equal(reply.status, 400)
  assert.deepEqual(
    fieldsOf(reply),
    hosts.map((_, index) => `httpHosts.${index}`),
  )
})

test('a revision of before the newer fields is read, published and worked on', async () => {
  const { id } = await createAgentIn(app, { instructions: 'Old.' })
  await patch(id, { approvalTools: ['search_knowledge'] })
  await app.dependencies.database.write(async tx => {
    const content = { name: 'Ducks', model: 'default', instructions: 'Old.', collectionIds: [], tools: [] }
    await tx
      .updateTable('agent_revisions')
      .set({ content: JSON.stringify(content) })
      .where('agent_id', '=', id)
      .where('revision', '=', 1)
      .execute()
  })
  const { content } = (await app.request('GET', `/agents/${id}/revisions/1`)).body.data
  assert.deepEqual([content.tools, content.approvalTools, content.limits.maxSteps], [[], [], null])
  const back = await app.request('POST', `/agents/${id}/publish`, { body: { revision: 1 } })
  assert.equal(back.body.data.publishedRevision, 1)
  const on = await patch(id, { fromRevision: 1, instructions: 'New.' })
  assert.deepEqual([on.tools, on.approvalTools, on.fallbackModel, on.variables], [[], [], null, {}])
})

test('an agent reads the same, with the same ETag, whether its row holds every limit and parameter or the unusual ones', async () => {
  const limits = { maxSteps: 3 }
  const { id } = await createAgentIn(app, { limits, modelParameters: { stop: ['END'], lenient: true } })
  const path = `/agents/${id}`
  const stored = await app.dependencies.database.read
    .selectFrom('agents')
    .select(['limits', 'model_parameters'])
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  assert.deepEqual(stored, { limits: '{"maxSteps":3}', model_parameters: '{"stop":["END"],"lenient":true}' })
  const now = await app.request('GET', path)
  // So do servers that run beside this one in an upgrade, and those before it.
  await app.dependencies.database.write(tx =>
    tx
      .updateTable('agents')
      .set({
        limits: JSON.stringify(now.body.data.limits),
        model_parameters: JSON.stringify(now.body.data.modelParameters),
      })
      .where('id', '=', id)
      .execute(),
  )
  const before = await app.request('GET', path)
  assert.deepEqual([before.body, before.headers.etag], [now.body, now.headers.etag])
  assert.deepEqual((await patch(id, { instructions: 'New.' })).limits, now.body.data.limits)
  const { changes } = (await app.request('GET', `${path}/revisions/2`)).body.data
  assert.deepEqual(
    changes.map(({ field }: { field: string }) => field),
    ['instructions'],
  )
})
