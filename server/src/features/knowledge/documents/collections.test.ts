import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { eventually } from '../../../testing/eventually.ts'
import { createCollection, search, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp()
})
after(() => app.close())

test('a collection is made, read, changed and deleted, two of one name are two', async () => {
  const made = await app.request('POST', '/knowledge/collections', { body: { name: 'A', description: 'B' } })
  assert.equal(made.status, 201)
  const { id } = made.body.data
  assert.equal(made.headers.location, `/api/v1/knowledge/collections/${id}`)
  assert.notEqual(await createCollection(app, undefined, 'A'), id)
  const changed = await app.request('PATCH', `/knowledge/collections/${id}`, { body: { description: null } })
  assert.deepEqual([changed.body.data.name, changed.body.data.description], ['A', null])
  assert.equal((await app.request('DELETE', `/knowledge/collections/${id}`)).status, 204)
  for (const method of ['GET', 'DELETE'] as const) {
    assert.equal((await app.request(method, `/knowledge/collections/${id}`)).status, 404)
  }
})

test('faulty bodies name their fields', async () => {
  const faulty: [body: unknown, field: string][] = [
    [{}, 'name'],
    [{ name: '' }, 'name'],
    [{ name: ' \n' }, 'name'],
    [{ name: 'x'.repeat(201) }, 'name'],
    [{ name: 7 }, 'name'],
    [{ name: 'x', descripton: 'y' }, 'descripton'],
  ]
  for (const [body, field] of faulty) {
    const reply = await app.request('POST', '/knowledge/collections', { body })
    assert.deepEqual([reply.status, reply.body.errors[0].field], [400, field])
  }
})

test('a change with an old ETag is refused, and of two changes at once none is lost unseen', async () => {
  const id = await createCollection(app)
  const { headers } = await app.request('GET', `/knowledge/collections/${id}`)
  const change = (name: string) =>
    app.request('PATCH', `/knowledge/collections/${id}`, {
      body: { name },
      headers: { 'if-match': String(headers.etag) },
    })
  const replies = await Promise.all([change('one'), change('two')])
  assert.deepEqual(replies.map(({ status }) => status).sort(), [200, 412])
})

test('erasing a collection tells first what goes, then hides everything in it at once and erases it', async () => {
  const id = await createCollection(app)
  const { id: documentId } = await uploadAndWait(app, { collectionId: id, content: 'okapi' })
  await upload(app, { collectionId: id, content: 'Another one' })
  const dry = await app.request('DELETE', `/knowledge/collections/${id}?dryRun=true`)
  const effects = dry.body.data.effects.map(({ resource, count }: { resource: string; count: number }) => [
    resource,
    count,
  ])
  assert.deepEqual(effects, [
    ['collection', 1],
    ['document', 2],
  ])
  assert.equal((await search(app, 'okapi')).length, 1)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${id}?erase=true`)).status, 204)
  assert.deepEqual(await search(app, 'okapi'), [])
  assert.equal((await app.request('GET', `/knowledge/documents/${documentId}`)).status, 404)
  const listed = await app.request('GET', '/knowledge/documents', { query: { collectionId: id } })
  assert.deepEqual([listed.status, listed.body.errors[0].field], [400, 'collectionId'])
  await untilErased(id)
})

test('a key that is narrowed to collections sees those only, and makes no others', async () => {
  const id = await createCollection(app)
  const other = await createCollection(app)
  const key = await app.createKey({ collectionIds: [id] })
  const listed = await app.request('GET', '/knowledge/collections', { key })
  assert.deepEqual([listed.body.meta.total, listed.body.data[0].id], [1, id])
  for (const method of ['GET', 'DELETE'] as const) {
    assert.equal((await app.request(method, `/knowledge/collections/${other}`, { key })).status, 404)
  }
  const made = await app.request('POST', '/knowledge/collections', { key, body: { name: 'New' } })
  assert.deepEqual([made.status, made.body.code], [403, 'permission_missing'])
})

test('collections are listed newest first, page by page', async () => {
  const { workspaceId, ownerId } = await app.createWorkspace()
  const key = await app.createKey({ workspaceId, userId: ownerId })
  const ids: string[] = []
  for (let i = 0; i < 5; i++) ids.unshift(await createCollection(app, key, `Collection ${i}`))
  const page = async (query: Record<string, string | number>): Promise<string[]> => {
    const reply = await app.request('GET', '/knowledge/collections', { key, query })
    assert.equal(reply.body.meta.total, 5)
    return reply.body.data.map((collection: { id: string }) => collection.id)
  }
  assert.deepEqual(await page({ pageSize: 2 }), ids.slice(0, 2))
  assert.deepEqual(await page({ pageSize: 2, page: 3 }), ids.slice(4))
  assert.deepEqual(await page({ pageSize: 2, after: ids[1] ?? '' }), ids.slice(2, 4))
})

/** Not a row of it and not a file is left in the end. */
async function untilErased(collectionId: string): Promise<void> {
  const { read } = app.dependencies.database
  const rows = async (): Promise<number> => {
    const collections = await read
      .selectFrom('collections')
      .select('id')
      .where('id', '=', collectionId)
      .execute()
    const documents = await read
      .selectFrom('documents')
      .select('id')
      .where('collection_id', '=', collectionId)
      .execute()
    const chunks = await read
      .selectFrom('chunks')
      .select('id')
      .where('collection_id', '=', collectionId)
      .execute()
    return collections.length + documents.length + chunks.length
  }
  await eventually('no row is left', async () => (await rows()) === 0)
  const used = await read.selectFrom('documents').select('blob_id').execute()
  const files = await Array.fromAsync(app.dependencies.blobs.ids())
  assert.deepEqual(
    files.filter(id => !used.some(({ blob_id }) => blob_id === id)),
    [],
  )
}
