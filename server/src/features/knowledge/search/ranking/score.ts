/** The one scorer: it ranks candidates the same way whichever database found them. */
import type { EncodedTerms } from '../index/chunk-terms.ts'
import { type MeanLengths, proximityWeight, saturation, termRelevance } from '../index/relevance.ts'
import type { QueryPair } from './query.ts'
import { createPhraseCounter, createScanner, type Phrase } from './scan.ts'

/** A word of the query with what the index knows of it. */
export type WeighedWord = {
  /** As the query has it. */
  word: string
  /** Whatever it is called in the index. */
  terms: readonly string[]
  /** Its frequency in the query × its inverse frequency in the index. */
  weight: number
  inverseFrequency: number
  onlyInName: boolean
  /** The term that was looked for instead, where the index does not have the word. */
  correctedTo?: string
}

/** `words` are those of its places that tell something, by their places among the words of the query. */
export type WeighedPhrase = { phrase: Phrase; words: readonly number[] }

/**
 * A part of a score; a chunk's parts add up to it. `proximity` is for two words side by side, `phrase` for one in quotes.
 * `terms` are the query's words; `correctedTo` is what was found in the place of a word that no text has.
 */
export type ScorePart = {
  terms: string[]
  field: 'body' | 'title' | 'headings' | 'name' | 'proximity' | 'phrase'
  score: number
  correctedTo?: string | undefined
}

/** Each takes a chunk's terms as `encodeTerms` writes them. */
export type Scorer = { score(encoded: EncodedTerms): number; explain(encoded: EncodedTerms): ScorePart[] }

export type Weighed = {
  words: readonly WeighedWord[]
  pairs: readonly QueryPair[]
  phrases: readonly WeighedPhrase[]
}

type TakePart = (field: ScorePart['field'], words: readonly WeighedWord[], score: number) => void

export function createScorer({ words, pairs: asked, phrases }: Weighed, mean: MeanLengths): Scorer {
  const single = words.map(word => [word])
  const pairs = weighPairs(words, asked)
  const quoted = phrases.map(({ words: places }) => weighPhrase(places.flatMap(place => words[place] ?? [])))
  const scan = createScanner(
    words.map(({ terms }) => terms),
    pairs.map(({ places }) => places),
  )
  const countPhrases = createPhraseCounter(phrases.map(({ phrase }) => phrase))

  const eachPart = (encoded: EncodedTerms, take: TakePart): void => {
    const { counts, pairCounts, lengths } = scan(encoded)
    for (let place = 0; place < words.length; place++) {
      const word = words[place]
      const count = counts[place]
      if (word === undefined || count === undefined || !count.some(isPositive)) continue
      const relevance = termRelevance(count, lengths, mean)
      const own = single[place] ?? []
      take('name', own, word.weight * relevance.name)
      if (word.onlyInName) continue
      take('body', own, word.weight * relevance.body)
      take('title', own, word.weight * relevance.title)
      take('headings', own, word.weight * relevance.headings)
    }
    const bodyLength = lengths[0] + lengths[2] + lengths[3]
    for (const [place, { both, weight }] of pairs.entries()) {
      take('proximity', both, weight * saturation(pairCounts[place] ?? 0, bodyLength, mean.body))
    }
    if (quoted.length === 0) return
    const phraseCounts = countPhrases(encoded)
    for (const [place, { words: own, weight }] of quoted.entries()) {
      take('phrase', own, weight * saturation(phraseCounts[place] ?? 0, bodyLength, mean.body))
    }
  }

  return {
    score: encoded => {
      let sum = 0
      eachPart(encoded, (_field, _words, score) => {
        sum += score
      })
      return sum
    },
    explain: encoded => {
      const parts: ScorePart[] = []
      eachPart(encoded, (field, own, score) => {
        if (score <= 0) return
        const correctedTo = own.find(word => word.correctedTo !== undefined)?.correctedTo
        const terms = own.map(({ word }) => word)
        parts.push({ terms, field, score, correctedTo })
      })
      return parts
    },
  }
}

const isPositive = (count: number): boolean => count > 0

type WeighedPair = { both: WeighedWord[]; places: [first: number, second: number]; weight: number }

/** A pair tells as much as the commoner of its words. */
function weighPairs(words: readonly WeighedWord[], pairs: readonly QueryPair[]): WeighedPair[] {
  return pairs.flatMap(({ first, second, count }) => {
    const [one, other] = [words[first], words[second]]
    if (one === undefined || other === undefined) return []
    const weight = proximityWeight * count * Math.min(one.inverseFrequency, other.inverseFrequency)
    return [{ both: [one, other], places: [first, second], weight }]
  })
}

/** A phrase tells as much as its pairs. */
function weighPhrase(words: readonly WeighedWord[]): { words: readonly WeighedWord[]; weight: number } {
  const frequencies = words.map(({ inverseFrequency }) => inverseFrequency)
  const pairs = frequencies.slice(1).map((frequency, index) => Math.min(frequency, frequencies[index] ?? 0))
  return { words, weight: proximityWeight * pairs.reduce((sum, frequency) => sum + frequency, 0) }
}
