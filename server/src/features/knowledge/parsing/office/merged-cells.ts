/** The merged cells of a sheet: the text of the first cell stands in each row and column that it covers. */

import { type createBudget, mostRepeats } from '../tables/grid.ts'
import { readXml } from './xml.ts'
import type { Zip } from './zip.ts'

/** `column` is from 0. */
export type ShownCell = { column: number; text: string }

/** Rows from 1 and columns from 0, the last ones included. */
type Range = { firstRow: number; lastRow: number; firstColumn: number; lastColumn: number }

export type MergedCells = ReturnType<typeof createMergedCells>

/** Sorted by their first rows. The sheet names them behind its rows, so it is read once more if it has any. */
export async function readMergedCells(zip: Zip, sheet: string): Promise<Range[]> {
  if (!(await mentions(zip.piecesAgain(sheet), 'mergeCell'))) return []
  const ranges: Range[] = []
  let column = -1
  let usedColumns = 0
  await readXml(zip.piecesAgain(sheet), {
    open(name, attributes) {
      if (name === 's:row') column = -1
      else if (name === 's:c') column = columnOf(attributes.r) ?? column + 1
      else if (name === 's:v' || name === 's:t' || name === 's:f') usedColumns = Math.max(usedColumns, column)
      else if (name === 's:mergeCell' && ranges.length < mostRepeats) {
        const range = rangeOf(attributes.ref)
        if (range !== null) ranges.push(range)
      }
      return undefined
    },
  })
  // A title may be merged over all columns that a sheet can have.
  for (const range of ranges) range.lastColumn = Math.min(range.lastColumn, usedColumns)
  return ranges.toSorted((one, other) => one.firstRow - other.firstRow)
}

/** Unpacking alone takes a tenth of the time that reading the tags takes. */
async function mentions(pieces: AsyncIterable<Buffer>, word: string): Promise<boolean> {
  let end: Buffer = Buffer.alloc(0)
  for await (const piece of pieces) {
    if (Buffer.concat([end, piece.subarray(0, word.length)]).includes(word) || piece.includes(word))
      return true
    end = piece.subarray(-word.length)
  }
  return false
}

function rangeOf(reference = ''): Range | null {
  const [, from = '', fromRow = '', to = '', toRow = ''] =
    /^\$?([A-Z]{1,3})\$?(\d{1,9}):\$?([A-Z]{1,3})\$?(\d{1,9})$/i.exec(reference) ?? []
  const [firstColumn, lastColumn] = [columnOf(from), columnOf(to)]
  if (firstColumn === null || lastColumn === null || from + fromRow === to + toRow) return null
  return { firstRow: Number(fromRow), lastRow: Number(toRow), firstColumn, lastColumn }
}

/** The column, from 0, of a reference such as `AB12`; null if the reference names none. */
export function columnOf(reference = ''): number | null {
  let column = 0
  for (let i = 0; i < 3; i++) {
    const letter = reference.charCodeAt(i) & ~32
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column === 0 ? null : column - 1
}

export function createMergedCells(ranges: readonly Range[], budget: ReturnType<typeof createBudget>) {
  let next = 0
  let open: (Range & { text: string })[] = []

  /** A range without a text in its first cell shows nothing. */
  const openRanges = (row: number, cells: ReadonlyMap<number, string>): void => {
    open = open.filter(({ lastRow }) => lastRow >= row)
    for (let range = ranges[next]; range !== undefined && range.firstRow <= row; range = ranges[next]) {
      const text = range.firstRow === row ? cells.get(range.firstColumn) : undefined
      if (text !== undefined) open.push({ ...range, text })
      next += 1
    }
  }

  return {
    /** The cells of the next row, in the order of columns. A row without a text of its own stays empty. */
    fill(row: number, cells: readonly ShownCell[]): readonly ShownCell[] {
      if (cells.length === 0 || (open.length === 0 && next === ranges.length)) return cells
      const texts = new Map(cells.map(({ column, text }) => [column, text] as const))
      openRanges(row, texts)
      if (open.length === 0) return cells
      for (const { firstColumn, lastColumn, text } of open) {
        const columns = budget.claim(Math.max(1, lastColumn - firstColumn + 1))
        for (let column = firstColumn; column < firstColumn + columns; column++) {
          if (!texts.has(column)) texts.set(column, text)
        }
      }
      if (budget.left() === 0) open = []
      return [...texts]
        .map(([column, text]) => ({ column, text }))
        .toSorted((one, other) => one.column - other.column)
    },
  }
}
