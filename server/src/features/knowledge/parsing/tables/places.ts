/** Where a table lies in the text, and how its columns are called. */
import type { Block, Header } from '../text-writer.ts'
import { cellsOf, countCells } from './rows.ts'

/** In UTF-16 units of the text. */
export type TablePlace = {
  start: number
  /** Where the rows below the names of the columns begin. */
  rowsStart: number
  end: number
  /** The rows above the names. */
  titles: string[]
  /** The names, several rows of them joined; empty if the table has none, and '' for a column without one. */
  columns: string[]
  columnCount: number
  /** The rows below the names. */
  rowCount: number
}

/** Titles and names are looked for in this many rows. */
const topRows = 12
/** And not behind this many UTF-16 units. */
const topLength = 50_000
/** No more rows together name the columns, unless the file says so. */
const mostGuessed = 4
/** A longer cell is not taken for a name. */
const maxGuessedLength = 150
const maxNameLength = 200
/** Of the names of all columns together. */
const maxNamesLength = 15_000
const maxTitleLength = 500

/** Null for a block that is no table: one line, or one column without a name that the file states. */
export function placeOf(text: string, { start, end, header }: Block): TablePlace | null {
  const { columnCount, rowCount } = extentOf(text, start, end)
  if (columnCount < 2 || rowCount < 2) return null
  const rows = topOf(text, start, end)
  const cells = rows.map(row => padded(row.cells, columnCount))
  const found = header === undefined ? guess(cells) : stated(cells, header)
  const count = found.titles + found.names
  const names = cells.slice(found.titles, count)
  return {
    start,
    rowsStart: rows[count]?.start ?? (count < rowCount ? (rows.at(-1)?.start ?? start) : end),
    end,
    titles: cells
      .slice(0, found.titles)
      .map(row => cut([...new Set(row)].filter(Boolean).join(' '), maxTitleLength)),
    columns:
      names.length === 0
        ? []
        : Array.from({ length: columnCount }, (_, column) =>
            cut(nameOf(names, column), Math.max(1, Math.floor(maxNamesLength / columnCount))),
          ),
    columnCount,
    rowCount: rowCount - count,
  }
}

type OpenTable = { place: TablePlace; page: number | null; headings: string[] }

/** The tables of a text in their order. One whose names are repeated on the next page continues. */
export function createTables(text: string, blocks: readonly Block[]) {
  const begun: OpenTable[] = []
  const known = new Map<Block, { place: TablePlace; table: OpenTable | null }>()
  let last: { table: OpenTable; block: Block } | null = null
  for (const block of blocks) {
    const place = block.kind === 'table' ? placeOf(text, block) : null
    if (place === null) continue
    if (last !== null && continues(text, last, { place, block })) {
      last.table.place.end = place.end
      last.table.place.rowCount += place.rowCount
      last.block = block
      known.set(block, { place, table: null })
    } else {
      // A copy: the place of the whole table may end later than that of the block.
      const table = { place: { ...place }, page: block.page, headings: [] }
      begun.push(table)
      known.set(block, { place, table })
      last = { table, block }
    }
  }
  return {
    /** The place of a block, which stands under the headings; null if the block is no table. */
    begin(block: Block, headings: string[]): TablePlace | null {
      const { place = null, table = null } = known.get(block) ?? {}
      if (table !== null) table.headings = headings
      return place
    },
    takeBefore: (end: number): OpenTable[] => {
      const count = begun.findIndex(({ place }) => place.start >= end)
      return begun.splice(0, count < 0 ? begun.length : count)
    },
  }
}

/** The rows that repeat the names are told from the others by their cells, so that the names stand in one row. */
function continues(
  text: string,
  { table: { place: above }, block: before }: { table: OpenTable; block: Block },
  { place, block }: { place: TablePlace; block: Block },
): boolean {
  return (
    before.page !== null &&
    block.page === before.page + 1 &&
    text.slice(before.end, block.start).trim() === '' &&
    place.titles.length === 0 &&
    place.columns.length > 0 &&
    place.columns.length === above.columns.length &&
    place.columns.every((name, column) => name === above.columns[column]) &&
    areNames(cellsOf(text.slice(place.start, place.rowsStart).trim()), place.columns)
  )
}

/** Whether a row repeats the names of the columns: a table that continues on the next page does so there. */
export const areNames = (cells: readonly string[], columns: readonly string[]): boolean =>
  columns.length > 0 && columns.every((name, column) => name === (cells[column] ?? ''))

type Found = { titles: number; names: number }

/** The names of one column, from the top; a name that is repeated below itself counts once. */
function nameOf(rows: readonly string[][], column: number): string {
  const names = rows
    .map(row => row[column] ?? '')
    .filter((name, index, all) => name !== '' && name !== all[index - 1])
  return cut(names.join(' '), maxNameLength)
}

const cut = (text: string, length: number): string => text.slice(0, length).toWellFormed()

