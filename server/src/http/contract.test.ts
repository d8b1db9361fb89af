/** The ground rules that hold for every endpoint, asked of every route that there is; who may ask what is the authorization matrix. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { permissions } from '../platform/caller.ts'
import { exampleId } from '../platform/schemas.ts'
import { startTestApp, type TestApp } from '../testing/test-app.ts'
import { isRead, type Route } from './route.ts'
import { allowedMethods } from './serve.ts'

let app: TestApp

before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' } })
})
after(() => app.close())

const pathOf = (route: Route): string => route.path.replaceAll(/:[A-Za-z]+/g, () => exampleId('agent'))
const guarded = (): Route[] => app.app.routes.filter(route => route.permission !== 'public')

test('there are routes to ask, each with an operation id of its own', () => {
  const ids = app.app.routes.map(route => route.operationId)
  assert.ok(ids.length > 10)
  assert.equal(new Set(ids).size, ids.length)
})

test('every route that takes an id answers 404 alike for an id that does not exist, and for garbage', async () => {
  for (const route of guarded().filter(
    known => known.path.includes(':') && !known.body && !known.upload && !known.streamedBody,
  )) {
    const key = route.liveOnly ? app.liveKey : app.testKey
    const missing = await app.request(route.method, pathOf(route), { key })
    assert.equal(missing.status, 404, route.operationId)
    for (const garbage of [
      'x',
      '%00',
      "'%20OR%201=1",
      'agt_01KAJZ4V7QF3X8M2C9T5B6N0RW',
      '..%2f..%2fetc',
      '%F0%9F%92%A9',
    ]) {
      const path = route.path.replaceAll(/:[A-Za-z]+/g, () => garbage)
      const reply = await app.request(route.method, path, { key })
      assert.equal(reply.status, 404, `${route.operationId} with ${garbage}`)
      assert.deepEqual({ ...reply.body, requestId: '' }, { ...missing.body, requestId: '' })
    }
  }
})

test('every path answers 405 with Allow to a method that it does not have', async () => {
  for (const path of new Set(app.app.routes.map(route => route.path))) {
    const known = allowedMethods(app.app.routes, path)
    const unknown = ['DELETE', 'PUT', 'PATCH', 'POST'].find(method => !known.includes(method)) ?? 'PUT'
    const reply = await app.request(
      unknown,
      path.replaceAll(/:[A-Za-z]+/g, () => exampleId('agent')),
    )
    assert.equal(reply.status, 405, `${unknown} ${path}`)
    assert.equal(reply.body.code, 'method_not_allowed')
    for (const method of known) assert.ok(String(reply.headers.allow).split(', ').includes(method))
  }
})

test('every list refuses to go on after a row that it does not have', async () => {
  const lists = guarded().filter(
    ({ list, path }) => list !== undefined && !list.ranked && !path.includes(':'),
  )
  assert.ok(lists.length > 8)
  for (const { operationId, path } of lists) {
    for (const after of [exampleId('agent'), exampleId('document'), app.workspaceId]) {
      const { status, body } = await app.request('GET', path, { query: { after } })
      assert.equal(status, 400, `${operationId} after ${after}`)
      assert.equal(body.errors[0].field, 'after', operationId)
    }
  }
})

test('every route that takes a body names the unknown field, and what was meant', async () => {
  for (const route of guarded().filter(known => known.body !== undefined)) {
    const reply = await app.request(route.method, pathOf(route), { body: { noSuchField: 1 } })
    const sandboxed = reply.status === 403
    assert.ok(sandboxed || reply.status === 400, `${route.operationId} answered ${reply.status}`)
    if (sandboxed) continue
    assert.ok(
      reply.body.errors.some((error: { field: string }) => error.field === 'noSuchField'),
      `${route.operationId}: ${JSON.stringify(reply.body)}`,
    )
  }
})

test('every route refuses an unknown query parameter, and every list a page that is none', async () => {
  for (const route of guarded().filter(known => known.method === 'GET')) {
    const reply = await app.request('GET', `${pathOf(route)}?noSuchParameter=1`)
    assert.equal(reply.status, 400, route.operationId)
    assert.equal(reply.body.errors[0].field, 'noSuchParameter')
    if (route.list === undefined) continue
    for (const [query, field] of [
      ['page=0', 'page'],
      ['page=x', 'page'],
      ['pageSize=101', 'pageSize'],
      ['pageSize=0', 'pageSize'],
      ['page=1.5', 'page'],
    ]) {
      const refused = await app.request('GET', `${pathOf(route)}?${query}`)
      assert.equal(refused.status, 400, `${route.operationId}?${query}`)
      assert.ok(refused.body.errors.some((error: { field: string }) => error.field === field))
    }
  }
})

test('every write states an audit action, and every permission is one of the closed list', () => {
  for (const route of app.app.routes) {
    if (!isRead(route)) assert.match(route.audit ?? '', /^[a-z_]+(\.[a-z_]+)+$/, route.operationId)
    if (route.permission !== 'public' && route.permission !== 'any')
      assert.ok(permissions.includes(route.permission))
  }
})

test('every change of a record honours If-Match, and every deletion can be tried dry', () => {
  for (const route of app.app.routes) {
    const { method, path, operationId } = route
    if (['PATCH', 'PUT', 'DELETE'].includes(method) && path.includes(':')) {
      assert.ok(route.errors.includes('precondition_failed'), operationId)
    }
    if (method === 'DELETE') assert.ok(route.destructive, operationId)
  }
})

test('the error envelope is the same from every layer', async () => {
  const cases = [
    [await app.request('GET', '/no-such-route'), 404, 'not_found'],
    [await app.request('GET', '/workspace/%E0%A4%A'), 400, 'malformed_url'],
    [
      await app.request('POST', '/api-keys', {
        headers: { 'content-type': 'application/json' },
        body: '{"a":',
      }),
      400,
      'malformed_json',
    ],
    [
      await app.request('POST', '/api-keys', {
        headers: { 'content-type': 'application/json' },
        body: '{"__proto__":{}}',
      }),
      400,
      'malformed_json',
    ],
    [
      await app.request('POST', '/api-keys', { headers: { 'content-type': 'text/plain' }, body: 'x' }),
      415,
      'unsupported_media_type',
    ],
    [
      await app.request('POST', '/api-keys', { body: { name: 'x'.repeat(3_000_000) } }),
      413,
      'payload_too_large',
    ],
    [await app.request('GET', '/workspace', { headers: { accept: 'text/html' } }), 406, 'not_acceptable'],
  ] as const
  for (const [reply, status, code] of cases) {
    assert.equal(reply.status, status, code)
    assert.deepEqual(Object.keys(reply.body), [
      'statusCode',
      'message',
      'errors',
      'code',
      'requestId',
      'retryable',
    ])
    assert.equal(reply.body.statusCode, status)
    assert.equal(reply.body.code, code)
    assert.equal(reply.body.requestId, reply.headers['x-request-id'])
  }
})

test('a refusal says what would be right: an id of the kind, a path that there is, more than blanks', async () => {
  const id = await app.request('POST', '/agents', { body: { name: 'Ada', collectionIds: ['col_…'] } })
  assert.match(id.body.errors[0].message, /such as col_[0-9a-z]{26}$/)
  const blank = await app.request('POST', '/agents', { body: { name: ' ' } })
  assert.deepEqual(blank.body.errors, [{ field: 'name', message: 'must not be blank' }])
  const path = await app.request('GET', '/no-such-route')
  assert.match(path.body.message, /no such endpoint.*\/docs/)
})

test('a body of more values than any request needs is refused before its faults are counted', async () => {
  const reply = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'ada@example.com', teamIds: Array.from({ length: 20_000 }, () => ({})) },
  })
  assert.equal(reply.status, 400)
  assert.deepEqual(reply.body.errors, [{ field: 'teamIds', message: 'must not hold more than 20000 values' }])
})

test('text that no database can hold is refused by name: NUL, half a surrogate pair, invalid UTF-8', async () => {
  const nul = await app.request('POST', '/api-keys', { body: { name: 'a\0b', permissions: ['keys:read'] } })
  assert.deepEqual(nul.body.errors, [{ field: 'name', message: 'must not contain NUL characters' }])
  const headers = { 'content-type': 'application/json' }
  const half = await app.request('POST', '/api-keys', { headers, body: '{"name":"\\ud800"}' })
  assert.deepEqual(half.body.errors, [{ field: 'name', message: 'must be well-formed Unicode' }])
  const bytes = await app.request('POST', '/api-keys', { headers, body: Buffer.from([0x22, 0xff, 0x22]) })
  assert.equal(bytes.body.code, 'malformed_json')
})
