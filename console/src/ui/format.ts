/** Numbers, sizes, times and documents’ names as people write them. */

const numbers = new Intl.NumberFormat(undefined)
const dates = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium' })
const moments = new Intl.DateTimeFormat(undefined, { dateStyle: 'medium', timeStyle: 'short' })
const relative = new Intl.RelativeTimeFormat(undefined, { numeric: 'auto' })

export const formatNumber = (value: number): string => numbers.format(value)
export const formatDate = (time: string | Date): string => dates.format(new Date(time))
export const formatMoment = (time: string | Date): string => moments.format(new Date(time))

/** `1 document`, `3 documents`. */
export const count = (value: number, one: string, many = `${one}s`): string =>
  `${formatNumber(value)} ${value === 1 ? one : many}`

const byteUnits = ['bytes', 'KB', 'MB', 'GB', 'TB']

export function formatBytes(bytes: number): string {
  const power = bytes < 1024 ? 0 : Math.min(byteUnits.length - 1, Math.floor(Math.log2(bytes) / 10))
  const value = bytes / 1024 ** power
  return `${value.toLocaleString(undefined, { maximumFractionDigits: value < 10 && power > 0 ? 1 : 0 })} ${byteUnits[power]}`
}

/** Small costs keep the digits that tell them from nothing. */
export const formatUsd = (value: number): string =>
  value.toLocaleString(undefined, {
    style: 'currency',
    currency: 'USD',
    maximumFractionDigits: value > 0 && value < 0.1 ? 5 : 2,
  })

export function formatDuration(milliseconds: number): string {
  if (milliseconds < 1_000) return `${Math.round(milliseconds)} ms`
  const seconds = milliseconds / 1000
  if (seconds < 60) return `${seconds.toFixed(1)} s`
  const minutes = Math.floor(seconds / 60)
  return minutes < 60
    ? `${minutes} min ${Math.round(seconds % 60)} s`
    : `${Math.floor(minutes / 60)} h ${minutes % 60} min`
}

const relativeUnits: readonly [Intl.RelativeTimeFormatUnit, number][] = [
  ['year', 31_536_000],
  ['month', 2_592_000],
  ['day', 86_400],
  ['hour', 3_600],
  ['minute', 60],
]

/** `3 minutes ago`, `in 2 days`, `just now`. */
export function formatRelative(time: string | Date, now: number): string {
  const seconds = (new Date(time).getTime() - now) / 1000
  const [unit, length] = relativeUnits.find(([, size]) => Math.abs(seconds) >= size) ?? [null, 1]
  if (unit === null) return 'just now'
  return relative.format(Math.trunc(seconds / length), unit)
}

export const documentTitle = ({ title, name }: { title: string | null; name: string }): string =>
  title === null || title.trim() === '' ? name : title

/** The file's name without the folders that it was in. */
export const fileNameOf = (name: string): string => name.split('/').at(-1) || name
