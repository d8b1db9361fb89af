/** Cuts a text into chunks along its structure: under its headings, between paragraphs, sentences, lines, words. */
import { createTables, type TablePlace } from './tables/places.ts'
import type { Block, ExtractedText } from './text-writer.ts'

/**
 * One piece of a text. A text's chunks in order, each followed by its gap, make up the whole text. Offsets count
 * Unicode code points of the text.
 */
export type Chunk = {
  page: number | null
  startOffset: number
  endOffset: number
  /** The headings above the chunk, outermost first. In later chunks of a table its column names come last. */
  headings: string[]
  text: string
  /** The white space between this chunk and the next. */
  gap: string
  /** The tables that begin in the chunk. */
  tables: ChunkTable[]
}

/** Its places are offsets like those of the chunk; the page and the headings are those at its beginning. */
export type ChunkTable = Pick<TablePlace, 'titles' | 'columns' | 'columnCount' | 'rowCount'> & {
  page: number | null
  headings: string[]
  startOffset: number
  rowsOffset: number
  endOffset: number
}

/** The longest chunk. This and the other lengths are in UTF-16 units. */
export const maxChunkLength = 1_600
/** A chunk of this length or more takes no further piece. */
const targetLength = 1_000
/**
 * A heading ends the chunk before it if that chunk has at least this length: sections of a line or two share a chunk.
 */
const minSectionLength = 300

/** Headings of a chunk are cut at this length, in UTF-16 units. */
const maxHeadingLength = 200

export function* chunksOf({ text, blocks }: Pick<ExtractedText, 'text' | 'blocks'>): Generator<Chunk> {
  const tables = createTables(text, blocks)
  const ranges = rangesOf(text, blocks, tables)
  let startOffset = 0
  let range = ranges.next().value
  while (range !== undefined) {
    const next = ranges.next().value
    const chunkText = text.slice(range.start, range.end)
    const gap = text.slice(range.end, next?.start ?? text.length)
    const endOffset = startOffset + codePointLength(chunkText)
    const { start, page, headings } = range
    const offset = startOffset
    const begun = tables.takeBefore(range.end).map(({ place, ...under }) => {
      const { titles, columns, columnCount, rowCount } = place
      const tableStart = offset + codePointLength(text.slice(start, place.start))
      return {
        ...under,
        titles,
        columns,
        columnCount,
        rowCount,
        startOffset: tableStart,
        rowsOffset: tableStart + codePointLength(text.slice(place.start, place.rowsStart)),
        endOffset: tableStart + codePointLength(text.slice(place.start, place.end)),
      }
    })
    yield { page, startOffset, endOffset, headings, text: chunkText, gap, tables: begun }
    startOffset = endOffset + codePointLength(gap)
    range = next
  }
}

/** How many Unicode code points a well-formed text has. */
export function codePointLength(text: string): number {
  let pairs = 0
  for (let i = 0; i < text.length; i++) {
    if ((text.charCodeAt(i) & 0xfc00) === 0xd800) pairs += 1
  }
  return text.length - pairs
}

type Tables = ReturnType<typeof createTables>

type Range = { start: number; end: number; page: number | null; headings: string[] }

/** Joins neighbouring pieces as long as they fit into one chunk. */
function* rangesOf(text: string, blocks: readonly Block[], tables: Tables): Generator<Range, undefined> {
  let open: Range | null = null
  for (const { beginsSection, ...range } of atomsOf(text, blocks, tables)) {
    const length: number = open === null ? 0 : open.end - open.start
    const isFull = length >= targetLength || (beginsSection && length >= minSectionLength)
    if (open !== null && fits(open, range) && !isFull) {
      open.end = range.end
    } else {
      if (open !== null) yield open
      open = range
    }
  }
  if (open !== null) yield open
}

