/** Word, Excel and PowerPoint before 2007. */
import assert from 'node:assert/strict'
import { test } from 'node:test'
import { utils, write } from '@e965/xlsx'
import { docOf, type OldParagraph, pptOf } from '../../../../testing/knowledge/old-office.ts'
import { blocksOf, readDocument } from '../../../../testing/knowledge/read-document.ts'

const inTable: [number, number[]] = [0x2416, [1]]
const endOfRow: [number, number[]] = [0x2417, [1]]

/** The edges of cells, and the flags of each. */
const rowOf = (edges: number[], flags: number[]): [number, number[]] => {
  const data = Buffer.alloc(1 + edges.length * 2 + flags.length * 20)
  data[0] = edges.length - 1
  for (const [index, edge] of edges.entries()) data.writeInt16LE(edge, 1 + index * 2)
  for (const [index, flag] of flags.entries()) data.writeUInt16LE(flag, 1 + edges.length * 2 + index * 20)
  const size = Buffer.alloc(2)
  size.writeUInt16LE(data.length + 1)
  return [0xd608, [...size, ...data]]
}

const cells = (...texts: string[]): OldParagraph[] =>
  texts.map(text => ({ text: `${text}\u0007`, properties: [inTable] }))

const rowEnd = (edges: number[], flags: number[] = []): OldParagraph => ({
  text: '\u0007',
  properties: [inTable, endOfRow, rowOf(edges, flags)],
})

test('a Word document has its headings, paragraphs and tables, whose wide cells stand in each column', async () => {
  const document = await readDocument(
    docOf([
      { text: 'Fees\r', style: 1 },
      { text: 'The fees of 2003, in euros.\r' },
      ...cells('Region', 'Half years'),
      rowEnd([0, 2_000, 6_000]),
      ...cells('North', '20', '24'),
      rowEnd([0, 2_000, 4_000, 6_000]),
      ...cells('', '21', '25'),
      rowEnd([0, 2_000, 4_000, 6_000], [0x20, 0, 0]),
      { text: 'Ask at the desk.\r' },
    ]),
  )
  assert.deepEqual(blocksOf(document), [
    'heading1: Fees',
    'paragraph: The fees of 2003, in euros.',
    'table: Region | Half years | Half years\nNorth | 20 | 24\nNorth | 21 | 25',
    'paragraph: Ask at the desk.',
  ])
})

test('hidden and deleted words of a Word document are left out, and links show their addresses', async () => {
  const hidden: OldParagraph = {
    text: 'Rent is secret 950 euros.\r',
    marks: { from: 8, to: 15, properties: [[0x083c, [1]]] },
  }
  const deleted: OldParagraph = {
    text: 'Notice is 30 20 days.\r',
    marks: { from: 10, to: 13, properties: [[0x0800, [1]]] },
  }
  const link = { text: 'See \u0013 HYPERLINK "https://example.com/a" \u0014the plan\u0015.\r' }
  const { text } = await readDocument(docOf([hidden, deleted, link]))
  assert.equal(text, 'Rent is 950 euros.\n\nNotice is 20 days.\n\nSee the plan (https://example.com/a).')
})

test('a protected Word document fails as encrypted, and one that points beyond itself as corrupt', async () => {
  await assert.rejects(readDocument(docOf([{ text: 'x\r' }], { isEncrypted: true })), { code: 'encrypted' })
  const bytes = docOf([{ text: 'A short text.\r' }])
  const places = [0x1a2, 0x102, 0xa2]
  for (const place of places) {
    const broken = Buffer.from(bytes)
    const main = broken.indexOf(Buffer.from([0xec, 0xa5, 193, 0]))
    broken.writeUInt32LE(0x7fffffff, main + place)
    await assert.rejects(readDocument(broken), { code: 'corrupt' }, `place ${place}`)
  }
})

test('each slide of an old presentation is a page: its title first, then its items, then its notes', async () => {
  const document = await readDocument(
    pptOf([
      { title: 'Harvest', body: 'Apples\rPears' },
      { title: 'Prices', body: 'Up by 4 %', notes: 'Mention the frost.' },
    ]),
  )
  assert.deepEqual(blocksOf(document), [
    'heading1: Harvest',
    'list: - Apples',
    'list: - Pears',
    'heading1: Prices',
    'list: - Up by 4 %',
    'paragraph: Mention the frost.',
  ])
  assert.deepEqual(
    document.blocks.map(({ page }) => page),
    [1, 1, 1, 2, 2, 2],
  )
  assert.equal(document.pageCount, 2)
})

test('an old workbook shows its cells as Excel does: sheets, merged cells, dates, leading zeros', async () => {
  const sheet = utils.aoa_to_sheet([
    ['Region', '2024', null],
    ['North', { t: 'n', v: 1_002, z: '00000' }, { t: 'n', v: 45_000, z: 'yyyy-mm-dd' }],
    ['South', { t: 'b', v: true }, { t: 'n', v: 0.25, z: '0 %' }],
  ])
  sheet['!merges'] = [utils.decode_range('B1:C1')]
  const book = utils.book_new()
  utils.book_append_sheet(book, sheet, 'Depots')
  const bytes = write(book, { type: 'buffer', bookType: 'biff8' })
  assert.deepEqual(blocksOf(await readDocument(bytes)), [
    'heading1: Depots',
    'table: Region | 2024 | 2024\nNorth | 01002 | 2023-03-15\nSouth | TRUE | 25%',
  ])
})
