import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createSyncs, entry, numbered, type Syncs } from '../../../testing/knowledge/syncs.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionOf: Syncs['collectionOf']
let post: Syncs['post']
let open: Syncs['open']
let externalIdsIn: Syncs['externalIdsIn']
before(async () => {
  app = await startTestApp()
  ;({ collectionOf, post, open, externalIdsIn } = createSyncs(app))
})
after(() => app.close())

test('deleting nine of ten documents is refused until their exact number is confirmed', async () => {
  const collectionId = await collectionOf(numbered(10))
  const { id } = (await open(collectionId, { entries: [entry('doc-0', 'Text 0.')] })).body.data.sync
  const refused = await post(`/knowledge/syncs/${id}/complete`)
  assert.deepEqual([refused.status, refused.body.code], [409, 'delete_guard'])
  assert.match(refused.body.message, /9 of 10/)
  assert.deepEqual(refused.body.errors, [{ field: 'confirmDeletes', message: 'must be 9' }])
  assert.deepEqual(refused.body.details, { confirmDeletes: 9, of: 10 })
  const wrong = await post(`/knowledge/syncs/${id}/complete`, { confirmDeletes: 8 })
  assert.equal(wrong.body.code, 'delete_guard')
  assert.equal((await externalIdsIn(collectionId)).length, 10)
  const completed = await post(`/knowledge/syncs/${id}/complete`, { confirmDeletes: 9 })
  assert.equal(completed.body.data.deleted, 9)
  assert.deepEqual(await externalIdsIn(collectionId), ['doc-0'])
})

test('the guard counts shares of what the source had before, and the session chooses its share', async () => {
  const collectionId = await collectionOf(numbered(10))
  const keep = (count: number) =>
    Object.entries(numbered(count)).map(([externalId, text]) => entry(externalId, text))
  const added = Array.from({ length: 50 }, (_, index) => entry(`added-${index}`, 'x'))
  const first = (await open(collectionId, { entries: [...keep(7), ...added] })).body.data.sync
  assert.equal((await post(`/knowledge/syncs/${first.id}/complete`)).body.code, 'delete_guard')
  await post(`/knowledge/syncs/${first.id}/cancel`)
  const generous = await open(collectionId, { entries: keep(7), maxDeleteShare: 0.3 })
  const completed = await post(`/knowledge/syncs/${generous.body.data.sync.id}/complete`)
  assert.equal(completed.body.data.deleted, 3)
})

test('one or two documents may always go, three of three may not', async () => {
  const two = await collectionOf(numbered(2))
  const opened = await open(two, {})
  assert.equal((await post(`/knowledge/syncs/${opened.body.data.sync.id}/complete`)).body.data.deleted, 2)
  const three = await collectionOf(numbered(3))
  const { id } = (await open(three, {})).body.data.sync
  assert.equal((await post(`/knowledge/syncs/${id}/complete`)).status, 409)
})
