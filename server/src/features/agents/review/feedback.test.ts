/** Feedback on runs, through HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn, startAgentApp } from '../../../testing/apps/agent-app.ts'
import type { ModelServer } from '../../../testing/servers/model-server.ts'
import type { TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let modelServer: ModelServer
let close: () => Promise<void>

before(async () => {
  ;({ app, modelServer, close } = await startAgentApp())
})
after(() => close())

async function runOnce(agentId: string) {
  const reply = await app.request('POST', `/agents/${agentId}/run`, { body: { prompt: 'Who may enter?' } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data as { id: string; feedback: unknown }
}

const give = (runId: string, body: Record<string, unknown>) =>
  app.request('POST', `/runs/${runId}/feedback`, { body })

test('feedback is shown on the run, replaced by later feedback, and moves the ETag', async () => {
  const agent = await createAgentIn(app)
  const run = await runOnce(agent.id)
  assert.equal(run.feedback, null)
  const first = await app.request('GET', `/runs/${run.id}`)
  const given = await give(run.id, { rating: 'negative', comment: 'Too short.', endUserId: 'ada' })
  assert.equal(given.status, 200)
  const { createdAt, ...feedback } = given.body.data.feedback
  assert.deepEqual(feedback, { rating: 'negative', comment: 'Too short.', endUserId: 'ada' })
  assert.ok(Date.parse(createdAt) > 0)
  assert.notEqual(given.headers.etag, first.headers.etag)
  const replaced = await give(run.id, { rating: 'positive' })
  const { rating, comment, endUserId } = replaced.body.data.feedback
  assert.deepEqual([rating, comment, endUserId], ['positive', null, null])
  const read = await app.request('GET', `/runs/${run.id}`)
  assert.deepEqual(read.body.data, replaced.body.data)
  assert.equal(read.headers.etag, replaced.headers.etag)
  assert.notEqual(read.headers.etag, given.headers.etag)
})

test('runs are listed by their rating, and feedback that is taken back is gone', async () => {
  const agent = await createAgentIn(app)
  const [good, bad, silent] = [await runOnce(agent.id), await runOnce(agent.id), await runOnce(agent.id)]
  await give(good.id, { rating: 'positive' })
  await give(bad.id, { rating: 'negative' })
  const listed = async (feedback?: string) => {
    const query = feedback === undefined ? {} : { feedback }
    const { data, meta } = (await app.request('GET', `/agents/${agent.id}/runs`, { query })).body
    assert.equal(meta.total, data.length)
    return data.map(({ id }: { id: string }) => id)
  }
  assert.deepEqual(await listed('positive'), [good.id])
  assert.deepEqual(await listed('negative'), [bad.id])
  assert.deepEqual(await listed(), [silent.id, bad.id, good.id])

  const preview = await app.request('DELETE', `/runs/${bad.id}/feedback?dryRun=true`)
  assert.deepEqual(preview.body.data.effects, [
    { effect: 'deleted', resource: 'feedback', count: 1, ids: [bad.id] },
  ])
  assert.deepEqual(await listed('negative'), [bad.id])
  const takeBack = (headers: Record<string, string>) =>
    app.request('DELETE', `/runs/${bad.id}/feedback`, { headers })
  const ifMatch = String((await app.request('GET', `/runs/${bad.id}`)).headers.etag)
  for (const status of [204, 412]) assert.equal((await takeBack({ 'if-match': ifMatch })).status, status)
  assert.equal((await takeBack({})).status, 204)
  assert.deepEqual(await listed('negative'), [])
  assert.equal((await app.request('GET', `/runs/${bad.id}`)).body.data.feedback, null)
})

test('a run in progress, one elsewhere, and feedback that says nothing are refused', async () => {
  modelServer.setScript(() => ({ kind: 'never' }))
  const agent = await createAgentIn(app, { model: 'openai/test-model', tools: [] })
  const headers = { prefer: 'respond-async' }
  const begun = await app.request('POST', `/agents/${agent.id}/run`, { body: { prompt: 'Hello' }, headers })
  const { id } = begun.body.data
  assert.equal((await give(id, { rating: 'positive' })).status, 409)
  await app.request('POST', `/runs/${id}/cancel`)
  assert.equal((await give(id, { rating: 'positive' })).status, 200)
  const elsewhere = { key: app.testKey, body: { rating: 'positive' } }
  assert.equal((await app.request('POST', `/runs/${id}/feedback`, elsewhere)).status, 404)
  for (const body of [
    {},
    { rating: 'good' },
    { rating: 'positive', comment: ' ' },
    { rating: 'positive', stars: 5 },
  ]) {
    assert.equal((await give(id, body)).status, 400, JSON.stringify(body))
  }
})
