/** What the cells of a workbook refer to: strings that they share, and the formats of their numbers. */
import { ParseFailure } from '../failure.ts'
import { maxTextLength, onOneLine } from '../text-writer.ts'
import { builtInFormats, decimalsOf, kindOf, type NumberKind } from './number-format.ts'
import { readXml } from './xml.ts'

export type Workbook = {
  /** Each on one line. */
  strings: readonly string[]
  /** By the number of a cell's style. */
  formats: readonly CellFormat[]
  startsIn1904: boolean
}

export type CellFormat = { kind: NumberKind; decimals: number }

export async function readSharedStrings(pieces: AsyncIterable<Buffer>): Promise<string[]> {
  const strings: string[] = []
  let text: string | null = null
  let isText = false
  let length = 0
  await readXml(pieces, {
    open(name) {
      if (name === 's:si') text = ''
      isText = name === 's:t'
      // How the letters before it are spoken.
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
export const unescapeText = (text: string): string =>
  text.includes('_x')
    ? text.replace(/_x([0-9A-Fa-f]{4})_/g, (_, code: string) =>
        String.fromCharCode(Number.parseInt(code, 16)),
      )
    : text

export async function readCellFormats(pieces: AsyncIterable<Buffer>): Promise<CellFormat[]> {
  const codes = new Map(Object.entries(builtInFormats))
  const formats: CellFormat[] = []
  let isCells = false
  await readXml(pieces, {
    open(name, attributes) {
      if (name === 's:numFmt') codes.set(attributes.numFmtId ?? '', attributes.formatCode ?? '')
      else if (name === 's:cellXfs') isCells = true
      else if (name === 's:xf' && isCells) {
        const code = codes.get(attributes.numFmtId ?? '') ?? ''
        formats.push({ kind: kindOf(code), decimals: decimalsOf(code) })
      }
    },
    close(name) {
      if (name === 's:cellXfs') isCells = false
    },
  })
  return formats
}
