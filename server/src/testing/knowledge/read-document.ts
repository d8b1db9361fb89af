/** A document as its reader sees it, read in this process from a file that is removed again. */
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseFile } from '../../features/knowledge/parsing/parse-file.ts'
import type { ExtractedText } from '../../features/knowledge/parsing/text-writer.ts'

export async function readDocument(content: string | Uint8Array, name = 'file'): Promise<ExtractedText> {
  const folder = await mkdtemp(join(tmpdir(), 'atrium-read-'))
  const path = join(folder, 'document.pdf')
  try {
    await writeFile(path, content)
    return await parseFile(path, name, { onProgress: () => undefined })
  } finally {
    await rm(folder, { recursive: true, force: true })
  }
}

/** The blocks as `kind: text`, which is what readers promise. */
export const blocksOf = ({ text, blocks }: ExtractedText): string[] =>
  blocks.map(({ kind, level, start, end }) => `${kind}${level || ''}: ${text.slice(start, end)}`)
