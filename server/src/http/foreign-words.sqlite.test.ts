/** Slips, and the words of other APIs: each is refused by a reply that names the remedy; none is ignored. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { startTestApp, type TestApp } from '../testing/test-app.ts'

// Nothing here changes what the server holds.
let app: TestApp
let agentId: string
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_ANONYMOUS_RATE: '100000' } })
  agentId = (await app.request('POST', '/agents', { body: { name: 'Ada' } })).body.data.id
})
after(() => app.close())

type Ask = { method?: string; path: string; body?: unknown; headers?: Record<string, string> }

/** The fault of the field; the message of the reply without a field. */
async function told({ method = 'POST', path, body, headers }: Ask, field?: string): Promise<string> {
  const { status, body: reply } = await app.request(method, path, { body, headers })
  assert.ok(status >= 400 && status < 500, `${method} ${path} answered ${status}`)
  if (field === undefined) return reply.message
  const fault = reply.errors.find((one: { field: string }) => one.field === field)
  return fault?.message ?? `no fault of ${field}: ${JSON.stringify(reply)}`
}

test('the words of other APIs in the body of a run are told by our names or in our way', async () => {
  for (const [word, remedy] of [
    ['max_tokens', /`limits\.maxOutputTokens`/],
    ['max_completion_tokens', /`limits\.maxOutputTokens`/],
    ['temperature', /`modelParameters\.temperature`/],
    ['stop', /`modelParameters\.stop`/],
    ['reasoning_effort', /`modelParameters\.reasoningEffort`/],
    ['assistant_id', /in the path/],
    ['instructions', /PATCH \/agents\/\{id\}/],
    ['vector_store_ids', /`collectionIds`/],
    ['inputs', /`variables`/],
    ['query', /`prompt`/],
    ['conversation_id', /`conversationId`/],
    ['response_mode', /text\/event-stream/],
    ['user', /`endUserId`/],
    ['history', /`messages`/],
    ['document_ids', /`attachments`/],
    ['prefer', /header Prefer/],
    ['idempotencyKey', /header Idempotency-Key/],
    ['promts', /`prompt`/],
    ['zebra', /there are prompt, messages, conversationId, .*modelParameters$/],
  ] as const) {
    const body = { prompt: 'x', [word]: 'x' }
    assert.match(await told({ path: `/agents/${agentId}/run`, body }, word), remedy, word)
  }
  const nested = { prompt: 'x', limits: { timeout: 3, max_steps: 2 }, modelParameters: { maxTokens: 1 } }
  const { body } = await app.request('POST', `/agents/${agentId}/run`, { body: nested })
  assert.deepEqual(
    body.errors.map(({ field, message }: { field: string; message: string }) => [
      field,
      /`(.*)`/.exec(message)?.[1],
    ]),
    [
      ['limits.timeout', 'limits.timeoutSeconds'],
      ['limits.max_steps', 'maxSteps'],
      ['modelParameters.maxTokens', 'limits.maxOutputTokens'],
    ],
  )
})

test('the words of other APIs in the query of a list are told by our names or in our way', async () => {
  for (const [query, remedy] of [
    ['starting_after=x', /`after`/],
    ['ending_before=x', /lists go forward/],
    ['expand[]=x', /replies come whole/],
    ['per_page=5', /`pageSize`/],
    ['q=x', /`query`/],
    ['direction=desc', /`sort`/],
    ['created[gte]=1', /`createdAfter`/],
    ['created_at[lt]=1', /`createdBefore`/],
    ['sort[]=name', /`sort` without brackets/],
    ['page=1&page=2', /sent once/],
    ['sort=-Name', /did you mean `-name`/],
    ['instructions=x', /there are name, query, /],
  ] as const) {
    const [word = ''] = query.split('=')
    const path = `/agents?${query.replaceAll('[', '%5B').replaceAll(']', '%5D')}`
    assert.match(await told({ method: 'GET', path }, word), remedy, query)
  }
  assert.match(await told({ path: '/agents?name=x', body: {} }, 'name'), /send `name` in the body/)
})

