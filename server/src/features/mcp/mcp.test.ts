/** What clients of MCP find and get: by either revision, each within what its key may reach. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type AgentSetting, createAgentIn, startAgentApp } from '../../testing/apps/agent-app.ts'
import { signIn } from '../../testing/apps/signed-in.ts'
import { join, keepKnowledge, keepTo } from '../../testing/apps/team-access.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { askMcp, callTool, refusedTool, toolNames } from '../../testing/mcp/messages.ts'
import type { TestApp } from '../../testing/test-app.ts'

let setting: AgentSetting
let app: TestApp
let agentId: string
let askDucks: string
before(async () => {
  setting = await startAgentApp()
  app = setting.app
  const agent = await createAgentIn(app, {
    name: 'Ducks & Geese: règles',
    description: 'Knows the rules of the pond.',
    model: 'extractive',
    tools: ['search_knowledge'],
  })
  agentId = agent.id
  askDucks = `ask_ducks_geese_regles_${agentId.slice(-8)}`
})
after(() => setting.close())

const fixed = ['search', 'fetch', 'list_collections', 'get_answer']

test('both revisions offer the same tools in the same order', async () => {
  const newest = await askMcp(app, 'tools/list')
  const before = await askMcp(app, 'tools/list', {}, { isLegacy: true })
  assert.deepEqual(
    newest.result.tools.map(({ name }: { name: string }) => name),
    [...fixed, askDucks],
  )
  assert.deepEqual(newest.result.tools, before.result.tools)
  assert.deepEqual([newest.result.ttlMs, newest.result.cacheScope], [60_000, 'private'])
  for (const { inputSchema, outputSchema, annotations } of newest.result.tools) {
    assert.equal(inputSchema.type, 'object')
    assert.equal(outputSchema.type, 'object')
    assert.equal(typeof annotations.readOnlyHint, 'boolean')
    assert.equal(annotations.openWorldHint, false)
  }
})

test('a client that begins with initialize, and one that discovers, learn what the server can do', async () => {
  const client = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const initialized = await askMcp(app, 'initialize', client, { isLegacy: true })
  assert.equal(initialized.result.protocolVersion, '2025-11-25')
  assert.deepEqual(Object.keys(initialized.result.capabilities), ['tools', 'resources'])
  const discovered = await askMcp(app, 'server/discover')
  assert.equal(discovered.status, 200)
  assert.ok(discovered.result.supportedVersions.includes('2026-07-28'))
})

test('search and fetch answer what the connectors of ChatGPT ask for, and nothing else', async () => {
  const { results, ...rest } = await callTool(app, 'search', { query: 'may ducks enter' })
  assert.deepEqual(rest, {})
  const [found] = results
  assert.deepEqual(Object.keys(found).sort(), ['id', 'title', 'url'])
  const document = await callTool(app, 'fetch', { id: found.id })
  assert.deepEqual(Object.keys(document).sort(), ['id', 'metadata', 'text', 'title', 'url'])
  assert.equal(document.id, found.id)
  assert.equal(document.url, found.url)
  assert.match(document.text, /Ducks may enter 🦆 freely/)
  assert.equal(document.url, `http://127.0.0.1:8787/knowledge/documents/${found.id}`)
})

test('a long document is read part by part, and search names the part in which the passage lies', async () => {
  const collectionId = await createCollection(app, app.liveKey, 'Long')
  const filler = 'Nothing of note is written in this line.\n\n'.repeat(1_600)
  const content = `${filler}The zeppelin lands at dawn.\n\n${'\u0001"\\'.repeat(3_000)}`
  const { id } = await uploadAndWait(app, { collectionId, name: 'long.txt', content, key: app.liveKey })
  const { results } = await callTool(app, 'search', { query: 'zeppelin' })
  assert.deepEqual(
    results.map((result: { id: string }) => result.id),
    [`${id}:2`],
  )
  const first = await callTool(app, 'fetch', { id })
  assert.equal(first.metadata.next, `${id}:2`)
  const second = await callTool(app, 'fetch', { id: `${id}:2` })
  assert.match(second.text, /zeppelin/)
  assert.equal(second.metadata.next, undefined)
  const whole = await app.request('GET', `/knowledge/documents/${id}/content?from=0&to=90000`)
  assert.equal((first.text + second.text).length, whole.body.data.text.length)
  assert.match(await refusedTool(app, 'fetch', { id: `${id}:3` }), /has 2 parts/)
})

test('an agent answers with citations that fetch reads on', async () => {
  const answer = await callTool(app, askDucks, { prompt: 'May ducks enter?' })
  assert.match(answer.answer, /\[1\]/)
  const [citation] = answer.citations
  assert.equal(citation.marker, '[1]')
  const document = await callTool(app, 'fetch', { id: citation.id })
  assert.ok(document.text.includes(citation.quote))
  assert.deepEqual(await callTool(app, 'get_answer', { runId: answer.runId }), answer)
  const next = await callTool(app, askDucks, { prompt: 'And geese?', conversationId: answer.conversationId })
  assert.equal(next.conversationId, answer.conversationId)
  const { body } = await app.request('GET', '/audit-log?action=run.create')
  assert.ok(body.data.some(({ resourceId }: { resourceId: string }) => resourceId === answer.runId))
})

test('a client that asks for progress hears of the steps before the answer', async () => {
  for (const isLegacy of [true, false]) {
    const { result, notifications } = await askMcp(
      app,
      'tools/call',
      { name: askDucks, arguments: { prompt: 'May ducks enter?' }, _meta: { progressToken: 'p1' } },
      { isLegacy },
    )
    assert.notEqual(result.isError, true)
    const steps = notifications.filter(({ method }) => method === 'notifications/progress')
    assert.ok(steps.length >= 2, JSON.stringify(notifications))
    assert.deepEqual(
      steps.map(({ params }) => params.progress),
      steps.map((_, index) => index + 1),
    )
    assert.ok(steps.every(({ params }) => params.progressToken === 'p1'))
  }
})

test('an agent keeps its tool under its old name once it is called otherwise', async () => {
  const { id } = await createAgentIn(app, { name: '編集者', model: 'extractive' })
  const before = `ask_${id.slice(-8)}`
  assert.ok((await toolNames(app)).includes(before))
  await app.request('PATCH', `/agents/${id}`, { body: { name: 'Editor' } })
  assert.ok((await toolNames(app)).includes(`ask_editor_${id.slice(-8)}`))
  assert.equal(typeof (await callTool(app, before, { prompt: 'Hello' })).answer, 'string')
  await app.request('PATCH', `/agents/${id}`, { body: { status: 'paused' } })
  assert.ok(!(await toolNames(app)).some(name => name.endsWith(id.slice(-8))))
  assert.equal(
    (await askMcp(app, 'tools/call', { name: before, arguments: { prompt: 'Hi' } })).error.code,
    -32_602,
  )
})

test('an agent is offered as it runs, and not as its draft is', async () => {
  const { id } = await createAgentIn(app, {
    name: 'Poster',
    model: 'extractive',
    tools: ['http_request'],
    httpHosts: ['api.example.com'],
  })
  const draft = {
    name: 'Secret project',
    description: 'Nothing is known of it',
    tools: ['search_knowledge'],
    variables: { tenant: null },
    publish: false,
  }
  assert.equal((await app.request('PATCH', `/agents/${id}`, { body: draft })).status, 200)
  const { result } = await askMcp(app, 'tools/list')
  const tool = result.tools.find(({ name }: { name: string }) => name.endsWith(id.slice(-8)))
  assert.deepEqual(
    [tool.name, tool.description.split('\n')[0], tool.annotations.destructiveHint],
    [`ask_poster_${id.slice(-8)}`, 'Asks the agent Poster.', true],
  )
  assert.equal(tool.inputSchema.properties.variables, undefined)
  assert.equal(typeof (await callTool(app, tool.name, { prompt: 'May ducks enter?' })).answer, 'string')
  await app.request('DELETE', `/agents/${id}`)
})

test('the variables of an agent are arguments of its tool', async () => {
  const { id } = await createAgentIn(app, {
    name: 'Greeter',
    model: 'extractive',
    instructions: 'Greet {{customer}} in {{language}}.',
    variables: { customer: null, language: 'English' },
  })
  const name = `ask_greeter_${id.slice(-8)}`
  const { result } = await askMcp(app, 'tools/list')
  const tool = result.tools.find((tool: { name: string }) => tool.name === name)
  assert.deepEqual(tool.inputSchema.properties.variables.required, ['customer'])
  assert.match(await refusedTool(app, name, { prompt: 'Hi' }), /variables\.customer is required/)
  await callTool(app, name, { prompt: 'Hi', variables: { customer: 'Ada' } })
})

test('a model is told what is wrong with its arguments, all at once', async () => {
  const told = await refusedTool(app, 'search', { query: ' ', limit: 3 })
  assert.match(told, /query/)
  assert.match(told, /limit/)
  assert.match(await refusedTool(app, 'search', { query: 'a\0b' }), /query/)
  assert.match(await refusedTool(app, 'fetch', { id: 'nothing' }), /no document/)
  assert.match(await refusedTool(app, askDucks, { prompt: 'Hi', conversationId: 'x' }), /conversationId/)
  const unknown = await askMcp(app, 'tools/call', { name: 'toString', arguments: {} })
  assert.equal(unknown.error.code, -32_602)
})

test('documents are resources: listed in pages, read by their address', async () => {
  const listed = await askMcp(app, 'resources/list')
  const ducks = listed.result.resources.find(({ name }: { name: string }) => name === 'ducks.md')
  const read = await askMcp(app, 'resources/read', { uri: ducks.uri })
  assert.match(read.result.contents[0].text, /Geese pay two euros/)
  assert.deepEqual([read.result.ttlMs, read.result.cacheScope], [0, 'private'])
  for (const uri of ['atrium://documents/doc_01kajz4v7qf3x8m2c9t5b6n0rw', 'file:///etc/passwd']) {
    const { error } = await askMcp(app, 'resources/read', { uri })
    assert.equal(error.code, -32_602, uri)
  }
  for (const method of ['resources/list', 'tools/list']) {
    const { error } = await askMcp(app, method, { cursor: "' OR 1=1\0" })
    assert.equal(error.code, -32_602)
  }
})

test('more agents than a page holds are listed in pages, each once', async () => {
  const other = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: other.workspaceId, userId: other.ownerId })
  for (let index = 0; index < 101; index++) await createAgentIn(app, { name: 'Twin' }, key)
  const first = await askMcp(app, 'tools/list', {}, { key })
  const second = await askMcp(app, 'tools/list', { cursor: first.result.nextCursor }, { key })
  const names = [...first.result.tools, ...second.result.tools].map(({ name }) => name)
  assert.equal(new Set(names).size, fixed.length + 101)
  assert.equal(names.length, fixed.length + 101)
  assert.ok(names.every(name => /^[a-zA-Z0-9_-]{1,64}$/.test(name)))
  assert.equal(second.result.nextCursor, undefined)
})

test('a key finds the tools of its permissions, and others do not exist for it', async () => {
  const only = (permissions: ('agents:read' | 'agents:run' | 'knowledge:read' | 'usage:read')[]) =>
    app.createKey({ permissions })
  assert.deepEqual(await toolNames(app, { key: await only(['knowledge:read']) }), fixed.slice(0, 3))
  assert.deepEqual(await toolNames(app, { key: await only(['usage:read']) }), [])
  assert.deepEqual(await toolNames(app, { key: await only(['agents:run']) }), [])
  assert.deepEqual(await toolNames(app, { key: await only(['agents:read']) }), [])
  const runner = await only(['agents:read', 'agents:run'])
  assert.ok((await toolNames(app, { key: runner })).includes(askDucks))
  for (const name of ['search', 'fetch', 'list_collections']) {
    const { error } = await askMcp(
      app,
      'tools/call',
      { name, arguments: { query: 'ducks' } },
      { key: runner },
    )
    assert.equal(error.code, -32_602, name)
  }
  assert.deepEqual((await askMcp(app, 'resources/list', {}, { key: runner })).result.resources, [])
})

test('a viewer finds the agents that viewers may run, and asks them in conversations of their own', async () => {
  const { key } = await join(app, { role: 'viewer' })
  const viewer = await signIn(app, key.caller.userId)
  const options = { key: await viewer.token() }
  const { id } = await createAgentIn(app, { name: 'Porter', model: 'extractive', viewersMayRun: true })
  const porter = `ask_porter_${id.slice(-8)}`
  assert.deepEqual(await toolNames(app, options), [...fixed, porter])
  const { runId } = await callTool(app, porter, { prompt: 'Hello' }, options)
  assert.equal((await callTool(app, 'get_answer', { runId }, options)).runId, runId)
  assert.equal(await refusedTool(app, 'get_answer', { runId }), `There is no run ${runId}`)
  const closed = await askMcp(app, 'tools/call', { name: askDucks, arguments: { prompt: 'Hi' } }, options)
  assert.equal(closed.error.code, -32_602)
})

test('an agent whose tools may change something elsewhere says so', async () => {
  const { id } = await createAgentIn(app, {
    name: 'Courier',
    model: 'extractive',
    tools: ['search_knowledge', 'http_request'],
    httpHosts: ['api.example.com'],
  })
  const calling = await createAgentIn(app, { name: 'Boss', tools: ['call_agent'], agentIds: [id] })
  const functions = [{ name: 'refund', description: 'Pays back.', inputSchema: { type: 'object' } }]
  const asking = await createAgentIn(app, { name: 'Till', tools: [], functions })
  const { result } = await askMcp(app, 'tools/list')
  const hintsOf = (end: string) =>
    result.tools.find(({ name }: { name: string }) => name.endsWith(end)).annotations
  for (const one of [id, calling.id, asking.id]) {
    assert.partialDeepStrictEqual(hintsOf(one.slice(-8)), { readOnlyHint: false, destructiveHint: true })
  }
  assert.partialDeepStrictEqual(hintsOf(agentId.slice(-8)), { readOnlyHint: false, destructiveHint: false })
})

test('what another workspace, the other environment or a narrowed key reaches not is not there', async () => {
  const other = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId: other.workspaceId, userId: other.ownerId })
  const elsewhere = await createCollection(app, app.liveKey, 'Elsewhere')
  const narrowed = await app.createKey({ collectionIds: [elsewhere], agentIds: [] })
  const { results } = await callTool(app, 'search', { query: 'ducks' })
  const { id } = results[0]
  const { runId } = await callTool(app, askDucks, { prompt: 'May ducks enter?' })
  for (const key of [stranger, app.testKey, narrowed]) {
    assert.deepEqual(await callTool(app, 'search', { query: 'ducks' }, { key }), { results: [] })
    assert.match(await refusedTool(app, 'fetch', { id }, { key }), /no document/)
    assert.ok(!(await toolNames(app, { key })).includes(askDucks))
    const asked = await askMcp(app, 'tools/call', { name: askDucks, arguments: { prompt: 'Hi' } }, { key })
    assert.equal(asked.error.code, -32_602)
    assert.equal(await refusedTool(app, 'get_answer', { runId }, { key }), `There is no run ${runId}`)
    const uri = `atrium://documents/${id}`
    assert.equal((await askMcp(app, 'resources/read', { uri }, { key })).error.code, -32_602)
    assert.deepEqual((await askMcp(app, 'resources/list', {}, { key })).result.resources, [])
  }
})

test('a key that is narrowed to a filter finds what matches, and no list of collections', async () => {
  const collectionId = await createCollection(app, app.liveKey, 'Tenants')
  for (const tenant of ['acme', 'umbrella']) {
    const content = `The quokka of ${tenant} sleeps.`
    const { id } = await uploadAndWait(app, {
      collectionId,
      name: `${tenant}.txt`,
      content,
      key: app.liveKey,
    })
    await app.request('PATCH', `/knowledge/documents/${id}`, { body: { metadata: { tenant } } })
  }
  const made = await app.request('POST', '/api-keys', {
    body: {
      name: 'Acme',
      permissions: ['knowledge:read'],
      filter: { field: 'tenant', op: 'eq', value: 'acme' },
    },
  })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  const { key } = made.body.data
  assert.deepEqual(await toolNames(app, { key }), ['search', 'fetch'])
  const { results } = await callTool(app, 'search', { query: 'quokka' }, { key })
  assert.deepEqual(
    results.map(({ title }: { title: string }) => title),
    ['acme.txt'],
  )
  const all = await callTool(app, 'search', { query: 'quokka' })
  const hidden = all.results.find(({ title }: { title: string }) => title === 'umbrella.txt')
  assert.match(await refusedTool(app, 'fetch', { id: hidden.id }, { key }), /no document/)
  const { result } = await askMcp(app, 'resources/list', {}, { key })
  assert.deepEqual(
    result.resources.map(({ name }: { name: string }) => name),
    ['acme.txt'],
  )
})

test('what is kept to a team is not there for others', async () => {
  const { kept, insider, outsider, teamId } = await keepKnowledge(app)
  const secret = await createAgentIn(app, { name: 'Guard', model: 'extractive' })
  await keepTo(app, `/agents/${secret.id}`, [teamId])
  const guard = `ask_guard_${secret.id.slice(-8)}`
  const seen = async (key: typeof insider.key) => ({
    found: (await callTool(app, 'search', { query: 'xyzzy' }, { key })).results.length,
    agent: (await toolNames(app, { key })).includes(guard),
    collection: (await callTool(app, 'list_collections', {}, { key })).collections.some(
      ({ id }: { id: string }) => id === kept.collectionId,
    ),
  })
  assert.deepEqual(await seen(insider.key), { found: 1, agent: true, collection: true })
  assert.deepEqual(await seen(outsider.key), { found: 0, agent: false, collection: false })
  assert.match(await refusedTool(app, 'fetch', { id: kept.documentId }, { key: outsider.key }), /no document/)
})

test('a call that waits for a person says who decides where, and how to go on', async () => {
  const { id } = await createAgentIn(
    app,
    { name: 'Careful', tools: ['calculator'], approvalTools: ['calculator'] },
    app.testKey,
  )
  const key = app.testKey
  const name = `ask_careful_${id.slice(-8)}`
  const prompt = 'sim:tool=calculator({"expression": "1+1"}) How much is it?'
  const told = await refusedTool(app, name, { prompt }, { key })
  const runId = /"runId": "(run_\w+)"/.exec(told)?.[1] ?? ''
  assert.match(told, /calculator.*\/runs\/run_\w+\?environment=test/)
  assert.match(await refusedTool(app, 'get_answer', { runId }, { key }), /calculator/)
  const run = await app.request('GET', `/runs/${runId}`, { key })
  const [{ toolCallId }] = run.body.data.pendingApprovals
  const decided = await app.request('POST', `/runs/${runId}/approvals`, {
    key,
    body: { decisions: [{ toolCallId, decision: 'approve' }] },
  })
  assert.ok(decided.status < 300, JSON.stringify(decided.body))
  assert.equal((await callTool(app, 'get_answer', { runId }, { key })).runId, runId)
})
