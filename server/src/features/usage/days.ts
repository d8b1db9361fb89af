/** Days in UTC, which use is counted by. */
import { dayMs } from '../../platform/clock.ts'

/** Such as `2026-11-21`. */
export const dayOf = (now: number): string => new Date(now).toISOString().slice(0, 10)

/** The instant at which it begins; null where there is no such day. */
export function dayBegin(day: string): number | null {
  const begin = Date.parse(`${day}T00:00:00.000Z`)
  // What is read with mercy, such as the 30th of February, is another day.
  return Number.isNaN(begin) || dayOf(begin) !== day ? null : begin
}

export const daysBetween = (first: number, last: number): number => Math.round((last - first) / dayMs) + 1
