/** Lines with cells to the rows of a table: columns from the gaps, rows from base lines, cells of several lines joined. */
import type { Line, Piece } from './lines.ts'
import { least, median, most } from './numbers.ts'
import { directionOf, joinLines, joinWords } from './scripts.ts'

/** A line that is drawn across the page. */
export type Rule = { start: number; end: number; across: number }

type Column = { start: number; end: number }
type Cell = { from: number; to: number; text: string; end: number; isNumber: boolean }
type Row = { cells: Cell[]; base: number; lastBase: number; size: number }

/** The rows of a table, each as long as the table has columns; a cell without text is ''. */
export function rowsOf(
  lines: readonly Line[],
  rules: readonly Rule[],
  uprightNames: readonly PlacedName[] = [],
): string[][] {
  const columns = columnsOf(lines)
  const rows = lines.map(line => rowOf(line, columns))
  const height = headerHeight(rows)
  const header = headerRows(lines.slice(0, height), columns, rules)
  const body = repeatSpans(joinWrapped(rows.slice(height), columns, rules), columns, rules)
  const isRtl = directionOf(lines.flatMap(({ words }) => words)) === 'rtl'
  const upright = uprightNames.length > 0 ? [namesRow(uprightNames, columns)] : []
  const texts = [...upright, ...header, ...body.map(row => textsOf(row, columns))]
  return isRtl ? texts.map(row => row.reverse()) : texts
}

/** A column name that is written upwards or downwards, with its place along the lines of the table. */
export type PlacedName = { text: string; start: number; end: number }

/** As many names as columns are theirs in turn; else each is of the column that is nearest. */
function namesRow(names: readonly PlacedName[], columns: readonly Column[]): string[] {
  const row = columns.map(() => '')
  const middle = ({ start, end }: Extent): number => (start + end) / 2
  for (const name of names) {
    const distances = columns.map(column => Math.abs(middle(column) - middle(name)))
    const nearest = distances.indexOf(least(distances, distance => distance))
    row[nearest] = joinLines(row[nearest] ?? '', name.text)
  }
  const inTurn = columns.length - names.length
  const isEven = inTurn === 0 || inTurn === 1
  return isEven ? columns.map((_, index) => names[index - inTurn]?.text ?? '') : row
}

const textsOf = ({ cells }: Row, columns: readonly Column[]): string[] =>
  columns.flatMap((_, index) => {
    const texts = cells.filter(({ from }) => from === index).map(({ text }) => text)
    return texts.length === 0 ? [''] : texts
  })

/** Those of the fullest line, and what other lines add to them. */
function columnsOf(lines: readonly Line[]): Column[] {
  const columns: Column[] = []
  const fullestFirst = lines.toSorted((a, b) => b.pieces.length - a.pieces.length)
  const fullest = fullestFirst[0]?.pieces.length ?? 0
  const firstFull = lines.find(({ pieces }) => pieces.length >= fullest * fullShare)
  for (const { pieces, base } of fullestFirst) {
    const isFull = pieces.length >= fullest * fullShare
    for (const { piece, column, isSpan } of placesOf(pieces, columns)) {
      if (isSpan) continue
      // A name between two columns stands above both.
      const isName = base < (firstFull?.base ?? 0) && isBetweenColumns(piece, columns)
      if (isName) continue
      if (column === null) {
        columns.push({ start: piece.start, end: piece.end })
        columns.sort((a, b) => a.start + a.end - b.start - b.end)
      } else if (isFull && (covers(column, piece) || covers(piece, column))) widen(column, piece, columns)
    }
  }
  return columns
}

const isBetweenColumns = ({ start, end }: Piece, columns: readonly Column[]): boolean =>
  columns.some(column => column.end <= start) && columns.some(column => column.start >= end)

/** Lines with a smaller share of the cells are titles, names above names, or parts of other rows. */
const fullShare = 0.6

/** As far as no other column begins. */
function widen(column: Column, { start, end }: Piece, columns: readonly Column[]): void {
  const index = columns.indexOf(column)
  const [before, after] = [columns[index - 1], columns[index + 1]]
  column.start = Math.min(column.start, Math.max(start, before?.end ?? Number.NEGATIVE_INFINITY))
  column.end = Math.max(column.end, Math.min(end, after?.start ?? Number.POSITIVE_INFINITY))
}

type Place = { piece: Piece; column: Column | null; isSpan: boolean; last: Column | null }

const spanShare = 0.5

