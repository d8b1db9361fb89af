/** Jupyter notebooks: the cells and their printed output. Pictures are counted. */
import { decodeText } from '../encoding.ts'
import { writeMarkdown } from '../markdown.ts'
import { writePlainText } from '../plain-text.ts'
import type { Reader } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'
import type { Warn } from '../warnings.ts'
import { readJson } from './json.ts'

/** Reads nbformat 4, and older formats, which keep the cells in worksheets. */
export const readNotebook: Reader = async (source, writer) => {
  const cells = cellsOf(parsed(decodeText(await source.bytes())))
  // The file is cut off, or is not a notebook despite its name.
  if (cells === null) return readJson(source, writer)
  for (const cell of cells) writeCell(fieldsOf(cell), writer, source.warn)
  return {}
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return null
  }
}

function cellsOf(notebook: unknown): unknown[] | null {
  const { cells, worksheets } = fieldsOf(notebook)
  if (Array.isArray(cells)) return cells
  return Array.isArray(worksheets) ? worksheets.flatMap(sheet => cellsOf(sheet) ?? []) : null
}

function writeCell(cell: Fields, writer: TextWriter, warn: Warn): void {
  const text = textOf(cell.source ?? cell.input)
  if (cell.cell_type === 'markdown') writeMarkdown(text, writer, warn)
  else if (cell.cell_type === 'heading') writer.add('heading', text, { level: Number(cell.level) || 1 })
  else if (cell.cell_type === 'code') writer.add('code', text)
  else writePlainText(text, writer)
  if (!Array.isArray(cell.outputs)) return
  for (const output of cell.outputs.map(fieldsOf)) {
    writer.add('code', printed(output))
    if (isPicture(output)) warn('pictures_not_read')
  }
}

/**
 * The text of an output. A result is stored in several forms, of which plain text is read; an error has a message.
 */
function printed({ output_type: type, text, data, ename, evalue }: Fields): string {
  if (type === 'error' || type === 'pyerr') return `${textOf(ename)}: ${textOf(evalue)}`
  const plain = textOf(text) || textOf(fieldsOf(data)['text/plain'])
  return plain.replace(terminalCodes, '')
}

/** Formats before nbformat 4 keep the forms of a result beside its type. */
const isPicture = ({ data, png, jpeg, svg }: Fields): boolean =>
  [png, jpeg, svg].some(form => form !== undefined) ||
  Object.keys(fieldsOf(data)).some(type => type.startsWith('image/'))

/** Escape codes for colours. */
const terminalCodes = new RegExp(`${String.fromCharCode(0x1b)}\\[[\\d;]*m`, 'g')

type Fields = Readonly<Record<string, unknown>>

const fieldsOf = (value: unknown): Fields =>
  typeof value === 'object' && value !== null ? Object.fromEntries(Object.entries(value)) : {}

/** A text is one string, or a list of lines that include their line ends. */
function textOf(value: unknown): string {
  if (typeof value === 'string') return value
  return Array.isArray(value) ? value.filter(line => typeof line === 'string').join('') : ''
}
