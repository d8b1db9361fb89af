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
export const toTimestamp = (ms: number): string => new Date(ms).toISOString()

export const toOptionalTimestamp = (ms: number | null): string | null =>
  ms === null ? null : toTimestamp(ms)
