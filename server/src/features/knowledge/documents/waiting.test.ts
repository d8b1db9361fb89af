import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, put, putAndWait, upload } from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

const wait = (seconds: number) => ({ headers: { prefer: `wait=${seconds}` } })

test('bringing a version back and reading a document again wait for the new version where that is preferred', async () => {
  const target = { collectionId, externalId: 'waiting' }
  const { id } = await putAndWait(app, { ...target, content: 'The first gharial.' })
  await putAndWait(app, { ...target, content: 'The second gharial.' })
  const restored = await app.request('POST', `/knowledge/documents/${id}/versions/1/restore`, wait(30))
  const { status, version, servedVersion } = restored.body.data
  assert.deepEqual([restored.status, status, version, servedVersion], [201, 'ready', 3, 3])
  const again = await app.request('POST', `/knowledge/documents/${id}/reprocess`, wait(30))
  assert.deepEqual([again.status, again.body.data.status, again.body.data.servedVersion], [202, 'ready', 4])
  const hasty = await app.request('POST', `/knowledge/documents/${id}/reprocess`, {
    headers: { prefer: 'wait=30, respond-async' },
  })
  assert.deepEqual([hasty.status, hasty.body.data.servedVersion], [202, 4])
})

test('who waits while no worker runs is answered in the end with the document as it stands', async () => {
  await app.app.services.worker.drain(10_000)
  const present = await upload(app, { collectionId })
  const path = `/knowledge/documents/${present.body.data.id}`
  const order: string[] = []
  const note =
    (name: string) =>
    <T>(reply: T): T => {
      order.push(name)
      return reply
    }
  const [uploaded, written, read] = await Promise.all([
    upload(app, { collectionId, ...wait(1) }).then(note('waited')),
    put(app, { collectionId, externalId: 'unknown', ...wait(1) }).then(note('waited')),
    app.request('GET', path, wait(1)).then(note('waited')),
    app.request('GET', path).then(note('did not wait')),
  ])
  assert.deepEqual([uploaded.status, uploaded.body.data.status], [201, 'queued'])
  assert.deepEqual([written.status, written.body.data.status], [201, 'queued'])
  assert.deepEqual([read.status, read.body.data.status], [200, 'queued'])
  assert.equal(order[0], 'did not wait')
})
