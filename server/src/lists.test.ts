/** What lists have in common: finding by name, orders, cursors, and dates; the same on either database. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createAgentIn } from './testing/apps/agent-app.ts'
import { createTeam, join } from './testing/apps/team-access.ts'
import { createCollection, uploadAndWait } from './testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey } from './testing/test-app.ts'

let app: TestApp
let skippedMs = 0

before(async () => {
  app = await startTestApp({ clock: () => Date.now() + skippedMs })
})
after(() => app.close())

// biome-ignore lint/suspicious/noExplicitAny: as in a TestReply, a test reads whatever it expects there.
type Read = any
type Query = Record<string, string | number>

async function list(path: string, query: Query = {}, key: TestKey = app.liveKey): Promise<Read> {
  const { status, body } = await app.request('GET', path, { key, query: { pageSize: 100, ...query } })
  assert.equal(status, 200, JSON.stringify(body))
  return body
}

/** The names of what the list holds, all on one page. */
async function namesOf(path: string, query: Query = {}, key?: TestKey): Promise<string[]> {
  const { data, meta } = await list(path, query, key)
  assert.equal(meta.total, data.length)
  return data.map(({ name }: Read) => name)
}

async function faultsOf(path: string, query: Query): Promise<Read[]> {
  const { status, body } = await app.request('GET', path, { query })
  assert.equal(status, 400, JSON.stringify(body))
  return body.errors
}

/** Page by page with the cursor of each reply. */
async function walk(path: string, query: Query): Promise<Read[]> {
  const items: Read[] = []
  let reply = await list(path, { ...query, pageSize: 2 })
  for (;;) {
    items.push(...reply.data)
    if (reply.meta.next === null) return items
    reply = await list(path, { ...query, pageSize: 2, after: reply.meta.next })
  }
}

const create = async (path: string, body: object, key = app.liveKey): Promise<Read> => {
  // Documents change until they are ready.
  const reply = await app.request('POST', path, { key, body, headers: { prefer: 'wait=30' } })
  assert.ok(reply.status < 300, JSON.stringify(reply.body))
  return reply.body.data
}

test('each list of what has a name finds it by the whole name and by a part, whatever the case', async () => {
  const credentials = { apiKey: 'any-key' }
  const described = { description: 'Für 50% der Straße, Teil a_b' }
  const kinds: Record<string, (name: string) => Promise<unknown>> = {
    '/agents': name => create('/agents', { name, tools: [], ...described }),
    '/knowledge/collections': name => create('/knowledge/collections', { name, ...described }),
    '/workspace/teams': name => create('/workspace/teams', { name, ...described }),
    '/workspace/members': name => create('/workspace/members', { name, role: 'member' }),
    '/integrations': name =>
      create('/integrations/connect', { integrationId: 'github', name, credentials }, app.testKey),
  }
  for (const [path, make] of Object.entries(kinds)) {
    await make('ÄRGER mit Σίσυφος')
    await make('Ärger')
    await make('100%_x')
    // Connections are simulated in the sandbox.
    const key = path === '/integrations' ? app.testKey : app.liveKey
    const found = (query: Query) => namesOf(path, query, key)
    assert.deepEqual(await found({ name: 'ärgER' }), ['Ärger'], path)
    assert.deepEqual(await found({ name: 'ärge' }), [], path)
    assert.deepEqual(await found({ query: 'ÄRG' }), ['Ärger', 'ÄRGER mit Σίσυφος'], path)
    assert.deepEqual(await found({ query: 'ίσυφ' }), ['ÄRGER mit Σίσυφος'], path)
    // A wildcard of SQL is a sign like any other.
    assert.deepEqual(await found({ query: '0%_' }), ['100%_x'], path)
    assert.deepEqual(await found({ query: 'r_r' }), [], path)
    const hasDescription = !['/workspace/members', '/integrations'].includes(path)
    if (hasDescription) assert.equal((await found({ query: 'STRASSE' })).length, 0, path)
    if (hasDescription) assert.equal((await found({ query: 'STRAß' })).length, 3, path)
    assert.equal((await faultsOf(path, { query: 'x'.repeat(201) }))[0].field, 'query')
    assert.equal((await faultsOf(path, { name: '' }))[0].field, 'name')
  }
  const { memberId } = await join(app)
  const { data } = (await app.request('GET', `/workspace/members/${memberId}`)).body
  const byEmail = await list('/workspace/members', { query: data.email.slice(1).toUpperCase() })
  assert.deepEqual(
    byEmail.data.map(({ id }: Read) => id),
    [memberId],
  )
})

