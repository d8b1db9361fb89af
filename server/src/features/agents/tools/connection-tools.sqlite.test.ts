/** Tools of connections as agents use them: a connected wiki on loopback, and a model server that calls its tools. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises'
import type { ServerResponse } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import {
  calls,
  type HostRequest,
  says,
  startToolApp,
  type ToolApp,
  toldBy,
} from '../../../testing/apps/tool-app.ts'
import { createCollection } from '../../../testing/knowledge/knowledge.ts'
import { wikiConnector, wikiKey } from '../../../testing/servers/wiki.ts'
import type { TestKey } from '../../../testing/test-app.ts'

let tools: ToolApp
let folder: string

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-connectors-'))
  await copyFile(wikiConnector, join(folder, 'wiki.ts'))
  // The same under another name, with tools that take any argument.
  const lenient = (await readFile(wikiConnector, 'utf8'))
    .replace("id: 'wiki'", "id: 'lenient'")
    .replaceAll('additionalProperties: false', 'additionalProperties: true')
  await writeFile(join(folder, 'lenient.ts'), lenient)
  tools = await startToolApp({ ATRIUM_CONNECTORS_DIR: folder })
})

after(async () => {
  await tools.close()
  await rm(folder, { recursive: true, force: true })
})

beforeEach(() => {
  tools.requests.length = 0
  tools.setAnswer(answerAsWiki)
})

const reply = (response: ServerResponse, status: number, body: unknown, headers = {}) =>
  response.writeHead(status, { 'content-type': 'application/json', ...headers }).end(JSON.stringify(body))

function answerAsWiki({ url, headers }: HostRequest, response: ServerResponse): void {
  if (headers['x-wiki-key'] !== wikiKey) reply(response, 401, {})
  else if (url.startsWith('/api/me')) reply(response, 200, { login: 'ada', fullName: 'Ada L.' })
  else reply(response, 200, [{ slug: 'pets', title: 'Pets' }])
}

async function connect(
  name = 'Wiki',
  key: TestKey = tools.app.liveKey,
  integrationId = 'wiki',
): Promise<string> {
  const { status, body } = await tools.app.request('POST', '/integrations/connect', {
    key,
    body: {
      integrationId,
      name,
      config: { baseUrl: `http://${tools.host}` },
      credentials: { apiKey: wikiKey },
    },
  })
  assert.equal(status, 201, JSON.stringify(body))
  tools.requests.length = 0
  return body.data.id
}

const search: [string, unknown] = ['wiki_search_pages', { words: 'dogs' }]
const comment: [string, unknown] = ['wiki_add_comment', { slug: 'pets', comment: 'Cats too.' }]

async function run(agentId: string, wanted: [string, unknown][], key = tools.app.liveKey): Promise<Json> {
  tools.script(calls(...wanted), says('Done.'))
  const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, { key, body: { prompt: 'Go!' } })
  return body.data
}

/** What became of one call: its output on the step, and what the model was told. */
async function call(agentId: string, wanted: [string, unknown], key?: TestKey) {
  const { steps } = await run(agentId, [wanted], key)
  const [told] = toldBy(tools.modelServer.requests[1]?.body ?? { model: '', messages: [] }).values()
  return { output: steps[1].output, told: told ?? '' }
}

/** The first tool as the model was offered it. */
function firstOffered(): Json {
  const [asked] = tools.modelServer.requests as Json
  return asked.body.tools[0].function
}

const create = (body: Json, key = tools.app.liveKey) =>
  tools.app.request('POST', '/agents', { key, body: { name: 'Worker', model: 'openai/test-model', ...body } })

test('an agent uses the tools of its connection with the rights of the connection, which it never sees', async () => {
  const agentId = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [await connect()] })
  const { output, told } = await call(agentId, search)
  assert.deepEqual(output.content, [{ slug: 'pets', title: 'Pets' }])
  assert.match(told, /"slug":"pets"/)
  assert.deepEqual(
    tools.requests.map(({ method, url, headers }) => [method, url, headers['x-wiki-key']]),
    [['GET', '/api/search?q=dogs', wikiKey]],
  )
  assert.ok(!JSON.stringify(tools.modelServer.requests).includes(wikiKey))
  const offered = firstOffered()
  assert.equal(offered.name, 'wiki_search_pages')
  assert.deepEqual(Object.keys(offered.parameters.properties), ['words'])
  assert.match((await call(agentId, ['wiki_search_pages', { words: '' }])).told, /The arguments do not fit/)
})

