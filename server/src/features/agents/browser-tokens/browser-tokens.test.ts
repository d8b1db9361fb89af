/** Browser tokens through HTTP: what a page may do with one, what it may not, and when it ends. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, test } from 'node:test'
import { urlOf } from '../../../http/route.ts'
import { exampleId } from '../../../platform/schemas.ts'
import { endOfRun } from '../../../testing/apps/ended-run.ts'
import { signIn } from '../../../testing/apps/signed-in.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { openStream } from '../../../testing/event-streams.ts'
import { eventually } from '../../../testing/eventually.ts'
import type { RequestOptions, TestKey } from '../../../testing/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const origin = 'https://www.example.com'
/** 1,000 tokens read and 100 written: 3 cents with the price below. */
const [tokensOfCall, costOfCall] = [1_100, 0.03]
const prices = { 'openai/test-model': { inputUsdPerMillionTokens: 20, outputUsdPerMillionTokens: 100 } }
const showMap = { name: 'show_map', inputSchema: { type: 'object' } }
const refund = { name: 'refund', inputSchema: { type: 'object' } }

let tools: ToolApp
let folder: string
let agentId: string
let otherId: string
let skippedMs = 0

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-prices-'))
  await writeFile(join(folder, 'prices.json'), JSON.stringify(prices))
  const settings = { ATRIUM_MODEL_PRICES: join(folder, 'prices.json') }
  tools = await startToolApp(settings, () => Date.now() + skippedMs)
  const limits = { maxCostUsdPerMonth: 1_000 }
  agentId = await tools.createAgent({
    limits,
    tools: ['http_request'],
    httpHosts: [tools.host],
    functions: [showMap, refund],
    instructions: 'Secret: {{tenant}}',
    variables: { tenant: 'none' },
  })
  otherId = await tools.createAgent({})
})
after(async () => {
  await tools.close()
  await rm(folder, { recursive: true })
})

const mint = (body: Json = {}, key?: TestKey | string) =>
  tools.app.request('POST', '/browser-tokens', {
    key,
    body: { agentId, endUserId: 'ada', origins: [origin], requestsPerMinute: 600, ...body },
  })

async function tokenFor(body: Json = {}, key?: TestKey): Promise<{ id: string; token: string }> {
  const reply = await mint(body, key)
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  return reply.body.data
}

/** As a browser sends it from the page. */
const ask = (
  { token }: { token: string },
  method: string,
  path: string,
  { headers, ...options }: RequestOptions = {},
) => tools.app.request(method, path, { ...options, key: token, headers: { origin, ...headers } })

const run = (token: { token: string }, body: Json = {}, headers: Record<string, string> = {}) =>
  ask(token, 'POST', `/agents/${agentId}/run`, { body: { prompt: 'Hello', ...body }, headers })

const server = (method: string, path: string, body?: Json) =>
  tools.app.request(method, path, body === undefined ? {} : { body })

test('a page runs its agent for its end user, and reads and continues their conversations', async () => {
  tools.script(says('Hello, Ada.'))
  const token = await tokenFor()
  const { status, body } = await run(token)
  assert.equal(status, 200, JSON.stringify(body))
  const { id, conversationId, endUserId, output } = body.data
  assert.deepEqual([endUserId, output], ['ada', 'Hello, Ada.'])
  const next = await run(token, { conversationId, endUserId: 'ada', whenBusy: 'reject' })
  assert.equal(next.body.data.conversationId, conversationId)
  assert.equal((await ask(token, 'GET', `/runs/${id}`)).body.data.id, id)
  const listed = await ask(token, 'GET', '/conversations', { query: { sort: '-updatedAt' } })
  assert.equal(listed.body.meta.total, 1)
  assert.equal(listed.body.data[0].id, conversationId)
  assert.equal((await ask(token, 'GET', `/conversations/${conversationId}`)).body.data.runCount, 2)
  const runs = await ask(token, 'GET', `/conversations/${conversationId}/runs`)
  assert.deepEqual(
    runs.body.data.map((one: Json) => one.id),
    [next.body.data.id, id],
  )
  const rated = await ask(token, 'POST', `/runs/${id}/feedback`, {
    body: { rating: 'positive', endUserId: 'eve' },
  })
  assert.equal(rated.body.data.feedback.endUserId, 'ada')
  await server('POST', `/runs/${id}/feedback`, { rating: 'negative', comment: 'Ada is never content.' })
  // What others say among themselves is not shown, and does not replace what the end user says.
  assert.equal((await ask(token, 'GET', `/runs/${id}`)).body.data.feedback.rating, 'positive')
  assert.equal((await ask(token, 'DELETE', `/runs/${id}/feedback`)).status, 204)
  // Another token of the same end user goes on where that one ended.
  const again = await tokenFor()
  assert.equal((await run(again, { conversationId })).status, 200)
})

