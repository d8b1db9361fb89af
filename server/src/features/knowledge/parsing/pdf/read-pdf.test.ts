import assert from 'node:assert/strict'
import { test } from 'node:test'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'
import { type PlacedText, pdfOf, placedPdfOf } from '../../../../testing/knowledge/sample-files.ts'

const read = async (
  texts: readonly PlacedText[],
  lines: readonly (readonly [number, number, number])[] = [],
) => (await readDocument(placedPdfOf(texts, lines), 'a.pdf')).text

/** Each row from the left, at these places. */
const rowsAt = (rows: readonly (readonly string[])[], places: readonly number[], top: number, leading = 16) =>
  rows.flatMap((row, index) =>
    row.flatMap((text, column) =>
      text === '' ? [] : [{ text, x: places[column] ?? 0, y: top - index * leading }],
    ),
  )

const villages = [
  ['Village', 'Roads', 'Schools', 'Total'],
  ['Arle', '2.3', '3.2', '5.5'],
  ['Brook', '0.21', '0', '0.21'],
  ['Cold Fen', '8.8', '13.4', '22.2'],
]
const places = [60, 180, 260, 340]

test('a table without lines keeps all of its columns, one row for each base line', async () => {
  assert.equal(await read(rowsAt(villages, places, 700)), villages.map(row => row.join(' | ')).join('\n'))
})

test('rows between two drawn lines stay rows of their own', async () => {
  const lines = [
    [55, 400, 694],
    [55, 400, 640],
  ] as const
  assert.equal(
    await read(rowsAt(villages, places, 700), lines),
    villages.map(row => row.join(' | ')).join('\n'),
  )
})

test('a text of several lines is one cell where each row has a line below it', async () => {
  const rows = [
    ['Scale', 'Meaning'],
    ['Visual', 'A line of fixed length'],
    ['analog', 'with words at its ends'],
    ['Likert', 'Statements to choose'],
    ['', 'one answer from'],
    ['Rating', 'Numbers in order'],
    ['', 'with words at both ends'],
  ]
  const lines = [694, 662, 630, 598].map(y => [55, 400, y] as const)
  assert.equal(
    await read(rowsAt(rows, [60, 140], 700), lines),
    [
      'Scale | Meaning',
      'Visual analog | A line of fixed length with words at its ends',
      'Likert | Statements to choose one answer from',
      'Rating | Numbers in order with words at both ends',
    ].join('\n'),
  )
})

test('a name over several columns, and one beside several rows, stands in each of them', async () => {
  const texts = [
    ...rowsAt([['', '', '2024', '', '2025']], [60, 130, 215, 0, 335], 720),
    ...rowsAt([['Region', 'Tariff', 'net', 'gross', 'net', 'gross']], [60, 130, 200, 250, 320, 370], 704),
    ...rowsAt(
      [
        ['Basic', '10', '12', '11', '13'],
        ['Plus', '20', '24', '21', '25'],
      ],
      [130, 200, 250, 320, 370],
      684,
      20,
    ),
    { text: 'North', x: 60, y: 674 },
  ]
  const lines = [
    [195, 290, 716],
    [315, 410, 716],
    [55, 410, 698],
    [125, 410, 678],
    [55, 410, 658],
  ] as const
  assert.equal(
    await read(texts, lines),
    [
      'Region | Tariff | 2024 | 2024 | 2025 | 2025',
      'Region | Tariff | net | gross | net | gross',
      'North | Basic | 10 | 12 | 11 | 13',
      'North | Plus | 20 | 24 | 21 | 25',
    ].join('\n'),
  )
})

test('column names of two lines are joined, and names that are written upwards stand above their columns', async () => {
  const figures = [
    ['Ashby', '109', '0.9', '12'],
    ['Garth', '123', '0.8', '14'],
  ]
  const names = rowsAt(
    [
      ['', 'Lots of', 'Share', 'Price'],
      ['Village', 'rye', 'damp', 'each'],
    ],
    places,
    732,
    12,
  )
  assert.equal(
    await read([...names, ...rowsAt(figures, places, 702)]),
    'Village | Lots of rye | Share damp | Price each\nAshby | 109 | 0.9 | 12\nGarth | 123 | 0.8 | 14',
  )
  const upright = ['Ada Brandt', 'Bo Lindell', 'Cia Moss'].map((text, index) => ({
    text,
    x: 190 + index * 80,
    y: 715,
    degrees: 90,
  }))
  assert.equal(
    await read([...upright, ...rowsAt(figures, places, 702)]),
    ' | Ada Brandt | Bo Lindell | Cia Moss\nAshby | 109 | 0.9 | 12\nGarth | 123 | 0.8 | 14'.trimStart(),
  )
})

