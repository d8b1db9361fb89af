/**
 * Parses a query: the words that it asks for, which words are neighbours, and what a chunk must have or must not
 * have. The syntax is "phrases", -excluded words and prefixes*. Any text is a query, and none is an error.
 */

import { abbreviationsIn, sameInOtherWords } from '../../../../platform/analysis/abbreviations.ts'
import {
  analyseIn,
  isStemmed,
  partsOfName,
  placedForms,
  type TokenInMany,
} from '../../../../platform/analysis/analyse.ts'
import type { Form } from '../../../../platform/analysis/other-forms.ts'
import { stemsWithoutParticles } from '../../../../platform/analysis/script-stems.ts'
import type { LanguageCode } from '../../../../platform/analysis/stop-words.ts'
import { askedIn } from '../../../../platform/models/extractive/asked.ts'
import { createTurns } from '../../../../platform/turns.ts'

export type QueryWord = {
  /** The word in the query, folded. */
  word: string
  /** All terms of the word in the index, in each language. Together they are one word and count once. */
  terms: readonly string[]
  /** True if all words with this prefix are meant: "inv*". */
  isPrefix: boolean
  /** How often the query has the word. A word in an aside counts less. */
  weight: number
  /** Null for a word that the query asks for. For another spelling, the words that it stands for. */
  spells: readonly Spelled[] | null
  /** If the index has this word, the words at these places count only this share: "500" beside "500 ml". */
  covers?: { places: readonly number[]; share: number }
  /** What a text may say instead, each as words side by side. */
  otherwise?: readonly (readonly PhraseWord[])[]
}

/** A word's place, and the part that a spelling has of it: all of "best" is in "bestbuy", half of "q4" in "4". */
export type Spelled = { place: number; share: number }

/** Neighbours in the query, by their places among its words; stop words between them do not count. */
export type QueryPair = { first: number; second: number; count: number }

/** Words that stand side by side in this order, stop words included. */
export type QueryPhrase = { words: readonly PhraseWord[]; isExcluded: boolean }
export type PhraseWord = { word: string; terms: readonly string[]; isPrefix: boolean }

export type ParsedQuery = {
  words: QueryWord[]
  pairs: QueryPair[]
  phrases: QueryPhrase[]
  /** Neighbours that may be written as one word. A stop word in any language does not count as a word here. */
  joinable: [first: string, second: string][]
}

/**
 * Any text is a query; a text without a letter or a digit asks for nothing. A query is too short to tell its
 * language, so its words are taken as words of each of `languages`. These are the index's languages, commonest first.
 */
export async function parseQuery(
  text: string,
  languages: readonly LanguageCode[],
  syntax: Syntax = 'all',
): Promise<ParsedQuery> {
  const othersTurn = createTurns()
  const clauses: (QueryClause & { tokens: TokenInMany[] })[] = []
  for (const clause of readClauses(text, syntax)) {
    clauses.push({ ...clause, tokens: await analyseIn(clause.text, languages, othersTurn) })
  }
  const asked = createWordList()
  const wanted = clauses.filter(({ isExcluded }) => !isExcluded)
  const isStop = stopWordsOf(
    wanted.flatMap(({ tokens }) => tokens),
    languages,
  )
  // "to be or not to be": if there are only stop words, the query asks for them.
  const telling = (token: TokenInMany): boolean => !isStop(token)
  const sharesOf = async (written: string): Promise<ShareOf> => {
    const core = /\p{N}/u.test(written) ? askedIn(written) : ''
    return createShares(written, (await analyseIn(core, languages, othersTurn)).filter(telling))
  }
  const hasTelling = wanted.some(({ kind, tokens }) => kind === 'prefix' || tokens.some(telling))
  for (const { kind, text: written, tokens } of wanted) {
    const isAsked = kind === 'words' ? createWordTest(written) : () => true
    const chosen = hasTelling ? tokens.filter(token => telling(token) && isAsked(token)) : tokens
    if (kind === 'prefix') asked.addPrefix(tokens)
    else asked.addWords(chosen, kind === 'words', await sharesOf(written))
  }
  const spelled = wanted
    .filter(({ kind }) => kind === 'words')
    .flatMap(({ text: clause, tokens }) => {
      const characters = Array.from(clause)
      return tokens
        .filter(telling)
        .map(token => ({ token, written: characters.slice(token.start, token.end).join('') }))
    })
  const isCommonStop = stopWordsOf([], languages)
  for (const { written, of } of otherSpellings(spelled)) {
    const tokens = await analyseIn(written, languages, othersTurn)
    asked.addSpelling(
      written,
      tokens.filter(token => !isCommonStop(token)),
      of,
    )
  }
  for (const { kind, text: clause, tokens } of wanted) {
    if (kind === 'words')
      await addForms(asked, clause, { tokens, telling: tokens.filter(telling) }, languages, othersTurn)
  }
  return {
    words: asked.words,
    pairs: [...asked.pairs.values()],
    phrases: clauses.flatMap(phraseOf),
    joinable: wanted.flatMap(joinableOf),
  }
}

