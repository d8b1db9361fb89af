/** Every operation, asked in every wrong way: each refusal names what it is about, in words and for programs. */
import assert from 'node:assert/strict'
import { connect } from 'node:net'
import { after, before, test } from 'node:test'
import { brotliCompressSync, deflateSync, gzipSync } from 'node:zlib'
import { newApiKey } from '../platform/crypto/tokens.ts'
import { exampleId } from '../platform/schemas.ts'
import { signIn } from '../testing/apps/signed-in.ts'
import { eventually } from '../testing/eventually.ts'
import { startTestApp, type TestApp, type TestKey } from '../testing/test-app.ts'
import { exampleUrlOf } from '../testing/walked-routes.ts'
import { usualTimes } from './connections/connections.ts'
import { exampleOf, pathNamesOf } from './missing/path-names.ts'
import { isRead, mayBeEmpty, type Route } from './route.ts'

let app: TestApp
let revoked: TestKey
let expired: TestKey
let noPermission: TestKey
let demoted: TestKey
let free: TestKey
let spent: TestKey
let keeper: TestKey
let clockMs = Date.now()

before(async () => {
  app = await startTestApp({
    clock: () => clockMs,
    adapt: dependencies => ({
      ...dependencies,
      // A body that stops is given up after 300 ms.
      connectionTimes: { ...usualTimes, checkMs: 100, bodyChecks: 3, bodyBytes: 1 },
    }),
    settings: {
      ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=1000000',
      ATRIUM_ANONYMOUS_RATE: '1000000',
      ATRIUM_PLAN_STARTER: 'requestsPerMinute=1',
    },
  })
  revoked = await app.createKey()
  expired = await app.createKey({ expiresAt: new Date(clockMs + 700_000).toISOString() })
  clockMs += 800_000
  assert.equal((await app.request('POST', `/api-keys/${revoked.id}/revoke`)).status, 200)
  noPermission = await app.createKey({ permissions: ['audit:read'] })
  demoted = await app.createKey({ role: 'owner' })
  const members = await app.request('GET', '/workspace/members?pageSize=100')
  const { userId } = demoted.caller
  const member = members.body.data.find((one: { userId: string }) => one.userId === userId)
  const change = { body: { role: 'viewer' } }
  assert.equal((await app.request('PATCH', `/workspace/members/${member.id}`, change)).status, 200)
  free = await app.createKey({ workspaceId: (await app.createWorkspace('free')).workspaceId })
  spent = await app.createKey({ workspaceId: (await app.createWorkspace('starter')).workspaceId })
  assert.equal((await app.request('GET', '/me', { key: spent })).status, 200)
  assert.equal((await app.request('GET', '/me', { key: spent })).status, 429)
  keeper = await app.createKey()
  const kept = { key: keeper, headers: { 'idempotency-key': 'kept' }, body: { name: 'Kept' } }
  assert.equal((await app.request('POST', '/agents', kept)).status, 201)
})
after(() => app.close())

let listening: Promise<string> | undefined
/** Of the app, which listens once for all tests. */
const address = (): Promise<string> => {
  listening ??= app.listen()
  return listening
}

type Wrong = {
  name: string
  status: number | readonly number[]
  isAskedAgain?: boolean
  /** Whether the operation can be asked in this way. */
  fits: (route: Route) => boolean
  ask: (route: Route) => Parameters<TestApp['request']>[2] & { method?: string; url?: string }
}

const always = () => true
const guarded = ({ permission }: Route) => permission !== 'public'
const hasJson = ({ body, upload, streamedBody, bodyLimits }: Route) =>
  body !== undefined && upload === undefined && streamedBody === undefined && bodyLimits === undefined
const json = { 'content-type': 'application/json' }
const key = () => app.liveKey

