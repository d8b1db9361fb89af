import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

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