test('a list is walked in each of its orders, ties by id, and rows that change meanwhile come once', async () => {
  const { testKey } = app
  const made: Read[] = []
  for (const name of ['beta', 'Alpha', 'alpha', 'Gamma', 'Ägir']) {
    made.push(await createAgentIn(app, { name, tools: [] }, testKey))
    skippedMs += 1_000
  }
  const patch = async (id: string) => {
    skippedMs += 1_000
    await app.request('PATCH', `/agents/${id}`, { key: testKey, body: { description: 'changed' } })
  }
  await patch(made[1].id)
  const inTest = async (query: Query) => await namesOf('/agents', query, testKey)
  assert.deepEqual(await inTest({}), ['Ägir', 'Gamma', 'alpha', 'Alpha', 'beta'])
  assert.deepEqual(await inTest({ sort: '-createdAt' }), ['Ägir', 'Gamma', 'alpha', 'Alpha', 'beta'])
  assert.deepEqual(await inTest({ sort: 'createdAt' }), ['beta', 'Alpha', 'alpha', 'Gamma', 'Ägir'])
  assert.deepEqual(await inTest({ sort: 'name' }), ['Alpha', 'alpha', 'beta', 'Gamma', 'Ägir'])
  assert.deepEqual(await inTest({ sort: '-name' }), ['Ägir', 'Gamma', 'beta', 'alpha', 'Alpha'])
  assert.deepEqual(await inTest({ sort: 'updatedAt' }), ['beta', 'alpha', 'Gamma', 'Ägir', 'Alpha'])
  assert.deepEqual(await inTest({ sort: '-updatedAt' }), ['Alpha', 'Ägir', 'Gamma', 'alpha', 'beta'])

  const page = async (query: Query) => await list('/agents', { pageSize: 2, ...query }, testKey)
  const first = await page({ sort: '-updatedAt' })
  assert.deepEqual([first.data.map(({ name }: Read) => name), first.meta.total], [['Alpha', 'Ägir'], 5])
  // The last row that was seen moves to the front: the walk neither begins again nor skips one.
  await patch(made[4].id)
  const second = await page({ sort: '-updatedAt', after: first.meta.next })
  assert.deepEqual([second.data.map(({ name }: Read) => name), second.meta.total], [['Gamma', 'alpha'], 5])
  const third = await page({ sort: '-updatedAt', after: second.meta.next })
  assert.deepEqual([third.data.map(({ name }: Read) => name), third.meta.next], [['beta'], null])
  assert.equal('next' in (await page({})).meta, false)
})

test('every list that can be sorted is walked whole in each of its orders', async () => {
  const collectionId = await createCollection(app)
  const agent = await createAgentIn(app, { name: 'Walker', tools: [] })
  for (const name of ['b.txt', 'a.txt', 'c.txt']) {
    await uploadAndWait(app, { collectionId, name, content: `It is ${name}.`, key: app.liveKey })
    await create(`/agents/${agent.id}/run`, { prompt: name })
    await createTeam(app, name)
    await createCollection(app, app.liveKey, name)
  }
  const sortable = app.app.routes.filter(({ list }) => list?.sorts !== undefined)
  assert.equal(sortable.length, 10)
  for (const { path, list: options } of sortable) {
    const asked = path.replace('/agents/:id', `/agents/${agent.id}`)
    const at = asked.replace(':id', (await list('/workspace/teams')).data[0].id)
    const whole = (await list(at)).data.map(({ id }: Read) => id)
    for (const field of options?.sorts ?? []) {
      for (const sort of [field, `-${field}`]) {
        const walked = await walk(at, { sort })
        assert.deepEqual(walked.map(({ id }) => id).sort(), whole.toSorted(), `${at} ${sort}`)
        const values = walked.map(item => String(item[field]).toLowerCase())
        const sorted = values.toSorted()
        assert.deepEqual(values, sort === field ? sorted : sorted.reverse(), `${at} ${sort}`)
      }
    }
  }
})

test('documents that match a filter are sorted and dated like all others', async () => {
  const collectionId = await createCollection(app)
  const ids: string[] = []
  for (const part of ['one', 'two', 'three', 'four']) {
    const { id } = await create('/knowledge/documents', { collectionId, text: part, metadata: { part } })
    ids.push(id)
  }
  const filter = JSON.stringify({ field: 'part', op: 'ne', value: 'two' })
  const [one, , three, four] = ids
  const walked = async (query: Query) =>
    (await walk('/knowledge/documents', { collectionId, filter, ...query })).map(({ id }) => id)
  assert.deepEqual(await walked({ sort: 'createdAt' }), [one, three, four])
  assert.deepEqual(await walked({ sort: '-createdAt' }), [four, three, one])
  skippedMs += 60_000
  await app.request('PATCH', `/knowledge/documents/${one}`, { body: { title: 'Newest' } })
  const { updatedAt } = (await app.request('GET', `/knowledge/documents/${one}`)).body.data
  assert.equal((await walked({ sort: '-updatedAt' }))[0], one)
  assert.deepEqual(await walked({ sort: 'updatedAt', updatedAfter: updatedAt }), [one])
  assert.equal((await walked({ sort: 'updatedAt', updatedBefore: updatedAt })).length, 2)
})

