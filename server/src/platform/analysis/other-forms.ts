/**
 * Further forms by which a text is found, besides its words: a hyphenated word as one, numbers and codes without their
 * separators, a number with its unit, a name with its sign. A text and a query have the same forms. So it makes no
 * difference in which of the spellings each is written.
 */
import { withoutTrailing } from '@atrium/connectors/trim'
import { fold } from './fold.ts'

/** Where a form is in the text, in UTF-16 units. */
export type Form = {
  kind: 'joined' | 'number' | 'code' | 'unit' | 'sign' | 'name'
  /** The form as a word that may be stemmed (`joined`, `name`), or the term itself. */
  word: string
  start: number
  end: number
}

/** The forms of a text, by their kinds. */
export function formsOf(text: string): Form[] {
  const forms: Form[] = []
  const take = (kind: Form['kind'], start: number, end: number, word: string): void => {
    if (word.length >= shortestForm && word.length <= longestForm) forms.push({ kind, word, start, end })
  }
  const each = (pattern: RegExp, read: (match: RegExpExecArray) => void): void => {
    pattern.lastIndex = 0
    for (let match = pattern.exec(text); match !== null; match = pattern.exec(text)) read(match)
  }
  const takeJoined = ({ 0: all, index }: RegExpExecArray): void =>
    take('joined', index, index + all.length, fold(all.replace(notOfWord, '')))
  if (mayBe.hyphened.test(text)) each(hyphened, takeJoined)
  if (mayBe.dotted.test(text)) each(dotted, takeJoined)
  if (mayBe.elided.test(text)) each(elided, takeJoined)
  if (mayBe.signed.test(text)) {
    each(signed, ({ 0: all, 1: word = '', 2: sign = '', index }) =>
      take('sign', index, index + all.length, `${fold(word)}${signNames[sign] ?? ''}`),
    )
  }
  if (mayBe.dotFirst.test(text)) {
    each(dotFirst, ({ 0: all, 1: word = '', index }) =>
      take('sign', index, index + all.length, `dot${fold(word)}`),
    )
  }
  if (mayBe.withEnding.test(text)) {
    each(withEnding, ({ 1: word = '', 2: ending = '', index }) => {
      if (!englishEndings.has(ending)) take('name', index, index + word.length, fold(word))
    })
  }
  if (!anyDigit.test(text)) return forms
  each(grouped, ({ 0: all, index }) => take('number', index, index + all.length, digitsOf(all)))
  each(code, ({ 0: all, index }) => {
    const written = all.replace(leftOutOfCode, '')
    const plain = fold(written.replace(notOfWord, ''))
    const digits = plain.replace(/[^0-9]/g, '').length
    const groups = written.split(/[^\p{L}\p{N}]+/u).filter(group => group !== '').length
    if (groups > 1 && digits >= fewestDigits && digits >= 2 * groups && !isGrouped.test(all)) {
      take('code', index, index + all.trimEnd().length, plain)
    }
  })
  each(measured, ({ 0: all, 1: before = '', 2: number = '', 3: after = '', index }) => {
    const unit = unitOf(before) ?? unitOf(after)
    if (unit !== undefined) take('unit', index, index + all.length, `${plainNumber(number)}${unit}`)
  })
  return forms
}

/** In UTF-16 units. */
const shortestForm = 2
const longestForm = 34
const fewestDigits = 6

const notOfWord = /[^\p{L}\p{N}\p{M}]+/gu
const anyDigit = /\p{Nd}/u

// All quantifiers are bounded, and a match begins where a word begins, so the time grows with the text's length.

