/** Word documents before 2007: paragraphs with headings, lists, tables, notes and comments, in the order of the page. */

import { createRunMarks, marked } from '../marks.ts'
import { createRows } from '../office/flow.ts'
import { createBudget } from '../tables/grid.ts'
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { type DocFile, openDoc, type Range, type Row } from './doc-file.ts'
import type { OldWriter } from './old-writer.ts'

/** Throws `ParseFailure` or a `RangeError`. */
export const writeDoc: OldWriter = async (streams, source, writer) => {
  const file = openDoc(streams)
  const pictures = writeRange(file, { start: 0, end: file.mainLength }, writer)
  writeRange(file, file.boxes, writer)
  const seen = new Set<string>()
  for (const range of file.headers) {
    writeRange(file, range, {
      add: (_kind, text) => {
        // Headers of several sections repeat each other.
        if (!seen.has(text) && !/^[\d\s/|-]*$/.test(text)) writer.add('paragraph', text)
        seen.add(text)
      },
    })
  }
  source.warn('pictures_not_read', { count: pictures })
  return {}
}

/** Signs of [MS-DOC] 2.4.1 that are no text. */
const signs = {
  picture: '\u0001',
  cellEnd: '\u0007',
  lineEnd: '\u000b',
  pageEnd: '\u000c',
  paragraphEnd: '\u000d',
  fieldBegin: '\u0013',
  fieldSeparator: '\u0014',
  fieldEnd: '\u0015',
  fixedHyphen: '\u001e',
  softHyphen: '\u001f',
  symbol: '(',
} as const

type TableRow = { cells: string[]; row: Row | null; isOfNames: boolean }

type Table = { rows: TableRow[]; cells: string[]; cell: string[] }

/** Answers how many pictures stand in the range. */
function writeRange(file: DocFile, { start, end }: Range, writer: TextWriter): number {
  const budget = createBudget()
  let table: Table | null = null
  const notes: Range[] = []
  let pictures = 0

  const endTable = (): void => {
    if (table === null) return
    const { cells, cell } = table
    if (cell.length > 0) cells.push(cell.join(' '))
    if (cells.length > 0) table.rows.push({ cells, row: null, isOfNames: false })
    const rows = rowsOf(table.rows, budget)
    writer.add('table', rows.text(), { header: rows.header() })
    table = null
    writeNotes()
  }

  const writeNotes = (): void => {
    for (const note of notes.splice(0)) if (note.start >= file.mainLength) writeRange(file, note, writer)
  }

  for (let at = start; at < end && at < file.text.length; ) {
    const paragraph = readParagraphText(file, at, end)
    at = paragraph.end
    notes.push(...paragraph.notes)
    pictures += paragraph.pictures
    const { tableDepth, endsRow, row, isOfNames, endsInnerRow } = file.paragraphAt(paragraph.end - 1)
    if (tableDepth > 0) {
      table ??= { rows: [], cells: [], cell: [] }
      if (endsInnerRow) continue
      if (endsRow && tableDepth === 1) {
        table.rows.push({ cells: table.cells, row, isOfNames })
        table.cells = []
        table.cell = []
        continue
      }
      table.cell.push(onOneLine(paragraph.text))
      if (paragraph.endsWith === signs.cellEnd) {
        table.cells.push(table.cell.filter(text => text !== '').join(' '))
        table.cell = []
      }
      continue
    }
    endTable()
    writeParagraph(file, paragraph, writer)
    writeNotes()
  }
  endTable()
  writeNotes()
  return pictures
}

function writeParagraph(file: DocFile, { text, end }: ParagraphText, writer: TextWriter): void {
  const { style, outline, list } = file.paragraphAt(end - 1)
  const heading = outline !== null && outline < 9 ? outline + 1 : file.styles.get(style)
  const label = list === null || text.trim() === '' ? '' : file.labels(list)
  if (heading !== undefined)
    writer.add('heading', onOneLine(`${label === '-' ? '' : label} ${text}`), { level: heading })
  else if (list === null || label === '') writer.add('paragraph', text)
  else writer.add('list', `${'  '.repeat(list.level)}${label} ${text.trim()}`)
}

