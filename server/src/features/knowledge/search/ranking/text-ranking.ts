/** Ranks chunks by their text: understand the query, pick candidates, score them. */

import { analyse } from '../../../../platform/analysis/analyse.ts'
import type { LanguageCode } from '../../../../platform/analysis/stop-words.ts'
import type { Engine, Query } from '../../../../platform/database/database.ts'
import { countTerms, type EncodedTerms, readLanguage } from '../index/chunk-terms.ts'
import { bytesPerPosting } from '../index/postings.ts'
import { chunksWith, meanLengthsOf } from '../index/statistics.ts'
import { countLevels, createImpactSums, createMatch, type IndexedWord, maxCandidates } from './candidates.ts'
import {
  type IndexedQuery,
  type IndexVocabulary,
  lookUpWords,
  type QueryVocabulary,
} from './indexed-words.ts'
import { bestMatching, numbersOf } from './narrowing.ts'
import { parseQuery, type Syntax } from './query.ts'
import type { Reach } from './reach.ts'
import { createPhraseCounter, findPhrase, type Phrase } from './scan.ts'
import { createNameScorer, createScorer, type ScorePart } from './score.ts'
import {
  type Candidate,
  type CountedTerm,
  createPostingsReader,
  knownTerms,
  postingBytesAtOnce,
  type ReadPostings,
  readCandidates,
  readChunksStarting,
  readSegments,
  termsOfLength,
  termsStartingWith,
} from './search-store.ts'

export type RankedChunk = Candidate & { score: number }

/** In Unicode code points within the text; `endOffset` is the first code point after the word. */
export type Highlight = { startOffset: number; endOffset: number }

export type TextRanking = {
  /** Best first, equal scores in the order in which they were indexed. */
  ranked: RankedChunk[]
  /** The places of the query's words in a chunk's text. */
  highlight(text: string, encoded: EncodedTerms): Highlight[]
  /** The parts that a chunk's score is made of. */
  explain(encoded: EncodedTerms): ScorePart[]
  /** Whether the chunk has every phrase in quotes and nothing that the query excludes. */
  accepts(encoded: EncodedTerms): boolean
}

/** Null if nothing can be found. `limitOf` says how many chunks are scored for a query with this number of words. */
export async function rankByText(
  engine: Engine,
  query: Query,
  reach: Reach,
  text: string,
  {
    limitOf = maxCandidates,
    syntax = 'all',
  }: { limitOf?: typeof maxCandidates | undefined; syntax?: Syntax } = {},
): Promise<TextRanking | null> {
  const parsed = await parseQuery(text, reach.index.languages, syntax)
  if (parsed.words.length === 0) return null
  const read = createPostingsReader(query, engine, reach.index)
  const vocabulary = createVocabulary(engine, query, reach, read)
  const rank = async (isLost: boolean): Promise<TextRanking | null> => {
    const found = await lookUpWords(parsed, vocabulary, isLost)
    return found === null ? null : rankWords(engine, query, reach, read, found, limitOf(found.words.length))
  }
  const ranking = await rank(false)
  if (ranking !== null && ranking.ranked.length > 0) return ranking
  // A word may be known although no searched chunk has it.
  return (await rank(true)) ?? ranking
}

function createVocabulary(engine: Engine, query: Query, reach: Reach, read: ReadPostings): QueryVocabulary {
  const { index, isFound } = reach
  const whole = wholeVocabulary(engine, query, index.number)
  const words = index.isWhole ? whole : createOwnVocabulary(engine, query, reach, read, whole)
  return {
    chunkCount: index.totals.chunkCount,
    languages: index.languages,
    isCostly: index.isLimited,
    ...words,
    reachOf: async terms => {
      const postings = await read(terms.map(term => ({ terms: [term] })))
      return postings.map(ofTerm => chunksWith(countLevels(ofTerm, isFound)))
    },
  }
}

const wholeVocabulary = (engine: Engine, query: Query, index: number): IndexVocabulary => ({
  known: terms => knownTerms(query, engine, index, terms),
  startingWith: (prefix, limit) => termsStartingWith(query, index, prefix, limit),
  ofLength: (prefix, lengths, limit) => termsOfLength(query, index, prefix, lengths, limit),
})

/** The most chunks that are checked for phrases, the most promising first. */
const mostExamined = 10_000
/** The most chunks that are read and scored before others have their turn: a few milliseconds' work. */
const readAtOnce = 300

