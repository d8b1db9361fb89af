/** PDF through PDFium (LiteParse), a few pages at a time: a long document needs no more memory than a short one. */
import { open } from 'node:fs/promises'
import { type LayoutBlock, LiteParse, type LiteParseInput, type ParsedPage } from '@llamaindex/liteparse'
import { sizeInWords } from '../../../platform/text/sizes.ts'
import type { RenderedPage } from './children/child-process.ts'
import { ParseFailure } from './failure.ts'
import { maxPdfPages } from './limits.ts'
import { writeAttachments } from './pdf-attachments.ts'
import type { Reader } from './reader.ts'
import { onOneLine, type TextWriter } from './text-writer.ts'

const pagesAtOnce = 50
/** The size limit of a file with data before its header: such a file is read into memory. */
const maxUnalignedBytes = 64_000_000

/** A path must end in `.pdf`: only then does the library take the file for a PDF and read it piece by piece. */
export const readPdf: Reader = async (source, writer) => {
  try {
    const input = source.path === null ? await source.bytes() : await withoutJunk(source.path)
    let isBlank = true
    const pages: TextWriter = {
      add(kind, text, options) {
        isBlank &&= text.trim() === ''
        writer.add(kind, text, options)
      },
    }
    const { pageCount, clips } = await writePages(input, pages, source.onProgress)
    // A PDF without text may go to text recognition, which the text of attachments would prevent.
    if (!isBlank) await writeAttachments(input, clips, source, writer)
    return { pageCount }
  } catch (error) {
    throw error instanceof ParseFailure ? error : pdfFailure(error)
  }
}

/** The file's path, or its bytes from the header on if other data stands before the header. */
async function withoutJunk(path: string): Promise<LiteParseInput> {
  const handle = await open(path, 'r')
  try {
    const head = Buffer.alloc(1_024)
    const { bytesRead } = await handle.read(head, 0, head.length, 0)
    const start = head.subarray(0, bytesRead).indexOf('%PDF-')
    if (start <= 0) return path
    const { size } = await handle.stat()
    if (size > maxUnalignedBytes) {
      throw new ParseFailure(
        'too_large',
        `The PDF begins behind other data, and is larger than ${sizeInWords(maxUnalignedBytes)}.`,
      )
    }
    return (await handle.readFile()).subarray(start)
  } finally {
    await handle.close()
  }
}

async function writePages(input: LiteParseInput, writer: TextWriter, onProgress: (share: number) => void) {
  const parser = new LiteParse(options)
  /** Pages with files attached to them. */
  const clips: number[] = []
  let pageCount = 0
  for await (const { endPage, totalPages, result } of parser.parseBatches(input, {
    batchSize: pagesAtOnce,
  })) {
    if (totalPages > maxPdfPages) {
      throw new ParseFailure('too_large', `The PDF has ${totalPages} pages; ${maxPdfPages} are read at most.`)
    }
    pageCount = totalPages
    for (const page of await upright(input, result.pages)) {
      writePage(page, writer)
      writeBeside(page, writer)
      if (page.annotations?.some(({ subtype }) => subtype === 'fileattachment')) clips.push(page.pageNum)
    }
    onProgress(endPage / totalPages)
  }
  return { pageCount, clips }
}

const options = {
  ocrEnabled: false,
  quiet: true,
  numWorkers: 1,
  outputFormat: 'json',
  imageMode: 'off',
  extractLinks: false,
  extractBlocks: true,
  extractAnnotations: true,
  extractFormFields: true,
  keepHeadersFooters: true,
  continueOnPageError: true,
  maxPages: maxPdfPages,
} as const

/**
 * Reads pages again, turned upright, if their text runs downwards, upwards or upside down. Otherwise the library
 * separates words at the wrong places.
 */
async function upright(input: LiteParseInput, pages: readonly ParsedPage[]): Promise<readonly ParsedPage[]> {
  const turns = new Map(
    pages
      .map(({ pageNum, textItems }) => [pageNum, turnOf(textItems)] as const)
      .filter(([, turn]) => turn !== 0),
  )
  if (turns.size === 0) return pages
  const parser = new LiteParse({
    ...options,
    targetPages: [...turns.keys()].join(','),
    pageOrientationCorrections: [...turns].map(([page, angle]) => ({ page, angle })),
  })
  const turned = Map.groupBy((await parser.parse(input)).pages, ({ pageNum }) => pageNum)
  return pages.flatMap(page => turned.get(page.pageNum) ?? [page])
}

