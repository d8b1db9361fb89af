/** Finds the words of a text that a query asked for. */
import { analyse } from './analyse.ts'
import { plainTerm } from './languages.ts'
import { findPhrase, type Phrase } from './phrases.ts'
import type { LanguageCode } from './stop-words.ts'

/** In Unicode code points within the text; `endOffset` is the first one behind the word. */
export type Highlight = { startOffset: number; endOffset: number }

/** `terms` are marked wherever they stand, a phrase from its first word to its last. */
export type Marked = { terms: ReadonlySet<string>; phrases: readonly Phrase[] }

/** In their order; they do not overlap. */
export function highlight(text: string, language: LanguageCode, { terms, phrases }: Marked): Highlight[] {
  const isWanted = phrases.length > 0 ? () => true : createTest(terms, language)
  const tokens = analyse(text, language, isWanted)
  const found = tokens.filter(({ term }) => terms.has(term)).map(({ start, end }) => [start, end] as const)
  const written = phrases.length > 0 ? tokens.map(({ term }) => term) : []
  for (const phrase of phrases) {
    for (const first of findPhrase(written, phrase)) {
      found.push([tokens[first]?.start ?? 0, tokens[first + phrase.length - 1]?.end ?? 0])
    }
  }
  const highlights: Highlight[] = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = highlights.at(-1)
    // Pairs of characters overlap, and so does a word with its phrase: together they are one highlight.
    if (last !== undefined && start < last.endOffset) last.endOffset = Math.max(last.endOffset, end)
    else highlights.push({ startOffset: start, endOffset: end })
  }
  return highlights
}

/** A word shares its first letters with its stem; a German one its first only ("Übung" may be written "Uebung"). */
function createTest(terms: ReadonlySet<string>, language: LanguageCode): (word: string) => boolean {
  const letters = language === 'de' || [...terms].some(term => plainTerm(term).length < 2) ? 1 : 2
  // As numbers: most words of each text shown are tried, and a string would be made for each.
  const initialsOf = (word: string): number =>
    word.charCodeAt(0) + (letters === 2 ? word.charCodeAt(1) * 0x10000 : 0)
  const initials = new Set(Array.from(terms, initialsOf))
  return word => initials.has(initialsOf(word))
}