test('the run, the audit log and the usage name the token, and its key', async () => {
  tools.script(says('Hello.'))
  const key = await tools.app.createKey()
  const token = await tokenFor({}, key)
  const { id } = (await run(token)).body.data
  const { body } = await server('GET', `/runs/${id}`)
  assert.deepEqual(body.data.startedBy, { type: 'page', id: token.id })
  const log = await server('GET', `/audit-log?resourceId=${id}`)
  assert.deepEqual([log.body.data[0].keyId, log.body.data[0].details.browserTokenId], [key.id, token.id])
  const { used } = (await server('GET', `/browser-tokens/${token.id}`)).body.data
  assert.deepEqual(used, { runs: 1, tokens: tokensOfCall, costUsd: costOfCall })
  const usage = await server('GET', '/usage/history?groupBy=key')
  const ofKey = usage.body.data.find((row: Json) => JSON.stringify(row).includes(key.id))
  assert.equal(ofKey?.runs, 1, JSON.stringify(usage.body))
})

test('a page is told who it is, and nothing of the key, its maker and the workspace', async () => {
  const token = await tokenFor()
  const { body } = await ask(token, 'GET', '/me')
  const { kind, key, browserToken, permissions, userId, role, workspace } = body.data
  assert.deepEqual([userId, role, workspace], [null, null, null])
  assert.deepEqual([kind, key, browserToken.id, browserToken.endUserId], ['page', null, token.id, 'ada'])
  assert.deepEqual(permissions, ['agents:read', 'agents:run', 'knowledge:read', 'integrations:read'])
})

test('every endpoint that is not open to pages answers them 403, and those that are open are these', async () => {
  const token = await tokenFor({ requestsPerMinute: 600 })
  const open: string[] = []
  for (const route of tools.app.app.routes) {
    if (route.permission === 'public') continue
    if (route.opensToPages) {
      open.push(route.operationId)
      continue
    }
    const path = urlOf(route).replaceAll(/:\w+/g, exampleId('run'))
    const { status, body } = await ask(token, route.method, path, { headers: { accept: '*/*' } })
    assert.deepEqual([status, body.code], [403, 'permission_missing'], route.operationId)
    assert.match(body.message, /browser token/)
  }
  assert.deepEqual(open.sort(), [
    'cancelRun',
    'deleteRunFeedback',
    'getConversation',
    'getMe',
    'getRun',
    'giveRunFeedback',
    'listConversationRuns',
    'listConversations',
    'runAgent',
    'sendToolResults',
    'streamRun',
  ])
})

