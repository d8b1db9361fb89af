/**
 * What a word that no text has was meant to be: the commonest term of the index that is one mistake away, of long words
 * two. Only words are corrected: a number that is not there is another number.
 */
import { editDistance, editsOf } from './edit-distance.ts'
import { plainTerm } from './languages.ts'
import type { QueryWord } from './query.ts'
import type { CountedTerm } from './vocabulary-store.ts'

export type Vocabulary = {
  /** Those of the terms that the index has. */
  known(terms: readonly string[]): Promise<CountedTerm[]>
  /** Terms that begin so, of these lengths, be they known or not: at most so many. */
  ofLength(prefix: string, lengths: { from: number; to: number }, limit: number): Promise<string[]>
  /** In how many of the chunks that may be found each term is: what no result has is no answer. */
  reachOf(terms: readonly string[]): Promise<number[]>
}

/** In letters of the word as it was asked for. */
const minLetters = 4
const minLettersForTwo = 8
/** Beside words that are found, a short word is more likely one of something else than a slip. */
const minLettersBeside = 6
/** So many terms are compared for two mistakes: some milliseconds. */
const maxCompared = 20_000
/** So many of the commonest are looked up in what may be found. */
const maxTried = 8

/** `isLost` where the query finds nothing as it is: then more is taken for a slip. */
export async function correct(
  word: QueryWord,
  vocabulary: Vocabulary,
  isLost: boolean,
): Promise<CountedTerm | null> {
  const { length } = word.word
  if (!/^\p{L}+$/u.test(word.word) || length > 40 || length < (isLost ? minLetters : minLettersBeside))
    return null
  const best = await bestOf(await oneMistakeAway(word, vocabulary), vocabulary)
  if (best !== null || !isLost || length < minLettersForTwo) return best
  return bestOf(await twoMistakesAway(word, vocabulary), vocabulary)
}

async function oneMistakeAway(word: QueryWord, vocabulary: Vocabulary): Promise<CountedTerm[]> {
  const wanted = new Set<string>()
  for (const term of word.terms) {
    const plain = plainTerm(term)
    const tag = term.slice(plain.length)
    for (const edit of editsOf(plain) ?? []) if (edit.length >= minLetters - 1) wanted.add(`${edit}${tag}`)
  }
  for (const term of word.terms) wanted.delete(term)
  return wanted.size === 0 ? [] : vocabulary.known([...wanted])
}

/** The first two letters are taken as right. */
async function twoMistakesAway(word: QueryWord, vocabulary: Vocabulary): Promise<CountedTerm[]> {
  const stems = [...new Set(word.terms.map(plainTerm))]
  const [prefix = ''] = stems.map(stem => stem.slice(0, 2))
  const lengths = stems.map(stem => stem.length)
  // A term may carry its language behind its stem.
  const range = { from: Math.min(...lengths) - 2, to: Math.max(...lengths) + 5 }
  const near = await vocabulary.ofLength(prefix, range, maxCompared)
  const meant = near.filter(
    term => !word.terms.includes(term) && stems.some(stem => editDistance(stem, plainTerm(term), 2) <= 2),
  )
  return meant.length === 0 ? [] : vocabulary.known(meant)
}

async function bestOf(found: readonly CountedTerm[], { reachOf }: Vocabulary): Promise<CountedTerm | null> {
  if (found.length === 0) return null
  const commonest = found
    .toSorted((a, b) => countOf(b) - countOf(a) || (a.term < b.term ? -1 : 1))
    .slice(0, maxTried)
  const reach = await reachOf(commonest.map(({ term }) => term))
  const best = commonest
    .map((counted, place) => ({ counted, count: reach[place] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return best[0]?.counted ?? null
}

const countOf = ({ counts }: CountedTerm): number => counts[0] + counts[1] + counts[2] + counts[3]