function placesOf(pieces: readonly Piece[], columns: readonly Column[]): Place[] {
  let next = 0
  return pieces.map((piece, index) => {
    const following = pieces[index + 1]
    const overlapped = columns.slice(next).filter(column => overlap(column, piece) > 0)
    const own = overlapped.filter(
      column => following === undefined || overlap(column, following) <= overlap(column, piece),
    )
    const covered = own.filter(column => overlap(column, piece) > (column.end - column.start) * spanShare)
    const isSpan = covered.length > 1
    const best = isSpan
      ? (covered[0] ?? null)
      : own.reduce<Column | null>(
          (most, column) => (most === null || overlap(column, piece) > overlap(most, piece) ? column : most),
          null,
        )
    const last = isSpan ? (covered.at(-1) ?? null) : best
    if (last !== null) next = columns.indexOf(last) + 1
    return { piece, column: best, isSpan, last }
  })
}

type Extent = { start: number; end: number }

/** True if the middle of the other one lies within it. */
const covers = (one: Extent, { start, end }: Extent): boolean =>
  one.start < (start + end) / 2 && one.end > (start + end) / 2

const overlap = (one: Extent, other: Extent): number =>
  Math.min(one.end, other.end) - Math.max(one.start, other.start)

type Placed = { piece: Piece; from: number; to: number }

/** Each piece of a line with the columns that it stands in, in their order. */
function placed({ pieces }: Line, columns: readonly Column[]): Placed[] {
  let least = 0
  return placesOf(pieces, columns).map(({ piece, column, last }) => {
    const nearest = column ?? columns.toSorted((a, b) => overlap(b, piece) - overlap(a, piece))[0]
    const from = Math.max(least, nearest === undefined ? 0 : columns.indexOf(nearest))
    const to = Math.max(from, last === null ? from : columns.indexOf(last))
    least = from
    return { piece, from, to }
  })
}

function rowOf(line: Line, columns: readonly Column[]): Row {
  const cells: Cell[] = []
  for (const { piece, from, to } of placed(line, columns)) {
    const text = joinWords(piece.words)
    const same = cells.at(-1)
    if (same !== undefined && same.from === from) same.text += ` | ${text}`
    else cells.push({ from, to, text, end: piece.end, isNumber: isNumber(text) })
  }
  return { cells, base: line.base, lastBase: line.base, size: line.size }
}

const isNumber = (text: string): boolean =>
  /^[\s$€£¥%+\-–—−.,:/()*†‡<>=~≤≥\d]+[a-z]?\)?$/.test(text) || /^(n\.?\/?a\.?|nil|\.{2,}|…)$/i.test(text)

// Cells of several lines.

function joinWrapped(lines: readonly Row[], columns: readonly Column[], rules: readonly Rule[]): Row[] {
  const tight = tightGap(lines)
  const rows: Row[] = []
  const ruled = rowRules(lines, columns, rules)
  for (const line of lines) {
    const row = rows.at(-1)
    if (row !== undefined && continues(row, line, { columns, tight, ruled })) append(row, line)
    else rows.push({ ...line, cells: line.cells.map(cell => ({ ...cell })) })
  }
  return rows
}

type Evidence = {
  columns: readonly Column[]
  /** The distance of lines within a cell, if rows are further apart. */
  tight: number | null
  /** The rules between rows, if each row has one. */
  ruled: readonly Rule[] | null
}

const overlapping = 0.8