async function rankWords(
  engine: Engine,
  query: Query,
  reach: Reach,
  read: ReadPostings,
  found: IndexedQuery,
  limit: number,
): Promise<TextRanking> {
  const accepts = createAcceptance(found)
  const { first, pick } = await createPicker(engine, query, reach, read, found, limit)
  const scorer = createScorer(
    { words: found.words, pairs: found.pairs, phrases: found.required, apart: found.apart },
    meanLengthsOf(reach.index.totals),
    namesOf(first).values(),
  )
  const ranked: RankedChunk[] = []
  const take = (candidates: readonly Candidate[]): void => {
    for (const candidate of candidates)
      if (accepts(candidate.terms)) ranked.push(rankedChunk(candidate, scorer.score(candidate.terms)))
  }
  const examined = new Set<number>()
  const most = Math.max(limit, mostExamined)
  let isDone = false
  // Doubles each time: a pick looks at all sums, even for few chunks.
  for (let wanted = limit; !isDone && wanted <= most; wanted *= 2) {
    const picked = await pick(wanted)
    while (!isDone && examined.size < picked.length) {
      const numbers = picked.slice(examined.size, Math.max(limit, examined.size + readAtOnce))
      for (const number of numbers) examined.add(number)
      take(await readUnknown(engine, query, numbers, first))
      isDone = isSettled(ranked, limit)
    }
    if (picked.length < wanted) break
  }
  // Chunks that are best by their words stay among the results, even if names raise other chunks.
  take(first.filter(({ number }) => !examined.has(number)))
  const shown = new Set(found.words.flatMap(({ terms }) => terms))
  const phrases = [...found.required, ...found.apart].map(({ phrase }) => phrase)
  return {
    ranked: ranked.filter(({ score }) => score > 0).sort((a, b) => b.score - a.score || a.number - b.number),
    highlight: (text, encoded) => highlight(text, readLanguage(encoded), { terms: shown, phrases }),
    explain: scorer.explain,
    accepts,
  }
}

/** This many of the first results should be the same as if every chunk were scored. */
const firstHundred = 100
/** More chunks are scored while one of the last hundred is among the first hundred, up to this many: 5 µs each. */
export const mostScored = 2_400

/** Sums of levels only estimate scores: for a common word alone, thousands of chunks have the same sum. */
function isSettled(ranked: readonly RankedChunk[], enough: number): boolean {
  if (ranked.length < enough) return false
  if (ranked.length >= mostScored) return true
  const scores = Float64Array.from(ranked, ({ score }) => score).sort()
  const least = scores.at(-firstHundred) ?? 0
  return ranked.slice(-firstHundred).every(({ score }) => score <= least)
}

/** Reads the candidates that are not known yet. Returns all of them in the order of `numbers`. */
async function readUnknown(
  engine: Engine,
  query: Query,
  numbers: readonly number[],
  known: Iterable<Candidate> = [],
): Promise<Candidate[]> {
  const candidates = new Map(Array.from(known, candidate => [candidate.number, candidate]))
  const unknown = numbers.filter(number => !candidates.has(number))
  for (let start = 0; start < unknown.length; start += readAtOnce)
    for (const candidate of await readCandidates(query, engine, unknown.slice(start, start + readAtOnce)))
      candidates.set(candidate.number, candidate)
  return numbers.flatMap(number => candidates.get(number) ?? [])
}

/** One chunk of each document: every chunk has the document's name. */
const namesOf = (candidates: readonly Candidate[]): Map<string, EncodedTerms> =>
  new Map(candidates.map(({ documentId, terms }) => [documentId, terms]))

/**
 * `pick` returns the best `limit` chunks, the same chunks at each call. Each chunk has all words of the phrases.
 * `first` are the best chunks by words alone: the names of their documents are compared.
 */
type Picker = { first: readonly Candidate[]; pick(limit: number): Promise<readonly number[]> }

/** If a filter leaves at most this many chunks, all are scored: faster than to read the postings of their words. */
const maxListed = 2_000

