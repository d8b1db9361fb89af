/** PDF through PDFium (LiteParse), a few pages at a time so that a long document needs no more memory than a short one. */
import { open } from 'node:fs/promises'
import { type LayoutBlock, LiteParse, type LiteParseInput, type ParsedPage } from '@llamaindex/liteparse'
import { ParseFailure } from './failure.ts'
import { isTilted, tiltedParagraphs } from './pdf-tilted.ts'
import type { Reader } from './reader.ts'
import { onOneLine, type TextWriter } from './text-writer.ts'

const maxPages = 10_000
const pagesAtOnce = 50
/** A file with something before its header is read into memory, and may be so large. */
const maxUnalignedBytes = 64_000_000

/** From a path that ends in `.pdf`, by which the library takes a file for a PDF and then reads it piece by piece. */
export const readPdf: Reader = async (source, writer) => {
  try {
    const input = source.path === null ? await source.bytes() : await withoutJunk(source.path)
    return { pageCount: await writePages(input, writer, source.onProgress) }
  } catch (error) {
    throw error instanceof ParseFailure ? error : pdfFailure(error)
  }
}

/** The file's path, or its bytes from the header on, if something stands before that. */
export async function withoutJunk(path: string): Promise<LiteParseInput> {
  const handle = await open(path, 'r')
  try {
    const head = Buffer.alloc(1_024)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    const start = head.subarray(0, bytesRead).indexOf('%PDF-')
    if (start <= 0) return path
    const { size } = await handle.stat()
    if (size > maxUnalignedBytes) throw new ParseFailure('too_large')
    return (await handle.readFile()).subarray(start)
  } finally {
    await handle.close()
  }
}

async function writePages(
  input: LiteParseInput,
  writer: TextWriter,
  onProgress: (share: number) => void,
): Promise<number> {
  const parser = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    numWorkers: 1,
    outputFormat: 'json',
    imageMode: 'off',
    extractLinks: false,
    extractBlocks: true,
    keepHeadersFooters: true,
    continueOnPageError: true,
    maxPages,
  })
  let pageCount = 0
  for await (const { endPage, totalPages, result } of parser.parseBatches(input, {
    batchSize: pagesAtOnce,
  })) {
    if (totalPages > maxPages) {
      throw new ParseFailure('too_large', `The PDF has ${totalPages} pages; ${maxPages} are read at most.`)
    }
    pageCount = totalPages
    for (const page of result.pages) writePage(page, writer)
    onProgress(endPage / totalPages)
  }
  return pageCount
}

function writePage(page: ParsedPage, writer: TextWriter): void {
  if (isTilted(page.textItems)) {
    for (const paragraph of tiltedParagraphs(page.textItems)) {
      writer.add('paragraph', paragraph.split('\n').map(onOneLine).join('\n'), { page: page.pageNum })
    }
    return
  }
  const blocks = (page.blocks ?? []).map(block => ({ ...block, plain: textOf(block) }))
  const found = blocks.reduce((sum, { plain }) => sum + lettersIn(plain), 0)
  // Where the layout cannot be made out, all of the page's text counts for more than its order.
  if (found < lettersIn(page.text) * leastShare) {
    for (const paragraph of page.text.split(/\n\s*\n/)) {
      writer.add('paragraph', paragraph.split('\n').map(onOneLine).join('\n'), { page: page.pageNum })
    }
    return
  }
  for (const { kind, level, plain } of blocks) {
    if (kind === 'heading') writer.add('heading', plain, { level: level ?? 1, page: page.pageNum })
    else writer.add(blockKinds[kind], plain, { page: page.pageNum })
  }
}

const leastShare = 0.8

const lettersIn = (text: string): number => text.match(/[\p{L}\p{N}]/gu)?.length ?? 0

const blockKinds = {
  paragraph: 'paragraph',
  list_item: 'list',
  code: 'code',
  table: 'table',
  grid_fallback: 'table',
  rule: 'paragraph',
  figure: 'paragraph',
} as const

function textOf({ kind, text = '', lines = [], header, rows = [], marker, level = 0 }: LayoutBlock): string {
  if (kind === 'table') {
    const all = header === undefined ? rows : [header, ...rows]
    return all.map(row => row.map(cell => onOneLine(withoutMarkdown(cell.text))).join(' | ')).join('\n')
  }
  if (kind === 'code' || kind === 'grid_fallback') return lines.join('\n')
  const plain = onOneLine(withoutMarkdown(text))
  return kind === 'list_item' && plain !== ''
    ? `${'  '.repeat(Math.min(level, 9))}${marker ?? '-'} ${plain}`
    : plain
}

/** The text of blocks is Markdown: signs of the document are escaped in it, bare ones are marks of emphasis. */
const withoutMarkdown = (text: string): string =>
  text.replace(/\\([!-/:-@[-`{-~])|\*+|~~|`+/g, (_, escaped: string | undefined) => escaped ?? '')

/** What the library's error says of the file. */
export function pdfFailure(error: unknown): ParseFailure {
  const message = error instanceof Error ? error.message : String(error)
  return new ParseFailure(/password/i.test(message) ? 'encrypted' : 'corrupt', undefined, error)
}