test('what changes something waits for an approval, and is done once', async () => {
  const agentId = await tools.createAgent({ tools: ['wiki_add_comment'], connectionIds: [await connect()] })
  const waiting = await run(agentId, [comment])
  assert.equal(waiting.status, 'waiting')
  assert.equal(tools.requests.length, 0)
  const [{ toolCallId }] = waiting.pendingApprovals
  const decided = await tools.app.request('POST', `/runs/${waiting.id}/approvals`, {
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
    headers: { prefer: 'wait=20' },
  })
  assert.equal(decided.body.data.status, 'succeeded')
  assert.deepEqual(
    tools.requests.map(({ method, url, body }) => [method, url, body]),
    [['POST', '/api/pages/pets/comments', '{"comment":"Cats too."}']],
  )
})

test('of two connections of one integration the model says which, by their names', async () => {
  const connectionIds = [await connect('Our wiki'), await connect('Their wiki')]
  const agentId = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds })
  const { output } = await call(agentId, ['wiki_search_pages', { words: 'dogs', connection: 'Their wiki' }])
  assert.deepEqual(output.content, [{ slug: 'pets', title: 'Pets' }])
  const { parameters } = firstOffered()
  assert.deepEqual(parameters.properties.connection.enum, ['Our wiki', 'Their wiki'])
  assert.deepEqual(parameters.required, ['connection', 'words'])
  const wrong = await call(agentId, ['wiki_search_pages', { words: 'dogs', connection: 'Unknown wiki' }])
  assert.match(wrong.told, /The arguments do not fit/)
  assert.match((await call(agentId, search)).told, /The arguments do not fit/)
})

test('a call that was meant for one connection is not made with another that is left', async () => {
  for (const ended of ['Their wiki', 'Our wiki']) {
    const [ours, theirs] = [
      await connect('Our wiki', tools.app.liveKey, 'lenient'),
      await connect('Their wiki', tools.app.liveKey, 'lenient'),
    ]
    const agentId = await tools.createAgent({ tools: ['lenient_add_comment'], connectionIds: [ours, theirs] })
    const meant = { slug: 'pets', comment: 'Cats too.', connection: 'Their wiki' }
    const waiting = await run(agentId, [['lenient_add_comment', meant]])
    await tools.app.request('DELETE', `/integrations/${ended === 'Our wiki' ? ours : theirs}`)
    tools.requests.length = 0
    const [{ toolCallId }] = waiting.pendingApprovals
    await tools.app.request('POST', `/runs/${waiting.id}/approvals`, {
      body: { decisions: [{ toolCallId, decision: 'approve' }] },
      headers: { prefer: 'wait=20' },
    })
    const made = tools.requests.map(({ body }) => body)
    assert.deepEqual(made, ended === 'Our wiki' ? ['{"comment":"Cats too."}'] : [])
    const told = JSON.stringify(tools.modelServer.requests.at(-1)?.body)
    assert.equal(/no connection Their wiki; there is Our wiki/.test(told), ended === 'Their wiki')
  }
})

test('an agent names only connections that there are, and tools that these offer', async () => {
  const id = await connect()
  const other = await tools.app.createWorkspace()
  const stranger = await tools.app.createKey({ workspaceId: other.workspaceId, userId: other.ownerId })
  const foreign = await connect('Foreign', stranger)
  const inSandbox = await connect('Sandbox', tools.app.testKey)
  const faults = async (body: Json) => {
    const { status, body: answer } = await create(body)
    assert.equal(status, 400)
    return answer.errors.map(({ field, message }: Json) => `${field} ${message}`)
  }
  for (const unknown of [foreign, inSandbox, 'con_00000000000000000000000000']) {
    assert.deepEqual(await faults({ connectionIds: [id, unknown] }), [
      'connectionIds.1 There is no connection with this id',
    ])
  }
  assert.deepEqual(await faults({ tools: ['calculator', 'wiki_search_pages'] }), [
    'tools.1 needs a connection of wiki in connectionIds; change both lists together',
  ])
  assert.deepEqual(await faults({ tools: ['github_search_issues'], connectionIds: [id] }), [
    'tools.0 needs a connection of github in connectionIds; those that are there offer wiki_search_pages, wiki_add_comment; change both lists together',
  ])
  assert.match(
    (await faults({ tools: ['wiki_fly'], connectionIds: [id] }))[0],
    /There is no tool with this name/,
  )
  assert.equal(
    (await create({ connectionIds: Array.from({ length: 11 }, (_, at) => `con_${at}`) })).status,
    400,
  )

  const agentId = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [id] })
  const change = (body: Json) => tools.app.request('PATCH', `/agents/${agentId}`, { body })
  assert.equal((await change({ connectionIds: [] })).status, 400)
  assert.equal((await change({ tools: [], connectionIds: [] })).status, 200)
  const revisions = await tools.app.request('GET', `/agents/${agentId}/revisions/1`)
  assert.deepEqual(revisions.body.data.content.connectionIds, [id])
  assert.equal((await change({ fromRevision: 1 })).body.data.connectionIds[0], id)

  // A bound connection that has ended must not block changes to other fields, and runs continue without it.
  assert.equal((await tools.app.request('DELETE', `/integrations/${id}`)).status, 204)
  assert.equal((await change({ name: 'Renamed' })).status, 200)
  assert.match((await call(agentId, search)).told, /There is no connection of Wiki any more/)
  assert.equal(tools.requests.filter(({ url }) => url.startsWith('/api/search')).length, 0)
})

