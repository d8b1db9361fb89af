/** Finds the sentences that best answer a question, by what it asks for, or finds that there is no answer. */
import { detectLanguage } from '../../analysis/detect-language.ts'
import { createTurns } from '../../turns.ts'
import { askedIn } from './asked.ts'
import { isRow, type Sentence, sentencesOf } from './sentences.ts'
import { isPlain, type Words, wordsOf } from './words.ts'

/** `headings` are those above the text, from the topmost one; the names of a table's columns may be the last. */
export type Source = { cite: string; title: string; text: string; headings?: readonly string[] }

/** A sentence of a source, word for word, and the mark that cites the source. */
export type Quote = {
  cite: string
  text: string
  score: number
  /** The text that names the columns, if the sentence is a table's row. */
  head: string | null
}

export type Answer = {
  /** Best first; empty if the sources do not answer. */
  quotes: Quote[]
  /** Whether the best quote has all years and names of the question, what it asks for, and a figure if needed. */
  isSure: boolean
}

/** A sentence that covers less than this share of the question's weight is about something else. */
const minimumCoverage = 0.5
/**
 * A sentence with the kind of thing that is asked for (a number, a time, a place) may cover less. A sentence without
 * it must cover more.
 */
const coverageForKind = 0.07
/** Further sentences are quoted too if their scores are nearly as good as the best one. */
const nearlyAsGood = 0.92
const maxQuotes = 3

/** Sources are given best first. */
export async function findAnswer(questionText: string, sources: readonly Source[]): Promise<Answer> {
  const othersTurn = createTurns()
  const words = wordsOf(
    questionText,
    sources.map(({ text }) => text),
  )
  const question = readQuestion(questionText, words)
  const all: Candidate[] = []
  for (const [rank, source] of sources.entries()) {
    all.push(...candidatesOf(source, rank, question))
    await othersTurn()
  }
  const candidates = distinct(all)
  const weights = new Map<string, number>()
  for (const term of question.terms) {
    weights.set(term, weightOf(term, candidates, question.subjects.includes(term)))
    await othersTurn()
  }
  const scored: Scored[] = []
  for (const candidate of candidates) {
    scored.push({ candidate, ...score(candidate, question, weights, sources.length) })
    await othersTurn()
  }
  const good = scored
    .filter(
      ({ candidate, coverage, fit }) =>
        coverage >= minimumCoverage - coverageForKind * fit && speaksOfMore(candidate, question),
    )
    .toSorted((a, b) => b.score - a.score)
  // A question about a year asks for a figure.
  const fitting = question.years.length === 0 ? [] : good.filter(({ fit }) => fit >= 0)
  const answering = fitting.length === 0 ? good : fitting
  const [best] = answering
  if (best === undefined) return { quotes: await standingOut(question, sources, scored), isSure: false }
  const quotes = answering
    .filter(({ score }) => score >= best.score * nearlyAsGood)
    .slice(0, maxQuotes)
    .map(({ candidate: { cite, sentence }, score }) => ({
      cite,
      text: sentence.text,
      score,
      head: sentence.head,
    }))
  return { quotes, isSure: isSure(question, best) }
}

/** False if all that a sentence shares with a question are words that any text has: "a new one". */
function speaksOfMore({ own, above, before }: Candidate, { terms, asides, words }: Question): boolean {
  const telling = [...terms, ...asides].filter(term => !words.isCommon(term) && !isPlain(term))
  return (
    telling.length === 0 ||
    telling.some(term => [own, above, before].some(stems => words.presence(term, stems) > 0))
  )
}

/** False if the quote lacks a year or a name of the question, the figure asked for, or all words of what it asks. */
function isSure({ terms, subjects, years, words }: Question, { candidate, fit }: Scored): boolean {
  const asked = terms.filter(term => !subjects.includes(term) && !isPlain(term))
  const { presence } = words
  // The sentence before is left out: what it speaks of may have ended there.
  const speaksOfIt = [candidate.own, candidate.above].some(stems =>
    asked.some(term => presence(term, stems) > 0),
  )
  return (
    subjects.every(subject => isAbout(candidate, subject)) &&
    (years.length === 0 || fit >= 0) &&
    (speaksOfIt || asked.length === 0)
  )
}

const isAbout = ({ own, above, before }: Candidate, subject: string): boolean =>
  own.has(subject) || above.has(subject) || before.has(subject)

// An answer in other words than the question's: no sentence has half of what is asked, but one passage has more of its
// telling words than any other. It is quoted, and never for sure.

