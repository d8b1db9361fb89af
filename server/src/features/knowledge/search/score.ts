/** The one scorer: it ranks candidates the same way whichever database found them. */
import type { EncodedTerms } from './chunk-terms.ts'
import type { QueryPair } from './query.ts'
import { type MeanLengths, proximityWeight, saturation, termRelevance } from './relevance.ts'
import { createScanner } from './scan.ts'

/** A term of the query with what the index knows of it. */
export type WeighedTerm = {
  term: string
  /** Its frequency in the query × its inverse frequency in the index. */
  weight: number
  inverseFrequency: number
  onlyInName: boolean
}

/** A part of a score; a chunk's parts add up to it. `proximity` is for two terms side by side. */
export type ScorePart = {
  terms: string[]
  field: 'body' | 'title' | 'headings' | 'name' | 'proximity'
  score: number
}

/** Each takes a chunk's terms as `encodeTerms` writes them. */
export type Scorer = { score(encoded: EncodedTerms): number; explain(encoded: EncodedTerms): ScorePart[] }

type TakePart = (field: ScorePart['field'], terms: readonly string[], score: number) => void

export function createScorer(
  terms: readonly WeighedTerm[],
  queryPairs: readonly QueryPair[],
  mean: MeanLengths,
): Scorer {
  const names = terms.map(({ term }) => [term])
  const pairs = weighPairs(terms, queryPairs)
  const scan = createScanner(
    terms.map(({ term }) => term),
    pairs.map(({ places }) => places),
  )

  const eachPart = (encoded: EncodedTerms, take: TakePart): void => {
    const { counts, pairCounts, lengths } = scan(encoded)
    for (let place = 0; place < terms.length; place++) {
      const term = terms[place]
      const count = counts[place]
      if (term === undefined || count === undefined || !count.some(isPositive)) continue
      const relevance = termRelevance(count, lengths, mean)
      const asked = names[place] ?? []
      take('name', asked, term.weight * relevance.name)
      if (term.onlyInName) continue
      take('body', asked, term.weight * relevance.body)
      take('title', asked, term.weight * relevance.title)
      take('headings', asked, term.weight * relevance.headings)
    }
    const bodyLength = lengths[0] + lengths[2] + lengths[3]
    for (const [place, { terms: both, weight }] of pairs.entries()) {
      take('proximity', both, weight * saturation(pairCounts[place] ?? 0, bodyLength, mean.body))
    }
  }

  return {
    score: encoded => {
      let sum = 0
      eachPart(encoded, (_field, _terms, score) => {
        sum += score
      })
      return sum
    },
    explain: encoded => {
      const parts: ScorePart[] = []
      eachPart(encoded, (field, asked, score) => {
        if (score > 0) parts.push({ terms: [...asked], field, score })
      })
      return parts
    },
  }
}

const isPositive = (count: number): boolean => count > 0

type WeighedPair = { terms: string[]; places: [first: number, second: number]; weight: number }

/** A pair tells as much as the commoner of its terms. Pairs of terms that the index does not know are left out. */
function weighPairs(terms: readonly WeighedTerm[], pairs: readonly QueryPair[]): WeighedPair[] {
  const places = new Map(terms.map(({ term }, place) => [term, place]))
  return pairs.flatMap(({ first, second, count }) => {
    const firstPlace = places.get(first)
    const secondPlace = places.get(second)
    if (firstPlace === undefined || secondPlace === undefined) return []
    const frequencies = [firstPlace, secondPlace].map(place => terms[place]?.inverseFrequency ?? 0)
    const weight = proximityWeight * count * Math.min(...frequencies)
    return [{ terms: [first, second], places: [firstPlace, secondPlace], weight }]
  })
}
