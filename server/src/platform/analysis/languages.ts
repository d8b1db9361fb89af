/**
 * Makes the term by which a word is found, by the language of its text. A stem of any language but English carries
 * its language: "not·it" (Italian "note") is not the English "not".
 */

import { createRequire } from 'node:module'
import { inAmericanSpelling } from './american-spelling.ts'
import { fold } from './fold.ts'
import { stemEnglish } from './porter.ts'
import { stemOfScript } from './script-stems.ts'
import { type LanguageCode, stopWords } from './stop-words.ts'

/** A language is stored as its place in this list, so a new language comes last. */
export const languages: readonly LanguageCode[] = [
  'en',
  'de',
  'fr',
  'es',
  'it',
  'pt',
  'nl',
  'ru',
  'da',
  'sv',
  'no',
  'fi',
]

/** The languages that write words together: "Urlaubsantrag". */
export const compounding: readonly LanguageCode[] = ['de', 'nl', 'da', 'sv', 'no', 'fi']

/** In UTF-16 units. Longer words are cut, so that a term has less than 128 bytes in UTF-8. */
export const maxTermLength = 42
const tagLength = 3
/** A stem is cut to `maxTermLength`. The rules remove far fewer letters from a word's end than the difference. */
const maxStemmedLength = 120

/** `written` is the word as in the text, `folded` the word as `fold` returns it. */
export function termOf(
  written: string,
  folded: string,
  language: LanguageCode,
): { term: string; isStop: boolean } {
  const isStop = stopWords[language].has(folded)
  if (language === 'en') {
    if (isStop) return { term: cut(folded, maxTermLength), isStop }
    const stem = /^[a-z]+$/.test(folded)
      ? stemEnglish(inAmericanSpelling(folded.slice(0, maxStemmedLength)))
      : stemOfScript(folded)
    return { term: cut(stem, maxTermLength), isStop }
  }
  if (isStop) return { term: tag(folded, language), isStop }
  const stem = stemOf(written, folded, language)
  return { term: stem === null ? cut(stemOfScript(folded), maxTermLength) : tag(stem, language), isStop }
}

/** The stem as people read it, uncut; null for a word that the language's rules do not change. */
export function plainStem(folded: string, language: LanguageCode): string | null {
  return language === 'en' || stopWords[language].has(folded) ? null : stemOf(folded, folded, language)
}

/** The term as people read it, without its language. */
export const plainTerm = (term: string): string => term.replace(/·..$/, '')

const tag = (term: string, language: LanguageCode): string =>
  `${cut(term, maxTermLength - tagLength)}·${language}`

/** Never cuts a character in two. */
const cut = (term: string, length: number): string =>
  term.length <= length
    ? term
    : term
        .slice(0, length)
        .toWellFormed()
        .replace(/\ufffd$/, '')

/** Null for a word that is not of the language, such as a number. */
function stemOf(written: string, folded: string, language: SnowballLanguage): string | null {
  if (language === 'ru') {
    // Russian endings depend on a letter that folding takes apart.
    const lower = written
      .normalize('NFKC')
      .toLowerCase()
      .replace(/\u00ad/g, '')
    return /^[а-яё]+$/.test(lower)
      ? fold(stemBySnowball(lower.slice(0, maxStemmedLength).replaceAll('ё', 'е'), language))
      : null
  }
  if (!/^[a-z]+$/.test(folded)) return null
  const word = replaceAll(folded.slice(0, maxStemmedLength), restoredEndings[language])
  return replaceAll(fold(stemBySnowball(word, language)), alignedStems[language]) || folded
}

/**
 * The stem of a `word` in small letters, by a stemmer of the Snowball project. It takes 16 µs: a caller with many
 * words remembers the stems. The package is loaded for the first word that needs it: most servers hold only English.
 */
function stemBySnowball(word: string, language: SnowballLanguage): string {
  const stemmer = stemmers.get(language) ?? loadFactory().newStemmer(algorithms[language])
  stemmers.set(language, stemmer)
  return stemmer.stem(word)
}

type SnowballLanguage = Exclude<LanguageCode, 'en'>

type Stemmer = { stem(word: string): string }

const stemmers = new Map<SnowballLanguage, Stemmer>()

/** The package has no types. This is the only function that is used. */
const loadFactory = () =>
  createRequire(import.meta.url)('snowball-stemmers') as { newStemmer(algorithm: string): Stemmer }

const algorithms: Readonly<Record<SnowballLanguage, string>> = {
  de: 'german',
  fr: 'french',
  es: 'spanish',
  it: 'italian',
  pt: 'portuguese',
  nl: 'dutch',
  ru: 'russian',
  da: 'danish',
  sv: 'swedish',
  no: 'norwegian',
  fi: 'finnish',
}

type Replacements = readonly (readonly [RegExp, string])[]

const replaceAll = (word: string, replacements: Replacements = []): string =>
  replacements.reduce((changed, [pattern, replacement]) => changed.replace(pattern, replacement), word)

/**
 * A query without accents must find words with accents, so the folded word is stemmed. If the rules of a language
 * depend on an accent, the accent is put back, even into a word that never had it.
 */
const restoredEndings: Partial<Record<LanguageCode, Replacements>> = {
  // "Muenchen" is "München".
  de: [
    [/(?<![aeouq])ue/g, 'ü'],
    [/(?<![aeou])oe/g, 'ö'],
    [/(?<![aeou])ae/g, 'ä'],
  ],
  fr: [[/ee(s?)$/, 'ée$1']],
  es: [[/([cs])ion$/, '$1ión']],
  pt: [
    [/(?:oes|aes)$/, 'ao'],
    [/cao$/, 'ção'],
    [/ao$/, 'ão'],
    [/encia(s?)$/, 'ência$1'],
    [/a(?:vel|veis)$/, 'ável'],
    [/i(?:vel|veis)$/, 'ível'],
  ],
}

/** Some words change their last letters. These rules make their stems alike: Dutch "huizen" and "huis". */
const alignedStems: Partial<Record<LanguageCode, Replacements>> = {
  fi: [[/([uy])ks$/, '$1s']],
  nl: [
    [/z$/, 's'],
    [/v$/, 'f'],
  ],
}

/** The stems of words with this prefix that are shorter than the prefix: "organiz*" also means "organization". */
export function completionsOf(prefix: string, codes: readonly LanguageCode[]): string[] {
  const stems = codes.flatMap(language =>
    (commonEndings[language] ?? []).map(ending => {
      const word = fold(`${prefix}${ending}`)
      return termOf(word, word, language).term
    }),
  )
  return [...new Set(stems)].filter(term => plainTerm(term).length < prefix.length)
}

const commonEndings: Readonly<Record<LanguageCode, readonly string[]>> = {
  en: ['e', 'es', 'ed', 'er', 'ing', 'ation', 'al', 'y', 'ies', 'able'],
  de: ['e', 'en', 'er', 'es', 'ung', 'ungen'],
  fr: ['e', 'es', 'er', 'ation', 'ement'],
  es: ['o', 'a', 'os', 'as', 'ar', 'ación'],
  it: ['o', 'a', 'i', 'e', 'are', 'zione'],
  pt: ['o', 'a', 'os', 'as', 'ar', 'ação'],
  nl: ['e', 'en', 'ing', 'ingen'],
  ru: ['а', 'ы', 'и', 'ов', 'ами', 'ать'],
  da: ['e', 'er', 'en', 'erne', 'ing'],
  sv: ['a', 'ar', 'en', 'arna', 'ing'],
  no: ['e', 'er', 'en', 'ene', 'ing'],
  fi: ['a', 'n', 't', 'ssa', 'ja'],
}
