/** The names of uploaded files, which come from strangers and go into paths, records and headers. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, upload } from '../../../testing/knowledge.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string

before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

test('a name with folders, control characters or nothing in it harms nobody', async () => {
  for (const name of ['../../etc/passwd', '..\\..\\boot.ini', 'a\r\nSet-Cookie: x.txt', '\u202etxt.exe']) {
    const reply = await upload(app, { collectionId, name })
    assert.equal(reply.status, 201, name)
    const { data } = reply.body
    assert.ok(!/[/\\\r\n]/.test(data.name), data.name)
    assert.equal((await app.request('GET', `/knowledge/documents/${data.id}/original`)).status, 200)
  }
})

test('a name that no header can carry is refused: too long, or with control characters', async () => {
  for (const disposition of [`filename="${'n'.repeat(252)}.txt"`, "filename*=utf-8''a%00b.txt"]) {
    const lines = [
      '--edge\r\nContent-Disposition: form-data; name="collectionId"\r\n',
      collectionId,
      `--edge\r\nContent-Disposition: form-data; name="file"; ${disposition}\r\n`,
      'A note.',
      '--edge--\r\n',
    ]
    const headers = { 'content-type': 'multipart/form-data; boundary=edge' }
    const reply = await app.request('POST', '/knowledge/documents', { headers, body: lines.join('\r\n') })
    assert.equal(reply.status, 400, disposition)
    const [error, ...more] = reply.body.errors
    assert.deepEqual([error.field, more], ['file', []])
    assert.match(error.message, /file name of at most 255 characters/)
  }
})
