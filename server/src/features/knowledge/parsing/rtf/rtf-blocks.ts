/** Gathers the running text of an RTF document into paragraphs, list items, headings and rows of tables. */
import { onOneLine, type TextWriter } from '../text-writer.ts'

const plainParagraph = { headingLevel: 0, isListItem: false, isInTable: false }

export function createBlockGatherer(writer: TextWriter) {
  let paragraph = { ...plainParagraph }
  let pieces: string[] = []
  let cells: string[] = []
  let rows: string[] = []

  const take = (): string => {
    const text = pieces.join('')
    pieces = []
    return text
  }
  const endCell = (): void => {
    cells.push(onOneLine(take()))
  }
  const endRow = (): void => {
    if (cells.some(cell => cell !== '')) rows.push(cells.join(' | '))
    cells = []
  }
  const endTable = (): void => {
    if (rows.length > 0) writer.add('table', rows.join('\n'))
    rows = []
  }
  const writeParagraph = (): void => {
    endTable()
    const { headingLevel, isListItem } = paragraph
    const text = take().split('\n').map(onOneLine).join('\n').trim()
    if (headingLevel > 0) writer.add('heading', onOneLine(text), { level: headingLevel })
    else writer.add(isListItem ? 'list' : 'paragraph', text)
  }

  return {
    text(piece: string): void {
      pieces.push(piece)
    },
    resetParagraph(): void {
      paragraph = { ...plainParagraph }
    },
    setHeading(level: number): void {
      paragraph.headingLevel = level
    },
    setListItem(): void {
      paragraph.isListItem = true
    },
    setInTable(): void {
      paragraph.isInTable = true
    },
    /** Within a table, what ends is a part of a cell. */
    endParagraph(): void {
      if (paragraph.isInTable) pieces.push(' ')
      else writeParagraph()
    },
    endCell,
    endRow,
    /** Writes what is still open. */
    finish(): void {
      if (cells.length > 0) endCell()
      endRow()
      writeParagraph()
    },
  }
}
