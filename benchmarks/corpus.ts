/** Texts that are made up, with words as unevenly frequent as those of a language (Zipf's law), always the same ones. */

export type Corpus = {
  /** A text of so many paragraphs, each of which becomes one chunk. */
  text(paragraphs: number): string
  /** Two to five words of the corpus, without its commonest ones. */
  query(): string
}

const vocabularySize = 50_000
/** Like "the" and "of", which people leave out of queries. */
const commonest = 100
const leastParagraphLength = 1_020
const wordsInSentence = 14

export function createCorpus(): Corpus {
  const random = createRandom()
  const words = Array.from({ length: vocabularySize }, (_, rank) => wordOf(rank))
  const cumulative = new Float64Array(vocabularySize)
  let sum = 0
  for (let rank = 0; rank < vocabularySize; rank++) cumulative[rank] = sum += 1 / (rank + 2.7)
  const draw = (): number => lowestAbove(cumulative, random() * sum)

  const paragraph = (): string => {
    let text = ''
    for (let count = 0; text.length < leastParagraphLength; count++) {
      if (count > 0) text += count % wordsInSentence === 0 ? '. ' : ' '
      text += words[draw()]
    }
    return `${text}.`
  }

  return {
    text: paragraphs => Array.from({ length: paragraphs }, paragraph).join('\n\n'),
    query() {
      const length = 2 + Math.floor(random() * 4)
      const chosen = new Set<number>()
      while (chosen.size < length) {
        const rank = draw()
        if (rank >= commonest) chosen.add(rank)
      }
      return [...chosen].map(rank => words[rank]).join(' ')
    },
  }
}

const consonants = 'bdfgklmnprstvz'
const vowels = 'aeiou'

/** A word that can be spoken, the longer the rarer. */
function wordOf(rank: number): string {
  let word = ''
  for (
    let rest = rank + consonants.length;
    rest > 0;
    rest = Math.floor(rest / (consonants.length * vowels.length))
  ) {
    word += consonants.charAt(rest % consonants.length)
    word += vowels.charAt(Math.floor(rest / consonants.length) % vowels.length)
  }
  return `${word}n`
}

function lowestAbove(cumulative: Float64Array, value: number): number {
  let low = 0
  let high = cumulative.length - 1
  while (low < high) {
    const middle = (low + high) >> 1
    if ((cumulative[middle] ?? 0) < value) low = middle + 1
    else high = middle
  }
  return low
}

/** Numbers from 0 to 1, the same ones each time (mulberry32). */
export function createRandom(): () => number {
  let state = 1
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}
