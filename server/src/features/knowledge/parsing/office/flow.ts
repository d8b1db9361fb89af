/** Gathers running text into blocks while a document streams by: paragraphs, rows of tables, and the boxes beside them. */
import { ParseFailure } from '../failure.ts'
import { maxTextLength } from '../limits.ts'
import { createBudget } from '../tables/grid.ts'
import { rowText } from '../tables/rows.ts'
import type { Header } from '../text-writer.ts'
import { type BlockKind, type BlockOptions, onOneLine, type TextWriter } from '../text-writer.ts'

export type Flow = ReturnType<typeof createFlow>

export type RecordedBlock = { kind: BlockKind; text: string; options: BlockOptions }

/** A writer that keeps the blocks that it is given. */
export function createRecorder(): TextWriter & { blocks: RecordedBlock[] } {
  const blocks: RecordedBlock[] = []
  return { blocks, add: (kind, text, options = {}) => void blocks.push({ kind, text, options }) }
}

/** A writer for slides: the title of a slide is not a heading of the next slide. */
export function writerOfSlides(writer: TextWriter): TextWriter {
  let page: number | undefined
  return {
    add(kind, text, options = {}) {
      const opensPart = options.page !== page
      page = options.page
      writer.add(kind, text, opensPart ? { ...options, opensPart } : options)
    },
  }
}

/** The rows of one table as text, without columns at the left that are all empty, and empty cells at a row's end. */
export function createRows() {
  /** Rows joined by the thousand: a million separate strings would take more memory than their text. */
  const parts: string[] = []
  let lines: string[] = []
  let leastIndent = Number.POSITIVE_INFINITY
  let length = 0
  let count = 0
  let names = 0
  const pack = (): void => {
    if (lines.length > 0) parts.push(lines.join('\n'))
    lines = []
  }
  return {
    /** Throws `text_too_long`. An empty row is left out. */
    add(cells: readonly string[], isOfNames = false): void {
      const indent = cells.findIndex(cell => cell !== '')
      if (indent < 0) return
      const end = cells.findLastIndex(cell => cell !== '') + 1
      // Checked before the row is made: its cells may all be one long string that the file has once.
      for (const cell of cells) length += cell.length + emptyCell.length
      if (length > maxTextLength) throw new ParseFailure('text_too_long')
      leastIndent = Math.min(leastIndent, indent)
      lines.push(emptyCell.repeat(indent) + rowText(cells.slice(indent, end)))
      if (isOfNames && names === count) names += 1
      count += 1
      if (lines.length >= 1_000) pack()
    },
    /** The rows so far. */
    count: (): number => count,
    /** The rows of names at the top; undefined if there are none, or no others. */
    header: (): Header | undefined => (names > 0 && names < count ? { rows: names } : undefined),
    text(): string {
      pack()
      const common = leastIndent === Number.POSITIVE_INFINITY ? 0 : leastIndent * emptyCell.length
      const all = parts.join('\n')
      return common === 0 ? all : all.replace(new RegExp(`^.{${common}}`, 'gm'), '')
    },
  }
}

/** Stands for an empty cell at the beginning of a row. */
const emptyCell = '| '

type Target =
  | { kind: 'page' }
  /** Its blocks come after the open paragraph around the box. */
  | { kind: 'box'; blocks: RecordedBlock[] }
  | Table

type Table = {
  kind: 'table'
  rows: ReturnType<typeof createRows>
  /** The cells of the row so far. */
  row: FlowCell[]
  /** Whether the file says that the row names the columns. */
  isOfNames: boolean
  /** The texts of the row before, column by column. */
  above: string[]
  /** The blocks in the table that are in none of its cells. */
  behind: RecordedBlock[]
  isLayout: boolean
}

/** `columns` are those that the cell covers; a continued one shows what the cell above it, or left of it, shows. */
export type FlowCell = { paragraphs: string[]; columns: number; continues: 'above' | 'left' | null }

export type CellSpan = { columns?: number; continues?: 'above' | 'left' | null }

