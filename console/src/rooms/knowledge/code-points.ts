/** The API counts in code points, scripts in halves of them: one text is cut by the former. */

type Piece = { text: string; isMarked: boolean; start: number }

export type Range = { from: number; to: number }

/** The text in order, with the ranges marked. They may be unsorted, overlap, or lie beside it. */
export function markedPieces(text: string, ranges: readonly Range[]): Piece[] {
  const points = Array.from(text)
  const pieces: Piece[] = []
  let at = 0
  const take = (end: number, isMarked: boolean): void => {
    if (end <= at) return
    pieces.push({ text: points.slice(at, end).join(''), isMarked, start: at })
    at = end
  }
  for (const { from, to } of ranges.toSorted((a, b) => a.from - b.from)) {
    take(Math.min(from, points.length), false)
    take(Math.min(to, points.length), true)
  }
  take(points.length, false)
  return pieces
}
