/** Numbers of spreadsheets as text: dates, times and percentages as their formats mean them, anything else in full. */

export type NumberKind = 'number' | 'percent' | 'date' | 'time' | 'date-time' | 'duration'

/** What a number of a cell says: `value` is as the file writes it, `format` its format code. */
export const formatNumber = (value: string, format: string, startsIn1904 = false): string =>
  formatAs(kindOf(format), value, decimalsOf(format), startsIn1904)

export function formatAs(kind: NumberKind, value: string, decimals: number, startsIn1904: boolean): string {
  const number = Number(value)
  if (value.trim() === '' || !Number.isFinite(number)) return value.trim()
  if (kind === 'number') return inFull(number)
  if (kind === 'percent') return `${inFull(Number((number * 100).toFixed(Math.max(decimals, 2))))}%`
  if (kind === 'duration') return durationOf(number)
  return dateOf(number, kind, startsIn1904) ?? inFull(number)
}

/** Of the formats that a file need not spell out, those that are no plain numbers. */
export const builtInFormats: Readonly<Record<number, string>> = {
  9: '0%',
  10: '0.00%',
  ...everyOf([14, 15, 16, 17, 27, 28, 29, 30, 31, 36, 50, 51, 52, 53, 54, 57, 58], 'yyyy-mm-dd'),
  ...everyOf([18, 19, 20, 21, 32, 33, 34, 35, 45, 47, 55, 56], 'hh:mm:ss'),
  22: 'yyyy-mm-dd hh:mm:ss',
  46: '[h]:mm:ss',
}

function everyOf(ids: readonly number[], code: string): Record<number, string> {
  return Object.fromEntries(ids.map(id => [id, code]))
}

/** By the letters of the code's first section that mean something. */
export function kindOf(format: string): NumberKind {
  const bare =
    format
      .slice(0, 300)
      .replace(/"[^"]*"|\\.|_.|\*./g, '')
      .split(';', 1)[0] ?? ''
  if (/\[(h+|m+|s+)\]/i.test(bare)) return 'duration'
  const letters = bare
    .replace(/\[[^\]]*\]/g, '')
    .replace(/general/gi, '')
    .replace(/am\/pm|a\/p/gi, 'h')
  if (letters.includes('%')) return 'percent'
  const hasDay = /[dyge]/i.test(letters.replace(/e[+-]/gi, ''))
  const hasTime = /[hs]/i.test(letters)
  if (hasDay) return hasTime ? 'date-time' : 'date'
  if (hasTime) return 'time'
  return /m/i.test(letters) ? 'date' : 'number'
}

export const decimalsOf = (format: string): number => /\.([0#?]+)/.exec(format)?.[1]?.length ?? 0

/** With the fifteen digits that a spreadsheet keeps, and without an exponent as far as digits are readable. */
function inFull(number: number): string {
  if (Number.isSafeInteger(number) && Math.abs(number) < 1e15) return String(number)
  const rounded = Number(number.toPrecision(15))
  const text = String(rounded)
  if (!text.includes('e-')) return text
  return Math.abs(rounded) < 1e-12 ? text : rounded.toFixed(20).replace(/0+$/, '')
}

const secondsPerDay = 86_400
/** 9999-12-31, beyond which no format is a date. */
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
