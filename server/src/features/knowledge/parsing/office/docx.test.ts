import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import { docxOf, docxParagraph, xmlRelationships } from '../../../../testing/knowledge/sample-files.ts'

const relate = (targets: Record<string, string>): Record<string, string> => ({
  'word/_rels/document.xml.rels': xmlRelationships(targets),
})

const word = (tag: string, content: string): string =>
  `<w:${tag} xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${content}</w:${tag}>`

const item = (text: string, level = 0): string =>
  `<w:p><w:pPr><w:numPr><w:ilvl w:val="${level}"/><w:numId w:val="1"/></w:numPr></w:pPr><w:r><w:t>${text}</w:t></w:r></w:p>`

test('documents within a document are read behind it under their names, and one that cannot be read is named', async () => {
  const { text } = await readDocument(
    docxOf(docxParagraph('Outside'), '', {
      ...relate({
        package1: 'embeddings/a.docx',
        package2: 'embeddings/b.docx',
        package3: 'embeddings/c.bin',
      }),
      'word/embeddings/a.docx': docxOf(docxParagraph('Inside')),
      'word/embeddings/b.docx': docxOf('<w:p>').subarray(0, 400),
      'word/embeddings/c.bin': Buffer.from([0, 1, 2, 3]),
    }),
  )
  assert.equal(text, 'Outside\n\nAttachment: a.docx\n\nInside\n\nAttachment: b.docx\nAttachment: c.bin')
})

test('headings are told by the name, the outline level and the ancestors of their styles', async () => {
  const style = (id: string, inner: string): string =>
    `<w:style w:type="paragraph" w:styleId="${id}">${inner}</w:style>`
  const styles = word(
    'styles',
    style('berschrift1', '<w:name w:val="heading 1"/>') +
      style('Kapitel', '<w:name w:val="Kapitel"/><w:basedOn w:val="berschrift1"/>') +
      style('Level', '<w:name w:val="x"/><w:pPr><w:outlineLvl w:val="2"/></w:pPr>'),
  )
  const document = await readDocument(
    docxOf(
      docxParagraph('One', 'berschrift1') +
        docxParagraph('Two', 'Kapitel') +
        docxParagraph('Three', 'Level') +
        docxParagraph('Four', 'Heading4') +
        docxParagraph('Plain'),
      '',
      { 'word/styles.xml': styles },
    ),
  )
  assert.deepEqual(blocksOf(document), [
    'heading1: One',
    'heading1: Two',
    'heading3: Three',
    'heading4: Four',
    'paragraph: Plain',
  ])
})

test('lists keep their numbers as Word counts them, and their signs as dashes', async () => {
  const level = (number: number, format: string, text: string): string =>
    `<w:lvl w:ilvl="${number}"><w:start w:val="1"/><w:numFmt w:val="${format}"/><w:lvlText w:val="${text}"/></w:lvl>`
  const numbering = word(
    'numbering',
    `<w:abstractNum w:abstractNumId="0">${level(0, 'decimal', '%1.')}${level(1, 'decimal', '%1.%2')}${level(2, 'bullet', '•')}</w:abstractNum>
    <w:num w:numId="1"><w:abstractNumId w:val="0"/></w:num>`,
  )
  const body =
    item('first') +
    item('inner', 1) +
    item('inner too', 1) +
    item('sign', 2) +
    item('second') +
    item('again', 1)
  const document = await readDocument(
    docxOf(body, '', { ...relate({ numbering: 'numbering.xml' }), 'word/numbering.xml': numbering }),
  )
  assert.equal(document.text, '1. first\n  1.1 inner\n  1.2 inner too\n    - sign\n2. second\n  2.1 again')
})

test('what was deleted is left out, what was inserted stays, and runs of a word are one word', async () => {
  const body = `<w:p><w:pPr><w:pPrChange><w:pPr><w:pStyle w:val="Heading1"/></w:pPr></w:pPrChange></w:pPr>
    <w:r><w:t>inter</w:t></w:r><w:r><w:rPr><w:b/></w:rPr><w:t>national</w:t></w:r>
    <w:del><w:r><w:delText>gone</w:delText></w:r></w:del><w:ins><w:r><w:t xml:space="preserve"> new</w:t></w:r></w:ins>
    <w:moveFrom><w:r><w:t>moved away</w:t></w:r></w:moveFrom></w:p>`
  assert.deepEqual(blocksOf(await readDocument(docxOf(body))), ['paragraph: international new'])
})