const ways: readonly Wrong[] = [
  { name: 'no key', status: 401, fits: guarded, ask: () => ({ key: null }) },
  ...(
    [
      ['Basic', { authorization: 'Basic YTpi' }],
      ['a key in X-Api-Key', { 'x-api-key': 'sk_live_x' }],
    ] as const
  ).map(
    ([name, headers]): Wrong => ({ name, status: 401, fits: guarded, ask: () => ({ key: null, headers }) }),
  ),
  {
    name: 'a key in the URL',
    status: 401,
    fits: guarded,
    ask: route => ({ key: null, url: `${exampleUrlOf(route)}?api_key=sk_live_x` }),
  },
  { name: 'an unknown key', status: 401, fits: guarded, ask: () => ({ key: newApiKey('live') }) },
  { name: 'half a key', status: 401, fits: guarded, ask: () => ({ key: app.liveKey.key.slice(0, -3) }) },
  { name: 'a revoked key', status: 401, fits: guarded, ask: () => ({ key: revoked }) },
  { name: 'an expired key', status: 401, fits: guarded, ask: () => ({ key: expired }) },
  { name: 'a key of the free plan', status: 403, fits: guarded, ask: () => ({ key: free }) },
  {
    name: 'a key without the permission',
    status: 403,
    fits: route => guarded(route) && route.permission !== 'any' && route.permission !== 'audit:read',
    ask: () => ({ key: noPermission }),
  },
  {
    name: 'a test key where only a live one may',
    status: 403,
    fits: ({ liveOnly }) => liveOnly,
    ask: () => ({ key: app.testKey }),
  },
  {
    name: 'an id of nothing',
    status: [400, 404, 412],
    fits: route =>
      guarded(route) &&
      !route.streamedBody &&
      !route.upload &&
      pathNamesOf(route).some(({ kind }) => kind === 'id'),
    ask: route => ({ body: hasJson(route) ? route.bodyExample : undefined }),
  },
  ...['123', exampleId('user')].map(
    (id): Wrong => ({
      name: `the id ${id}`,
      status: 404,
      fits: route =>
        guarded(route) &&
        !route.streamedBody &&
        !route.upload &&
        pathNamesOf(route).some(name => exampleOf(name) !== null),
      ask: route => {
        const [first] = pathNamesOf(route).filter(name => exampleOf(name) !== null)
        return { url: exampleUrlOf(route, { [first?.parameter ?? '']: id }) }
      },
    }),
  ),
  { name: 'a wrong method', status: [404, 405], fits: always, ask: () => ({ method: 'TRACE' }) },
  {
    name: 'an unknown path',
    status: 404,
    fits: guarded,
    ask: route => ({ url: `${exampleUrlOf(route)}/no/such/path` }),
  },
  {
    name: 'a body that is no JSON',
    status: 400,
    fits: route => guarded(route) && hasJson(route),
    ask: () => ({ headers: json, body: '{"a":' }),
  },
  {
    name: 'a body that is no gzip',
    status: 400,
    fits: route => guarded(route) && hasJson(route),
    ask: () => ({ headers: { ...json, 'content-encoding': 'gzip' }, body: '{"a":1}' }),
  },
  {
    name: 'an unknown coding',
    status: 415,
    fits: route => guarded(route) && hasJson(route),
    ask: () => ({ headers: { ...json, 'content-encoding': 'zstd' }, body: '{"a":1}' }),
  },
  {
    name: 'plain text',
    status: 415,
    fits: route => guarded(route) && route.body !== undefined,
    ask: () => ({ headers: { 'content-type': 'text/plain' }, body: 'x' }),
  },
  {
    name: 'too large a body',
    status: 413,
    fits: route => guarded(route) && hasJson(route),
    ask: () => ({ headers: json, body: `{"a":"${'x'.repeat(2_100_000)}"}` }),
  },
  {
    name: 'an unknown field',
    status: [400, 404],
    fits: route => guarded(route) && hasJson(route) && route.protocol === undefined,
    ask: () => ({ body: { zebra: 1 } }),
  },
  {
    name: 'an unknown parameter',
    status: [400, 404],
    fits: route => guarded(route) && route.protocol === undefined && isRead(route) && !route.body,
    ask: route => ({ url: `${exampleUrlOf(route)}?zebra=1` }),
  },
  {
    name: 'a page that is none',
    status: 400,
    fits: route => guarded(route) && route.list !== undefined,
    ask: route => ({ url: `${exampleUrlOf(route)}?page=0&pageSize=1000000` }),
  },
  {
    name: 'a type that is not answered',
    status: 406,
    fits: route => guarded(route) && !route.answersFile && route.protocol === undefined,
    ask: () => ({ headers: { accept: 'image/png' } }),
  },
  {
    name: 'an Idempotency-Key that is none',
    status: [400, 403, 406, 415],
    fits: route => guarded(route) && !isRead(route),
    ask: () => ({ headers: { 'idempotency-key': 'x'.repeat(300) } }),
  },
  {
    name: 'more requests than the plan has',
    status: 429,
    fits: guarded,
    // The first request of a new minute is let in.
    isAskedAgain: true,
    ask: () => ({ key: spent }),
  },
  {
    name: 'an Idempotency-Key of another request',
    // The parts of the request that are checked before its fingerprint is compared may be refused first.
    status: [400, 404, 415, 422],
    fits: route => guarded(route) && !isRead(route) && hasJson(route),
    ask: route => ({ key: keeper, headers: { 'idempotency-key': 'kept' }, body: route.bodyExample }),
  },
  {
    name: 'another spelling of Idempotency-Key',
    status: [400, 415],
    fits: route => guarded(route) && !isRead(route) && route.protocol === undefined,
    ask: route => ({
      headers: { 'x-idempotency-key': 'a' },
      body: hasJson(route) ? route.bodyExample : undefined,
    }),
  },
  {
    name: 'a body that no GET reads',
    status: 400,
    fits: route => guarded(route) && route.method === 'GET' && route.protocol === undefined,
    ask: () => ({ headers: json, body: '{"query":"x"}' }),
  },
  {
    name: 'JSON in another character set',
    status: 415,
    fits: route => guarded(route) && hasJson(route),
    ask: () => ({ headers: { 'content-type': 'application/json; charset=iso-8859-1' }, body: '{"a":1}' }),
  },
  {
    name: 'a body as a form of fields',
    status: 415,
    fits: route => guarded(route) && !isRead(route) && hasJson(route),
    ask: () => ({ headers: { 'content-type': 'application/x-www-form-urlencoded' }, body: 'name=x' }),
  },
  {
    name: 'a list for a body',
    status: [400, 404],
    fits: route => guarded(route) && hasJson(route),
    ask: () => ({ headers: json, body: '[{"name":"x"}]' }),
  },
  {
    name: 'no body',
    status: [400, 404],
    fits: route => guarded(route) && hasJson(route) && !mayBeEmpty(route),
    ask: () => ({}),
  },
  {
    name: 'a slash at the end',
    status: 404,
    fits: guarded,
    ask: route => ({ url: `${exampleUrlOf(route)}/` }),
  },
  {
    name: 'a form without a boundary',
    status: 400,
    fits: ({ upload }) => upload !== undefined,
    ask: () => ({ headers: { 'content-type': 'multipart/form-data' }, body: 'x' }),
  },
  {
    name: 'a form that is cut off',
    status: 400,
    fits: ({ upload }) => upload !== undefined,
    ask: () => ({
      headers: { 'content-type': 'multipart/form-data; boundary=b' },
      body: '--b\r\nContent-Disposition: form-data; name="file"; filename="a.txt"\r\n\r\nHel',
    }),
  },
]