/** How much the words that a form is made of still count if the index has the form. */
const sharesBeside: Readonly<Record<Form['kind'], number>> = {
  number: 0.1,
  code: 0.3,
  unit: 0.3,
  sign: 0.2,
  joined: 1,
  name: 1,
}

/** The most forms of a query that are looked up. */
const maxForms = 32

async function addForms(
  asked: WordList,
  clause: string,
  { tokens: all, telling }: Record<'tokens' | 'telling', readonly TokenInMany[]>,
  languages: readonly LanguageCode[],
  othersTurn: () => Promise<void>,
): Promise<void> {
  for (const { kind, word, start, end } of placedForms(clause).slice(0, maxForms)) {
    const within = telling.filter(token => token.start >= start && token.end <= end)
    if (isStemmed(kind)) {
      const tokens = await analyseIn(word, languages, othersTurn)
      asked.addSpelling(
        word,
        tokens,
        within.map(token => ({ token, share: 1 })),
      )
    } else asked.addForm(word, within, sharesBeside[kind])
  }
  for (const token of telling) {
    const stems = stemsWithoutParticles(token.word)
    if (stems.length > 0) asked.addOtherTerms(token, stems)
  }
  for (const { short, first, last } of abbreviationsIn(all.map(({ word }) => word))) {
    const spelled = all.slice(first, last + 1).filter(token => telling.includes(token))
    asked.addSpelling(
      short,
      await analyseIn(short, languages, othersTurn),
      spelled.map(token => ({ token, share: 1 })),
    )
  }
  asked.addOtherWords(await otherWordsOf(telling, languages, othersTurn))
}

/** How much a word counts: 1, or less in an aside. */
type ShareOf = (token: TokenInMany) => number

/** For a word that only tells who asks, from what source, and how to answer ("You are an analyst …"). */
const asideShare = 0.3
/** The fewest words of a core. "My bicycle was stolen. What do I do first?" asks for more than its question says. */
const fewestAsked = 2

/**
 * Pages with the words of its core, and its names, answer a question for one year or number. In other questions, the
 * words beside the core count as much. To count them less costs .003 of nDCG@10 on cisi.
 */
function createShares(written: string, core: readonly TokenInMany[]): ShareOf {
  if (core.length < fewestAsked) return () => 1
  const asked = new Set(core.map(token => keyOf(token, false)))
  const characters = Array.from(written)
  const isName = ({ start, end }: TokenInMany): boolean => {
    const beginsSentence = start === 0 || /[.?!\n]/.test(characters.slice(start - 2, start).join(''))
    return (
      /\p{N}/u.test(characters.slice(start, end).join('')) ||
      (!beginsSentence && /\p{Lu}/u.test(characters[start] ?? ''))
    )
  }
  return token => (asked.has(keyOf(token, false)) || isName(token) ? 1 : asideShare)
}

type QueryClause = {
  kind: 'words' | 'phrase' | 'prefix'
  text: string
  /** A chunk must not have what the clause stands for. */
  isExcluded: boolean
}

/** In UTF-16 units. Longer queries are cut. */
const maxQueryLength = 4_000

/** After this many clauses, the rest of the query is plain text. */
const maxClauses = 32

