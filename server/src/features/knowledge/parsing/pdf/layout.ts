/** The words of a page to blocks in reading order: columns, tables, headings, lists and paragraphs. */

import { vertical } from './letters.ts'
import { confirmBorders, isFigure, isItemLabel, type Line, linesOf } from './lines.ts'
import { least, median, most } from './numbers.ts'
import { regionsOf } from './regions.ts'
import { joinLines, joinWords } from './scripts.ts'
import { type PlacedName, type Rule, rowsOf } from './tables.ts'
import type { Word } from './words.ts'

export type PageBlock =
  | { kind: 'table'; rows: string[][] }
  | { kind: 'paragraph' | 'list'; text: string }
  | { kind: 'heading'; text: string; size: number }

export type Page = {
  words: readonly Word[]
  rules: readonly Rule[]
  /** The height of most of the document's letters. */
  bodySize: number
  isBold: (font: number) => boolean
}

export function blocksOf(page: Page): PageBlock[] {
  const byTurn = Map.groupBy(page.words, ({ turn }) => turn)
  const [main, ...others] = [...byTurn].toSorted(([, a], [, b]) => lettersIn(b) - lettersIn(a))
  if (main === undefined) return []
  const [turn, words] = main
  const upright = turn === 0 ? uprightNames(others) : []
  const rules = turn === 0 ? page.rules : []
  const blocks = isSlanted(turn)
    ? runningBlocks(linesOf(words), page)
    : joinColumns(
        regionsOf(words, rules).map(region => blocksOfLines(linesOf(region), { ...page, rules }, upright)),
      )
  const taken = new Set(upright.filter(({ isTaken }) => isTaken).flatMap(({ words }) => words))
  const rest = others.flatMap(([turned, group]) => {
    const lines = linesOf(group.filter(word => !taken.has(word)))
    return isSlanted(turned) ? runningBlocks(lines, page) : blocksOfLines(lines, { ...page, rules: [] }, [])
  })
  return [...blocks, ...rest]
}

/** A paragraph that ends within a sentence continues at the top of the next column. */
function joinColumns(regions: readonly PageBlock[][]): PageBlock[] {
  const blocks: PageBlock[] = []
  for (const region of regions) {
    const [first, ...others] = region
    const last = blocks.at(-1)
    const continues =
      last?.kind === 'paragraph' &&
      first?.kind === 'paragraph' &&
      /[\p{L}\p{N},–-]$/u.test(last.text) &&
      /^\p{Ll}/u.test(first.text)
    if (continues)
      blocks.splice(-1, 1, { kind: 'paragraph', text: joinLines(last.text, first.text) }, ...others)
    else blocks.push(...region)
  }
  return blocks
}

/** Slanted text, such as a stamp, holds no tables; a scan may lie askew. */
const isSlanted = (turn: number): boolean =>
  turn < vertical && Math.abs(turn - Math.round(turn / 90) * 90) > mostAskew

const mostAskew = 3

const lettersIn = (words: readonly Word[]): number => words.reduce((sum, { text }) => sum + text.length, 0)

function blocksOfLines(lines: readonly Line[], page: Page, upright: UprightName[]): PageBlock[] {
  confirmBorders(lines)
  const blocks: PageBlock[] = []
  let band: Line[] = []
  let running: Line[] = []
  const endRunning = (): void => {
    blocks.push(...runningBlocks(running, page))
    running = []
  }
  const endBand = (): void => {
    const trailing: Line[] = []
    while (band.length > 0 && !isRow(band)) trailing.unshift(band.pop() as Line)
    if (isTable(band)) {
      endRunning()
      blocks.push({ kind: 'table', rows: rowsOf(band, page.rules, namesAbove(band, upright)) })
    } else running.push(...band)
    band = []
    running.push(...trailing)
  }
  for (const line of lines) {
    if (band.length > 0 && endsBand(band, line)) endBand()
    if (line.pieces.length > 1 || band.length > 0) band.push(line)
    else running.push(line)
  }
  endBand()
  endRunning()
  return blocks
}

// Tables.

/** A line alone is a row only if it has a figure, several cells, or a wide gap. */
function isTable(band: readonly Line[]): boolean {
  const [line] = band
  if (line === undefined) return false
  if (band.length > 1 || line.pieces.length > 2) return true
  const [first, second] = line.pieces
  if (first === undefined || second === undefined) return false
  const isFar = second.start - first.end > 4 * line.size
  return (
    isFar ||
    (second.start - first.end > 2 * line.size && line.pieces.some(({ words }) => words.every(isFigure)))
  )
}

/** True if the last line has several cells, or is the next line of a cell that is not the row's first. */
function isRow(band: readonly Line[]): boolean {
  const line = band.at(-1)
  if (line === undefined || line.pieces.length > 1) return true
  const row = band.findLast(({ pieces }) => pieces.length > 1)
  const before = band.at(-2)
  if (row === undefined || before === undefined || line.base - before.base > 1.6 * line.size) return false
  return row.pieces.slice(1).some(({ start }) => Math.abs(start - line.start) < line.size / 2)
}

