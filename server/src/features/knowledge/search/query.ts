/** Reads a query: the terms that it asks for, how often each, and which of them stand side by side. */
import { analyse, letterDigitParts, type Token } from './analyse.ts'

export type QueryTerm = {
  term: string
  /** How often the query has it. */
  weight: number
  /** A spelling that only file names have, such as "bestbuy" for "best buy". */
  onlyInName: boolean
}

/** Neighbours in the query; stop words between them do not count. */
export type QueryPair = { first: string; second: string; count: number }

export type ParsedQuery = { terms: QueryTerm[]; pairs: QueryPair[] }

/** Longer queries are cut there, in UTF-16 units. */
export const maxQueryLength = 4_000

/** Any text is a query; one without a letter or a digit asks for nothing. */
export function parseQuery(text: string): ParsedQuery {
  const tokens = analyse(text.slice(0, maxQueryLength))
  const telling = tokens.filter(token => !token.isStop)
  // "to be or not to be": where there are only stop words, they are what is asked for.
  const asked = telling.length > 0 ? telling : tokens
  const weights = new Map<string, number>()
  for (const { term } of asked) weights.set(term, (weights.get(term) ?? 0) + 1)
  const terms = Array.from(weights, ([term, weight]) => ({ term, weight, onlyInName: false }))
  const spellings = nameSpellings(text, telling).filter(term => !weights.has(term))
  return {
    terms: [...terms, ...spellings.map(term => ({ term, weight: 1, onlyInName: true }))],
    pairs: pairsOf(asked),
  }
}

function pairsOf(asked: readonly Token[]): QueryPair[] {
  const pairs = new Map<string, QueryPair>()
  for (const [index, { term: first }] of asked.entries()) {
    const second = asked[index + 1]?.term
    if (second === undefined || second === first) continue
    const key = `${first} ${second}`
    const count = (pairs.get(key)?.count ?? 0) + 1
    pairs.set(key, { first, second, count })
  }
  return [...pairs.values()]
}

/** Who asks in long sentences does not spell out a file's name. */
const maxSpelledWords = 12

/** How file names may spell the query's words: "fy2019" apart, "best buy" as one. */
function nameSpellings(text: string, asked: readonly Token[]): string[] {
  if (asked.length > maxSpelledWords) return []
  const characters = Array.from(text)
  const written = asked.map(({ start, end }) => characters.slice(start, end).join(''))
  const apart = written.flatMap(letterDigitParts)
  const joined = written.slice(1).map((word, index) => `${written[index]}${word}`)
  const terms = [...apart, ...joined].flatMap(word => analyse(word)).filter(token => !token.isStop)
  return [...new Set(terms.map(token => token.term))]
}