test('a value of another type is told how it is written', async () => {
  for (const [field, value, remedy] of [
    ['name', null, /^must be a string, not null$/],
    ['name', 5, /put it in quotation marks/],
    ['model', null, /not null: leave it out instead/],
    ['collectionIds', 'col_1', /put the value in square brackets/],
    ['limits', '{"maxSteps":3}', /not a string that holds JSON/],
    ['limits', [], /an object, not a list/],
    ['viewersMayRun', 'True', /write true without quotation marks/],
    ['status', 'Active', /did you mean `active`/],
  ] as const) {
    const body = { name: 'x', [field]: value }
    assert.match(await told({ path: '/agents', body }, field), remedy, `${field} ${JSON.stringify(value)}`)
  }
  const limits = { path: '/agents', body: { name: 'x', limits: { maxSteps: '3' } } }
  assert.match(await told(limits, 'limits.maxSteps'), /a whole number or null: leave the quotation marks out/)
  const key = {
    path: '/api-keys',
    body: { name: 'x', permissions: ['agent.read'], expiresAt: 1_800_000_000 },
  }
  assert.match(await told(key, 'expiresAt'), /such as 2026-.*, as a string$/)
  assert.match(await told(key, 'permissions.0'), /did you mean `agents:read`\?$/)
})

test('a path with a slip, of another version or of another API is told the endpoint that was meant', async () => {
  for (const [method, path, nearest] of [
    ['GET', '/api/v1/agents/', 'GET /api/v1/agents'],
    ['GET', '/api/v1//agents', 'GET /api/v1/agents'],
    ['GET', '/api/v1/Agents', 'GET /api/v1/agents'],
    ['GET', '/api/v1/agent', 'GET /api/v1/agents'],
    ['GET', '/api/v1/api/v1/agents', 'GET /api/v1/agents'],
    ['POST', `/api/v1/agents/${agentId}/run/`, 'POST /api/v1/agents/{id}/run'],
    ['GET', '/v1/agents', 'GET /api/v1/agents'],
    ['GET', '/api/v1/collections', 'GET /api/v1/knowledge/collections'],
    ['GET', '/api/v1/search', 'GET /api/v1/knowledge/search'],
    ['GET', '/api/v1/assistants', 'GET /api/v1/agents'],
    ['GET', '/api/v1/keys', 'GET /api/v1/api-keys'],
    ['GET', '/api/v1/users', 'GET /api/v1/workspace/members'],
    ['POST', '/api/v1/chat/completions', 'POST /v1/chat/completions'],
    ['GET', '/api/v1/docs', 'GET /docs'],
  ] as const) {
    const headers = { authorization: `Bearer ${app.liveKey.key}` }
    const reply = await app.app.server.inject({ method, url: path, headers })
    assert.equal(reply.statusCode, 404, path)
    const body = reply.json()
    assert.equal(body.details.nearest, nearest, path)
    assert.ok(body.message.includes(`did you mean ${nearest}?`), body.message)
  }
  const far = await app.request('GET', '/api/v1/no/such/path/at/all')
  assert.equal(far.body.details.nearest, undefined)
  const message = await told({ path: `/agents/${agentId}/runs`, body: {} })
  assert.match(
    message,
    /^POST is not allowed here; allowed: GET, HEAD; did you mean POST \/api\/v1\/agents\/\{id\}\/run\?/,
  )
})

test('a header of another spelling, a body that is not read and another character set are refused', async () => {
  const body = { name: 'x' }
  for (const name of ['x-idempotency-key', 'idempotency_key', 'idempotent-key']) {
    const fault = await told({ path: '/agents', body, headers: { [name]: 'a' } }, name)
    assert.match(fault, /send it as the header Idempotency-Key/)
  }
  const json = { 'content-type': 'application/json' }
  const got = { method: 'GET', path: '/agents', headers: json, body: '{"query":"x"}' }
  assert.match(await told(got, 'body'), /not read from a GET: .*parameters in the URL/)
  const latin = { 'content-type': 'application/json; charset=iso-8859-1' }
  assert.match(await told({ path: '/agents', headers: latin, body: '{"name":"x"}' }), /read as UTF-8/)
  const form = { 'content-type': 'application/x-www-form-urlencoded' }
  assert.match(
    await told({ path: '/agents', headers: form, body: 'name=x' }),
    /came as application\/x-www-form-urlencoded: send it as application\/json/,
  )
})

test('what stands in place of a key is told, and not repeated', async () => {
  for (const [sent, reason] of [
    ['Bearer $KEY', /variable, or an example/],
    ['Bearer undefined', /variable, or an example/],
    ['Bearer "sk_test_secret"', /quotation marks or brackets/],
    ['Bearer sk-proj-secret', /another service/],
    [app.liveKey.key, /the key alone: put the word Bearer/],
    ['Token secret', /the scheme Token/],
  ] as const) {
    const { status, body } = await app.request('GET', '/agents', {
      key: null,
      headers: { authorization: sent },
    })
    assert.equal(status, 401, sent)
    assert.match(body.message, reason, sent)
    assert.ok(!JSON.stringify(body).includes('secret'), sent)
  }
})