/** The right angle that is nearest to most of a page's text. */
function turnOf(items: readonly PlacedText[]): 0 | 90 | 180 | 270 {
  const letters = { 0: 0, 90: 0, 180: 0, 270: 0 }
  for (const { text, rotation = 0 } of items) {
    const angle = (Math.round(rotation / 90) * 90) % 360
    for (const turn of turns) if (turn === angle) letters[turn] += text.length
  }
  return turns.reduce((most, turn) => (letters[turn] > letters[most] ? turn : most))
}

const turns = [0, 90, 180, 270] as const

function writePage(page: ParsedPage, writer: TextWriter): void {
  if (isTilted(page.textItems)) {
    for (const paragraph of tiltedParagraphs(page.textItems)) {
      writer.add('paragraph', paragraph.split('\n').map(onOneLine).join('\n'), { page: page.pageNum })
    }
    return
  }
  const blocks = (page.blocks ?? []).map(block => ({ ...block, plain: textOf(block) }))
  const found = blocks.reduce((sum, { plain }) => sum + lettersIn(plain), 0)
  // If the layout cannot be made out, having all of the page's text matters more than its order.
  if (found < lettersIn(page.text) * leastShare) {
    for (const paragraph of page.text.split(/\n\s*\n/)) {
      if (isDrawn(paragraph)) continue
      writer.add('paragraph', paragraph.split('\n').map(onOneLine).join('\n'), { page: page.pageNum })
    }
    return
  }
  for (const { kind, level, plain } of blocks) {
    if (isDrawn(plain)) continue
    if (kind === 'heading') writer.add('heading', plain, { level: level ?? 1, page: page.pageNum })
    else writer.add(blockKinds[kind], plain, { page: page.pageNum })
  }
}

const leastShare = 0.8

/** Writes the remarks and form values that people added to the page. Links only name addresses. */
function writeBeside({ pageNum: page, annotations = [], formFields = [] }: ParsedPage, writer: TextWriter) {
  for (const { subtype, contents = '' } of annotations) {
    if (!unwritten.has(subtype)) writer.add('paragraph', contents, { page })
  }
  const filled = formFields.filter(({ value = '' }) => value !== '' && value !== 'Off')
  const lines = filled.map(({ name = '', alternateName = '', value = '' }) => {
    const label = onOneLine(alternateName || name)
    return label === '' ? onOneLine(value) : `${label}: ${onOneLine(value)}`
  })
  writer.add('table', lines.join('\n'), { page })
}

/** Forms are read by their fields; a popup repeats the remark that it belongs to. */
const unwritten: ReadonlySet<string> = new Set(['link', 'widget', 'popup'])

/** True for text that is mostly control characters: fonts that only draw their letters number them from 1. */
const isDrawn = (text: string): boolean =>
  countOf(text, /\p{Cc}|\p{Co}|\ufffd/gu) - countOf(text, /[\t\n\r]/g) > countOf(text, /\S/g) * drawnShare

/** Old fonts of TeX keep ligatures, but nothing else, at such numbers. */
const drawnShare = 0.2

const countOf = (text: string, signs: RegExp): number => text.match(signs)?.length ?? 0

const lettersIn = (text: string): number => countOf(text, /[\p{L}\p{N}]/gu)

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

/** The failure that an error of the library means. */
function pdfFailure(error: unknown): ParseFailure {
  const message = error instanceof Error ? error.message : String(error)
  return new ParseFailure(/password/i.test(message) ? 'encrypted' : 'corrupt', undefined, error)
}

// Text at an angle on a page: its lines, put together from the places of its pieces.

type PlacedText = {
  text: string
  /** The box around it, in points from the upper left corner. */
  x: number
  y: number
  width: number
  height: number
  /** Clockwise, in degrees. */
  rotation?: number
}

/** True if so much of a page is rotated that heights do not separate its lines. */
function isTilted(items: readonly PlacedText[]): boolean {
  const letters = (some: readonly PlacedText[]): number =>
    some.reduce((sum, { text }) => sum + text.length, 0)
  return letters(items.filter(item => tiltOf(item) !== 0)) > letters(items) * tiltedShare
}