/** How much more of the question the first passage must have than each other one. */
const leastMargin = 1.5
/** The most sentences that are quoted of the passage. One with no more is short. */
const mostOfPassage = 3
/** How many telling words of the question a sentence of a longer passage must have. */
const hitsInLong = 2
/** A common word tells little of what a passage is about. */
const commonShare = 0.2
/** Rarity is counted as if there were at least so many passages: a search may have found only one. */
const fewestPassages = 8

async function standingOut(
  { terms, words }: Question,
  sources: readonly Source[],
  scored: readonly Scored[],
): Promise<Quote[]> {
  const telling = terms.filter(term => !words.isCommon(term) && !isPlain(term))
  const ofSource = sources.map(({ cite }) => scored.filter(({ candidate }) => candidate.cite === cite))
  const stems = ofSource.map(
    own => new Set(own.flatMap(({ candidate: { own, above } }) => [...own, ...above])),
  )
  const has = (place: number, term: string): number => words.presence(term, stems[place] ?? new Set())
  const weights = terms.map(term => {
    const having = sources.filter((_, place) => has(place, term) > 0).length
    const all = Math.max(fewestPassages, sources.length)
    return (telling.includes(term) ? 1 : commonShare) * Math.log(1 + (all - having + 0.5) / (having + 0.5))
  })
  const strengths = sources.map((_, place) =>
    terms.reduce((sum, term, index) => sum + (weights[index] ?? 0) * has(place, term), 0),
  )
  const language = detectLanguage(sources[0]?.text ?? '')
  if (language !== null && words.language !== null && language !== words.language) return []
  const [first = 0, ...others] = strengths
  if (first === 0 || first < leastMargin * Math.max(0, ...others)) return []
  const own = ofSource[0] ?? []
  // A row is understood by the names of its columns.
  const hitsOf = ({ candidate: { own, above, sentence } }: Scored): number =>
    telling.filter(
      term => words.presence(term, own) > 0 || (sentence.head !== null && words.presence(term, above) > 0),
    ).length
  // A short passage is about all of its words. In a long one, they must stand together.
  const isShort = own.length <= mostOfPassage
  const quoted = isShort ? own : own.filter(one => hitsOf(one) >= hitsInLong).slice(0, mostOfPassage)
  if (!quoted.some(one => hitsOf(one) > 0)) return []
  return quoted.map(({ candidate: { cite, sentence }, score }) => ({
    cite,
    text: sentence.text,
    score,
    head: sentence.head,
  }))
}

type Candidate = {
  cite: string
  rank: number
  sentence: Sentence
  stems: string[]
  own: Set<string>
  /** The stems of the source's title. `above` also has the stems of the headings. */
  titled: ReadonlySet<string>
  above: Set<string>
  before: Set<string>
}

function candidatesOf(source: Source, rank: number, question: Question): Candidate[] {
  const known = new Map<string, string[]>()
  // Sentences share their headings, and most sentences stand before another one, so stems are kept by text.
  const stemsIn = (text: string): string[] => {
    const stems = known.get(text) ?? question.words.stemsOf(text)
    known.set(text, stems)
    return stems
  }
  const titled = new Set(titleStems(source.title, question))
  return sentencesOf(source.text, source.headings)
    .filter(({ text, isHead }) => !/[?？؟]$/.test(text) && !isHead)
    .map(sentence => {
      const stems = stemsIn(sentence.text)
      return {
        cite: source.cite,
        rank,
        sentence,
        stems,
        own: new Set(stems),
        titled,
        above: new Set([...titled, ...stemsIn(sentence.context)]),
        before: new Set(stemsIn(sentence.before)),
      }
    })
}

/** A file's name joins words ("BESTHARBOR_2019_10K.pdf"), so the words of the question are looked for within it. */
function titleStems(title: string, { terms, words: { stemsOf } }: Question): string[] {
  const apart = title.replaceAll('_', ' ')
  const parted = apart.replace(/(?<=\p{L})(?=\p{N})|(?<=\p{N})(?=\p{L})|(?<=\p{Ll})(?=\p{Lu})/gu, ' ')
  const joined = title.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '')
  return [
    ...stemsOf(`${apart} ${parted}`),
    ...terms.filter(term => term.length >= shortestJoined && joined.includes(term)),
  ]
}

const shortestJoined = 4

