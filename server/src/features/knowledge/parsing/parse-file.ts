/** From a file to its text: finds out what it is and hands it to the reader of that format. */
import { isUtf8 } from 'node:buffer'
import { readFile, stat } from 'node:fs/promises'
import { decodeText } from './encoding.ts'
import { ParseFailure } from './failure.ts'
import { writeLines, writePlainText } from './plain-text.ts'
import { type Format, sniff, sniffFile } from './sniff.ts'
import { createTextWriter, type ExtractedText, maxTextLength, type TextWriter } from './text-writer.ts'

export type ParseOptions = {
  /** Hears which format was found, before the file is read. */
  onFormat?: (format: Format) => void
  /** Hears the share that is done, from 0 to 1. */
  onProgress: (share: number) => void
}

/** Throws `ParseFailure`. The path ends in `.pdf`, whatever it leads to; `name` is the file's own. */
export async function parseFile(path: string, name: string, options: ParseOptions): Promise<ExtractedText> {
  const { size } = await stat(path).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? new ParseFailure('file_missing', undefined, error) : error
  })
  if (size === 0) throw new ParseFailure('empty')
  const { format } = await sniffFile(path, name)
  if (format === null) throw new ParseFailure('unsupported_type')
  options.onFormat?.(format)
  const writer = createTextWriter()
  if (format === 'pdf') {
    const { writePdf } = await import('./pdf.ts')
    const pageCount = await writePdf(path, writer, options.onProgress)
    return writer.finish({ pageCount })
  }
  if (format === 'docx') {
    const { writeDocx } = await import('./docx.ts')
    await writeDocx(path, writer)
    return writer.finish()
  }
  if (size > maxTextBytes) throw new ParseFailure('text_too_long')
  return parseText(await readFile(path), format, writer)
}

/**
 * A small text, read in this process: nothing in it can do harm, and it need not wait for a child.
 * Null for what only a child may read: other formats, markup, and encodings that have to be guessed.
 */
export function parseSmallText(bytes: Buffer, name: string): ExtractedText | null {
  const { format } = sniff(bytes.subarray(0, 8_192), name)
  if (format === null || !linearFormats.has(format) || !isUtf8(bytes)) return null
  const writer = createTextWriter()
  writeText(decodeText(bytes), format, writer)
  return writer.finish()
}

/** What `parseSmallText` takes at most. */
export const smallTextBytes = 65_536

const linearFormats: ReadonlySet<Format> = new Set(['text', 'lines', 'csv', 'json', 'xml'])

/** UTF-8 has four bytes a character at most. */
const maxTextBytes = maxTextLength * 4

async function parseText(bytes: Buffer, format: Format, writer: TextWriter): Promise<ExtractedText> {
  if (format === 'html') {
    const { declaredCharset, writeHtml } = await import('./html.ts')
    const declared = declaredCharset(bytes.toString('latin1', 0, 4_096))
    return writer.finish({ title: writeHtml(decodeText(bytes, declared), writer) })
  }
  const text = decodeText(bytes)
  if (format === 'markdown') {
    const { writeMarkdown } = await import('./markdown.ts')
    writeMarkdown(text.replace(/\r\n?/g, '\n'), writer)
  } else {
    writeText(text, format, writer)
  }
  return writer.finish()
}

function writeText(text: string, format: Format, writer: TextWriter): void {
  if (format === 'text') writePlainText(text.replace(/\r\n?/g, '\n'), writer)
  else writeLines(text, writer)
}
