/**
 * Numbers of spreadsheets as text: dates, times, percentages, money and fractions by their formats, others in full.
 */
import { withoutTrailing } from '@atrium/connectors/trim'

type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'date-time' | 'duration' | 'money' | 'fraction'

export type NumberFormat = {
  kind: NumberKind
  decimals: number
  /** Only for money, else null. */
  currency: Currency | null
  /** Only for a fraction, else null: the only denominator, or the highest. */
  denominator: { only: number } | { highest: number } | null
  /** The places of digits, and the signs between them, of a code such as `00000` or `000-00-0000`; else null. */
  pattern: string | null
}

type Currency = { sign: string; isBefore: boolean }

/** A cell's number as text: `value` is the number as the file writes it, `format` its format code. */
export const formatNumber = (value: string, format: string): string =>
  formatAs(parseFormat(format), value, false)

export function parseFormat(code: string): NumberFormat {
  const kind = kindOf(code)
  const currency = kind === 'number' ? currencyOf(code) : null
  const denominator = kind === 'number' && currency === null ? denominatorOf(code) : null
  return {
    kind: currency !== null ? 'money' : denominator !== null ? 'fraction' : kind,
    decimals: decimalsOf(code),
    currency,
    denominator,
    pattern: kind === 'number' && currency === null && denominator === null ? patternOf(code) : null,
  }
}

export function formatAs(format: NumberFormat, value: string, startsIn1904: boolean): string {
  const { kind, decimals, currency, denominator, pattern } = format
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value.trim()
  if (kind === 'number')
    return pattern === null ? inFull(number) : (codeOf(number, pattern) ?? inFull(number))
  if (kind === 'money') return currency === null ? inFull(number) : moneyOf(number, decimals, currency)
  if (kind === 'fraction')
    return (denominator === null ? null : fractionOf(number, denominator)) ?? inFull(number)
  if (kind === 'percent') return `${inFull(Number((number * 100).toFixed(Math.max(decimals, 2))))}%`
  if (kind === 'duration') return durationOf(number)
  return dateOf(number, kind, startsIn1904) ?? inFull(number)
}

/** The built-in formats, which a file need not spell out, without those of plain numbers. */
export const builtInFormats: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  12: '# ?/?',
  13: '# ??/??',
  ...everyOf([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'yyyy-mm-dd'),
  ...everyOf([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56], 'hh:mm:ss'),
  22: 'yyyy-mm-dd hh:mm:ss',
  46: '[h]:mm:ss',
}

function everyOf(ids: readonly number[], code: string): Record<number, string> {
  return Object.fromEntries(ids.map(id => [id, code]))
}

/** A longer code is read up to here: the rest adds nothing. */
const longestCode = 300

/** Decided by the letters with a meaning in the code's first section. */
function kindOf(format: string): NumberKind {
  const bare =
    format
      .slice(0, longestCode)
      .replace(/"[^"]*"|\\.|_.|\*./g, '')
      .split(';', 1)[0] ?? ''
  if (/\[(h+|m+|s+)\]/i.test(bare)) return 'duration'
  const letters = bare
    .replace(/\[[^[\]]*\]/g, '')
    .replace(/general/gi, '')
    .replace(/am\/pm|a\/p/gi, 'h')
  if (letters.includes('%')) return 'percent'
  const hasDay = /[dyge]/i.test(letters.replace(/e[+-]/gi, ''))
  const hasTime = /[hs]/i.test(letters)
  if (hasDay) return hasTime ? 'date-time' : 'date'
  if (hasTime) return 'time'
  return /m/i.test(letters) ? 'date' : 'number'
}

