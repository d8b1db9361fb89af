/** One sheet of a workbook, read row by row: a million rows need no more than their text. */
import { onOneLine, type TextWriter } from '../text-writer.ts'
import { createRows } from './flow.ts'
import { formatAs } from './number-format.ts'
import { unescapeText, type Workbook } from './xlsx-parts.ts'
import { type Attributes, readXml } from './xml.ts'

/** Writes the cells as one table, and returns what the sheet's headers and footers say. */
export async function readSheet(
  pieces: AsyncIterable<Buffer>,
  workbook: Workbook,
  writer: TextWriter,
): Promise<string[]> {
  const rows = createRows()
  const margins: string[] = []
  let row: string[] = []
  let column = -1
  let lastColumn = -1
  let cell: Cell = emptyCell
  let text: string | null = null

  const endCell = (): void => {
    const shown = textOf(cell, workbook)
    if (shown === '') return
    // What stands far apart is no table: the cells between are not filled.
    const gap = Math.min(column - lastColumn - 1, maxGap)
    for (let i = 0; i < gap; i++) row.push('')
    row.push(shown)
    lastColumn = column
  }

  await readXml(pieces, {
    open(name, attributes) {
      switch (name) {
        case 's:row':
          row = []
          column = -1
          lastColumn = -1
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
      if (isMargin(name)) text = ''
      return undefined
    },
    close(name) {
      if (name === 's:v' || name === 's:t') cell.value += text ?? ''
      else if (name === 's:f') cell.formula = text ?? ''
      else if (name === 's:c') endCell()
      else if (name === 's:row') rows.add(row)
      else if (isMargin(name)) margins.push(...marginText(text ?? ''))
      text = null
    },
    text(piece) {
      if (text !== null) text += piece
    },
  })
  writer.add('table', rows.text())
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

/** So many empty cells between two others are kept as columns. */
const maxGap = 16

/** From 0, of a reference such as `AB12`; null where there is none. */
function columnOf(reference = ''): number | null {
  let column = 0
  for (let i = 0; i < 3; i++) {
    const letter = reference.charCodeAt(i) & ~32
    if (letter < 65 || letter > 90) break
    column = column * 26 + letter - 64
  }
  return column === 0 ? null : column - 1
}

function textOf({ type, style, value, formula }: Cell, { strings, formats, startsIn1904 }: Workbook): string {
  // Written by a program that does not calculate.
  if (value === '' && formula !== '') return onOneLine(`=${formula}`)
  if (value === '') return ''
  if (type === 's') return strings[Number(value)] ?? ''
  if (type === 'b') return value.trim() === '1' ? 'TRUE' : 'FALSE'
  if (type !== 'n') return onOneLine(unescapeText(value))
  const { kind, decimals } = formats[style] ?? { kind: 'number', decimals: 0 }
  return formatAs(kind, value, decimals, startsIn1904)
}

const isMargin = (name: string): boolean => /^s:(odd|even|first)(Header|Footer)$/.test(name)

/** Its left, middle and right part, without the codes for fonts and for what changes with the page. */
const marginText = (coded: string): string[] =>
  coded
    .slice(0, 10_000)
    .split(/&[LCR]/)
    .map(part => onOneLine(part.replace(/&"[^"]*"|&\d+|&K[0-9A-F+-]{6}|&[A-Z]/gi, ' ').replaceAll('&&', '&')))
