/** CSV and similar formats to rows of a table; the sign between the columns is detected. */
import { parse } from 'csv-parse/sync'
import { decodeText } from '../encoding.ts'
import { ParseFailure } from '../failure.ts'
import { maxTextLength } from '../limits.ts'
import type { Reader } from '../reader.ts'
import { rowText } from '../tables/rows.ts'

export const readCsv: Reader = async (source, writer) => {
  const text = decodeText(await source.bytes())
  // Thrown before the rows take memory: their text would be no shorter than this one.
  if (text.length > maxTextLength) throw new ParseFailure('text_too_long')
  // Excel's line that names the sign between the columns.
  const [line = '', stated] = /^\ufeff?"?sep=([,;\t|])"?\r?\n/i.exec(text) ?? []
  const rows = text.slice(line.length)
  writer.add('table', rowsOf(rows, stated ?? delimiterOf(rows)).join('\n'))
  return {}
}

/** An unclosed quote would swallow the rest of the file. In such a file quotes count as ordinary letters. */
function rowsOf(text: string, delimiter: string): string[] {
  try {
    return parseRows(text, delimiter, '"')
  } catch {
    return parseRows(text, delimiter, null)
  }
}

/** Rows become text at once: the cells of all rows would take many times the memory. */
function parseRows(text: string, delimiter: string, quote: string | null): string[] {
  const parts: string[] = []
  let rows: string[] = []
  const endPart = (): void => {
    if (rows.length > 0) parts.push(rows.join('\n'))
    rows = []
  }
  parse(text, {
    delimiter,
    quote,
    relax_quotes: true,
    relax_column_count: true,
    skip_empty_lines: true,
    skip_records_with_empty_values: true,
    on_record: (cells: string[]) => {
      rows.push(rowText(cells))
      if (rows.length === rowsAtOnce) endPart()
      return null
    },
  })
  endPart()
  return parts
}

const rowsAtOnce = 1_000

const sampleLength = 20_000
const sampleLines = 20
/** The more common delimiter comes first. */
const delimiters = [',', ';', '\t', '|']

/** The delimiter that occurs in most of the first lines, and equally often in each. */
function delimiterOf(text: string): string {
  const lines = text
    .slice(0, sampleLength)
    .replace(/"(?:[^"]|"")*"/g, '')
    .split(/\r\n?|\n/)
    .filter(line => line.trim() !== '')
    .slice(0, sampleLines)
  const scores = delimiters.map(delimiter => {
    const counts = lines.map(line => line.split(delimiter).length - 1)
    const [first = 0] = counts
    return first === 0 ? 0 : counts.filter(count => count === first).length + Math.min(first, 50) / 100
  })
  return delimiters[scores.indexOf(Math.max(...scores))] ?? ','
}
