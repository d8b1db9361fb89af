/** What every parser writes to: the one text of a document, and the blocks that tell how it is built. */
import { ParseFailure } from './failure.ts'
import { maxTextLength } from './limits.ts'
import type { Warning } from './warnings.ts'

/** The number of rows of names at the top of a table, below `above` other rows. */
export type Header = { above?: number; rows: number }

export type BlockKind = 'heading' | 'paragraph' | 'list' | 'table' | 'code'

/** A stretch of the text that belongs together. Lines are kept in tables and code, and where a parser wrote them. */
export type Block = {
  kind: BlockKind
  /** The level of a heading, from 1; 0 for every other block. */
  level: number
  /** In UTF-16 units of the text; `end` is the first unit behind the block. */
  start: number
  end: number
  /** The page, from 1; null if the format has no pages. */
  page: number | null
  /** The block begins a slide: headings of earlier slides are not above it. */
  opensPart?: true | undefined
  /** Where a table's columns have their names; undefined if the file does not say so. */
  header?: Header | undefined
}

export type ExtractedText = {
  /** Well-formed Unicode without NUL; lines end with "\n"; no white space at either end. */
  text: string
  blocks: Block[]
  title: string | null
  pageCount: number | null
  warnings: Warning[]
  /** Pages that are pictures whose text was not recognised. */
  unreadPages: number
}

export type TextWriter = {
  /** Adds a block behind the others; a block without anything visible is left out. Throws `text_too_long`. */
  add(kind: BlockKind, text: string, options?: BlockOptions): void
}

export type BlockOptions = {
  level?: number | undefined
  page?: number | undefined
  opensPart?: true
  header?: Header | undefined
  /** The block lies in a file within this one, whose headings cannot become the title. */
  isAttached?: true
}

export type DocumentWriter = TextWriter & {
  /**
   * Throws `no_text` if nothing was added. If no title is given, a heading among the first blocks becomes the title.
   */
  finish(about?: {
    title?: string | null
    pageCount?: number | null
    unreadPages?: number
    warnings?: Warning[]
  }): ExtractedText
}

/** Adds everything to the page. */
export const onPage = (writer: TextWriter, page: number): TextWriter => ({
  add: (kind, text, options) => writer.add(kind, text, { ...options, page }),
})

const maxTitleLength = 300
const titleWithinBlocks = 3

export function createTextWriter(): DocumentWriter {
  const parts: string[] = []
  const blocks: Block[] = []
  let length = 0
  let firstHeading: string | null = null
  return {
    add(kind, raw, { level = 0, page, opensPart, isAttached, header } = {}) {
      const cleaned = cleanText(raw)
      // A first line's indentation only means something in source code, and behind another item of a list.
      const isIndented =
        kind === 'code' ? blocks.length > 0 : kind === 'list' && blocks.at(-1)?.kind === 'list'
      const text = isIndented ? cleaned : cleaned.trimStart()
      if (!visible.test(text)) return
      const separator = separatorBetween(blocks.at(-1)?.kind, kind)
      const start = length + separator.length
      length = start + text.length
      if (length > maxTextLength) throw new ParseFailure('text_too_long')
      parts.push(separator, text)
      if (kind === 'heading' && !isAttached && blocks.length < titleWithinBlocks) firstHeading ??= text
      blocks.push({
        kind,
        level,
        start,
        end: length,
        page: page ?? null,
        opensPart: opensPart ? opensPart : undefined,
        header,
      })
    },
    finish({ title, pageCount, unreadPages, warnings = [] } = {}) {
      if (blocks.length === 0) throw new ParseFailure('no_text')
      return {
        text: parts.join(''),
        blocks,
        title: titleOf(title ?? firstHeading),
        pageCount: pageCount ?? null,
        warnings,
        unreadPages: unreadPages ?? 0,
      }
    },
  }
}

/** Zero-width spaces, marks of direction and the like are not visible by themselves. */
const visible = /[^\s\p{Cc}\p{Default_Ignorable_Code_Point}]/u

/** Line ends as "\n", no white space before them, single empty lines, no control characters, no lone surrogates. */
export function cleanText(raw: string): string {
  if (!needsCleaning.test(raw) && raw.isWellFormed()) return raw
  const lines = raw
    .replace(/\r\n?|[\u0085\u2028\u2029\f\v]/g, '\n')
    .replace(controls, ' ')
    .toWellFormed()
    .split('\n')
  const kept: string[] = []
  for (const line of lines) {
    const trimmed = line.trimEnd()
    if (trimmed !== '' || kept.at(-1) !== '') kept.push(trimmed)
  }
  return trimBlankLines(kept).join('\n').trimEnd()
}

/** All control characters but tabs and line ends. */
const controls = /[^\P{Cc}\t\n]/gu
const needsCleaning = /[\u2028\u2029]|[^\P{Cc}\t\n]|\s\n\n|[^\S\n]\n|^\s|\s$/u

/** White space of any kind as single spaces. */
export const onOneLine = (text: string): string => withSingleSpaces(text).trim()

/** Leaves single spaces alone: replacing millions of them takes more memory than a long line. */
export const withSingleSpaces = (text: string): string => text.replace(/[^\S ]\s*| \s+/g, ' ')

function trimBlankLines(lines: string[]): string[] {
  const first = lines.findIndex(line => line !== '')
  return first < 0 ? [] : lines.slice(first)
}

function separatorBetween(before: BlockKind | undefined, kind: BlockKind): string {
  if (before === undefined) return ''
  return before === 'list' && kind === 'list' ? '\n' : '\n\n'
}

function titleOf(raw: string | null): string | null {
  const title = raw === null ? '' : onOneLine(cleanText(raw))
  return title === '' ? null : title.slice(0, maxTitleLength).toWellFormed()
}
