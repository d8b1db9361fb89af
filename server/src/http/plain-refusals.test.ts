/** What a client is told of a request that cannot be taken: everything at once, in words, with the place of each fault. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { type TSchema, Type } from '../platform/json-schema/type.ts'
import { createCollection } from '../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestReply } from '../testing/test-app.ts'
import { fullQuery } from './full-query.ts'
import { faultsOf, validation } from './validation.ts'

let app: TestApp
before(async () => {
  app = await startTestApp()
})
after(() => app.close())

const fieldsOf = ({ body }: TestReply): string[] => body.errors.map(({ field }: { field: string }) => field)

test('a run is streamed only to a client that takes events and wants them no less than JSON', async () => {
  const { body } = await app.request('POST', '/agents', { body: { name: 'Heard' } })
  const typeFor = async (accept: string): Promise<[number, string]> => {
    const options = { headers: { accept }, body: { prompt: 'Hello' } }
    const { status, headers } = await app.request('POST', `/agents/${body.data.id}/run`, options)
    return [status, String(headers['content-type']).split(';')[0] ?? '']
  }
  for (const accept of [
    'text/event-stream',
    'application/json, text/event-stream',
    'text/event-stream, */*;q=0.1',
  ])
    assert.deepEqual(await typeFor(accept), [200, 'text/event-stream'], accept)
  for (const accept of [
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
