/** What a service answered through a connection that a caller does not reach, they do not read in anybody's runs either. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { after, before, test } from 'node:test'
import {
  addToTeam,
  assertWithheld,
  createTeam,
  join,
  keepTo,
  type Person,
} from '../../../testing/apps/team-access.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { createCollection, untilNoJobs } from '../../../testing/knowledge/knowledge.ts'
import { wikiConnector, wikiKey } from '../../../testing/servers/wiki.ts'
import type { TestApp, TestKey } from '../../../testing/test-app.ts'

let tools: ToolApp
let app: TestApp
let folder: string
let insider: Person
let outsider: Person
let teamId: string

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

before(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'atrium-connectors-'))
  await copyFile(wikiConnector, joinPath(folder, 'wiki.ts'))
  tools = await startToolApp({ ATRIUM_CONNECTORS_DIR: folder })
  app = tools.app
  tools.setAnswer(({ url }, response) => {
    const body = url.startsWith('/api/me')
      ? { login: 'ada', fullName: 'Ada' }
      : [{ slug: 's', title: 'xyzzy' }]
    const status = url.includes('broken') ? 500 : 200
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  teamId = await createTeam(app, 'Guards')
  insider = await join(app)
  outsider = await join(app)
  await addToTeam(app, teamId, insider)
})

after(async () => {
  await tools.close()
  await rm(folder, { recursive: true, force: true })
})

async function request(method: string, path: string, body?: object, key = app.liveKey): Promise<Json> {
  return await app.request(method, path, { key, body })
}

/** A connection that fills a collection, and an agent that is bound to it. */
async function wikiIn(collectionId: string | null): Promise<{ id: string; agentId: string }> {
  const made = await request('POST', '/integrations/connect', {
    integrationId: 'wiki',
    name: 'Our wiki',
    credentials: { apiKey: wikiKey },
    config: { baseUrl: `http://${tools.host}` },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { id } = made.body.data
  if (collectionId !== null) await fill(id, collectionId)
  return { id, agentId: await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [id] }) }
}

const fill = async (id: string, collectionId: string) =>
  assert.equal((await request('PATCH', `/integrations/${id}`, { sync: { collectionId } })).status, 200)

async function keptCollection(): Promise<string> {
  const id = await createCollection(app)
  await keepTo(app, `/knowledge/collections/${id}`, [teamId])
  return id
}

const search = calls(['wiki_search_pages', { words: 'dogs' }])

