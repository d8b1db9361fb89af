/**
 * Corrects a word that no text has: to the commonest term of the index that is one mistake away, or two in long
 * words. Only words are corrected: an unknown number is another number.
 */
import { plainTerm } from '../../../../platform/analysis/languages.ts'
import { chunksWith } from '../index/statistics.ts'
import type { QueryWord } from './query.ts'
import type { CountedTerm } from './search-store.ts'

export type Vocabulary = {
  /** The given terms that the index has. */
  known(terms: readonly string[]): Promise<CountedTerm[]>
  /** Terms with this prefix and of these lengths, whether `known` or not, at most `limit`. */
  ofLength(prefix: string, lengths: { from: number; to: number }, limit: number): Promise<string[]>
  /** How many chunks that may be found have each term. A term of no such chunk is no correction. */
  reachOf(terms: readonly string[]): Promise<number[]>
}

/** In letters of the word in the query. */
const minLetters = 4
const minLettersForTwo = 8
/** If other words are found, a short unknown word is more likely a word of another topic than a slip. */
const minLettersBeside = 6
/** The most terms that are compared for two mistakes. This takes some milliseconds. */
const maxCompared = 20_000
/** The most terms, commonest first, that are looked up in the chunks that may be found. */
const maxTried = 8

/** `isLost` is true if the query finds nothing as it is. Then more words count as slips. */
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

/** Assumes that the first two letters are right. */
async function twoMistakesAway(word: QueryWord, vocabulary: Vocabulary): Promise<CountedTerm[]> {
  const stems = [...new Set(word.terms.map(plainTerm))]
  const [prefix = ''] = stems.map(stem => stem.slice(0, 2))
  const lengths = stems.map(stem => stem.length)
  // A term may carry its language after its stem.
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
 * The number of wrong letters: missing, extra or different letters, or two neighbours in the wrong order. This is
 * optimal string alignment; packages for Levenshtein's distance count wrong order as two mistakes. Returns `most` + 1
 * for greater distances.
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

/** Every string one such mistake away, in letters of the word's own script. Null for scripts of other kinds. */
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

/** The letters as `fold` leaves them. */
const alphabets = [
  'abcdefghijklmnopqrstuvwxyz',
  'абвгдежзиклмнопрстуфхцчшщъыьэюяіє',
  'αβγδεζηθικλμνξοπρστυφχψω',
  'אבגדהוזחטיכךלמםנןסעפףצץקרשת',
  'ابتثجحخدذرزسشصضطظعغفقكلمنهويةىءئؤ',
]