/** Chunks may overlap, so the same sentence can come twice. */
function distinct(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ sentence }) => {
    const isNew = !seen.has(sentence.text)
    seen.add(sentence.text)
    return isNew
  })
}

/**
 * Rare words say most. A name that all sources have in their title says nothing. A word that is in no source weighs
 * like the rarest word, so that its absence counts.
 */
function weightOf(term: string, candidates: readonly Candidate[], isSubject: boolean): number {
  const having = candidates.filter(
    ({ own, titled }) => own.has(term) || (isSubject && titled.has(term)),
  ).length
  const weight = Math.log(1 + (candidates.length - having + 0.5) / (having + 0.5))
  return isPlain(term) ? plainShare * weight : weight
}

/** The weight of a word like "amount" or "report", which a question needs for its grammar. */
const plainShare = 0.3

type Score = { coverage: number; fit: number; score: number }
type Scored = Score & { candidate: Candidate }

function score(
  candidate: Candidate,
  question: Question,
  weights: ReadonlyMap<string, number>,
  sourceCount: number,
): Score {
  const { presence } = question.words
  let total = 0
  let covered = 0
  let ownCovered = 0
  for (const [term, weight] of weights) {
    const own = presence(term, candidate.own)
    const around = Math.max(0.6 * presence(term, candidate.above), 0.5 * presence(term, candidate.before))
    total += weight
    covered += weight * Math.max(own, around)
    ownCovered += weight * own
  }
  if (total === 0 || ownCovered === 0) return { coverage: 0, fit: 0, score: 0 }
  const coverage = covered / total
  const fit = fitOf(question, candidate)
  const tooLong = Math.max(0, candidate.stems.length - 50) * 0.003
  const rank = 0.06 * (1 - candidate.rank / Math.max(1, sourceCount))
  const asides = question.asides.filter(term => candidate.own.has(term)).length
  const beside = (0.1 * asides) / Math.max(1, question.asides.length)
  const near = 0.1 * adjacency(question.terms, candidate.stems)
  const score = coverage + 0.3 * (ownCovered / total) + 0.2 * fit + near + beside + rank - tooLong
  return { coverage, fit, score }
}

/** 1 if the sentence has the kind of thing that is asked for, -1 if it lacks it, 0 if unknown. */
function fitOf({ wants, counted, years }: Question, { sentence, stems, above }: Candidate): number {
  if (wants === null) return 0
  // If a question names a year, a year is not the number that answers it.
  const told = years.length === 0 ? sentence.text : sentence.text.replace(anyYear, '')
  if (!wants.test(told)) return -1
  if (counted.length === 0) return 1
  // In a table the head says what is counted, and the row how many.
  if (isRow(sentence.text)) return counted.some(stem => above.has(stem)) ? 1 : 0
  const isCounted = stems.some(
    (stem, index) => counted.includes(stem) && stems.slice(Math.max(0, index - 2), index + 3).some(isNumber),
  )
  return isCounted ? 1 : 0
}

const isNumber = (stem: string): boolean => /^\d/.test(stem)

/** The share of neighbouring question words that are near each other in the sentence as well. */
function adjacency(terms: readonly string[], stems: readonly string[]): number {
  if (terms.length < 2) return 0
  let near = 0
  for (let i = 0; i + 1 < terms.length; i++) {
    const first = stems.indexOf(terms[i] ?? '')
    const second = stems.indexOf(terms[i + 1] ?? '')
    if (first >= 0 && second >= 0 && Math.abs(first - second) <= 3) near++
  }
  return near / (terms.length - 1)
}

// What a question asks for: its terms, and the kind of thing that a good answer contains.

type Question = {
  /** What is asked for, and the years and names beside it. */
  terms: string[]
  /** Words of what else is told ("You are an analyst …"): a document need not have them. */
  asides: string[]
  /** The years and names of the question. Text about other years or names answers another question. */
  subjects: string[]
  years: string[]
  /** The pattern that a good answer matches; null if any sentence may be a good answer. */
  wants: RegExp | null
  /** The stems of the thing that is counted: `bonus` and `day` in "how many bonus days". */
  counted: string[]
  words: Words
}

