/** Runs never show text from a restricted collection to members without access: not to admins, not in old runs, not through other routes. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../../testing/apps/agent-app.ts'
import {
  addToTeam,
  assertWithheld,
  keepKnowledge,
  keepTo,
  removeFromTeam,
  type WithheldKnowledge,
} from '../../../testing/apps/team-access.ts'
import { untilNoJobs } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from '../../../testing/test-app.ts'

let app: TestApp
let known: WithheldKnowledge
/** Searches whatever its caller reaches. */
let agentId: string

before(async () => {
  app = await startTestApp()
  known = await keepKnowledge(app)
  agentId = (await createAgentIn(app, { name: 'Doorman', tools: ['search_knowledge'] })).id
})

after(() => app.close())

const aboutVault = 'Who unlocks the vault around midnight, saying what?'
const aboutCanteen = 'From when on does the canteen serve lunch?'

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
async function run(key: TestKey, prompt: string, more: Record<string, unknown> = {}): Promise<any> {
  const reply = await app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt, ...more } })
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

const statusOf = async (key: TestKey, path: string, method = 'GET', body?: object): Promise<number> =>
  (await app.request(method, path, { key, body })).status

const runsOf = async (key: TestKey) => {
  const { data, meta } = (
    await app.request('GET', `/agents/${agentId}/runs`, { key, query: { pageSize: 100 } })
  ).body
  assert.equal(meta.total, data.length)
  return data.map(({ id }: { id: string }) => id)
}

const conversationsOf = async (key: TestKey) => {
  const { data, meta } = (await app.request('GET', '/conversations', { key, query: { pageSize: 100 } })).body
  assert.equal(meta.total, data.length)
  return data.map(({ id }: { id: string }) => id)
}

test("a run for an outsider finds nothing of it, be it the agent's only collection or attached", async () => {
  const { outsider, insider, kept } = known
  const own = await run(outsider.key, aboutVault)
  assert.doesNotMatch(JSON.stringify(own), /xyzzy/)
  assert.match(JSON.stringify(await run(insider.key, aboutVault)), /xyzzy/)
  const only = await createAgentIn(app, { name: 'Guard', collectionIds: [kept.collectionId] })
  const path = `/agents/${only.id}/run`
  const asked = await app.request('POST', path, { key: outsider.key, body: { prompt: aboutVault } })
  assert.equal(asked.status, 200)
  assert.doesNotMatch(JSON.stringify(asked.body), /xyzzy/)
  const attached = await app.request('POST', path, {
    key: outsider.key,
    body: { prompt: aboutVault, attachments: [kept.documentId] },
  })
  assert.deepEqual([attached.status, attached.body.errors[0].field], [400, 'attachments.0'])
})

test('a run that read restricted text is hidden from members without access on every route, and other runs stay visible', async () => {
  const { outsider, insider } = known
  const told = await run(app.liveKey, aboutVault)
  assert.match(told.output, /xyzzy/)
  const harmless = await run(app.liveKey, aboutCanteen)
  assert.match(harmless.output, /nine/)
  const { key } = outsider
  await assertWithheld(app, told, harmless.id, known)
  const compared = await app.request('GET', `/runs/${harmless.id}/comparison`, {
    key,
    query: { with: told.id },
  })
  assert.deepEqual([compared.status, compared.body.errors[0].field], [400, 'with'])
  const { conversationId } = told
  const filtered = await app.request('GET', `/agents/${agentId}/runs`, { key, query: { conversationId } })
  assert.deepEqual([filtered.status, filtered.body.errors[0].field], [400, 'conversationId'])
  assert.ok((await runsOf(key)).includes(harmless.id))
  assert.ok(!(await runsOf(key)).includes(told.id))
  assert.ok((await conversationsOf(key)).includes(harmless.conversationId))
  assert.ok(!(await conversationsOf(key)).includes(conversationId))
  assert.ok((await runsOf(insider.key)).includes(told.id))
  assert.equal(await statusOf(key, `/runs/${harmless.id}`), 200)
  assert.equal(await statusOf(key, `/conversations/${harmless.conversationId}/runs`), 200)
})

test('what was said of it goes no further: not to later runs of the conversation, nor to its branches', async () => {
  const { outsider } = known
  const before = await run(app.liveKey, aboutCanteen)
  const { conversationId } = before
  assert.equal(await statusOf(outsider.key, `/conversations/${conversationId}`), 200)
  const told = await run(app.liveKey, aboutVault, { conversationId })
  const later = await run(app.liveKey, 'Thank you.', { conversationId })
  const branch = await app.request('POST', `/conversations/${conversationId}/branch`, {
    body: { runId: told.id },
  })
  assert.equal(branch.status, 201)
  const onBranch = await run(app.liveKey, 'And?', { conversationId: branch.body.data.id })
  const again = await app.request('POST', `/runs/${later.id}/rerun`, { body: {} })
  for (const id of [told.id, later.id, onBranch.id, again.body.data.id]) {
    assert.equal(await statusOf(outsider.key, `/runs/${id}`), 404)
    assert.ok(!(await runsOf(outsider.key)).includes(id))
  }
  assert.equal(await statusOf(outsider.key, `/conversations/${branch.body.data.id}`), 404)
  assert.equal((await app.request('DELETE', `/conversations/${conversationId}`)).status, 204)
  // The branch has not forgotten what it repeated of its beginning.
  assert.equal(await statusOf(outsider.key, `/runs/${onBranch.id}`), 404)
  assert.equal(await statusOf(app.liveKey, `/runs/${onBranch.id}`), 200)
})

