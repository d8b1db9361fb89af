/** Looks up a query's words in the index: spells out prefixes, splits and joins compounds, and corrects slips. */
import { endingTerm } from '../../../../platform/analysis/analyse.ts'
import { completionsOf, compounding, plainTerm, termOf } from '../../../../platform/analysis/languages.ts'
import type { LanguageCode } from '../../../../platform/analysis/stop-words.ts'
import { inverseFrequency, meaningShare, spellingShare } from '../index/relevance.ts'
import { chunksWith, type LevelCounts } from '../index/statistics.ts'
import type { IndexedWord } from './candidates.ts'
import { correct, type Vocabulary } from './corrections.ts'
import type { ParsedQuery, PhraseWord, QueryPair, QueryWord, Spelled } from './query.ts'
import type { Phrase } from './scan.ts'
import type { WeighedPhrase } from './score.ts'
import type { CountedTerm } from './search-store.ts'

export type IndexedQuery = {
  words: IndexedWord[]
  pairs: QueryPair[]
  /** Words that a text may have as several words side by side. */
  apart: ApartWord[]
  /** A chunk must have each of these phrases. */
  required: WeighedPhrase[]
  /** A chunk must have none of these phrases, single words or longer. */
  excluded: Phrase[]
}

/** A chunk with the phrase counts as one with the word. `telling` are words of the phrase that pick candidates. */
export type ApartWord = { word: string; weight: number; phrase: Phrase; telling: IndexedWord[] }

/** The terms of an index, as far as the caller may know them. */
export type IndexVocabulary = Pick<Vocabulary, 'known' | 'ofLength'> & {
  /** Terms with this prefix: the commonest, or for a part of the index the shortest. */
  startingWith(prefix: string, limit: number): Promise<CountedTerm[]>
}

export type QueryVocabulary = Vocabulary &
  IndexVocabulary & {
    chunkCount: number
    /** Commonest first. */
    languages: readonly LanguageCode[]
    /** Whether each prefix is looked for in the chunks themselves. */
    isCostly: boolean
  }

/** A query of whole paragraphs is reduced to its most telling words. */
const maxWords = 64
const maxExpansions = 64
/** The most words of a query that are split, and the most pairs that are joined. */
const maxCompounds = 12
/** The most words that are corrected. Each is compared with hundreds of terms. */
const maxCorrected = 12
/** The weight of a part of a compound, as a share of the whole word's weight. */
const partShare = 0.5

/**
 * Null if nothing can be found: no word is known, or a required word is unknown. Corrects a word that the index does
 * not have. If `isLost` is true, the words themselves found nothing, and every word is corrected that can be.
 */
