/** Plain text and similar files: empty lines separate paragraphs; source code keeps its lines. */
import { decodeText } from './encoding.ts'
import type { Reader } from './reader.ts'
import type { TextWriter } from './text-writer.ts'

export const readPlainText: Reader = async (source, writer) => {
  writePlainText(decodeText(await source.bytes()).replace(/\r\n?/g, '\n'), writer)
  return {}
}

/** Source code and similar files: one block, which is cut between its lines. */
export const readLines: Reader = async (source, writer) => {
  writer.add('code', decodeText(await source.bytes()))
  return {}
}

export function writePlainText(text: string, writer: TextWriter): void {
  for (const paragraph of text.split(/\n[^\S\n]*\n/)) writer.add('paragraph', paragraph)
}
