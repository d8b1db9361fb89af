/** Calls to models' servers: tried again where that can help, and the tokens that they count. */
import type { Clock, Sleep } from '../clock.ts'
import { toModelError } from './model-error.ts'

const maxAttempts = 3
const firstDelayMs = 500
/** A provider that asks for more patience than this is not waited for. */
const longestDelayMs = 20_000

/** `random` gives numbers from 0 to 1. */
export type RetryDependencies = { clock: Clock; sleep: Sleep; random: () => number }

/** Throws `ModelError`, or the reason of the signal once that is aborted. */
export async function withRetries<T>(
  attempt: () => Promise<T>,
  signal: AbortSignal,
  { clock, sleep, random }: RetryDependencies,
): Promise<T> {
  for (let count = 1; ; count++) {
    try {
      return await attempt()
    } catch (error) {
      signal.throwIfAborted()
      const failure = toModelError(error, clock())
      const delayMs = failure.retryAfterMs ?? firstDelayMs * 2 ** (count - 1) * (0.5 + random())
      const hopeless = !failure.retryable || failure.final || delayMs > longestDelayMs
      if (hopeless || count === maxAttempts) throw failure
      await sleep(delayMs, signal)
    }
  }
}

/** More than any model reads at once. Sums over many calls stay whole numbers in every database. */
const mostTokens = 100_000_000

/** The server's word alone, kept to a whole number that can be added up: 0 where it named none, or none that can be. */
export const countedTokens = (told: number | undefined): number =>
  told === undefined || !(told > 0) ? 0 : Math.min(mostTokens, Math.round(told))