export async function lookUpWords(
  parsed: ParsedQuery,
  vocabulary: QueryVocabulary,
  isLost: boolean,
): Promise<IndexedQuery | null> {
  const asked = await Promise.all(parsed.words.map(word => expand(word, vocabulary)))
  const phrases = await expandPhrases(parsed, vocabulary)
  const joined = joinedWords(parsed.joinable, vocabulary.languages)
  const own = [
    ...[...asked, ...joined, ...phrases.flatMap(({ words }) => words)].flatMap(word => word.terms),
    ...asked.flatMap(({ otherwise = [] }) => otherwise.flat().flatMap(({ terms }) => terms)),
  ]
  const { known, partsOf, read } = await lookUp(own, asked, vocabulary)
  const compounds = await compoundsWith(asked, vocabulary, isLost)
  for (const { found } of compounds) for (const { term, counts } of found) known.set(term, counts)

  const required = phrases
    .filter(({ isExcluded }) => !isExcluded)
    .map(({ words }) => knownPhrase(words, known))
  if (required.some(phrase => phrase === null)) return null
  const weigh = createWeighing(vocabulary.chunkCount, known)
  const shares = sharesOf(asked, known)
  const apart = await apartWords(asked, { known, partsOf, read }, vocabulary, weigh)
  const isApart = new Set(apart.map(({ word }) => word))
  const found: (IndexedWord & { place: number })[] = []
  let tried = 0
  for (const [place, whole] of asked.entries()) {
    const parts = partsOf.get(whole) ?? []
    for (const part of parts) found.push(...weigh(part, -1))
    const share = shares.get(place) ?? 1
    const word = share === 1 ? whole : { ...whole, weight: share * whole.weight }
    const own = weigh(word, place)
    const within = compounds.find(({ place: of }) => of === place)
    if (within !== undefined && !isLost) found.push(...weigh(within.word, -1))
    const isUnknown =
      own.length === 0 && parts.length === 0 && within === undefined && (isLost || !isApart.has(word.word))
    const isSlip = word.spells === null && !word.isPrefix && (isLost || isUnknown) && tried < maxCorrected
    if (isSlip) tried++
    const correction = isSlip ? await correct(word, vocabulary, isLost) : null
    if (correction === null) {
      found.push(...own)
      if (within !== undefined && isLost) found.push(...weigh(within.word, -1))
    } else found.push({ ...weighTerm(word, correction, vocabulary.chunkCount), place })
  }
  for (const word of joined) found.push(...weigh(word, -1))
  if (found.length === 0 && apart.length === 0) return null
  const telling = found.length <= maxWords ? found : mostTelling(found)
  const placeOf = new Map(telling.map(({ place }, index) => [place, index]))
  const inWords = (spells: readonly Spelled[]): Spelled[] =>
    spells.flatMap(({ place, share }) => {
      const own = placeOf.get(place)
      return own === undefined ? [] : { place: own, share }
    })
  const words = telling.map(word =>
    word.spells === null ? word : { ...word, spells: inWords(word.spells), partOf: word.spells },
  )
  return {
    words,
    apart,
    pairs: parsed.pairs.flatMap(({ first, second, count }) => {
      const [one, other] = [placeOf.get(first), placeOf.get(second)]
      return one === undefined || other === undefined ? [] : [{ first: one, second: other, count }]
    }),
    required: required.flatMap(phrase =>
      phrase === null ? [] : [{ phrase, words: placesIn(phrase, words) }],
    ),
    excluded: phrases.flatMap(({ words: excluded, isExcluded }) =>
      isExcluded ? [knownPhrase(excluded, known) ?? []].filter(phrase => phrase.length > 0) : [],
    ),
  }
}

const mostTelling = <Word extends IndexedWord>(found: readonly Word[]): Word[] =>
  found.toSorted((a, b) => b.weight - a.weight || (a.word < b.word ? -1 : 1)).slice(0, maxWords)

type Weighing = (word: QueryWord, place: number) => (IndexedWord & { place: number })[]

/** Returns no word if the index has none of its terms. */
const createWeighing =
  (chunkCount: number, known: ReadonlyMap<string, LevelCounts>): Weighing =>
  (word, place) => {
    const terms = word.terms.filter(term => known.has(term))
    if (terms.length === 0) return []
    const counts = terms.map((term): LevelCounts => known.get(term) ?? [0, 0, 0, 0])
    const containing = counts.reduce((sum, ofTerm) => sum + chunksWith(ofTerm), 0)
    const frequency = inverseFrequency(Math.min(containing, chunkCount), chunkCount)
    return [
      {
        word: word.isPrefix ? `${word.word}*` : word.word,
        terms,
        counts,
        weight: word.weight * frequency,
        inverseFrequency: frequency,
        spells: word.spells,
        place,
      },
    ]
  }

function weighTerm(word: QueryWord, { term, counts }: CountedTerm, chunkCount: number): IndexedWord {
  const frequency = inverseFrequency(Math.min(chunksWith(counts), chunkCount), chunkCount)
  return {
    word: word.word,
    terms: [term],
    counts: [counts],
    weight: word.weight * frequency,
    inverseFrequency: frequency,
    spells: null,
    correctedTo: term,
  }
}

async function expand<Word extends PhraseWord>(
  word: Word,
  { languages, startingWith }: QueryVocabulary,
): Promise<Word> {
  if (!word.isPrefix) return word
  const found = await startingWith(word.word, maxExpansions)
  const stems = [...completionsOf(word.word, languages), ...found.map(({ term }) => term)]
  return { ...word, terms: [...new Set([...word.terms, ...stems])] }
}

const expandPhrases = (parsed: ParsedQuery, vocabulary: QueryVocabulary): Promise<ParsedQuery['phrases']> =>
  Promise.all(
    parsed.phrases.map(async ({ words, isExcluded }) => ({
      words: await Promise.all(words.map(word => expand(word, vocabulary))),
      isExcluded,
    })),
  )

