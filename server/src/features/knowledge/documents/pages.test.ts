/** Pages as pictures, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { createCollection, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { pdfOf } from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string
before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

const pageOf = (id: string, page: number | string, query = '', key = app.liveKey.key) =>
  app.app.server.inject({
    url: `/api/v1/knowledge/documents/${id}/pages/${page}${query}`,
    headers: { authorization: `Bearer ${key}` },
  })

const upload = async (name: string, content: string | Buffer): Promise<string> =>
  (await uploadAndWait(app, { collectionId, name, content })).id

/** Width and height of a PNG, and how many of its dots are not white. */
function read(png: Buffer): { width: number; height: number; marks: number } {
  assert.equal(png.toString('latin1', 1, 4), 'PNG')
  const [width, height] = [png.readUInt32BE(16), png.readUInt32BE(20)]
  const rows = inflateSync(png.subarray(41, 41 + png.readUInt32BE(33)))
  assert.equal(rows.length, (width * 3 + 1) * height)
  let marks = 0
  for (let y = 0; y < height; y++) {
    const row = rows.subarray(y * (width * 3 + 1) + 1, (y + 1) * (width * 3 + 1))
    for (let x = 0; x < row.length; x += 3) if (row[x] !== 255) marks++
  }
  return { width, height, marks }
}

test('a page of a PDF is drawn with its words, as large as asked for', async () => {
  const id = await upload('two.pdf', pdfOf('The first page has many words.', 'Two'))
  const first = await pageOf(id, 1)
  assert.deepEqual([first.statusCode, first.headers['content-type']], [200, 'image/png'])
  const usual = read(first.rawPayload)
  assert.equal(Math.max(usual.width, usual.height), 1_600)
  const second = read((await pageOf(id, 2, '?size=400')).rawPayload)
  assert.equal(Math.max(second.width, second.height), 400)
  const small = read((await pageOf(id, 1, '?size=400')).rawPayload)
  assert.ok(small.marks > second.marks && second.marks > 0, `${small.marks} and ${second.marks}`)
})

test('a picture that the client has already is not sent again', async () => {
  const id = await upload('one.pdf', pdfOf('One page.'))
  const { headers } = await pageOf(id, 1)
  const again = await app.app.server.inject({
    url: `/api/v1/knowledge/documents/${id}/pages/1`,
    headers: { authorization: `Bearer ${app.liveKey.key}`, 'if-none-match': String(headers.etag) },
  })
  assert.equal(again.statusCode, 304)
})

test('a page that is not there is a 404, and a file without pages a 409', async () => {
  const id = await upload('three.pdf', pdfOf('One page.'))
  for (const page of [2, 0, -1, 'x', 999_999_999]) {
    const reply = await pageOf(id, page)
    assert.deepEqual([reply.statusCode, reply.json().details.resource], [404, 'page'], String(page))
  }
  const text = await pageOf(await upload('a.txt', 'No pages.'), 1)
  assert.deepEqual([text.statusCode, text.json().code], [409, 'no_pages'])
  assert.equal(text.json().details.reason, 'not_a_pdf')
})

test('a page of more than 2,000 pixels is refused, naming the field', async () => {
  const id = await upload('four.pdf', pdfOf('One page.'))
  for (const size of [0, 15, 2_001, 1e9]) {
    const reply = await pageOf(id, 1, `?size=${size}`)
    assert.deepEqual([reply.statusCode, reply.json().errors[0].field], [400, 'size'])
  }
})

test('a page drawn before is not shown to a key of the other environment, nor after the document is deleted', async () => {
  const id = await upload('five.pdf', pdfOf('One page.'))
  assert.equal((await pageOf(id, 1)).statusCode, 200)
  assert.equal((await pageOf(id, 1, '', app.testKey.key)).statusCode, 404)
  assert.equal((await app.request('DELETE', `/knowledge/documents/${id}`)).status, 204)
  assert.equal((await pageOf(id, 1)).statusCode, 404)
})
