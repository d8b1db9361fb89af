/** What the readers of plain-text markup share: each reads its lines once, without recursion. */
import { decodeText } from '../encoding.ts'
import type { Source } from '../reader.ts'
import type { TextWriter } from '../text-writer.ts'

export async function linesOf(source: Source): Promise<string[]> {
  const text = decodeText(await source.bytes()).replace(/\r\n?/g, '\n')
  return text.split('\n').map(line => withBlanks(line).trimEnd())
}

/** Tabs as blanks, up to the next eighth column. */
function withBlanks(line: string): string {
  if (!line.includes('\t')) return line
  const parts: string[] = []
  let column = 0
  for (const [index, part] of line.split('\t').entries()) {
    const gap = index === 0 ? 0 : 8 - (column % 8)
    parts.push(' '.repeat(gap), part)
    column += gap + part.length
  }
  return parts.join('')
}

export const indentOf = (line: string): number => line.length - line.trimStart().length

/** The lines from `from` on that are empty or indented more than `indent`, without the empty ones at the end. */
export function deeperLines(lines: readonly string[], from: number, indent: number): string[] {
  let end = from
  for (let at = from; at < lines.length; at++) {
    const line = lines[at] ?? ''
    if (line === '') continue
    if (indentOf(line) <= indent) break
    end = at + 1
  }
  return lines.slice(from, end)
}

/** Without the blanks that all lines begin with. */
export function outdented(lines: readonly string[]): string {
  const common = lines.reduce((least, line) => (line === '' ? least : Math.min(least, indentOf(line))), 1_000)
  return lines
    .map(line => line.slice(common))
    .join('\n')
    .replace(/^\n+/, '')
}

/** How deep a list item lies, by the columns in which the items around it begin. */
export function createItemDepths() {
  let columns: number[] = []
  return {
    /** The blanks in front of an item's sign that begins in this column. */
    indent(column: number): string {
      columns = columns.filter(before => before < column)
      columns.push(column)
      return '  '.repeat(Math.min(8, columns.length - 1))
    },
    end(): void {
      columns = []
    },
  }
}

/** Gathers the lines of one paragraph or item, and writes them once the next block begins. */
export function createParagraph(writer: TextWriter, plain: (text: string) => string) {
  let lines: string[] = []
  let marker: string | null = null
  return {
    isOpen: (): boolean => lines.length > 0,
    /** `sign` begins a list item. */
    begin(line: string, sign: string | null = null): void {
      this.end()
      marker = sign
      lines = [line]
    },
    add(line: string): void {
      lines.push(line)
    },
    end(): void {
      if (lines.length === 0) return
      const text = plain(lines.join('\n'))
      if (marker === null) writer.add('paragraph', text)
      else if (text.trim() !== '') writer.add('list', marker + text.trimStart())
      lines = []
      marker = null
    },
  }
}
