/**
 * Rows of a table as lines of text, and back. A pipe with white space or the line's end at both sides is a border; one
 * like it in a cell is written `\|`.
 */
import { onOneLine } from '../text-writer.ts'

/** Every reader writes its rows with this function. */
export const rowText = (row: readonly string[]): string => row.map(cellText).join(' | ')

/** A cell on one line, without anything that could be taken for a border. */
export function cellText(raw: string): string {
  const text = onOneLine(raw)
  return text.includes('|') ? text.replace(pipe, '$1\\|') : text
}

/** The cells of a line that `rowText` wrote. Empty cells at its end may be missing. */
export function cellsOf(line: string): string[] {
  const cells = line.split(border).map(cell => cell.trim())
  return line.includes('\\|') ? cells.map(cell => cell.replace(written, '$1|')) : cells
}

/** With the backslashes before it, so that one more can be told from those that were there. */
const pipe = /(?<![^\s])(\\*)\|(?![^\s])/g
const written = /(?<![^\s])(\\*)\\\|(?![^\s])/g
const border = /(?<![^\s])\|(?![^\s])/

export const isTableLine = (line: string): boolean => border.test(line)

/** How many cells a line of a text has, from `start` to `end`. */
export function countCells(text: string, start: number, end: number): number {
  let cells = 1
  for (let at = text.indexOf('|', start); at >= 0 && at < end; at = text.indexOf('|', at + 1)) {
    const isOpen = at === start || isSpace(text.charCodeAt(at - 1))
    if (isOpen && (at + 1 === end || isSpace(text.charCodeAt(at + 1)))) cells += 1
  }
  return cells
}

/** `onOneLine` leaves no other white space. */
const isSpace = (code: number): boolean => code === 0x20
