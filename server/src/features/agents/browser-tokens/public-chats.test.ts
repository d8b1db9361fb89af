/** Public chats through HTTP: who turns one on, what an anonymous visitor gets, and what stops abuse. */
import assert from 'node:assert/strict'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { after, before, beforeEach, test } from 'node:test'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { dayMs, hourMs, minuteMs } from '../../../platform/clock.ts'
import { endOfRun } from '../../../testing/apps/ended-run.ts'
import { signIn } from '../../../testing/apps/signed-in.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import type { TestKey, TestReply } from '../../../testing/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

const origin = 'https://www.example.com'
const tokensOfCall = 1_100
const prices = { 'openai/test-model': { inputUsdPerMillionTokens: 20, outputUsdPerMillionTokens: 100 } }
const showMap = { name: 'show_map', inputSchema: { type: 'object' } }

let tools: ToolApp
let folder: string
let agentId: string
let skippedMs = 0

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'atrium-prices-'))
  await writeFile(join(folder, 'prices.json'), JSON.stringify(prices))
  const settings = {
    ATRIUM_MODEL_PRICES: join(folder, 'prices.json'),
    ATRIUM_TRUSTED_PROXIES: '127.0.0.1',
    ATRIUM_PLAN_ENTERPRISE: 'runsAtOnce=4',
  }
  tools = await startToolApp(settings, () => Date.now() + skippedMs)
})
after(async () => {
  await tools.close()
  await rm(folder, { recursive: true })
})
/** Each test has an agent of its own, and so counts of its own. */
beforeEach(async () => {
  tools.script(says('Hello.'))
  agentId = await tools.createAgent({
    functions: [showMap],
    tools: ['http_request'],
    httpHosts: [tools.host],
  })
})

const open = (body: Json = {}, key?: TestKey | string) =>
  tools.app.request('PUT', `/agents/${agentId}/public-chat`, { key, body: { origins: [origin], ...body } })

async function opened(body: Json = {}): Promise<void> {
  const { status, body: reply } = await open(body)
  assert.equal(status, 200, JSON.stringify(reply))
}

type From = { address?: string; origin?: string | null; visitor?: string; parentOrigin?: string }

/** As a page asks for it, without a key. */
const admit = ({ address = '203.0.113.7', origin: from = origin, ...body }: From = {}): Promise<TestReply> =>
  tools.app.request('POST', `/agents/${agentId}/public-chat/visitors`, {
    key: null,
    body,
    headers: withoutUndefined({ 'x-forwarded-for': address, origin: from ?? undefined }),
  })

async function visitorFrom(from: From = {}): Promise<{ token: string; visitor: string }> {
  const { status, body } = await admit(from)
  assert.equal(status, 200, JSON.stringify(body))
  return body.data
}

const ask = (token: string, method: string, path: string, body?: Json, headers: Json = {}) =>
  tools.app.request(method, path, { key: token, body, headers: { origin, ...headers } })

const run = (token: string, body: Json = {}, headers: Json = {}) =>
  ask(token, 'POST', `/agents/${agentId}/run`, { prompt: 'Hello', ...body }, headers)

const limitOf = ({ status, body }: TestReply) => [status, body.code, body.details?.per, body.details?.limit]

test('no agent is public before somebody turns it on, and none after it is turned off', async () => {
  assert.equal((await admit()).status, 404)
  await opened()
  const { token } = await visitorFrom()
  assert.equal((await run(token)).status, 200)
  tools.script({ kind: 'never' })
  const begun = (await run(token, {}, { prefer: 'respond-async' })).body.data.id
  const preview = await tools.app.request('DELETE', `/agents/${agentId}/public-chat?dryRun=true`)
  const effects = preview.body.data.effects.map((one: Json) => [one.resource, one.count])
  assert.deepEqual(effects, [
    ['public_chat', 1],
    ['browser_token', 1],
  ])
  assert.equal((await tools.app.request('DELETE', `/agents/${agentId}/public-chat`)).status, 204)
  assert.equal((await admit()).status, 404)
  assert.equal((await run(token)).status, 401)
  assert.equal((await endOfRun(tools.app, begun)).status, 'failed')
  assert.equal((await tools.app.request('GET', `/agents/${agentId}/public-chat`)).status, 404)
  const log = await tools.app.request('GET', `/audit-log?resourceId=${agentId}`)
  const actions = log.body.data.map((one: Json) => one.action)
  assert.deepEqual(actions.slice(0, 2), ['public_chat.delete', 'public_chat.set'])
})