/** If there are more words beside the quotes, the query is prose, in which quotes demand nothing. */
const maxBesideQuotes = 8

/** Whether a query's quotes, hyphens and stars mean something; `inclusive`: all but the hyphens. */
export type Syntax = 'all' | 'inclusive' | 'none'

/**
 * The clauses in order. A quote without its other half is plain text, as are a hyphen and a star without a word, and
 * the hyphen of a number or of a program's option. A question excludes nothing.
 */
export function readClauses(query: string, syntax: Syntax = 'all'): QueryClause[] {
  const text = query.slice(0, maxQueryLength).replaceAll(/[“”„]/g, '"')
  if (syntax === 'none')
    return [{ kind: 'words' as const, text, isExcluded: false }].filter(({ text }) => text.trim() !== '')
  const clauses = takeApart(text, true).map(clause =>
    clause.isExcluded && syntax === 'inclusive'
      ? { kind: 'words' as const, text: clause.text, isExcluded: false }
      : clause,
  )
  const beside = clauses
    .filter(({ kind }) => kind === 'words')
    .flatMap(clause => clause.text.match(wordRuns) ?? [])
  return beside.length > maxBesideQuotes ? takeApart(text, false) : clauses
}

function takeApart(text: string, areQuotesHeeded: boolean): QueryClause[] {
  const clauses: QueryClause[] = []
  let plainFrom = 0
  for (const match of text.matchAll(clausePattern)) {
    const { not, quoted, prefix, word } = match.groups as ClauseGroups
    const isExcluded = not !== undefined
    const isQuestion = isExcluded && quoted === undefined && asksSomething.test(text)
    const isPlain =
      (quoted !== undefined && (!hasWord.test(quoted) || (!areQuotesHeeded && !isExcluded))) ||
      isQuestion ||
      (isExcluded && isOption(prefix ?? word ?? ''))
    if (isPlain || clauses.length >= maxClauses) continue
    addPlain(clauses, text.slice(plainFrom, match.index))
    plainFrom = match.index + match[0].length
    // "-well-known" excludes the words in their order, as a phrase does.
    if (prefix === undefined) clauses.push({ kind: 'phrase', text: quoted ?? word ?? '', isExcluded })
    else clauses.push({ kind: 'prefix', text: prefix, isExcluded })
  }
  addPlain(clauses, text.slice(plainFrom))
  return clauses
}

/** A question ends with its mark. It may contain the hyphen of a dash or of an option, but it excludes no word. */
const asksSomething = /[?？؟]\s*$/u

/** "-20", "-rf", "-Xmx2g", "-Dname=value": what stands behind the hyphen of a number or of a program's option. */
const isOption = (written: string): boolean =>
  /\p{N}|[=:]/u.test(written) || /^\p{L}{1,2}$|^\p{Lu}[^\P{Ll}aeiouy]{2,4}$/u.test(written)

type ClauseGroups = { [name in 'not' | 'quoted' | 'prefix' | 'word']: string | undefined }

const wordCharacter = String.raw`[\p{L}\p{N}\p{M}]`
const hasWord = new RegExp(wordCharacter, 'u')
const wordRuns = new RegExp(`${wordCharacter}+`, 'gu')

/** At the start of a word only: the hyphen of "well-known" excludes nothing. */
const clausePattern = new RegExp(
  String.raw`(?<=^|[\s(])(?<not>-)?"(?<quoted>[^"]*)"` +
    String.raw`|(?<=^|[\s(])(?<not>-)?(?<prefix>${wordCharacter}{2,})\*(?=$|[\s),.;:!?])` +
    String.raw`|(?<=^|[\s(])(?<not>-)(?<word>${wordCharacter}[^\s"*]*)`,
  'gu',
)

function addPlain(clauses: QueryClause[], text: string): void {
  if (text.trim() !== '') clauses.push({ kind: 'words', text, isExcluded: false })
}

/**
 * Returns a test for the query's stop words, by one language: the language in which the query has the most stop
 * words, at least two. Otherwise the index's commonest language. German "die" is not a stop word in "die hard" over
 * English texts.
 */