/** The pieces of all blocks; a heading is joined with the piece after it. */
function* atomsOf(
  text: string,
  blocks: readonly Block[],
  tables: Tables,
): Generator<Range & { beginsSection: boolean }> {
  const path: Block[] = []
  let headings: string[] = []
  let pending: Range | null = null
  for (const block of blocks) {
    const isHeading = block.kind === 'heading'
    if (block.opensPart) {
      path.length = 0
      headings = []
    }
    if (isHeading) {
      while ((path.at(-1)?.level ?? 0) >= block.level) path.pop()
      path.push(block)
      headings = path.map(heading =>
        text.slice(heading.start, heading.end).slice(0, maxHeadingLength).toWellFormed(),
      )
    }
    const table = block.kind === 'table' ? tables.begin(block, headings) : null
    for (const piece of piecesOf(text, block, pending)) {
      const isBelow = table !== null && table.columns.length > 0 && piece.start > block.start
      const above = isBelow ? [...headings, namesOf(table)] : headings
      let range: Range = { ...piece, page: block.page, headings: above }
      if (pending !== null && fits(pending, range)) range = { ...range, start: pending.start }
      else if (pending !== null) yield { ...pending, beginsSection: true }
      const beginsSection = isHeading || range.start < piece.start
      pending = isHeading ? range : null
      if (!isHeading) yield { ...range, beginsSection }
    }
  }
  if (pending !== null) yield { ...pending, beginsSection: true }
}

const namesOf = ({ columns }: TablePlace): string =>
  columns.join(' | ').slice(0, maxHeadingLength).toWellFormed()

const fits = (open: Range, next: Range): boolean =>
  open.page === next.page && next.end - open.start <= maxChunkLength

type Piece = { start: number; end: number }

/**
 * Cuts a block into pieces that each fit into a chunk. The first piece must fit together with the heading above it.
 */
function* piecesOf(text: string, block: Block, heading: Range | null): Generator<Piece> {
  const keepsLines = block.kind === 'table' || block.kind === 'code'
  const taken = heading === null || heading.page !== block.page ? 0 : block.start - heading.start
  let room = maxChunkLength - (taken < maxChunkLength / 2 ? taken : 0)
  let start = block.start
  while (block.end - start > room) {
    const window = text.slice(start, start + room)
    room = maxChunkLength
    const natural = keepsLines ? lastLineEnd(window) : lastSentenceEnd(window)
    const cut = natural ?? lastSpace(window) ?? lastWholeCharacter(window)
    const piece = window.slice(0, cut).trimEnd()
    if (piece !== '') yield { start, end: start + piece.length }
    start += cut
    // White space at the beginning of a line is indentation.
    if (natural === null || !keepsLines) start = skipSpace(text, start)
  }
  if (start < block.end) yield { start, end: block.end }
}

function skipSpace(text: string, from: number): number {
  let at = from
  while (at < text.length && /\s/.test(text.charAt(at))) at += 1
  return at
}

/** A cut before this share of a window would leave a chunk too short. */
const minShare = 0.4

function lastLineEnd(window: string): number | null {
  const cut = window.lastIndexOf('\n') + 1
  return cut > window.length * minShare ? cut : null
}

const sentences = new Intl.Segmenter('en', { granularity: 'sentence' })

/** The window's last sentence is most likely cut off by its end, so it does not count. */
function lastSentenceEnd(window: string): number | null {
  let last = 0
  for (const { index } of sentences.segment(window)) last = index
  return last > window.length * minShare ? last : null
}

function lastSpace(window: string): number | null {
  const found = /\s\S*$/.exec(window.slice(Math.floor(window.length * minShare)))
  return found === null ? null : Math.floor(window.length * minShare) + found.index + 1
}

const graphemes = new Intl.Segmenter('en', { granularity: 'grapheme' })
const longestGrapheme = 64

/** Cuts between characters as people see them. One longer than `longestGrapheme` is cut between code points. */
function lastWholeCharacter(window: string): number {
  const tail = window.slice(-longestGrapheme)
  let last = 0
  for (const { index } of graphemes.segment(tail)) last = index
  if (last > 0) return window.length - tail.length + last
  const endsInHalf = (window.charCodeAt(window.length - 1) & 0xfc00) === 0xd800
  return endsInHalf ? window.length - 1 : window.length
}
