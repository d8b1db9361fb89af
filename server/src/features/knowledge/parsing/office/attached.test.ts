import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import { test } from 'node:test'
import { compoundOf, packedFileOf } from '../../../../testing/knowledge/compound-file.ts'
import { readDocument } from '../../../../testing/knowledge/read-document.ts'
import {
  docxOf,
  docxParagraph,
  packageOf,
  pdfOf,
  xmlRelationships,
  zipOf,
} from '../../../../testing/knowledge/sample-files.ts'

/** A Word document in which these files are embedded. */
const holding = (files: Record<string, Buffer>): Buffer =>
  docxOf(docxParagraph('Outside'), '', {
    'word/_rels/document.xml.rels': xmlRelationships(
      Object.fromEntries(Object.keys(files).map((name, i) => [`oleObject${i}`, `embeddings/${name}`])),
    ),
    ...Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`word/embeddings/${name}`, content]),
    ),
  })

const inner = docxOf(docxParagraph('Inside'))

test('a file packed into an object is read under its own name, without the folders that it came from', async () => {
  const { text, title } = await readDocument(
    holding({
      'oleObject1.bin': packedFileOf('Übersicht.csv', Buffer.from('City;Rate\nKöln;120\n')),
      'oleObject2.bin': packedFileOf('C:\\Users\\somebody\\a\u202e\u0007b.txt', Buffer.from('Notes')),
      'oleObject3.bin': packedFileOf('long.txt', Buffer.from('word '.repeat(2_000))),
    }),
  )
  assert.ok(text.startsWith('Outside\n\nAttachment: Übersicht.csv\n\nCity | Rate\nKöln | 120\n\n'), text)
  assert.match(text, /\n\nAttachment: a b\.txt\n\nNotes\n\nAttachment: long\.txt\n\nword (word ?){1999}$/)
  assert.equal(title, null)
})

test('documents in an object are read whatever way they were put there; formulas and pictures are none', async () => {
  const { text } = await readDocument(
    holding({
      'a.bin': compoundOf({ Package: inner }),
      'b.bin': inner,
      'c.bin': compoundOf({ CONTENTS: pdfOf('On a page') }),
      'd.bin': compoundOf({ 'Equation Native': Buffer.from('x = y') }),
      'e.bin': compoundOf({ '\u0001Ole10Native': Buffer.from('000000004d4d', 'hex') }),
      'f.bin': compoundOf({ WordDocument: Buffer.alloc(5_000) }),
      'g.bin': compoundOf({ EncryptedPackage: Buffer.alloc(5_000), EncryptionInfo: Buffer.alloc(99) }),
    }),
  )
  assert.equal(
    text,
    'Outside\n\nAttachment: a.bin\n\nInside\n\nAttachment: b.bin\n\nInside\n\nAttachment: c.bin\n\nOn a page\n\nAttachment: f.bin\nAttachment: g.bin',
  )
})

test('an object that is cut off, lies about its sizes or runs in a circle is named, and does no harm', async () => {
  const whole = compoundOf({ Package: inner, Other: Buffer.alloc(10_000) })
  /** With a number of the header, or of the table of sectors, that leads elsewhere. */
  const forged = (at: number, value: number): Buffer => {
    const bytes = Buffer.from(whole)
    bytes.writeUInt32LE(value, at)
    return bytes
  }
  const tableAt = (whole.readUInt32LE(76) + 1) * 512
  const directory = whole.readUInt32LE(48)
  const files = {
    'cut.bin': whole.subarray(0, 600),
    'header.bin': whole.subarray(0, 40),
    'circle.bin': forged(tableAt + directory * 4, directory),
    'nowhere.bin': forged(48, 0x7fffffff),
    'tables.bin': forged(68, 0),
    'size.bin': packedFileOf('lies.txt', Buffer.from('short'), 2_000_000_000),
    'last.bin': packedFileOf('sound.txt', Buffer.from('Still read')),
  }
  const { text } = await readDocument(holding(files))
  assert.ok(text.startsWith('Outside\n\n'), text)
  assert.match(text, /Attachment: sound\.txt\n\nStill read/)
  for (const name of ['cut', 'header', 'circle', 'nowhere', 'size']) {
    assert.match(text, new RegExp(`^Attachment: ${name}\\.bin$`, 'm'))
  }
})

test('of two thousand embedded files the first are read, and the rest are counted', async () => {
  const files = Object.fromEntries(
    Array.from({ length: 2_000 }, (_, i) => [`${i}.txt`, Buffer.from(`word${i}`)]),
  )
  const { text } = await readDocument(holding(files))
  assert.match(text, /word499\n\nAttachment: 500\.txt/)
  assert.match(text, /\n1400 more attachments$/)
  assert.ok(!text.includes('word500'))
})