type ParagraphText = {
  text: string
  /** Behind the paragraph's last sign. */
  end: number
  endsWith: string
  notes: Range[]
  pictures: number
}

/** The text of the paragraph that begins here, without hidden and deleted runs and the codes of fields. */
function readParagraphText(file: DocFile, start: number, limit: number): ParagraphText {
  const parts: string[] = []
  const marks = createRunMarks(text => void parts.push(text))
  const fields: { code: string; isResult: boolean; from: number }[] = []
  const found: ParagraphText = { text: '', end: limit, endsWith: '', notes: [], pictures: 0 }
  for (let at = start; at < limit; at++) {
    const sign = file.text.charAt(at)
    const note = file.notes.get(at)
    if (note !== undefined) found.notes.push(note)
    if (sign === signs.paragraphEnd || sign === signs.cellEnd || sign === signs.pageEnd) {
      found.end = at + 1
      found.endsWith = sign
      break
    }
    const run = file.runAt(at)
    const field = fields.at(-1)
    if (sign === signs.fieldBegin) fields.push({ code: '', isResult: false, from: parts.length })
    else if (sign === signs.fieldSeparator && field !== undefined) {
      field.isResult = true
      field.from = parts.length
    } else if (sign === signs.fieldEnd) {
      fields.pop()
      const target = /^\s*HYPERLINK\s+"([^"]+)"/.exec(field?.code ?? '')?.[1]
      if (field !== undefined && target !== undefined)
        parts.splice(field.from, parts.length, marked.link(parts.slice(field.from).join(''), target))
    } else if (fields.some(({ isResult }) => !isResult)) {
      if (field !== undefined && !field.isResult) field.code += sign
    } else if (!run.isHidden && !run.isDeleted) {
      if (sign === signs.picture) found.pictures += 1
      marks.beginRun()
      marks.set({ place: run.place, isStruck: run.isStruck })
      const text = run.symbol === null || sign !== signs.symbol ? shownAs(sign) : symbolOf(run.symbol)
      if (text !== '') marks.text(text)
    }
  }
  marks.endParagraph()
  found.text = parts.join('')
  return found
}

function shownAs(sign: string): string {
  if (sign === signs.lineEnd) return '\n'
  if (sign === signs.fixedHyphen) return '-'
  return sign === signs.softHyphen || (sign < ' ' && sign !== '\t') ? '' : sign
}

/** Fonts of symbols keep them in the private area of Unicode, above the letter that is typed for them. */
const symbolOf = (code: number): string =>
  code >= 0xf000 && code <= 0xf0ff ? '•' : String.fromCharCode(code)

/** Edges that are nearer to each other than a tenth of an inch are one, in twips. */
const sameEdge = 144

/** Cells that cover several columns or rows show their text in each. */
function rowsOf(rows: readonly TableRow[], budget: ReturnType<typeof createBudget>) {
  const edges = [...new Set(rows.flatMap(({ row }) => row?.edges ?? []))]
    .sort((one, other) => one - other)
    .filter((edge, index, all) => index === 0 || edge - (all[index - 1] ?? 0) > sameEdge)
  const columnOf = (edge: number): number => {
    const found = edges.findIndex(other => other > edge + sameEdge)
    return (found < 0 ? edges.length : found) - 1
  }
  const written = createRows()
  let above: string[] = []
  for (const { cells, row, isOfNames } of rows) {
    const texts: string[] = []
    for (const [index, text] of cells.entries()) {
      const [from, to] = [row?.edges[index], row?.edges[index + 1]]
      const wide = from === undefined || to === undefined ? 1 : Math.max(1, columnOf(to) - columnOf(from))
      const covered = row?.covered[index]
      const shown =
        text !== '' || covered === undefined || covered === null
          ? text
          : ((covered === 'left' ? texts.at(-1) : above[texts.length]) ?? '')
      const columns = 1 + budget.claim(wide - 1)
      for (let column = 0; column < columns; column++) texts.push(shown)
    }
    above = texts
    written.add(texts, isOfNames)
  }
  return written
}
