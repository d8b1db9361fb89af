/** The tables of a document with their rows, which are read out of the text. */
import type { Query } from '../../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../../platform/database/page.ts'
import { codePointLength } from '../../parsing/chunking.ts'
import { areNames } from '../../parsing/tables/places.ts'
import { cellsOf } from '../../parsing/tables/rows.ts'
import { headingsOf, type TableRow } from '../../records/chunks-store.ts'
import type { DocumentRow } from '../../records/documents-store.ts'
import type { DocumentTable } from '../../records/schemas.ts'
import { linesOf, pageTables } from '../../records/tables-store.ts'
import { readText, requireText } from '../versions-service.ts'

/** The cells of one reply. */
export const maxCells = 50_000
/** As many as an Excel sheet has. */
export const maxColumns = 16_384
/** The code points of all rows of one reply. A longer row is cut. */
const maxLength = 1_000_000
/** The code points that are read at once. */
const pieceLength = 100_000

/** The tables of the given version, by default of the served version, in the order of the text. */
export async function readTables(
  query: Query,
  document: DocumentRow,
  { version, from }: { version: number | undefined; from: number },
  { page, pageSize }: PageRequest,
): Promise<Page<DocumentTable>> {
  const stored = await requireText(query, document, version)
  const offset = (page - 1) * pageSize
  const { items, before, total } = await pageTables(query, stored, { from, offset, limit: pageSize })
  const room = { cells: maxCells, length: maxLength }
  const tables: DocumentTable[] = []
  for (const [index, row] of items.entries()) {
    const read = await readRows(query, row, Math.max(from, row.rows_offset), room)
    tables.push({ ...presentTable(row, before + offset + index + 1), ...read })
  }
  return { items: tables, total }
}

const presentTable = (row: TableRow, number: number) => ({
  documentId: row.document_id,
  documentVersion: row.document_version,
  number,
  headings: headingsOf(row.headings),
  titles: linesOf(row.titles),
  columns: linesOf(row.columns).slice(0, maxColumns),
  columnCount: row.column_count,
  rowCount: row.row_count,
  location: { page: row.page, startOffset: row.start_offset, endOffset: row.end_offset },
})

type Version = { documentId: string; version: number }

type Room = { cells: number; length: number }

/** Takes from the room what the rows need. `nextOffset` is the place of the first row that found no room. */
async function readRows(
  query: Query,
  table: TableRow,
  from: number,
  room: Room,
): Promise<Pick<DocumentTable, 'rows' | 'nextOffset'>> {
  const version = { documentId: table.document_id, version: table.document_version }
  const columns = linesOf(table.columns)
  const width = Math.min(table.column_count, maxColumns)
  const rows: string[][] = []
  let at = from <= table.rows_offset ? from : await nextLine(query, version, from, table.end_offset)
  for (let length = pieceLength; at < table.end_offset; ) {
    if (room.cells < width || room.length <= 0) return { rows, nextOffset: at }
    const end = Math.min(table.end_offset, at + Math.min(length, room.length))
    const lines = (await readText(query, version, at, end)).split('\n')
    // The last line of a piece continues in the next.
    const isOpen = end < table.end_offset
    const isCut = isOpen && lines.length === 1
    if (isCut && length < room.length) {
      length *= 2
      continue
    }
    if (isOpen && !isCut) lines.pop()
    for (const line of lines) {
      if (room.cells < width) return { rows, nextOffset: at }
      const cells = line.trim() === '' ? [] : cellsOf(line)
      if (cells.length > 0 && !areNames(cells, columns)) {
        rows.push(Array.from({ length: width }, (_, column) => cells[column] ?? ''))
        room.cells -= width
      }
      const lineLength = codePointLength(line)
      room.length -= lineLength + 1
      at += lineLength + (isCut ? 0 : 1)
    }
    length = pieceLength
  }
  return { rows, nextOffset: null }
}

/** Where the first line begins that begins there or behind it, up to a line of `maxLength`. */
async function nextLine(query: Query, version: Version, from: number, end: number): Promise<number> {
  const before = await readText(query, version, from - 1, Math.min(end, from + maxLength))
  const lineEnd = before.indexOf('\n')
  return lineEnd < 0 ? end : from + codePointLength(before.slice(0, lineEnd))
}