/** A sign of money before or behind the digits: bare, in quotes, or in brackets with a language. */
function currencyOf(format: string): Currency | null {
  const [first = ''] = format
    .slice(0, longestCode)
    .replace(/_.|\*./g, '')
    .split(';', 1)
  for (const { 0: found, 1: bracketed, 2: quoted, index } of first.matchAll(
    /\[\$([^\]-]*)[^\]]*\]|"([^"]*)"|\p{Sc}/gu,
  )) {
    const sign = (bracketed ?? quoted ?? found).trim()
    if (
      /\p{Sc}/u.test(sign) ||
      (bracketed !== undefined && sign !== '') ||
      currencyWords.has(sign.toLowerCase())
    )
      return { sign, isBefore: !/[0#?]/.test(first.slice(0, index)) }
  }
  return null
}

/** Currencies without a sign, as spreadsheets abbreviate them, and the codes that are written instead of a sign. */
const currencyWords = new Set(
  'aud brl cad chf cny czk dkk eur fr. ft gbp huf inr jpy kr kr. kč лв лв. nok pln ron руб. р. sek sfr. try usd zł'.split(
    ' ',
  ),
)

/** Keeps all digits, and adds zeros up to the decimals of the format. */
function moneyOf(number: number, decimals: number, { sign, isBefore }: Currency): string {
  const full = inFull(Math.abs(number))
  const shown = full.split('.')[1]?.length ?? 0
  const amount =
    shown < decimals && !full.includes('e') ? Math.abs(number).toFixed(Math.min(decimals, 20)) : full
  const minus = number < 0 ? '-' : ''
  if (!isBefore) return `${minus}${amount} ${sign}`
  return `${minus}${sign}${/\p{L}$/u.test(sign) ? ' ' : ''}${amount}`
}

function denominatorOf(format: string): NumberFormat['denominator'] {
  const [, places = ''] = /[#?0]\s*\/\s*(\?{1,3}|#{1,3}|\d{1,4})/.exec(format.slice(0, longestCode)) ?? []
  if (places === '') return null
  return /[1-9]/.test(places) ? { only: Number(places) } : { highest: 10 ** places.length - 1 }
}

/** Null if no such fraction is near: then the number says more. */
function fractionOf(number: number, of: { only: number } | { highest: number }): string | null {
  const whole = Math.trunc(number)
  const rest = Math.abs(number - whole)
  const [first, last] = 'only' in of ? [of.only, of.only] : [1, of.highest]
  let best = { above: 0, below: 1, fault: Number.POSITIVE_INFINITY }
  for (let below = first; below <= last && best.fault > 1e-9; below++) {
    const above = Math.round(rest * below)
    const fault = Math.abs(rest - above / below)
    if (fault < best.fault - 1e-12) best = { above, below, fault }
  }
  if (best.fault > 0.5 / last || !Number.isSafeInteger(whole)) return null
  const minus = number < 0 ? '-' : ''
  const wholes = Math.abs(whole) + (best.above === best.below ? 1 : 0)
  if (best.above === 0 || best.above === best.below) return wholes === 0 ? '0' : `${minus}${wholes}`
  return `${minus}${wholes === 0 ? '' : `${wholes} `}${best.above}/${best.below}`
}

/** Numbers of articles, telephones and the like, whose zeros in front count. */
function patternOf(format: string): string | null {
  const [first = ''] = format.slice(0, longestCode).split(';', 1)
  const shown = first.replace(
    /"([^"]*)"|\\(.)|_.|\*.|\[[^[\]]*\]/g,
    (_, quoted = '', escaped = '') => quoted + escaped,
  )
  const zeros = shown.match(/0/g)?.length ?? 0
  return zeros > 1 && /^[0# ()/+-]*$/.test(shown) && /0[^0#]*0/.test(shown) ? shown : null
}

/** Null if the number is none that the pattern is for. */
function codeOf(number: number, pattern: string): string | null {
  if (!Number.isSafeInteger(number) || number < 0) return null
  const places = pattern.match(/[0#]/g)?.length ?? 0
  const digits = String(number).padStart(pattern.match(/0/g)?.length ?? 0, '0')
  if (digits.length > places && /[^0#]/.test(pattern)) return null
  let rest = digits
  const parts: string[] = []
  for (const sign of [...pattern].reverse()) {
    if (sign !== '0' && sign !== '#') {
      if (rest !== '' || /[(+]/.test(sign)) parts.unshift(sign)
    } else if (rest !== '') {
      parts.unshift(rest.slice(-1))
      rest = rest.slice(0, -1)
    }
  }
  return (rest + parts.join('')).trim()
}

const decimalsOf = (format: string): number => /\.([0#?]+)/.exec(format)?.[1]?.length ?? 0

/** With the fifteen digits that a spreadsheet keeps, and without an exponent between 1e-12 and 1e21. */
function inFull(number: number): string {
  if (Number.isSafeInteger(number) && Math.abs(number) < 1e15) return String(number)
  const rounded = Number(number.toPrecision(15))
  const text = String(rounded)
  if (!text.includes('e-')) return text
  return Math.abs(rounded) < 1e-12 ? text : withoutTrailing(rounded.toFixed(20), '0')
}

const secondsPerDay = 86_400
/** 9999-12-31: a larger number is not a date. */
const lastSerial = 2_958_465

/** Null if the number is no date. */
function dateOf(serial: number, kind: 'date' | 'time' | 'date-time', startsIn1904: boolean): string | null {
  const days = serial + (startsIn1904 ? 1_462 : 0)
  if (days < 0 || days > lastSerial) return null
  // The calendar that all spreadsheets share has a 29 February 1900.
  const sinceEpoch = days < 60 ? days + 1 : days
  const seconds = Math.round(sinceEpoch * secondsPerDay)
  const iso = new Date(Date.UTC(1899, 11, 30) + seconds * 1_000).toISOString()
  const [date, time] = [iso.slice(0, 10), iso.slice(11, 19)]
  if (kind === 'time' || days < 1) return time
  return kind === 'date' ? date : `${date} ${time}`
}

function durationOf(days: number): string {
  const seconds = Math.round(Math.abs(days) * secondsPerDay)
  const twoDigits = (count: number): string => String(Math.floor(count)).padStart(2, '0')
  const sign = days < 0 ? '-' : ''
  return `${sign}${twoDigits(seconds / 3_600)}:${twoDigits((seconds / 60) % 60)}:${twoDigits(seconds % 60)}`
}