/** A line that begins something else than the next row of a table. */
function endsBand(band: readonly Line[], line: Line): boolean {
  const before = band.at(-1) as Line
  const gap = line.base - before.base
  if (gap > 3.2 * line.size) return true
  if (line.pieces.length > 1) return false
  const gaps = band.slice(1).map(({ base }, index) => base - (band[index]?.base ?? 0))
  const usual = gaps.toSorted((a, b) => a - b)[gaps.length >> 1]
  if (usual !== undefined && gap > 1.6 * usual) return true
  const [start, end] = [least(band, one => one.start), most(band, one => one.end)]
  const isCrossing = band.some(
    ({ pieces }) => pieces.filter(piece => piece.start < line.end && piece.end > line.start).length > 1,
  )
  return isCrossing && line.end - line.start > 0.6 * (end - start) && line.words.length > 7
}

/** A column name that is written upwards or downwards. */
type UprightName = {
  words: Word[]
  start: number
  end: number
  top: number
  bottom: number
  isTaken: boolean
}

function uprightNames(groups: readonly (readonly [number, Word[]])[]): UprightName[] {
  return groups.flatMap(([turn, words]) => {
    if (Math.abs(turn) !== 90) return []
    return linesOf(words).map(line => {
      const side = turn === -90 ? 1 : -1
      const ends = [side * (line.base - line.size * 0.8), side * (line.base + line.size * 0.2)]
      const [top, bottom] = turn === -90 ? [-line.end, -line.start] : [line.start, line.end]
      const [start, end] = ends.toSorted((a, b) => a - b) as [number, number]
      return { words: line.words, start, end, top, bottom, isTaken: false }
    })
  })
}

/** The names above a table. */
function namesAbove(band: readonly Line[], upright: readonly UprightName[]): PlacedName[] {
  const [first] = band
  if (first === undefined) return []
  const [start, end] = [least(band, line => line.start), most(band, line => line.end)]
  const near = upright.filter(({ isTaken, ...name }) => {
    const isWithin = name.end > start && name.start < end + first.size
    const isAbove = name.bottom < first.base && name.bottom > first.base - farthestName * first.size
    return !isTaken && isWithin && isAbove
  })
  if (near.length < 2) return []
  for (const name of near) name.isTaken = true
  return near
    .toSorted((a, b) => a.start - b.start)
    .map(({ words, start, end }) => ({ text: joinWords(words), start, end }))
}

const farthestName = 3.5

// Running text.

const headingSize = 1.14
const mostHeadingLines = 3
const mostHeadingLetters = 200

function runningBlocks(lines: readonly Line[], page: Page): PageBlock[] {
  const paragraphs = paragraphsOf(lines, page)
  return paragraphs.map((paragraph, index) => {
    const text = paragraph.map(({ words }) => joinWords(words)).reduce(joinLines)
    const [first] = paragraph
    if (first !== undefined && isItem(first)) return { kind: 'list', text: itemText(text) }
    const isHeading =
      isHeadingLike(paragraph, text, page) && (index + 1 < paragraphs.length || paragraph.length === 1)
    return isHeading ? { kind: 'heading', text, size: sizeOf(paragraph) } : { kind: 'paragraph', text }
  })
}

const sizeOf = (lines: readonly Line[]): number => most(lines, ({ size }) => size)

const isItem = ({ words }: Line): boolean => {
  const [first] = words
  return first !== undefined && words.length > 1 && isItemLabel(first.text)
}

/** Signs in front of an item as a dash; its number or letter as it is. */
const itemText = (text: string): string => text.replace(/^[^\p{L}\p{N}\s([]\s+/u, '- ')

function isHeadingLike(lines: readonly Line[], text: string, { bodySize, isBold }: Page): boolean {
  if (lines.length > mostHeadingLines || text.length > mostHeadingLetters || !/\p{L}{2}/u.test(text))
    return false
  if (/[.;,:]$/.test(text) && !/^\d+(\.\d+)*\.?\s/.test(text)) return false
  const words = lines.flatMap(line => line.words)
  const size = median(words.map(word => word.size))
  return size > bodySize * headingSize || (size > bodySize * 0.95 && words.every(word => isBold(word.font)))
}

/** A paragraph ends at a wider gap, another size or weight of the font, a new item, an indented or after a short line. */
function paragraphsOf(lines: readonly Line[], { isBold }: Page): Line[][] {
  const gaps = lines.slice(1).map(({ base }, index) => base - (lines[index]?.base ?? 0))
  const usual = median(gaps.filter((gap, index) => gap < 2.5 * (lines[index]?.size ?? 0)))
  const end = most(lines, line => line.end)
  const paragraphs: Line[][] = []
  let isBoldBefore = false
  for (const [index, line] of lines.entries()) {
    const before = lines[index - 1]
    const isBoldLine = line.words.every(({ font }) => isBold(font))
    const open = paragraphs.at(-1)
    const begins =
      before === undefined ||
      open === undefined ||
      line.base - before.base > Math.max(1.25 * usual, 1.05 * line.size) ||
      Math.abs(line.size - before.size) > 0.08 * before.size ||
      isBoldLine !== isBoldBefore ||
      isItem(line) ||
      (line.start > before.start + line.size && open.length > 1 && !isItem(open[0] as Line)) ||
      (before.end < end - 0.25 * (end - before.start) && /[.!?:]$/.test(joinWords(before.words)))
    if (begins) paragraphs.push([line])
    else open.push(line)
    isBoldBefore = isBoldLine
  }
  return paragraphs
}
