/** Finds the columns of running text on a page, and puts what lies above, in and below them in reading order. */
import { type Line, linesOf } from './lines.ts'
import { least, median, most } from './numbers.ts'
import { directionOf } from './scripts.ts'
import type { Rule } from './tables.ts'
import type { Word } from './words.ts'

type Box = { words: Word[]; start: number; end: number; top: number; bottom: number; size: number }
type Gutter = { at: number; top: number; bottom: number }

const binWidth = 2
const mostDepth = 8
/** A page with more pieces of text is a drawing. */
const mostBoxes = 8_000
/** In heights of a line. */
const narrowest = 8
const leastLines = 4
const leastFill = 0.55

/** The words of each region, in reading order: first those above a pair of columns, then each column, then those below. */
export function regionsOf(words: readonly Word[], rules: readonly Rule[], depth = 0): Word[][] {
  if (words.length < 12 || depth > mostDepth) return words.length === 0 ? [] : [[...words]]
  const lines = linesOf(words)
  const boxes = lines.flatMap(line => line.pieces.map(piece => boxOf(line, piece)))
  const gutter = boxes.length > mostBoxes ? null : widestGutter(boxes, rules)
  if (gutter === null) return [[...words]]
  const { at, top, bottom } = gutter
  const parts: { above: Word[]; left: Word[]; right: Word[]; below: Word[] } = {
    above: [],
    left: [],
    right: [],
    below: [],
  }
  for (const box of boxes) {
    const middle = (box.top + box.bottom) / 2
    const side =
      middle < top ? 'above' : middle > bottom ? 'below' : box.end <= at + binWidth ? 'left' : 'right'
    parts[side].push(...box.words)
  }
  const columns = directionOf(words) === 'rtl' ? [parts.right, parts.left] : [parts.left, parts.right]
  return [parts.above, ...columns, parts.below].flatMap(part => regionsOf(part, rules, depth + 1))
}

const boxOf = ({ base, size }: Line, piece: Line['pieces'][number]): Box => ({
  words: piece.words,
  start: piece.start,
  end: piece.end,
  top: base - size * 0.8,
  bottom: base + size * 0.2,
  size,
})

function widestGutter(boxes: readonly Box[], rules: readonly Rule[]): Gutter | null {
  let best: { gutter: Gutter; height: number } | null = null
  for (const at of candidates(boxes)) {
    for (const gutter of runsAt(at, boxes)) {
      const height = gutter.bottom - gutter.top
      if (best !== null && height <= best.height) continue
      if (areColumns(gutter, boxes, rules)) best = { gutter, height }
    }
  }
  return best?.gutter ?? null
}

/** The middles of all upright strips that have less text than the strips beside them. */
function candidates(boxes: readonly Box[]): number[] {
  const start = least(boxes, box => box.start)
  const count = Math.ceil((most(boxes, box => box.end) - start) / binWidth)
  if (!(count > 0 && count < 20_000)) return []
  const covered = new Float64Array(count + 1)
  for (const box of boxes) {
    const height = box.bottom - box.top
    const to = Math.min(count, Math.floor((box.end - start) / binWidth))
    for (let bin = Math.ceil((box.start - start) / binWidth); bin <= to; bin++)
      covered[bin] = (covered[bin] ?? 0) + height
  }
  const highest = most(covered, height => height)
  const found: number[] = []
  for (let bin = 0, from = -1; bin <= count; bin++) {
    const isLow = bin < count && (covered[bin] ?? 0) < highest * 0.4
    if (isLow && from < 0) from = bin
    if (isLow || from < 0) continue
    let least = from
    for (let at = from; at < bin; at++) if ((covered[at] ?? 0) < (covered[least] ?? 0)) least = at
    let last = least
    while (last + 1 < bin && covered[last + 1] === covered[least]) last += 1
    found.push(start + ((least + last) / 2) * binWidth)
    from = -1
  }
  return found
}

/** The stretches in which no text crosses the place. */
function runsAt(at: number, boxes: readonly Box[]): Gutter[] {
  const sorted = boxes.toSorted((a, b) => a.top - b.top)
  const runs: Gutter[] = []
  let run: Gutter | null = null
  for (const box of sorted) {
    if (box.start < at && box.end > at) {
      if (run !== null) run.bottom = Math.min(run.bottom, Math.max(run.top, box.top))
      run = null
    } else if (run === null) {
      run = { at, top: box.top, bottom: box.bottom }
      runs.push(run)
    } else run.bottom = Math.max(run.bottom, box.bottom)
  }
  return runs
}

function areColumns({ at, top, bottom }: Gutter, boxes: readonly Box[], rules: readonly Rule[]): boolean {
  const inside = boxes.filter(
    box =>
      box.bottom > top &&
      box.top < bottom &&
      (box.top + box.bottom) / 2 >= top &&
      (box.top + box.bottom) / 2 <= bottom,
  )
  const left = inside.filter(({ end }) => end <= at)
  const right = inside.filter(({ start }) => start >= at)
  const fill = areIndependent(left, right) ? leastFill / 2 : leastFill
  const [one, other] = [proseOf(left, fill), proseOf(right, fill)]
  if (one === null || other === null) return false
  if (Math.min(one, other) < 0.3 * Math.max(one, other)) return false
  const crossing = rules.filter(
    rule => rule.start < at - 8 && rule.end > at + 8 && rule.across > top + 4 && rule.across < bottom - 4,
  )
  return crossing.length < 2
}

/** Rows of a table share base lines; lines of two columns do so only by chance. */
function areIndependent(left: readonly Box[], right: readonly Box[]): boolean {
  const [some, most] = left.length < right.length ? [left, right] : [right, left]
  const aligned = some.filter(box => most.some(other => Math.abs(other.bottom - box.bottom) < box.size * 0.1))
  return some.length > 2 * leastLines && aligned.length < some.length * 0.6
}

/** The number of lines of running text; null if it is none. */
function proseOf(boxes: readonly Box[], fill: number): number | null {
  const lines = new Map<number, { width: number; letters: number; signs: number }>()
  for (const box of boxes) {
    const key = Math.round(box.bottom / Math.max(1, box.size * 0.5))
    const line = lines.get(key) ?? { width: 0, letters: 0, signs: 0 }
    const text = box.words.map(word => word.text).join('')
    line.width += box.end - box.start
    line.letters += text.match(/\p{L}/gu)?.length ?? 0
    line.signs += text.length
    lines.set(key, line)
  }
  if (lines.size < leastLines) return null
  const start = least(boxes, box => box.start)
  const width = most(boxes, box => box.end) - start
  const size = median(boxes.map(box => box.size))
  if (width < narrowest * size) return null
  const all = [...lines.values()]
  if (median(all.map(line => line.width)) < width * fill) return null
  const letters = all.reduce((sum, line) => sum + line.letters, 0)
  const signs = all.reduce((sum, line) => sum + line.signs, 0)
  if (letters < signs * 0.6 || signs / all.length < 10) return null
  return all.length
}