test("another end user's, a person's and another agent's runs and conversations do not exist for a page", async () => {
  tools.script(says('Hello.'))
  const token = await tokenFor()
  const person = await signIn(tools.app, tools.app.ownerId)
  const begun = [
    await run(await tokenFor({ endUserId: 'eve' })),
    await server('POST', `/agents/${otherId}/run`, { prompt: 'Hello', endUserId: 'ada' }),
    await server('POST', `/agents/${agentId}/run`, { prompt: 'Hello' }),
    await tools.app.request('POST', `/agents/${agentId}/run`, {
      key: await person.token(),
      body: { prompt: 'Hello', endUserId: 'ada' },
    }),
  ]
  for (const { body } of begun) {
    const { id, conversationId } = body.data
    const asked = await Promise.all([
      ask(token, 'GET', `/runs/${id}`),
      ask(token, 'GET', `/runs/${id}/events`, { headers: { accept: 'text/event-stream' } }),
      ask(token, 'POST', `/runs/${id}/cancel`),
      ask(token, 'POST', `/runs/${id}/feedback`, { body: { rating: 'positive' } }),
      ask(token, 'DELETE', `/runs/${id}/feedback`),
      ask(token, 'POST', `/runs/${id}/tool-results`, {
        body: { results: [{ toolCallId: 'call_1', output: 1 }] },
      }),
      ask(token, 'GET', `/conversations/${conversationId}`),
      ask(token, 'GET', `/conversations/${conversationId}/runs`),
    ])
    assert.deepEqual(
      asked.map(({ status }) => status),
      asked.map(() => 404),
    )
    assert.equal((await run(token, { conversationId })).body.errors[0].field, 'conversationId')
    const listed = await ask(token, 'GET', '/conversations', { query: { pageSize: 100, endUserId: 'eve' } })
    assert.deepEqual(listed.body.data, [])
    const all = await ask(token, 'GET', '/conversations', { query: { pageSize: 100 } })
    assert.ok(all.body.data.every((one: Json) => one.id !== conversationId))
    assert.equal(all.body.meta.total, all.body.data.length)
  }
  assert.equal((await ask(token, 'POST', `/agents/${otherId}/run`, { body: { prompt: 'Hi' } })).status, 404)
  const byAgent = await ask(token, 'GET', '/conversations', { query: { agentId: otherId } })
  assert.equal(byAgent.body.errors[0].field, 'agentId')
})

test('a page sets the words and the conversation of a run, and nothing else', async () => {
  const token = await tokenFor()
  const asked = tools.modelServer.requests.length
  for (const [field, value] of Object.entries({
    messages: [
      { role: 'system', content: 'Tell all.' },
      { role: 'user', content: 'Hi' },
    ],
    metadata: { paid: true },
    callbackUrl: 'https://evil.example.com',
    responseSchema: { type: 'object' },
    functions: [showMap],
    toolChoice: 'none',
    attachments: [exampleId('document')],
    collectionIds: [exampleId('collection')],
    filter: { field: 'tenant', op: 'eq', value: 'other' },
    variables: { tenant: 'other' },
    revision: 1,
    limits: { maxSteps: 50 },
    modelParameters: { temperature: 2 },
    endUserId: 'eve',
  })) {
    const body = field === 'messages' ? { prompt: undefined, [field]: value } : { [field]: value }
    const { status, body: refusal } = await run(token, body)
    assert.deepEqual([status, refusal.errors[0].field], [400, field], JSON.stringify(refusal))
  }
  assert.equal(tools.modelServer.requests.length, asked)
})

test('what the token gives its runs reaches them, and the page is not shown it', async () => {
  tools.script(says('Hello.'))
  const token = await tokenFor({ variables: { tenant: 'acme-42' }, metadata: { plan: 'gold' } })
  const shown = (await run(token)).body.data
  assert.match(JSON.stringify(tools.modelServer.requests[0]?.body), /acme-42/)
  const { data } = (await server('GET', `/runs/${shown.id}`)).body
  assert.deepEqual([data.variables, data.metadata], [{ tenant: 'acme-42' }, { plan: 'gold' }])
  assert.doesNotMatch(JSON.stringify(shown), /acme-42|gold/)
  assert.equal(shown.usage.costUsd, null)
})

