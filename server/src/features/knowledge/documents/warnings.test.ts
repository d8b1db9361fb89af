/** Each loss of a document that is `ready` is in its warnings, and in those of its event and versions. */
import assert from 'node:assert/strict'
import { after, before, test } from 'node:test'
import { exportOf, importInto } from '../../../testing/knowledge/archives.ts'
import {
  createCollection,
  documentOf,
  putAndWait,
  uploadAndWait,
} from '../../../testing/knowledge/knowledge.ts'
import {
  docxOf,
  docxParagraph,
  drawnPdfOf,
  packageOf,
  pdfOf,
  pdfWithFilesOf,
  scanOf,
  xmlRelationships,
  zipOf,
} from '../../../testing/knowledge/sample-files.ts'
import { startTestApp, type TestApp } from '../../../testing/test-app.ts'

let app: TestApp
let collectionId: string
before(async () => {
  app = await startTestApp({ settings: { ATRIUM_PLAN_ENTERPRISE: 'requestsPerMinute=100000' } })
  collectionId = await createCollection(app)
})
after(() => app.close())

type Warning = { code: string; count: number; pages: number[] }

/** The warnings of a document, which is `ready`. */
async function warningsOf(name: string, content: string | Buffer): Promise<Warning[]> {
  const { status, error, warnings } = await uploadAndWait(app, { collectionId, name, content })
  assert.deepEqual([status, error], ['ready', null])
  return warnings
}

const picture = Buffer.from('89504e470d0a1a0a', 'hex')

test('a document that is read in full has no warnings', async () => {
  assert.deepEqual(await warningsOf('whole.txt', 'All of it.'), [])
  assert.deepEqual(await warningsOf('whole.pdf', pdfOf('One page.', 'And another.')), [])
  assert.deepEqual(await warningsOf('whole.docx', docxOf(docxParagraph('All of it.'))), [])
})

test('the pages of a PDF without text are named', async () => {
  assert.deepEqual(await warningsOf('mixed.pdf', pdfOf('First', '', 'Third', '')), [
    { code: 'pages_without_text', count: 2, pages: [2, 4] },
  ])
})

test('of very many pages the first hundred are named, and all are counted', async () => {
  const pages = ['First', ...Array<string>(150).fill('')]
  assert.deepEqual(await warningsOf('blank.pdf', pdfOf(...pages)), [
    { code: 'pages_without_text', count: 150, pages: Array.from({ length: 100 }, (_, index) => index + 2) },
  ])
})

test('a damaged page of a PDF is named, and the other pages are read', async () => {
  const whole = pdfOf('First', 'Second', 'Third').toString('latin1')
  // The list of pages names an object that is not there.
  const kids = /\/Kids ?\[([^\]]+)\]/.exec(whole)?.[1] ?? ''
  const [, second = ''] = kids.match(/\d+ 0 R/g) ?? []
  const damaged = whole.replace(kids, kids.replace(second, '99 0 R'))
  assert.notEqual(damaged, whole)
  const document = await uploadAndWait(app, {
    collectionId,
    name: 'damaged.pdf',
    content: Buffer.from(damaged, 'latin1'),
  })
  assert.deepEqual(document.warnings, [{ code: 'page_not_read', count: 1, pages: [2] }])
  const { body } = await app.request('GET', `/knowledge/documents/${document.id}/content`)
  assert.equal(body.data.text, 'First\n\nThird')
})

test('a page whose content is damaged counts as one without text', async () => {
  const whole = pdfOf('First', 'Second').toString('latin1')
  const streams = [...whole.matchAll(/stream\r?\n/g)].filter(
    ({ index }) => !whole.startsWith('end', index - 3),
  )
  const at = (streams[1]?.index ?? 0) + 'stream\n'.length
  const damaged = `${whole.slice(0, at)}${'#'.repeat(20)}${whole.slice(at + 20)}`
  assert.deepEqual(await warningsOf('content.pdf', Buffer.from(damaged, 'latin1')), [
    { code: 'pages_without_text', count: 1, pages: [2] },
  ])
})

