/** The stemmers of the Snowball project, loaded with the first word that needs one: most servers hold English only. */
import { createRequire } from 'node:module'
import type { LanguageCode } from './stop-words.ts'

export type SnowballLanguage = Exclude<LanguageCode, 'en'>

/** `word` in small letters. It takes 16 µs: who has many words remembers them. */
export function stemBySnowball(word: string, language: SnowballLanguage): string {
  const stemmer = stemmers.get(language) ?? loadFactory().newStemmer(algorithms[language])
  stemmers.set(language, stemmer)
  return stemmer.stem(word)
}

type Stemmer = { stem(word: string): string }

const stemmers = new Map<SnowballLanguage, Stemmer>()

/** The package has no types; this is all that is used of it. */
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