test('to close a chat ends runs whose tokens have ended before', async () => {
  agentId = await tools.createAgent({ limits: { timeoutSeconds: 600 } })
  await opened()
  tools.script({ kind: 'never' })
  const { token } = await visitorFrom()
  skippedMs += 5 * minuteMs
  const begun = (await run(token, {}, { prefer: 'respond-async' })).body.data.id
  skippedMs += 6 * minuteMs
  assert.equal((await run(token)).status, 401)
  const preview = await tools.app.request('DELETE', `/agents/${agentId}/public-chat?dryRun=true`)
  assert.equal(preview.body.data.effects[1].count, 0)
  assert.equal((await tools.app.request('DELETE', `/agents/${agentId}/public-chat`)).status, 204)
  const { status, error } = await endOfRun(tools.app, begun)
  assert.deepEqual([status, error?.code], ['failed', 'access_revoked'])
})

test('a visitor chats, comes back to the same conversation, and sees no one else', async () => {
  await opened({ functions: ['show_map'] })
  const first = await visitorFrom()
  const begun = (await run(first.token)).body.data
  assert.match(begun.endUserId, /^visitor_[0-9a-f]{32}$/)
  const again = await visitorFrom({ visitor: first.visitor, address: '198.51.100.1' })
  assert.equal(again.visitor, first.visitor)
  const next = await run(again.token, { conversationId: begun.conversationId })
  assert.equal(next.body.data.conversationId, begun.conversationId)
  const other = await visitorFrom()
  assert.notEqual(other.visitor, first.visitor)
  for (const path of [`/runs/${begun.id}`, `/conversations/${begun.conversationId}`]) {
    assert.equal((await ask(other.token, 'GET', path)).status, 404)
  }
  // Nor by the name under which the workspace sees the visitor.
  for (const visitor of [begun.endUserId, 'ada', '']) assert.equal((await admit({ visitor })).status, 400)
  const { data } = (await tools.app.request('GET', `/runs/${begun.id}`)).body
  assert.deepEqual([data.endUserId, data.startedBy.type], [begun.endUserId, 'page'])
  const token = (await tools.app.request('GET', `/browser-tokens/${data.startedBy.id}`)).body.data
  assert.deepEqual([token.isVisitor, token.functions, token.used.runs], [true, ['show_map'], 1])
  const used = (await tools.app.request('GET', `/agents/${agentId}/public-chat`)).body.data.usedToday
  assert.deepEqual([used.runs, used.tokens], [2, tokensOfCall * 2])
})

test('only pages of the named origins get a token, in a frame only where the page around it is one', async () => {
  const own = tools.app.settings.publicUrl ?? 'http://127.0.0.1:8787'
  await opened({ origins: [origin, own] })
  for (const from of [
    { origin: null },
    { origin: 'null' },
    { origin: 'https://evil.example.com' },
    { origin: `${origin}.evil.com` },
    { origin: own, parentOrigin: 'https://evil.example.com' },
    { origin: 'https://evil.example.com', parentOrigin: origin },
  ]) {
    const { status, body, headers } = await admit(from)
    assert.deepEqual([status, body.code], [403, 'origin_forbidden'], JSON.stringify(from))
    // The page of the wrong origin may read why.
    assert.equal(headers['access-control-allow-origin'], from.origin ?? undefined)
  }
  await visitorFrom({ origin: own, parentOrigin: origin })
  const { token } = await visitorFrom()
  const elsewhere = await ask(token, 'GET', '/me', undefined, { origin: 'https://evil.example.com' })
  assert.equal(elsewhere.status, 403)
  const preflight = await tools.app.request('OPTIONS', `/agents/${agentId}/public-chat/visitors`, {
    key: null,
    headers: { origin, 'access-control-request-method': 'POST' },
  })
  assert.deepEqual([preflight.status, preflight.headers['access-control-allow-origin']], [204, origin])
})

