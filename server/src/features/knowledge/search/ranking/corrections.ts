/**
 * What a word that no text has was meant to be: the commonest term of the index that is one mistake away, of long words
 * two. Only words are corrected: a number that is not there is another number.
 */
import { plainTerm } from '../analysis/languages.ts'
import { chunksWith } from '../index/statistics.ts'
import type { QueryWord } from './query.ts'
import type { CountedTerm } from './search-store.ts'

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
    .toSorted((a, b) => chunksWith(b.counts) - chunksWith(a.counts) || (a.term < b.term ? -1 : 1))
    .slice(0, maxTried)
  const reach = await reachOf(commonest.map(({ term }) => term))
  const best = commonest
    .map((counted, place) => ({ counted, count: reach[place] ?? 0 }))
    .filter(({ count }) => count > 0)
    .sort((a, b) => b.count - a.count)
  return best[0]?.counted ?? null
}

/**
 * How many letters are wrong: missing, too many, others, or two neighbours in the wrong order (optimal string alignment,
 * in which packages for Levenshtein's distance count two mistakes). `most` + 1 for all that are further apart.
 */
export function editDistance(one: string, other: string, most: number): number {
  if (Math.abs(one.length - other.length) > most) return most + 1
  let beforePrevious: number[] = []
  let previous = Array.from({ length: other.length + 1 }, (_, place) => place)
  for (let row = 1; row <= one.length; row++) {
    const current = [row]
    let least = row
    for (let column = 1; column <= other.length; column++) {
      const isSame = one[row - 1] === other[column - 1]
      let distance = Math.min(
        (previous[column] ?? 0) + 1,
        (current[column - 1] ?? 0) + 1,
        (previous[column - 1] ?? 0) + (isSame ? 0 : 1),
      )
      const isSwapped = one[row - 1] === other[column - 2] && one[row - 2] === other[column - 1]
      if (row > 1 && column > 1 && isSwapped)
        distance = Math.min(distance, (beforePrevious[column - 2] ?? 0) + 1)
      current.push(distance)
      least = Math.min(least, distance)
    }
    if (least > most) return most + 1
    beforePrevious = previous
    previous = current
  }
  return Math.min(most + 1, previous[other.length] ?? 0)
}

/** Every string that is one such mistake away, with letters of the word's own script; null for scripts of other kinds. */
export function editsOf(word: string): Set<string> | null {
  const letters = alphabets.find(alphabet => Array.from(word).every(letter => alphabet.includes(letter)))
  if (letters === undefined) return null
  const edits = new Set<string>()
  for (let at = 0; at <= word.length; at++) {
    const [before, after] = [word.slice(0, at), word.slice(at)]
    for (const letter of letters) {
      edits.add(`${before}${letter}${after}`)
      if (after !== '') edits.add(`${before}${letter}${after.slice(1)}`)
    }
    edits.add(`${before}${after.slice(1)}`)
    if (after.length > 1) edits.add(`${before}${after[1]}${after[0]}${after.slice(2)}`)
  }
  edits.delete(word)
  return edits
}

/** As `fold` leaves their letters. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяіє',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכךלמםנןסעפףצץקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءئؤ',
]
