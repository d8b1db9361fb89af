import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import { packageOf, xmlRelationships } from '../../../../testing/knowledge/sample-files.ts'

const namespaces =
  'xmlns:p="http://schemas.openxmlformats.org/presentationml/2006/main" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:r="http://schemas.openxmlformats.org/officeDocument/2006/relationships"'

const shape = (placeholder: string | null, ...paragraphs: string[]): string =>
  `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x"/><p:nvPr>${placeholder === null ? '' : `<p:ph type="${placeholder}"/>`}</p:nvPr></p:nvSpPr><p:txBody>${paragraphs.map(text => (text.startsWith('<') ? text : `<a:p><a:r><a:t>${text}</a:t></a:r></a:p>`)).join('')}</p:txBody></p:sp>`

/** Slides are shown in the order given, whatever their parts are called. */
function pptxOf(slides: string[], more: Record<string, string> = {}): Buffer {
  const partOf = (index: number): number => slides.length - index
  return packageOf('ppt/presentation.xml', {
    'ppt/presentation.xml': `<p:presentation ${namespaces}><p:sldIdLst>${slides.map((_, index) => `<p:sldId id="${256 + index}" r:id="slide${partOf(index)}"/>`).join('')}</p:sldIdLst></p:presentation>`,
    'ppt/_rels/presentation.xml.rels': xmlRelationships(
      Object.fromEntries(slides.map((_, index) => [`slide${index + 1}`, `slides/slide${index + 1}.xml`])),
    ),
    ...Object.fromEntries(
      slides.map((content, index) => [
        `ppt/slides/slide${partOf(index)}.xml`,
        `<p:sld ${namespaces}><p:cSld><p:spTree>${content}</p:spTree></p:cSld></p:sld>`,
      ]),
    ),
    ...more,
  })
}

test('each slide is a page in the order of the show, and its title a heading above it', async () => {
  const document = await readDocument(
    pptxOf([
      shape(null, 'A box drawn first') + shape('title', 'The', 'title'),
      `<p:grpSp>${shape(null, 'grouped')}</p:grpSp>${shape('sldNum', '2')}`,
    ]),
  )
  assert.deepEqual(blocksOf(document), [
    'heading1: The title',
    'paragraph: A box drawn first',
    'paragraph: grouped',
  ])
  assert.deepEqual(
    document.blocks.map(({ page }) => page),
    [1, 1, 2],
  )
  assert.equal(document.pageCount, 2)
  assert.equal(document.title, 'The title')
})

test('the body of a slide is a list with its levels and numbers', async () => {
  const numbered = (text: string): string =>
    `<a:p><a:pPr><a:buAutoNum type="arabicPeriod"/></a:pPr><a:r><a:t>${text}</a:t></a:r></a:p>`
  const inner = '<a:p><a:pPr lvl="1"/><a:r><a:t>inner</a:t></a:r></a:p>'
  const bare = '<a:p><a:pPr><a:buNone/></a:pPr><a:r><a:t>no item</a:t></a:r></a:p>'
  const { text } = await readDocument(
    pptxOf([shape('body', 'point', inner, numbered('one'), numbered('two'), bare)]),
  )
  assert.equal(text, '- point\n  - inner\n1. one\n2. two\n\nno item')
})

test('tables, notes and comments belong to their slide; a footer is said once', async () => {
  const cell = (text: string): string =>
    `<a:tc><a:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></a:txBody></a:tc>`
  const table = `<p:graphicFrame><a:graphic><a:tbl><a:tr>${cell('a')}${cell('b')}</a:tr><a:tr>${cell('1')}${cell('2')}</a:tr></a:tbl></a:graphic></p:graphicFrame>`
  const footer = shape('ftr', 'ACME 2026') + shape('ftr', '&lt;footer&gt;')
  const document = await readDocument(
    pptxOf([table + footer, shape(null, 'second') + footer], {
      'ppt/slides/_rels/slide2.xml.rels': xmlRelationships({
        notesSlide: '../notes.xml',
        comments: '/ppt/comment.xml',
      }),
      'ppt/notes.xml': `<p:notes ${namespaces}>${shape('body', 'Say this.')}${shape('sldNum', '1')}</p:notes>`,
      'ppt/comment.xml': `<p:cmLst ${namespaces}><p:cm><p:text>Too long?</p:text></p:cm></p:cmLst>`,
    }),
  )
  assert.deepEqual(blocksOf(document), [
    'table: a | b\n1 | 2',
    'paragraph: ACME 2026',
    'paragraph: Say this.',
    'paragraph: Too long?',
    'paragraph: second',
  ])
  assert.deepEqual(
    document.blocks.map(({ page }) => page),
    [1, 1, 1, 1, 2],
  )
})

