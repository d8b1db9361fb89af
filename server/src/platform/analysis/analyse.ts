/**
 * Turns text into the terms by which search finds it, for both databases, for documents and queries alike. The terms
 * are stored. A change of the terms, or of code that they depend on, must increase `analysisVersion` by one.
 */
import { fold } from './fold.ts'
import { compounding, maxTermLength, plainStem, termOf } from './languages.ts'
import { type Form, formsOf } from './other-forms.ts'
import { stemsWithoutParticles } from './script-stems.ts'
import type { LanguageCode } from './stop-words.ts'

/** A server analyses a chunk again if its index holds the chunk with an older version. */
export const analysisVersion = 3

/** A term and its place in Unicode code points; `end` is the first code point after the term. */
export type Token = {
  term: string
  /** The word as `fold` returns it, in any language. */
  word: string
  /** A stop word, or a single character that is already part of a pair of characters. */
  isStop: boolean
  start: number
  end: number
}

/**
 * The terms of a text, in order; behind them those of its other forms, which count as stop words, so that they make no
 * text longer and part no neighbours. Text without a letter or a digit has none. `isWanted` can skip words if only certain
 * terms are looked for, by the first letter that a word shares with its term. Stems take most of the time.
 */
export function analyse(
  text: string,
  language: LanguageCode,
  isWanted: (folded: string) => boolean = () => true,
): Token[] {
  const tokens: Token[] = []
  const others: Token[] = []
  const isCompounding = compounding.includes(language)
  const takeWord: TakeWord = (written, word, start, end) => {
    if (!isWanted(word)) return
    const { term, isStop } = knownTerm(written, language)
    tokens.push({ term, word, isStop, start, end })
    const place = { word, isStop: true, start, end }
    for (const stem of stemsWithoutParticles(word)) others.push({ ...place, term: cutTerm(stem) })
    if (!isCompounding || isStop || word.length < shortestCompound) return
    const ending = endingTerm(word, language)
    if (ending !== null) others.push({ ...place, term: ending })
  }
  cut(text, takeWord, token => tokens.push(token))
  for (const { kind, word, start, end } of placedForms(text)) {
    const term = isStemmed(kind) ? knownTerm(word, language).term : cutTerm(word)
    others.push({ term, word, isStop: true, start, end })
  }
  return others.length === 0 ? tokens : [...tokens, ...others]
}

/** Whether the form is a word of a language, and not a term by itself. */
export const isStemmed = (kind: Form['kind']): boolean => kind === 'joined' || kind === 'name'

const cutTerm = (word: string): string => word.slice(0, maxTermLength).toWellFormed()

/** The forms of a text, at places in code points. */
export function placedForms(text: string): Form[] {
  const forms = formsOf(text)
  if (forms.length === 0 || !hasPairedUnits.test(text)) return forms
  const places = [...new Set(forms.flatMap(({ start, end }) => [start, end]))].sort((a, b) => a - b)
  const codePointAt = createCodePointCounter(text)
  const counted = new Map(places.map(place => [place, codePointAt(place)]))
  return forms.map(form => ({
    ...form,
    start: counted.get(form.start) ?? 0,
    end: counted.get(form.end) ?? 0,
  }))
}

/** In letters. Shorter words are no compounds whose last part a user would look for by itself. */
const shortestCompound = 8

/**
 * The term by which a compound is found by its last part: the stem from its last letter on, so that all compounds that
 * end alike begin alike. Null for a word that the language does not stem.
 */
export function endingTerm(word: string, language: LanguageCode): string | null {
  const stem = plainStem(word, language)
  if (stem === null) return null
  const reversed = `${endingMark}${Array.from(stem).reverse().join('')}`
  return `${reversed.slice(0, maxTermLength - 3)}·${language}`
}

/** Begins the terms of endings. No word has this sign. */
const endingMark = '·'

/** A word with its terms in each of several languages, and the languages in which it is a stop word. */
export type TokenInMany = Omit<Token, 'term' | 'isStop'> & {
  terms: string[]
  stopIn: ReadonlySet<LanguageCode>
}

/**
 * Like `analyse`, for a text of any of these languages. The text is cut once, since every language cuts it into the
 * same words. `othersTurn` is awaited between words: a thousand words in twelve languages need as many thousand
 * stems.
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
/** Takes a token that is the same in every language. */
type TakeToken = (token: Token) => unknown

function cut(text: string, takeWord: TakeWord, takeToken: TakeToken): void {
  const codePointAt = createCodePointCounter(text)
  eachWord(text, (from, end, kind) => {
    const written = text.slice(from, end)
    const start = codePointAt(from)
    if (kind === 'pairs') return cutPairs(written, start, takeToken)
    if (kind === 'segments') return cutSegments(written, start, takeToken)
    const elided = elision.exec(written)?.[0].length ?? 0
    const middle = elided === 0 ? start : codePointAt(from + elided)
    if (elided > 0) {
      const term = fold(written.slice(0, elided))
      takeToken({ term, word: term, isStop: true, start, end: middle })
    }
    const own = written.slice(elided)
    const word = fold(own)
    if (word !== '') takeWord(own, word, middle, codePointAt(end))
  })
}

