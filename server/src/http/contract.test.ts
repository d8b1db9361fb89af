/** The ground rules that hold for every endpoint, asked of every route that there is; who may ask what is the authorization matrix. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { permissions } from '../platform/caller.ts'
import { type TSchema, Type } from '../platform/json-schema/type.ts'
import { exampleId } from '../platform/schemas.ts'
import { createCollection } from '../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestReply } from '../testing/test-app.ts'
import { exampleUrlOf } from '../testing/walked-routes.ts'
import { fullQuery } from './full-query.ts'
import { exampleOf, pathNamesOf } from './missing/path-names.ts'
import { isRead, mayBeEmpty, type Route, urlOf } from './route.ts'
import { faultsOf, validation } from './validation.ts'

let app: TestApp

before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' } })
})
after(() => app.close())

const pathOf = (route: Route): string => exampleUrlOf(route)
const guarded = (): Route[] => app.app.routes.filter(route => route.permission !== 'public')

test('there are routes to ask, each with an operation id of its own', () => {
  const ids = app.app.routes.map(route => route.operationId)
  assert.ok(ids.length > 10)
  assert.equal(new Set(ids).size, ids.length)
})

test('every route that takes an id names it and its kind in its 404', async () => {
  for (const route of guarded().filter(
    known => known.path.includes(':') && !known.body && !known.upload && !known.streamedBody,
  )) {
    const key = route.liveOnly ? app.liveKey : app.testKey
    const headers = { 'tus-resumable': '1.0.0' }
    const [first] = pathNamesOf(route)
    assert.ok(first)
    // A name, unlike an id, may be one that every server has: an integration's.
    const path = exampleUrlOf(route, { [first.parameter]: exampleOf(first) ?? 'nothing' })
    const { status, body } = await app.request(route.method, path, { key, headers })
    assert.equal(status, 404, route.operationId)
    assert.equal(body.details.resource, first.resource, route.operationId)
    assert.ok(body.message.includes(body.details.id), body.message)
  }
})

test('an id that cannot be one is refused with the form of such an id, without a look', async () => {
  for (const route of guarded().filter(({ path }) => path.includes(':'))) {
    const [first] = pathNamesOf(route)
    if (first === undefined || exampleOf(first) === null) continue
    const key = route.liveOnly ? app.liveKey : app.testKey
    const foreign = first.parameter === 'id' && exampleOf(first)?.startsWith('usr_') ? 'agent' : 'user'
    for (const garbage of ['x', '%00', "'%20OR%201=1", exampleId(foreign), '..%2f..%2fetc', '%F0%9F%92%A9']) {
      const path = exampleUrlOf(route, { [first.parameter]: garbage })
      const { status, body } = await app.request(route.method, path, { key, ...sentTo(route) })
      assert.equal(status, 404, `${route.operationId} with ${garbage}`)
      assert.equal(body.details.form, exampleOf(first))
      assert.match(body.message, / is not an? .*'s id, which looks like /)
    }
  }
})

/** A body that passes the gate. */
const sentTo = ({ streamedBody, upload }: Route): { headers?: Record<string, string>; form?: FormData } => {
  if (streamedBody !== undefined) return { headers: { 'content-type': streamedBody.mediaType } }
  return upload === undefined ? {} : { form: new FormData() }
}

