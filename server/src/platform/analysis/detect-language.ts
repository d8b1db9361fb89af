/**
 * Tells the language of a text by its small words, by letters that few languages have and by endings of its words.
 * Used instead of libraries because they take much memory: see docs/decisions/0005-text-search-and-filters.md.
 */
import { type LanguageCode, writtenStopWords } from './stop-words.ts'

/** Null if the text does not show its language, like names, numbers and other scripts. */
export function detectLanguage(text: string): LanguageCode | null {
  const scores = new Map<LanguageCode, number>()
  const certain = new Set<LanguageCode>()
  const add = (language: LanguageCode, points: number): void => {
    scores.set(language, (scores.get(language) ?? 0) + points)
  }
  const words = text.slice(0, maxExamined).toLowerCase().match(wholeWords) ?? []
  for (const word of words) {
    for (const { code, points } of languagesOf.get(word) ?? []) {
      add(code, points)
      certain.add(code)
    }
    for (const [letters, languages] of isPlain.test(word) ? [] : tellingLetters) {
      if (!letters.test(word)) continue
      for (const language of languages) {
        add(language, letterPoints / languages.length)
        certain.add(language)
      }
    }
    if (word.length < minEndingWord) continue
    for (const [ending, languages] of tellingEndings) {
      if (ending.test(word)) for (const language of languages) add(language, endingPoints / languages.length)
    }
  }
  // Endings alone are too weak: English shares many endings with other languages.
  const [best] = [...scores]
    .filter(([code]) => certain.has(code))
    .sort((a, b) => b[1] - a[1] || order.indexOf(a[0]) - order.indexOf(b[0]))
  if (best === undefined || best[1] < minPoints || best[1] < minPointsPerWord * words.length) return null
  return best[0]
}

/** At equal points the earlier language wins. Shared words decide nothing, and Danish and Norwegian share most. */
const order = Object.keys(writtenStopWords)

/** Single letters are more often initials than words. Letters beside digits belong to identifiers. */
const wholeWords = /(?<![\p{L}\p{N}])\p{L}{2,}(?!\p{N})/gu

/** In UTF-16 units. A longer text would not tell more. */
const maxExamined = 2_000
const minPoints = 0.75
/** Running text reaches 0.15 or more in every language, tables of goods mostly 0.1, invented words up to 0.06. */
const minPointsPerWord = 0.08
const letterPoints = 1
const endingPoints = 0.5
const minEndingWord = 6
const isPlain = /^[a-z]+$/

/** A word that many languages share gives few points to each of them. */
const languagesOf: ReadonlyMap<string, readonly { code: LanguageCode; points: number }[]> = (() => {
  const byWord = new Map<string, LanguageCode[]>()
  for (const [code, words] of Object.entries(writtenStopWords) as [LanguageCode, readonly string[]][]) {
    for (const word of words) byWord.set(word, [...(byWord.get(word) ?? []), code])
  }
  const entries = [...byWord].map(
    ([word, codes]) => [word, codes.map(code => ({ code, points: 1 / codes.length }))] as const,
  )
  return new Map(entries)
})()

const tellingLetters: readonly (readonly [RegExp, readonly LanguageCode[]])[] = [
  [/ß/, ['de']],
  [/ü/, ['de']],
  [/ä/, ['de', 'sv', 'fi']],
  [/ö/, ['de', 'sv', 'fi']],
  [/ää|öö|yö/, ['fi']],
  [/å/, ['sv', 'da', 'no']],
  [/[øæ]/, ['da', 'no']],
  [/æ/, ['da']],
  [/[ñ¿¡]/, ['es']],
  [/[óíú]/, ['es', 'pt']],
  [/[ãõ]/, ['pt']],
  [/ç/, ['fr', 'pt']],
  [/[êèùûîô]/, ['fr']],
  [/[ìòù]$/, ['it']],
  [/[ыэъ]|[а-яё]{3}/, ['ru']],
]

const tellingEndings: readonly (readonly [RegExp, readonly LanguageCode[]])[] = [
  [/(?:ed|tion|ness|ly|ies|ents)$/, ['en']],
  [/(?:ung|ungen|keit|heit|lich|isch|schaft)$/, ['de']],
  [/(?:ment|eux|euse|ité|aire|ique|ée|ées)$/, ['fr']],
  [/(?:ción|ciones|dad|dades|miento)$/, ['es']],
  [/(?:zione|zioni|mente|aggio|ità|tto)$/, ['it']],
  [/(?:ção|ções|dade|dades|mento|agem|ens)$/, ['pt']],
  [/(?:heid|lijk|ij|ingen|tie|aar|en)$/, ['nl']],
  [/(?:elser|else|erne|hed|eret)$/, ['da']],
  [/(?:er|ing)$/, ['da', 'no']],
  [/(?:arna|orna|het|ning|ande|erna)$/, ['sv']],
  [/(?:else|elser|ene|het|erte)$/, ['no']],
  [/(?:inen|ssa|ssä|sta|stä|lla|llä|ksi|vat|vät|iin|een)$/, ['fi']],
]
