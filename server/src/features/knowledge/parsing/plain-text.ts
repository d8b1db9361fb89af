/** Plain text and its relatives: paragraphs are what empty lines part; data and source code keep their lines. */
import type { TextWriter } from './text-writer.ts'

export function writePlainText(text: string, writer: TextWriter): void {
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) writer.add('paragraph', paragraph)
}

/** Source code, JSON, CSV and the like: one block, whose lines are what may be parted. */
export function writeLines(text: string, writer: TextWriter): void {
  writer.add('code', text)
}
