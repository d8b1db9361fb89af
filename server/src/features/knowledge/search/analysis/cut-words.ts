/**
 * Cuts a text into its words. Nearly all words of most texts are of ASCII letters: these are told letter by letter,
 * without an object for each, as a match of a regular expression would be.
 */

/**
 * `pairs` is a run of a script that is written without spaces and found by pairs of characters, `segments` one of a script
 * that is cut into words by a dictionary.
 */
export type WordKind = 'plain' | 'pairs' | 'segments'

/** Calls `take` with each word's place in UTF-16 units, in their order; `end` is the first unit behind it. */
export function eachWord(text: string, take: (start: number, end: number, kind: WordKind) => void): void {
  for (let at = 0; at < text.length; ) {
    const start = at
    const unit = text.charCodeAt(at)
    if (unit < firstBeyondAscii) {
      at++
      if (isLetterOrDigit[unit] === 0) continue
      at = endOfAsciiWord(text, at)
      if (endsWithin(text, at)) {
        take(start, at, 'plain')
        continue
      }
    }
    anyWord.lastIndex = start
    const match = anyWord.exec(text)
    if (match === null) {
      at = start + ((text.codePointAt(start) ?? 0) > 0xffff ? 2 : 1)
      continue
    }
    at = anyWord.lastIndex
    take(start, at, match[1] !== undefined ? 'pairs' : match[2] !== undefined ? 'segments' : 'plain')
  }
}

const firstBeyondAscii = 128
const isLetterOrDigit = Uint8Array.from({ length: firstBeyondAscii }, (_, unit) =>
  /[A-Za-z0-9]/.test(String.fromCharCode(unit)) ? 1 : 0,
)
const apostrophe = "'".charCodeAt(0)

/** From behind a word's first letter on. An apostrophe between two letters belongs to the word. */
function endOfAsciiWord(text: string, from: number): number {
  let end = from
  for (;;) {
    while (isLetterOrDigit[text.charCodeAt(end)] === 1) end++
    if (text.charCodeAt(end) !== apostrophe || isLetterOrDigit[text.charCodeAt(end + 1)] !== 1) return end
    end += 2
  }
}

/** False where what follows may belong to the word as well: only Unicode's tables tell. */
function endsWithin(text: string, end: number): boolean {
  const next = text.charCodeAt(end)
  return !(next >= firstBeyondAscii || (next === apostrophe && text.charCodeAt(end + 1) >= firstBeyondAscii))
}

const pairScripts = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}`
const segmentScripts = String.raw`\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const wordCharacter = String.raw`[[\p{L}\p{N}\p{M}]--[${pairScripts}${segmentScripts}]]`
// A soft hyphen or a joiner inside a word does not end it.
const plainRun = String.raw`${wordCharacter}(?:[\u00ad\u200b-\u200d]*${wordCharacter})*`
/** The word that begins at `lastIndex`; in the first group it is of pairs, in the second of segments. */
const anyWord = new RegExp(
  `${plainRun}(?:['’]${plainRun})*` +
    String.raw`|([[${pairScripts}]&&[\p{L}\p{N}\p{M}]]+)` +
    String.raw`|([[${segmentScripts}]&&[\p{L}\p{N}\p{M}]]+)`,
  'vy',
)