function stopWordsOf(
  tokens: readonly TokenInMany[],
  languages: readonly LanguageCode[],
): (token: TokenInMany) => boolean {
  const counts = languages.map(language => ({
    language,
    count: tokens.filter(({ stopIn }) => stopIn.has(language)).length,
  }))
  const [common] = languages
  const [most] = counts.toSorted((a, b) => b.count - a.count)
  const language = most !== undefined && most.count >= 2 ? most.language : common
  return ({ stopIn }) => language !== undefined && stopIn.has(language)
}

/**
 * In a run without spaces, the query does not ask for pairs of characters across the border of two words. Otherwise
 * "東京都" (Tokyo) would find "京都" (Kyoto). The index has all pairs, however a dictionary cuts a sentence.
 */
function createWordTest(text: string): (token: TokenInMany) => boolean {
  if (!cutByDictionary.test(text)) return () => true
  const borders = new Set<number>()
  let codePoints = 0
  for (const { segment } of segmenter.segment(text)) {
    codePoints += Array.from(segment).length
    borders.add(codePoints)
  }
  return ({ word, start, end }) => end - start !== 2 || !cutByDictionary.test(word) || !borders.has(start + 1)
}

const segmenter = new Intl.Segmenter('zh', { granularity: 'word' })
const cutByDictionary = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}]/u
const withoutSpaces = /[\p{scx=Han}\p{scx=Hiragana}\p{scx=Katakana}\p{scx=Hangul}]/u

function joinableOf({ kind, tokens }: QueryClause & { tokens: TokenInMany[] }): [string, string][] {
  const words =
    kind === 'words' ? tokens.filter(({ stopIn }) => stopIn.size === 0).map(({ word }) => word) : []
  return words.slice(1).map((word, index) => [words[index] ?? '', word])
}

function phraseOf({ kind, isExcluded, tokens }: QueryClause & { tokens: TokenInMany[] }): QueryPhrase[] {
  if (kind === 'words' || (kind === 'prefix' && !isExcluded) || tokens.length === 0) return []
  const last = tokens.length - 1
  const words = tokens.map(({ word, terms }, place) => ({
    word,
    terms,
    isPrefix: kind === 'prefix' && place === last,
  }))
  return [{ words, isExcluded }]
}

type WordList = {
  words: QueryWord[]
  pairs: Map<string, QueryPair>
  addWords(tokens: readonly TokenInMany[], areNeighboursTelling: boolean, shareOf: ShareOf): void
  addPrefix(tokens: readonly TokenInMany[]): void
  addSpelling(
    spelling: string,
    tokens: readonly TokenInMany[],
    of: readonly { token: TokenInMany; share: number }[],
  ): void
  /** Adds a term that stands for the tokens, which then count for this share. */
  addForm(form: string, of: readonly TokenInMany[], share: number): void
  addOtherTerms(token: TokenInMany, terms: readonly string[]): void
  addOtherWords(others: readonly OtherWords[]): void
}

const keyOf = ({ terms }: Pick<QueryWord, 'terms'>, isPrefix: boolean): string =>
  `${isPrefix ? '*' : ''}${terms.join(' ')}`