test('runs from before a collection was kept are taken back, and come again with the access; others stay', async () => {
  const { outsider, open, teamId, insider } = known
  const { key } = outsider
  const own = await run(key, aboutCanteen)
  const apart = await run(key, 'Zebra?')
  assert.deepEqual(apart.citations, [])
  await keepTo(app, `/knowledge/collections/${open.collectionId}`, [teamId])
  assert.equal(await statusOf(key, `/runs/${own.id}`), 404)
  assert.equal(await statusOf(key, `/conversations/${own.conversationId}`), 404)
  assert.equal(await statusOf(insider.key, `/runs/${own.id}`), 200)
  assert.equal(await statusOf(key, `/runs/${apart.id}`), 200)
  const path = `/knowledge/collections/${open.collectionId}`
  assert.equal((await app.request('PATCH', path, { body: { access: 'workspace' } })).status, 200)
  assert.equal(await statusOf(key, `/runs/${own.id}`), 200)
})

test('a conversation goes on, whatever collections are made or kept meanwhile', async () => {
  const { outsider } = known
  const { key } = outsider
  const { conversationId } = await run(key, aboutCanteen)
  for (const body of [{ name: 'New' }, { name: 'New and kept', access: 'teams' }]) {
    assert.equal((await app.request('POST', '/knowledge/collections', { body })).status, 201)
    assert.equal(
      (await run(key, 'And when is lunch in the canteen?', { conversationId })).status,
      'succeeded',
    )
  }
  const narrow = await app.createKey({
    role: 'member',
    userId: key.caller.userId ?? '',
    collectionIds: [known.open.collectionId],
  })
  assert.equal(await statusOf(narrow, `/conversations/${conversationId}`), 404)
})

test('a team that is left takes along what it told its former member', async () => {
  const { insider, teamId } = known
  const told = await run(insider.key, aboutVault)
  assert.equal(await statusOf(insider.key, `/runs/${told.id}`), 200)
  await removeFromTeam(app, teamId, insider)
  assert.equal(await statusOf(insider.key, `/runs/${told.id}`), 404)
  assert.equal(await statusOf(insider.key, `/runs/${told.id}/events`), 404)
  await addToTeam(app, teamId, insider)
  assert.equal(await statusOf(insider.key, `/runs/${told.id}`), 200)
})

test('an agent that is kept to a team is there for no other member, its runs and conversations included', async () => {
  const { insider, outsider, teamId } = known
  const agent = await createAgentIn(app, { name: 'Secret', access: 'teams', teamIds: [teamId] })
  const path = `/agents/${agent.id}`
  const asked = await app.request('POST', `${path}/run`, { body: { prompt: aboutCanteen } })
  const { id, conversationId } = asked.body.data
  const { key } = outsider
  for (const [method, asks, body] of [
    ['GET', path],
    ['GET', `${path}/runs`],
    ['GET', `${path}/revisions`],
    ['POST', `${path}/run`, { prompt: 'Hello?' }],
    ['GET', `/runs/${id}`],
    ['POST', `/runs/${id}/rerun`, {}],
    ['GET', `/conversations/${conversationId}`],
  ] as const) {
    assert.equal(await statusOf(key, asks, method, body), 404, `${method} ${asks}`)
    if (method === 'GET') assert.equal(await statusOf(insider.key, asks), 200, asks)
  }
  const listed = async (who: TestKey) =>
    (await app.request('GET', '/agents', { key: who })).body.data.some(
      (row: { id: string }) => row.id === agent.id,
    )
  assert.equal(await listed(key), false)
  assert.equal(await listed(insider.key), true)
  assert.ok(!(await conversationsOf(key)).includes(conversationId))
  assert.equal((await app.request('DELETE', path)).status, 204)
  assert.equal(await statusOf(key, `/runs/${id}`), 404)
  assert.equal(await statusOf(insider.key, `/runs/${id}`), 200)
})

test('once the documents are erased with every trace, the runs are there again, without their words', async () => {
  const { outsider, teamId } = known
  const made = await app.request('POST', '/knowledge/collections', {
    body: { name: 'Short-lived', access: 'teams', teamIds: [teamId] },
  })
  const form = new FormData()
  form.append('collectionId', made.body.data.id)
  form.append('file', new Blob(['Ringers climb the tower each noon singing plugh.']), 'tower.txt')
  const headers = { prefer: 'wait=30' }
  const document = await app.request('POST', '/knowledge/documents', { form, headers })
  const told = await run(app.liveKey, 'What do ringers sing in the tower each noon?')
  assert.match(told.output, /plugh/)
  assert.equal(await statusOf(outsider.key, `/runs/${told.id}`), 404)
  const path = `/knowledge/documents/${document.body.data.id}?erase=true`
  assert.equal((await app.request('DELETE', path)).status, 204)
  await untilNoJobs(app)
  const left = await app.request('GET', `/runs/${told.id}`, { key: outsider.key })
  assert.equal(left.status, 200)
  assert.doesNotMatch(JSON.stringify(left.body.data.output), /plugh/)
})