function readQuestion(asked: string, words: Words): Question {
  const { termsOf } = words
  const text = withPlainYears(asked)
  const core = coreOf(text, words)
  const years = [...new Set(text.match(anyYear))]
  const subjects = [...years, ...termsOf(nameWords(text).join(' '))]
  const terms = [...new Set([...termsOf(core), ...subjects])]
  const counted = /\bhow many (\p{L}+(?: \p{L}+)?)/iu.exec(core)?.[1] ?? ''
  return {
    terms,
    asides: termsOf(text).filter(term => !terms.includes(term)),
    subjects,
    years,
    wants: hints.find(({ asks }) => asks.test(text))?.wants ?? (years.length > 0 ? figure : null),
    counted: termsOf(counted),
    words,
  }
}

/** "FY2019", "FY19", "fiscal 2019" and "the year 2019" are 2019; "(in USD millions)" says how to answer, not what. */
const withPlainYears = (text: string): string =>
  text
    .replace(/[^\S\n]+/g, ' ')
    .replace(/\b(?:FY|fiscal(?: year)?) ?['’]?(\d{4}|\d\d)\b/gi, (_, year: string) => year.padStart(4, '20'))
    .replace(/\b(?:the )?year ((?:19|20)\d\d)\b/gi, '$1')
    .replace(/\((?:answer )?in [^)]{0,60}\)/gi, ' ')

function coreOf(text: string, { termsOf }: Words): string {
  const core = askedIn(text)
  return termsOf(core).length < fewestTerms ? text : core
}

/** "My bicycle was stolen. What do I do first?" asks for more than its last sentence says. */
const fewestTerms = 2

/** Words with a capital letter that do not begin a sentence ("4Peaks" and "IBM" too), without the names of units. */
const nameWords = (text: string): string[] =>
  text.match(/(?<=[\p{L}\p{N},'’&)-]\s)(?!(?:USD|EUR|GBP|CHF|JPY)\b)\p{N}*\p{Lu}[\p{L}\p{N}]*/gu) ?? []

/** A global pattern: for `match` and `replace`, not for `test`. */
const anyYear = /\b(?:19|20)\d\d\b/g

const number =
  /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|no|half|once|twice)\b/i

/**
 * A number that is not a percentage. Matches begin only where a number begins: a match from each digit would take the
 * square of its length.
 */
const count = new RegExp(`(?<![\\d.,])(?!\\d[\\d.,]*\\s?%)(?:${number.source})`, 'i')
const figure = /\d/

const duration =
  /\b(\d[\d.,]{0,12}|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|thirty|ninety|forty)\b.{0,24}\b(seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/i

const moment =
  /\d{1,2}:\d{2}|\b(1[89]|20)\d{2}\b|\b(january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|weekly|yearly|within|after|before|until|ahead|first|later|due|now)\b|\b\d+\s*(minutes?|hours?|days?|weeks?|months?)\b/i

const person =
  /(?<=[\p{Ll},;:]\s)\p{Lu}\p{Ll}+|\b(team|lead|director|manager|officer|head|desk|engineer|owner|customer|employee|everyone|anyone|who(?:m)?ever|finance|department)\b/u

const place =
  /@|https?:|\b(at|in|on|beneath|beside|behind|under|below|above|to|from|near|inside|outside|next)\b/i

/** "How many" in other languages. */
const howMany =
  /(?<!\p{L})(?:wie ?viele?n?|wie (?:hoch|lange|oft|weit|gro(?:ß|ss)|schwer|teuer)|combien|cu[aá]nt[oa]s?|quant[oiae]s?|hoeveel|hoe (?:lang|hoog|vaak)|hur (?:många|mycket|länge)|hvor (?:mange|meget|mye|lenge|længe)|kuinka (?:monta|paljon|kauan)|сколько)(?!\p{L})|几|幾|多少|いくら|いくつ|何[日時円人回個年月]|몇|얼마/iu

/** The first hint that fits decides. */
const hints: readonly { asks: RegExp; wants: RegExp }[] = [
  { asks: howMany, wants: /\p{Nd}|[一二三四五六七八九十百千]/u },
  { asks: /\bhow (long|soon|quickly|fast)\b/i, wants: duration },
  { asks: /\bhow many (?!percent)/i, wants: count },
  { asks: /\bhow (many|much|far|high|large|big|old|heavy|often|thick|wide|deep)\b/i, wants: number },
  {
    asks: /\b(what|which) (\w+ ){0,2}(price|cost|rate|discount|percentage|amount|number|length|limit|weight|size|pressure)\b/i,
    wants: number,
  },
  { asks: /\b(when|what time|by when|until when|which (day|date|month|year))\b/i, wants: moment },
  { asks: /\b(who|whom|whose)\b/i, wants: person },
  { asks: /\bwhere\b/i, wants: place },
]
