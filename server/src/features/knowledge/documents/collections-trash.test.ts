import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { dayMs } from '../../../platform/clock.ts'
import { createCollection, search, untilNoJobs, uploadAndWait } from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let nowMs = Date.now()

before(async () => {
  app = await startTestApp({ clock: () => nowMs })
})
after(() => app.close())

const get = (id: string) => app.request('GET', `/knowledge/documents/${id}`)
const restore = (id: string) =>
  app.request('POST', `/knowledge/documents/${id}/restore`, { headers: { prefer: 'wait=30' } })
const remove = async (id: string): Promise<void> =>
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
const found = async (query: string): Promise<string[]> =>
  (await search(app, query)).map(hit => hit.documentId)

test('a collection goes to the trash with its documents and comes back with them, found from the reply on', async () => {
  const own = await createCollection(app)
  const { id } = await uploadAndWait(app, { collectionId: own, content: 'The gerenuk stands.' })
  const { id: apart } = await uploadAndWait(app, { collectionId: own, content: 'The gerenuk lies.' })
  await remove(apart)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${own}`)).status, 204)
  assert.deepEqual(await found('gerenuk'), [])
  assert.equal((await get(id)).status, 404)
  assert.equal((await restore(apart)).status, 404)
  const listed = (await app.request('GET', '/knowledge/trash/collections')).body.data
  assert.deepEqual([listed[0].id, listed[0].documentCount], [own, 1])
  const back = await app.request('POST', `/knowledge/collections/${own}/restore`)
  assert.deepEqual([back.status, back.body.data.documentCount], [200, 1])
  assert.deepEqual(await found('gerenuk'), [id])
  assert.equal((await restore(apart)).status, 200)
  assert.deepEqual((await found('gerenuk')).sort(), [id, apart].sort())
  assert.equal((await app.request('POST', `/knowledge/collections/${own}/restore`)).status, 409)
})

test('a collection is erased when its time is over, or at once, also out of the trash', async () => {
  const ids = [await createCollection(app), await createCollection(app), await createCollection(app)]
  const [late = '', atOnce = '', fromTrash = ''] = ids
  for (const own of ids) await uploadAndWait(app, { collectionId: own, content: 'The okapi.' })
  await app.request('DELETE', `/knowledge/collections/${late}`)
  await app.request('DELETE', `/knowledge/collections/${fromTrash}`)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${atOnce}?erase=true`)).status, 204)
  assert.equal((await app.request('DELETE', `/knowledge/collections/${fromTrash}?erase=true`)).status, 204)
  assert.equal((await app.request('POST', `/knowledge/collections/${fromTrash}/restore`)).status, 404)
  await untilNoJobs(app)
  assert.deepEqual(await collectionsLeft(ids), [late])
  nowMs += 31 * dayMs
  await app.app.services.trash.sweep()
  await untilNoJobs(app)
  assert.deepEqual(await collectionsLeft(ids), [])
  assert.deepEqual(await found('okapi'), [])
})

async function collectionsLeft(ids: string[]): Promise<string[]> {
  const { read } = app.dependencies.database
  const rows = await read.selectFrom('collections').select('id').where('id', 'in', ids).execute()
  const documents = await read
    .selectFrom('documents')
    .select('id')
    .where('collection_id', 'in', ids)
    .execute()
  assert.equal(documents.length, rows.length)
  return rows.map(({ id }) => id)
}
