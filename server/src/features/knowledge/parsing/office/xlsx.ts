/** Excel workbooks: each sheet under its name, row by row, with its boxes, charts and comments. */

import { ParseFailure } from '../failure.ts'
import { maxTextLength } from '../limits.ts'
import type { Reader } from '../reader.ts'
import { createBudget } from '../tables/grid.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { createFlow, createRecorder, createRows } from './flow.ts'
import {
  columnOf,
  createMergedCells,
  type MergedCells,
  readMergedCells,
  type ShownCell,
} from './merged-cells.ts'
import { builtInFormats, formatAs, type NumberFormat, parseFormat } from './number-format.ts'
import { mainPart, relationshipsOf, titleOf, writeDrawing, writeEmbedded } from './ooxml.ts'
import { type Attributes, readXml } from './xml.ts'
import { withZip, type Zip } from './zip.ts'

export const readXlsx: Reader = (source, writer) =>
  withZip(source, async zip => {
    const main = await mainPart(zip)
    const { workbook, sheets } = await openWorkbook(zip, main)
    const repeated = new Set<string>()
    const budget = createBudget()
    for (const { name, target } of sheets) {
      const sheet = createRecorder()
      const merged = createMergedCells(await readMergedCells(zip, target), budget)
      const namesRow = await findNamesRow(zip, target)
      const margins = await readSheet(zip.pieces(target), workbook, { merged, namesRow }, sheet)
      await writeBeside(zip, target, sheet, source.warn)
      for (const text of margins) {
        if (!repeated.has(text)) sheet.add('paragraph', text)
        repeated.add(text)
      }
      await writeEmbedded(zip, await relationshipsOf(zip, target), source, sheet, { level: 2 })
      if (sheet.blocks.some(({ text }) => text !== '')) writer.add('heading', onOneLine(name), { level: 1 })
      for (const { kind, text, options } of sheet.blocks) writer.add(kind, text, options)
    }
    return { title: await titleOf(zip) }
  })

type SheetPart = { name: string; target: string }

/** The workbook's sheets in their order, including hidden ones. */
async function openWorkbook(zip: Zip, main: string): Promise<{ workbook: Workbook; sheets: SheetPart[] }> {
  const relationships = await relationshipsOf(zip, main)
  const targets = new Map(relationships.map(({ id, target }) => [id, target] as const))
  const partOf = (type: string): string | undefined =>
    relationships.find(relationship => relationship.type === type)?.target
  const sheets: SheetPart[] = []
  let startsIn1904 = false
  await readXml(zip.pieces(main), {
    open(name, attributes) {
      const target = targets.get(attributes['r:id'] ?? '')
      if (name === 's:sheet' && target !== undefined) sheets.push({ name: attributes.name ?? '', target })
      else if (name === 's:workbookPr') startsIn1904 = /^(1|true)$/.test(attributes.date1904 ?? '')
    },
  })
  const [strings, styles] = [partOf('sharedStrings'), partOf('styles')]
  return {
    sheets,
    workbook: {
      strings: strings === undefined ? [] : await readSharedStrings(zip.pieces(strings)),
      formats: styles === undefined ? [] : await readCellFormats(zip.pieces(styles)),
      startsIn1904,
    },
  }
}

/** Writes the sheet's text boxes, charts, diagrams and comments. */
async function writeBeside(zip: Zip, sheet: string, writer: TextWriter, warn: Warn): Promise<void> {
  const relationships = await relationshipsOf(zip, sheet)
  // Files repeat a thread, with an explanation, as the note of its cell for older versions.
  const threaded = new Set<string>()
  for (const { type, target } of relationships) {
    if (type === 'drawing') await writeDrawing(zip, target, writer, warn)
    else if (type === 'threadedComment') await writeComments(zip.pieces(target), writer, threaded)
  }
  for (const { type, target } of relationships) {
    if (type === 'comments') await writeComments(zip.pieces(target), writer, threaded)
  }
}

/** Writes the comments of a part; those of threads are written first, and add their cells to `threaded`. */
async function writeComments(
  pieces: AsyncIterable<Buffer>,
  writer: TextWriter,
  threaded: Set<string>,
): Promise<void> {
  const flow = createFlow(writer)
  const comments = new Set(['s:comment', 'tc:threadedComment'])
  let isText = false
  await readXml(pieces, {
    open(name, { ref = '' }) {
      if (name === 's:comment' && threaded.has(ref)) return 'skip'
      if (name === 'tc:threadedComment') threaded.add(ref)
      if (comments.has(name)) flow.beginParagraph()
      isText = name === 's:t' || name === 'tc:text'
      return name === 's:rPh' ? 'skip' : undefined
    },
    close(name) {
      if (comments.has(name)) flow.endParagraph()
      isText = false
    },
    text(text) {
      if (isText) flow.text(text)
    },
  })
}

/** The row with the names of the columns, from 1, if the sheet has one table that Excel knows as such. */
async function findNamesRow(zip: Zip, sheet: string): Promise<number | null> {
  const tables = (await relationshipsOf(zip, sheet)).filter(({ type }) => type === 'table')
  const [table] = tables
  if (table === undefined || tables.length > 1) return null
  let row: number | null = null
  await readXml(zip.pieces(table.target), {
    open(name, { ref = '', headerRowCount = '1' }) {
      if (name !== 's:table' || headerRowCount === '0') return
      row = Number(/^\$?[A-Z]{1,3}\$?(\d{1,7}):/.exec(ref)?.[1] ?? 0) || null
    },
  })
  return row
}

// One sheet of a workbook, read row by row: a million rows need no more memory than their text.