const mostColumns = 1_000

export function createFlow(writer: TextWriter) {
  const places: Target[] = [{ kind: 'page' }]
  const budget = createBudget()
  /** For each open paragraph its text, and the blocks that come after it. */
  const open: { text: string[]; behind: RecordedBlock[] }[] = []

  const top = (): Target => places.at(-1) ?? { kind: 'page' }

  /** Adds a block to the place at this depth. */
  const add = (block: RecordedBlock, depth = places.length): void => {
    const place = places[depth - 1]
    if (place === undefined || place.kind === 'page') writer.add(block.kind, block.text, block.options)
    else if (place.kind === 'box') place.blocks.push(block)
    else if (place.isLayout) add(block, depth - 1)
    else if (place.row.length > 0) place.row.at(-1)?.paragraphs.push(block.text)
    else place.behind.push(block)
  }

  /** A table that holds another table is only layout: its text so far is written, and the rest as it comes. */
  const dissolve = (table: Table): void => {
    table.isLayout = true
    const text = table.rows.text()
    if (text !== '') add({ kind: 'table', text, options: {} }, places.length - 1)
    for (const { paragraphs } of table.row) {
      for (const text of paragraphs) add({ kind: 'paragraph', text, options: {} }, places.length - 1)
    }
  }

  const place = (blocks: readonly RecordedBlock[]): void => {
    const around = open.at(-1) ?? top()
    for (const block of blocks) {
      if ('behind' in around) around.behind.push(block)
      else add(block)
    }
  }

  return {
    /** Adds running text; text outside of a paragraph is left out. */
    text: (piece: string): void => void open.at(-1)?.text.push(piece),
    beginParagraph: (): void => void open.push({ text: [], behind: [] }),
    dropParagraphText: (): void => void open.at(-1)?.text.splice(0),
    /** `marker` is the beginning of a list item. */
    endParagraph(
      kind: BlockKind = 'paragraph',
      { marker = '', ...options }: BlockOptions & { marker?: string } = {},
    ): void {
      const { text = [], behind = [] } = open.pop() ?? {}
      const plain = tidy(text.join(''))
      if (plain !== '') add({ kind, text: marker + plain, options })
      for (const block of behind) add(block)
    },
    beginTable(): void {
      const around = top()
      if (around.kind === 'table' && !around.isLayout) dissolve(around)
      places.push({
        kind: 'table',
        rows: createRows(),
        row: [],
        isOfNames: false,
        above: [],
        behind: [],
        isLayout: false,
      })
    },
    beginRow(): void {
      const table = top()
      if (table.kind !== 'table') return
      table.row = []
      table.isOfNames = false
    },
    ...createCells(top),
    claim: budget.claim,
    endRow(repeat: number = 1): void {
      const table = top()
      if (table.kind !== 'table' || table.isLayout) return
      const cells = textsOf(table, budget.left())
      budget.claim(Math.max(0, cells.length - table.row.length))
      table.above = cells
      for (let i = 0; i < repeat; i++) table.rows.add(cells, table.isOfNames)
      table.row = []
    },
    /** `heading` stands above the table unless the table is empty. */
    endTable({ heading = '', ...options }: BlockOptions & { heading?: string } = {}): void {
      const table = places.pop()
      if (table?.kind !== 'table') return
      const text = table.rows.text()
      const isEmpty = table.isLayout || (text === '' && table.behind.length === 0)
      if (heading !== '' && !isEmpty)
        add({ kind: 'heading', text: heading, options: { ...options, level: 1 } })
      const header = table.rows.header()
      if (!table.isLayout && text !== '') add({ kind: 'table', text, options: { ...options, header } })
      for (const block of table.behind) add(block)
    },
    /** Begins a text box, note or comment within a paragraph: its paragraphs come after that paragraph. */
    beginBox: (): void => void places.push({ kind: 'box', blocks: [] }),
    endBox(): void {
      const box = places.pop()
      if (box?.kind === 'box') place(box.blocks)
    },
    /** Adds blocks that were read elsewhere, like the blocks of a box. */
    insert: (blocks: readonly RecordedBlock[], page?: number): void =>
      place(
        page === undefined
          ? blocks
          : blocks.map(block => ({ ...block, options: { ...block.options, page } })),
      ),
  }
}