test('pictures are counted in Word, PowerPoint, HTML, Markdown, notebooks, books and OpenDocument', async () => {
  const inRun = (content: string): string => `<w:p><w:r><w:t>Text</w:t>${content}</w:r></w:p>`
  const shown = '<w:drawing><pic:pic><pic:blipFill/></pic:pic></w:drawing>'
  const embedded = '<w:object><v:shape><v:imagedata r:id="x"/></v:shape></w:object>'
  const slide = (content: string): string =>
    `<p:sld xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sp><p:txBody><a:p><a:r><a:t>Words</a:t></a:r></a:p></p:txBody></p:sp>${content}</p:sld>`
  const files: [string, string | Buffer, number, number[]][] = [
    ['pictures.docx', docxOf(inRun(shown + shown + embedded)), 2, []],
    [
      'pictures.pptx',
      packageOf('ppt/presentation.xml', {
        'ppt/presentation.xml':
          '<p:presentation xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"><p:sldIdLst><p:sldId r:id="slide1"/><p:sldId r:id="slide2"/></p:sldIdLst></p:presentation>',
        'ppt/_rels/presentation.xml.rels': xmlRelationships({
          slide1: 'slides/slide1.xml',
          slide2: 'slides/slide2.xml',
        }),
        'ppt/slides/slide1.xml': slide(''),
        'ppt/slides/slide2.xml': slide('<p:pic><p:blipFill/></p:pic>'),
      }),
      1,
      [2],
    ],
    ['pictures.html', '<p>Text <img src="a.png"><img src="b.png" alt=""></p>', 1, []],
    ['pictures.md', 'Text ![a chart](chart.png) and\n\n<img src="other.png">\n', 2, []],
    [
      'pictures.ipynb',
      JSON.stringify({
        cells: [
          {
            cell_type: 'code',
            source: 'plot()',
            outputs: [
              { output_type: 'display_data', data: { 'image/png': 'aGk=', 'text/plain': '<Figure>' } },
              { output_type: 'stream', text: 'printed' },
            ],
          },
        ],
        nbformat: 4,
      }),
      1,
      [],
    ],
    [
      'pictures.odt',
      zipOf({
        mimetype: 'application/vnd.oasis.opendocument.text',
        'content.xml':
          '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text><text:p>Text<draw:frame><draw:image xlink:href="Pictures/a.svg"/><draw:image xlink:href="Pictures/a.png"/></draw:frame><draw:frame><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p></office:text></office:body></office:document-content>',
      }),
      1,
      [],
    ],
    [
      'pictures.rtf',
      '{\\rtf1 Text{\\*\\shppict{\\pict 00}}{\\nonshppict{\\pict 00}}{\\pict 00}\\par}',
      2,
      [],
    ],
  ]
  for (const [name, content, count, pages] of files) {
    assert.deepEqual(await warningsOf(name, content), [{ code: 'pictures_not_read', count, pages }], name)
  }
})

test('a PDF without text of its own is read by the files attached to it, and an unread one is counted', async () => {
  const scan = pdfWithFilesOf('', [
    { name: '(a.txt)', content: Buffer.from('Attached words') },
    { name: '(photo.png)', content: picture },
    { name: '(broken.docx)', content: Buffer.from('PK\u0003\u0004 and nothing more') },
    { name: '(b.txt)', content: Buffer.from('More words'), isOnPage: true },
  ])
  const document = await uploadAndWait(app, { collectionId, name: 'scan.pdf', content: scan })
  assert.deepEqual(document.warnings, [
    { code: 'pages_without_text', count: 1, pages: [1] },
    { code: 'attachment_not_read', count: 2, pages: [] },
  ])
  const { body } = await app.request('GET', `/knowledge/documents/${document.id}/content`)
  assert.match(body.data.text, /More words[\s\S]*Attached words/)
})

test('attached files beyond the first thousand are counted as left out', async () => {
  const files = Array.from({ length: 1_003 }, (_, index) => ({
    name: `(${index}.txt)`,
    content: Buffer.from(`w${index}`),
  }))
  assert.deepEqual(await warningsOf('many.pdf', pdfWithFilesOf('The page.', files)), [
    { code: 'files_left_out', count: 3, pages: [] },
    { code: 'attachment_not_read', count: 500, pages: [] },
  ])
})

test('an unreadable part of a Word document is counted, and the rest is read', async () => {
  const content = docxOf(
    `${docxParagraph('Before')}<w:altChunk r:id="chunk"/>${docxParagraph('After')}`,
    '',
    {
      'word/_rels/document.xml.rels': xmlRelationships({ chunk: 'chunks/chunk.bin' }).replace(
        /Type="[^"]*"/,
        'Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/aFChunk"',
      ),
      'word/chunks/chunk.bin': Buffer.from('%PDF-1.7 and nothing more'),
    },
  )
  assert.deepEqual(await warningsOf('chunk.docx', content), [{ code: 'part_not_read', count: 1, pages: [] }])
})

test('a formula whose arrangement is lost is counted, and the sign of a sum is kept', async () => {
  const formula = (content: string): string => `<w:p><m:oMath>${content}</m:oMath></w:p>`
  const run = (text: string): string => `<m:r><m:t>${text}</m:t></m:r>`
  const document = await uploadAndWait(app, {
    collectionId,
    name: 'formulas.docx',
    content: docxOf(
      formula(
        `<m:nary><m:naryPr><m:chr m:val="∑"/></m:naryPr><m:sub>${run('i')}</m:sub><m:sup>${run('n')}</m:sup><m:e>${run('x')}</m:e></m:nary>`,
      ) +
        formula(
          `<m:groupChr><m:groupChrPr><m:chr m:val="⏞"/></m:groupChrPr><m:e>${run('ab')}</m:e></m:groupChr>`,
        ),
    ),
  })
  assert.deepEqual(document.warnings, [{ code: 'formula_flattened', count: 1, pages: [] }])
  const { body } = await app.request('GET', `/knowledge/documents/${document.id}/content`)
  assert.equal(body.data.text, '∑_i^n x\n\nab')
})