/** The paragraphs of a page, those of one angle together. */
function tiltedParagraphs(items: readonly PlacedText[]): string[] {
  const byAngle = Map.groupBy(items, ({ rotation = 0 }) => Math.round(rotation) % 360)
  return [...byAngle].flatMap(([angle, group]) => paragraphsAt(angle, group))
}

const tiltedShare = 0.3

/**
 * In heights of a line: a larger gap between lines ends a paragraph, a larger gap within a line separates columns.
 */
const paragraphGap = 2.2
const columnGap = 4

/** Degrees from the nearest right angle; less than one degree counts as none. */
function tiltOf({ rotation = 0 }: PlacedText): number {
  const tilt = Math.abs(((rotation % 90) + 90) % 90)
  const nearest = Math.min(tilt, 90 - tilt)
  return nearest < 1 ? 0 : nearest
}

type Piece = { text: string; along: number; across: number; length: number; height: number }

function paragraphsAt(angle: number, items: readonly PlacedText[]): string[] {
  const pieces = items.map(item => pieceOf(angle, item)).sort((a, b) => a.across - b.across)
  const heights = pieces.map(({ height }) => height).sort((a, b) => a - b)
  const height = Math.max(1, heights[Math.floor(heights.length / 2)] ?? 1)
  const paragraphs: string[][] = []
  let line: Piece[] = []
  let before = Number.NEGATIVE_INFINITY
  const endLine = (): void => {
    if (line.length > 0) paragraphs.at(-1)?.push(lineText(line, height))
    line = []
  }
  for (const piece of pieces) {
    const gap = piece.across - before
    if (gap > height / 2) endLine()
    if (gap > height * paragraphGap) paragraphs.push([])
    line.push(piece)
    before = piece.across
  }
  endLine()
  return paragraphs.map(lines => lines.join('\n'))
}

/** The item's place along and across its line, computed from the middle of its box. */
function pieceOf(angle: number, { text, x, y, width, height }: PlacedText): Piece {
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  const [alongX, alongY] = [Math.abs(cos), Math.abs(sin)]
  // The box around a turned box is wider and higher than the turned box; at 45° it does not tell the sides.
  const spread = alongX ** 2 - alongY ** 2
  const isReadable = Math.abs(spread) > 0.1
  const length = isReadable ? (width * alongX - height * alongY) / spread : Math.max(width, height)
  const own = isReadable ? (height * alongX - width * alongY) / spread : Math.min(width, height) / 2
  const across = middleY * cos - middleX * sin
  return { text, along: middleX * cos + middleY * sin, across, length, height: Math.max(1, own) }
}

function lineText(line: readonly Piece[], height: number): string {
  let text = ''
  let end = Number.NEGATIVE_INFINITY
  for (const piece of line.toSorted((a, b) => a.along - b.along)) {
    const start = piece.along - piece.length / 2
    const separator = start - end > height * columnGap ? '\n' : ' '
    text = text === '' ? piece.text : `${text}${separator}${piece.text}`
    end = piece.along + piece.length / 2
  }
  return text
}

/** The resolution that text recognition programs expect. A page of A4 takes 35 MB while it is rendered. */
const dotsPerInch = 300
const mostRenderedPages = 10_000

/** One page at a time, each rendered when it is asked for. Throws `ParseFailure`. */
export async function* renderPages(path: string): AsyncGenerator<RenderedPage> {
  const parser = new LiteParse({
    ocrEnabled: false,
    quiet: true,
    numWorkers: 1,
    outputFormat: 'json',
    imageMode: 'off',
    continueOnPageError: true,
    extractScreenshots: true,
    dpi: dotsPerInch,
    maxPages: mostRenderedPages,
  })
  try {
    const batches = parser.parseBatches(await withoutJunk(path), { batchSize: 1 })
    for await (const { startPage, totalPages, result } of batches) {
      const [screenshot] = result.screenshots
      const isEmpty = screenshot === undefined || screenshot.isSolidFill
      const picture = isEmpty ? null : screenshot.imageBuffer.toString('base64')
      yield { page: startPage, pageCount: totalPages, picture }
    }
  } catch (error) {
    throw error instanceof ParseFailure ? error : pdfFailure(error)
  }
}