function createWordList(): WordList {
  const words: QueryWord[] = []
  const pairs = new Map<string, QueryPair>()
  const places = new Map<string, number>()
  const add = (token: Pick<QueryWord, 'word' | 'terms'>, isPrefix: boolean, share = 1): number => {
    const key = keyOf(token, isPrefix)
    const known = places.get(key)
    const same = known === undefined ? undefined : words[known]
    if (known !== undefined && same !== undefined) {
      same.weight += share
      return known
    }
    places.set(key, words.length)
    words.push({ word: token.word, terms: token.terms, isPrefix, weight: share, spells: null })
    return words.length - 1
  }
  return {
    words,
    pairs,
    addWords(tokens, areNeighboursTelling, shareOf) {
      const shares = tokens.map(shareOf)
      const own = tokens.map((token, index) => add(token, false, shares[index]))
      if (!areNeighboursTelling) return
      for (const [index, first] of own.entries()) {
        const second = own[index + 1]
        if (second === undefined || second === first) continue
        const key = `${first} ${second}`
        const share = Math.min(shares[index] ?? 1, shares[index + 1] ?? 1)
        pairs.set(key, { first, second, count: (pairs.get(key)?.count ?? 0) + share })
      }
    },
    addPrefix(tokens) {
      for (const [index, token] of tokens.entries()) add(token, index === tokens.length - 1)
    },
    addSpelling(spelling, tokens, of) {
      const terms = tokens.flatMap(token => token.terms)
      const unknown = [...new Set(terms)].filter(term => !words.some(word => word.terms.includes(term)))
      if (unknown.length === 0) return
      const spells = of.flatMap(({ token, share }) => {
        const place = places.get(keyOf(token, false))
        return place === undefined ? [] : { place, share }
      })
      words.push({ word: spelling, terms: unknown, isPrefix: false, weight: 1, spells })
    },
    addForm(form, of, share) {
      const own = of.flatMap(token => places.get(keyOf(token, false)) ?? [])
      const known = words.findIndex(word => word.terms.includes(form))
      const covers = { places: own.filter(place => place !== known), share }
      const same = words[known]
      if (same !== undefined && own.includes(known)) return
      if (same !== undefined) words.splice(known, 1, { ...same, spells: null, covers })
      else words.push({ word: form, terms: [form], isPrefix: false, weight: 1, spells: null, covers })
    },
    addOtherTerms(token, terms) {
      const place = places.get(keyOf(token, false))
      const same = place === undefined ? undefined : words[place]
      if (place !== undefined && same !== undefined)
        words[place] = { ...same, terms: [...new Set([...same.terms, ...terms])] }
    },
    addOtherWords(others) {
      for (const { of, phrases } of others) {
        const own = of.flatMap(token => places.get(keyOf(token, false)) ?? [])
        const [place] = own
        const same = place === undefined ? undefined : words[place]
        if (place !== undefined && same !== undefined && own.length === 1)
          words[place] = { ...same, otherwise: [...(same.otherwise ?? []), ...phrases] }
      }
    },
  }
}

/** The most words of a query that get other spellings. Each spelling is looked up. */
const maxSpelledWords = 64

type Spelling = { written: string; of: { token: TokenInMany; share: number }[] }

/** How names, codes and compounds may spell the query's words: "fy2019" and "camelCase" apart, "best buy" as one. */
function otherSpellings(asked: readonly { token: TokenInMany; written: string }[]): Spelling[] {
  const spelled = asked.filter(({ written }) => !withoutSpaces.test(written)).slice(0, maxSpelledWords)
  const apart = spelled.flatMap(({ token, written }) =>
    partsOfName(written).map(part => ({
      written: part.toLowerCase(),
      of: [{ token, share: part.length / written.length }],
    })),
  )
  const tokens = spelled.map(({ token }) => token)
  const joined = tokens.slice(1).map((token, index) => {
    const pair = [tokens[index] ?? token, token]
    return { written: pair.map(({ word }) => word).join(''), of: pair.map(one => ({ token: one, share: 1 })) }
  })
  const spellings = new Map<string, Spelling>()
  for (const { written, of } of [...apart, ...joined]) {
    const known = spellings.get(written)
    if (known === undefined) spellings.set(written, { written, of })
    else known.of.push(...of)
  }
  return [...spellings.values()]
}

/** What may be said instead of one word. */
type OtherWords = { of: readonly TokenInMany[]; phrases: readonly (readonly PhraseWord[])[] }

/** Abbreviations of the office, in full. */
async function otherWordsOf(
  telling: readonly TokenInMany[],
  languages: readonly LanguageCode[],
  othersTurn: () => Promise<void>,
): Promise<OtherWords[]> {
  const others: OtherWords[] = []
  for (const token of telling) {
    const phrases: PhraseWord[][] = []
    for (const meant of sameInOtherWords(token.word)) {
      const words = await analyseIn(meant, languages, othersTurn)
      phrases.push(words.map(({ word, terms }) => ({ word, terms, isPrefix: false })))
    }
    if (phrases.length > 0) others.push({ of: [token], phrases })
  }
  return others
}
