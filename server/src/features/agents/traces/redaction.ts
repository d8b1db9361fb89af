/** Removes from a text what it repeats of others word for word, whatever its line breaks and punctuation. */

/** Stands where words were removed. */
export const erased = '[erased]'

export type Redaction = ReturnType<typeof createRedaction>

/** This many words in a row are a quote and no coincidence; a shorter text is one as a whole. */
const wordsInARow = 5

export function createRedaction(texts: readonly string[]) {
  const known = new Map<number, Set<string>>()
  for (const text of texts) {
    const words = wordsOf(text).map(({ word }) => word)
    const size = Math.min(wordsInARow, words.length)
    if (size === 0) continue
    const grams = known.get(size) ?? new Set()
    known.set(size, grams)
    for (let start = 0; start + size <= words.length; start++) grams.add(gramOf(words, start, size))
  }
  const redactText = (text: string): string => (known.size === 0 ? text : redact(text, known))
  return {
    /** The text with each run of repeated words replaced by one `[erased]`. */
    redact: redactText,
    /** The same for all texts within a JSON value; property names stay. */
    redactValue: (value: unknown): unknown => mapTexts(value, redactText),
  }
}

function mapTexts(value: unknown, change: (text: string) => string): unknown {
  if (typeof value === 'string') return change(value)
  if (Array.isArray(value)) return value.map(item => mapTexts(item, change))
  if (typeof value !== 'object' || value === null) return value
  return Object.fromEntries(Object.entries(value).map(([key, item]) => [key, mapTexts(item, change)]))
}

function redact(text: string, known: ReadonlyMap<number, ReadonlySet<string>>): string {
  const words = wordsOf(text)
  const plain = words.map(({ word }) => word)
  const isRepeated = new Array<boolean>(words.length).fill(false)
  for (const [size, grams] of known) {
    for (let start = 0; start + size <= words.length; start++) {
      if (grams.has(gramOf(plain, start, size))) isRepeated.fill(true, start, start + size)
    }
  }
  let kept = ''
  let end = 0
  for (let i = 0; i < words.length; i++) {
    const first = words[i]
    if (first === undefined || !isRepeated[i]) continue
    while (isRepeated[i + 1]) i++
    kept += text.slice(end, first.start) + erased
    end = words[i]?.end ?? end
  }
  return kept + text.slice(end)
}

const gramOf = (words: readonly string[], start: number, size: number): string =>
  words.slice(start, start + size).join(' ')

/** In scripts without spaces between words, each character counts as a word. */
function wordsOf(text: string): { word: string; start: number; end: number }[] {
  const pattern =
    /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}]|(?:(?![\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Thai}])[\p{L}\p{N}\p{M}])+/gu
  return Array.from(text.matchAll(pattern), match => ({
    word: match[0].toLowerCase(),
    start: match.index,
    end: match.index + match[0].length,
  }))
}