test('a caller without permission to read integrations cannot run an agent that uses them, and the error says so', async () => {
  const agentId = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [await connect()] })
  const key = await tools.app.createKey({ permissions: ['agents:run'] })
  const { status, body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
    key,
    body: { prompt: 'Go!' },
  })
  assert.equal(status, 403)
  assert.match(body.message, /integrations:read, which the agent's tool wiki_search_pages needs/)
})

test('a key that does not reach the collection of a connection does not reach the connection through an agent', async () => {
  const id = await connect()
  const [own, others] = [await createCollection(tools.app), await createCollection(tools.app)]
  const patched = await tools.app.request('PATCH', `/integrations/${id}`, {
    body: { sync: { collectionId: own } },
  })
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  const agentId = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [id] })
  const narrowed = (collectionIds: string[]) => tools.app.createKey({ collectionIds })
  assert.match((await call(agentId, search, await narrowed([others]))).told, /no connection of Wiki any more/)
  assert.deepEqual((await call(agentId, search, await narrowed([own]))).output.content, [
    { slug: 'pets', title: 'Pets' },
  ])
})

test('what the service refuses is told in words that help, and dead credentials end the connection', async () => {
  const id = await connect('Our wiki')
  const agentId = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [id] })
  const after = async (status: number, body: unknown = {}, headers = {}) => {
    tools.setAnswer((_, response) => void reply(response, status, body, headers))
    return await call(agentId, search)
  }
  assert.match((await after(403)).told, /Wiki does not allow this to the connection Our wiki/)
  assert.match((await after(404)).told, /Wiki has nothing there/)
  assert.match((await after(429, {}, { 'retry-after': '120' })).told, /asks to wait 120 seconds/)
  assert.match((await after(422, { error: 'Too vague' })).told, /answered 422: .*Too vague/)
  const long = await after(200, { text: 'x'.repeat(30_000) })
  assert.equal(long.output.content.length, 20_000)
  assert.match(long.output.note, /The result was cut: it had 30011 characters/)
  assert.match((await after(401)).told, /does not accept the credentials of the connection Our wiki any more/)
  const { body } = await tools.app.request('GET', `/integrations/${id}`)
  assert.equal(body.data.status, 'needs_reauth')
  assert.match((await after(200)).told, /needs_reauth/)
})

test('in the sandbox no service is called, and the same call has the same simulated answer', async () => {
  const key = tools.app.testKey
  const agentId = await tools.createAgent(
    { model: 'sandbox', tools: ['wiki_search_pages'], connectionIds: [await connect('Wiki', key)] },
    key,
  )
  const ask = async () => {
    const { body } = await tools.app.request('POST', `/agents/${agentId}/run`, {
      key,
      body: { prompt: 'sim:tool=wiki_search_pages({"words":"dogs"}) What is there?' },
    })
    return body.data.steps.find(({ name }: Json) => name === 'wiki_search_pages').output
  }
  const first = await ask()
  assert.deepEqual(first.content, {
    simulated: true,
    integrationId: 'wiki',
    tool: 'search_pages',
    input: { words: 'dogs' },
  })
  assert.deepEqual(await ask(), first)
  assert.equal(tools.requests.length, 0)
})

test('the list of tools names those of every integration, under names that nothing else has', async () => {
  const { body } = await tools.app.request('GET', '/agents/tools?pageSize=100')
  const names: string[] = body.data.map(({ name }: Json) => name)
  assert.equal(new Set(names).size, names.length)
  const own = body.data.filter(({ integrationId }: Json) => integrationId === 'wiki')
  assert.deepEqual(
    own.map(({ name, permission, safeToRepeat, needsApproval }: Json) => [
      ...[name, permission, safeToRepeat, needsApproval],
    ]),
    [
      ['wiki_search_pages', 'integrations:read', true, false],
      ['wiki_add_comment', 'integrations:read', false, true],
    ],
  )
})
