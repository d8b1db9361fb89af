import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { createCollection, upload, uploadAndWait } from '../../../testing/knowledge/knowledge.ts'
import { docOf } from '../../../testing/knowledge/old-office.ts'
import {
  docxOf,
  docxParagraph,
  packageOf,
  xmlRelationships,
  zipOf,
} from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string
before(async () => {
  app = await startTestApp()
  collectionId = await createCollection(app)
})
after(() => app.close())

const openXml = 'http://schemas.openxmlformats.org'
const references = `xmlns:r="${openXml}/officeDocument/2006/relationships"`

const xlsxOf = (sheet: string, cell: string): Buffer =>
  packageOf('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${openXml}/spreadsheetml/2006/main" ${references}><sheets><sheet name="${sheet}" r:id="worksheet"/></sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': xmlRelationships({ worksheet: 'sheet.xml' }),
    'xl/sheet.xml': `<worksheet xmlns="${openXml}/spreadsheetml/2006/main"><sheetData><row><c t="inlineStr"><is><t>${cell}</t></is></c><c><v>12</v></c></row></sheetData></worksheet>`,
  })

const pptxOf = (...slides: string[]): Buffer =>
  packageOf('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation xmlns:p="${openXml}/presentationml/2006/main" ${references}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${index}" r:id="slide${index}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': xmlRelationships(
      Object.fromEntries(slides.map((_, index) => [`slide${index}`, `slide${index}.xml`])),
    ),
    ...Object.fromEntries(
      slides.map((text, index) => [
        `ppt/slide${index}.xml`,
        `<p:sld xmlns:p="${openXml}/presentationml/2006/main" xmlns:a="${openXml}/drawingml/2006/main"><p:sp><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp></p:sld>`,
      ]),
    ),
  })

const openDocument = 'urn:oasis:names:tc:opendocument:xmlns'

const odfOf = (kind: string, body: string, more: Record<string, string> = {}): Buffer =>
  zipOf({
    mimetype: `application/vnd.oasis.opendocument.${kind}`,
    'content.xml': `<office:document-content xmlns:office="${openDocument}:office:1.0" xmlns:text="${openDocument}:text:1.0" xmlns:table="${openDocument}:table:1.0" xmlns:draw="${openDocument}:drawing:1.0"><office:body><office:${kind}>${body}</office:${kind}></office:body></office:document-content>`,
    ...more,
  })

const epubOf = (chapter: string): Buffer =>
  zipOf({
    mimetype: 'application/epub+zip',
    'META-INF/container.xml': `<container xmlns="${openDocument}:container"><rootfiles><rootfile full-path="book.opf"/></rootfiles></container>`,
    'book.opf': `<package xmlns="http://www.idpf.org/2007/opf"><manifest><item id="a" href="a.xhtml"/></manifest><spine><itemref idref="a"/></spine></package>`,
    'a.xhtml': `<html xmlns="http://www.w3.org/1999/xhtml"><body><p>${chapter}</p></body></html>`,
  })

test('Office documents and books are known by their content, read in the child, and found by the next request', async () => {
  const paragraph = '<text:p>numbat in a text</text:p>'
  const table = `<table:table table:name="Sheet"><table:table-row><table:table-cell><text:p>numbat in a table</text:p></table:table-cell></table:table-row></table:table>`
  const files: [mediaType: RegExp, content: Buffer][] = [
    [/wordprocessingml/, docxOf(docxParagraph('numbat in a letter'))],
    [/spreadsheetml/, xlsxOf('Animals', 'numbat in a cell')],
    [/presentationml/, pptxOf('Nothing here', 'numbat on a slide')],
    [/opendocument\.text/, odfOf('text', paragraph)],
    [/opendocument\.spreadsheet/, odfOf('spreadsheet', table)],
    [/opendocument\.presentation/, odfOf('presentation', `<draw:page>${paragraph}</draw:page>`)],
    [/epub/, epubOf('numbat in a chapter')],
  ]
  for (const [mediaType, content] of files) {
    const document = await uploadAndWait(app, { collectionId, name: 'wrong.txt', content })
    assert.equal(document.status, 'ready', `${mediaType}: ${JSON.stringify(document.error)}`)
    assert.match(document.mediaType, mediaType)
  }
  const query = { q: 'numbat', collectionId, pageSize: 50 }
  const hits: { text: string; location: { page: number | null } }[] = (
    await app.request('GET', '/knowledge/search', { query })
  ).body.data
  assert.equal(hits.length, files.length)
  assert.equal(hits.find(({ text }) => text.includes('slide'))?.location.page, 2)
  assert.ok(hits.some(({ text }) => text.includes('numbat in a cell | 12')))
})

test('what is encrypted ends as encrypted, what is damaged as corrupt', async () => {
  const encryption = `<manifest:manifest xmlns:manifest="${openDocument}:manifest:1.0"><manifest:encryption-data/></manifest:manifest>`
  const files: [content: Buffer, code: string][] = [
    [odfOf('text', '', { 'META-INF/manifest.xml': encryption }), 'encrypted'],
    [xlsxOf('S', 'x').subarray(0, 900), 'corrupt'],
    [zipOf({ mimetype: 'application/epub+zip' }), 'corrupt'],
    [pptxOf(''), 'no_text'],
  ]
  for (const [content, code] of files) {
    const { status, error } = await uploadAndWait(app, { collectionId, name: 'x', content })
    assert.deepEqual([status, error?.code], ['failed', code])
  }
})

test('an old Office file is read, and a file that no reader reads is a 415 that says what to save it as', async () => {
  const letter = docOf([{ text: 'Notice\r', style: 1 }, { text: 'The lease ends in spring.\r' }])
  const { status, mediaType } = await uploadAndWait(app, { collectionId, name: 'a.doc', content: letter })
  assert.deepEqual([status, mediaType], ['ready', 'application/msword'])
  const content = Buffer.from('\0\0\0\x18ftypheic\0\0\0\0', 'latin1')
  const reply = await upload(app, { collectionId, name: 'letter.docx', content })
  assert.equal(reply.status, 415)
  assert.match(reply.body.message, /HEIC picture \(save it as JPEG or PNG\)/)
})
