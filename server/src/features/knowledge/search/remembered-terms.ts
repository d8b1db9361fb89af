/** The terms of words that were looked up lately: a text repeats its words, and a stem takes up to 16 µs to work out. */
import { fold } from './fold.ts'
import { termOf } from './languages.ts'
import type { LanguageCode } from './stop-words.ts'

export type KnownTerm = { term: string; isStop: boolean }

/** Both take a word as it is written in a text of the language. */
export type RememberedTerms = {
  find(written: string, language: LanguageCode): KnownTerm | undefined
  /** Works it out. */
  keep(written: string, language: LanguageCode): KnownTerm
}

/** Longer words are rare, and could be made up to fill the memory. In UTF-16 units. */
const maxLength = 40

/** Holds at most `most` words of all languages together; those that were not asked for longest go first. */
export function createRememberedTerms(most: number): RememberedTerms {
  let young: Generation = new Map()
  let old: Generation = new Map()
  let youngCount = 0

  const add = (word: string, language: LanguageCode, known: KnownTerm): void => {
    if (youngCount >= most / 2) {
      old = young
      young = new Map()
      youngCount = 0
    }
    const terms = young.get(language) ?? new Map<string, KnownTerm>()
    young.set(language, terms.set(word, known))
    youngCount++
  }

  return {
    find(written, language) {
      const known = young.get(language)?.get(written)
      if (known !== undefined) return known
      const older = old.get(language)?.get(written)
      if (older !== undefined) add(copyOf(written), language, older)
      return older
    },
    keep(written, language) {
      if (written.length > maxLength) return termOf(written, fold(written), language)
      const word = copyOf(written)
      const known = termOf(word, fold(word), language)
      add(word, language, known)
      return known
    },
  }
}

type Generation = Map<LanguageCode, Map<string, KnownTerm>>

/** A part of a string keeps the whole of it in memory, which may be a document's text. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')
