/** Who may speak MCP, from where and how much; and that a call ends with the one who made it. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import type { InjectOptions } from 'fastify'
import { createAgentIn } from '../testing/apps/agent-app.ts'
import { signIn } from '../testing/apps/signed-in.ts'
import { eventually } from '../testing/eventually.ts'
import { askMcp, callTool, mcpMessage, messagesOf } from '../testing/mcp/messages.ts'
import { startModelServer } from '../testing/servers/model-server.ts'
import { startTestApp, type TestApp, type TestKey } from '../testing/test-app.ts'

let app: TestApp
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_CORS_ORIGINS: 'https://inspector.example' } })
})
after(() => app.close())

const send = (options: InjectOptions) => app.app.server.inject({ method: 'POST', url: '/mcp', ...options })

test('without a key, or with a wrong one, a client learns where it finds out who gives tokens', async () => {
  for (const key of [null, 'sk_live_wrong', `${app.liveKey.key}x`]) {
    for (const isLegacy of [true, false]) {
      const reply = await askMcp(app, 'tools/list', {}, { key, isLegacy })
      assert.equal(reply.status, 401)
      assert.equal(
        reply.headers['www-authenticate'],
        'Bearer resource_metadata="http://127.0.0.1:8787/.well-known/oauth-protected-resource", scope="agents:read agents:run knowledge:read"',
      )
      assert.equal(reply.error.data.code, 'unauthenticated')
    }
  }
  const got = await send({ method: 'GET' })
  assert.equal(got.statusCode, 401)
})

test('every reply has the headers of the API, a stream of events too', async () => {
  for (const isLegacy of [true, false]) {
    const { headers } = await askMcp(app, 'tools/list', {}, { isLegacy })
    assert.match(String(headers['content-type']), isLegacy ? /^text\/event-stream/ : /^application\/json/)
    assert.match(String(headers['x-request-id']), /^req_/)
    assert.ok(Number(headers['x-ratelimit-limit']) > 0)
    assert.equal(headers['x-content-type-options'], 'nosniff')
    assert.match(String(headers['cache-control']), /no-store|no-cache/)
  }
})

test('a person’s token is taken as a key is', async () => {
  const { token } = await signIn(app, app.ownerId)
  assert.equal((await askMcp(app, 'tools/list', {}, { key: await token() })).status, 200)
})

test('a browser token does not open it, from the page’s own origin either', async () => {
  const { id } = await createAgentIn(app)
  const origin = 'http://127.0.0.1:8787'
  const body = { agentId: id, endUserId: 'ada', origins: [origin] }
  const { token } = (await app.request('POST', '/browser-tokens', { body })).body.data
  const reply = await askMcp(app, 'tools/list', {}, { key: token, headers: { origin } })
  assert.deepEqual([reply.status, reply.error.data.code], [403, 'permission_missing'])
})

test('pages of other sites are refused, key or not, unless the operator lists them', async () => {
  const refused: Record<string, string>[] = [
    { origin: 'https://evil.example' },
    { origin: 'null' },
    { origin: 'http://127.0.0.1:8787', 'sec-fetch-site': 'cross-site' },
    { 'sec-fetch-site': 'cross-site' },
    { host: 'rebound.evil.example' },
    { host: '127.0.0.1.evil.example:8787' },
    { host: 'a b' },
  ]
  for (const headers of refused) {
    const reply = await askMcp(app, 'tools/list', {}, { headers })
    assert.deepEqual(
      [reply.status, reply.error.data.code],
      [403, 'origin_forbidden'],
      JSON.stringify(headers),
    )
  }
  const taken: Record<string, string>[] = [
    { origin: 'https://inspector.example', 'sec-fetch-site': 'cross-site' },
    { origin: 'http://localhost:8787' },
    { host: 'localhost:8787' },
    { host: '[::1]:8787' },
    { host: '10.0.0.7:8787' },
    { host: 'atrium:8787' },
    { host: 'host.docker.internal:8787' },
  ]
  for (const headers of taken) {
    assert.equal((await askMcp(app, 'tools/list', {}, { headers })).status, 200, JSON.stringify(headers))
  }
})

test('a page that the operator lists may send what a client of MCP sends', async () => {
  const preflight = await send({
    method: 'OPTIONS',
    headers: { origin: 'https://inspector.example', 'access-control-request-method': 'POST' },
  })
  assert.equal(preflight.statusCode, 204)
  assert.match(String(preflight.headers['access-control-allow-headers']), /Mcp-Protocol-Version.*Mcp-Name/)
})

test('a server with a public address is asked under any name that its proxy sends', async t => {
  const other = await startTestApp({ settings: { ATRIUM_PUBLIC_URL: 'https://atrium.example' } })
  t.after(() => other.close())
  const ask = async (headers: Record<string, string>) =>
    (await askMcp(other, 'tools/list', {}, { headers })).status
  assert.equal(await ask({ host: 'backend.example' }), 200)
  assert.equal(await ask({ host: 'atrium.example', origin: 'https://atrium.example' }), 200)
  assert.equal(await ask({ host: 'atrium.example', origin: 'http://127.0.0.1:8787' }), 403)
})

test('messages come one by one, by POST, as JSON, within a size', async () => {
  const headers = { authorization: `Bearer ${app.liveKey.key}`, 'content-type': 'application/json' }
  const message = mcpMessage('ping', {}, { isLegacy: true }).body
  const codeOf = async (options: InjectOptions) => {
    const reply = await send({ headers, ...options })
    return [reply.statusCode, JSON.parse(reply.payload).error.code]
  }
  assert.deepEqual(await codeOf({ payload: [message, message] }), [400, -32_600])
  assert.deepEqual(await codeOf({ payload: 'null' }), [400, -32_600])
  assert.deepEqual(await codeOf({ payload: '{"jsonrpc"' }), [400, -32_700])
  assert.deepEqual(await codeOf({}), [400, -32_600])
  assert.deepEqual(await codeOf({ payload: `"${'x'.repeat(1_000_000)}"` }), [413, -32_000])
  const text = { ...headers, 'content-type': 'text/plain' }
  assert.deepEqual(await codeOf({ payload: 'hello', headers: text }), [415, -32_000])
  for (const method of ['GET', 'DELETE'] as const) {
    const reply = await send({ method, headers: { authorization: headers.authorization } })
    assert.deepEqual([reply.statusCode, reply.headers.allow], [405, 'POST'], method)
  }
})

test('headers that say other than the message are refused, and so are revisions and methods that are not there', async () => {
  const mismatch = await askMcp(app, 'tools/list', {}, { headers: { 'mcp-method': 'tools/call' } })
  assert.deepEqual([mismatch.status, mismatch.error.code], [400, -32_020])
  const unknown = await askMcp(app, 'prompts/list')
  assert.deepEqual([unknown.status, unknown.error.code], [404, -32_601])
  const listen = await askMcp(app, 'subscriptions/listen', { notifications: { toolsListChanged: true } })
  assert.deepEqual([listen.status, listen.error.code], [404, -32_601])
})

test('each message counts for the limit of its workspace, and a stranger’s for the address', async t => {
  const limited = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '3', ATRIUM_VISITOR_RATE: '1' } })
  t.after(() => limited.close())
  const key = await keyWithRate(limited, 4)
  const statuses = []
  for (let count = 0; count < 5; count++)
    statuses.push((await askMcp(limited, 'tools/list', {}, { key })).status)
  assert.deepEqual(statuses, [200, 200, 200, 200, 429])
  const refused = await askMcp(limited, 'tools/list', {}, { key })
  assert.equal(refused.error.data.code, 'rate_limited')
  assert.match(String(refused.headers['retry-after']), /^\d+$/)
  const strangers = []
  for (let count = 0; count < 4; count++) {
    strangers.push((await askMcp(limited, 'tools/list', {}, { key: null })).status)
  }
  assert.deepEqual(strangers, [401, 401, 401, 429])
  const foreign = { origin: 'https://evil.example' }
  assert.equal((await askMcp(limited, 'tools/list', {}, { headers: foreign })).status, 429)
})

async function keyWithRate(limited: TestApp, requestsPerMinute: number): Promise<TestKey> {
  const { workspaceId, ownerId } = await limited.createWorkspace()
  await limited.dependencies.database.write(tx =>
    tx
      .updateTable('workspaces')
      .set({ rate_limit: requestsPerMinute })
      .where('id', '=', workspaceId)
      .execute(),
  )
  return await limited.createKey({ workspaceId, userId: ownerId })
}

test('a call whose client hangs up, cancels or loses its key cancels the run, and no other call does', async t => {
  const models = await startModelServer(() => ({ kind: 'never' }))
  const other = await startTestApp({
    settings: { OPENAI_API_KEY: 'unused', OPENAI_BASE_URL: models.baseUrl, ATRIUM_DRAIN_SECONDS: '1' },
  })
  t.after(async () => {
    await other.close()
    await models.close()
  })
  const origin = await other.listen()
  const { id } = await createAgentIn(other, { name: 'Slow', model: 'openai/gpt-5' })
  const name = `ask_slow_${id.slice(-8)}`
  const statusOf = async (runId: string) => (await other.request('GET', `/runs/${runId}`)).body.data.status

  const begin = async (options: { key?: TestKey; session?: string; isLegacy?: boolean; id?: number }) => {
    const { key = other.liveKey, session, isLegacy = false, id: messageId = 1 } = options
    const known = new Set(await runIds())
    const message = mcpMessage(
      'tools/call',
      { name, arguments: { prompt: 'Wait' } },
      { isLegacy, id: messageId },
    )
    const hangUp = new AbortController()
    const headers = new Headers({ ...message.headers, authorization: `Bearer ${key.key}` })
    headers.set('content-type', 'application/json')
    if (session !== undefined) headers.set('mcp-session-id', session)
    const reply = await fetch(`${origin}/mcp`, {
      method: 'POST',
      headers,
      body: JSON.stringify(message.body),
      signal: hangUp.signal,
    })
    let runId = ''
    await eventually('the run begins', async () => {
      runId = (await runIds()).find(candidate => !known.has(candidate)) ?? ''
      return runId !== '' && (await statusOf(runId)) === 'running'
    })
    return { reply, runId, hangUp: () => hangUp.abort() }
  }
  async function runIds(): Promise<string[]> {
    return (await other.request('GET', '/runs')).body.data.map((run: { id: string }) => run.id)
  }
  const cancelled = (runId: string) =>
    eventually('the run is cancelled', async () => (await statusOf(runId)) === 'cancelled')

  for (const isLegacy of [true, false]) {
    const left = await begin({ isLegacy })
    left.hangUp()
    await cancelled(left.runId)
  }

  // Two clients of one key, whose messages have the same id.
  const [one, two] = ['one', 'two']
  const first = await begin({ isLegacy: true, session: one, id: 7 })
  const second = await begin({ isLegacy: true, session: two, id: 7 })
  const stranger = await other.createKey({ role: 'member' })
  const cancel = (key: TestKey, session: string, requestId: unknown) =>
    askMcp(
      other,
      'notifications/cancelled',
      { requestId },
      { key, isLegacy: true, id: null, headers: { 'mcp-session-id': session } },
    )
  await cancel(stranger, one, 7)
  await cancel(other.liveKey, 'three', 7)
  await cancel(other.liveKey, one, '7')
  await cancel(other.liveKey, one, 7)
  await cancelled(first.runId)
  assert.equal(await statusOf(second.runId), 'running')
  second.hangUp()
  await cancelled(second.runId)

  const key = await other.createKey()
  const revoked = await begin({ key })
  assert.equal((await other.request('POST', `/api-keys/${key.id}/revoke`)).status, 200)
  const text = await revoked.reply.text().catch(() => '')
  assert.ok(messagesOf('text/event-stream', text).every(({ result }) => result === undefined))
  await eventually('the run ends', async () => (await statusOf(revoked.runId)) !== 'running')

  // A key that may no longer read runs hears nothing more of one.
  const asked = await begin({})
  const reader = await other.createKey()
  const message = mcpMessage('tools/call', { name: 'get_answer', arguments: { runId: asked.runId } })
  const waiting = await fetch(`${origin}/mcp`, {
    method: 'POST',
    headers: {
      ...message.headers,
      authorization: `Bearer ${reader.key}`,
      'content-type': 'application/json',
    },
    body: JSON.stringify(message.body),
  })
  let isOver = false
  const heard = waiting.text().catch(() => '')
  void heard.then(() => {
    isOver = true
  })
  const body = { permissions: ['knowledge:read'] }
  assert.equal((await other.request('PATCH', `/api-keys/${reader.id}`, { body })).status, 200)
  await eventually('its call ends', () => isOver)
  assert.ok(messagesOf('text/event-stream', await heard).every(({ result }) => result === undefined))
  assert.equal(await statusOf(asked.runId), 'running')
  asked.hangUp()

  // A server that ends tells how to go on, and leaves the run to another one.
  const underWay = await begin({})
  const closed = other.app.server.close()
  const told = messagesOf('text/event-stream', await underWay.reply.text()).at(-1)
  assert.match(told.result.content[0].text, new RegExp(`get_answer.*${underWay.runId}`))
  await closed
})

test('each client that initializes gets an id of its own', async () => {
  const params = { protocolVersion: '2025-11-25', capabilities: {}, clientInfo: { name: 'x', version: '1' } }
  const initialize = () => askMcp(app, 'initialize', params, { isLegacy: true })
  const ids = [(await initialize()).headers['mcp-session-id'], (await initialize()).headers['mcp-session-id']]
  assert.match(String(ids[0]), /^[0-9a-f-]{36}$/)
  assert.notEqual(ids[0], ids[1])
  assert.deepEqual(
    await callTool(app, 'search', { query: 'ducks' }, { headers: { 'mcp-session-id': 'any' } }),
    {
      results: [],
    },
  )
})