async function createPicker(
  engine: Engine,
  query: Query,
  { index, isFound, narrowing }: Reach,
  read: ReadPostings,
  found: IndexedQuery,
  limit: number,
): Promise<Picker> {
  const isMeant = await readConditions(read, found)
  const isOpen = (number: number): boolean => isFound(number) && isMeant(number)
  if (narrowing?.kind === 'few' && narrowing.chunkCount <= maxListed) {
    const open = numbersOf(narrowing).filter(isOpen)
    return { first: await readUnknown(engine, query, open), pick: async () => open }
  }
  const counted = [...found.words, ...found.apart.flatMap(({ telling }) => telling)]
  const sums = createImpactSums(counted)
  for (const words of cutWords(counted)) {
    const postings = await read(words)
    for (const [place, word] of words.entries()) sums.add(word, postings[place] ?? [])
  }
  const pick: Picker['pick'] = limit =>
    bestMatching(narrowing, limit, (isMatching, some) =>
      sums.best(number => isOpen(number) && isMatching(number), some),
    )
  // Enough for the usual second look too, which would read all sums again. Under a filter, matching costs more.
  const picked = narrowing === null ? 2 * limit : limit
  const best = await pick(picked)
  const first = await readUnknown(engine, query, best.slice(0, namesRead))
  const names = namesOf(first)
  const scoreOf = createNameScorer(found.words, names.values())
  const named = Array.from(names, ([documentId, terms]) => ({ documentId, score: scoreOf(terms) }))
    .filter(({ score }) => score > 0)
    .sort((a, b) => b.score - a.score)
    .slice(0, mostNamed)
  if (named.length === 0)
    return { first, pick: async wanted => (wanted > picked ? pick(wanted) : best.slice(0, wanted)) }
  const scores = new Map(named.map(({ documentId, score }) => [documentId, score]))
  for (const { documentId, first: from, last: to } of await readSegments(
    query,
    engine,
    index.number,
    [...scores.keys()],
    mostSegments,
  ))
    sums.raise(from, to, scores.get(documentId) ?? 0)
  return { first, pick }
}

/** Reads document names from this many of the best chunks. All chunks of well-named documents are candidates. */
const namesRead = 300
const mostNamed = 64
const mostSegments = 2_000

/** Groups words whose postings fit into `postingBytesAtOnce` together. A word with more postings is alone. */
function cutWords(words: readonly IndexedWord[]): IndexedWord[][] {
  const cut: IndexedWord[][] = []
  let size = Number.POSITIVE_INFINITY
  for (const word of words) {
    const own = word.counts.reduce((sum, ofTerm) => sum + bytesPerPosting * chunksWith(ofTerm), 0)
    size += own
    if (size > postingBytesAtOnce) {
      size = own
      cut.push([word])
    } else cut.at(-1)?.push(word)
  }
  return cut
}

/** The most words of phrases that are looked up together. */
const maxPositions = 16

/** Returns a test for the chunks that have all words of the phrases and no excluded word. */
async function readConditions(
  read: ReadPostings,
  { words, required, excluded }: IndexedQuery,
): Promise<(number: number) => boolean> {
  // A phrase's telling words alone narrow the search enough. A phrase without telling words needs all of its words.
  const positions = required
    .flatMap(({ phrase, words: places }) =>
      places.length > 0 ? places.map(place => words[place]?.terms ?? []) : phrase,
    )
    .slice(0, maxPositions)
  const single = excluded.flatMap(phrase => (phrase.length === 1 ? (phrase[0] ?? []) : []))
  const lists = await read([{ terms: single }, ...positions.map(terms => ({ terms }))])
  const hasExcluded = createMatch(lists.slice(0, 1))
  const hasAll = createMatch(lists.slice(1))
  return number => (positions.length === 0 || hasAll(number)) && !hasExcluded(number)
}

function createAcceptance({ required, excluded }: IndexedQuery): (encoded: EncodedTerms) => boolean {
  if (required.length === 0 && excluded.length === 0) return () => true
  const count = createPhraseCounter([...required.map(({ phrase }) => phrase), ...excluded])
  return encoded => count(encoded).every((found, place) => found > 0 === place < required.length)
}

/** Field by field, for speed: this runs for each of hundreds of chunks. */
const rankedChunk = ({ number, chunkId, documentId, terms }: Candidate, score: number): RankedChunk => ({
  number,
  chunkId,
  documentId,
  terms,
  score,
})

/** `terms` are marked wherever they occur, a phrase from its first word to its last. */
type Marked = { terms: ReadonlySet<string>; phrases: readonly Phrase[] }

