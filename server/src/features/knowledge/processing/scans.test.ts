/** Pictures and scans over HTTP, with the settings of a first start. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { readSettings } from '../../../settings/settings.ts'
import {
  createCollection,
  onceSettled,
  search,
  upload,
  uploadAndWait,
} from '../../../testing/knowledge/knowledge.ts'
import { mixedPdfOf } from '../../../testing/knowledge/sample-files.ts'
import { scanned } from '../../../testing/knowledge/scans.ts'
import { startTestApp } from '../../../testing/test-app.ts'
import { parserOptions } from '../feature.ts'

const heron = await scanned('A heron stands in the shallows at dusk.')

test('a scanned page is found by its words, with its number, and later documents do not wait for it', async t => {
  const app = await startTestApp({ settings: { ATRIUM_JOB_CONCURRENCY: '2' } })
  t.after(() => app.close())
  const collectionId = await createCollection(app)
  const scans = Array.from({ length: 3 }, (_, index) => mixedPdfOf(`Folder ${index}`, [heron]))
  const ids: string[] = []
  for (const [index, content] of scans.entries()) {
    const { body } = await upload(app, { collectionId, name: `scan-${index}.pdf`, content })
    ids.push(body.data.id)
  }
  const letter = await uploadAndWait(app, {
    collectionId,
    name: 'later.pdf',
    content: mixedPdfOf('A letter', []),
  })
  assert.equal(letter.status, 'ready')
  const states = await Promise.all(ids.map(id => app.request('GET', `/knowledge/documents/${id}`)))
  assert.ok(states.some(({ body }) => body.data.status !== 'ready'))
  const [first = ''] = ids
  const { status, pageCount, warnings } = await onceSettled(app, { id: first, status: 'queued' })
  assert.deepEqual([status, pageCount, warnings], ['ready', 2, []])
  const found = (await search(app, 'shallows heron')).find(({ documentId }) => documentId === first)
  assert.equal(found.location.page, 2, JSON.stringify(found))
})

test('where recognition is switched off, a PDF with text and scans keeps its text, and a picture fails as no_text', async t => {
  const app = await startTestApp({ settings: { ATRIUM_OCR: 'off' } })
  t.after(() => app.close())
  const collectionId = await createCollection(app)
  const mixed = await uploadAndWait(app, {
    collectionId,
    name: 'a.pdf',
    content: mixedPdfOf('Birds', [heron]),
  })
  const unread = [{ code: 'pages_without_text', count: 1, pages: [2] }]
  assert.deepEqual([mixed.status, mixed.warnings], ['ready', unread])
  const picture = await uploadAndWait(app, { collectionId, name: 'a.png', content: heron.png })
  assert.equal(picture.error.code, 'no_text')
  assert.match(picture.error.message, /switched off/)
})

test('a language whose data is not installed is refused with the command that installs it', () => {
  const settings = readSettings({ ATRIUM_OCR_LANGUAGES: 'eng,xyz' })
  assert.throws(
    () => parserOptions(settings, null),
    /ATRIUM_OCR_LANGUAGES: .*npm install @tesseract\.js-data\/xyz/,
  )
})