const relations = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** Two slides; in the first these files are embedded. */
function slidesHolding(files: Record<string, Buffer>): Buffer {
  const drawing = 'http://schemas.openxmlformats.org/drawingml/2006/main'
  const show = 'http://schemas.openxmlformats.org/presentationml/2006/main'
  const slide = (title: string): string =>
    `<p:sld xmlns:p="${show}" xmlns:a="${drawing}"><p:cSld><p:spTree><p:sp><p:nvSpPr><p:nvPr><p:ph type="title"/></p:nvPr></p:nvSpPr><p:txBody><a:p><a:r><a:t>${title}</a:t></a:r></a:p></p:txBody></p:sp></p:spTree></p:cSld></p:sld>`
  return packageOf('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation xmlns:p="${show}" xmlns:r="${relations}"><p:sldIdLst><p:sldId r:id="slide1"/><p:sldId r:id="slide2"/></p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': xmlRelationships({ slide1: 'one.xml', slide2: 'two.xml' }),
    'ppt/one.xml': slide('First'),
    'ppt/two.xml': slide('Second'),
    'ppt/_rels/one.xml.rels': xmlRelationships(
      Object.fromEntries(Object.keys(files).map((name, i) => [`oleObject${i}`, `embeddings/${name}`])),
    ),
    ...Object.fromEntries(
      Object.entries(files).map(([name, content]) => [`ppt/embeddings/${name}`, content]),
    ),
  })
}

test('an embedded bomb, and more than all embedded files may unpack to, leave the slides behind them', async () => {
  const bomb = docxOf(docxParagraph('x'.repeat(3_000_000)))
  /** Not so well packed that it is a bomb by itself. */
  const large = Buffer.concat([randomBytes(400_000), Buffer.alloc(22_000_000)])
  const names = Array.from({ length: 6 }, (_, i) => `large${i}.bin`)
  const { text } = await readDocument(
    slidesHolding({
      'bomb.docx': bomb,
      ...Object.fromEntries(names.map(name => [name, large])),
      'last.docx': inner,
    }),
  )
  const named = ['bomb.docx', ...names, 'last.docx'].map(name => `Attachment: ${name}`)
  assert.equal(text, `First\n\n${named.join('\n')}\n\nSecond`)
})

test('what is embedded follows its slide or sheet', async () => {
  const object = packedFileOf('plan.txt', Buffer.from('The plan'))
  const slides = await readDocument(slidesHolding({ 'a.bin': object }))
  assert.equal(slides.text, 'First\n\nAttachment: plan.txt\n\nThe plan\n\nSecond')
  assert.deepEqual(
    slides.blocks.map(({ page }) => page),
    [1, 1, 1, 2],
  )
  const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
  const sheet = (value: number): string =>
    `<worksheet xmlns="${main}"><sheetData><row><c><v>${value}</v></c></row></sheetData></worksheet>`
  const sheets = await readDocument(
    packageOf('xl/workbook.xml', {
      'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${relations}"><sheets><sheet name="A" r:id="worksheet1"/><sheet name="B" r:id="worksheet2"/></sheets></workbook>`,
      'xl/_rels/workbook.xml.rels': xmlRelationships({ worksheet1: 'a.xml', worksheet2: 'b.xml' }),
      'xl/a.xml': sheet(1),
      'xl/b.xml': sheet(2),
      'xl/_rels/a.xml.rels': xmlRelationships({ oleObject: 'embeddings/a.bin' }),
      'xl/embeddings/a.bin': object,
    }),
  )
  assert.equal(sheets.text, 'A\n\n1\n\nAttachment: plan.txt\n\nThe plan\n\nB\n\n2')
})

test('an OpenDocument file keeps what lies within its objects, and names one that is damaged', async () => {
  const names = ['office', 'text', 'table']
    .map(name => `xmlns:${name}="urn:oasis:names:tc:opendocument:xmlns:${name}:1.0"`)
    .join(' ')
  const content = (body: string): string =>
    `<office:document-content ${names} xmlns:draw="urn:oasis:names:tc:opendocument:xmlns:drawing:1.0" xmlns:xlink="http://www.w3.org/1999/xlink"><office:body><office:text>${body}</office:text></office:body></office:document-content>`
  const frame = (object: string, tag = 'object'): string =>
    `<draw:frame><draw:${tag} xlink:href="./${object}"/></draw:frame>`
  const { text } = await readDocument(
    zipOf({
      mimetype: 'application/vnd.oasis.opendocument.text',
      'content.xml': content(
        `<text:p>Before${frame('Object 1')}${frame('Object 1')}${frame('Object 2')}</text:p><text:p>After${frame('Object 3', 'object-ole')}</text:p>`,
      ),
      'Object 1/content.xml': content(`<text:p>An object</text:p>${frame('Object 1')}`),
      'Object 1/Object 1/content.xml': content('<text:p>in an object</text:p>'),
      'Object 2/content.xml': '<broken',
      'Object 3': packedFileOf('old.txt', Buffer.from('Packed words')),
      'layout-cache': Buffer.from([1, 2, 3]),
    }),
  )
  assert.equal(
    text,
    'Before\n\nAn object\n\nin an object\n\nAfter\n\nAttachment: old.txt\n\nPacked words\n\nAttachment: object 2',
  )
})
