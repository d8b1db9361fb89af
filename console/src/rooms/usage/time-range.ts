/** The times that can be looked at, in days of UTC as the API counts them. */

export const ranges = [
  { value: '7', label: 'Last 7 days', days: 7 },
  { value: '30', label: 'Last 30 days', days: 30 },
  { value: '90', label: 'Last 90 days', days: 90 },
] as const

const dayMs = 86_400_000

/** As many days up to and with today, oldest first. */
export function lastDays(days: number, now: number): string[] {
  return Array.from({ length: days }, (_, index) =>
    new Date(now - (days - 1 - index) * dayMs).toISOString().slice(0, 'yyyy-mm-dd'.length),
  )
}

const days = new Intl.DateTimeFormat(undefined, { day: 'numeric', month: 'short', timeZone: 'UTC' })

/** `21 Nov`. */
export const formatDay = (day: string): string => days.format(new Date(`${day}T00:00:00Z`))
