/** Cells that cover several columns or rows: their text is repeated in each, so that every row can be read alone. */

export type GridCell = { text: string; columns: number; rows: number }

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

export function createGrid() {
  const rows: string[][] = []
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
  }

  return {
    beginRow,
    addCell({ text, columns, rows: height }: GridCell): void {
      if (rows.length === 0) beginRow()
      takeFromAbove()
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
      return rows.filter(row => row.some(cell => cell !== ''))
    },
  }
}

export const rowText = (row: readonly string[]): string => row.join(' | ')
