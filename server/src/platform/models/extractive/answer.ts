/** Finds the sentences that answer a question best, or finds that none does. */
import { createTurns } from '../../turns.ts'
import { type Sentence, sentencesOf } from './sentences.ts'
import { relatedTo, stemsOf, termsOf } from './words.ts'

export type Source = { cite: string; title: string; text: string }

/** A sentence of a source, word for word, and the mark by which the source is cited. */
export type Quote = { cite: string; text: string; score: number }

/** Below this share of the question's weight, what was found is about something else. */
const minimumCoverage = 0.5
/** A sentence that has the kind of thing that is asked for (a number, a time, a place) may cover less, another must cover more. */
const coverageForKind = 0.07
/** Further sentences are quoted too if they score nearly as well as the best one. */
const nearlyAsGood = 0.92
const maxQuotes = 3

/** The quotes that answer, best first; empty if the sources do not answer. Sources are given best first. */
export async function findAnswer(questionText: string, sources: readonly Source[]): Promise<Quote[]> {
  const othersTurn = createTurns()
  const question = readQuestion(questionText)
  const all: Candidate[] = []
  for (const [rank, source] of sources.entries()) {
    all.push(...candidatesOf(source, rank))
    await othersTurn()
  }
  const candidates = distinct(all)
  const weights = new Map<string, number>()
  for (const term of question.terms) {
    weights.set(term, weightOf(term, candidates))
    await othersTurn()
  }
  const scored: (Score & { candidate: Candidate })[] = []
  for (const candidate of candidates) {
    scored.push({ candidate, ...score(candidate, question, weights, sources.length) })
    await othersTurn()
  }
  const good = scored
    .filter(({ coverage, fit }) => coverage >= minimumCoverage - coverageForKind * fit)
    .toSorted((a, b) => b.score - a.score)
  const best = good[0]?.score ?? 0
  return good
    .filter(({ score }) => score >= best * nearlyAsGood)
    .slice(0, maxQuotes)
    .map(({ candidate, score }) => ({ cite: candidate.cite, text: candidate.sentence.text, score }))
}

type Candidate = {
  cite: string
  rank: number
  sentence: Sentence
  stems: string[]
  own: Set<string>
  above: Set<string>
  before: Set<string>
}

function candidatesOf(source: Source, rank: number): Candidate[] {
  const known = new Map<string, string[]>()
  // Sentences share their headings, and most stand before another one.
  const stemsIn = (text: string): string[] => {
    const stems = known.get(text) ?? stemsOf(text)
    known.set(text, stems)
    return stems
  }
  const title = stemsIn(source.title)
  return sentencesOf(source.text)
    .filter(({ text }) => !text.endsWith('?'))
    .map(sentence => {
      const stems = stemsIn(sentence.text)
      return {
        cite: source.cite,
        rank,
        sentence,
        stems,
        own: new Set(stems),
        above: new Set([...title, ...stemsIn(sentence.context)]),
        before: new Set(stemsIn(sentence.before)),
      }
    })
}

/** Chunks may overlap, so the same sentence can come twice. */
function distinct(candidates: Candidate[]): Candidate[] {
  const seen = new Set<string>()
  return candidates.filter(({ sentence }) => {
    const isNew = !seen.has(sentence.text)
    seen.add(sentence.text)
    return isNew
  })
}

/** Rare words say most; a word that no source knows weighs like the rarest, so that its absence is felt. */
function weightOf(term: string, candidates: readonly Candidate[]): number {
  const having = candidates.filter(({ own }) => own.has(term)).length
  return Math.log(1 + (candidates.length - having + 0.5) / (having + 0.5))
}

type Score = { coverage: number; fit: number; score: number }

function score(
  candidate: Candidate,
  question: Question,
  weights: ReadonlyMap<string, number>,
  sourceCount: number,
): Score {
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
  const near = 0.1 * adjacency(question.terms, candidate.stems)
  const score = coverage + 0.3 * (ownCovered / total) + 0.12 * fit + near + rank - tooLong
  return { coverage, fit, score }
}

/** 1 where the sentence has the kind of thing that is asked for, -1 where it lacks it, 0 if unknown. */
function fitOf({ wants, counted }: Question, { sentence, stems, above }: Candidate): number {
  if (wants === null) return 0
  if (!wants.test(sentence.text)) return -1
  if (counted.length === 0) return 1
  // In a table the head says what is counted, and the row how many.
  if (isRow(sentence.text)) return counted.some(stem => above.has(stem)) ? 1 : 0
  const isCounted = stems.some(
    (stem, index) => counted.includes(stem) && stems.slice(Math.max(0, index - 2), index + 3).some(isNumber),
  )
  return isCounted ? 1 : 0
}

const isRow = (text: string): boolean => text.startsWith('|') || text.includes('\t')

const isNumber = (stem: string): boolean => /^\d/.test(stem)

/** 1 where the word itself is there, less where only a related one is. */
function presence(term: string, stems: ReadonlySet<string>): number {
  if (stems.has(term)) return 1
  for (const other of relatedTo(term)) if (stems.has(other)) return 0.7
  return 0
}

/** The share of neighbouring question words that are near each other in the sentence too. */
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
  terms: string[]
  /** What a good answer matches; null if any sentence may be one. */
  wants: RegExp | null
  /** The stems of what is to be counted: `bonus` and `day` in "how many bonus days". */
  counted: string[]
}

function readQuestion(text: string): Question {
  const wants = hints.find(({ asks }) => asks.test(text))?.wants ?? null
  const counted = /\bhow many (\p{L}+(?: \p{L}+)?)/iu.exec(text)?.[1] ?? ''
  return { terms: termsOf(text), wants, counted: termsOf(counted) }
}

const number =
  /\d|\b(one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve|twenty|thirty|forty|fifty|hundred|no|half|once|twice)\b/i

const duration =
  /\b(\d[\d.,]*|an?|one|two|three|four|five|six|seven|eight|nine|ten|twelve|half|thirty|ninety|forty)\b.{0,24}\b(seconds?|minutes?|hours?|days?|weeks?|months?|years?)\b/i

const moment =
  /\d{1,2}:\d{2}|\b(1[89]|20)\d{2}\b|\b(january|february|march|april|may|june|july|august|september|october|november|december|monday|tuesday|wednesday|thursday|friday|saturday|sunday|daily|weekly|yearly|within|after|before|until|ahead|first|later|due|now)\b|\b\d+\s*(minutes?|hours?|days?|weeks?|months?)\b/i

const person =
  /(?<=[\p{Ll},;:]\s)\p{Lu}\p{Ll}+|\b(team|lead|director|manager|officer|head|desk|engineer|owner|customer|employee|everyone|anyone|who(?:m)?ever|finance|department)\b/u

const place =
  /@|https?:|\b(at|in|on|beneath|beside|behind|under|below|above|to|from|near|inside|outside|next)\b/i

/** The first that fits decides. */
const hints: readonly { asks: RegExp; wants: RegExp }[] = [
  { asks: /\bhow (long|soon|quickly|fast)\b/i, wants: duration },
  { asks: /\bhow (many|much|far|high|large|big|old|heavy|often|thick|wide|deep)\b/i, wants: number },
  {
    asks: /\b(what|which) (\w+ ){0,2}(price|cost|rate|discount|percentage|amount|number|length|limit|weight|size|pressure)\b/i,
    wants: number,
  },
  { asks: /\b(when|what time|by when|until when|which (day|date|month|year))\b/i, wants: moment },
  { asks: /\b(who|whom|whose)\b/i, wants: person },
  { asks: /\bwhere\b/i, wants: place },
]