test('a formula of OpenDocument is read, and one of HTML that loses its arrangement is counted', async () => {
  const formula =
    '<math xmlns="http://www.w3.org/1998/Math/MathML"><semantics><mrow><mi>E</mi><mo>=</mo><msup><mi>c</mi><mn>2</mn></msup></mrow><annotation>E = c^2</annotation></semantics></math>'
  const document = await uploadAndWait(app, {
    collectionId,
    name: 'formula.odt',
    content: zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml':
        '<office:document-content xmlns:office="urn:oasis:names:tc:opendocument:xmlns:office:1.0" xmlns:text="urn:oasis:names:tc:opendocument:xmlns:text:1.0" xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text><text:p>Energy<draw:frame><draw:object xlink:href="./Object 1"/><draw:image xlink:href="./ObjectReplacements/Object 1"/></draw:frame></text:p></office:text></office:body></office:document-content>',
      'Object 1/content.xml': formula,
    }),
  })
  assert.deepEqual(document.warnings, [])
  const { body } = await app.request('GET', `/knowledge/documents/${document.id}/content`)
  assert.equal(body.data.text, 'Energy\n\nE = c^2')
  const isotope =
    '<p>Carbon <math><mmultiscripts><mi>C</mi><mn>6</mn><none/><mprescripts/><mn>14</mn></mmultiscripts></math></p>'
  assert.deepEqual(await warningsOf('isotope.html', isotope), [
    { code: 'formula_flattened', count: 1, pages: [] },
  ])
})

test('what an RTF document embeds is counted', async () => {
  assert.deepEqual(
    await warningsOf(
      'embedded.rtf',
      '{\\rtf1 Text{\\object{\\*\\objdata 0105}}{\\mmath{\\*\\moMath x}}\\par}',
    ),
    [
      { code: 'attachment_not_read', count: 1, pages: [] },
      { code: 'formula_flattened', count: 1, pages: [] },
    ],
  )
})

test('a message of a mailbox that is longer than what is read of one is counted', {
  timeout: 120_000,
}, async () => {
  const header = (subject: string): string =>
    `From a@example.com Sat Jan  3 01:05:34 2026\nSubject: ${subject}\n\n`
  const lines = `${'AAAA'.repeat(18)}\n`.repeat(300_000)
  const attached = `From a@example.com Sat Jan  3 01:05:34 2026\nSubject: Long\nMIME-Version: 1.0\nContent-Type: multipart/mixed; boundary=b\n\n--b\nContent-Type: text/plain\n\nShort text\n--b\nContent-Type: application/octet-stream; name=a.bin\nContent-Transfer-Encoding: base64\n\n${lines}\n--b--\n`
  const warnings = await warningsOf(
    'box.mbox',
    `${header('One')}First text\n\n${attached}\n${header('Two')}Last text\n`,
  )
  assert.deepEqual(
    warnings.find(({ code }) => code === 'text_cut'),
    { code: 'text_cut', count: 1, pages: [] },
  )
})

test('a PDF whose letters a font only draws, and one without letters, fail as no_text and warn of nothing', async () => {
  const { status, error } = await uploadAndWait(app, {
    collectionId,
    name: 'drawn.pdf',
    content: drawnPdfOf(['words', 'more']),
  })
  assert.deepEqual([status, error.code], ['failed', 'no_text'])
  const failed = await uploadAndWait(app, {
    collectionId,
    name: 'scan.pdf',
    content: scanOf({ widthPoints: 9 }),
  })
  assert.deepEqual([failed.status, failed.warnings], ['failed', []])
})

test('an event, a kept version, an archive and a new version have the warnings of their own file', async () => {
  const own = await createCollection(app)
  const send = (content: string) =>
    putAndWait(app, { collectionId: own, externalId: 'page', name: 'page.html', content })
  const expected = [{ code: 'pictures_not_read', count: 1, pages: [] }]
  const { id, warnings } = await send('<p>Text</p><img src="a.png">')
  assert.deepEqual(warnings, expected)
  const events = await app.request('GET', '/events', { query: { collectionId: own } })
  assert.deepEqual(events.body.data[0].data.warnings, expected)
  const listed = await app.request('GET', '/knowledge/documents', { query: { collectionId: own } })
  assert.deepEqual(listed.body.data[0].warnings, expected)
  await send('<p>Only text</p>')
  assert.deepEqual((await documentOf(app, id)).warnings, [])
  const versions = await app.request('GET', `/knowledge/documents/${id}/versions`)
  assert.deepEqual(
    versions.body.data.map((version: { warnings: Warning[] }) => version.warnings),
    [[], expected],
  )
  const done = await importInto(app, await exportOf(app, own))
  const [imported] = (
    await app.request('GET', '/knowledge/documents', { query: { collectionId: done.collectionId ?? '' } })
  ).body.data
  const copied = await app.request('GET', `/knowledge/documents/${imported.id}/versions`)
  assert.deepEqual(
    copied.body.data.map((version: { warnings: Warning[] }) => version.warnings),
    [[], expected],
  )
})