test('notes, comments and text boxes come behind the paragraph that they belong to, headers and footers at the end', async () => {
  const body = `<w:p><w:r><w:t>Before.</w:t><w:footnoteReference w:id="2"/><w:commentReference w:id="0"/></w:r>
    <w:r><mc:AlternateContent xmlns:mc="http://schemas.openxmlformats.org/markup-compatibility/2006">
    <mc:Choice><w:txbxContent>${docxParagraph('In a box.')}</w:txbxContent></mc:Choice>
    <mc:Fallback><w:txbxContent>${docxParagraph('In a box.')}</w:txbxContent></mc:Fallback></mc:AlternateContent></w:r></w:p>${docxParagraph('After.')}`
  const document = await readDocument(
    docxOf(body, '', {
      ...relate({
        footnotes: 'footnotes.xml',
        comments: 'comments.xml',
        header: 'header1.xml',
        footer: 'missing.xml',
      }),
      'word/footnotes.xml': word(
        'footnotes',
        `<w:footnote w:id="0" w:type="separator">${docxParagraph('line')}</w:footnote><w:footnote w:id="2">${docxParagraph('A note.')}</w:footnote>`,
      ),
      'word/comments.xml': word('comments', `<w:comment w:id="0">${docxParagraph('A comment.')}</w:comment>`),
      'word/header1.xml': word('hdr', docxParagraph('A header.') + docxParagraph('A header.')),
    }),
  )
  assert.equal(document.text, 'Before.\n\nA note.\n\nA comment.\n\nIn a box.\n\nAfter.\n\nA header.')
})

test('a table that holds another is taken for layout, and nothing of either is lost', async () => {
  const row = (...cells: string[]): string =>
    `<w:tr>${cells.map(cell => `<w:tc>${cell}</w:tc>`).join('')}</w:tr>`
  const inner = `<w:tbl>${row(docxParagraph('a'), docxParagraph('b'))}</w:tbl>`
  const body = `<w:tbl>${row(docxParagraph('Left'), docxParagraph('Right'))}${row(docxParagraph('Above') + inner, docxParagraph('Beside'))}</w:tbl>`
  assert.deepEqual(blocksOf(await readDocument(docxOf(body))), [
    'table: Left | Right',
    'paragraph: Above',
    'table: a | b',
    'paragraph: Beside',
  ])
})

test('HTML that stands in for a passage is read in its place', async () => {
  const body = `${docxParagraph('Before')}<w:altChunk r:id="aFChunk" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"/>${docxParagraph('After')}`
  const document = await readDocument(
    docxOf(body, '', {
      ...relate({ aFChunk: 'part.html' }),
      'word/part.html': '<html><body><h2>Inside</h2><p>HTML',
    }),
  )
  assert.deepEqual(blocksOf(document), [
    'paragraph: Before',
    'heading2: Inside',
    'paragraph: HTML',
    'paragraph: After',
  ])
})

test('the title is what the file says, unless a program made it up', async () => {
  const titled = (title: string): Promise<string | null> =>
    readDocument(
      docxOf(docxParagraph('Heading', 'Heading1'), '', {
        'docProps/core.xml': `<x xmlns:dc="http://purl.org/dc/elements/1.1/"><dc:title>${title}</dc:title></x>`,
      }),
    ).then(document => document.title)
  assert.equal(await titled('Travel &amp; rest'), 'Travel & rest')
  assert.equal(await titled('Document1'), 'Heading')
})

test('strict Office Open XML and other prefixes say the same', async () => {
  const body = `<x:p xmlns:x="http://purl.oclc.org/ooxml/wordprocessingml/main"><x:r><x:t>Strict words</x:t></x:r></x:p>`
  assert.equal((await readDocument(docxOf(body))).text, 'Strict words')
})

