/**
 * Cuts English words down to their stems, so that "computing" finds "computers": M. F. Porter's algorithm
 * ("An algorithm for suffix stripping", Program 14(3), 1980) with the two changes its author made later.
 * (`@orama/stemmers` has it too, but loses the letter before "-ion": its "adoption" is not found by "adopt".)
 */

/** The stem of a word of lower-case letters a to z; words of one or two letters are left as they are. */
export function stemEnglish(word: string): string {
  if (word.length < 3) return word
  const singular = withoutPlural(word)
  const present = withVowelledY(withoutPastOrGerund(singular))
  const plain = replaceSuffix(replaceSuffix(present, doubleSuffixes, 0), fullSuffixes, 0)
  return withoutFinalE(replaceSuffix(plain, residualSuffixes, 1))
}

/** A longer suffix comes before every suffix that it ends with. */
type Suffixes = readonly (readonly [suffix: string, replacement: string])[]

const doubleSuffixes: Suffixes = [
  ['ational', 'ate'],
  ['tional', 'tion'],
  ['enci', 'ence'],
  ['anci', 'ance'],
  ['izer', 'ize'],
  ['bli', 'ble'],
  ['alli', 'al'],
  ['entli', 'ent'],
  ['eli', 'e'],
  ['ousli', 'ous'],
  ['ization', 'ize'],
  ['ation', 'ate'],
  ['ator', 'ate'],
  ['alism', 'al'],
  ['iveness', 'ive'],
  ['fulness', 'ful'],
  ['ousness', 'ous'],
  ['aliti', 'al'],
  ['iviti', 'ive'],
  ['biliti', 'ble'],
  ['logi', 'log'],
]

const fullSuffixes: Suffixes = [
  ['icate', 'ic'],
  ['ative', ''],
  ['alize', 'al'],
  ['iciti', 'ic'],
  ['ical', 'ic'],
  ['ful', ''],
  ['ness', ''],
]

const residualSuffixes: Suffixes = [
  ...['al', 'ance', 'ence', 'er', 'ic', 'able', 'ible', 'ant', 'ement', 'ment', 'ent'],
  ...['ion', 'ou', 'ism', 'ate', 'iti', 'ous', 'ive', 'ize'],
].map(suffix => [suffix, ''])

function withoutPlural(word: string): string {
  if (!word.endsWith('s')) return word
  if (word.endsWith('sses') || word.endsWith('ies')) return word.slice(0, -2)
  return word.endsWith('ss') ? word : word.slice(0, -1)
}

function withoutPastOrGerund(word: string): string {
  if (word.endsWith('eed')) return measure(word, word.length - 3) > 0 ? word.slice(0, -1) : word
  const cut = word.endsWith('ed') ? 2 : word.endsWith('ing') ? 3 : 0
  const length = word.length - cut
  if (cut === 0 || !hasVowel(word, length)) return word
  const stem = word.slice(0, length)
  if (stem.endsWith('at') || stem.endsWith('bl') || stem.endsWith('iz')) return `${stem}e`
  if (endsWithDoubleConsonant(stem)) return 'lsz'.includes(stem.slice(-1)) ? stem : stem.slice(0, -1)
  return measure(stem, length) === 1 && endsWithShortSyllable(stem) ? `${stem}e` : stem
}

const withVowelledY = (word: string): string =>
  word.endsWith('y') && hasVowel(word, word.length - 1) ? `${word.slice(0, -1)}i` : word

/** Replaces the first suffix that fits, if the measure of the letters before it exceeds `minMeasure`. */
function replaceSuffix(word: string, suffixes: Suffixes, minMeasure: number): string {
  for (const [suffix, replacement] of suffixes) {
    if (!word.endsWith(suffix)) continue
    const length = word.length - suffix.length
    if (suffix === 'ion' && word[length - 1] !== 's' && word[length - 1] !== 't') return word
    return measure(word, length) > minMeasure ? word.slice(0, length) + replacement : word
  }
  return word
}

function withoutFinalE(word: string): string {
  let stem = word
  if (word.endsWith('e')) {
    const shorter = word.slice(0, -1)
    const size = measure(shorter, shorter.length)
    if (size > 1 || (size === 1 && !endsWithShortSyllable(shorter))) stem = shorter
  }
  return stem.endsWith('ll') && measure(stem, stem.length - 1) > 1 ? stem.slice(0, -1) : stem
}

/** How often a vowel is followed by a consonant in the first `length` letters. */
function measure(word: string, length: number): number {
  let count = 0
  let afterVowel = false
  for (let i = 0; i < length; i++) {
    const vowel = isVowel(word, i)
    if (afterVowel && !vowel) count++
    afterVowel = vowel
  }
  return count
}

function hasVowel(word: string, length: number): boolean {
  for (let i = 0; i < length; i++) if (isVowel(word, i)) return true
  return false
}

/** A "y" is a vowel where it follows a consonant. */
function isVowel(word: string, i: number): boolean {
  const letter = word.charCodeAt(i)
  if (letter === 121) return i > 0 && !isVowel(word, i - 1)
  return letter === 97 || letter === 101 || letter === 105 || letter === 111 || letter === 117
}

function endsWithDoubleConsonant(word: string): boolean {
  const last = word.length - 1
  return last > 0 && word[last] === word[last - 1] && !isVowel(word, last)
}

/** Consonant, vowel, consonant, and the last is not w, x or y: "hop", but not "how". */
function endsWithShortSyllable(word: string): boolean {
  const last = word.length - 1
  return (
    last > 1 &&
    !isVowel(word, last) &&
    isVowel(word, last - 1) &&
    !isVowel(word, last - 2) &&
    !'wxy'.includes(word.slice(-1))
  )
}
