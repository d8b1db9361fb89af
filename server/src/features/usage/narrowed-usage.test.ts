/** What a narrowed key is told of use: of what it reaches, and of nothing that may have reached further. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestKey } from '../../testing/test-app.ts'

test('a narrowed key is told of what it reaches, and of requests and runs that may reach further its own only', async t => {
  const app = await startTestApp()
  t.after(app.close)
  const [own, other] = [await createAgentIn(app), await createAgentIn(app)]
  const [seen, hidden] = [await createCollection(app), await createCollection(app)]
  for (const collectionId of [seen, hidden])
    await uploadAndWait(app, { collectionId, content: 'Ducks may enter.', key: app.liveKey })
  await app.app.services.usageHistory.measure()
  const ofAgent = await app.createKey({ agentIds: [own.id] })
  const ofBoth = await app.createKey({ agentIds: [own.id], collectionIds: [seen] })
  const run = async (agentId: string, key: TestKey) => {
    const body = { prompt: 'May ducks enter?' }
    assert.equal((await app.request('POST', `/agents/${agentId}/run`, { body, key })).status, 200)
  }
  await run(own.id, app.liveKey)
  await run(other.id, app.liveKey)
  await run(own.id, ofBoth)
  await app.app.services.requestMeter.flush()

  const rows = async (key: TestKey, groupBy: string) => {
    const { data } = (await app.request('GET', '/usage/history', { key, query: { groupBy } })).body
    return data.map((row: Record<string, unknown> & { subject: { id: string } | null }) => [
      ...[row.subject?.id, row.requests, row.runs, row.documents],
    ])
  }
  assert.deepEqual(await rows(ofBoth, 'day'), [[undefined, 1, 1, 1]])
  assert.deepEqual(await rows(ofBoth, 'key'), [[ofBoth.id, 1, 1, null]])
  assert.deepEqual(await rows(ofBoth, 'agent'), [])
  assert.deepEqual(await rows(ofBoth, 'collection'), [[seen, null, null, 1]])
  assert.deepEqual(await rows(ofAgent, 'agent'), [[own.id, null, 2, null]])
  assert.deepEqual(await rows(ofAgent, 'collection'), [
    [seen, null, null, 1],
    [hidden, null, null, 1],
  ])

  const usageOf = async (key: TestKey) => {
    const { storageBytes, runsAtOnce, month } = (await app.request('GET', '/usage', { key })).body.data
    return [storageBytes.used, runsAtOnce.used, month.runs]
  }
  assert.deepEqual(await usageOf(ofBoth), [null, null, 1])
  assert.deepEqual(await usageOf(ofAgent), [null, null, 2])
  const [storedBytes, ...rest] = await usageOf(app.liveKey)
  assert.ok(storedBytes > 2 * 'Ducks may enter.'.length, 'the files, and the texts of the runs')
  assert.deepEqual(rest, [0, 3])
})