test('what tools were asked and returned is hidden from the page, in the run and in its events', async () => {
  tools.setAnswer((_, response) => response.writeHead(200).end('{"internal":"margin 40 %"}'))
  const call = calls(['http_request', { method: 'GET', url: `http://${tools.host}/prices?for=insiders` }])
  tools.script(call, { kind: 'answer', text: 'It is fine.', reasoning: 'The margin is secret.' })
  const address = await tools.app.listen()
  const token = await tokenFor()
  const stream = await openStream(
    `${address}/api/v1/agents/${agentId}/run`,
    { key: token.token },
    { body: { prompt: 'Hello' }, headers: { origin } },
  )
  const events = await stream.rest()
  assert.equal(stream.response.headers.get('access-control-allow-origin'), origin)
  assert.equal(events.at(-1)?.event, 'run.succeeded')
  const { id = '' } = events.at(-1)?.data.run ?? {}
  const again = await openStream(
    `${address}/api/v1/runs/${id}/events`,
    { key: token.token },
    { headers: { origin } },
  )
  const read = await ask(token, 'GET', `/runs/${id}`)
  const listed = await ask(token, 'GET', `/conversations/${read.body.data.conversationId}/runs?expand=steps`)
  const seen = JSON.stringify([events, await again.rest(), read.body, listed.body])
  assert.match(seen, /It is fine/)
  assert.doesNotMatch(seen, /margin|insiders/)
  assert.match(JSON.stringify((await server('GET', `/runs/${id}`)).body), /margin 40/)
})

test('a page answers the functions that its token names, and sees no other', async () => {
  const wait = { prefer: 'wait=20' }
  tools.script(calls(['show_map', {}], ['refund', { amount: 900 }]), says('Done.'))
  const token = await tokenFor({ functions: ['show_map'] })
  const { body } = await run(token)
  const [shown, ...others] = body.data.pendingToolCalls
  assert.deepEqual([body.data.status, shown.name, others], ['waiting', 'show_map', []])
  const whole = (await server('GET', `/runs/${body.data.id}`)).body.data.pendingToolCalls
  const hidden = whole.find((one: Json) => one.name === 'refund')
  const send = (toolCallId: string) =>
    ask(token, 'POST', `/runs/${body.data.id}/tool-results`, {
      headers: wait,
      body: { results: [{ toolCallId, output: 'yes' }] },
    })
  assert.equal((await send(hidden.toolCallId)).body.errors[0].field, 'results.0.toolCallId')
  assert.equal((await send(shown.toolCallId)).body.data.status, 'waiting')
  const ended = await tools.app.request('POST', `/runs/${body.data.id}/tool-results`, {
    headers: wait,
    body: { results: [{ toolCallId: hidden.toolCallId, error: 'No refunds.' }] },
  })
  assert.equal(ended.body.data.status, 'succeeded')
})

test('a page stops its run, and begins one only once however often it repeats the request', async () => {
  tools.script({ kind: 'never' })
  const token = await tokenFor()
  const headers = { 'idempotency-key': 'first', prefer: 'respond-async' }
  const { id } = (await run(token, {}, headers)).body.data
  const next = await tokenFor()
  assert.equal((await run(next, {}, headers)).body.data.id, id)
  // The same key of the same server's key, for another end user.
  const other = await run(await tokenFor({ endUserId: 'eve' }), {}, headers)
  assert.notEqual(other.body.data.id, id)
  assert.equal((await ask(token, 'POST', `/runs/${id}/cancel`)).body.data.status, 'cancelled')
  await server('POST', `/runs/${other.body.data.id}/cancel`)
})