test('no refusal of any operation leaves both errors and details empty', { timeout: 600_000 }, async t => {
  const counts: Record<string, number> = {}
  const faults: string[] = []
  for (const way of ways) {
    for (const route of app.app.routes.filter(way.fits)) {
      const { method = route.method, url = exampleUrlOf(route), ...options } = way.ask(route)
      const expected = [way.status].flat()
      const ask = () => app.request(method, url, { key: key(), ...options })
      const first = await ask()
      const isAgain = way.isAskedAgain === true && !expected.includes(first.status)
      const { status, body } = isAgain ? await ask() : first
      counts[`${status}`] = (counts[`${status}`] ?? 0) + 1
      const says = `${way.name}: ${method} ${url} answered ${status} ${JSON.stringify(body)}`
      if (!expected.includes(status)) faults.push(says)
      else if (body.errors.length === 0 && Object.keys(body.details).length === 0) faults.push(says)
      else if (route.protocol !== undefined && !namesItsFault(body.error)) faults.push(says)
    }
  }
  const total = Object.values(counts).reduce((sum, count) => sum + count, 0)
  t.diagnostic(`${app.app.routes.length} operations, ${ways.length} ways, ${total} refusals`)
  t.diagnostic(JSON.stringify(counts))
  assert.equal(faults.length, 0, `${faults.length} faults\n${faults.slice(0, 40).join('\n')}`)
  assert.ok(total > 2_000)
})