/** The phrase with the terms that the index has; null if the index has no term of a word. */
function knownPhrase(words: readonly PhraseWord[], known: ReadonlyMap<string, LevelCounts>): Phrase | null {
  const phrase = words.map(({ terms }) => terms.filter(term => known.has(term)))
  return phrase.some(terms => terms.length === 0) ? null : phrase
}

/** The places of the phrase's telling words. Its stop words are not among the query's words. */
const placesIn = (phrase: Phrase, words: readonly IndexedWord[]): number[] =>
  phrase.flatMap(terms => {
    const place = words.findIndex(word => word.terms.some(term => terms.includes(term)))
    return place < 0 ? [] : [place]
  })

/** The query's neighbours as one word: German "Kosten der Reise" becomes "Reisekosten". */
const joinedWords = (joinable: ParsedQuery['joinable'], languages: readonly LanguageCode[]): QueryWord[] =>
  joinable.slice(0, maxCompounds).flatMap(([first, second]) => {
    const terms = [...joinedTerms(first, second, languages), ...joinedTerms(second, first, languages)]
    return terms.length === 0 ? [] : [plainWord({ word: `${first}${second}`, terms }, 1)]
  })

type LookedUp = {
  known: Map<string, LevelCounts>
  partsOf: ReadonlyMap<QueryWord, QueryWord[]>
  /** Looks up further terms. */
  read(wanted: readonly string[]): Promise<void>
}

/** Finds the terms that the index has, and the parts of the words that are compounds, by two statements at most. */
async function lookUp(
  terms: readonly string[],
  asked: readonly QueryWord[],
  vocabulary: QueryVocabulary,
): Promise<LookedUp> {
  const known = new Map<string, LevelCounts>()
  const read = async (wanted: readonly string[]): Promise<void> => {
    const unread = new Set(wanted.filter(term => !known.has(term)))
    if (unread.size === 0) return
    for (const { term, counts } of await vocabulary.known([...unread])) known.set(term, counts)
  }
  const single = asked.filter(({ spells, isPrefix }) => spells === null && !isPrefix).slice(0, maxCompounds)
  const tails = single.map(word => tailsOf(word.word, vocabulary.languages))
  await read([...terms, ...tails.flat().map(({ term }) => term)])
  const countOf = (term: string): number => chunksWith(known.get(term) ?? [0, 0, 0, 0])
  const splits = tails.map(ofWord => splitsOf(ofWord, countOf))
  await read(splits.flat().map(({ headTerm }) => headTerm))
  const partsOf = new Map<QueryWord, QueryWord[]>()
  for (const [place, word] of single.entries()) {
    const parts = bestSplit(splits[place] ?? [], countOf)
    if (parts === null) continue
    const weight = partShare * word.weight
    partsOf.set(word, [plainWord(parts.head, weight), plainWord(parts.tail, weight)])
  }
  return { known, partsOf, read }
}

const plainWord = ({ word, terms }: Pick<QueryWord, 'word' | 'terms'>, weight: number): QueryWord => ({
  word,
  terms,
  weight,
  isPrefix: false,
  spells: null,
})

/** How much words count that are a part of a form which the index has: the least share of each. */
function sharesOf(
  asked: readonly QueryWord[],
  known: ReadonlyMap<string, LevelCounts>,
): ReadonlyMap<number, number> {
  const shares = new Map<number, number>()
  for (const { terms, covers } of asked) {
    if (covers === undefined || !terms.some(term => known.has(term))) continue
    for (const place of covers.places) shares.set(place, Math.min(covers.share, shares.get(place) ?? 1))
  }
  return shares
}

// One word that texts write as two: "datasheet", "data sheet". The parts must stand side by side.

/** The most words of a query that are looked for apart, and the most ways for each. */
const maxApart = 6
const maxWays = 3
/** A word in more chunks than this share of them, and more than a few, is rarely written in another way. */
const commonShare = 0.002
const fewChunks = 5
/** The most languages in whose words a word is cut. */
const maxCutLanguages = 2
/** Small words that end a word written as one: "check-in", "set up". */
const lastParticles = new Set(['in', 'on', 'up', 'out', 'off', 'down', 'over', 'back'])