const letterOrDigit = String.raw`[\p{L}\p{N}\p{M}]`
const wordBefore = `(?<!${letterOrDigit}|[-‐‑.])`
/** Signs without which a text has no such form: most texts have none of them, and this is found out quickly. */
const mayBe = {
  hyphened: /[-‐‑]/,
  dotted: /[^\s.]\.[^\s\d.]|&/,
  elided: /['’]\p{Lu}/u,
  signed: /[+#♯]/,
  dotFirst: /(?:^|[\s(])\.\p{L}/u,
  withEnding: /\p{L}['’]\p{Ll}/u,
}
/** "check-in", "Wi-Fi", "QX-5333". */
const hyphened = new RegExp(
  `${wordBefore}${letterOrDigit}{1,24}(?:[-‐‑]${letterOrDigit}{1,24}){1,3}(?!${letterOrDigit}|[-‐‑]${letterOrDigit})`,
  'gu',
)
/** "U.S.A.", "Node.js", "ASP.NET", "AT&T", but neither a host nor a file with a path. */
const dotted = new RegExp(
  String.raw`(?<!${letterOrDigit}|[-./@&\\_:])(?:\p{L}(?:\.\p{L}){1,5}|\p{L}{2,12}\.\p{L}{2,4}|\p{L}{1,4}&\p{L}{1,4})(?!${letterOrDigit}|[-@/\\_&]|\.${letterOrDigit})`,
  'gu',
)
/** "C++", "C#", "F#", "Disney+". */
const signed = new RegExp(
  String.raw`(?<!${letterOrDigit})(\p{L}[\p{L}\p{N}]{0,14})(\+{1,2}|[#♯])(?!${letterOrDigit}|[+#])`,
  'gu',
)
const signNames: Readonly<Record<string, string>> = {
  '+': 'plus',
  '++': 'plusplus',
  '#': 'sharp',
  '♯': 'sharp',
}
/** ".NET", ".env". */
const dotFirst = new RegExp(String.raw`(?<!${letterOrDigit}|[./\\])\.(\p{L}{2,8})(?!${letterOrDigit})`, 'gu')

/** "İstanbul'da", "Türkiye’nin": Turkish writes a name's endings behind an apostrophe. */
const withEnding = new RegExp(
  String.raw`(?<!${letterOrDigit}|['’])(\p{Lu}\p{L}{2,30})['’](\p{Ll}{1,7})(?!${letterOrDigit})`,
  'gu',
)
/** "L'Oréal", which people also write as one. */
const elided = new RegExp(
  String.raw`(?<!${letterOrDigit}|['’])\p{L}{1,6}['’]\p{Lu}\p{L}{2,20}(?!${letterOrDigit})`,
  'gu',
)
const englishEndings: ReadonlySet<string> = new Set(['s', 't', 'd', 'm', 'll', 're', 've'])

/** Between the groups of a number: also the signs of Arabic, and blanks that hold a line together. */
const separators = String.raw`[.,'’٬\u00a0\u2009\u202f ]`
/** "1,250,000", "1.250.000", "1 250 000", "12,50,000". */
const grouped = new RegExp(
  String.raw`(?<![\p{Nd}\p{L}]|\p{Nd}[.,])(?:\p{Nd}{1,3}(${separators})\p{Nd}{3}(?:\1\p{Nd}{3}){0,5}|\p{Nd}{1,2}(?:,\p{Nd}{2}){1,4},\p{Nd}{3})(?!\p{Nd}|\p{L})`,
  'gu',
)
const isGrouped = /^\p{Nd}{1,3}(?:[.,'’]\p{Nd}{3})+$/u

/** An IBAN, a telephone number, a serial number, a date. Capitals stand among the groups of digits. */
const code = new RegExp(
  String.raw`(?<!${letterOrDigit}|[-/.]|\p{N},)(?:\p{Lu}{1,4}[-/])?\+?\(?\p{Lu}{0,3}\p{Nd}[\p{Nd}\p{Lu}]{0,11}\)?(?:(?:[\u00a0 ]|[\u00a0 ]?[-/.][\u00a0 ]?| ?\(0?\) ?)\(?(?:\p{Lu}{0,3}\p{Nd}[\p{Nd}\p{Lu}]{0,11}|\p{Lu}{4})(?!\p{Ll}|[.,]\p{Nd}{3})\)?){1,9}(?!${letterOrDigit})`,
  'gu',
)
/** "+43 (0)1 …": the zero is dialled at home only. */
const leftOutOfCode = /\(0\)/g

const unitNames: Readonly<Record<string, string>> = {
  '%': 'percent',
  percent: 'percent',
  prozent: 'percent',
  procent: 'percent',
  '€': 'eur',
  euro: 'eur',
  euros: 'eur',
  $: 'usd',
  '£': 'gbp',
  '¥': 'jpy',
  '°c': 'c',
  '°f': 'f',
  '℃': 'c',
  '℉': 'f',
  µm: 'um',
  µg: 'ug',
  µl: 'ul',
  'm²': 'm2',
  'm³': 'm3',
  'km²': 'km2',
  'cm²': 'cm2',
  'cm³': 'cm3',
}
const plainUnits = [
  ...['mm', 'cm', 'dm', 'm', 'km', 'mg', 'g', 'kg', 't', 'ml', 'cl', 'dl', 'l', 'hl', 'm2', 'm3', 'ha'],
  ...['w', 'kw', 'mw', 'gw', 'kwh', 'mwh', 'v', 'mv', 'kv', 'ma', 'mah', 'ah', 'hz', 'khz', 'mhz', 'ghz'],
  ...[
    'kb',
    'mb',
    'gb',
    'tb',
    'kib',
    'mib',
    'gib',
    'kbit',
    'mbit',
    'gbit',
    'mbps',
    'gbps',
    'bar',
    'mbar',
    'psi',
  ],
  ...[
    'pa',
    'kpa',
    'mpa',
    'hpa',
    'kn',
    'nm',
    'j',
    'kj',
    'kcal',
    'cal',
    'c',
    'f',
    'k',
    'db',
    'dpi',
    'px',
    'pt',
    'rpm',
  ],
  ...[
    'min',
    'h',
    's',
    'ms',
    'sec',
    'lb',
    'lbs',
    'oz',
    'ft',
    'mi',
    'mph',
    'kmh',
    'yd',
    'gal',
    'lm',
    'lx',
    'ppm',
    'um',
    'ug',
    'ul',
  ],
  ...['eur', 'usd', 'gbp', 'chf', 'jpy', 'sek', 'nok', 'dkk', 'pln', 'czk', 'inr', 'cny', 'aud', 'cad'],
  ...['мм', 'см', 'м', 'км', 'мг', 'г', 'кг', 'мл', 'л', 'кв', 'мин', 'ч', 'руб'],
]
const knownUnits: ReadonlyMap<string, string> = new Map([
  ...plainUnits.map(unit => [unit, unit] as const),
  ...Object.entries(unitNames),
])
const unitOf = (written: string): string | undefined =>
  written === '' ? undefined : knownUnits.get(written.replace(/\s/g, '').toLowerCase().replace('μ', 'µ'))

/** "500 ml", "500ml", "1,5 kg", "€ 20", "20 EUR". */
const measured = new RegExp(
  String.raw`(?<!${letterOrDigit}|\p{Nd}[.,])(?:([€$£¥]|EUR|USD|GBP|CHF) ?)?(\p{Nd}{1,12}(?:[.,'’]\p{Nd}{1,12}){0,4})[ \u00a0\u202f]?((?:°\s?)?[\p{L}µ]{1,7}[²³]?|[%€$£¥℃℉])?(?!${letterOrDigit})`,
  'gu',
)

const digitsOf = (written: string): string => fold(written.replace(/[^\p{Nd}]/gu, ''))

/** The decimal sign becomes a letter, since "1.5" and "1,5" are one number, and 15 is another. */
function plainNumber(written: string): string {
  if (isGrouped.test(written)) return digitsOf(written)
  const decimals = /[.,](\p{Nd}{1,12})$/u.exec(written)
  if (decimals === null) return digitsOf(written)
  const whole = digitsOf(written.slice(0, decimals.index))
  const rest = withoutTrailing(digitsOf(decimals[1] ?? ''), '0')
  return rest === '' ? whole : `${whole}p${rest}`
}
