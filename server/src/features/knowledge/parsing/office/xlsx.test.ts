import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import { packageOf, xmlRelationships } from '../../../../testing/knowledge/sample-files.ts'

const main = 'http://schemas.openxmlformats.org/spreadsheetml/2006/main'
const references = 'http://schemas.openxmlformats.org/officeDocument/2006/relationships'

/** A workbook of sheets, each given as the XML of its rows. */
function xlsxOf(
  sheets: Record<string, string>,
  more: Record<string, string> = {},
  workbookPr = '',
  behind = '',
): Buffer {
  const names = Object.keys(sheets)
  return packageOf('xl/workbook.xml', {
    'xl/workbook.xml': `<workbook xmlns="${main}" xmlns:r="${references}">${workbookPr}<sheets>${names.map((name, index) => `<sheet name="${name}" sheetId="${index + 1}" state="${index === 1 ? 'hidden' : 'visible'}" r:id="worksheet${index + 1}"/>`).join('')}</sheets></workbook>`,
    'xl/_rels/workbook.xml.rels': xmlRelationships({
      sharedStrings: 'sharedStrings.xml',
      styles: 'styles.xml',
      ...Object.fromEntries(names.map((_, index) => [`worksheet${index + 1}`, `sheet${index + 1}.xml`])),
    }),
    ...Object.fromEntries(
      Object.values(sheets).map((rows, index) => [
        `xl/sheet${index + 1}.xml`,
        `<worksheet xmlns="${main}"><sheetData>${rows}</sheetData>${behind}</worksheet>`,
      ]),
    ),
    ...more,
  })
}

const inline = (place: string, text: string): string =>
  `<c r="${place}" t="inlineStr"><is><t>${text}</t></is></c>`
const row = (...cells: string[]): string => `<row>${cells.join('')}</row>`

test('each sheet stands under its name, hidden ones too, and one without anything is not there', async () => {
  const document = await readDocument(
    xlsxOf({ Income: row(inline('A1', 'a'), inline('B1', 'b')), Hidden: row(inline('A1', 'c')), Empty: '' }),
  )
  assert.deepEqual(blocksOf(document), ['heading1: Income', 'table: a | b', 'heading1: Hidden', 'table: c'])
})

test('numbers are written as they are meant: dates, times, percentages, money, fractions, and all digits of the rest', async () => {
  const formats = [
    'General',
    'yyyy\\-mm\\-dd',
    'h:mm:ss',
    '0.0%',
    'dd.mm.yyyy hh:mm',
    '[h]:mm',
    '#,##0.00 "days"',
    '0.00E+00',
    '#,##0.00\\ "€"',
    '[$$-409]#,##0.00;[Red]-[$$-409]#,##0.00',
    '_-* #,##0.00\\ [$CHF-807]_-',
    '"zł"\\ 0',
    '# ?/?',
    '# ??/16',
    '¥#,##0',
  ]
  const styles = `<styleSheet xmlns="${main}"><numFmts>${formats.map((code, index) => `<numFmt numFmtId="${200 + index}" formatCode="${code.replaceAll('"', '&quot;')}"/>`).join('')}</numFmts><cellXfs>${formats.map((_, index) => `<xf numFmtId="${200 + index}"/>`).join('')}<xf numFmtId="14"/></cellXfs></styleSheet>`
  const cells: [style: number, value: string, shown: string][] = [
    [0, '123456789012345', '123456789012345'],
    [0, '1.23456789012345E+17', '123456789012345000'],
    [0, '0.10000000000000001', '0.1'],
    [0, '1.5E-7', '0.00000015'],
    [1, '44927', '2023-01-01'],
    [1, '1', '1900-01-01'],
    [2, '0.75', '18:00:00'],
    [3, '0.256', '25.6%'],
    [4, '44927.5', '2023-01-01 12:00:00'],
    [5, '1.5', '36:00:00'],
    [6, '12.5', '12.5'],
    [7, '198356388', '198356388'],
    [8, '1234.5', '1234.50 €'],
    [9, '-1234.567', '-$1234.567'],
    [10, '20', '20.00 CHF'],
    [11, '3', 'zł 3'],
    [12, '1.5', '1 1/2'],
    [12, '0.33333333333', '1/3'],
    [12, '-2', '-2'],
    [12, '0.99', '1'],
    [13, '0.5', '8/16'],
    [14, '980', '¥980'],
    [15, '44927', '2023-01-01'],
    [1, '1e300', '1e+300'],
  ]
  const rows = cells.map(([style, value]) => row(`<c s="${style}"><v>${value}</v></c>`)).join('')
  const document = await readDocument(xlsxOf({ S: rows }, { 'xl/styles.xml': styles }))
  assert.deepEqual(
    document.text.split('\n').slice(2),
    cells.map(([, , shown]) => shown),
  )
})

