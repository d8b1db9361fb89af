/** The row of a table that fits a search best, with the names of its columns. */
import type { Query } from '../../../platform/database/database.ts'
import { cellsOf, isTableLine } from '../parsing/tables/rows.ts'
import type { TableRow } from '../records/chunks-store.ts'
import { linesOf, tablesAt } from '../records/tables-store.ts'
import type { Highlight } from './ranking/text-ranking.ts'

export type Cells = Record<string, string>

type Passage = {
  documentId: string
  documentVersion: number
  text: string
  startOffset: number
  endOffset: number
  highlights: readonly Highlight[]
}

/** A wider table is not for a person or a model to look at. */
const mostColumns = 200

/** Adds to each passage the cells of its row that fits best; null if no row holds more words of the query than others. */
export async function withCells<Found extends Passage>(
  query: Query,
  passages: readonly Found[],
): Promise<(Found & { cells: Cells | null })[]> {
  const stretches = passages
    .filter(({ text, highlights }) => highlights.length > 0 && isTableLine(text))
    .map(({ documentVersion: version, ...passage }) => ({ ...passage, version }))
  const tables = stretches.length === 0 ? [] : await tablesAt(query, stretches)
  return passages.map(passage => ({ ...passage, cells: bestRow(passage, tables) }))
}

function bestRow(passage: Passage, all: readonly TableRow[]): Cells | null {
  const tables = all.filter(
    table => table.document_id === passage.documentId && table.document_version === passage.documentVersion,
  )
  const rows = tables.length === 0 ? [] : rowsOf(passage, tables)
  // A word counts for less the more of the rows hold it.
  const counts = new Map<string, number>()
  for (const { words } of rows) for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  let best: Row | null = null
  let most = 0
  let least = Number.POSITIVE_INFINITY
  for (const row of rows) {
    let score = 0
    for (const word of row.words) score += 1 / (counts.get(word) ?? 1)
    least = Math.min(least, score)
    if (score > most) {
      best = row
      most = score
    }
  }
  const isOneOfMany = rows.length > 1 && most === least
  return best === null || isOneOfMany ? null : named(linesOf(best.table.columns), best.cells)
}

type Row = { table: TableRow; cells: string[]; words: Set<string> }

/** The rows below the names of their columns, each with the words of the query that it holds. */
function rowsOf({ text, startOffset, highlights }: Passage, tables: readonly TableRow[]): Row[] {
  const rows: Row[] = []
  const points = Array.from(text)
  let start = 0
  for (const line of text.split('\n')) {
    const end = start + Array.from(line).length
    const at = startOffset + start
    const table = tables.find(({ rows_offset, end_offset }) => at >= rows_offset && at < end_offset)
    const cells = table === undefined ? [] : cellsOf(line)
    // A passage may begin within a row.
    const isWhole = start > 0 || at === table?.rows_offset || cells.length === table?.column_count
    if (table !== undefined && isWhole) {
      const inRow = highlights.filter(({ startOffset: from }) => from >= start && from < end)
      const words = inRow.map(({ startOffset: from, endOffset: to }) =>
        points.slice(from, to).join('').toLowerCase(),
      )
      rows.push({ table, cells, words: new Set(words) })
    }
    start = end + 1
  }
  return rows
}

/** Every name is there once. */
function named(columns: readonly string[], cells: readonly string[]): Cells {
  const named = new Map<string, string>()
  for (const [column, name] of columns.slice(0, mostColumns).entries()) {
    const known = name === '' ? `Column ${column + 1}` : name
    let key = known
    for (let count = 2; named.has(key); count++) key = `${known} (${count})`
    named.set(key, cells[column] ?? '')
  }
  return Object.fromEntries(named)
}