async function run(agentId: string, more: object = {}, key = app.liveKey, script = [search, says('xyzzy')]) {
  tools.script(...script)
  const { status, body } = await request('POST', `/agents/${agentId}/run`, { prompt: 'Go!', ...more }, key)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const statusOf = async (path: string, key: TestKey) => (await request('GET', path, undefined, key)).status

async function runsOf(agentId: string, key: TestKey): Promise<string[]> {
  const { data, meta } = (await request('GET', `/agents/${agentId}/runs`, undefined, key)).body
  assert.equal(meta.total, data.length)
  return data.map(({ id }: Json) => id)
}

test('a run that read data from a restricted connection is hidden from members without access, on every route', async () => {
  const { id, agentId } = await wikiIn(await keptCollection())
  const told = await run(agentId)
  assert.match(JSON.stringify(told.steps), /xyzzy/)
  const harmless = await run(agentId, {}, app.liveKey, [says('Nothing.')])
  const { conversationId } = told
  await assertWithheld(app, told, harmless.id, { insider, outsider })
  assert.deepEqual(await runsOf(agentId, outsider.key), [harmless.id])
  assert.equal((await runsOf(agentId, insider.key)).length, 2)
  const conversations = (await request('GET', '/conversations', undefined, outsider.key)).body.data
  assert.ok(!conversations.some((row: Json) => row.id === conversationId))

  // Nor once the connection has ended, which takes nothing back that was told.
  assert.equal((await request('DELETE', `/integrations/${id}`)).status, 204)
  assert.equal(await statusOf(`/runs/${told.id}`, outsider.key), 404)
  assert.deepEqual(await runsOf(agentId, outsider.key), [harmless.id])
  assert.equal(await statusOf(`/runs/${told.id}`, insider.key), 200)
})

test('a failure that repeats the words of the service counts, and the outsider’s own run is told nothing', async () => {
  const { agentId } = await wikiIn(await keptCollection())
  const failed = await run(agentId, {}, app.liveKey, [
    calls(['wiki_search_pages', { words: 'broken' }]),
    says('It failed.'),
  ])
  assert.ok(failed.steps[1].output.error)
  assert.equal(await statusOf(`/runs/${failed.id}`, outsider.key), 404)
  const own = await run(agentId, {}, outsider.key, [search, says('Nothing.')])
  assert.match(own.steps[1].output.error.message, /no connection/)
  assert.equal(await statusOf(`/runs/${own.id}`, outsider.key), 200)
})

test('what a connection answered goes on to later runs, branches and callers, and each is withheld', async () => {
  const { agentId } = await wikiIn(await keptCollection())
  const told = await run(agentId)
  const { conversationId } = told
  const later = await run(agentId, { conversationId }, app.liveKey, [says('Again.')])
  const branched = await request('POST', `/conversations/${conversationId}/branch`, { runId: told.id })
  const onBranch = await run(agentId, { conversationId: branched.body.data.id }, app.liveKey, [says('And.')])
  const boss = await tools.createAgent({ tools: ['call_agent'], agentIds: [agentId] })
  const called = await run(boss, {}, app.liveKey, [
    calls(['call_agent', { agentId, prompt: 'Go!' }]),
    search,
    says('xyzzy'),
    says('It said so.'),
  ])
  for (const { id } of [later, onBranch, called]) {
    assert.equal(await statusOf(`/runs/${id}`, outsider.key), 404)
    assert.equal(await statusOf(`/runs/${id}`, insider.key), 200)
  }
  assert.equal((await request('DELETE', `/conversations/${conversationId}`)).status, 204)
  assert.equal(await statusOf(`/runs/${onBranch.id}`, outsider.key), 404)
  assert.deepEqual(await runsOf(agentId, outsider.key), [])
})

test('runs from before the connection was kept are taken back, from members and from narrowed keys', async () => {
  const [open, other] = [await createCollection(app), await createCollection(app)]
  const { id, agentId } = await wikiIn(open)
  const narrow = await app.createKey({ collectionIds: [open] })
  const told = await run(agentId)
  const own = await run(agentId, {}, narrow)
  assert.equal(await statusOf(`/runs/${told.id}`, outsider.key), 200)
  assert.equal(await statusOf(`/runs/${own.id}`, narrow), 200)
  await fill(id, other)
  assert.equal(await statusOf(`/runs/${own.id}`, narrow), 404)
  assert.deepEqual(await runsOf(agentId, narrow), [])
  assert.equal(await statusOf(`/runs/${told.id}`, outsider.key), 200)
  await keepTo(app, `/knowledge/collections/${other}`, [teamId])
  assert.equal(await statusOf(`/runs/${told.id}`, outsider.key), 404)
  await request('PATCH', `/knowledge/collections/${other}`, { access: 'workspace' })
  assert.equal(await statusOf(`/runs/${told.id}`, outsider.key), 200)
})

test('data read from a restricted connection stays hidden after its collection is erased, and only from members without access', async () => {
  const kept = await keptCollection()
  const { id, agentId } = await wikiIn(kept)
  const told = await run(agentId)
  const erased = await request('DELETE', `/knowledge/collections/${kept}?erase=true`)
  assert.equal(erased.status, 204)
  await untilNoJobs(app)
  for (const path of [`/runs/${told.id}`, `/conversations/${told.conversationId}`, `/integrations/${id}`]) {
    assert.equal(await statusOf(path, outsider.key), 404, path)
    assert.equal(await statusOf(path, insider.key), 200, path)
  }
  assert.deepEqual(await runsOf(agentId, outsider.key), [])
  // Nothing else of the collection is left, for those either who reached it.
  assert.equal(await statusOf(`/knowledge/collections/${kept}`, insider.key), 404)
  const trash = (await request('GET', '/knowledge/trash/collections')).body.data
  assert.ok(!trash.some((row: Json) => row.id === kept))
  const restored = await request('POST', `/knowledge/collections/${kept}/restore`)
  assert.equal(restored.status, 404)
  assert.doesNotMatch(JSON.stringify((await request('GET', '/workspace/teams')).body), new RegExp(kept))
})

test('an agent names to a caller only connections, collections and agents that the caller reaches, in its revisions too', async () => {
  const kept = await keptCollection()
  const { id, agentId } = await wikiIn(kept)
  const bound = {
    collectionIds: [kept],
    agentIds: [await tools.createAgent({ access: 'teams', teamIds: [teamId] })],
  }
  assert.equal((await request('PATCH', `/agents/${agentId}`, bound)).status, 200)
  const narrow = await app.createKey({ collectionIds: [await createCollection(app)], agentIds: [agentId] })
  for (const path of [`/agents/${agentId}`, '/agents', `/agents/${agentId}/revisions/2`]) {
    for (const key of [outsider.key, narrow]) {
      const text = JSON.stringify((await request('GET', path, undefined, key)).body)
      for (const hidden of [id, kept, ...bound.agentIds])
        assert.ok(!text.includes(hidden), `${path} ${hidden}`)
    }
    const whole = JSON.stringify((await request('GET', path)).body)
    for (const shown of [id, kept, ...bound.agentIds]) assert.ok(whole.includes(shown), path)
  }
})