test('days are counted from 1904 where the workbook says so', async () => {
  const styles = `<styleSheet xmlns="${main}"><cellXfs><xf numFmtId="14"/></cellXfs></styleSheet>`
  const rows = row('<c s="0"><v>0</v></c>') + row('<c s="0"><v>43465</v></c>')
  const document = await readDocument(
    xlsxOf({ S: rows }, { 'xl/styles.xml': styles }, '<workbookPr date1904="1"/>'),
  )
  assert.equal(document.text, 'S\n\n1904-01-01\n2023-01-01')
})

test('strings are shared or not, without how they are spoken; booleans, errors and formulas are readable', async () => {
  const strings = `<sst xmlns="${main}"><si><r><t>豊</t></r><r><t>田</t></r><rPh sb="0" eb="1"><t>トヨタ</t></rPh></si><si><t>two_x000A_lines</t></si></sst>`
  const cells = [
    '<c t="s"><v>0</v></c>',
    '<c t="s"><v>1</v></c>',
    '<c t="b"><v>1</v></c>',
    '<c t="e"><v>#N/A</v></c>',
    '<c t="str"><f>A1&amp;"x"</f><v>text</v></c>',
    '<c><f>SUM(A1:A2)</f></c>',
    '<c><f>NOW()</f><v></v></c>',
    '<c t="str"><f>IF(A1="","",A1)</f><v></v></c>',
    '<c t="n"><v>7</v></c>',
    '<c t="s"><v>99</v></c>',
  ]
  const document = await readDocument(xlsxOf({ S: row(...cells) }, { 'xl/sharedStrings.xml': strings }))
  assert.equal(document.text, 'S\n\n豊田 | two lines | TRUE | #N/A | text | =SUM(A1:A2) | =NOW() |  | 7')
})

test('columns stay where they are, and cells that are far apart do not fill what is between them', async () => {
  const rows =
    row(inline('C3', 'name'), inline('D3', 'first'), inline('E3', 'second')) +
    row(inline('C4', 'x'), inline('E4', '2')) +
    row(inline('D5', 'lone')) +
    row(inline('XFD1048576', 'corner'))
  const { text } = await readDocument(xlsxOf({ S: rows }))
  assert.match(text, /^S\n\nname \| first \| second\nx \| {2}\| 2\n\| lone\n/)
  assert.ok(text.endsWith('corner') && text.length < 150)
})

test('text boxes, charts, comments and headers are read, each once', async () => {
  const sheet = `<worksheet xmlns="${main}"><sheetData>${row(inline('A1', 'cell'))}</sheetData><headerFooter><oddHeader>&amp;L&amp;"Arial,Bold"&amp;12Confidential&amp;RPage &amp;P</oddHeader><evenHeader>&amp;LConfidential</evenHeader></headerFooter></worksheet>`
  const drawing = `<xdr:wsDr xmlns:xdr="http://schemas.openxmlformats.org/drawingml/2006/spreadsheetDrawing" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main" xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:r="${references}"><xdr:sp><xdr:txBody><a:p><a:r><a:t>In a box</a:t></a:r></a:p></xdr:txBody></xdr:sp><c:chart r:id="chart"/></xdr:wsDr>`
  const points = (tag: string, cache: string, ...values: string[]): string =>
    `<c:${tag}><c:ref><c:${cache}>${values.map((value, index) => `<c:pt idx="${index}"><c:v>${value}</c:v></c:pt>`).join('')}</c:${cache}></c:ref></c:${tag}>`
  const chart = `<c:chartSpace xmlns:c="http://schemas.openxmlformats.org/drawingml/2006/chart" xmlns:a="http://schemas.openxmlformats.org/drawingml/2006/main"><c:title><c:tx><c:rich><a:p><a:r><a:t>Sales</a:t></a:r></a:p></c:rich></c:tx></c:title><c:ser>${points('tx', 'strCache', '2023')}${points('cat', 'strCache', 'Q1', 'Q2')}${points('val', 'numCache', '4.300000000001', '2')}</c:ser></c:chartSpace>`
  const document = await readDocument(
    xlsxOf(
      { S: '' },
      {
        'xl/sheet1.xml': sheet,
        'xl/_rels/sheet1.xml.rels': xmlRelationships({ drawing: 'drawing1.xml', comments: 'comments1.xml' }),
        'xl/drawing1.xml': drawing,
        'xl/_rels/drawing1.xml.rels': xmlRelationships({ chart: 'chart1.xml' }),
        'xl/chart1.xml': chart,
        'xl/comments1.xml': `<comments xmlns="${main}"><authors><author>Someone</author></authors><commentList><comment ref="A1"><text><r><t>A remark</t></r></text></comment></commentList></comments>`,
      },
    ),
  )
  assert.deepEqual(blocksOf(document), [
    'heading1: S',
    'table: cell',
    'paragraph: In a box',
    'paragraph: Sales',
    'table: | 2023\nQ1 | 4.300000000001\nQ2 | 2',
    'paragraph: A remark',
    'paragraph: Confidential',
    'paragraph: Page',
  ])
})