test('a visitor has so many runs an hour with whatever tokens, and an address with whatever visitors', async () => {
  await opened({ visitorPerHour: { maxRuns: 2 }, addressPerHour: { maxRuns: 5 } })
  const one = await visitorFrom()
  assert.equal((await run(one.token)).status, 200)
  const again = await visitorFrom({ visitor: one.visitor })
  assert.equal((await run(again.token)).status, 200)
  for (const { token } of [one, again]) {
    assert.deepEqual(limitOf(await run(token)), [403, 'token_limit', 'visitor', 'maxRuns'])
  }
  // The same network: others there are other visitors.
  const others = [await visitorFrom(), await visitorFrom()]
  for (const { token } of others) await run(token)
  assert.equal((await run(others[0]?.token ?? '')).status, 200)
  assert.deepEqual(limitOf(await run(others[1]?.token ?? '')), [403, 'token_limit', 'address', 'maxRuns'])
  skippedMs += hourMs + 11 * minuteMs
  const later = await visitorFrom({ visitor: one.visitor })
  assert.equal((await run(later.token)).status, 200)
})

test('an address gets no more tokens an hour than it may begin runs; an IPv6 network of /64 is one address', async () => {
  await opened({ addressPerHour: { maxRuns: 3 } })
  for (const last of ['1', 'ffff', 'a:b:c']) await visitorFrom({ address: `2001:db8:1:2::${last}` })
  const refused = await admit({ address: '2001:db8:1:2:9::9' })
  assert.deepEqual(limitOf(refused), [403, 'token_limit', 'address', 'maxRuns'])
  await visitorFrom({ address: '2001:db8:1:3::1' })
})

test('addresses that have used up their tokens take none from the visitors of other addresses', async () => {
  await opened({ addressPerHour: { maxRuns: 1 } })
  const few = Array.from({ length: 6 }, (_, i) => `198.51.100.${i}`)
  for (let i = 0; i < 50; i++) await Promise.all(few.map(address => admit({ address })))
  await visitorFrom({ address: '192.0.2.1' })
})

test('the budget of the day holds against made-up visitors from everywhere, and is new on the next day', async () => {
  await opened({ perDay: { maxRuns: 3 } })
  const visitors = []
  for (let i = 0; i < 5; i++) visitors.push(await visitorFrom({ address: `198.51.100.${i}` }))
  const replies = await Promise.all(visitors.map(({ token }) => run(token, {}, { prefer: 'wait=30' })))
  const begun = replies.filter(({ status }) => status === 200).length
  // Visitors wait for each other where half of what runs at once is taken.
  for (const { token } of visitors.slice(0, 3 - begun)) await run(token)
  const told = (await tools.app.request('GET', `/agents/${agentId}/public-chat`)).body.data.usedToday
  assert.equal(told.runs, 3)
  for (const { token } of visitors) assert.equal((await run(token)).status, 403)
  assert.deepEqual(limitOf(await admit({ address: '192.0.2.1' })), [403, 'token_limit', 'day', 'maxRuns'])
  skippedMs += dayMs
  const { token } = await visitorFrom()
  assert.equal((await run(token)).status, 200)
})

test('tokens and cost of all visitors end further runs, and one in progress at its next step', async () => {
  for (const [perDay, limit] of [
    [{ maxTokens: tokensOfCall + 1 }, 'maxTokens'],
    [{ maxCostUsd: 0.045 }, 'maxCostUsd'],
  ] as const) {
    agentId = await tools.createAgent({ tools: ['http_request'], httpHosts: [tools.host] })
    await opened({ perDay })
    tools.script(says('Hello.'))
    assert.equal((await run((await visitorFrom()).token)).status, 200)
    tools.script(
      calls(['http_request', { method: 'GET', url: `http://${tools.host}/` }]),
      says('Never said.'),
    )
    const { token } = await visitorFrom({ address: '192.0.2.9' })
    const cut = (await run(token)).body.data
    assert.deepEqual([cut.status, cut.error.code], ['failed', 'budget_exceeded'])
    assert.deepEqual(limitOf(await run(token)), [403, 'token_limit', 'day', limit])
  }
})

