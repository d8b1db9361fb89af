/** When a delivery is tried again, when an endpoint is left in peace, and when either is given up. */
import { dayMs, hourMs, minuteMs, secondMs } from '../../../platform/clock.ts'

/** The pauses behind the attempts, as Standard Webhooks recommends them: about three days in all. */
const pausesMs = [
  5 * secondMs,
  5 * minuteMs,
  30 * minuteMs,
  2 * hourMs,
  5 * hourMs,
  10 * hourMs,
  14 * hourMs,
  20 * hourMs,
  24 * hourMs,
]

/** Of a delivery that was not even tried by then, since the endpoint did not answer to others. */
export const lateMs = 4 * dayMs
/** For so long an endpoint may fail before it is disabled. */
export const failingMs = 5 * dayMs
/** Failures that lie further apart are no failing: nothing was tried in between. */
export const failureGapMs = 2 * dayMs
/** So many failures in a row, and an endpoint is only tried now and then, with one delivery. */
export const trustedFailures = 3

const firstPauseMs = 10 * secondMs
const longestPauseMs = 10 * minuteMs

/** The pause behind so many attempts, give or take a fifth; null if there is none left. `random` is from 0 to 1. */
export function retryPauseMs(attempts: number, random: () => number): number | null {
  const pauseMs = pausesMs[attempts - 1]
  return pauseMs === undefined ? null : Math.round(pauseMs * (0.8 + random() * 0.4))
}

/** How long an endpoint is left in peace after so many failures in a row; 0 while it is trusted. */
export function endpointPauseMs(failures: number, random: () => number): number {
  if (failures < trustedFailures) return 0
  const pauseMs = Math.min(longestPauseMs, firstPauseMs * 2 ** Math.min(failures - trustedFailures, 20))
  return Math.round(pauseMs * (0.8 + random() * 0.4))
}
