/** Limits how often something can be guessed or requested, for each name that identifies who does it. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { secondMs } from '../../platform/clock.ts'
import { tooManyRequests } from '../../platform/errors.ts'

export type Attempts = ReturnType<typeof createAttempts>

export function createAttempts(counters: RateLimiterAbstract) {
  return {
    /** Counts one try; throws `rate_limited` if the window has had more than `tries`. */
    async spend(
      of: readonly string[],
      { tries, windowMs }: { tries: number; windowMs: number },
    ): Promise<void> {
      const counted = await counters.consume(`oauth.${of.join('.')}`, 1, {
        customDuration: windowMs / secondMs,
      })
      if (counted.consumedPoints <= tries) return
      const seconds = Math.max(1, Math.ceil(counted.msBeforeNext / secondMs))
      throw tooManyRequests(`Too many tries. Try again in ${seconds} s.`, seconds)
    },
  }
}
