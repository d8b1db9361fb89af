/** Time as a dependency: code that needs the present takes a clock, so a test can choose the time. */
import { setTimeout as wait } from 'node:timers/promises'

/** The present, in milliseconds since the Unix epoch. */
export type Clock = () => number

export const systemClock: Clock = () => Date.now()

/** Rejects with the signal's reason once it is aborted. */
export type Sleep = (ms: number, signal: AbortSignal) => Promise<void>

export const systemSleep: Sleep = (ms, signal) =>
  wait(ms, undefined, { signal }).catch(() => signal.throwIfAborted())

export const secondMs = 1_000
export const minuteMs = 60 * secondMs
export const hourMs = 60 * minuteMs
export const dayMs = 24 * hourMs

/** A stored time (milliseconds) as the API shows it: ISO 8601, UTC, with milliseconds. */
export function toTimestamp(ms: number): string {
  const whole = Math.trunc(ms)
  const ofDay = whole - Math.floor(whole / dayMs) * dayMs
  const [hour, minute] = [Math.floor(ofDay / hourMs), Math.floor((ofDay % hourMs) / minuteMs)]
  const [second, rest] = [Math.floor((ofDay % minuteMs) / secondMs), ofDay % secondMs]
  const fraction = rest < 100 ? `0${digits(rest)}` : digits(rest)
  return `${toDay(whole)}T${digits(hour)}:${digits(minute)}:${digits(second)}.${fraction}Z`
}

/** The day of a stored time, such as `2026-11-21`. */
export function toDay(ms: number): string {
  const day = Math.floor(ms / dayMs)
  if (day !== lastDay.day) {
    const text = new Date(ms).toISOString()
    lastDay = { day, text: text.slice(0, text.indexOf('T')) }
  }
  return lastDay.text
}

/** A list shows many times of the same day, so the day's text is made once. */
let lastDay = { day: Number.NaN, text: '' }

/** At least two digits. */
const digits = (value: number): string => (value < 10 ? `0${value}` : String(value))

export const toOptionalTimestamp = (ms: number | null): string | null =>
  ms === null ? null : toTimestamp(ms)

/** How long to wait for work. An aborted `signal` ends the waiting only. The signal is made on first use. */
export type Patience = { waitMs: number; readonly signal: AbortSignal }

/** Resolves when the work ends, the time is over or the signal is aborted. Rejects if the work rejects first. */
export async function waitFor(
  work: Promise<unknown>,
  { waitMs, signal }: Pick<Patience, 'waitMs'> & Partial<Patience>,
): Promise<void> {
  let stop = (): void => undefined
  // Not a timer that a signal aborts: its error, with the stack, would cost more than the rest.
  const enough = new Promise<void>(resolve => {
    const end = (): void => resolve()
    const timer = setTimeout(end, waitMs)
    signal?.addEventListener('abort', end, { once: true })
    if (signal?.aborted) end()
    stop = () => {
      clearTimeout(timer)
      signal?.removeEventListener('abort', end)
    }
  })
  await Promise.race([work, enough]).finally(stop)
}
