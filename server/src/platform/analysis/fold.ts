/**
 * Folds the spellings of a word into one form: small and capital, accented and plain, full-width letters. Of Arabic,
 * Hebrew and Indic scripts it folds what writers leave out or exchange: vowel signs, forms of a letter, digits.
 */

/** Empty if nothing is left, for example of an accent alone. */
export function fold(word: string): string {
  if (/^[a-z0-9]+$/.test(word)) return word
  if (/^[A-Za-z0-9]+$/.test(word)) return word.toLowerCase()
  return unaccented(bareLower(word))
}

/** The word in small letters, with accents, without apostrophes, soft hyphens and joiners. */
export const bareLower = (word: string): string =>
  word
    .normalize('NFKC')
    .toLowerCase()
    .replace(/['’]s$/, '')
    .replace(/[^\p{L}\p{N}\p{M}]+/gu, '')

function unaccented(lower: string): string {
  if (/^[a-z0-9]*$/.test(lower)) return lower
  const plain = lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøđðłþıςŧħ]/g, letter => plainLetters[letter] ?? letter)
  return beyondGreek.test(plain) ? ofOtherScript(plain) : plain
}

/** Letters that Unicode does not decompose. */
const plainLetters: Readonly<Record<string, string>> = {
  ß: 'ss',
  æ: 'ae',
  œ: 'oe',
  ø: 'o',
  đ: 'd',
  ð: 'd',
  ł: 'l',
  þ: 'th',
  ı: 'i',
  ς: 'σ',
  ŧ: 't',
  ħ: 'h',
}

/** From Hebrew to the last of the Indic scripts and their digits. */
const beyondGreek = /[\u0590-\u1099\u17e0-\u17e9]/

const ofOtherScript = (word: string): string =>
  word
    .normalize('NFD')
    .replace(leftOut, '')
    .replace(nasal, 'ं')
    .replace(exchanged, letter => exchangedFor.get(letter) ?? letter)
    .normalize('NFC')
    .replace(otherDigits, digit => String(digitOf(digit)))

/** Points of Hebrew, vowels and the hamza above or below a letter of Arabic, its stretching line, the Indic dot. */
const leftOut =
  /[\u0591-\u05bd\u05bf\u05c1\u05c2\u05c4\u05c5\u05c7\u0610-\u061a\u0640\u064b-\u065f\u0670\u06d6-\u06dc\u06df-\u06e8\u06ea-\u06ed\u093c\u09bc\u0a3c\u0abc\u0b3c\u0cbc]/g

/** A nasal before another consonant of Devanagari, which is also written as a dot: हिन्दी, हिंदी. */
const nasal = /[ङञणनम]्(?=[क-ह])/gu

/** Each letter with those that are written in its place. */
const exchangeable: readonly (readonly [string, string])[] = [
  ['ا', '\u0671'],
  ['ي', 'ىیے'],
  ['ك', 'ک'],
  ['ه', 'ةہەھۀ'],
  ['כ', 'ך'],
  ['מ', 'ם'],
  ['נ', 'ן'],
  ['פ', 'ף'],
  ['צ', 'ץ'],
  // Devanagari: the two signs of a nasal, and long vowels, which are often written short.
  ['ं', 'ँ'],
  ['इ', 'ई'],
  ['उ', 'ऊ'],
  ['ि', 'ी'],
  ['ु', 'ू'],
]
const exchangedFor = new Map(
  exchangeable.flatMap(([letter, others]) => Array.from(others, other => [other, letter] as const)),
)
const exchanged = new RegExp(`[${[...exchangedFor.keys()].join('')}]`, 'gu')

/** The zeros of the scripts that have digits of their own; nine more digits follow each. */
const zeros = [
  ...[0x660, 0x6f0, 0x7c0, 0x966, 0x9e6, 0xa66, 0xae6, 0xb66, 0xbe6, 0xc66, 0xce6, 0xd66],
  ...[0xe50, 0xed0, 0xf20, 0x1040, 0x1090, 0x17e0],
]
const otherDigits = new RegExp(
  `[${zeros.map(zero => `${String.fromCharCode(zero)}-${String.fromCharCode(zero + 9)}`).join('')}]`,
  'gu',
)
const digitOf = (digit: string): number => {
  const code = digit.charCodeAt(0)
  return code - (zeros.findLast(zero => zero <= code) ?? code)
}
