/** Limits guesses: each try is counted before anything is looked up, so that refusals reveal nothing. */
import type { RateLimiterAbstract } from 'rate-limiter-flexible'
import { addressKey } from '../../platform/client-address.ts'
import { dayMs, hourMs, minuteMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { tooManyRequests } from '../../platform/errors.ts'

export type Attempts = ReturnType<typeof createAttempts>

type Limit = { tries: number; windowMs: number }

/** For one client address and one person, who may have forgotten which password it was. */
const atOnePlace: Limit = { tries: 10, windowMs: 15 * minuteMs }
/** For one person from all client addresses: high enough that a stranger cannot easily lock the person out. */
const everywhere: Limit = { tries: 100, windowMs: hourMs }
/** Each second step allows five codes: 100 guesses a day, of a million codes. */
const challenges: Limit = { tries: 20, windowMs: dayMs }
const mails: Limit = { tries: 5, windowMs: hourMs }

export function createAttempts(dependencies: { counters: RateLimiterAbstract; keyring: Keyring }) {
  const { counters, keyring } = dependencies
  // The names are hashed: neither Redis nor a table of counters needs to know who signs in.
  const nameOf = (...parts: string[]): string =>
    `sign-in.${keyring.keyedHash('sign-in', parts.join('\n')).slice(0, 32)}`
  const placeOf = (email: string, address: string): string => nameOf('place', email, addressKey(address))
  const count = (name: string, windowMs: number) =>
    counters.consume(name, 1, { customDuration: windowMs / 1000 })

  const spend = async (name: string, { tries, windowMs }: Limit): Promise<void> => {
    const { consumedPoints, msBeforeNext } = await count(name, windowMs)
    if (consumedPoints <= tries) return
    const seconds = Math.max(1, Math.ceil(msBeforeNext / 1000))
    throw tooManyRequests(`Too many tries. Try again in ${waitOf(seconds)}.`, seconds)
  }

  return {
    /** Counts a try to sign in, even for an address without an account; throws `rate_limited`. */
    async signIn(email: string, address: string): Promise<void> {
      await spend(placeOf(email, address), atOnePlace)
      await spend(nameOf('person', email), everywhere)
    },
    /** The password was right, so earlier mistakes no longer count. */
    async signedIn(email: string, address: string): Promise<void> {
      await counters.delete(placeOf(email, address))
    },
    /** Counts a second step that begins after the right password; throws `rate_limited`. */
    challenge: (email: string): Promise<void> => spend(nameOf('challenge', email), challenges),
    /** The second step succeeded. */
    async passed(email: string): Promise<void> {
      await counters.delete(nameOf('challenge', email))
    },
    /** Counts a password or code that a signed-in person gives again; throws `rate_limited`. */
    confirm: (userId: string): Promise<void> => spend(nameOf('confirm', userId), atOnePlace),
    async confirmed(userId: string): Promise<void> {
      await counters.delete(nameOf('confirm', userId))
    },
    /** Counts a refused sign-in for this person; returns how many there were within the hour. */
    async refused(userId: string): Promise<number> {
      return (await count(nameOf('refused', userId), hourMs)).consumedPoints
    },
    /** False if an address has had the most mails that it may get within the hour. */
    async mayMail(email: string): Promise<boolean> {
      return (await count(nameOf('mail', email), mails.windowMs)).consumedPoints <= mails.tries
    },
  }
}

const waitOf = (seconds: number): string =>
  seconds < 120 ? `${seconds} seconds` : `${Math.ceil(seconds / 60)} minutes`
