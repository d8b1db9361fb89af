/** Text that stands on a page at an angle: its lines, put together from where its pieces lie. */

export type PlacedText = {
  text: string
  /** The box around it, in points from the upper left corner. */
  x: number
  y: number
  width: number
  height: number
  /** Clockwise, in degrees. */
  rotation?: number
}

/** True where so much of a page stands askew that its lines cannot be told by their heights. */
export function isTilted(items: readonly PlacedText[]): boolean {
  const letters = (some: readonly PlacedText[]): number =>
    some.reduce((sum, { text }) => sum + text.length, 0)
  return letters(items.filter(item => tiltOf(item) !== 0)) > letters(items) * tiltedShare
}

/** The paragraphs of a page, those of one angle together. */
export function tiltedParagraphs(items: readonly PlacedText[]): string[] {
  const byAngle = Map.groupBy(items, ({ rotation = 0 }) => Math.round(rotation) % 360)
  return [...byAngle].flatMap(([angle, group]) => paragraphsAt(angle, group))
}

const tiltedShare = 0.3

/** A gap between lines of more than so many heights ends a paragraph, one within a line parts columns. */
const paragraphGap = 2.2
const columnGap = 4

/** Degrees from the nearest right angle; what is less than one counts as none. */
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
    if (line.length > 0) paragraphs.at(-1)?.push(textOf(line, height))
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

/** Turned back, by the middle of its box. */
function pieceOf(angle: number, { text, x, y, width, height }: PlacedText): Piece {
  const radians = (angle * Math.PI) / 180
  const [cos, sin] = [Math.cos(radians), Math.sin(radians)]
  const [middleX, middleY] = [x + width / 2, y + height / 2]
  const [alongX, alongY] = [Math.abs(cos), Math.abs(sin)]
  // The box around a turned box is wider and higher than that; at 45° it says nothing of its sides.
  const spread = alongX ** 2 - alongY ** 2
  const isReadable = Math.abs(spread) > 0.1
  const length = isReadable ? (width * alongX - height * alongY) / spread : Math.max(width, height)
  const own = isReadable ? (height * alongX - width * alongY) / spread : Math.min(width, height) / 2
  const across = middleY * cos - middleX * sin
  return { text, along: middleX * cos + middleY * sin, across, length, height: Math.max(1, own) }
}

function textOf(line: readonly Piece[], height: number): string {
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
