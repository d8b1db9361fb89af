/** Keys that are narrowed to a filter, through HTTP: only documents that match exist for them, and only what applies it is open. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from '../../testing/apps/agent-app.ts'
import { createCollection, uploadAndWait } from '../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../testing/test-app.ts'

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
type Json = any

let app: TestApp
let collectionId: string
let own: Json
let foreign: Json
let key: string
let agentId: string

const permissions = ['agents:read', 'agents:run', 'knowledge:read']
const acme = { field: 'tenant', op: 'eq', value: 'acme' }
const sameText = 'The recipe of the house is written here twice.'

const create = (body: Json) => app.request('POST', '/api-keys', { body: { name: 'Narrow', ...body } })
const get = (path: string, as: string | null = key) => app.request('GET', path, { key: as })

before(async () => {
  // What a caller may reach is copied to the thread that searches.
  app = await startTestApp({ searchThreads: true })
  collectionId = await createCollection(app, app.liveKey, 'Shared')
  const add = (name: string, content: string, tenant: string) =>
    uploadAndWait(app, {
      collectionId,
      key: app.liveKey,
      name,
      content,
      fields: { metadata: JSON.stringify({ tenant }), externalId: `id-of-${name}` },
    })
  foreign = await add('globex.md', sameText, 'globex')
  own = await add('acme.md', sameText, 'acme')
  await add('other.md', 'The recipe of the zyxomorph.', 'globex')
  ;({ id: agentId } = await createAgentIn(app, { model: 'extractive' }))
  const made = await create({ permissions, filter: acme })
  assert.equal(made.status, 201, JSON.stringify(made.body))
  key = made.body.data.key
})
after(() => app.close())

test('the key shows its filter, also to itself', async () => {
  const me = (await get('/me')).body.data
  assert.deepEqual(me.key.filter, acme)
  assert.deepEqual((await get(`/api-keys/${me.key.id}`, app.liveKey.key)).body.data.filter, acme)
})

test('documents that do not match are missing from lists and searches, and a 404 by any address', async () => {
  const listed = (await get('/knowledge/documents')).body
  assert.deepEqual(
    listed.data.map(({ id }: Json) => id),
    [own.id],
  )
  assert.equal(listed.meta.total, 1)
  const found = (await get('/knowledge/search?query=recipe of the zyxomorph')).body
  assert.deepEqual([...new Set(found.data.map((one: Json) => one.documentId))], [own.id])
  assert.doesNotMatch(JSON.stringify(found), /zyxomorph.*zyxomorph/)
  for (const rest of ['', '/content', '/chunks', '/tables', '/original', '/versions', '/versions/1']) {
    assert.equal((await get(`/knowledge/documents/${own.id}${rest}`)).status, 200, rest)
    assert.equal((await get(`/knowledge/documents/${foreign.id}${rest}`)).status, 404, rest)
  }
  const byExternalId = `/knowledge/collections/${collectionId}/documents`
  assert.equal((await get(`${byExternalId}/id-of-acme.md`)).status, 200)
  assert.equal((await get(`${byExternalId}/id-of-globex.md`)).status, 404)
  const citations = [own.id, foreign.id].map(documentId => ({ documentId, quote: sameText }))
  const verified = await app.request('POST', '/knowledge/citations/verify', { key, body: { citations } })
  assert.deepEqual(
    verified.body.data.map(({ status }: Json) => status),
    ['verified', 'missing'],
  )
})

test('a document does not tell of its duplicate that does not match', async () => {
  assert.equal(
    (await get(`/knowledge/documents/${own.id}`, app.liveKey.key)).body.data.duplicateOf,
    foreign.id,
  )
  assert.equal((await get(`/knowledge/documents/${own.id}`)).body.data.duplicateOf, null)
  assert.equal((await get('/knowledge/documents')).body.data[0].duplicateOf, null)
})

test('the key sees and continues its own runs and conversations, and no others', async () => {
  const run = async (as: string, more = {}) =>
    (await app.request('POST', `/agents/${agentId}/run`, { key: as, body: { prompt: 'Recipe?', ...more } }))
      .body
  const others = (await run(app.liveKey.key)).data
  const mine = (await run(key)).data
  assert.deepEqual(
    (await get(`/agents/${agentId}/runs`)).body.data.map(({ id }: Json) => id),
    [mine.id],
  )
  assert.deepEqual(
    (await get('/conversations')).body.data.map(({ id }: Json) => id),
    [mine.conversationId],
  )
  assert.equal((await get('/agents/last-runs')).body.data[0].run.id, mine.id)
  for (const path of [
    `/runs/${others.id}`,
    `/runs/${others.id}/events`,
    `/conversations/${others.conversationId}`,
  ]) {
    assert.equal((await get(path)).status, 404, path)
  }
  assert.equal((await run(key, { conversationId: mine.conversationId })).data.status, 'succeeded')
  assert.equal((await run(key, { conversationId: others.conversationId })).errors[0].field, 'conversationId')
  const wider = await run(app.liveKey.key, { conversationId: mine.conversationId })
  assert.match(wider.errors[0].message, /narrowed to documents/)
  const otherKey = (await create({ permissions, filter: { ...acme, value: 'globex' } })).body.data.key
  assert.equal((await get(`/runs/${mine.id}`, otherKey)).status, 404)
})

test('every route that reads documents and does not apply the filter is closed', async () => {
  const open = [
    'listDocuments',
    'getDocument',
    'getDocumentContent',
    'getDocumentOriginal',
    'getDocumentPage',
    'getDocumentPageBoxes',
    'listDocumentChunks',
    'listDocumentTables',
    'getDocumentByExternalId',
    'listDocumentVersions',
    'getDocumentVersion',
    'searchKnowledge',
    'verifyCitations',
  ]
  const { paths } = (await get('/openapi.json', null)).body as Json
  const closed: string[] = []
  for (const [path, operations] of Object.entries<Json>(paths)) {
    for (const [method, { operationId, 'x-permission': permission }] of Object.entries<Json>(operations)) {
      if (permission !== 'knowledge:read' || open.includes(operationId)) continue
      const url = path.replaceAll(/\{(\w+)\}/g, collectionId)
      const reply = await app.request(method.toUpperCase() as 'GET', url, {
        key,
        body: method === 'get' ? undefined : {},
      })
      assert.equal(reply.status, 403, operationId)
      assert.match(reply.body.message, /narrowed to a filter/)
      closed.push(operationId)
    }
  }
  assert.ok(closed.length >= 9, closed.join(' '))
})

test('a filter is refused by its field if it is wrong or too long, and so is each permission that goes beyond reading', async () => {
  const wrong = await create({ permissions, filter: { field: 'tenant', op: 'is', value: 'acme' } })
  assert.deepEqual([wrong.status, wrong.body.errors[0].field], [400, 'filter.op'])
  const long = await create({
    permissions,
    filter: { field: 'tenant', op: 'in', value: Array(900).fill('x'.repeat(20)) },
  })
  assert.deepEqual([long.status, long.body.errors[0].field], [400, 'filter'])
  const more = await create({
    permissions: ['knowledge:read', 'knowledge:write', 'events:read'],
    filter: acme,
  })
  assert.equal(more.status, 400)
  const writing = await create({
    permissions: ['knowledge:read', 'knowledge:write', 'usage:read'],
    filter: acme,
  })
  assert.deepEqual(
    writing.body.errors.map(({ field }: Json) => field),
    ['permissions.1', 'permissions.2'],
  )
  const { id } = (await create({ permissions, filter: acme })).body.data
  const change = (body: Json) => app.request('PATCH', `/api-keys/${id}`, { body })
  const widened = await change({ permissions: ['knowledge:write'] })
  assert.deepEqual([widened.status, widened.body.errors[0].field], [400, 'permissions.0'])
  const lifted = await change({ filter: null })
  assert.deepEqual([lifted.status, lifted.body.errors[0].field], [400, 'filter'])
  assert.equal((await change({ permissions: ['knowledge:read'] })).status, 200)
})
