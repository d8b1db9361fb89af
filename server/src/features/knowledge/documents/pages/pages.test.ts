/** Pages as pictures, over HTTP. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { inflateSync } from 'node:zlib'
import { createCollection, uploadAndWait } from '../../../../testing/knowledge/knowledge.ts'
import { pdfOf, placedPdfOf } from '../../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../../testing/test-app.ts'

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

const boxesOf = (id: string, page: number | string, query: Record<string, number>) =>
  app.request('GET', `/knowledge/documents/${id}/pages/${page}/boxes`, { query })

test('a passage is found on its page, a box for each line, on a page that is turned as well', async () => {
  const texts = ['The first line is here.', 'And the second line below.', 'A third one.']
  const whole = placedPdfOf(texts.map((text, line) => ({ text, x: 100, y: 700 - 40 * line }))).toString(
    'latin1',
  )
  const id = await upload('lines.pdf', Buffer.from(whole, 'latin1'))
  const { body: content } = await app.request('GET', `/knowledge/documents/${id}/content`)
  const from = content.data.text.indexOf('second')
  const { status, body } = await boxesOf(id, 1, { from, to: from + 'second line below'.length })
  assert.equal(status, 200)
  const [box, ...others] = body.data.boxes
  assert.deepEqual(others, [])
  const all = await boxesOf(id, 1, { from: 0, to: content.data.text.length })
  assert.equal(all.body.data.boxes.length, 3)
  const [first, second, third] = all.body.data.boxes
  assert.ok(first.bottom < third.top && second.left < box.left && box.right <= second.right)
  assert.ok(Math.abs(box.top - second.top) < 0.001)
  // A line as it is shown on a turned page runs downwards.
  const turned = await upload(
    'turned.pdf',
    Buffer.from(whole.replace('/Type/Page/', '/Type/Page/Rotate 90/'), 'latin1'),
  )
  const upright = (await boxesOf(turned, 1, { from, to: from + 6 })).body.data.boxes[0]
  assert.ok(upright.bottom - upright.top > upright.right - upright.left)
})

test('a passage of another page has no boxes; a page or a file that is not there is refused as for pictures', async () => {
  const id = await upload('pages.pdf', pdfOf('Wombats dig burrows.', 'Kangaroos jump very far.'))
  const { body } = await boxesOf(id, 2, { from: 0, to: 20 })
  assert.deepEqual(body.data, { documentId: id, documentVersion: 1, page: 2, boxes: [] })
  for (const page of [3, 0, 'x', 999_999_999])
    assert.equal((await boxesOf(id, page, { from: 0, to: 20 })).status, 404)
  const text = await upload('text.txt', 'Only words.')
  const refused = await boxesOf(text, 1, { from: 0, to: 4 })
  assert.deepEqual([refused.status, refused.body.code], [409, 'no_pages'])
  assert.deepEqual((await boxesOf(id, 1, { from: 9, to: 4 })).body.errors[0].field, 'to')
})
