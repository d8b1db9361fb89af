/** The letters of a page as PDFium finds them, each with its place. */
import type { Library } from './pdfium.ts'

/**
 * Places are in points, along and across the letter's own line: `along` grows in the direction in which the text is
 * written from left to right, `across` downwards to the next line.
 */
export type Letter = {
  text: string
  /** Along the line. */
  start: number
  end: number
  /** The base line, across. */
  base: number
  /** The height of the font. */
  size: number
  /** Clockwise, in whole degrees. */
  turn: number
  font: number
  /** Letters of one glyph, such as a ligature, have the same number. */
  glyph: number
  /** PDFium sees a space or a new line before this letter, though the file may have none. */
  isApart: boolean
  /** A space of the file lies before this letter. */
  hasSpace: boolean
}

/** A damaged page may repeat its text without end. */
const maxLetters = 1_000_000
const hyphen = 0x2d
const replacement = '\ufffd'

export function lettersOf(library: Library, page: number): Letter[] {
  const calls = library.direct
  const text = library.FPDFText_LoadPage(page)
  if (text === 0) return []
  const letters: Letter[] = []
  const at = library.scratch
  try {
    const count = Math.min(maxLetters, library.FPDFText_CountChars(text))
    let [isApart, hasSpace, glyph] = [false, false, 0]
    let originX = Number.NaN
    let originY = Number.NaN
    const box = at >> 2
    const origin = (at + 16) >> 3
    let style: Style = { object: 0, turn: 0, size: 0, font: 0 }
    for (let index = 0; index < count; index++) {
      const raw = calls.FPDFText_GetUnicode(text, index)
      const object = calls.FPDFText_GetTextObject(text, index)
      // PDFium's own spaces and line ends belong to no object.
      if (object === 0) {
        isApart = true
        continue
      }
      // PDFium has number 2 for a hyphen at the end of a line.
      const code = raw === 0xad || (raw === 2 && calls.FPDFText_IsHyphen(text, index) === 1) ? hyphen : raw
      if (isSpace(code)) {
        isApart = true
        hasSpace = true
        continue
      }
      calls.FPDFText_GetLooseCharBox(text, index, at)
      calls.FPDFText_GetCharOrigin(text, index, at + 16, at + 24)
      const { floats, doubles } = library.views()
      const left = floats[box] as number
      const top = floats[box + 1] as number
      const right = floats[box + 2] as number
      const bottom = floats[box + 3] as number
      const x = doubles[origin] as number
      const y = doubles[origin + 1] as number
      if (object !== style.object) style = styleOf(library, text, index, object)
      const { turn, font } = style
      const size = style.size || Math.max(1, top - bottom)
      if (x !== originX || y !== originY) glyph += 1
      originX = x
      originY = y
      const letter: Letter = {
        text: signOf(code),
        start: left,
        end: right,
        base: -y,
        size,
        turn,
        font,
        glyph,
        isApart,
        hasSpace,
      }
      if (turn !== 0) Object.assign(letter, alongAndAcross(turn, { left, top, right, bottom, x, y }))
      if (isPlaced(letter)) letters.push(letter)
      isApart = false
      hasSpace = false
    }
  } finally {
    library.FPDFText_ClosePage(text)
  }
  return withVertical(letters)
}

/** What the letters of one text object share. */
type Style = { object: number; turn: number; size: number; font: number }

function styleOf(library: Library, text: number, index: number, object: number): Style {
  const { direct, scratch } = library
  direct.FPDFText_GetMatrix(text, index, scratch + 32)
  const { floats } = library.views()
  const at = (scratch + 32) >> 2
  const [a = 1, b = 0, c = 0, d = 1] = floats.subarray(at, at + 4)
  const size = direct.FPDFText_GetFontSize(text, index) * Math.hypot(c, d)
  return { object, turn: turnOf(a, b), size, font: direct.FPDFTextObj_GetFont(object) }
}

/** A damaged file may place letters nowhere, or farther away than any page reaches. */
const isPlaced = ({ start, end, base, size }: Letter): boolean =>
  Math.abs(start) < farthest && Math.abs(end) < farthest && Math.abs(base) < farthest && size < farthest

const farthest = 1_000_000

/** Clockwise, in whole degrees. */
const turnOf = (a: number, b: number): number =>
  b === 0 && a > 0 ? 0 : Math.round((-Math.atan2(b, a) * 180) / Math.PI) || 0

const signOf = (code: number): string =>
  code > 0x10ffff || (code >= 0xd800 && code < 0xe000) ? replacement : String.fromCodePoint(code)

type Placed = { left: number; top: number; right: number; bottom: number; x: number; y: number }

function alongAndAcross(turn: number, { left, top, right, bottom, x, y }: Placed) {
  const radians = (-turn * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const base = x * sin - y * cos
  const [width, height] = [right - left, top - bottom]
  const [alongX, alongY] = [Math.abs(cos), Math.abs(sin)]
  if (turn % 90 === 0) {
    const middle = ((left + right) / 2) * cos + ((top + bottom) / 2) * sin
    const half = (width * alongX + height * alongY) / 2
    return { start: middle - half, end: middle + half, base }
  }
  // The box around a slanted letter is wider than the letter; at 45° it does not tell the sides apart.
  const spread = alongX ** 2 - alongY ** 2
  const own =
    Math.abs(spread) > 0.2 ? (width * alongX - height * alongY) / spread : Math.min(width, height) / 2
  const start = x * cos + y * sin
  return { start, end: start + Math.max(0, own), base }
}

const isSpace = (code: number): boolean =>
  code === 0x20 ||
  (code >= 9 && code <= 13) ||
  code === 0xa0 ||
  code === 0x3000 ||
  (code >= 0x2000 && code <= 0x200b)

/** The turn of text that runs from top to bottom, in columns from right to left. */
export const vertical = 1_000

const isIdeographic = (text: string): boolean =>
  /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}ー、。「」・]/u.test(text)

/** Finds upright letters that follow each other downwards, and places them along their column. */
function withVertical(letters: Letter[]): Letter[] {
  let from = 0
  for (let index = 1; index <= letters.length; index++) {
    const [before, letter] = [letters[index - 1] as Letter, letters[index]]
    const isBelow =
      letter !== undefined &&
      letter.base - before.base > before.size * 0.6 &&
      letter.base - before.base < before.size * 2.2 &&
      Math.abs(letter.start - before.start) < before.size * 0.4 &&
      letter.turn === before.turn &&
      isIdeographic(letter.text) &&
      isIdeographic(before.text)
    if (isBelow) continue
    if (index - from > 2) turnDown(letters.slice(from, index))
    from = index
  }
  return letters
}

function turnDown(column: readonly Letter[]): void {
  const middles = column.map(({ start, end }) => (start + end) / 2).toSorted((a, b) => a - b)
  const middle = middles[middles.length >> 1] ?? 0
  for (const letter of column) {
    const { base, size } = letter
    Object.assign(letter, { turn: vertical, start: base - size, end: base, base: -middle, isApart: false })
  }
}
