/** The one scorer: it ranks candidates the same way whichever database found them. */
import type { EncodedTerms } from '../index/chunk-terms.ts'
import {
  bodyShareOfNamed,
  inverseFrequency,
  type MeanLengths,
  nameWeight,
  proximityWeight,
  saturation,
  spellingShare,
  termRelevance,
} from '../index/relevance.ts'
import type { QueryPair, Spelled } from './query.ts'
import { createNameScanner, createPhraseCounter, createScanner, type Phrase } from './scan.ts'

/** A word of the query with what the index knows of it. */
export type WeighedWord = {
  /** The word in the query. */
  word: string
  /** The terms of the word in the index. */
  terms: readonly string[]
  /** Its frequency in the query × its inverse frequency in the index. */
  weight: number
  inverseFrequency: number
  /** For another spelling, the places of the words that it stands for. If empty, it stands for itself. */
  spells: readonly Spelled[] | null
  /** The word's place in the query. For another spelling, `partOf` also has the places of words that no text has. */
  place?: number
  partOf?: readonly Spelled[]
  /** The term that was looked for instead, if the index does not have the word. */
  correctedTo?: string
}

/** `words` are the phrase's telling words, by their places among the words of the query. */
export type WeighedPhrase = { phrase: Phrase; words: readonly number[] }

/**
 * A part of a chunk's score; the parts add up to the score. `proximity` is for two words side by side, `phrase` for a
 * phrase in quotes. `terms` are the query's words. `correctedTo` is the term found in place of a word that no text
 * has.
 */
export type ScorePart = {
  terms: string[]
  field: 'body' | 'title' | 'headings' | 'name' | 'proximity' | 'phrase'
  score: number
  correctedTo?: string | undefined
}

/** Both functions take a chunk's terms as `encodeTerms` writes them. */
export type Scorer = { score(encoded: EncodedTerms): number; explain(encoded: EncodedTerms): ScorePart[] }

export type Weighed = {
  words: readonly WeighedWord[]
  pairs: readonly QueryPair[]
  phrases: readonly WeighedPhrase[]
  /** Phrases that count as a word. */
  apart?: readonly { word: string; weight: number; phrase: Phrase }[]
}

type TakePart = (field: ScorePart['field'], words: readonly WeighedWord[], score: number) => void