test('every path answers 405 to each method that it lacks, and Allow names those that it has', async () => {
  const { routes } = app.app
  const paths = [...new Set(routes.map(urlOf))]
  let lacking = 0
  for (const path of paths) {
    const own = routes.filter(route => urlOf(route) === path).map(({ method }) => method as string)
    const allowed = own.flatMap(method => (method === 'GET' ? ['GET', 'HEAD'] : [method])).sort()
    const url = path.replaceAll(/:[A-Za-z]+/g, () => exampleId('agent'))
    for (const method of ['GET', 'DELETE', 'OPTIONS', 'PATCH', 'POST', 'PUT']) {
      if (allowed.includes(method)) continue
      lacking += 1
      const reply = await app.request(method, url)
      assert.deepEqual([reply.status, reply.body.code], [405, 'method_not_allowed'], `${method} ${path}`)
      assert.equal(reply.headers.allow, allowed.join(', '), `${method} ${path}`)
    }
  }
  assert.ok(lacking > paths.length)
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

test('no list shows a page that reaches deeper than 10,000 rows', async () => {
  const lists = guarded().filter(({ list }) => list !== undefined)
  assert.ok(lists.length > 20)
  for (const route of lists) {
    const { list, operationId } = route
    const pageSize = list?.maxPageSize ?? 0
    const needed = operationId === 'searchKnowledge' ? { query: 'leave' } : {}
    const askFor = (page: string) =>
      app.request('GET', pathOf(route), { query: { page, pageSize: String(pageSize), ...needed } })
    const deepest = 10_000 / pageSize
    for (const page of [String(deepest + 1), '1e20', '9007199254740993']) {
      const reply = await askFor(page)
      assert.deepEqual([reply.status, fieldsOf(reply)], [400, ['page']], `${operationId}, page ${page}`)
    }
    assert.notEqual((await askFor(String(deepest))).status, 400, operationId)
  }
})

test('every route that takes a body names the unknown field, and what was meant', async () => {
  for (const route of guarded().filter(known => known.body !== undefined && known.protocol === undefined)) {
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
  for (const route of guarded().filter(known => known.method === 'GET' && known.protocol === undefined)) {
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
  for (const route of app.app.routes.filter(({ protocol }) => protocol === undefined)) {
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
      'details',
      'requestId',
      'retryable',
    ])
    assert.equal(reply.body.statusCode, status)
    assert.equal(reply.body.code, code)
    assert.equal(reply.body.requestId, reply.headers['x-request-id'])
  }
})

test('browsers are told to come by HTTPS for a year, or for as long as the operator says, or not at all', async t => {
  const headerWith = async (settings: Record<string, string>) => {
    const other = await startTestApp({ settings })
    t.after(() => other.close())
    return (await other.request('GET', '/workspace')).headers['strict-transport-security']
  }
  assert.equal(await headerWith({}), 'max-age=31536000; includeSubDomains')
  assert.equal(await headerWith({ ATRIUM_HSTS_DAYS: '1' }), 'max-age=86400; includeSubDomains')
  assert.equal(await headerWith({ ATRIUM_HSTS_DAYS: '0' }), undefined)
})

test('a refusal says what would be right: an id of the kind, a path that there is, more than blanks', async () => {
  const id = await app.request('POST', '/agents', { body: { name: 'Ada', collectionIds: ['col_…'] } })
  assert.match(id.body.errors[0].message, /such as col_[0-9a-z]{26}$/)
  const blank = await app.request('POST', '/agents', { body: { name: ' ' } })
  assert.deepEqual(blank.body.errors, [{ field: 'name', message: 'must not be blank', rule: 'pattern' }])
  const path = await app.request('GET', '/no-such-route')
  assert.match(path.body.message, /no such endpoint.*\/docs/)
})

test('a body of more values than any request needs is refused before its faults are counted', async () => {
  const reply = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'ada@example.com', teamIds: Array.from({ length: 20_000 }, () => ({})) },
  })
  assert.equal(reply.status, 400)
  const message = 'must not hold more than 20000 values'
  assert.deepEqual(reply.body.errors, [{ field: 'teamIds', message, rule: 'maxValues', limit: 20_000 }])
})

