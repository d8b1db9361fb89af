/** Letters to words: each letter of the page once, in words of one line. */
import type { Letter } from './letters.ts'
import { least, most } from './numbers.ts'

export type Word = {
  text: string
  start: number
  end: number
  base: number
  size: number
  turn: number
  font: number
  /** No space lies between this word and the one before it in the file. */
  isGlued: boolean
  /** The file has a space before it. */
  hasSpace: boolean
}

/** All of these are shares of the font's height. */
const leastSpace = 0.05
const widestWithin = 0.8
const otherLine = 0.12
const raised = 0.8
const samePlace = 0.12

export function wordsOf(letters: readonly Letter[]): Word[] {
  const words: Word[] = []
  let before: Letter | null = null
  let word: Word | null = null
  for (const letter of withoutSpacing(withoutRepeats(letters))) {
    const gap = before === null ? 0 : distance(before, letter)
    const size = Math.max(letter.size, before?.size ?? 0)
    const isMark = mark.test(letter.text)
    const isNear = before !== null && before.turn === letter.turn && gap < size * widestWithin && gap > -size
    const shift = before === null ? 0 : Math.abs(letter.base - before.base)
    const isApart = letter.isApart && gap > size * leastSpace
    const joins = word !== null && isNear && !isApart && shift < size * otherLine
    if (word !== null && (joins || (isMark && isNear))) {
      // A ligature of these two has this order alone, whatever the font says.
      if (letter.text === 'ل' && letter.glyph === before?.glyph && alef.test(before.text))
        word.text = word.text.slice(0, -1) + letter.text + before.text
      else word.text += letter.text
      word.start = Math.min(word.start, letter.start)
      word.end = Math.max(word.end, letter.end)
    } else {
      const isGlued = isNear && !isApart && shift < size * raised
      const { text, start, end, base, size: own, turn, font, hasSpace } = letter
      word = { text, start, end, base, size: own, turn, font, isGlued, hasSpace }
      words.push(word)
    }
    before = letter
  }
  return withoutLeaders(words)
}

/** How many dots the text ends with. */
function dotsBehind(text: string): number {
  let start = text.length
  while (start > 0 && '.·…'.includes(text.charAt(start - 1))) start -= 1
  return text.length - start
}

/** Leaves out rows of dots that lead from a name to its figure, and lines that are typed as dashes. */
function withoutLeaders(words: Word[]): Word[] {
  const isDot = (word: Word | undefined): boolean => word !== undefined && /^[.·]$/u.test(word.text)
  return words.filter((word, index) => {
    if (/^([.·…‥]{3,}|[-_=–—]{6,})$/u.test(word.text)) return false
    if (isDot(word)) {
      const near = [-2, -1, 1, 2].map(step => isDot(words[index + step]))
      return !((near[0] && near[1]) || (near[1] && near[2]) || (near[2] && near[3]))
    }
    const dots = dotsBehind(word.text)
    if (dots > 3) {
      word.end -= ((word.end - word.start) * dots) / word.text.length
      word.text = word.text.slice(0, -dots)
    }
    return true
  })
}

const alef = /^[\u0622\u0623\u0625\u0627\u0671]$/
const mark = /^\p{M}$/u

/** Takes the breaks out of text whose letters are all spaced, as in a title, but for the wider gaps between its words. */
function withoutSpacing(letters: Letter[]): Letter[] {
  let from = 0
  for (let index = 1; index <= letters.length; index++) {
    const [before, letter] = [letters[index - 1] as Letter, letters[index]]
    const isNext =
      letter !== undefined &&
      letter.turn === before.turn &&
      Math.abs(letter.base - before.base) < before.size * otherLine &&
      letter.start > before.start &&
      letter.start - before.end < before.size * widestWithin * 2.5
    if (isNext) continue
    if (index - from >= leastSpaced) closeUp(letters.slice(from, index))
    from = index
  }
  return letters
}

const leastSpaced = 6
const leastSpacing = 0.1
const wordGap = 1.7

