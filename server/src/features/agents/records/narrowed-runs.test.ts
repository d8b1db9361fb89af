/** What a run can be narrowed to, what is refused, and where its narrowing is shown. */
import assert from 'node:assert/strict'
import { copyFile, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join as joinPath } from 'node:path'
import { after, before, test } from 'node:test'
import { keepKnowledge, type WithheldKnowledge } from '../../../testing/apps/team-access.ts'
import { calls, says, startToolApp, type ToolApp } from '../../../testing/apps/tool-app.ts'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { wikiConnector, wikiKey } from '../../../testing/servers/wiki.ts'
import type { TestApp, TestKey, TestReply } from '../../../testing/test-app.ts'

let tools: ToolApp
let app: TestApp
let folder: string
let known: WithheldKnowledge
/** Answers from whatever its caller reaches. */
let agentId: string

before(async () => {
  folder = await mkdtemp(joinPath(tmpdir(), 'atrium-connectors-'))
  await copyFile(wikiConnector, joinPath(folder, 'wiki.ts'))
  tools = await startToolApp({ ATRIUM_CONNECTORS_DIR: folder })
  app = tools.app
  known = await keepKnowledge(app)
  agentId = await tools.createAgent({ model: 'extractive' })
})

after(async () => {
  await tools.close()
  await rm(folder, { recursive: true, force: true })
})

const ask = (body: object, key: TestKey = app.liveKey, agent = agentId): Promise<TestReply> =>
  app.request('POST', `/agents/${agent}/run`, { key, body: { prompt: aboutCanteen, ...body } })

// biome-ignore lint/suspicious/noExplicitAny: a test reads whatever it expects there, and fails where it is not.
async function run(body: object, key?: TestKey, agent?: string): Promise<any> {
  const reply = await ask(body, key, agent)
  assert.equal(reply.status, 200, JSON.stringify(reply.body))
  return reply.body.data
}

/** The faults of a refused request, by their fields. */
function faultsOf({ status, body }: TestReply): Record<string, string> {
  assert.equal(status, 400, JSON.stringify(body))
  return Object.fromEntries(
    body.errors.map(({ field, message }: { field: string; message: string }) => [field, message]),
  )
}

const aboutCanteen = 'From when on does the canteen serve lunch?'
const reviewed = { field: 'reviewed', op: 'eq', value: true }
const recent = { field: 'year', op: 'gte', value: 2026 }

test('a collection that the caller does not reach is refused like one that does not exist, with all other faults', async () => {
  const { open, kept, outsider } = known
  const { workspaceId, ownerId } = await app.createWorkspace()
  const stranger = await app.createKey({ workspaceId, userId: ownerId })
  const ofStranger = await createCollection(app, stranger)
  const ofTest = await createCollection(app, app.testKey)
  const unknown = open.collectionId.replace(/.$/, (last: string) => (last === '0' ? '1' : '0'))
  const none = 'There is no collection with this id'
  const narrowedKey = await app.createKey({ collectionIds: [open.collectionId] })
  const cases: [TestKey, string][] = [
    [app.liveKey, ofStranger],
    [app.liveKey, ofTest],
    [app.liveKey, unknown],
    [outsider.key, kept.collectionId],
    [narrowedKey, kept.collectionId],
  ]
  for (const [key, id] of cases) {
    const body = {
      collectionIds: [open.collectionId, id],
      filter: { field: '$tenant', op: 'eq', value: 'a' },
    }
    const faults = faultsOf(await ask(body, key))
    assert.deepEqual(Object.keys(faults), ['collectionIds.1', 'filter.field'])
    assert.equal(faults['collectionIds.1'], none)
    assert.match(faults['filter.field'] ?? '', /not a known field of documents/)
  }
})

