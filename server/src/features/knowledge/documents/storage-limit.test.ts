import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, put, putAndWait, upload } from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp

before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'storageMb=1' } })
})
after(() => app.close())

const kilobytes = (count: number, letter: string): string => letter.repeat(count * 1_024)

test('uploads and new versions that come at once, into whatever collections, do not exceed the storage together', async () => {
  const collections = await Promise.all(Array.from({ length: 12 }, () => createCollection(app)))
  const [first = ''] = collections
  await putAndWait(app, { collectionId: first, externalId: 'known', content: 'A small one.' })
  const replies = await Promise.all([
    ...collections.map((collectionId, index) =>
      upload(app, { collectionId, content: kilobytes(300, String.fromCharCode(97 + index)) }),
    ),
    put(app, { collectionId: first, externalId: 'known', content: kilobytes(300, 'z') }),
  ])
  const taken = replies.filter(({ status }) => status === 200 || status === 201)
  const refused = replies.filter(({ body }) => body.code === 'storage_limit')
  assert.deepEqual([taken.length, refused.length], [3, 10])
  const { data } = (await app.request('GET', '/usage')).body
  assert.ok(JSON.stringify(data).includes(String(3 * 300 * 1_024 + 12)), JSON.stringify(data))
})