function continues(row: Row, line: Row, { columns, tight, ruled }: Evidence): boolean {
  const gap = line.base - row.lastBase
  const filled = line.cells.map(({ from }) => from)
  const shared = row.cells.filter(({ from }) => filled.includes(from))
  const isSpan = (one: Row) => one.cells.some(({ from, to }) => to > from)
  const isOneSided = line.cells.length === 1 && !line.cells.some(({ isNumber }) => isNumber)
  if (gap < overlapping * Math.min(row.size, line.size)) return shared.length === 0 || isOneSided
  if (isSpan(line) || isSpan(row)) return false
  if (line.cells.some(({ isNumber }) => isNumber) || shared.some(({ isNumber }) => isNumber)) return false
  if (ruled !== null) return !ruled.some(({ across }) => across > row.lastBase && across < line.base)
  const isNew = filled.some(from => !shared.some(cell => cell.from === from))
  if (isNew) return false
  const isWhole = filled.length > 1 && filled.length === row.cells.length
  if (isWhole && !line.cells.every(({ text }) => /^[\p{Ll}(]/u.test(text))) return false
  if (tight !== null) return gap < tight
  if (filled.length > 1 || columns.length < 2) return false
  const [cell, before] = [line.cells[0], shared[0]]
  if (cell === undefined || before === undefined) return false
  return isWrap(before, cell, columns[cell.from])
}

/** By its words: the line begins within a sentence, or the one before it ends within one. */
function isWrap(before: Cell, cell: Cell, column: Column | undefined): boolean {
  if (
    /^[\p{Ll}(&]/u.test(cell.text) ||
    /[-,–&/]$|\b(and|or|of|for|the|in|to|by|with|und|der|de|et)$/i.test(before.text)
  )
    return true
  if (cell.from === 0 || column === undefined) return false
  return before.end > column.end - (column.end - column.start) * 0.2
}

/** Null if lines have one distance. */
function tightGap(lines: readonly Row[]): number | null {
  const gaps = lines.slice(1).map((line, index) => (line.base - (lines[index]?.base ?? 0)) / line.size)
  const sorted = gaps.filter(gap => gap >= overlapping).toSorted((a, b) => a - b)
  const least = sorted[0]
  if (least === undefined) return null
  const limit = least * 1.18
  const wide = sorted.filter(gap => gap > least * 1.3)
  const narrow = sorted.filter(gap => gap <= limit)
  if (narrow.length < 2 || wide.length < 2) return null
  return limit * median(lines.map(line => line.size))
}

function rowRules(lines: readonly Row[], columns: readonly Column[], rules: readonly Rule[]): Rule[] | null {
  const [first, last] = [columns[0], columns.at(-1)]
  if (first === undefined || last === undefined) return null
  const width = last.end - first.start
  const across = rules.filter(
    rule => Math.min(rule.end, last.end) - Math.max(rule.start, first.start) > width * 0.6,
  )
  const groups: Row[][] = [[]]
  for (const line of lines) {
    const before = groups.at(-1)?.at(-1)
    const isApart =
      before !== undefined && across.some(rule => rule.across > before.base && rule.across < line.base)
    if (isApart) groups.push([line])
    else groups.at(-1)?.push(line)
  }
  const body = groups.slice(1)
  const isOneRow = (group: Row[]) => {
    if (group.length === 1) return true
    const repeated = columns.some(
      (_, index) =>
        group.filter(({ cells }) => cells.some(cell => cell.from === index && cell.isNumber)).length > 1,
    )
    const full = group.every(({ cells }) => cells.length === group[0]?.cells.length)
    const isWithin = group.slice(1).some(({ cells }) => cells.some(({ text }) => /^[\p{Ll}(]/u.test(text)))
    return !repeated && (!full || isWithin || (group[0]?.cells.length ?? 0) === 1)
  }
  return groups.length > 3 && body.every(isOneRow) ? across : null
}

function append(row: Row, line: Row): void {
  for (const cell of line.cells) {
    const same = row.cells.find(({ from }) => from === cell.from)
    if (same === undefined) row.cells.push({ ...cell })
    else {
      same.text = joinLines(same.text, cell.text)
      same.end = cell.end
      same.isNumber = false
    }
  }
  row.cells.sort((a, b) => a.from - b.from)
  row.lastBase = Math.max(row.lastBase, line.base)
  row.size = Math.min(row.size, line.size)
}

// Column names.

const mostHeaderLines = 10
/** More lines with a text in each column are rows of words. */
const mostFullLines = 2
const headerGap = 1.5

/** How many lines of names lie above the first line of figures; 0 if the table has no figures. */
function headerHeight(rows: readonly Row[]): number {
  const first = rows.findIndex(({ cells }) => {
    const others = cells.filter(({ from }) => from > 0)
    const figures = others.filter(({ text, isNumber }) => isNumber && !isYear(text))
    return figures.length > 0 && figures.length * 2 >= others.length
  })
  const isFull = rows.slice(first).filter(({ cells }) => cells.some(({ isNumber }) => isNumber)).length > 1
  const fullest = most(rows, ({ cells }) => cells.length)
  const filled = rows.slice(0, first).filter(({ cells }) => cells.length === fullest)
  return first > 0 && first <= mostHeaderLines && isFull && filled.length <= mostFullLines ? first : 0
}

const isYear = (text: string): boolean =>
  /^((19|20)\d\d([-–/](\d\d|\d{4}))?|\d{1,2}[/.]\d{1,2}[/.]\d{2,4})$/.test(text)

type Name = { from: number; to: number; text: string; last: number }

/** Names of several lines are joined; one that covers several columns, or lines of other names, is repeated. */
function headerRows(lines: readonly Line[], columns: readonly Column[], rules: readonly Rule[]): string[][] {
  const names: Name[] = []
  const placedLines = lines.map(line => placed(line, columns))
  for (const [index, line] of lines.entries()) {
    const below = new Set(placedLines.slice(index + 1).flatMap(cells => cells.map(({ from }) => from)))
    for (const { piece, from, to } of spansOf(line, placedLines[index] ?? [], { columns, rules, below })) {
      const text = joinWords(piece.words)
      const above = names.findLast(name => name.from <= to && name.to >= from)
      const isNext =
        above !== undefined &&
        above.from === from &&
        above.to === to &&
        line.base - above.last < headerGap * line.size
      const isApart =
        isNext && rules.some(rule => isBetween(rule, above.last, line.base) && covers(rule, piece))
      if (isNext && !isApart && !isYear(text) && !isYear(above.text)) {
        above.text = joinLines(above.text, text)
        above.last = line.base
      } else names.push({ from, to, text, last: line.base })
    }
  }
  const stacks = columns.map((_, column) => names.filter(({ from, to }) => from <= column && to >= column))
  const depth = lines.length === 0 ? 0 : most(stacks, stack => stack.length)
  return Array.from({ length: depth }, (_, level) =>
    stacks.map(stack => (stack[level] ?? stack.at(-1))?.text ?? ''),
  )
}

const isBetween = ({ across }: Rule, above: number, below: number): boolean =>
  across > above && across < below - 1

/** The columns of each name: those of the rule that is drawn below it, or those that it covers. */
function spansOf(
  { pieces, base, size }: Line,
  cells: readonly Placed[],
  {
    columns,
    rules,
    below,
  }: { columns: readonly Column[]; rules: readonly Rule[]; below: ReadonlySet<number> },
): Placed[] {
  return cells.map(({ piece, from, to }) => {
    const rule = rules.find(
      rule =>
        rule.across > base &&
        rule.across < base + 1.3 * size &&
        covers(rule, piece) &&
        pieces.every(other => other === piece || !covers(rule, other)),
    )
    const under =
      rule === undefined ? [] : columns.flatMap((column, at) => (covers(rule, column) ? [at] : []))
    if (under.length > 1 && under.length < columns.length)
      return { piece, from: under[0] as number, to: under.at(-1) as number }
    // A name between two columns of other names is a name of both.
    const isOver = (column: number, outside: number): boolean =>
      below.has(column) &&
      below.has(from) &&
      outside > (piece.end - piece.start) * outsideShare &&
      !cells.some(other => other.from <= column && other.to >= column)
    const own = columns[from] as Column
    return {
      piece,
      from: isOver(from - 1, own.start - piece.start) ? from - 1 : from,
      to: to === from && isOver(to + 1, piece.end - own.end) ? to + 1 : to,
    }
  })
}

const outsideShare = 0.3

/** The text of a cell beside several ruled rows, repeated in each of them. */
function repeatSpans(rows: Row[], columns: readonly Column[], rules: readonly Rule[]): Row[] {
  const kept = [...rows]
  for (const row of rows) {
    for (const own of row.cells) {
      const column = columns[own.from]
      if (column === undefined || own.isNumber || own.to > own.from) continue
      const mine = rules.filter(rule => covers(rule, column))
      const top = most(
        mine.filter(rule => rule.across < row.base),
        rule => rule.across,
      )
      const bottom = least(
        mine.filter(rule => rule.across > row.lastBase),
        rule => rule.across,
      )
      if (!(Number.isFinite(top) && Number.isFinite(bottom))) continue
      const beside = rows.filter(other => other !== row && other.base > top && other.base < bottom)
      const isSpan =
        beside.length > 0 &&
        beside.every(other => other.cells.length > 0 && !other.cells.some(({ from }) => from === own.from)) &&
        rules.some(rule => rule.across > top + 2 && rule.across < bottom - 2 && !covers(rule, column))
      if (!isSpan) continue
      for (const other of beside)
        other.cells = [...other.cells, { ...own }].toSorted((a, b) => a.from - b.from)
      if (row.cells.length === 1) kept.splice(kept.indexOf(row), 1)
    }
  }
  return kept
}