test('lists and filters that are empty, too long, too deep or of another form are refused with their place', async () => {
  const { collectionId } = known.open
  let deep: object = reviewed
  for (let depth = 0; depth < 9; depth++) deep = { not: deep }
  const many = { or: Array.from({ length: 51 }, (_, year) => ({ field: 'year', op: 'eq', value: year })) }
  const names = Object.fromEntries(Array.from({ length: 2_000 }, (_, index) => [`name-${index}`, 1]))
  const cases: [object, string, RegExp][] = [
    [{ collectionIds: [] }, 'collectionIds', /at least one|empty/],
    [{ collectionIds: [collectionId, collectionId] }, 'collectionIds', /same|duplicate|twice/],
    [{ collectionIds: Array(101).fill(collectionId) }, 'collectionIds', /100/],
    [{ collectionIds: ['everything'] }, 'collectionIds.0', /id|col_/],
    [{ collectionIds: null }, 'collectionIds', /list|array/],
    [{ filter: {} }, 'filter', /is empty: leave it out/],
    [{ filter: null }, 'filter', /object/],
    [{ filter: JSON.stringify(reviewed) }, 'filter', /object/],
    [{ filter: { field: 'year', op: 'gt', value: true } }, 'filter.value', /must be a number/],
    [{ filter: { and: [reviewed, {}] } }, 'filter.and.1', /is empty/],
    [{ filter: many }, 'filter', /at most 50 conditions/],
    [{ filter: deep }, 'filter.not.not.not.not.not.not.not.not', /deeper than 8/],
    [{ filter: names }, 'filter', /at most 16000 characters/],
  ]
  for (const [body, field, message] of cases) {
    const faults = faultsOf(await ask(body))
    assert.match(faults[field] ?? '', message, JSON.stringify([field, faults]))
  }
})

test('a run shows what narrows it, a later one what both leave, and the conversation what its first run had', async () => {
  const { open, kept } = known
  const other = await createCollection(app)
  const collectionIds = [open.collectionId, kept.collectionId].toSorted()
  const first = await run({ collectionIds: collectionIds.toReversed(), filter: reviewed })
  assert.deepEqual([first.collectionIds, first.filter], [collectionIds, reviewed])
  const { conversationId } = first
  const expected: [object, object][] = [
    [{}, [collectionIds, reviewed]],
    [{ collectionIds, filter: reviewed }, [collectionIds, reviewed]],
    [
      { collectionIds: [kept.collectionId, other], filter: recent },
      [[kept.collectionId], { and: [reviewed, recent] }],
    ],
    [{ collectionIds: [other] }, [[], reviewed]],
  ]
  for (const [wanted, shown] of expected) {
    const later = await run({ conversationId, ...wanted })
    assert.deepEqual([later.collectionIds, later.filter], shown)
  }
  const { data } = (await app.request('GET', `/conversations/${conversationId}/runs`)).body
  assert.deepEqual(data[0].collectionIds, [])
  const conversation = (await app.request('GET', `/conversations/${conversationId}`)).body.data
  assert.deepEqual([conversation.collectionIds, conversation.filter], [collectionIds, reviewed])
  const compared = await app.request('GET', `/runs/${first.id}/comparison`, { query: { with: data[0].id } })
  assert.deepEqual(compared.body.data.inputs, [{ field: 'collectionIds', before: collectionIds, after: [] }])
})

test('a run finds what its key, its agent and itself allow together, and a document as soon as it matches', async () => {
  const { open, kept } = known
  const narrowedKey = await app.createKey({ collectionIds: [open.collectionId] })
  const found = async (body: object, key?: TestKey, agent?: string) =>
    (await run(body, key, agent)).steps
      .find(({ name }: { name: string }) => name === 'search_knowledge')
      .output.passages.map(({ documentId }: { documentId: string }) => documentId)
  assert.deepEqual(await found({}, narrowedKey), [open.documentId])
  assert.deepEqual(await found({ collectionIds: [open.collectionId] }, narrowedKey), [open.documentId])
  assert.deepEqual(await found({ collectionIds: [kept.collectionId] }), [])
  const bound = await tools.createAgent({ model: 'extractive', collectionIds: [kept.collectionId] })
  assert.deepEqual(await found({ collectionIds: [open.collectionId] }, app.liveKey, bound), [])

  assert.deepEqual(await found({ filter: reviewed }), [])
  const path = `/knowledge/documents/${open.documentId}`
  await app.request('PATCH', path, { body: { metadata: { reviewed: true } } })
  assert.deepEqual(await found({ filter: reviewed }), [open.documentId])
  assert.deepEqual(await found({ filter: { field: '$id', op: 'ne', value: open.documentId } }), [])
  await app.request('PATCH', path, { body: { metadata: {} } })
})