function extentOf(text: string, start: number, end: number): { columnCount: number; rowCount: number } {
  let columnCount = 0
  let rowCount = 0
  for (let at = start; at < end; ) {
    const found = text.indexOf('\n', at)
    const lineEnd = found < 0 || found > end ? end : found
    if (lineEnd > at) {
      rowCount += 1
      columnCount = Math.max(columnCount, countCells(text, at, lineEnd))
    }
    at = lineEnd + 1
  }
  return { columnCount, rowCount }
}

function topOf(text: string, start: number, end: number): { start: number; cells: string[] }[] {
  const rows: { start: number; cells: string[] }[] = []
  let at = start
  for (const line of text.slice(start, Math.min(end, start + topLength)).split('\n')) {
    if (line !== '') rows.push({ start: at, cells: cellsOf(line) })
    at += line.length + 1
    if (rows.length === topRows) break
  }
  return rows
}

const padded = (cells: readonly string[], length: number): string[] =>
  cells.length < length ? [...cells, ...Array<string>(length - cells.length).fill('')] : [...cells]

/** The rows that a file names as names begin with those that title the table, in one cell or one that is repeated. */
function stated(rows: readonly string[][], { above = 0, rows: count }: Header): Found {
  const last = Math.min(above + count, rows.length - 1)
  if (count === 0) return { titles: 0, names: 0 }
  let titles = Math.min(above, last)
  while (titles < last - 1 && isTitle(rows[titles] ?? [])) titles += 1
  return { titles, names: last - titles }
}

/** Rows whose cells are all names, below the titles. */
function guess(rows: readonly string[][]): Found {
  const none = { titles: 0, names: 0 }
  const titles = firstOfNames(rows)
  const first = titles === undefined ? undefined : rows[titles]
  if (titles === undefined || first === undefined) return none
  const below = rows.slice(titles + 1)
  // Rows that leave columns open, or cover several with one name, have further names below, and then the values.
  for (let names = 1; names <= mostGuessed; names++) {
    const above = rows.slice(titles, titles + names)
    const next = below[names - 1] ?? []
    const continues = leavesOpen(above) || isUnlabelled(next, above.at(-1) ?? [])
    if (!continues || isTitle(next) || !isOfNames(next, below.slice(names))) {
      const found = hasValue(next) ? names : 1
      const isSparse =
        filled(first.map((_, column) => nameOf(above.slice(0, found), column))).length * 2 <= first.length
      return isSparse && first.length > 2 ? none : { titles, names: found }
    }
  }
  return none
}

const filled = (row: readonly string[]): string[] => row.filter(cell => cell !== '')

/** One text, which may stand in several cells; a long one may have a number before it. */
function isTitle(row: readonly string[]): boolean {
  const [first = '', ...others] = [...new Set(filled(row))]
  return (
    others.length === 0 ||
    (others.length === 1 && row.length > 2 && (others[0] ?? '').length > longTitle && first === row[0])
  )
}

const longTitle = 60

const hasValue = (row: readonly string[]): boolean => row.some(isValue)

/** Names below names, such as units, have no label of their own in the first column. */
const isUnlabelled = ([label = '', ...cells]: readonly string[], [above]: readonly string[]): boolean =>
  (label === '' || label === above) && cells.some(cell => /\p{L}/u.test(cell))

/**
 * The first row of names; undefined if there is none. Above it are titles, and rows with fewer cells, such as a date.
 * Names over several columns leave the first one open.
 */
function firstOfNames(rows: readonly string[][]): number | undefined {
  const index = rows.findIndex((row, at) => {
    const isFull = row[0] === '' || row.length < 3 || filled(row).length * 2 > row.length
    return isFull && !isTitle(row) && isOfNames(row, rows.slice(at + 1))
  })
  const count = filled(rows[index] ?? []).length
  const remarks = rows.slice(0, index).filter(row => !isTitle(row))
  const areTitles = remarks.every(row => filled(row).length < count)
  return areTitles && (remarks.length === 0 || hasValue(rows[index + 1] ?? [])) ? index : undefined
}

const leavesOpen = (rows: readonly string[][]): boolean => {
  const columns = (rows[0] ?? []).map((_, column) => nameOf(rows, column))
  return columns.some((name, column) => column > 0 && (name === '' || name === columns[column - 1]))
}

/** A year is a name where no year is below it. */
function isOfNames(row: readonly string[], below: readonly string[][]): boolean {
  return row.every((cell, column) => {
    if (!isValue(cell)) return cell.length <= maxGuessedLength
    return year.test(cell) && !below.slice(0, 3).some(other => year.test(other[column] ?? ''))
  })
}

const year = /^(1[89]|20)\d\d$/
/** Numbers, amounts, shares and dates. */
const isValue = (cell: string): boolean =>
  /\d/.test(cell) && (/^[\d\s.,:;%‰€$£¥+±()<>=~≤≥/'’−–-]+$/.test(cell) || amount.test(cell))
/** With a unit behind it, or a currency before it. */
const amount = /^(?:\p{Lu}{3} )?[+−–-]?\d[\d.,'’]{0,20}(?: [\p{L}%°²³/]{1,7})?$/u