test('a fault of the schema names its rule for programs, and the limit that it sets', async () => {
  const brokenBy = async (body: object) => {
    const { status, body: reply } = await app.request('POST', '/agents', { body })
    assert.equal(status, 400)
    return reply.errors.map(({ field, rule, limit }: Record<string, unknown>) => [field, rule, limit])
  }
  assert.deepEqual(await brokenBy({ name: 'x'.repeat(101), collectionIds: 'none', zebra: 1 }), [
    ['zebra', 'additionalProperties', undefined],
    ['name', 'maxLength', 100],
    ['collectionIds', 'type', undefined],
  ])
  assert.deepEqual(await brokenBy({}), [['name', 'required', undefined]])
  const page = await app.request('GET', '/agents', { query: { pageSize: 101 } })
  const [{ rule, limit }] = page.body.errors
  assert.deepEqual([rule, limit], ['maximum', 100])
  const long = `/knowledge/collections/${await createCollection(app)}/documents/${'x'.repeat(501)}`
  const form = new FormData()
  form.append('file', new Blob(['A note.']), 'note.txt')
  const [path] = (await app.request('PUT', long, { form })).body.errors
  assert.deepEqual([path.field, path.rule, path.limit], ['externalId', 'maxLength', 500])
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

const fieldsOf = ({ body }: TestReply): string[] => body.errors.map(({ field }: { field: string }) => field)

test('a run is streamed only to a client that takes events, and names them before JSON or prefers them', async () => {
  const { body } = await app.request('POST', '/agents', { body: { name: 'Heard' } })
  const typeFor = async (accept: string): Promise<[number, string]> => {
    const options = { headers: { accept }, body: { prompt: 'Hello' } }
    const { status, headers } = await app.request('POST', `/agents/${body.data.id}/run`, options)
    return [status, String(headers['content-type']).split(';')[0] ?? '']
  }
  for (const accept of [
    'text/event-stream',
    'text/event-stream, application/json',
    'application/json;q=0.9, text/event-stream',
    '*/*, text/event-stream',
    'text/event-stream, */*;q=0.1',
  ])
    assert.deepEqual(await typeFor(accept), [200, 'text/event-stream'], accept)
  for (const accept of [
    'application/json,text/event-stream',
    'application/json, text/event-stream;q=0',
    'application/json, text/event-stream; q=0.5',
    '*/*',
    'text/*;q=0.1, application/json',
  ])
    assert.deepEqual(await typeFor(accept), [200, 'application/json'], accept)
  for (const accept of ['application/json;q=0', 'text/html', 'application/json;q=0, text/event-stream;q=0.0'])
    assert.deepEqual(await typeFor(accept), [406, 'application/json'], accept)
})

test('an id of any length that names nothing is a 404', async () => {
  for (const [method, path] of [
    ['GET', '/agents/'],
    ['DELETE', '/agents/'],
    ['GET', '/runs/'],
  ] as const)
    for (const length of [30, 600, 2_000, 8_000]) {
      const { status } = await app.request(method, `${path}${'x'.repeat(length)}`)
      assert.equal(status, 404, `${method} ${path} with ${length} characters`)
    }
})

test('an external id has as many characters in a path as in a form', async () => {
  const collectionId = await createCollection(app)
  const externalId = '🦆'.repeat(500)
  const form = new FormData()
  form.append('collectionId', collectionId)
  form.append('externalId', externalId)
  form.append('file', new Blob(['Ducks.']), 'ducks.txt')
  assert.equal((await app.request('POST', '/knowledge/documents', { form })).status, 201)
  const at = (id: string) => `/knowledge/collections/${collectionId}/documents/${encodeURIComponent(id)}`
  assert.equal((await app.request('GET', at(externalId))).body.data?.externalId, externalId)
  const replacement = new FormData()
  replacement.append('file', new Blob(['More ducks.']), 'ducks.txt')
  assert.equal((await app.request('PUT', at(externalId), { form: replacement })).status, 200)
  const tooLong = await app.request('PUT', at(`${externalId}x`), { form: replacement })
  assert.deepEqual([tooLong.status, fieldsOf(tooLong)], [400, ['externalId']])
})

test('a body that is not JSON is refused with the place where it stops being that', async () => {
  const send = async (text: string): Promise<TestReply> =>
    app.request('POST', '/agents', { headers: { 'content-type': 'application/json' }, body: text })
  const messages: [string, string][] = [
    ['{"name": "a",\n "description": x}', 'The body is not valid JSON: unexpected "x" in line 2, column 17'],
    ['{"name": "a"', 'The body is not valid JSON: it ends too early, in line 1, column 13'],
    ['{"__proto__": {}}', 'The body has a field named __proto__, or constructor with prototype: rename it'],
  ]
  for (const [text, message] of messages) {
    const { status, body } = await send(text)
    assert.deepEqual([status, body.code, body.message], [400, 'malformed_json', message])
  }
})

test('an upload is told all of its faults at once: of its parts and of what they hold', async () => {
  const form = new FormData()
  form.append('zebra', '1')
  form.append('metadata', '{"a": ]')
  form.append('collectionId', 'nope')
  form.append('title', '')
  const reply = await app.request('POST', '/knowledge/documents', { form })
  assert.equal(reply.status, 400)
  assert.deepEqual(fieldsOf(reply).sort(), ['collectionId', 'file', 'metadata', 'title', 'zebra'])
  const metadata = reply.body.errors.find(({ field }: { field: string }) => field === 'metadata')
  assert.match(metadata.message, /unexpected "\]" in line 1, column 7/)
})

test('a body that may be missing may also be null', async () => {
  const routes = guarded().filter(route => mayBeEmpty(route) && !route.path.includes(':'))
  assert.ok(routes.length > 1)
  for (const { method, path, operationId, triesDry, destructive } of routes) {
    const query = triesDry || destructive ? { dryRun: 'true' } : {}
    const headers = { 'content-type': 'application/json' }
    const ofNull = await app.request(method, path, { query, headers, body: 'null' })
    const without = await app.request(method, path, { query })
    assert.deepEqual([ofNull.status, ofNull.body.code], [without.status, without.body.code], operationId)
    assert.notEqual(ofNull.status, 400, operationId)
  }
})

test('a query and a body are judged together', async () => {
  const reply = await app.request('POST', '/agents?zebra=1', { body: { name: '' } })
  assert.deepEqual(fieldsOf(reply).sort(), ['name', 'zebra'])
})

test('an invitation and a question of usage are told all of their faults at once', async () => {
  const invitation = await app.request('POST', '/workspace/members/invite', {
    body: { email: 'not an address', role: 'boss', teamIds: ['x'] },
  })
  assert.deepEqual(fieldsOf(invitation).sort(), ['email', 'role', 'teamIds.0'])
  const usage = await app.request('GET', '/usage/history?from=2026-13-01&to=2026-02-30&interval=hour')
  assert.deepEqual(fieldsOf(usage).sort(), ['from', 'interval', 'to'])
})

test('a value of several forms is told which ones', async () => {
  const { body: made } = await app.request('POST', '/agents', { body: { name: 'Forms' } })
  const run = await app.request('POST', `/agents/${made.data.id}/run`, {
    body: { prompt: 'Hi', metadata: { a: { b: 1 } } },
  })
  assert.equal(
    run.body.errors[0].message,
    'must be a string of at most 2000 characters, a number, true or false, null or a list of at most 100 items, each a string of at most 500 characters',
  )
})

test('what a pattern of the API demands is told in words', () => {
  const patterns = new Set<string>()
  const collect = (schema: unknown): void => {
    if (typeof schema !== 'object' || schema === null) return
    const { pattern } = schema as { pattern?: unknown }
    if (typeof pattern === 'string') patterns.add(pattern)
    for (const part of Object.values(schema)) collect(part)
  }
  for (const route of app.app.routes) {
    const { body, headers, upload } = route
    const schemas: (TSchema | undefined)[] = [fullQuery(route), body, headers, upload?.fields]
    for (const schema of schemas) collect(schema)
  }
  assert.ok(patterns.size > 10)
  for (const pattern of patterns) {
    const check = validation.body(Type.Object({ value: Type.String({ pattern }) }))
    const refused = ['', '$', '\u007f'].find(value => faultsOf(() => check({ value })).length > 0)
    const [fault] = faultsOf(() => check({ value: refused }))
    assert.doesNotMatch(fault?.message ?? pattern, /must match|\\|\^/, pattern)
  }
})
