/** What usage is counted under: a day, and who used something: a key, a person who is signed in, or the system. */
import { dayMs, toTimestamp } from '../../platform/clock.ts'
import type { Actor } from '../events/data-schemas.ts'
import type { UsageSubject } from './schemas.ts'

/** Such as `2026-11-21`. */
export const dayOf = (now: number): string => toTimestamp(now).slice(0, 10)

/** The instant at which it begins; null if there is no such day. */
export function dayBegin(day: string): number | null {
  const begin = Date.parse(`${day}T00:00:00.000Z`)
  // What is read with mercy, such as the 30th of February, is another day.
  return Number.isNaN(begin) || dayOf(begin) !== day ? null : begin
}

export const daysBetween = (first: number, last: number): number => Math.round((last - first) / dayMs) + 1

const system = 'system'

export const actorIdOf = ({ kind, keyId, userId }: Actor): string =>
  (kind === 'key' ? keyId : kind === 'person' ? userId : null) ?? system

export function presentActor(id: string, name: string | null): UsageSubject {
  if (id === system) return { type: 'system', id: null, name: null }
  return { type: id.startsWith('usr_') ? 'person' : 'key', id, name }
}