async function apartWords(
  asked: readonly QueryWord[],
  { known, partsOf, read }: LookedUp,
  { languages, chunkCount }: QueryVocabulary,
  weigh: Weighing,
): Promise<ApartWord[]> {
  const countOf = (terms: readonly string[]): number =>
    terms.reduce((sum, term) => sum + chunksWith(known.get(term) ?? [0, 0, 0, 0]), 0)
  const rare = asked
    .filter(
      word =>
        word.spells === null &&
        !word.isPrefix &&
        !partsOf.has(word) &&
        countOf(word.terms) <= fewChunks + commonShare * chunkCount,
    )
    .slice(0, maxApart)
  const cuts = new Map(rare.map(word => [word, cutsOf(word.word, languages.slice(0, maxCutLanguages))]))
  await read([...cuts.values()].flat(2).flatMap(({ terms }) => terms))
  return asked.flatMap(word => {
    const ways = (cuts.get(word) ?? [])
      .map(parts => ({ parts, common: Math.min(...parts.map(({ terms }) => countOf(terms))) }))
      .filter(({ common }) => common > 0)
      .sort((a, b) => b.common - a.common)
      .slice(0, maxWays)
    return [
      ...ways.map(({ parts }) => ({ parts, share: spellingShare })),
      ...(word.otherwise ?? []).map(parts => ({ parts, share: meaningShare })),
    ].flatMap(({ parts, share }) => {
      const phrase = knownPhrase(parts, known)
      const telling = parts.filter(part => !isStopWord(part.word, languages))
      const weighed = telling.flatMap(part => weigh(plainWord(part, word.weight), -1))
      if (phrase === null || weighed.length === 0) return []
      return [
        {
          word: word.word,
          weight: share * Math.max(...weighed.map(({ weight }) => weight)),
          phrase,
          telling: weighed,
        },
      ]
    })
  })
}

const isStopWord = (word: string, languages: readonly LanguageCode[]): boolean =>
  languages.slice(0, 1).some(language => termOf(word, word, language).isStop)

function cutsOf(word: string, languages: readonly LanguageCode[]): PhraseWord[][] {
  if (!/^[a-z]{4,24}$/.test(word)) return []
  const partOf = (part: string): PhraseWord => ({
    word: part,
    terms: [...new Set(languages.map(language => termOf(part, part, language).term))],
    isPrefix: false,
  })
  return Array.from({ length: word.length - 3 }, (_, index) => [
    word.slice(0, index + 2),
    word.slice(index + 2),
  ])
    .filter(
      ([head = '', tail = '']) =>
        !isStopWord(head, languages) &&
        (!isStopWord(tail, languages) || (lastParticles.has(tail) && head.length > 2)),
    )
    .map(parts => parts.map(partOf))
}

// Compounds that begin or end with a word of the query: "Bescheinigung" is in "Krankenbescheinigung".

type CompoundsWith = { place: number; word: QueryWord; found: CountedTerm[] }

/** The most words of a query whose compounds are looked for. */
const maxWithin = 6
const minWithin = 5
const minStemWithin = 4
/** A stem of fewer letters begins other words as well, so more must follow. */
const safeStem = 5
const minRest = 4
/** Before a verb these are no first part of a compound: "Abrechnung" is no kind of "Rechnung". */
const prefixes = new Set(
  'ab an auf aus be bei durch ein ent er ge in mit nach ober un unter ver vor wieder zer zu'.split(' '),
)

async function compoundsWith(
  asked: readonly QueryWord[],
  { languages, startingWith, isCostly }: QueryVocabulary,
  isLost: boolean,
): Promise<CompoundsWith[]> {
  const own = languagesOf(languages)
  if (own.length === 0 || (isCostly && !isLost)) return []
  const words = asked
    .map((word, place) => ({ word, place }))
    .filter(
      ({ word: { word, spells, isPrefix } }) =>
        spells === null && !isPrefix && /^[a-z]+$/.test(word) && word.length >= minWithin,
    )
    .slice(0, maxWithin)
  const all: CompoundsWith[] = []
  for (const { word, place } of words) {
    const found = new Map<string, CountedTerm>()
    for (const language of own) {
      const { term, isStop } = termOf(word.word, word.word, language)
      const stem = plainTerm(term)
      if (isStop || stem === term || stem.length < minStemWithin) continue
      const least = stem.length + (stem.length < safeStem ? minRest + 1 : minRest)
      for (const begun of await startingWith(stem, maxExpansions))
        if (begun.term.endsWith(`·${language}`) && plainTerm(begun.term).length >= least)
          found.set(begun.term, begun)
      const ending = plainTerm(endingTerm(word.word, language) ?? '')
      if (ending === '') continue
      for (const ended of await startingWith(ending, maxExpansions)) {
        const rest = Array.from(plainTerm(ended.term).slice(ending.length)).reverse().join('')
        if (rest.length >= minPart && !prefixes.has(rest) && /[aeiouy]/.test(rest))
          found.set(ended.term, ended)
      }
    }
    if (found.size === 0) continue
    const terms = [...found.keys()].filter(term => !word.terms.includes(term))
    if (terms.length === 0) continue
    const within = { ...plainWord({ word: word.word, terms }, partShare * word.weight) }
    all.push({ place, word: within, found: [...found.values()] })
  }
  return all
}

