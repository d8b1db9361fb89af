/** Cells that cover several columns or rows: their text is repeated in each, so that every row can be read alone. */

import type { Header } from '../text-writer.ts'

export type GridCell = { text: string; columns: number; rows: number; isName?: boolean }

const mostColumns = 1_000
/** A cell may claim a million columns and rows. */
export const mostRepeats = 200_000

/** The cells that cover others may cover so many, in all tables of a document. */
export function createBudget() {
  let left = mostRepeats
  return {
    left: () => left,
    /** Returns how many of these cells the document may have. */
    claim(cells: number): number {
      const granted = Math.min(cells, left)
      left -= granted
      return granted
    },
  }
}

const hasText = (row: readonly string[]): boolean => row.some(cell => cell !== '')

export function createGrid() {
  const rows: string[][] = []
  /** Rows, from the top, whose own cells are all names. */
  let nameRows = 0
  let isOfNames = true
  /** What cells of earlier rows put into rows to come, by column. */
  let below = new Map<number, { text: string; rows: number }>()
  let repeats = 0
  let column = 0

  const takeFromAbove = (): void => {
    for (let cell = below.get(column); cell !== undefined; cell = below.get(column)) {
      rows.at(-1)?.push(cell.text)
      if (cell.rows === 1) below.delete(column)
      else cell.rows -= 1
      column += 1
    }
  }

  const beginRow = (): void => {
    endRow()
    rows.push([])
    column = 0
    isOfNames = nameRows === rows.length - 1
  }

  const endRow = (): void => {
    if (rows.length === 0) return
    takeFromAbove()
    // Cells from above that lie behind a gap.
    const last = Math.max(-1, ...below.keys())
    while (column <= last) {
      rows.at(-1)?.push('')
      column += 1
      takeFromAbove()
    }
    // Names beside nothing are those of the rows below them.
    if (isOfNames && column >= (rows[0]?.length ?? 0)) nameRows = rows.length
  }

  return {
    beginRow,
    addCell({ text, columns, rows: height, isName = false }: GridCell): void {
      if (rows.length === 0) beginRow()
      takeFromAbove()
      isOfNames &&= isName
      const row = rows.at(-1)
      const room = Math.max(1, Math.min(columns, mostColumns - column, mostRepeats - repeats))
      for (let count = 0; count < room; count++) {
        row?.push(text)
        if (height > 1 && repeats < mostRepeats)
          below.set(column, { text, rows: Math.min(height - 1, mostColumns) })
        column += 1
        // Rows below that are taken by an earlier cell are that cell's.
        if (count + 1 < room && below.has(column)) break
      }
      repeats += room > 1 || height > 1 ? room * Math.min(height, mostColumns) : 0
    },
    /** The rows with a text, once the last one is complete. */
    rows(): string[][] {
      endRow()
      below = new Map()
      return rows.filter(hasText)
    },
    /** The rows of names at the top; undefined if there are none, or no others. */
    header(): Header | undefined {
      const names = rows.slice(0, nameRows).filter(hasText).length
      return names === 0 || nameRows === rows.length ? undefined : { rows: names }
    },
  }
}
