/**
 * Turns text into the terms by which it is found: once here, for both databases, for documents and queries alike.
 * What it makes is stored: with a change of it, or of what it uses, `analysisVersion` goes up by one.
 */
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

/** The parts of a word between letters and digits, small and capital letters: "10k", "camelCase". A word of one part has none. */
export function partsOfName(word: string): string[] {
  const parts = word.match(/\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{N}\p{Lu}]+|\p{Lu}/gu) ?? []
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
    // An accent that stands alone folds to nothing.
    if (single !== '') take({ term: single, word: single, isStop: !alone, start: at, end: at + 1 })
    const next = characters[index + 1]
    if (next === undefined) continue
    const pair = fold(character + next)
    if (pair !== '') take({ term: pair, word: pair, isStop: false, start: at, end: at + 2 })
  }
}

const segmenter = new Intl.Segmenter('th', { granularity: 'word' })

function cutSegments(run: string, start: number, take: TakeToken): void {
  const codePointAt = createCodePointCounter(run)
  for (const { segment, index } of segmenter.segment(run)) {
    const at = start + codePointAt(index)
    const word = fold(segment).slice(0, maxTermLength).toWellFormed()
    if (word !== '') take({ term: word, word, isStop: false, start: at, end: at + codePointLength(segment) })
  }
}

function splitName(name: string): string[] {
  return (name.match(/[\p{L}\p{N}\p{M}]+/gu) ?? []).flatMap(word => [word, ...partsOfName(word)])
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

// Cuts a text into its words. Nearly all words of most texts are of ASCII letters: these are read letter by letter,
// without an object for each, as a match of a regular expression would be.

/**
 * `pairs` is a run of a script that is written without spaces and found by pairs of characters, `segments` one of a script
 * that is cut into words by a dictionary.
 */
type WordKind = 'plain' | 'pairs' | 'segments'

/** Calls `take` with each word's place in UTF-16 units, in their order; `end` is the first unit behind it. */
function eachWord(text: string, take: (start: number, end: number, kind: WordKind) => void): void {
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

/** False if what follows may belong to the word as well: only Unicode's tables tell. */
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