// Words that are written together in German and similar languages. A query's compound is split and its neighbours are
// joined, if the index has the results. The index's own terms are the only dictionary.

type Parts = { head: CompoundPart; tail: CompoundPart }
type CompoundPart = { word: string; terms: readonly string[] }

/** In how many chunks a term is; 0 if the index does not have it. */
type CountOf = (term: string) => number

/** The places where a word may be cut, each with the term of the part after the cut. */
function tailsOf(word: string, languages: readonly LanguageCode[]): Tail[] {
  if (!/^[a-z]{7,40}$/.test(word)) return []
  return languagesOf(languages).flatMap(language => tailsIn(word, language))
}

/** The ways to split words at the cuts whose tail the index has, each with the term of the part before the cut. */
const splitsOf = (tails: readonly Tail[], countOf: CountOf): Split[] =>
  tails.filter(({ term }) => countOf(term) > 0).flatMap(headsOf)

/** The split whose parts are the commonest in the index; null if there is none. */
function bestSplit(splits: readonly Split[], countOf: CountOf): Parts | null {
  const [best] = splits
    .map(split => ({ ...split, common: countOf(split.headTerm) * countOf(split.term) }))
    .filter(({ common }) => common > 0)
    .sort((a, b) => b.common - a.common)
  if (best === undefined) return null
  return {
    head: { word: best.headWord, terms: [best.headTerm] },
    tail: { word: best.word.slice(best.at), terms: [best.term] },
  }
}

/** The terms of two words written as one, with each sound that may stand between them. */
function joinedTerms(first: string, second: string, languages: readonly LanguageCode[]): string[] {
  if (!/^[a-z]{3,}$/.test(first) || !/^[a-z]{3,}$/.test(second)) return []
  return languagesOf(languages).flatMap(language => {
    // The ending of the second word does not depend on the letters before it.
    const { term, isStop } = termOf(second, second, language)
    return isStop ? [] : links.map(link => `${first}${link}${term}`)
  })
}

/** The most languages of an index that are tried, commonest first. */
const maxLanguages = 3
const minPart = 3
/** "Urlaubs|antrag", "Kinder|garten", "Toten|stille", "Tage|buch". */
const links = ['', 's', 'es', 'n', 'en', 'er', 'e']

const languagesOf = (languages: readonly LanguageCode[]): LanguageCode[] =>
  languages.filter(language => compounding.includes(language)).slice(0, maxLanguages)

type Tail = { word: string; language: LanguageCode; at: number; term: string }

type Split = Tail & { headWord: string; headTerm: string }

/** The stem of a compound ends with the stem of its last word. */
function tailsIn(word: string, language: LanguageCode): Tail[] {
  const { term } = termOf(word, word, language)
  const stem = plainTerm(term)
  const tails: Tail[] = []
  for (let at = minPart; at <= stem.length - minPart; at++) {
    tails.push({ word, language, at, term: `${stem.slice(at)}${term.slice(stem.length)}` })
  }
  return tails
}

function headsOf(tail: Tail): Split[] {
  const before = tail.word.slice(0, tail.at)
  return links.flatMap(link => {
    const headWord = before.slice(0, before.length - link.length)
    if (!before.endsWith(link) || headWord.length < minPart) return []
    const { term, isStop } = termOf(headWord, headWord, tail.language)
    return isStop ? [] : [{ ...tail, headWord, headTerm: term }]
  })
}