test('a note stays where another cell has a thread, and the thread is read once', async () => {
  const comments = `<comments xmlns="${main}"><commentList><comment ref="A1"><text><t>Order the boiler.</t></text></comment><comment ref="B1"><text><t>[Threaded comment] Two coats.</t></text></comment></commentList></comments>`
  const threads =
    '<ThreadedComments xmlns="http://schemas.microsoft.com/office/spreadsheetml/2018/threadedcomments"><threadedComment ref="B1"><text>Two coats.</text></threadedComment></ThreadedComments>'
  const { text } = await readDocument(
    xlsxOf(
      { Budget: row(inline('A1', 'Boiler'), inline('B1', 'Paint')) },
      {
        'xl/_rels/sheet1.xml.rels': xmlRelationships({
          comments: 'comments.xml',
          threadedComment: 'threads.xml',
        }),
        'xl/comments.xml': comments,
        'xl/threads.xml': threads,
      },
    ),
  )
  assert.equal(text, 'Budget\n\nBoiler | Paint\n\nTwo coats.\n\nOrder the boiler.')
})

const mergedIn = (...ranges: string[]): string =>
  `<mergeCells>${ranges.map(range => `<mergeCell ref="${range}"/>`).join('')}</mergeCells>`

test('merged cells show their text in each row and column that they cover', async () => {
  const rows = [
    row(inline('A1', 'Plan')),
    row(inline('A2', 'Region'), inline('B2', '2024'), inline('D2', 'Note')),
    row(inline('B3', 'net'), inline('C3', 'gross')),
    '<row/>',
    row(inline('A5', 'North'), inline('B5', '10'), inline('C5', '12'), inline('D5', 'ok')),
    row(inline('B6', '11'), inline('C6', '13')),
  ].join('')
  const merged = mergedIn('A1:XFD1', 'A2:A4', 'B2:C2', 'D2:D4', 'A5:A1048576', 'B7:C9')
  const document = await readDocument(xlsxOf({ S: rows }, {}, '', merged))
  assert.deepEqual(blocksOf(document).slice(1), [
    `table: ${[
      'Plan | Plan | Plan | Plan',
      'Region | 2024 | 2024 | Note',
      'Region | net | gross | Note',
      'North | 10 | 12 | ok',
      'North | 11 | 13',
    ].join('\n')}`,
  ])
})

test('spans over a whole sheet cost nothing, in whatever number of sheets', async () => {
  const rows =
    row(inline('A1', 'wide'), inline('XFD1', 'far')) +
    Array.from(
      { length: 3_000 },
      (_, index) => `<row r="${index + 2}"><c r="B${index + 2}"><v>1</v></c></row>`,
    ).join('')
  const merged = mergedIn(...Array<string>(20_000).fill('A1:XFD1048576'))
  const sheets = Object.fromEntries(Array.from({ length: 20 }, (_, index) => [`S${index}`, rows]))
  const { text } = await readDocument(xlsxOf(sheets, {}, '', merged))
  assert.ok(text.length < 3_000_000, String(text.length))
})
