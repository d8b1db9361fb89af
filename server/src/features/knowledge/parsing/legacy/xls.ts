/** Excel workbooks before 2007 ([MS-XLS]): each sheet under its name, row by row, with its text boxes and comments. */
import { type CellObject, read, type WorkSheet } from '@e965/xlsx'
import { ParseFailure } from '../failure.ts'
import { createRows } from '../office/flow.ts'
import { createMergedCells } from '../office/merged-cells.ts'
import { formatAs, type NumberFormat, parseFormat } from '../office/number-format.ts'
import { inColumns, marginText } from '../office/xlsx.ts'
import { decodeWide } from '../sniff.ts'
import { createBudget } from '../tables/grid.ts'
import { onOneLine } from '../text-writer.ts'
import type { OldWriter } from './old-writer.ts'

/** Throws `ParseFailure`, or what the package throws at a damaged file. */
export const writeXls: OldWriter = async (streams, _source, writer) => {
  const stream = (streams.get('workbook') ?? streams.get('book'))?.()
  if (stream === undefined) throw new ParseFailure('corrupt')
  const records = recordsOf(stream)
  if (records.some(({ type }) => type === kinds.filePass)) throw new ParseFailure('encrypted')
  const workbook = read(stream, {
    type: 'buffer',
    dense: true,
    cellNF: true,
    cellHTML: false,
    cellFormula: false,
  })
  const textOf = createTexts(workbook.Workbook?.WBProps?.date1904 === true)
  const budget = createBudget()
  const texts = textsBySheet(records)
  const repeated = new Set<string>()
  for (const name of workbook.SheetNames) {
    const sheet = workbook.Sheets[name]
    if (sheet === undefined) continue
    const comments = commentsOf(sheet)
    const table = tableOf(sheet, textOf, budget)
    // Boxes repeat comments, and charts the cells that they show.
    const known = new Set([...comments.map(onOneLine), ...table.split(/\n| \| /), ...repeated])
    const beside = [...new Set(texts.get(name))].filter(text => !known.has(onOneLine(text)))
    for (const text of beside) repeated.add(onOneLine(text))
    if (table === '' && comments.length === 0 && beside.length === 0) continue
    writer.add('heading', onOneLine(name), { level: 1 })
    writer.add('table', table)
    for (const text of [...beside, ...comments]) writer.add('paragraph', text)
  }
  return {}
}

type Sheet = WorkSheet & { '!data'?: (CellObject[] | undefined)[] }

function tableOf(
  sheet: Sheet,
  textOf: (cell: CellObject) => string,
  budget: ReturnType<typeof createBudget>,
): string {
  const ranges = (sheet['!merges'] ?? [])
    .map(({ s, e }) => ({ firstRow: s.r + 1, lastRow: e.r + 1, firstColumn: s.c, lastColumn: e.c }))
    .toSorted((one, other) => one.firstRow - other.firstRow)
  const merged = createMergedCells(ranges, budget)
  const rows = createRows()
  for (const [index, row = []] of (sheet['!data'] ?? []).entries()) {
    const cells = row.flatMap((cell, column) => {
      const text = textOf(cell)
      return text === '' ? [] : [{ column, text }]
    })
    rows.add(inColumns(merged.fill(index + 1, cells)))
  }
  return rows.text()
}

function createTexts(startsIn1904: boolean) {
  const formats = new Map<string, NumberFormat>()
  return (cell: CellObject): string => {
    if (cell.v === undefined || cell.t === 'z') return ''
    if (cell.t === 'b') return cell.v === true ? 'TRUE' : 'FALSE'
    if (cell.t !== 'n') return onOneLine(cell.t === 'e' ? (cell.w ?? '') : String(cell.v))
    const code = String(cell.z ?? 'General')
    const format = formats.get(code) ?? parseFormat(code)
    formats.set(code, format)
    return formatAs(format, String(cell.v), startsIn1904)
  }
}

const commentsOf = (sheet: Sheet): string[] =>
  (sheet['!data'] ?? []).flatMap((row = []) => row.flatMap(cell => (cell.c ?? []).map(({ t = '' }) => t)))

// Records that the package passes over.

const kinds = {
  header: 0x14,
  footer: 0x15,
  filePass: 0x2f,
  continued: 0x3c,
  boundSheet: 0x85,
  textObject: 0x1b6,
  chartText: 0x100d,
} as const

type Stored = { type: number; at: number; data: Buffer }

function recordsOf(stream: Buffer): Stored[] {
  const records: Stored[] = []
  for (let at = 0; at + 4 <= stream.length; ) {
    const end = at + 4 + stream.readUInt16LE(at + 2)
    records.push({ type: stream.readUInt16LE(at), at, data: stream.subarray(at + 4, end) })
    at = end
  }
  return records
}

/** Texts of boxes, titles and names in charts, headers and footers, by the name of the sheet. */
function textsBySheet(records: readonly Stored[]): ReadonlyMap<string, string[]> {
  const sheets = records
    .filter(({ type, data }) => type === kinds.boundSheet && data.length > 8)
    .map(({ data }) => ({ start: data.readUInt32LE(0), name: shortText(data.subarray(6)) }))
    .toSorted((one, other) => one.start - other.start)
  const found = new Map<string, string[]>()
  for (const [index, record] of records.entries()) {
    const texts = textsOf(record, records[index + 1])
    const sheet = texts.length === 0 ? undefined : sheets.findLast(({ start }) => start <= record.at)
    if (sheet === undefined) continue
    const own = found.get(sheet.name) ?? []
    own.push(...texts)
    found.set(sheet.name, own)
  }
  return found
}

function textsOf({ type, data }: Stored, behind: Stored | undefined): string[] {
  // The text of a box stands in the record behind it, without a format ([MS-XLS] 2.4.329).
  if (type === kinds.textObject && behind?.type === kinds.continued) return [plainText(behind.data)]
  if (type === kinds.chartText) return [shortText(data.subarray(2))]
  const isMargin = (type === kinds.header || type === kinds.footer) && data.length > 3
  return isMargin ? marginText(plainText(data.subarray(2))) : []
}

/** A length of one byte, and whether the text is wide. */
const shortText = (data: Buffer): string =>
  (data[1] ?? 0) & 1
    ? decodeWide(data.subarray(2, 2 + (data[0] ?? 0) * 2))
    : data.toString('latin1', 2, 2 + (data[0] ?? 0))

const plainText = (data: Buffer): string =>
  (data[0] ?? 0) & 1 ? decodeWide(data.subarray(1)) : data.toString('latin1', 1)