test('merged cells show their text in each row and column that they cover', async () => {
  const cell = (text: string, properties = ''): string =>
    `<w:tc><w:tcPr>${properties}</w:tcPr>${docxParagraph(text)}</w:tc>`
  const row = (...cells: string[]): string => `<w:tr>${cells.join('')}</w:tr>`
  const table = [
    row(cell('Region', '<w:vMerge w:val="restart"/>'), cell('2024', '<w:gridSpan w:val="2"/>')),
    row(cell('', '<w:vMerge/>'), cell('net'), cell('gross')),
    row(cell('North'), cell('10'), cell('12')),
  ]
  const { text } = await readDocument(docxOf(`<w:tbl>${table.join('')}</w:tbl>`))
  assert.equal(text, 'Region | 2024 | 2024\nRegion | net | gross\nNorth | 10 | 12')
})

test('raised, lowered and struck runs are marked, and links keep their addresses', async () => {
  const run = (text: string, properties = ''): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t xml:space="preserve">${text}</w:t></w:r>`
  const raised = '<w:vertAlign w:val="superscript"/>'
  const link = `<w:hyperlink r:id="link1">${run('the sheet')}</w:hyperlink>`
  const runs = [
    run('10'),
    run('-', raised),
    run('4', raised),
    run(' mol H'),
    run('2', '<w:vertAlign w:val="subscript"/>'),
    run('O, '),
    run('30', '<w:strike/>'),
    run(' 20 days, see '),
    link,
  ]
  const external =
    '<Relationships xmlns="http://schemas.openxmlformats.org/package/2006/relationships"><Relationship Id="link1" Type="http://schemas.openxmlformats.org/officeDocument/2006/relationships/hyperlink" Target="https://a.example/f.pdf" TargetMode="External"/></Relationships>'
  const { text } = await readDocument(
    docxOf(`<w:p>${runs.join('')}</w:p>`, '', { 'word/_rels/document.xml.rels': external }),
  )
  assert.equal(text, '10^-4 mol H_2O, ~~30~~ 20 days, see the sheet (https://a.example/f.pdf)')
})

test('hidden runs are left out, and a row that claims endless columns stays small', async () => {
  const run = (text: string, properties = ''): string =>
    `<w:r><w:rPr>${properties}</w:rPr><w:t>${text}</w:t></w:r>`
  const hidden = await readDocument(
    docxOf(`<w:p>${run('Seen')}${run('unseen', '<w:vanish/>')}${run('too')}</w:p>`),
  )
  assert.equal(hidden.text, 'Seentoo')
  const style = (id: string, type: string, more: string): string =>
    `<w:style w:type="${type}" w:styleId="${id}"><w:name w:val="${id}"/>${more}</w:style>`
  const off = '<w:rPr><w:vanish/></w:rPr>'
  const styles = `<w:styles xmlns:w="http://schemas.openxmlformats.org/wordprocessingml/2006/main">${style('Off', 'character', off)}${style('Gone', 'paragraph', off)}${style('Child', 'paragraph', '<w:basedOn w:val="Gone"/>')}</w:styles>`
  const byStyle = await readDocument(
    docxOf(
      `<w:p>${run('Seen')}${run('unseen', '<w:rStyle w:val="Off"/>')}</w:p><w:p><w:pPr><w:pStyle w:val="Child"/></w:pPr>${run('unseen')}${run('too', '<w:vanish w:val="0"/>')}</w:p>`,
      '',
      { 'word/styles.xml': styles },
    ),
  )
  assert.equal(byStyle.text, 'Seen\n\ntoo')
  const cell = `<w:tc><w:tcPr><w:gridSpan w:val="9007199254740991"/></w:tcPr>${docxParagraph('a')}</w:tc>`
  const wide = await readDocument(docxOf(`<w:tbl>${`<w:tr>${cell}</w:tr>`.repeat(3_000)}</w:tbl>`))
  assert.ok(wide.text.length < 1_000_000, String(wide.text.length))
})
