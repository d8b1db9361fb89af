/**
 * Turns text into the terms by which it is found: once here, for both databases, for documents and queries alike.
 * What it makes is stored: with a change of it, or of what it uses, `analysisVersion` goes up by one.
 */
import { eachWord } from './cut-words.ts'
import { fold } from './fold.ts'
import { maxTermLength, termOf } from './languages.ts'
import type { LanguageCode } from './stop-words.ts'

/** A server that finds chunks in its index that were analysed otherwise analyses them again. */
export const analysisVersion = 2

/** A term and where it stands, in Unicode code points; `end` is the first code point behind it. */
export type Token = {
  term: string
  /** The word as `fold` makes it, whatever the language. */
  word: string
  /** A stop word, or a single character that a neighbour's pair of characters holds already. */
  isStop: boolean
  start: number
  end: number
}

/**
 * The terms of a text in their order. Text without a letter or a digit has none. Where only certain terms are looked
 * for, words can be left out by their first letter, which a term shares with its word: most of the time goes into stems.
 */
export function analyse(
  text: string,
  language: LanguageCode,
  isWanted: (folded: string) => boolean = () => true,
): Token[] {
  const tokens: Token[] = []
  const takeWord: TakeWord = (written, word, start, end) => {
    if (!isWanted(word)) return
    const { term, isStop } = knownTerm(written, language)
    tokens.push({ term, word, isStop, start, end })
  }
  cut(text, takeWord, token => tokens.push(token))
  return tokens
}

/** A word with its terms in each of several languages, and the languages of which it is a stop word. */
export type TokenInMany = Omit<Token, 'term' | 'isStop'> & {
  terms: string[]
  stopIn: ReadonlySet<LanguageCode>
}

/**
 * The same for a text of any of these languages: it is cut once, since each cuts it into the same words. `othersTurn` is
 * awaited between words: a thousand of them in twelve languages have as many stems to be worked out.
 */
export async function analyseIn(
  text: string,
  languages: readonly LanguageCode[],
  othersTurn: () => Promise<void>,
): Promise<TokenInMany[]> {
  if (languages.length === 0) return []
  const all = new Set(languages)
  const none = new Set<LanguageCode>()
  const found: (TokenInMany | WrittenWord)[] = []
  const takeWord: TakeWord = (written, word, start, end) => found.push({ written, word, start, end })
  cut(text, takeWord, ({ term, word, isStop, start, end }) =>
    found.push({ word, terms: [term], stopIn: isStop ? all : none, start, end }),
  )
  const tokens: TokenInMany[] = []
  for (const one of found) {
    await othersTurn()
    tokens.push('written' in one ? inMany(one, languages) : one)
  }
  return tokens
}

type WrittenWord = Pick<Token, 'word' | 'start' | 'end'> & { written: string }

function inMany({ written, ...token }: WrittenWord, languages: readonly LanguageCode[]): TokenInMany {
  const terms = new Set<string>()
  const stopIn = new Set<LanguageCode>()
  for (const language of languages) {
    const { term, isStop } = knownTerm(written, language)
    terms.add(term)
    if (isStop) stopIn.add(language)
  }
  return { ...token, terms: [...terms], stopIn }
}

type TakeWord = (written: string, word: string, start: number, end: number) => unknown
/** Takes what is the same in every language. */
type TakeToken = (token: Token) => unknown

function cut(text: string, takeWord: TakeWord, takeToken: TakeToken): void {
  const codePointAt = createCodePointCounter(text)
  eachWord(text, (from, end, kind) => {
    const written = text.slice(from, end)
    const start = codePointAt(from)
    if (kind === 'pairs') return cutPairs(written, start, takeToken)
    if (kind === 'segments') return cutSegments(written, start, takeToken)
    const word = fold(written)
    if (word !== '') takeWord(written, word, start, codePointAt(end))
  })
}

/**
 * The terms of a file's name: each word as it is written and, where it changes between letters and digits or
 * from small to capital letters, its parts: "FY2019_AnnualReport" is found by "fy 2019" and by "fy2019".
 */
export function analyseName(name: string, language: LanguageCode): Token[] {
  const tokens: Token[] = []
  for (const [index, token] of splitName(name).entries()) {
    for (const found of analyse(token, language)) tokens.push({ ...found, start: index, end: index + 1 })
  }
  return tokens
}

/** The parts of a word at its letter–digit borders: "10k" has "10" and "k". A word of one part has none. */
export function letterDigitParts(word: string): string[] {
  const parts = word.match(/\p{N}+|[^\p{N}]+/gu) ?? []
  return parts.length > 1 ? parts : []
}

/** Some megabytes: a text repeats its words, and a stem takes up to 16 µs to work out. */
const knownTerm = createRememberedTerms(40_000)

type KnownTerm = ReturnType<typeof termOf>
type Generation = Map<LanguageCode, Map<string, KnownTerm>>

/** Longer words are rare, and could be made up to fill the memory. In UTF-16 units. */
const maxRememberedLength = 40

/**
 * The term of a word as it is written in a text of the language. Holds at most `most` words of all languages together;
 * those that were not asked for longest go first.
 */
function createRememberedTerms(most: number): (written: string, language: LanguageCode) => KnownTerm {
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

  return (written, language) => {
    const recent = young.get(language)?.get(written)
    if (recent !== undefined) return recent
    if (written.length > maxRememberedLength) return termOf(written, fold(written), language)
    const word = copyOf(written)
    const known = old.get(language)?.get(word) ?? termOf(word, fold(word), language)
    add(word, language, known)
    return known
  }
}

/** A part of a string keeps the whole of it in memory, which may be a document's text. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** Every two neighbours are a term, so that a word is found wherever its sentence is cut. */
function cutPairs(run: string, start: number, take: TakeToken): void {
  const characters = Array.from(run)
  const alone = characters.length === 1
  for (const [index, character] of characters.entries()) {
    const at = start + index
    const single = fold(character)
    take({ term: single, word: single, isStop: !alone, start: at, end: at + 1 })
    const next = characters[index + 1]
    if (next === undefined) continue
    const pair = fold(character + next)
    take({ term: pair, word: pair, isStop: false, start: at, end: at + 2 })
  }
}

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

function cutSegments(run: string, start: number, take: TakeToken): void {
  const codePointAt = createCodePointCounter(run)
  for (const { segment, index } of segmenter.segment(run)) {
    const at = start + codePointAt(index)
    const word = fold(segment).slice(0, maxTermLength).toWellFormed()
    take({ term: word, word, isStop: false, start: at, end: at + codePointLength(segment) })
  }
}

function splitName(name: string): string[] {
  return (name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap(word => {
    const parts = word.match(/\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{N}\p{Lu}]+|\p{Lu}/gu) ?? []
    return parts.length > 1 ? [word, ...parts] : [word]
  })
}

/** Counts code points up to a place in UTF-16 units; places must be asked for in their order. */
function createCodePointCounter(text: string): (index: number) => number {
  if (!/[\ud800-\udbff][\udc00-\udfff]/.test(text)) return index => index
  let counted = 0
  let codePoints = 0
  return index => {
    while (counted < index) {
      counted += (text.codePointAt(counted) ?? 0) > 0xffff ? 2 : 1
      codePoints++
    }
    return codePoints
  }
}

function codePointLength(text: string): number {
  let length = 0
  for (const _ of text) length++
  return length
}