/** The places in a text of the words that a query asked for, in order and without overlaps. */
function highlight(text: string, language: LanguageCode, { terms, phrases }: Marked): Highlight[] {
  const isWanted = phrases.length > 0 ? () => true : createTest(terms)
  const tokens = analyse(text, language, isWanted)
  const found = tokens.filter(({ term }) => terms.has(term)).map(({ start, end }) => [start, end] as const)
  const written = phrases.length > 0 ? tokens.map(({ term }) => term) : []
  for (const phrase of phrases) {
    for (const first of findPhrase(written, phrase)) {
      found.push([tokens[first]?.start ?? 0, tokens[first + phrase.length - 1]?.end ?? 0])
    }
  }
  const highlights: Highlight[] = []
  for (const [start, end] of found.sort((a, b) => a[0] - b[0] || b[1] - a[1])) {
    const last = highlights.at(-1)
    // Pairs of characters overlap, and a word overlaps with its phrase. Overlapping places are one highlight.
    if (last !== undefined && start < last.endOffset) last.endOffset = Math.max(last.endOffset, end)
    else highlights.push({ startOffset: start, endOffset: end })
  }
  return highlights
}

/**
 * A word shares its first letter with its stem. A compound that is found by its last part does not, nor does a word of
 * a script that writes particles before it.
 */
function createTest(terms: ReadonlySet<string>): (word: string) => boolean {
  if ([...terms].some(term => beginsOtherwise.test(term))) return () => true
  // Numbers instead of strings: most words of each shown text are tested, and a string would be made for each.
  const initials = new Set(Array.from(terms, term => term.charCodeAt(0)))
  return word => initials.has(word.charCodeAt(0))
}

const beginsOtherwise = /^[·\u0590-\u08ff]/

/** The most terms with the same prefix that are counted one by one. */
const mostCounted = 256

// The words of an index for a search of a part of it. Counts, corrections and completions come from that part, so
// that none of them tells what the rest contains. The index is asked before terms are counted: most possible
// corrections are in no text at all.

/** The most terms that one statement counts. */
const termsAtOnce = 64
/** Terms with a prefix are looked for in at most this many readable chunks that have one, spread over all. */
const mostChunksRead = 1_000
const chunksAtOnce = 100

function createOwnVocabulary(
  engine: Engine,
  query: Query,
  { index, isFound }: Pick<Reach, 'index' | 'isFound'>,
  read: ReadPostings,
  whole: IndexVocabulary,
): IndexVocabulary {
  async function count(indexed: readonly CountedTerm[]): Promise<CountedTerm[]> {
    const found: CountedTerm[] = []
    for (let start = 0; start < indexed.length; start += termsAtOnce) {
      const some = indexed.slice(start, start + termsAtOnce)
      const postings = await read(some.map(({ term, counts }) => ({ terms: [term], counts: [counts] })))
      for (const [place, { term }] of some.entries()) {
        const counts = countLevels(postings[place] ?? [], isFound)
        if (chunksWith(counts) > 0) found.push({ term, counts })
      }
    }
    return found
  }
  const known = async (terms: readonly string[]): Promise<CountedTerm[]> => count(await whole.known(terms))

  /** Terms with this prefix, shortest first. Chunks that are not readable have no influence on the result. */
  async function beginning(prefix: string): Promise<string[]> {
    const chunks = await readChunksStarting(query, engine, index, prefix)
    const readable = chunks.filter(isFound)
    const step = Math.max(1, readable.length / mostChunksRead)
    const looked = Array.from({ length: Math.min(readable.length, mostChunksRead) }, (_, place) => {
      return readable[Math.floor(place * step)] ?? 0
    })
    const found = new Set<string>()
    for (let start = 0; start < looked.length; start += chunksAtOnce) {
      for (const { terms } of await readCandidates(query, engine, looked.slice(start, start + chunksAtOnce)))
        for (const term of countTerms(terms).counts.keys()) if (term.startsWith(prefix)) found.add(term)
    }
    return [...found].sort((a, b) => a.length - b.length || (a < b ? -1 : 1))
  }

  const startingWith: IndexVocabulary['startingWith'] = async (prefix, limit) =>
    known((await beginning(prefix)).slice(0, limit))
  if (index.isLimited)
    return {
      known,
      startingWith,
      async ofLength(prefix, { from, to }, limit) {
        const terms = await beginning(prefix)
        return terms.filter(({ length }) => length >= from && length <= to).slice(0, limit)
      },
    }
  // This caller may know all words. The index tells more quickly which words exist at all.
  return {
    known,
    startingWith: async (prefix, limit) => {
      const begun = await whole.startingWith(prefix, mostCounted)
      // Words of other collections must not displace words of the searched collections.
      if (begun.length === mostCounted) return startingWith(prefix, limit)
      const found = await count(begun)
      found.sort((a, b) => chunksWith(b.counts) - chunksWith(a.counts) || (a.term < b.term ? -1 : 1))
      return found.slice(0, limit)
    },
    ofLength: whole.ofLength,
  }
}
