/** Folds the spellings of a word into one form: small and capital, accented and plain, full-width letters. */

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
  return lower
    .normalize('NFD')
    .replace(/[\u0300-\u036f]/g, '')
    .normalize('NFC')
    .replace(/[ßæœøđðłþıςŧħ]/g, letter => plainLetters[letter] ?? letter)
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
