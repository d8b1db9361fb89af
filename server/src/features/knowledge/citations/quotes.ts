/** Finds quotes in a long text that comes piece by piece: word for word, where every run of white space counts as one space. */

/** `nearOffset` is where it should stand; without one, the first place is as good as any. */
export type SoughtQuote = { words: string; nearOffset: number | null }

/** Offsets count code points of the text. */
export type QuotePosition = { startOffset: number; endOffset: number }

/** Letters, case and punctuation count; how the words are spaced and where lines break does not. */
export const wordsOf = (text: string): string => text.replaceAll(/\s+/gu, ' ').trim()

/** Holds no more of the text than a piece and the longest quote. */
export function createQuoteSearch(quotes: readonly SoughtQuote[]) {
  const best = quotes.map((): QuotePosition | null => null)
  const borders = quotes.map(({ words }) => bordersOf(words))
  const longest = Math.max(0, ...quotes.map(({ words }) => words.length))
  let held = ''
  let heldAt = 0

  const consider = (index: number, place: QuotePosition): void => {
    const near = quotes[index]?.nearOffset ?? 0
    const known = best[index]
    if (known == null || Math.abs(place.startOffset - near) < Math.abs(known.startOffset - near)) {
      best[index] = place
    }
  }

  return {
    /** The next piece of the text. */
    add(piece: string): void {
      const text = held + piece
      const plain = text.replaceAll(/\s+/gu, ' ')
      const finds = quotes.flatMap(({ words }, index) =>
        placesIn(plain, words, borders[index] ?? noBorders).map(at => ({ index, at, words })),
      )
      if (finds.length > 0) {
        const offsetOf = offsetsIn(text, plain)
        for (const { index, at, words } of finds) {
          const startOffset = heldAt + offsetOf(at)
          consider(index, { startOffset, endOffset: heldAt + offsetOf(at + words.length - 1) + 1 })
        }
      }
      const keptFrom = tailStart(text, longest)
      heldAt += codePoints(text.slice(0, keptFrom))
      held = text.slice(keptFrom)
    },
    /** For each quote the position that is nearest to where it should stand; null where it stands nowhere. */
    positions: (): (QuotePosition | null)[] => best,
  }
}

/** A text that repeats one word would have as many places as words. */
const mostPlaces = 1_000

/** In steps that the two lengths bound: `indexOf` takes their product where text and quote repeat themselves. */
function placesIn(plain: string, words: string, borders: Uint16Array): number[] {
  const places: number[] = []
  let matched = 0
  for (let at = 0; at < plain.length && places.length < mostPlaces; at++) {
    const unit = plain.charCodeAt(at)
    while (matched > 0 && words.charCodeAt(matched) !== unit) matched = borders[matched - 1] ?? 0
    if (words.charCodeAt(matched) === unit) matched += 1
    if (matched < words.length) continue
    places.push(at + 1 - matched)
    matched = borders[matched - 1] ?? 0
  }
  return places
}

const noBorders = new Uint16Array()

/** For each beginning of the words, how long its longest end is that is also its beginning (Knuth, Morris, Pratt). */
function bordersOf(words: string): Uint16Array {
  const borders = new Uint16Array(words.length)
  let length = 0
  for (let at = 1; at < words.length; at++) {
    const unit = words.charCodeAt(at)
    while (length > 0 && words.charCodeAt(length) !== unit) length = borders[length - 1] ?? 0
    if (words.charCodeAt(length) === unit) length += 1
    borders[at] = length
  }
  return borders
}

/** Leads a place in the plain form back to the text: the offset in code points. Asked for places in any order. */
function offsetsIn(text: string, plain: string): (place: number) => number {
  const offsets = new Uint32Array(plain.length + 1)
  let place = 0
  let offset = 0
  let inSpace = false
  for (const character of text) {
    const isSpace = /\s/u.test(character)
    if (!isSpace || !inSpace) {
      for (let unit = 0; unit < character.length; unit++) offsets[place++] = offset
    }
    inSpace = isSpace
    offset += 1
  }
  offsets[place] = offset
  return at => offsets[at] ?? offset
}

/** From where on so many characters are left that are no white space; never amid a pair of surrogates. */
function tailStart(text: string, characters: number): number {
  let left = characters
  let start = text.length
  while (start > 0 && left > 0) {
    start -= 1
    if (!/\s/u.test(text[start] ?? '')) left -= 1
  }
  const code = text.charCodeAt(start)
  return start > 0 && code >= 0xdc00 && code <= 0xdfff ? start - 1 : start
}

export function codePoints(text: string): number {
  let count = 0
  for (const _ of text) count += 1
  return count
}
