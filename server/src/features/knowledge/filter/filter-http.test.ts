import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp, type TestKey, type TestReply } from '../../../testing/test-app.ts'

let app: TestApp
let handbook: string
let secret: string

before(async () => {
  app = await startTestApp()
  handbook = await createCollection(app, undefined, 'Handbook')
  secret = await createCollection(app, undefined, 'Secret')
  const add = (collectionId: string, name: string, metadata: object) =>
    uploadAndWait(app, {
      collectionId,
      name,
      content: `Everything on leave: ${name}.`,
      fields: { externalId: name, metadata: JSON.stringify(metadata) },
    })
  await add(handbook, 'a.txt', { department: 'people', year: 2025, tags: ['leave', 'pay'], reviewed: true })
  await add(handbook, 'b.txt', { department: 'people', year: 2026, since: '2026-03-01', größe: 'L' })
  await add(handbook, 'c.txt', { department: 'sales', year: 2026, since: '2026-05-01T12:00:00+02:00' })
  await add(handbook, 'd.md', {})
  await add(secret, 'e.txt', { department: 'people', year: 2026 })
})
after(() => app.close())

const list = (
  filter: unknown,
  key?: TestKey,
  more: Record<string, string | number> = {},
): Promise<TestReply> =>
  app.request('GET', '/knowledge/documents', {
    query: { filter: typeof filter === 'string' ? filter : JSON.stringify(filter), ...more },
    key,
  })
const search = (filter: unknown, key?: TestKey): Promise<TestReply> =>
  app.request('GET', '/knowledge/search', {
    query: { query: 'leave', filter: JSON.stringify(filter) },
    key,
  })
const namesOf = ({ body }: TestReply): string[] =>
  body.data.map((one: { externalId: string }) => one.externalId).sort()

test('lists and searches find the same documents by the same filter, and count them', async () => {
  const cases: [unknown, string[]][] = [
    [{ field: 'department', op: 'eq', value: 'people' }, ['a.txt', 'b.txt', 'e.txt']],
    [{ field: 'department', op: 'ne', value: 'people' }, ['c.txt', 'd.md']],
    [{ field: 'year', op: 'gte', value: 2026 }, ['b.txt', 'c.txt', 'e.txt']],
    [{ field: 'tags', op: 'contains', value: 'pay' }, ['a.txt']],
    [{ field: 'department', op: 'contains', value: 'opl' }, ['a.txt', 'b.txt', 'e.txt']],
    [{ field: 'reviewed', op: 'eq', value: true }, ['a.txt']],
    [{ field: 'since', op: 'lt', value: '2026-05-01T11:00:00Z' }, ['b.txt', 'c.txt']],
    [{ field: 'since', op: 'gt', value: '2026-04-01' }, ['c.txt']],
    [{ field: 'größe', op: 'exists' }, ['b.txt']],
    [{ field: '$mediaType', op: 'eq', value: 'text/markdown' }, ['d.md']],
    [{ field: '$externalId', op: 'in', value: ['a.txt', 'e.txt'] }, ['a.txt', 'e.txt']],
    [{ field: '$createdAt', op: 'gt', value: '2020-01-01' }, ['a.txt', 'b.txt', 'c.txt', 'd.md', 'e.txt']],
    [
      {
        and: [
          { field: 'year', op: 'eq', value: 2026 },
          { not: { field: 'department', op: 'eq', value: 'sales' } },
        ],
      },
      ['b.txt', 'e.txt'],
    ],
    [{ field: "x' OR '1'='1", op: 'eq', value: "' OR 1=1 --" }, []],
  ]
  for (const [filter, expected] of cases) {
    const [listed, found] = [await list(filter), await search(filter)]
    assert.deepEqual(namesOf(listed), expected, JSON.stringify(filter))
    assert.equal(listed.body.meta.total, expected.length)
    assert.deepEqual(namesOf(found), expected, JSON.stringify(filter))
    assert.equal(found.body.meta.total, expected.length)
  }
  const page = await list({ field: 'year', op: 'exists' }, undefined, { pageSize: 2, collectionId: handbook })
  assert.deepEqual([page.body.data.length, page.body.meta.total], [2, 3])
})

test('a narrowed key and another workspace see no more by a filter than without one', async () => {
  const narrowed = await app.createKey({ collectionIds: [handbook] })
  const stranger = await app.createKey(await strangerOf())
  for (const ask of [list, search]) {
    const people = { field: 'department', op: 'eq', value: 'people' }
    const notSales = { field: 'department', op: 'ne', value: 'sales' }
    assert.deepEqual(namesOf(await ask(people, narrowed)), ['a.txt', 'b.txt'])
    assert.deepEqual(namesOf(await ask(notSales, narrowed)), ['a.txt', 'b.txt', 'd.md'])
    assert.deepEqual(namesOf(await ask(people, stranger)), [])
    assert.deepEqual(namesOf(await ask(notSales, stranger)), [])
  }
})

const strangerOf = async () => {
  const { workspaceId, ownerId } = await app.createWorkspace()
  return { workspaceId, userId: ownerId }
}

test('a faulty filter is a 400 that names the place, in lists and searches alike', async () => {
  const faulty = { and: [{ field: 'year', op: 'gt', value: true }, {}] }
  for (const reply of [await list(faulty), await search(faulty)]) {
    assert.equal(reply.status, 400)
    assert.deepEqual(
      reply.body.errors.map(({ field }: { field: string }) => field),
      ['filter.and.0.value', 'filter.and.1'],
    )
  }
  assert.match((await list('{"field"')).body.errors[0].message, /must be valid JSON/)
})

test('metadata of another type is a 400 that names its key and what it may be', async () => {
  const cases: [object, string, RegExp][] = [
    [{ a: { b: 1 } }, 'metadata.a', /a string or a number or true or false or a list/],
    [{ a: null }, 'metadata.a', /a string or a number/],
    [{ a: [1, 2] }, 'metadata.a.0', /must be a string/],
    [{ a: ['x', null] }, 'metadata.a.1', /must be a string/],
    [{ $name: 'x' }, 'metadata.$name', /must not begin with \$/],
    [{ a: 'x'.repeat(2_001) }, 'metadata.a', /at most 2000/],
    [Object.fromEntries(Array.from({ length: 51 }, (_, i) => [`k${i}`, i])), 'metadata', /at most 50/],
    [{ a: 'x\0y' }, 'metadata.a', /NUL/],
  ]
  for (const [metadata, field, message] of cases) {
    const reply = await upload(app, {
      collectionId: handbook,
      fields: { metadata: JSON.stringify(metadata) },
    })
    assert.equal(reply.status, 400, JSON.stringify(metadata))
    assert.equal(reply.body.errors[0].field, field)
    assert.match(reply.body.errors[0].message, message)
  }
})