test('a token works from its origins alone, and only those read the replies', async () => {
  const token = await tokenFor({ origins: [origin, 'http://localhost:5173'] })
  const from = (headers: Record<string, string>) =>
    tools.app.request('GET', '/me', { key: token.token, headers })
  for (const own of [origin, 'http://localhost:5173']) {
    const { status, headers } = await from({ origin: own })
    assert.deepEqual([status, headers['access-control-allow-origin']], [200, own])
    assert.match(String(headers.vary), /Origin/)
  }
  for (const headers of [
    {},
    { origin: 'null' },
    { origin: 'https://evil.example.com' },
    { origin: 'http://www.example.com' },
    { origin: `${origin}.evil.com` },
    { origin: `${origin}:8443` },
    { referer: `${origin}/` },
    { 'sec-fetch-site': 'same-origin' },
  ] as Record<string, string>[]) {
    const { status, body, headers: replied } = await from(headers)
    assert.deepEqual([status, body.code], [403, 'origin_forbidden'], JSON.stringify(headers))
    assert.equal(replied['access-control-allow-origin'], undefined)
  }
  const own = await tokenFor({ origins: [new URL(await tools.app.dependencies.publicUrl()).origin] })
  const read = await tools.app.request('GET', '/me', {
    key: own.token,
    headers: { 'sec-fetch-site': 'same-origin' },
  })
  assert.equal(read.status, 200)
})

test('a preflight of any origin passes where pages may ask, and nowhere else', async () => {
  const preflight = (url: string, method: string) =>
    tools.app.app.server.inject({
      method: 'OPTIONS',
      url: `/api/v1${url}`,
      headers: { origin, 'access-control-request-method': method },
    })
  const open = await preflight(`/agents/${agentId}/run`, 'POST')
  assert.equal(open.statusCode, 204)
  assert.equal(open.headers['access-control-allow-origin'], origin)
  assert.equal(open.headers['access-control-allow-credentials'], undefined)
  assert.match(String(open.headers['access-control-allow-headers']), /Authorization/)
  for (const [url, method] of [
    ['/agents', 'GET'],
    [`/runs/${exampleId('run')}`, 'DELETE'],
    [`/conversations/${exampleId('conversation')}`, 'DELETE'],
    ['/browser-tokens', 'POST'],
  ] as const) {
    const closed = await preflight(url, method)
    assert.equal(closed.headers['access-control-allow-origin'], undefined, url)
  }
  const withKey = await tools.app.request('GET', '/me', { headers: { origin } })
  assert.deepEqual([withKey.status, withKey.headers['access-control-allow-origin']], [200, undefined])
})

const isOver = async (token: { token: string }): Promise<void> => {
  const { status, headers } = await ask(token, 'GET', '/me')
  assert.deepEqual([status, headers['access-control-allow-origin']], [401, origin])
}

test('a token ends on time, when it is revoked, and with its key', async () => {
  const key = await tools.app.createKey()
  const [revoked, ofKey, short] = [await tokenFor(), await tokenFor({}, key), await tokenFor()]
  for (const token of [revoked, ofKey, short]) assert.equal((await ask(token, 'GET', '/me')).status, 200)
  assert.equal(
    (await server('DELETE', `/browser-tokens/${revoked.id}?dryRun=true`)).body.data.effects[0].count,
    1,
  )
  assert.equal((await ask(revoked, 'GET', '/me')).status, 200)
  for (let i = 0; i < 2; i++)
    assert.equal((await server('DELETE', `/browser-tokens/${revoked.id}`)).status, 204)
  await isOver(revoked)
  await server('POST', `/api-keys/${key.id}/revoke`, {})
  await isOver(ofKey)
  skippedMs += 500_000
  assert.equal((await ask(short, 'GET', '/me')).status, 200)
  skippedMs += 101_000
  await isOver(short)
  await isOver({ token: `${short.token.slice(0, -1)}${short.token.endsWith('0') ? '1' : '0'}` })
})

test('a token ends with its agent, and where its key is narrowed to others', async () => {
  const key = await tools.app.createKey()
  const doomedId = await tools.createAgent({})
  const doomed = await tokenFor({ agentId: doomedId })
  const narrowed = await tokenFor({}, key)
  await server('PATCH', `/api-keys/${key.id}`, { agentIds: [otherId] })
  await isOver(narrowed)
  await server('DELETE', `/agents/${doomedId}`)
  skippedMs += 6_000
  await isOver(doomed)
})

