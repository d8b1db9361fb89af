/** The tables of reStructuredText: drawn with lines, between lines, or written as a list. */

import { rowText } from '../tables/rows.ts'
import type { Header } from '../text-writer.ts'
import { onOneLine } from '../text-writer.ts'
import { indentOf } from './lines.ts'

export type DrawnTable = { rows: string[][]; lines: number; header: Header | undefined }

/** A table drawn with `+`, `-` and `|`. A cell over several rows or columns is repeated. */
export function gridTableAt(lines: readonly string[], from: number): DrawnTable | null {
  const first = lines[from] ?? ''
  const indent = indentOf(first)
  let end = from
  while (end < lines.length && /^ *[+|]/.test(lines[end] ?? '') && indentOf(lines[end] ?? '') === indent)
    end += 1
  const drawn = lines.slice(from, end).map(line => line.slice(indent))
  if (drawn.length < 3) return null
  const borders = bordersOf(drawn)
  const slots = borders.slice(0, -1)
  const rows: { parts: string[] }[][] = []
  let nameRows = 0
  let row = slots.map(() => ({ parts: [] as string[] }))
  for (const [index, line] of drawn.entries()) {
    const closed = slots.map((start, slot) => isRuled(line.slice(start + 1, borders[slot + 1])))
    if (closed.some(is => is) && /^[+|]/.test(line) && line.includes('+')) {
      if (index > 0) rows.push(row)
      if (nameRows === 0 && /^\+=[+=]+$/.test(line)) nameRows = rows.length
      row = row.map((cell, slot) => (closed[slot] ? { parts: [] } : cell))
      addTexts(line, row, borders, closed)
    } else addTexts(line, row, borders, [])
  }
  return {
    rows: rows.map(cells => cells.map(({ parts }) => onOneLine(parts.join(' ')))),
    lines: drawn.length,
    header: nameRows > 0 && nameRows < rows.length ? { rows: nameRows } : undefined,
  }
}

/** Text that reaches over a border stands in each of the columns. */
function addTexts(
  line: string,
  row: { parts: string[] }[],
  borders: readonly number[],
  closed: readonly boolean[],
): void {
  let start = 0
  for (let slot = 0; slot < row.length; slot++) {
    const end = borders[slot + 1] ?? line.length
    if (closed[slot]) {
      start = slot + 1
      continue
    }
    const isBorder = slot === row.length - 1 || /[|+]/.test(line[end] ?? '|')
    if (!isBorder) continue
    const text = line.slice((borders[start] ?? 0) + 1, end).trim()
    for (let covered = start; covered <= slot; covered++) row[covered]?.parts.push(text)
    start = slot + 1
  }
}

const isRuled = (piece: string): boolean => /^[-=+]+$/.test(piece) && /[-=]/.test(piece)

/** The columns in which any of the ruled lines has a corner. */
function bordersOf(drawn: readonly string[]): number[] {
  const corners = new Set<number>()
  for (const line of drawn) {
    if (!/\+[-=]+\+/.test(line)) continue
    for (let at = line.indexOf('+'); at >= 0; at = line.indexOf('+', at + 1)) corners.add(at)
    if (corners.size > mostColumns) break
  }
  return [...corners].toSorted((one, other) => one - other)
}

const mostColumns = 200

/** A table between lines of `=`, whose gaps part the columns. */
export function simpleTableAt(lines: readonly string[], from: number): DrawnTable | null {
  const border = lines[from] ?? ''
  const starts = [...border.matchAll(/=+/g)].map(({ index }) => index).slice(0, mostColumns)
  let end = from + 1
  while (end < lines.length && !(isBorder(lines[end] ?? '') && (lines[end + 1] ?? '').trim() === '')) {
    if (lines[end] !== '' && indentOf(lines[end] ?? '') < indentOf(border)) return null
    end += 1
  }
  if (end >= lines.length) return null
  const rows: string[][] = []
  let nameRows = 0
  for (const line of lines.slice(from + 1, end)) {
    if (isBorder(line)) nameRows ||= rows.length
    if (line === '' || isBorder(line) || /^[- ]+$/.test(line)) continue
    const cells = starts.map((start, column) =>
      line.slice(column === 0 ? 0 : start, starts[column + 1]).trim(),
    )
    const before = rows.at(-1)
    if (cells[0] === '' && before !== undefined)
      for (const [column, cell] of cells.entries()) before[column] = `${before[column] ?? ''}\n${cell}`.trim()
    else rows.push(cells.map(cell => cell.replace(/^\\$/, '')))
  }
  const header = nameRows > 0 && nameRows < rows.length ? { rows: nameRows } : undefined
  return { rows, lines: end + 1 - from, header }
}

const isBorder = (line: string): boolean => /^ *=+( +=+)*$/.test(line)

/** `* -` begins a row, and a `-` below it the next cell. */
export function listTable(lines: readonly string[], plain: (text: string) => string): string {
  const rows: string[][] = []
  for (const line of lines) {
    const [, row, cell] = /^ *(\* +)?- ?(.*)$/.exec(line) ?? []
    if (row !== undefined) rows.push([cell ?? ''])
    else if (cell !== undefined) rows.at(-1)?.push(cell)
    else {
      const last = rows.at(-1)
      if (last !== undefined) last.push(`${last.pop() ?? ''} ${line.trim()}`)
    }
  }
  return rows.map(row => rowText(row.map(plain))).join('\n')
}

export const csvTable = (lines: readonly string[], plain: (text: string) => string): string =>
  lines
    .map(line => line.trim())
    .filter(line => line !== '')
    .map(line => rowText(line.split(/"?, *"?/).map(cell => plain(cell.replace(/^"|"$/g, '')))))
    .join('\n')