test('visitors leave the workspace half of its runs at once', async () => {
  await opened()
  tools.script({ kind: 'never' })
  const tokens = []
  for (let i = 0; i < 3; i++) tokens.push((await visitorFrom()).token)
  const background = { prefer: 'respond-async' }
  const [first, second, third] = [
    await run(tokens[0] ?? '', {}, background),
    await run(tokens[1] ?? '', {}, background),
    await run(tokens[2] ?? '', {}, background),
  ]
  assert.deepEqual([first.status, second.status], [202, 202])
  assert.deepEqual([third.status, third.body.code], [429, 'run_limit'])
  tools.script(says('Hello.'))
  const ours = await tools.app.request('POST', `/agents/${agentId}/run`, { body: { prompt: 'Hello' } })
  assert.equal(ours.status, 200)
  await tools.app.request('DELETE', `/agents/${agentId}/public-chat`)
  for (const { body } of [first, second]) await endOfRun(tools.app, body.data.id)
})

test('visitors of an address share its requests a minute, and all visitors leave the workspace half of its own', async () => {
  await opened()
  const tokens = [await visitorFrom(), await visitorFrom()].map(({ token }) => token)
  const statuses = new Map<number, number>()
  const look = async (token: string, key?: TestKey) => {
    const { status } = await ask(key?.key ?? token, 'GET', '/me', undefined, {
      'x-forwarded-for': '203.0.113.7',
    })
    statuses.set(status, (statuses.get(status) ?? 0) + 1)
    return status
  }
  for (let i = 0; i < 130; i++) await look(tokens[i % 2] ?? '')
  assert.deepEqual(Object.fromEntries(statuses), { 200: 120, 429: 10 })

  const small = await tools.app.createWorkspace('starter')
  const key = await tools.app.createKey({ ...small, userId: small.ownerId })
  agentId = await tools.createAgent({}, key)
  assert.equal((await open({}, key)).status, 200)
  const { token } = await visitorFrom()
  statuses.clear()
  for (let i = 0; i < 60; i++) await look(token)
  assert.deepEqual(Object.fromEntries(statuses), { 200: 50, 429: 10 })
  assert.equal(await look('', key), 200)
})

test('a key answers for the visitors: it names itself, a person names one, and it ends with that', async () => {
  const key = await tools.app.createKey()
  const [person, member] = [
    await signIn(tools.app, tools.app.ownerId),
    await tools.app.createKey({ role: 'member' }),
  ]
  assert.equal((await open({}, await person.token())).body.errors[0].field, 'keyId')
  assert.equal((await open({}, member)).status, 403)
  const reader = await tools.app.createKey({ permissions: ['agents:write', 'agents:read'] })
  assert.equal((await open({}, reader)).status, 403)
  const stranger = await tools.app.createWorkspace()
  const foreign = await tools.app.createKey({ ...stranger, userId: stranger.ownerId })
  const narrowed = await tools.app.createKey({ agentIds: [await tools.createAgent({})] })
  for (const keyId of [foreign.id, narrowed.id, reader.id, tools.app.testKey.id]) {
    const { status, body } = await open({ keyId }, await person.token())
    assert.deepEqual([status, body.errors[0].field], [400, 'keyId'])
  }
  assert.equal((await open({ keyId: tools.app.liveKey.id }, key)).body.errors[0].field, 'keyId')
  assert.equal((await open({}, foreign)).status, 404)
  assert.equal((await open({}, tools.app.testKey)).status, 404)
  const made = await open({ keyId: key.id }, await person.token())
  assert.equal(made.body.data.keyId, key.id, JSON.stringify(made.body))
  const { token } = await visitorFrom()
  await tools.app.request('POST', `/api-keys/${key.id}/revoke`)
  assert.equal((await run(token)).status, 401)
  assert.equal((await admit()).status, 404)
})