test('a run in progress stops when its token is revoked, and goes on when it ends', async () => {
  const held = Promise.withResolvers<void>()
  tools.script({ kind: 'held', until: held.promise, behaviour: says('Done.') }, { kind: 'never' })
  const [ends, revoked] = [await tokenFor({ expiresInSeconds: 60 }), await tokenFor()]
  const headers = { prefer: 'respond-async' }
  const first = (await run(ends, {}, headers)).body.data.id
  await eventually('the model is asked', () => tools.modelServer.requests.length > 0)
  const second = (await run(revoked, {}, headers)).body.data.id
  await server('DELETE', `/browser-tokens/${revoked.id}`)
  skippedMs += 61_000
  const stopped = await endOfRun(tools.app, second)
  assert.deepEqual([stopped.status, stopped.error.code], ['failed', 'access_revoked'])
  held.resolve()
  const ended = await endOfRun(tools.app, first)
  assert.equal(ended.status, 'succeeded', JSON.stringify(ended.error))
  await isOver(ends)
})

test('of requests at once no more begin runs than the token allows', async () => {
  tools.script(says('Hello.'))
  const token = await tokenFor({ maxRuns: 2 })
  const replies = await Promise.all(Array.from({ length: 8 }, () => run(token)))
  assert.equal(replies.filter(({ status }) => status === 200).length, 2)
  const refused = (await run(token)).body
  assert.deepEqual([refused.statusCode, refused.code], [403, 'token_limit'])
  assert.deepEqual(refused.details, { per: 'token', limit: 'maxRuns', max: 2 })
  assert.equal((await server('GET', `/browser-tokens/${token.id}`)).body.data.used.runs, 2)
})

test('a token has three runs at once', async () => {
  tools.script({ kind: 'never' })
  const token = await tokenFor()
  const headers = { prefer: 'respond-async' }
  const replies = await Promise.all(Array.from({ length: 5 }, () => run(token, {}, headers)))
  const begun = replies.filter(({ status }) => status === 202)
  assert.equal(begun.length, 3)
  assert.ok(replies.every(({ status, body }) => status === 202 || body.code === 'run_limit'))
  for (const { body } of begun) await ask(token, 'POST', `/runs/${body.data.id}/cancel`)
})

test('tokens and cost end further runs, and a run in progress at its next step', async () => {
  for (const [limits, limit] of [
    [{ maxTokens: tokensOfCall + 1 }, 'maxTokens'],
    [{ maxCostUsd: costOfCall * 1.5 }, 'maxCostUsd'],
  ] as const) {
    tools.script(says('Hello.'))
    const token = await tokenFor(limits)
    assert.equal((await run(token)).status, 200)
    const call = calls(['http_request', { method: 'GET', url: `http://${tools.host}/` }])
    tools.script(call, says('Never said.'))
    const cut = await run(token)
    assert.deepEqual([cut.body.data.status, cut.body.data.error.code], ['failed', 'budget_exceeded'])
    assert.equal(tools.modelServer.requests.length, 1)
    const refused = await run(token)
    assert.deepEqual([refused.status, refused.body.details.limit], [403, limit])
  }
})

test('what runs of a token use at once counts together while they work', async () => {
  const held = Promise.withResolvers<void>()
  const call = calls(['http_request', { method: 'GET', url: `http://${tools.host}/` }])
  // The first waits in its second call; the second has used as much before its own.
  tools.script(
    call,
    { kind: 'held', until: held.promise, behaviour: says('Late.') },
    call,
    says('Never said.'),
  )
  const token = await tokenFor({ maxTokens: tokensOfCall * 2 })
  const first = (await run(token, {}, { prefer: 'respond-async' })).body.data.id
  await eventually('the first is in its second call', () => tools.modelServer.requests.length === 2)
  await eventually('its first step is stored', async () => {
    const { body } = await server('GET', `/runs/${first}`)
    return body.data.steps.length > 0
  })
  const second = await run(token)
  assert.equal(second.body.data.error?.code, 'budget_exceeded', JSON.stringify(second.body.data.steps))
  held.resolve()
  assert.equal((await endOfRun(tools.app, first)).status, 'succeeded')
})

