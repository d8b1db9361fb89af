/**
 * Where a listing stands, and what one sync passes on to the next. Both are texts, from which another process may go
 * on.
 */
import type { Channel } from './channels.ts'

export type Position = {
  here: Channel
  /** The channels that come after `here`. */
  queue: string[]
  /** When the sync began, in seconds since 1970. It reads messages up to this time. */
  at: number
  /** Slack's cursor; null at the beginning of a channel. */
  cursor: string | null
  /** The day that is being read, such as `2026-03-01`, with the fingerprint of its messages so far. */
  day: { name: string; print: string } | null
  /** Threads of `here` that began within the look-back time, in the format of `withThreads`. */
  threads: string
  /** The encoded states of the channels that are done. */
  done: string
}

/** What the next sync has to know of a channel; `threads` is null if there are too many to remember. */
export type ChannelState = { isPrivate: boolean; threads: string[] | null }

export type Known = { at: number; channels: ReadonlyMap<string, ChannelState> }

const maxThreadCharacters = 2_000
const tooMany = '~'

/** Adds threads to the text that holds the present channel's threads. */
export function withThreads({ threads, done }: Position, more: string[]): string {
  const all = [...(threads === '' ? [] : [threads]), ...more.map(packed)].join('-')
  const others = done.replaceAll(/(?:^|,)[A-Z0-9]+[op]/g, '').length
  return threads === tooMany || all.length + others > maxThreadCharacters ? tooMany : all
}

/** The threads in a text of `withThreads`; null if there were too many. */
export const threadsIn = (text: string): string[] | null =>
  text === tooMany ? null : text === '' ? [] : text.split('-').map(unpacked)

/** The encoded states of all channels that are done, including `here`. */
export const withHere = ({ done, here, threads }: Position): string =>
  [...(done === '' ? [] : [done]), `${here.id}${here.isPrivate ? 'p' : 'o'}${threads}`].join(',')

export const encodeKnown = (at: number, done: string): string => `${at};${done}`

/** Null if the text does not have the format of `encodeKnown`. */
export function decodeKnown(text: string): Known | null {
  const [, at, done] = /^(\d+);(.*)$/.exec(text) ?? []
  if (at === undefined || done === undefined) return null
  const channels = new Map<string, ChannelState>()
  for (const entry of done === '' ? [] : done.split(',')) {
    const [, id, access, threads] = /^([A-Z0-9]+)([op])(~|[a-z0-9.-]*)$/.exec(entry) ?? []
    if (id === undefined || threads === undefined) return null
    channels.set(id, { isPrivate: access === 'p', threads: threadsIn(threads) })
  }
  return { at: Number(at), channels }
}

/** `1512085950.000216` in fewer characters. */
const packed = (ts: string): string =>
  ts
    .split('.')
    .map(digits => Number(digits).toString(36))
    .join('.')

function unpacked(text: string): string {
  const [seconds = '', rest = ''] = text.split('.').map(digits => String(Number.parseInt(digits, 36)))
  return `${seconds}.${rest.padStart(6, '0')}`
}

export const encodePosition = (position: Position): string => JSON.stringify(position)

/** Positions come only from `encodePosition`, and the engine returns them unchanged. */
export const decodePosition = (text: string): Position => JSON.parse(text) as Position

const daySeconds = 86_400

/** In UTC. */
export const dayOf = (seconds: number): string => new Date(seconds * 1_000).toISOString().slice(0, 10)
export const startOfDay = (day: string): number => Date.parse(`${day}T00:00:00Z`) / 1_000
export const daysAgo = (at: number, days: number): string => dayOf(at - days * daySeconds)

/** The days after `from` and before `until`, the last first. */
export function daysBetween(from: string, until: string): string[] {
  const days: string[] = []
  for (let at = startOfDay(until) - daySeconds; at > startOfDay(from); at -= daySeconds) days.push(dayOf(at))
  return days
}