test('a document outside the narrowing cannot be attached, be the narrowing given or inherited', async () => {
  const { open } = known
  const { id, collectionId } = await uploadAndWait(app, {
    collectionId: await createCollection(app),
    key: app.liveKey,
    content: 'The canteen closes at two.',
    fields: { metadata: JSON.stringify({ reviewed: true }) },
  })
  const attachments = [id, open.documentId]
  const first = await run({ filter: reviewed, attachments: [id] })
  assert.match(JSON.stringify(first.steps), /closes at two/)
  const { conversationId } = first
  const none = { 'attachments.1': 'There is no document with this id' }
  assert.deepEqual(faultsOf(await ask({ filter: reviewed, attachments })), none)
  assert.deepEqual(faultsOf(await ask({ collectionIds: [collectionId], attachments })), none)
  assert.deepEqual(faultsOf(await ask({ conversationId, attachments })), none)
  // What no longer matches is gone for a run that repeats it.
  await app.request('PATCH', `/knowledge/documents/${id}`, { body: { metadata: {} } })
  const again = await app.request('POST', `/runs/${first.id}/rerun`, { body: {} })
  assert.deepEqual(Object.keys(faultsOf(again)), ['attachments.0'])
})

test('the filters of a conversation and of its later run have a limit together', async () => {
  const long = (field: string) => ({ field, op: 'in', value: Array(5).fill(field.repeat(1_900)) })
  const { conversationId } = await run({ filter: long('a') })
  const [message] = Object.values(faultsOf(await ask({ conversationId, filter: long('b') })))
  assert.match(message ?? '', /at most 16000 characters together with the conversation's filter/)
  await run({ conversationId, filter: long('a') })
})

test('a conversation of another agent lends no narrowing, and is refused by its field', async () => {
  const { conversationId } = await run({ filter: reviewed })
  const other = await tools.createAgent({ model: 'extractive' })
  assert.deepEqual(Object.keys(faultsOf(await ask({ conversationId }, app.liveKey, other))), [
    'conversationId',
  ])
})

test('members are not shown the ids of collections that are withheld from them', async () => {
  const { open, kept, insider, outsider } = known
  const collectionIds = [open.collectionId, kept.collectionId].toSorted()
  const { id, conversationId } = await run({ collectionIds }, insider.key)
  for (const path of [
    `/runs/${id}`,
    `/runs/${id}/events`,
    `/conversations/${conversationId}`,
    `/conversations/${conversationId}/runs`,
    `/agents/${agentId}/runs?pageSize=100`,
  ]) {
    for (const [{ key }, isShown] of [
      [insider, true],
      [outsider, false],
    ] as const) {
      const reply = await app.app.server.inject({
        url: `/api/v1${path}`,
        headers: { authorization: `Bearer ${key.key}` },
      })
      assert.equal(reply.statusCode, 200, path)
      assert.ok(reply.payload.includes(open.collectionId), path)
      assert.equal(reply.payload.includes(kept.collectionId), isShown, path)
    }
  }
})

test('a connection that fills a collection answers only runs that may read all of that collection', async () => {
  tools.setAnswer(({ url }, response) => {
    const body = url.startsWith('/api/me')
      ? { login: 'ada', fullName: 'Ada' }
      : [{ slug: 's', title: 'Dogs' }]
    response.writeHead(200, { 'content-type': 'application/json' }).end(JSON.stringify(body))
  })
  const filled = await createCollection(app)
  const connect = async (name: string) => {
    const body = {
      integrationId: 'wiki',
      name,
      credentials: { apiKey: wikiKey },
      config: { baseUrl: `http://${tools.host}` },
    }
    const reply = await app.request('POST', '/integrations/connect', { body })
    assert.equal(reply.status, 201, JSON.stringify(reply.body))
    return reply.body.data.id
  }
  const filling = await connect('Filling')
  await app.request('PATCH', `/integrations/${filling}`, { body: { sync: { collectionId: filled } } })
  const apart = await connect('Apart')
  const answers = async (connectionId: string, body: object) => {
    const agent = await tools.createAgent({ tools: ['wiki_search_pages'], connectionIds: [connectionId] })
    tools.script(calls(['wiki_search_pages', { words: 'dogs' }]), says('Done.'))
    tools.requests.length = 0
    const { steps } = await run(body, app.liveKey, agent)
    assert.equal(tools.requests.length, steps[1].output.error === undefined ? 1 : 0)
    return steps[1].output.error === undefined
  }
  const cases: [object, boolean, boolean][] = [
    [{}, true, true],
    [{ collectionIds: [filled] }, true, true],
    [{ collectionIds: [known.open.collectionId] }, false, true],
    [{ filter: reviewed }, false, true],
    [{ collectionIds: [filled], filter: reviewed }, false, true],
  ]
  for (const [body, ofFilling, ofApart] of cases) {
    const got = [await answers(filling, body), await answers(apart, body)]
    assert.deepEqual(got, [ofFilling, ofApart], JSON.stringify(body))
  }
})