/** Writes the cells as one table, and returns the texts of the sheet's headers and footers. */
async function readSheet(
  pieces: AsyncIterable<Buffer>,
  workbook: Workbook,
  { merged, namesRow }: { merged: MergedCells; namesRow: number | null },
  writer: TextWriter,
) {
  const rows = createRows()
  const margins: string[] = []
  let rowNumber = 0
  let lastOfNames = 0
  let above: number | null = null
  let row: ShownCell[] = []
  let column = -1
  let cell: Cell = emptyCell
  let text: string | null = null

  const endCell = (): void => {
    const shown = textOf(cell, workbook)
    if (shown !== '') row.push({ column, text: shown })
  }

  await readXml(pieces, {
    open(name, attributes) {
      switch (name) {
        case 's:row':
          rowNumber = Number(attributes.r) || rowNumber + 1
          row = []
          column = -1
          return
        case 's:c':
          column = columnOf(attributes.r) ?? column + 1
          cell = newCell(attributes)
          return
        case 's:v':
        case 's:f':
        case 's:t':
          text = ''
          return
        case 's:rPh':
          return 'skip'
      }
      // The rows that stay in sight.
      if (name === 's:pane' && /^frozen/.test(attributes.state ?? ''))
        lastOfNames = Number(attributes.ySplit) || 0
      if (isMargin(name)) text = ''
      return undefined
    },
    close(name) {
      if (name === 's:v' || name === 's:t') cell.value += text ?? ''
      else if (name === 's:f') cell.formula = text ?? ''
      else if (name === 's:c') endCell()
      else if (name === 's:row') {
        if (rowNumber === namesRow) above = rows.count()
        rows.add(inColumns(merged.fill(rowNumber, row)), rowNumber <= lastOfNames)
      } else if (isMargin(name)) margins.push(...marginText(text ?? ''))
      text = null
    },
    text(piece) {
      if (text !== null) text += piece
    },
  })
  writer.add('table', rows.text(), { header: above === null ? rows.header() : { above, rows: 1 } })
  return margins.filter((margin, index) => margin !== '' && margins.indexOf(margin) === index)
}

type Cell = { type: string; style: number; value: string; formula: string }

const emptyCell: Cell = { type: 'n', style: 0, value: '', formula: '' }

const newCell = ({ t = 'n', s = '0' }: Attributes): Cell => ({
  type: t,
  style: Number(s),
  value: '',
  formula: '',
})

/** At most this many empty cells between two others are kept as columns. */
const maxGap = 16

/** Cells far apart are not a table: of a wide gap only `maxGap` empty cells are written. */
export function inColumns(cells: readonly ShownCell[]): string[] {
  const texts: string[] = []
  let lastColumn = -1
  for (const { column, text } of cells) {
    const gap = Math.min(column - lastColumn - 1, maxGap)
    for (let i = 0; i < gap; i++) texts.push('')
    texts.push(text)
    lastColumn = column
  }
  return texts
}

function textOf({ type, style, value, formula }: Cell, { strings, formats, startsIn1904 }: Workbook): string {
  // The file was written by a program that does not calculate. A result of type `str` may be the empty text.
  if (value === '' && formula !== '' && type !== 'str') return onOneLine(`=${formula}`)
  if (value === '') return ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return onOneLine(unescapeText(value))
  return formatAs(formats[style] ?? general, value, startsIn1904)
}

const isMargin = (name: string): boolean => /^s:(odd|even|first)(Header|Footer)$/.test(name)

/**
 * The left, middle and right part of a margin, without the codes for fonts and for fields that change with the page.
 */
export const marginText = (coded: string): string[] =>
  coded
    .slice(0, 10_000)
    .split(/&[LCR]/)
    .map(part => onOneLine(part.replace(/&"[^"]*"|&\d+|&K[0-9A-F+-]{6}|&[A-Z]/gi, ' ').replaceAll('&&', '&')))

// The data that the cells of a workbook refer to: shared strings, and number formats.

type Workbook = {
  /** Each on one line. */
  strings: readonly string[]
  /** Formats by the number of a cell's style. */
  formats: readonly NumberFormat[]
  startsIn1904: boolean
}

const general = parseFormat('General')

async function readSharedStrings(pieces: AsyncIterable<Buffer>): Promise<string[]> {
  const strings: string[] = []
  let text: string | null = null
  let isText = false
  let length = 0
  await readXml(pieces, {
    open(name) {
      if (name === 's:si') text = ''
      isText = name === 's:t'
      // The pronunciation of the letters before it.
      return name === 's:rPh' ? 'skip' : undefined
    },
    close(name) {
      isText = false
      if (name !== 's:si' || text === null) return
      length += text.length
      if (length > maxTextLength) throw new ParseFailure('text_too_long')
      strings.push(onOneLine(unescapeText(text)))
      text = null
    },
    text(piece) {
      if (isText && text !== null) text += piece
    },
  })
  return strings
}

/** Characters that XML cannot hold are written as `_x000D_`. */
const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

async function readCellFormats(pieces: AsyncIterable<Buffer>): Promise<NumberFormat[]> {
  const codes = new Map(Object.entries(builtInFormats))
  const formats: NumberFormat[] = []
  let isCells = false
  await readXml(pieces, {
    open(name, attributes) {
      if (name === 's:numFmt') codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
      else if (name === 's:cellXfs') isCells = true
      else if (name === 's:xf' && isCells) {
        const code = codes.get(attributes.numFmtId ?? '') ?? ''
        formats.push(parseFormat(code))
      }
    },
    close(name) {
      if (name === 's:cellXfs') isCells = false
    },
  })
  return formats
}