/** What files say of the open row and its cells. */
const createCells = (top: () => Target) => ({
  /** The open row holds names of columns. */
  setNames(): void {
    const table = top()
    if (table.kind === 'table') table.isOfNames = true
  },
  /** Null outside of tables. A cell that is given is shown once more, where it covers others. */
  beginCell(cell: FlowCell = { paragraphs: [], columns: 1, continues: null }): FlowCell | null {
    const table = top()
    if (table.kind !== 'table') return null
    table.row.push(cell)
    return cell
  },
  /** For the open cell, since files say it behind its beginning. */
  spanCell({ columns, continues }: CellSpan): void {
    const table = top()
    const cell = table.kind === 'table' ? table.row.at(-1) : undefined
    if (cell === undefined) return
    if (columns !== undefined && columns >= 1) cell.columns = Math.min(mostColumns, columns)
    if (continues !== undefined) cell.continues = continues
  },
  /** For a cell that the file writes once for several columns. */
  repeatCell(times: number): void {
    const table = top()
    const cell = table.kind === 'table' ? table.row.at(-1) : undefined
    if (table.kind === 'table' && cell !== undefined) table.row.push(...Array<FlowCell>(times - 1).fill(cell))
  },
})

/** The text of a cell stands in each column that it covers, and in each row. */
function textsOf({ row, above }: Table, mostRepeated: number): string[] {
  const texts: string[] = []
  for (const { paragraphs, columns, continues } of row) {
    const own = onOneLine(paragraphs.join(' '))
    const before =
      continues === 'above' ? above[texts.length] : continues === 'left' ? texts.at(-1) : undefined
    const text = own === '' ? (before ?? '') : own
    const room = Math.max(1, mostRepeated + row.length - texts.length)
    for (let column = 0; column < Math.min(columns, room); column++) texts.push(text)
  }
  return texts
}

/** Lines are kept. White space within a line becomes one space, except tabs, which separate columns. */
const tidy = (text: string): string =>
  text
    .split('\n')
    .map(line => line.replace(/[^\S\t]+/g, ' ').trim())
    .join('\n')
    .trim()

// Numbers of list items as office programs write them.

/** `format` is a word of WordprocessingML or the sample of OpenDocument: `lowerLetter` or `a`. Others become digits. */
export function numberAs(format: string, number: number): string {
  if (number < 1 || number > largest) return String(number)
  switch (format) {
    case 'lowerLetter':
    case 'a':
      return letters(number)
    case 'upperLetter':
    case 'A':
      return letters(number).toUpperCase()
    case 'lowerRoman':
    case 'i':
      return roman(number)
    case 'upperRoman':
    case 'I':
      return roman(number).toUpperCase()
    case 'decimalZero':
      return String(number).padStart(2, '0')
    default:
      return String(number)
  }
}

/** Larger numbers are not readable as letters or as Roman numbers. */
const largest = 3_999

/** a … z, aa, bb …: the letter is repeated. */
function letters(number: number): string {
  const letter = String.fromCharCode(97 + ((number - 1) % 26))
  return letter.repeat(Math.min(8, Math.ceil(number / 26)))
}

const romanDigits: readonly (readonly [value: number, digits: string])[] = [
  [1000, 'm'],
  [900, 'cm'],
  [500, 'd'],
  [400, 'cd'],
  [100, 'c'],
  [90, 'xc'],
  [50, 'l'],
  [40, 'xl'],
  [10, 'x'],
  [9, 'ix'],
  [5, 'v'],
  [4, 'iv'],
  [1, 'i'],
]

function roman(number: number): string {
  let rest = number
  let written = ''
  for (const [value, digits] of romanDigits) {
    written += digits.repeat(Math.floor(rest / value))
    rest %= value
  }
  return written
}
