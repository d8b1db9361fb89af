/** Words to lines, and lines to the pieces between wide gaps. */
import { smallShare } from './scripts.ts'
import type { Word } from './words.ts'

/** Words of one line without a wide gap: a cell, a line of a column, or a whole line. */
export type Piece = { words: Word[]; start: number; end: number; size: number }

export type Line = {
  words: Word[]
  pieces: Piece[]
  base: number
  size: number
  start: number
  end: number
}

/** Shares of the font's height. */
const sameLine = 0.35
const cellGap = 0.45
const usualGap = 1.0

/** Lines of words of one direction, from top to bottom. */
export function linesOf(words: readonly Word[]): Line[] {
  const beside = raisedBeside(words)
  const groups: { words: Word[]; base: number; size: number }[] = []
  for (const word of words.filter(word => !beside.has(word)).toSorted((a, b) => a.base - b.base)) {
    const group = groups.at(-1)
    const isSame = group !== undefined && word.base - group.base < Math.min(word.size, group.size) * sameLine
    if (isSame) {
      group.words.push(word)
      group.size = Math.max(group.size, word.size)
    } else groups.push({ words: [word], base: word.base, size: word.size })
  }
  const groupOf = new Map(groups.flatMap(group => group.words.map(word => [word, group] as const)))
  for (const [word, large] of beside) {
    const group = groupOf.get(large)
    if (group === undefined) groups.push({ words: [word], base: word.base, size: word.size })
    else {
      group.words.push(word)
      groupOf.set(word, group)
    }
  }
  return groups.toSorted((a, b) => a.base - b.base).map(({ words, base, size }) => lineOf(words, base, size))
}

function lineOf(unordered: readonly Word[], base: number, size: number): Line {
  const words = unordered.toSorted((a, b) => a.start - b.start)
  const line: Line = {
    words,
    pieces: [],
    base,
    size,
    start: Number.POSITIVE_INFINITY,
    end: Number.NEGATIVE_INFINITY,
  }
  for (const word of words) {
    line.start = Math.min(line.start, word.start)
    line.end = Math.max(line.end, word.end)
    const piece = line.pieces.at(-1)
    if (piece !== undefined && word.start - piece.end < cellGap * Math.min(word.size, piece.size)) {
      piece.words.push(word)
      piece.end = Math.max(piece.end, word.end)
      piece.size = Math.max(piece.size, word.size)
    } else line.pieces.push({ words: [word], start: word.start, end: word.end, size: word.size })
  }
  return line
}

/** Each raised or lowered word with the word beside it, which may be raised itself. */
function raisedBeside(words: readonly Word[]): Map<Word, Word> {
  const beside = new Map<Word, Word>()
  for (const [index, word] of words.entries()) {
    const before = words[index - 1]
    if (before === undefined || !word.isGlued) continue
    const [small, large] = word.size < before.size ? [word, before] : [before, word]
    if (small.base !== large.base && small.size < large.size * smallShare && !beside.has(large)) {
      beside.set(small, large)
    }
  }
  return beside
}

/**
 * Joins pieces again whose gap is no border of cells: a gap of justified text, and the one behind the label of a list.
 * A border is confirmed by its width, or by the lines above and below, which have text on both sides of it, but none in it.
 */
export function confirmBorders(lines: readonly Line[]): void {
  const confirmed = lines.map((line, index) => {
    const pieces: Piece[] = []
    for (const piece of line.pieces) {
      const before = pieces.at(-1)
      if (before !== undefined && !isBorder(lines, index, before, piece, pieces.length === 1)) {
        before.words = [...before.words, ...piece.words]
        before.end = piece.end
        before.size = Math.max(before.size, piece.size)
      } else pieces.push({ ...piece })
    }
    return pieces
  })
  for (const [index, line] of lines.entries()) line.pieces = confirmed[index] ?? []
}

const certainGap = 2.5
const widestLabelGap = 4
const nearLines = 2.6

function isBorder(
  lines: readonly Line[],
  index: number,
  before: Piece,
  piece: Piece,
  isFirst: boolean,
): boolean {
  const line = lines[index] as Line
  const gap = (piece.start - before.end) / line.size
  if (isFirst && isLabel(before) && gap < widestLabelGap && piece.words.length > 1) return false
  if (isCurrency(before) && isAmount(piece)) return false
  if (isUnit(piece) && gap < widestLabelGap) return false
  if (gap > certainGap) return true
  let [open, closed] = [0, 0]
  for (const step of [-1, 1]) {
    for (let at = index + step, seen = 0; seen < 2; at += step, seen++) {
      const other = lines[at]
      const near = lines[at - step]
      if (
        other === undefined ||
        near === undefined ||
        Math.abs(other.base - near.base) > nearLines * line.size
      )
        break
      if (other.start > before.end || other.end < piece.start) continue
      if (isOpen(other, before.end, piece.start)) open += 1
      else closed += 1
    }
  }
  if (gap < usualGap)
    return (
      closed === 0 && (open > 1 || (open > 0 && isFigure(before.words.at(-1)) && isFigure(piece.words[0])))
    )
  return open > 0 ? open >= closed : closed === 0 && gap > 1
}

/** True if the line has a gap at this place. */
function isOpen({ words, size }: Line, from: number, to: number): boolean {
  let end = Number.NEGATIVE_INFINITY
  for (const word of words) {
    if (word.start - end >= cellGap * size && Math.min(word.start, to) - Math.max(end, from) > 0) return true
    end = Math.max(end, word.end)
  }
  return false
}

const isCurrency = ({ words }: Piece): boolean =>
  /^[\p{Lu}]{0,3}[$€£¥₹₩]$/u.test(words.map(({ text }) => text).join(''))
const isAmount = ({ words }: Piece): boolean => /^[(\d—–-]/.test(words[0]?.text ?? '')
const isUnit = ({ words }: Piece): boolean => words.length === 1 && /^[%)]+$/.test(words[0]?.text ?? '')

export const isFigure = (word: Word | undefined): boolean =>
  word !== undefined && /\d/.test(word.text) && !/\p{L}{2}/u.test(word.text)

/** Bullets, also in fonts of signs; numbers and letters with a dot or a bracket; numbers of sections. */
const isLabel = (piece: Piece): boolean =>
  piece.words.length === 1 &&
  (isItemLabel(piece.words[0]?.text ?? '') || /^\d{1,2}(\.\d{1,2}){1,3}\.?$/.test(piece.words[0]?.text ?? ''))

export const isItemLabel = (text: string): boolean =>
  /^([^\p{L}\p{N}\s$€£¥%([{"'“‘«„—–+=<>#]|\(?\d{1,3}[.)]|\(?\p{L}[.)]|\(?[ivxl]{2,5}[.)]|[—–])$/u.test(text)
