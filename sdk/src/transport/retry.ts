/** When a call is tried again, and after how long. */

/** A call waits no longer than this. Beyond it, the error is thrown, with the wait that the server asked for. */
const maxRetryAfterMs = 60_000
const firstDelayMs = 500
const maxDelayMs = 8_000

/** Statuses of a proxy in between that speak of a passing fault; Atrium's own replies say `retryable` themselves. */
const passingStatuses = new Set([408, 429, 502, 503, 504])

export const isPassingStatus = (status: number): boolean => passingStatuses.has(status)

/**
 * The pause before the next attempt (`attempt` counts from 0), in milliseconds: what the server asks for, else
 * twice as long each time, spread out so that many clients do not return at once. Null if it is too long to wait.
 */
export function delayBeforeRetry(
  attempt: number,
  retryAfterMs: number | null,
  random: () => number = Math.random,
): number | null {
  if (retryAfterMs !== null) return retryAfterMs <= maxRetryAfterMs ? retryAfterMs : null
  const delayMs = Math.min(maxDelayMs, firstDelayMs * 2 ** attempt)
  return delayMs * (0.5 + random() / 2)
}

/** A `Retry-After` header, which holds seconds or a date, in milliseconds from `now`; null if it says neither. */
export function parseRetryAfter(header: string | null, now: number): number | null {
  if (header === null || header.trim() === '') return null
  const seconds = Number(header)
  if (Number.isFinite(seconds)) return seconds >= 0 ? seconds * 1000 : null
  const date = Date.parse(header)
  return Number.isNaN(date) ? null : Math.max(0, date - now)
}

/** Resolves after `delayMs`; rejects with the signal's reason as soon as that aborts. */
export function pause(delayMs: number, signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, delayMs)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