/** `names` are the names of the documents to choose from: a word that all of the names have tells nothing. */
export function createScorer(
  { words, pairs: asked, phrases, apart = [] }: Weighed,
  mean: MeanLengths,
  names: Iterable<EncodedTerms>,
): Scorer {
  const single = words.map(word => [word])
  const pairs = weighPairs(words, asked)
  const quoted = phrases.map(({ words: places }) => weighPhrase(places.flatMap(place => words[place] ?? [])))
  const scan = createScanner(
    words.map(({ terms }) => terms),
    pairs.map(({ places }) => places),
  )
  const readNamed = createNameReader(words)
  const isWritten = createSpellingReader(words)
  const nameWeights = weighNames(words, readNamed, createNameScanner(words.map(({ terms }) => terms)), names)
  const countPhrases = createPhraseCounter([...phrases, ...apart].map(({ phrase }) => phrase))
  const written = apart.map(({ word, weight }) => ({
    own: [{ word, terms: [], weight, inverseFrequency: weight, spells: null }],
    weight,
  }))

  const eachPart = (encoded: EncodedTerms, take: TakePart): void => {
    const { counts, pairCounts, lengths } = scan(encoded)
    const named = readNamed(place => (counts[place]?.[1] ?? 0) > 0)
    let isWhole: ((word: WeighedWord) => boolean) | undefined
    for (let place = 0; place < words.length; place++) {
      const word = words[place]
      const count = counts[place]
      const share = named[place] ?? 0
      if (word === undefined || count === undefined) continue
      const own = single[place] ?? []
      if (share > 0) take('name', own, (nameWeights[place] ?? 0) * share)
      if (!count.some(isPositive)) continue
      const relevance = termRelevance(count, lengths, mean)
      if (word.spells !== null) {
        // A part alone is another word: a text with "ISO" does not always answer "ISO27001".
        isWhole ??= isWritten(at => counts[at]?.some(isPositive) === true)
        if (!isWhole(word)) continue
        take('body', own, word.weight * relevance.body * shareInTexts(word.spells))
        continue
      }
      take('body', own, word.weight * relevance.body * (1 - (1 - bodyShareOfNamed) * share))
      take('title', own, word.weight * relevance.title)
      take('headings', own, word.weight * relevance.headings)
    }
    const bodyLength = lengths[0] + lengths[2] + lengths[3]
    for (const [place, { both, weight }] of pairs.entries()) {
      take('proximity', both, weight * saturation(pairCounts[place] ?? 0, bodyLength, mean.body))
    }
    if (quoted.length + written.length === 0) return
    const phraseCounts = countPhrases(encoded)
    for (const [place, { own, weight }] of written.entries()) {
      const count = phraseCounts[quoted.length + place] ?? 0
      take('body', own, weight * saturation(count, bodyLength, mean.body))
    }
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

/** Scores a document's name alone, from any of its chunks. `names` are as in `createScorer`. */
export function createNameScorer(
  words: readonly WeighedWord[],
  names: Iterable<EncodedTerms>,
): (encoded: EncodedTerms) => number {
  const readNamed = createNameReader(words)
  const read = createNameScanner(words.map(({ terms }) => terms))
  const weights = weighNames(words, readNamed, read, names)
  return encoded => {
    const found = read(encoded)
    return readNamed(place => found[place] === 1).reduce(
      (sum, share, place) => sum + share * (weights[place] ?? 0),
      0,
    )
  }
}

/** For each word, how much of it a file's name has: from 0 to 1. The result is valid until the next call. */
type NameReader = (isInName: (place: number) => boolean) => Float64Array

function createNameReader(words: readonly WeighedWord[]): NameReader {
  const shares = new Float64Array(words.length)
  return isInName => {
    shares.fill(0)
    for (let place = 0; place < words.length; place++) {
      const spells = words[place]?.spells
      if (spells === undefined || !isInName(place)) continue
      if (spells === null || spells.length === 0) shares[place] = 1
      else
        for (const spelled of spells)
          shares[spelled.place] = Math.min(1, (shares[spelled.place] ?? 0) + spelled.share)
    }
    return shares
  }
}

/** The least sum of the shares of all parts, which are rounded. */
const wholeShare = 0.999

/** Whether a text has all words that a spelling is a part of, either whole or in parts. */
function createSpellingReader(words: readonly WeighedWord[]) {
  const spelled = words.flatMap(({ partOf = [] }) => partOf.map(({ place }) => place))
  const shares = new Float64Array(Math.max(-1, ...spelled) + 1)
  return (isThere: (place: number) => boolean): ((word: WeighedWord) => boolean) => {
    if (shares.length === 0) return () => true
    shares.fill(0)
    for (const [at, { place = -1, partOf }] of words.entries()) {
      if (!isThere(at)) continue
      if (partOf === undefined && place >= 0 && place < shares.length) shares[place] = 1
      for (const part of partOf ?? []) shares[part.place] = (shares[part.place] ?? 0) + part.share
    }
    return ({ partOf = [] }) => partOf.every(({ place }) => (shares[place] ?? 0) >= wholeShare)
  }
}

/**
 * A word in a name counts by its rarity in texts or by its rarity in names, whichever is greater. Nearly all reports
 * mention 2019, but few have it in their name.
 */
function weighNames(
  words: readonly WeighedWord[],
  readNamed: NameReader,
  read: (encoded: EncodedTerms) => Uint8Array,
  names: Iterable<EncodedTerms>,
): number[] {
  const containing = words.map(() => 0)
  let all = 0
  for (const encoded of names) {
    all++
    const found = read(encoded)
    for (const [place, share] of readNamed(word => found[word] === 1).entries())
      containing[place] = (containing[place] ?? 0) + share
  }
  return words.map(({ weight, inverseFrequency: inTexts }, place) => {
    const inNames = inverseFrequency(Math.min(all, containing[place] ?? 0), all)
    return nameWeight * (weight / inTexts) * Math.max(inTexts, inNames)
  })
}

/** "ISO27001" in a text answers "ISO 27001", but less than the words themselves do. */
const shareInTexts = (spells: readonly Spelled[]): number =>
  spells.reduce((least, { share }) => Math.min(least, share), spellingShare)

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
