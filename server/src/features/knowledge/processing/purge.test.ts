import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { filesWithCanaries, putCanaries } from '../../../testing/canaries.ts'
import { createCollection, search, untilNoJobs, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

test('the words of an erased document can be read in no file of the server once its jobs are done', async () => {
  for (let n = 0; n < 12; n++)
    await uploadAndWait(app, { collectionId, content: `A jxqpneighbour stays, ${n}.` })
  const id = await putCanaries(app, collectionId, 'first')
  for (let n = 0; n < 12; n++)
    await uploadAndWait(app, { collectionId, content: `Another jxqpneighbour, ${n}.` })
  assert.notDeepEqual(await filesWithCanaries(app), [])
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}?erase=true`)).status, 204)
  await untilNoJobs(app)
  assert.deepEqual(await filesWithCanaries(app), [])
  assert.equal((await search(app, 'jxqpneighbour')).length, 10)
})