/** A small word of French, Italian or Catalan that lost its vowel before another: "l'employé", "dell'azienda". */
const elision =
  /^(?:[ldjmtscnv]|qu|jusqu|lorsqu|puisqu|quoiqu|presqu|quelqu|un|gl|dell|all|dall|nell|sull|coll|quell|quest|bell|sant|anch|com|cos|dov|quant|tutt|mezz|nient|senz|nessun|ciascun)['’ʼ](?=[aeiouyhàâäáãéèêëíîïìóôöòúùûüæœ]\p{L})/iu

/**
 * The terms of a file's name: each whole word, and its parts. A part ends between letters and digits, and between
 * small and capital letters: "FY2019_AnnualReport" is found by "fy 2019" and by "fy2019".
 */
export function analyseName(name: string, language: LanguageCode): Token[] {
  const tokens: Token[] = []
  for (const [index, token] of splitName(name).entries()) {
    for (const found of analyse(token, language)) tokens.push({ ...found, start: index, end: index + 1 })
  }
  return tokens
}

/** Splits a word between letters and digits, small and capitals: "10k", "camelCase". Empty for a word of one part. */
export function partsOfName(word: string): string[] {
  const parts = word.match(/\p{N}+|\p{Lu}+(?!\p{Ll})|\p{Lu}?[^\p{N}\p{Lu}]+|\p{Lu}/gu) ?? []
  return parts.length > 1 ? parts : []
}

/** Takes some megabytes. A text repeats its words, and a stem takes up to 16 µs. */
const knownTerm = createRememberedTerms(40_000)

type KnownTerm = ReturnType<typeof termOf>
type Generation = Map<LanguageCode, Map<string, KnownTerm>>

/** In UTF-16 units. Longer words are rare, and a client could invent them to fill the memory. */
const maxRememberedLength = 40

/**
 * Returns the term of a word as written in a text of the language. Holds at most `most` words of all languages
 * together. The words that were unused longest are dropped first.
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

/** A part of a string keeps the whole string in memory, which may be a document's text. */
const copyOf = (text: string): string => Buffer.from(text, 'utf16le').toString('utf16le')

/** Every two neighbouring characters are a term, so that a word is found wherever its sentence is cut. */
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

/** Characters of two UTF-16 units. */
const hasPairedUnits = /[\ud800-\udbff][\udc00-\udfff]/

/** Counts code points up to a place in UTF-16 units. The places must come in ascending order. */
function createCodePointCounter(text: string): (index: number) => number {
  if (!hasPairedUnits.test(text)) return index => index
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

// Cuts a text into its words. Nearly all words of most texts are ASCII letters. These words are read letter by
// letter, since a regular expression would make an object for each match.

/**
 * `pairs` is a run of a script without spaces, which is found by pairs of characters. `segments` is a run of a script
 * that a dictionary cuts into words.
 */
type WordKind = 'plain' | 'pairs' | 'segments'

/** Calls `take` with each word's place in UTF-16 units, in order; `end` is the first unit after the word. */
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

/** `from` is the place after a word's first letter. An apostrophe between two letters belongs to the word. */
function endOfAsciiWord(text: string, from: number): number {
  let end = from
  for (;;) {
    while (isLetterOrDigit[text.charCodeAt(end)] === 1) end++
    if (text.charCodeAt(end) !== apostrophe || isLetterOrDigit[text.charCodeAt(end + 1)] !== 1) return end
    end += 2
  }
}

/** False if the next character may also belong to the word: only Unicode's tables tell. */
function endsWithin(text: string, end: number): boolean {
  const next = text.charCodeAt(end)
  return !(next >= firstBeyondAscii || (next === apostrophe && text.charCodeAt(end + 1) >= firstBeyondAscii))
}

const pairScripts = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}`
const segmentScripts = String.raw`\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const wordCharacter = String.raw`[[\p{L}\p{N}\p{M}]--[${pairScripts}${segmentScripts}]]`
// A soft hyphen or a joiner inside a word does not end it.
const plainRun = String.raw`${wordCharacter}(?:[\u00ad\u200b-\u200d]*${wordCharacter})*`
/** The word that begins at `lastIndex`. The first group is a run of `pairs`, the second a run of `segments`. */
const anyWord = new RegExp(
  `${plainRun}(?:['’]${plainRun})*` +
    String.raw`|([[${pairScripts}]&&[\p{L}\p{N}\p{M}]]+)` +
    String.raw`|([[${segmentScripts}]&&[\p{L}\p{N}\p{M}]]+)`,
  'vy',
)