test('a cursor of another order, or one that no reply gave, is a 400 that says to ask for the same sort', async () => {
  const byName = (await list('/agents', { sort: 'name', pageSize: 1 })).meta.next
  const usual = (await list('/agents', { sort: '-createdAt', pageSize: 1 })).meta
  const [{ id }] = (await list('/agents')).data
  assert.equal(usual.next, id)
  const forged = (...parts: unknown[]) => Buffer.from(JSON.stringify(parts)).toString('base64url')
  const cases: Query[] = [
    { after: byName },
    { after: byName, sort: '-name' },
    { after: byName, sort: 'updatedAt' },
    { after: id, sort: 'name' },
    { after: id, sort: 'createdAt' },
    { after: forged('name', 7, id), sort: 'name' },
    { after: forged('name', 'a\0b', id), sort: 'name' },
    { after: forged('name', '\ud800', id), sort: 'name' },
    { after: forged('updatedAt', '7', id), sort: 'updatedAt' },
    { after: forged('updatedAt', 7.5, id), sort: 'updatedAt' },
    { after: forged('updatedAt', 7, 'x'), sort: 'updatedAt' },
    { after: forged('createdAt', 7, id), sort: 'createdAt' },
    { after: forged({ length: 3 }), sort: 'name' },
    { after: 'nonsense', sort: 'name' },
  ]
  for (const query of cases) {
    const [fault] = await faultsOf('/agents', query)
    assert.equal(fault.field, 'after', JSON.stringify(query))
    assert.match(fault.message, /ask for the same `sort`/, JSON.stringify(query))
  }
  assert.equal((await list('/agents', { after: id, sort: '-createdAt' })).meta.next, null)
  assert.equal((await faultsOf('/agents', { sort: 'model' }))[0].field, 'sort')
  // A cursor is a place in the order: it shows nothing of who else is there.
  const stranger = await app.createWorkspace()
  const key = await app.createKey({ workspaceId: stranger.workspaceId, userId: stranger.ownerId })
  assert.deepEqual((await list('/agents', { after: byName, sort: 'name' }, key)).data, [])
})

test('dates mean the same in every list: from an instant on, up to another, which is later', async () => {
  const [path, before] = ['/agents', (await list('/agents')).data]
  const { createdAt, updatedAt, id } = before[1]
  const idsOf = async (query: Query) => (await list(path, query)).data.map((item: Read) => item.id)
  const nextMs = new Date(Date.parse(createdAt) + 1).toISOString()
  assert.ok((await idsOf({ createdAfter: createdAt, createdBefore: nextMs })).includes(id))
  assert.ok(!(await idsOf({ createdBefore: createdAt })).includes(id))
  assert.ok(!(await idsOf({ createdAfter: nextMs })).includes(id))
  assert.ok((await idsOf({ updatedAfter: updatedAt })).includes(id))
  assert.ok(!(await idsOf({ updatedBefore: updatedAt })).includes(id))
  assert.ok((await idsOf({ createdAfter: createdAt.replace('Z', '+00:00') })).includes(id))

  const dated = app.app.routes.filter(({ list }) => list?.dates !== undefined)
  assert.ok(dated.length >= 20, String(dated.length))
  for (const route of dated.filter(({ path }) => !path.includes(':id'))) {
    for (const date of route.list?.dates ?? []) {
      const [from, until] = [`${date}After`, `${date}Before`]
      const whole = (await list(route.path)).meta.total
      const longAgo = '2020-01-01T00:00:00.000Z'
      assert.equal((await list(route.path, { [from]: longAgo })).meta.total, whole, route.path)
      assert.equal((await list(route.path, { [until]: longAgo })).meta.total, 0, route.path)
      const [fault] = await faultsOf(route.path, { [from]: longAgo, [until]: longAgo })
      assert.deepEqual([fault.field, fault.message], [until, `must be later than \`${from}\``], route.path)
      assert.equal((await faultsOf(route.path, { [from]: 'today' }))[0].field, from)
    }
  }
})