/** What the clients of another protocol read: `Validation failed` alone would say nothing. */
const namesItsFault = (error: { message?: string; code?: string; type?: string } | undefined): boolean =>
  (error?.message ?? '').length > 'Validation failed'.length &&
  error?.message !== 'Validation failed' &&
  typeof error?.code === 'string' &&
  typeof error.type === 'string'

test('an ETag of another state is a 412 that names If-Match, at each operation that takes it', async t => {
  const made = async (path: string, body: object) => {
    const reply = await app.request('POST', path, { body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.data.id as string
  }
  const ids: Record<string, string> = {
    agents: await made('/agents', { name: 'Of ETags' }),
    collections: await made('/knowledge/collections', { name: 'Of ETags' }),
    teams: await made('/workspace/teams', { name: 'Of ETags' }),
    webhooks: await made('/webhooks', { url: 'https://example.com/etags' }),
    'api-keys': await made('/api-keys', { name: 'Of ETags', permissions: ['agents:read'] }),
  }
  const changing = app.app.routes.filter(
    ({ errors, path, protocol }) =>
      errors.includes('precondition_failed') &&
      protocol === undefined &&
      /^\/[\w/-]+\/:id$/.test(path) &&
      (path.split('/').at(-2) ?? '') in ids,
  )
  t.diagnostic(changing.map(({ operationId }) => operationId).join(', '))
  assert.ok(changing.length >= 5, `only ${changing.length} operations`)
  for (const { method, path, operationId, bodyExample } of changing) {
    const url = path.replace(':id', ids[path.split('/').at(-2) ?? ''] ?? '')
    const options = method === 'DELETE' ? {} : { body: bodyExample }
    const { status, body } = await app.request(method, url, { headers: { 'if-match': '"0"' }, ...options })
    assert.equal(status, 412, `${operationId} ${JSON.stringify(body)}`)
    assert.equal(body.errors[0].field, 'If-Match', operationId)
  }
})

test('a key whose first request is still coming is a 409 that names Idempotency-Key, at every operation', async t => {
  const { hostname, port } = new URL(await address())
  const key = await app.createKey()
  const socket = connect(Number(port), hostname).on('error', () => undefined)
  t.after(() => void socket.destroy())
  socket.write(
    [
      'POST /api/v1/agents HTTP/1.1',
      'Host: atrium',
      `Authorization: Bearer ${key.key}`,
      'Idempotency-Key: coming',
      'Content-Type: application/json',
      'Content-Length: 1000000',
      '\r\n{',
    ].join('\r\n'),
  )
  const dripping = setInterval(() => socket.write(' '), 20)
  t.after(() => clearInterval(dripping))
  const isLocked = async () =>
    (await app.dependencies.database.read
      .selectFrom('idempotency')
      .select('id')
      .where('idempotency_key', '=', 'coming')
      .executeTakeFirst()) !== undefined
  await eventually('the first request has its lock', isLocked)
  const asked = app.app.routes.filter(route => guarded(route) && !isRead(route) && hasJson(route))
  assert.ok(asked.length > 60)
  for (const route of asked) {
    const headers = { 'idempotency-key': 'coming' }
    const { status, body } = await app.request(route.method, exampleUrlOf(route), {
      key,
      headers,
      body: route.bodyExample,
    })
    assert.equal(status, 409, `${route.operationId} ${JSON.stringify(body)}`)
    assert.equal(body.errors[0].field, 'Idempotency-Key', route.operationId)
  }
})

test('each refusal of /mcp says in words what is wrong, and ours hold the body of any other error', async () => {
  const accept = { accept: 'application/json, text/event-stream' }
  const ask = async (method: 'GET' | 'POST' | 'PUT' | 'PATCH' | 'DELETE', options: object) =>
    app.app.server.inject({
      method,
      url: '/mcp',
      headers: { authorization: `Bearer ${app.liveKey.key}`, ...json, ...accept },
      ...options,
    })
  const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
  const own: [number, ReturnType<typeof ask>][] = [
    [401, ask('POST', { headers: { ...json, ...accept }, payload: ping })],
    [401, ask('POST', { headers: { ...json, authorization: 'Bearer x' }, payload: ping })],
    [401, ask('POST', { headers: { ...json, 'x-api-key': 'x' }, payload: ping })],
    [403, ask('POST', { headers: { ...json, origin: 'https://evil.example' }, payload: ping })],
    [400, ask('POST', { payload: '{' })],
    [413, ask('POST', { payload: `{"a":"${'x'.repeat(1_100_000)}"}` })],
    [
      415,
      ask('POST', {
        headers: { authorization: `Bearer ${app.liveKey.key}`, 'content-type': 'text/plain' },
        payload: 'x',
      }),
    ],
    ...(['GET', 'PUT', 'PATCH', 'DELETE'] as const).map((method): [number, ReturnType<typeof ask>] => [
      405,
      ask(method, {}),
    ]),
  ]
  for (const [status, asking] of own) {
    const reply = await asking
    assert.equal(reply.statusCode, status, reply.payload)
    const { error } = reply.json()
    assert.ok(error.message.length > 20, reply.payload)
    assert.ok(error.data.errors.length > 0 || Object.keys(error.data.details).length > 0, reply.payload)
  }
  for (const payload of [
    '[]',
    '{"jsonrpc":"2.0","id":1}',
    '{"jsonrpc":"1.0","id":1,"method":"ping"}',
    '{"jsonrpc":"2.0","id":1,"method":"nothing"}',
    '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"nothing"}}',
  ]) {
    const reply = await ask('POST', { payload })
    const [, message = ''] = /"error":\{.*"message":"([^"]+)"/.exec(reply.payload) ?? []
    assert.ok(message.length >= 'Method not found'.length, reply.payload)
  }
})

test("a demoted member's key is told whose it is and which permission the role lacks", async () => {
  const { status, body } = await app.request('POST', '/agents', { key: demoted, body: { name: 'Ada' } })
  assert.equal(status, 403)
  const { userId } = demoted.caller
  assert.deepEqual(body.details, {
    needs: 'permission',
    permission: 'agents:write',
    role: 'viewer',
    userId,
  })
  assert.ok(body.message.includes(String(userId)))
})

test('a 401 says what became of the key, and shows its end', async () => {
  const reasonOf = async (options: Parameters<TestApp['request']>[2]) =>
    (await app.request('GET', '/agents', options)).body.details
  const { reason, tokenEnd, endedAt } = await reasonOf({ key: revoked })
  assert.deepEqual([reason, tokenEnd], ['revoked', revoked.key.slice(-4)])
  assert.match(endedAt, /^\d{4}-/)
  assert.equal((await reasonOf({ key: expired })).reason, 'expired')
  assert.equal((await reasonOf({ key: newApiKey('live') })).reason, 'unknown')
  assert.equal((await reasonOf({ key: 'sk_live_half' })).reason, 'malformed')
  assert.deepEqual(await reasonOf({ key: null }), { reason: 'missing' })
  const basic = { authorization: 'Basic YTpi' }
  assert.deepEqual(await reasonOf({ key: null, headers: basic }), { reason: 'wrong_scheme' })
})

test('a 401 says what became of a person’s session, and of a page’s token', async () => {
  const refusedTo = async (token: string) => {
    const headers = { authorization: `Bearer ${token}` }
    const { status, body } = await app.request('GET', '/me', { key: null, headers })
    assert.equal(status, 401)
    return body
  }
  const { userId } = (await app.createKey({ role: 'member' })).caller
  const signedIn = async (lastsMs?: number) => {
    const session = await signIn(app, String(userId), lastsMs)
    return { ...session, bearer: await session.token() }
  }
  const ended = await signedIn()
  assert.ok(await app.app.services.sessions.end(ended.userId, ended.sessionId))
  const revokedNow = await refusedTo(ended.bearer)
  assert.equal(revokedNow.details.reason, 'revoked')
  assert.match(revokedNow.message, /session that was ended: sign in again/)
  const over = await signedIn(30_000)
  const old = await signedIn()
  clockMs += 31_000
  const expiredNow = await refusedTo(over.bearer)
  assert.equal(expiredNow.details.reason, 'expired')
  assert.match(expiredNow.details.endedAt, /^\d{4}-/)
  clockMs += 600_000
  assert.equal((await refusedTo(old.bearer)).details.reason, 'expired')
  const removed = await signedIn()
  const { body: members } = await app.request('GET', '/workspace/members?pageSize=100')
  const member = members.data.find((one: { userId: string }) => one.userId === userId)
  assert.equal((await app.request('DELETE', `/workspace/members/${member.id}`)).status, 204)
  assert.equal((await refusedTo(removed.bearer)).details.reason, 'owner_gone')

  const agent = await app.request('POST', '/agents', { body: { name: 'On a page' } })
  const body = { agentId: agent.body.data.id, endUserId: 'ada', origins: ['https://example.com'] }
  const { body: page } = await app.request('POST', '/browser-tokens', { body })
  assert.equal((await app.request('DELETE', `/browser-tokens/${page.data.id}`)).status, 204)
  const { details } = await refusedTo(page.data.token)
  assert.equal(details.reason, 'revoked')
  assert.match(details.endedAt, /^\d{4}-/)
})

test('the one record of the other environment is named as such to a key of the whole workspace alone', async () => {
  const made = await app.request('POST', '/agents', { key: app.testKey, body: { name: 'In the sandbox' } })
  const { id } = made.body.data
  const whole = await app.request('GET', `/agents/${id}`)
  assert.deepEqual(whole.body.details, { resource: 'agent', id, environment: 'test' })
  const other = (await app.request('POST', '/agents', { body: { name: 'Live' } })).body.data.id
  const toOther = await app.createKey({ agentIds: [other] })
  const limited = await app.request('GET', `/agents/${id}`, { key: toOther })
  assert.deepEqual(limited.body.details, { resource: 'agent', id })
  const unread = await app.createKey({ permissions: ['agents:write'] })
  const blind = await app.request('DELETE', `/agents/${id}`, { key: unread })
  assert.deepEqual(blind.body.details, { resource: 'agent', id })
})

test('of two ids in a path, the missing one is named', async () => {
  const agentId = (await app.request('POST', '/agents', { body: { name: 'Ada' } })).body.data.id
  const [absent, schedule] = [exampleId('agent'), exampleId('schedule')]
  const both = await app.request('GET', `/agents/${absent}/schedules/${schedule}`)
  assert.deepEqual(both.body.details, { resource: 'agent', id: absent })
  const second = await app.request('GET', `/agents/${agentId}/schedules/${schedule}`)
  assert.deepEqual(second.body.details, { resource: 'schedule', id: schedule, of: agentId })
})

test('the words of other APIs, read-only fields and a needed field are all named at once', async () => {
  const agent = (await app.request('POST', '/agents', { body: { name: 'Ada' } })).body.data
  const faultsOf = async (path: string, body: object, method = 'POST') => {
    const { body: reply } = await app.request(method, path, { body })
    return Object.fromEntries(
      reply.errors.map(({ field, message }: Record<string, string>) => [field, message]),
    )
  }
  const run = await faultsOf(`/agents/${agent.id}/run`, { input: 'x', stream: true, thread_id: 'y' })
  assert.match(run.input, /did you mean `prompt`\?/)
  assert.match(run.stream, /Accept: text\/event-stream/)
  assert.match(run.thread_id, /`conversationId`/)
  assert.match(run.prompt, /is needed/)
  const { name: _, ...shown } = agent
  const change = await faultsOf(`/agents/${agent.id}`, shown, 'PATCH')
  for (const field of ['id', 'revision', 'approvals', 'createdAt']) {
    assert.match(change[field], /is read-only: leave it out/, field)
  }
  for (const [parameter, ours] of [
    ['limit', 'pageSize'],
    ['per_page', 'pageSize'],
    ['starting_after', 'after'],
    ['offset', 'page'],
  ] as const) {
    const { body } = await app.request('GET', `/agents?${parameter}=1`)
    assert.ok(body.errors[0].message.includes(`\`${ours}\``), parameter)
  }
})

test('a compressed body is read as if it had come as it is, and keeps its idempotency', async () => {
  const body = Buffer.from(JSON.stringify({ name: 'Packed' }))
  const ids = new Set<string>()
  for (const [coding, bytes] of [
    ['gzip', gzipSync(body)],
    ['deflate', deflateSync(body)],
    ['br', brotliCompressSync(body)],
    ['identity', body],
  ] as const) {
    const reply = await app.request('POST', '/agents', {
      headers: { ...json, 'content-encoding': coding, 'idempotency-key': 'packed' },
      body: bytes,
    })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    ids.add(reply.body.data.id)
  }
  assert.equal(ids.size, 1)
})

test('a small body that unpacks to a large one is a 413, and takes no memory for the rest', async () => {
  const bomb = gzipSync(Buffer.alloc(200 * 1024 * 1024, 0x20))
  const before = process.memoryUsage().arrayBuffers
  const reply = await app.request('POST', '/agents', {
    headers: { ...json, 'content-encoding': 'gzip' },
    body: bomb,
  })
  assert.equal(reply.status, 413)
  assert.equal(reply.body.details.limit, 2_097_152)
  assert.ok(process.memoryUsage().arrayBuffers - before < 50_000_000)
})

test('a form may be compressed, and its file is stored as it was before', async () => {
  const collectionId = (await app.request('POST', '/knowledge/collections', { body: { name: 'Packed' } }))
    .body.data.id
  const form = new FormData()
  form.append('collectionId', collectionId)
  form.append('file', new Blob(['The harbour opens at six.']), 'note.txt')
  const request = new Request('http://form', { method: 'POST', body: form })
  const bytes = gzipSync(Buffer.from(await request.arrayBuffer()))
  const headers = { 'content-type': request.headers.get('content-type') ?? '', 'content-encoding': 'gzip' }
  const reply = await app.request('POST', '/knowledge/documents', { headers, body: bytes })
  assert.equal(reply.status, 201, JSON.stringify(reply.body))
  assert.equal(reply.body.data.sizeBytes, 25)
})

test('a file part under another name is told the right one', async () => {
  const form = new FormData()
  form.append('document', new Blob(['x']), 'x.txt')
  const { body } = await app.request('POST', '/knowledge/documents', { form })
  const fault = body.errors.find(({ field }: { field: string }) => field === 'document')
  assert.match(fault.message, /send the file as `file`/)
})

test('a dry run of deleting a collection lists the agents that search it, and they can be changed afterwards', async () => {
  const collection = (await app.request('POST', '/knowledge/collections', { body: { name: 'Searched' } }))
    .body
  const collectionIds = [collection.data.id]
  const agent = (await app.request('POST', '/agents', { body: { name: 'Searcher', collectionIds } })).body
    .data
  const path = `/knowledge/collections/${collection.data.id}`
  const preview = await app.request('DELETE', `${path}?dryRun=true`)
  assert.deepEqual(preview.body.data.effects.at(-1), {
    effect: 'detached',
    resource: 'agent',
    count: 1,
    ids: [agent.id],
  })
  assert.equal((await app.request('DELETE', `${path}?erase=true`)).status, 204)
  const change = { description: 'Still there', collectionIds }
  assert.equal((await app.request('PATCH', `/agents/${agent.id}`, { body: change })).status, 200)
  const other = await app.request('POST', '/agents', { body: { name: 'Another', collectionIds } })
  assert.equal(other.body.errors[0].field, 'collectionIds.0')
})

test('bytes that are no request are refused with a body that says why', async () => {
  const { hostname, port } = new URL(await address())
  const talk = (bytes: string): Promise<string> =>
    new Promise((resolve, reject) => {
      let text = ''
      const socket = connect(Number(port), hostname, () => socket.write(bytes))
      socket.on('data', piece => {
        text += piece
      })
      socket.on('close', () => resolve(text))
      socket.on('error', reject)
    })
  const slow = `POST /api/v1/agents HTTP/1.1\r\nHost: a\r\nAuthorization: Bearer ${app.liveKey.key}\r\nContent-Type: application/json\r\nContent-Length: 400\r\n\r\n{`
  for (const [bytes, status, code] of [
    [slow, 408, 'request_timeout'],
    [`GET /api/v1/agents?x=${'x'.repeat(20_000)} HTTP/1.1\r\nHost: a\r\n\r\n`, 414, 'uri_too_long'],
    [`GET / HTTP/1.1\r\nHost: a\r\nX: ${'x'.repeat(20_000)}\r\n\r\n`, 431, 'headers_too_large'],
    ['GET / HTTP/1.1\r\nHost a\r\n\r\n', 400, 'malformed_request'],
  ] as const) {
    const [head = '', body = ''] = (await talk(bytes)).split('\r\n\r\n')
    assert.match(head, new RegExp(`^HTTP/1.1 ${status} `))
    const error = JSON.parse(body)
    assert.equal(error.code, code)
    assert.ok(error.errors.length > 0)
  }
})