function closeUp(run: readonly Letter[]): void {
  const gaps = run.slice(1).map((letter, index) => letter.start - (run[index]?.end ?? 0))
  const between = gaps.filter((_, index) => !run[index + 1]?.hasSpace).toSorted((a, b) => a - b)
  const size = run[0]?.size ?? 1
  const usual = between[between.length >> 1] ?? 0
  const isSpaced =
    usual > size * leastSpacing && (between[between.length >> 2] ?? 0) > (size * leastSpacing) / 2
  if (!isSpaced || run.filter(({ text }) => /\p{L}/u.test(text)).length < run.length * 0.8) return
  for (const [index, letter] of run.entries()) {
    if (index > 0) letter.isApart = (gaps[index - 1] ?? 0) > usual * wordGap
  }
}

/** Between the ends of two letters that face each other, whichever comes first. */
const distance = (one: Letter, other: Letter): number =>
  Math.max(other.start - one.end, one.start - other.end)

/**
 * Leaves out letters that are printed a second time at their place, to look bold, and glyphs that repeat the text of
 * the glyph that they are drawn on: fonts give the marks of a letter the text of the whole.
 */
function withoutRepeats(letters: readonly Letter[]): Letter[] {
  const kept: Letter[] = []
  const places = createPlaces()
  const glyphs: Letter[][] = []
  for (let index = 0; index < letters.length; index++) {
    const letter = letters[index] as Letter
    if (places.isTaken(letter)) continue
    // A glyph of several letters.
    if (letters[index + 1]?.glyph === letter.glyph && letters[index - 1]?.glyph !== letter.glyph) {
      const glyph = glyphAt(letters, index)
      if (glyphs.some(other => isDrawnOn(glyph, other))) {
        index += glyph.length - 1
        continue
      }
      glyphs.push(glyph)
      if (glyphs.length > recentGlyphs) glyphs.shift()
    }
    places.take(letter)
    kept.push(letter)
  }
  return kept
}

/** In points: the letters of a page by the squares of this size that they begin in. */
const square = 8

/** Tells whether a letter is printed where the same letter is already, with few letters to compare it with. */
function createPlaces() {
  const squares = new Map<number, Letter[]>()
  const keyOf = (column: number, row: number): number => (column & 0xffff) * 0x10000 + (row & 0xffff)
  return {
    isTaken(letter: Letter): boolean {
      const slack = letter.size * samePlace
      const lastColumn = Math.floor((letter.start + slack) / square)
      const lastRow = Math.floor((letter.base + slack) / square)
      for (let column = Math.floor((letter.start - slack) / square); column <= lastColumn; column++) {
        for (let row = Math.floor((letter.base - slack) / square); row <= lastRow; row++) {
          if (squares.get(keyOf(column, row))?.some(other => isSamePlace(letter, other))) return true
        }
      }
      return false
    },
    take(letter: Letter): void {
      const key = keyOf(Math.floor(letter.start / square), Math.floor(letter.base / square))
      const known = squares.get(key)
      if (known === undefined) squares.set(key, [letter])
      else if (known.length < mostInSquare) known.push(letter)
    },
  }
}

/** More letters in one square are a drawing. */
const mostInSquare = 64

const recentGlyphs = 8

function glyphAt(letters: readonly Letter[], from: number): Letter[] {
  let to = from + 1
  while (letters[to]?.glyph === letters[from]?.glyph) to += 1
  return letters.slice(from, to)
}

const isSamePlace = (one: Letter, other: Letter): boolean =>
  one.text === other.text &&
  one.turn === other.turn &&
  Math.abs(one.start - other.start) <
    Math.min(one.size * samePlace, Math.max(0.5, (one.end - one.start) / 2)) &&
  Math.abs(one.base - other.base) < one.size * samePlace

function isDrawnOn(glyph: readonly Letter[], other: readonly Letter[]): boolean {
  if (glyph.length !== other.length || glyph.some(({ text }, index) => text !== other[index]?.text))
    return false
  const [from, to] = [least(other, ({ start }) => start), most(other, ({ end }) => end)]
  const slack = (glyph[0]?.size ?? 0) * samePlace
  return (
    Math.abs((glyph[0]?.base ?? 0) - (other[0]?.base ?? 0)) < slack &&
    glyph.every(({ start, end }) => start > from - slack && end < to + slack)
  )
}
