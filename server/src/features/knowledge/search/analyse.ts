/**
 * Turns text into the terms by which it is found: once here, for both databases, for documents and queries alike.
 * What this file makes is stored: with a change of it goes a migration that empties the search tables, and `reindex`.
 */
import { stemEnglish } from './porter.ts'
import { stopWords } from './stop-words.ts'

/** A term and where it stands, in Unicode code points; `end` is the first code point behind it. */
export type Token = {
  term: string
  /** A stop word, or a single character that a neighbour's pair of characters holds already. */
  isStop: boolean
  start: number
  end: number
}

/** Longer words are cut, so that a term has less than 128 bytes in UTF-8. In UTF-16 units. */
export const maxTermLength = 42

/**
 * The terms of a text in their order. Text without a letter or a digit has none. Who looks for certain terms only can
 * leave out words by their first letter, which a term shares with its word: most of the time goes into stems.
 */
export function analyse(text: string, isWanted: (folded: string) => boolean = () => true): Token[] {
  const tokens: Token[] = []
  const codePointAt = createCodePointCounter(text)
  for (const match of text.matchAll(words)) {
    const start = codePointAt(match.index)
    const { plain, pairs, segments } = match.groups as WordGroups
    if (plain !== undefined) addWord(tokens, plain, start, isWanted)
    else if (pairs !== undefined) addPairs(tokens, pairs, start)
    else if (segments !== undefined) addSegments(tokens, segments, start)
  }
  return tokens
}

/**
 * The terms of a file's name: each word as it is written and, where it changes between letters and digits or
 * from small to capital letters, its parts: "FY2019_AnnualReport" is found by "fy 2019" and by "fy2019".
 */
export function analyseName(name: string): Token[] {
  const tokens: Token[] = []
  for (const [index, token] of splitName(name).entries()) {
    for (const { term, isStop } of analyse(token)) tokens.push({ term, isStop, start: index, end: index + 1 })
  }
  return tokens
}

/** The parts of a word at its letter–digit borders: "10k" has "10" and "k". A word of one part has none. */
export function letterDigitParts(word: string): string[] {
  const parts = word.match(/\p{N}+|[^\p{N}]+/gu) ?? []
  return parts.length > 1 ? parts : []
}

/** At most one of them is there. */
type WordGroups = {
  plain: string | undefined
  /** A run of a script that is written without spaces and found by pairs of characters. */
  pairs: string | undefined
  /** A run of a script that is written without spaces and cut into words by a dictionary. */
  segments: string | undefined
}

const pairScripts = String.raw`\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}`
const segmentScripts = String.raw`\p{scx=Thai}\p{scx=Lao}\p{scx=Khmer}\p{scx=Myanmar}`
const wordCharacter = String.raw`[[\p{L}\p{N}\p{M}]--[${pairScripts}${segmentScripts}]]`
// A soft hyphen or a joiner inside a word does not end it.
const plainRun = String.raw`${wordCharacter}(?:[\u00ad\u200b-\u200d]*${wordCharacter})*`
const words = new RegExp(
  `(?<plain>${plainRun}(?:['’]${plainRun})*)` +
    String.raw`|(?<pairs>[[${pairScripts}]&&[\p{L}\p{N}\p{M}]]+)` +
    String.raw`|(?<segments>[[${segmentScripts}]&&[\p{L}\p{N}\p{M}]]+)`,
  'gv',
)

function addWord(tokens: Token[], word: string, start: number, isWanted: (folded: string) => boolean): void {
  const folded = fold(word)
  if (folded === '' || !isWanted(folded)) return
  const isStop = stopWords.has(folded)
  const term = isStop || !/^[a-z]+$/.test(folded) ? folded : stemEnglish(folded)
  tokens.push({ term: cut(term), isStop, start, end: start + codePointLength(word) })
}

/** Every two neighbours are a term, so that a word is found wherever its sentence is cut. */
function addPairs(tokens: Token[], run: string, start: number): void {
  const characters = Array.from(run)
  const alone = characters.length === 1
  for (const [index, character] of characters.entries()) {
    const at = start + index
    tokens.push({
      term: fold(character),
      isStop: !alone,
      start: at,
      end: at + 1,
    })
    const next = characters[index + 1]
    if (next !== undefined)
      tokens.push({
        term: fold(character + next),
        isStop: false,
        start: at,
        end: at + 2,
      })
  }
}

function addSegments(tokens: Token[], run: string, start: number): void {
  const codePointAt = createCodePointCounter(run)
  for (const { segment, index } of new Intl.Segmenter('th', {
    granularity: 'word',
  }).segment(run)) {
    const at = start + codePointAt(index)
    tokens.push({
      term: cut(fold(segment)),
      isStop: false,
      start: at,
      end: at + codePointLength(segment),
    })
  }
}

/** The same for small and capital, accented and plain, full-width and ordinary letters. */
function fold(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word
  const lower = word.normalize('NFKC').toLowerCase()
  const bare = lower.replace(/['’]s$/, '').replace(/[^\p{L}\p{N}\p{M}]+/gu, '')
  if (/^[a-z0-9]*$/.test(bare)) return bare
  const unaccented = bare
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
  return unaccented.replace(/[ßæœøđðłþıςŧħ]/g, letter => plainLetters[letter] ?? letter)
}

/** Letters that Unicode does not take apart. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ŧ: 't',
  ħ: 'h',
}

/** Never cuts a character in two. */
const cut = (term: string): string =>
  term.length <= maxTermLength
    ? term
    : term
        .slice(0, maxTermLength)
        .toWellFormed()
        .replace(/\ufffd$/, '')

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