test('what a layout or master shows on its slides is said once, and what it only prompts for is not', async () => {
  const document = await readDocument(
    pptxOf([shape('title', 'One'), shape('title', 'Two')], {
      'ppt/slides/_rels/slide1.xml.rels': xmlRelationships({ slideLayout: '../layout.xml' }),
      'ppt/slides/_rels/slide2.xml.rels': xmlRelationships({ slideLayout: '../layout.xml' }),
      'ppt/layout.xml': `<p:sldLayout ${namespaces}>${shape('title', 'Click to edit')}${shape(null, 'ACME Corporation')}</p:sldLayout>`,
      'ppt/_rels/layout.xml.rels': xmlRelationships({ slideMaster: 'master.xml' }),
      'ppt/master.xml': `<p:sldMaster ${namespaces}>${shape('body', 'Click to edit')}${shape(null, 'Strictly internal')}</p:sldMaster>`,
      'ppt/_rels/master.xml.rels': xmlRelationships({ slideLayout: 'layout.xml' }),
    }),
  )
  assert.equal(document.text, 'One\n\nACME Corporation\n\nStrictly internal\n\nTwo')
})

test('diagrams are read where they stand', async () => {
  const frame =
    '<p:graphicFrame><a:graphic><dgm:relIds xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" r:dm="diagramData"/></a:graphic></p:graphicFrame>'
  const data = `<dgm:dataModel xmlns:dgm="http://schemas.openxmlformats.org/drawingml/2006/diagram" ${namespaces}><dgm:pt><dgm:t><a:p><a:r><a:t>President</a:t></a:r></a:p></dgm:t></dgm:pt></dgm:dataModel>`
  const document = await readDocument(
    pptxOf([shape(null, 'before') + frame + shape(null, 'after')], {
      'ppt/slides/_rels/slide1.xml.rels': xmlRelationships({ diagramData: '../data.xml' }),
      'ppt/data.xml': data,
    }),
  )
  assert.equal(document.text, 'before\n\nPresident\n\nafter')
  assert.deepEqual([...new Set(document.blocks.map(({ page }) => page))], [1])
})

test('shapes, tables and groups that their author has hidden are left out, and a hidden slide is read', async () => {
  const named = (text: string, more: string): string =>
    `<p:sp><p:nvSpPr><p:cNvPr id="1" name="x" descr="About ${text}" ${more}/></p:nvSpPr><p:txBody><a:p><a:r><a:t>${text}</a:t></a:r></a:p></p:txBody></p:sp>`
  const table =
    '<p:graphicFrame><p:nvGraphicFramePr><p:cNvPr id="2" hidden="true"/></p:nvGraphicFramePr><a:tbl><a:tr><a:tc><a:txBody><a:p><a:r><a:t>unseen</a:t></a:r></a:p></a:txBody></a:tc></a:tr></a:tbl></p:graphicFrame>'
  const group = `<p:grpSp><p:nvGrpSpPr><p:cNvPr id="3" hidden="1"/></p:nvGrpSpPr>${named('unseen', '')}<p:grpSp>${named('unseen', '')}</p:grpSp></p:grpSp>`
  const slide = `${named('unseen', 'hidden="1"')}${table}${group}${named('seen', 'hidden="0"')}`
  const document = await readDocument(pptxOf([slide]))
  assert.deepEqual(blocksOf(document), ['paragraph: About seen', 'paragraph: seen'])
})
