/**
 * A text that grows by very many small pieces. They are joined now and then: a sum of strings would keep each piece
 * until the end.
 */
export type GrowingText = { add(piece: string): void; clear(): void; readonly text: string }

const piecesAtOnce = 64

export function createGrowingText(): GrowingText {
  let joined: string[] = []
  let pieces: string[] = []
  return {
    add(piece) {
      if (pieces.push(piece) < piecesAtOnce) return
      joined.push(pieces.join(''))
      pieces = []
    },
    clear() {
      joined = []
      pieces = []
    },
    get text() {
      return [...joined, ...pieces].join('')
    },
  }
}