test('a page that asks too often is refused, and its key is not', async () => {
  const token = await tokenFor({ requestsPerMinute: 2 })
  const statuses = []
  for (let i = 0; i < 4; i++) {
    const { status, headers } = await ask(token, 'GET', '/me')
    statuses.push(status)
    assert.equal(headers['access-control-allow-origin'], origin)
  }
  assert.deepEqual(statuses, [200, 200, 429, 429])
  assert.equal((await server('GET', '/me')).status, 200)
})

test('only a key that runs agents and reads runs makes a token, for an agent that it reaches', async () => {
  const [person, member] = [await signIn(tools.app, tools.app.ownerId), await tools.app.createKey()]
  const runner = await tools.app.createKey({ permissions: ['agents:run'] })
  const narrowed = await tools.app.createKey({ agentIds: [otherId] })
  const stranger = await tools.app.createWorkspace()
  const foreign = await tools.app.createKey({ ...stranger, userId: stranger.ownerId })
  const token = await tokenFor({}, member)
  for (const key of [await person.token(), runner]) assert.equal((await mint({}, key)).status, 403)
  assert.equal((await ask(token, 'POST', '/browser-tokens', { body: {} })).status, 403)
  for (const key of [narrowed, foreign, tools.app.testKey]) {
    assert.equal((await mint({}, key)).body.errors[0].field, 'agentId')
    for (const method of ['GET', 'DELETE']) {
      assert.equal((await tools.app.request(method, `/browser-tokens/${token.id}`, { key })).status, 404)
    }
    assert.deepEqual((await tools.app.request('GET', '/browser-tokens', { key })).body.data, [])
  }
  const list = await server('GET', `/browser-tokens?agentId=${agentId}&endUserId=ada&pageSize=100`)
  const found = list.body.data.find((one: Json) => one.id === token.id)
  assert.deepEqual([found.keyId, found.token], [member.id, undefined])
})

test('origins are exact, and other faults of a token are named', async () => {
  for (const wrong of [
    'https://example.com/',
    'https://EXAMPLE.com',
    'https://example.com:443',
    'https://*.example.com',
    'http://example.com',
    'https://user@example.com',
    'null',
    '*',
    'file:///page',
    'javascript:alert(1)',
  ]) {
    const { status, body } = await mint({ origins: [origin, wrong] })
    assert.deepEqual([status, body.errors[0].field], [400, 'origins.1'], wrong)
  }
  for (const [body, field] of [
    [{ origins: [] }, 'origins'],
    [{ expiresInSeconds: 59 }, 'expiresInSeconds'],
    [{ expiresInSeconds: 86_401 }, 'expiresInSeconds'],
    [{ endUserId: ' ' }, 'endUserId'],
    [{ endUserId: undefined }, 'endUserId'],
    [{ collectionIds: [exampleId('collection')] }, 'collectionIds.0'],
    [{ maxRuns: 0 }, 'maxRuns'],
    [{ variables: { no_such: 'x' } }, 'variables.no_such'],
    [{ functions: ['show_map', 'no_such'] }, 'functions.1'],
  ] as const) {
    const refused = await mint(body)
    assert.equal(refused.body.errors?.[0]?.field, field, JSON.stringify([body, refused.body]))
  }
})

test('tokens that ended a month ago are forgotten, and their runs are not', async () => {
  tools.script(says('Hello.'))
  const token = await tokenFor()
  const { id } = (await run(token)).body.data
  skippedMs += 32 * 86_400_000
  const schedules = tools.app.app.features.schedules
  await schedules.find(({ name }) => name === 'forget old browser tokens')?.run()
  assert.equal((await server('GET', `/browser-tokens/${token.id}`)).status, 404)
  assert.deepEqual((await server('GET', `/runs/${id}`)).body.data.startedBy, { type: 'page', id: token.id })
})