test('what cannot hold is refused where it is set, and a change is told from an older one', async () => {
  for (const [body, field] of [
    [{ origins: ['https://*.example.com'] }, 'origins.0'],
    [{ origins: [] }, 'origins'],
    [{ functions: ['no_such'] }, 'functions.0'],
    [{ perDay: { maxRuns: 0 } }, 'perDay.maxRuns'],
    [{ perDay: { maxruns: 5 } }, 'perDay.maxruns'],
    [{ variables: { a: 'b' } }, 'variables'],
  ] as const) {
    assert.equal((await open(body)).body.errors?.[0]?.field, field, JSON.stringify(body))
  }
  const asks = await tools.createAgent({ instructions: 'For {{tenant}}', variables: { tenant: null } })
  const needy = await tools.app.request('PUT', `/agents/${asks}/public-chat`, { body: { origins: [origin] } })
  assert.equal(needy.status, 400)
  const { etag } = (await open()).headers
  await opened({ perDay: { maxRuns: 7 } })
  const stale = await tools.app.request('PUT', `/agents/${agentId}/public-chat`, {
    body: { origins: [origin] },
    headers: { 'if-match': String(etag) },
  })
  assert.equal(stale.status, 412)
})

test('tokens by which a visitor asked nothing are forgotten once they no longer count', async () => {
  await opened()
  const [used, unused] = [await visitorFrom(), await visitorFrom()]
  await run(used.token)
  const count = async () =>
    (await tools.app.request('GET', `/browser-tokens?agentId=${agentId}`)).body.meta.total
  assert.equal(await count(), 2)
  skippedMs += hourMs + 11 * minuteMs
  const { schedules } = tools.app.app.features
  await schedules.find(({ name }) => name === 'forget old browser tokens')?.run()
  assert.equal(await count(), 1)
  assert.equal((await run(unused.token)).status, 401)
})

test('the tokens that keys made are listed apart from those of visitors', async () => {
  await opened()
  const body = { agentId, endUserId: 'ada', origins: [origin] }
  const { id } = (await tools.app.request('POST', '/browser-tokens', { body })).body.data
  for (let i = 0; i < 3; i++) await visitorFrom()
  const list = async (query: string) => {
    const { data, meta } = (await tools.app.request('GET', `/browser-tokens?agentId=${agentId}${query}`)).body
    return [meta.total, data.map((one: Json) => one.id).includes(id)]
  }
  assert.deepEqual(await list(''), [4, true])
  assert.deepEqual(await list('&isVisitor=false'), [1, true])
  assert.deepEqual(await list('&isVisitor=true'), [3, false])
})

test('the sandbox has public chats of its own, which reach no model', async () => {
  const id = await tools.createAgent({}, tools.app.testKey)
  agentId = id
  assert.equal((await open({}, tools.app.testKey)).status, 200)
  const asked = tools.modelServer.requests.length
  const { status, body } = await run((await visitorFrom()).token)
  assert.deepEqual([status, body.data.status], [200, 'succeeded'])
  assert.equal(tools.modelServer.requests.length, asked)
})

test("a page's feedback and the workspace's are two: neither replaces the other", async () => {
  await opened()
  const { token } = await visitorFrom()
  const { id } = (await run(token)).body.data
  const path = `/runs/${id}/feedback`
  const whole = async () => (await tools.app.request('GET', `/runs/${id}`)).body.data
  await ask(token, 'POST', path, { rating: 'positive' })
  assert.equal((await whole()).feedback.rating, 'positive')
  await tools.app.request('POST', path, { body: { rating: 'negative', comment: 'It is wrong.' } })
  await ask(token, 'POST', path, { rating: 'positive', comment: 'I like it.' })
  const { feedback, endUserFeedback } = await whole()
  assert.deepEqual(
    [feedback.rating, feedback.comment, feedback.endUserId],
    ['negative', 'It is wrong.', null],
  )
  assert.deepEqual([endUserFeedback.rating, endUserFeedback.comment], ['positive', 'I like it.'])
  const shown = (await ask(token, 'GET', `/runs/${id}`)).body.data
  assert.deepEqual([shown.feedback, shown.endUserFeedback], [endUserFeedback, endUserFeedback])
  assert.equal((await ask(token, 'DELETE', path)).status, 204)
  assert.deepEqual((await whole()).feedback, feedback)
  assert.equal((await whole()).endUserFeedback, null)
  await ask(token, 'POST', path, { rating: 'positive' })
  await tools.app.request('DELETE', path)
  assert.equal((await whole()).feedback.rating, 'positive')
})