test('a currency sign and a percent sign belong to their figure, and dots that lead to a figure are no text', async () => {
  const rows = [
    ['Sales . . . . . . . . .', '$', '10,328', '34.1', '%'],
    ['Costs ............', '$', '5,515', '18.2', '%'],
  ]
  assert.equal(
    await read(rowsAt(rows, [60, 200, 240, 320, 345], 700)),
    'Sales | $ 10,328 | 34.1 %\nCosts | $ 5,515 | 18.2 %',
  )
})

test('columns of running text are read one after the other, with what stands above and below them', async () => {
  const left = [
    'The harvest began late this year',
    'after a wet summer, and roads to',
    'the upper farms were closed for',
    'repairs until the end of August.',
    'Prices rose in spring and fell',
  ]
  const right = [
    'again after the first loads came',
    'in. The mills asked for far more',
    'barley than in the year before,',
    'while the port took less of each',
    'kind than in any year before it.',
  ]
  const columns = [left, right].flatMap((lines, column) =>
    lines.map((text, index) => ({ text, x: 60 + column * 240, y: 700 - index * 12 })),
  )
  const texts = [{ text: 'News of the district and of its mills', x: 60, y: 740, size: 16 }, ...columns]
  assert.equal(await read(texts), `News of the district and of its mills\n\n${[...left, ...right].join(' ')}`)
})

test('letters that are printed twice to look bold are read once', async () => {
  const texts = ['54.5', '54.5'].map((text, index) => ({ text, x: 60 + index * 0.6, y: 700 }))
  assert.equal(await read([...texts, { text: 'tons', x: 84, y: 700 }]), '54.5 tons')
})

test('powers and lowered letters are marked', async () => {
  const texts = [
    { text: '10', x: 60, y: 700 },
    { text: '5', x: 71.2, y: 704, size: 7 },
    { text: 'cells in H', x: 80, y: 700 },
    { text: '2', x: 120.7, y: 698, size: 7 },
    { text: 'O', x: 124.7, y: 700 },
  ]
  assert.equal(await read(texts), '10^5 cells in H_2O')
})

test('a title with spaced letters is read as words', async () => {
  const title = [...'WARRANTY TERMS'].flatMap((text, index) =>
    text === ' ' ? [] : [{ text, x: 60 + index * 11, y: 700 }],
  )
  assert.equal(await read(title), 'WARRANTY TERMS')
})

test('a stamp across a page takes no line of the text with it', async () => {
  const clauses = Array.from(
    { length: 12 },
    (_, index) => `Clause ${index + 1} names tenant number ${40 + index} of the mill.`,
  )
  const texts = clauses.map((text, index) => ({ text, x: 60, y: 700 - index * 20 }))
  const text = await read([...texts, { text: 'DRAFT COPY', x: 120, y: 480, size: 60, degrees: 40 }])
  for (const clause of clauses) assert.ok(text.includes(clause), clause)
  assert.ok(text.endsWith('DRAFT COPY'))
})

test('headings are known by their size and weight, items by their labels', async () => {
  const texts = [
    { text: 'Lease of the mill', x: 60, y: 760, size: 20 },
    { text: 'The lease begins in May and ends in the following year, unless it is renewed.', x: 60, y: 725 },
    { text: 'Duties', x: 60, y: 700, isBold: true },
    { text: '1. Pay the rent.', x: 60, y: 680 },
    { text: '2. Keep the wheel', x: 60, y: 665 },
    { text: 'in repair.', x: 72, y: 653 },
  ]
  assert.deepEqual(blocksOf(await readDocument(placedPdfOf(texts), 'a.pdf')), [
    'heading1: Lease of the mill',
    'paragraph: The lease begins in May and ends in the following year, unless it is renewed.',
    'heading3: Duties',
    'list: 1. Pay the rent.',
    'list: 2. Keep the wheel in repair.',
  ])
})

test('a page without words is left out, and others keep their numbers', async () => {
  const { blocks, pageCount } = await readDocument(pdfOf('First', '', 'Third'), 'a.pdf')
  assert.equal(pageCount, 3)
  assert.deepEqual(
    blocks.map(({ page }) => page),
    [1, 3],
  )
})
