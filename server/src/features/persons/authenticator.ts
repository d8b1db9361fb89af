/** From a person's token to their caller: the signature, a cache of seconds, else one query. */
import type { Authentication, Authenticator } from '../../platform/admission.ts'
import type { Caller } from '../../platform/caller.ts'
import { type Clock, hourMs, minuteMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { type PersonClaims, readPersonToken } from '../../platform/crypto/person-tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { callerOf, refusalOf } from './person-caller.ts'
import { findBySession, updateLastActive } from './store.ts'

/** How long the end of a session may take to be seen by another server; the contract promises 10 s. */
const cachedMs = 5 * secondMs
const rememberedMs = hourMs
const flushEveryMs = minuteMs
const maxCached = 10_000

export type PersonAuthenticator = Authenticator & {
  /** Drops what is cached, so that a change made in this process holds from the next request on. */
  forget(): void
  /** Writes when persons were last active. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Cached = {
  caller: Omit<Caller, 'requestId' | 'address'>
  refusal: ServiceError | null
  until: number
}

export function createPersonAuthenticator(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  log: Log
}): PersonAuthenticator {
  const { database, keyring, clock, log } = dependencies
  const cache = new Map<string, Cached>()
  const lastValid = new Map<string, number>()
  const uses = new Map<string, { workspaceId: string; userId: string; at: number }>()

  const lookUp = async (claims: PersonClaims): Promise<Cached | null> => {
    const { sessionId, userId, environment } = claims
    const name = nameOf(claims)
    const now = clock()
    const cached = cache.get(name)
    if (cached !== undefined && cached.until > now) return cached
    // What does not hold any more is asked for again only as long as its address has requests left.
    cache.delete(name)
    lastValid.delete(name)
    const person = await findBySession(claims, database.read, { id: sessionId, userId, now })
    if (person === undefined) return null
    const found = {
      caller: callerOf(person, environment),
      refusal: refusalOf(person),
      until: now + cachedMs,
    }
    remember(cache, name, found)
    remember(lastValid, name, now)
    return found
  }

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return
    const written = [...uses.values()]
    uses.clear()
    await database.write(async tx => {
      for (const use of written) await updateLastActive(use, tx, use)
    })
  }
  const timer = setInterval(() => {
    flush().catch(error => log.warn('When persons were last active could not be written', { error }))
  }, flushEveryMs)
  timer.unref()

  return {
    isWellFormed: token => readPersonToken(keyring, token) !== null,
    wasValid(token) {
      const claims = readPersonToken(keyring, token)
      return claims !== null && (lastValid.get(nameOf(claims)) ?? 0) > clock() - rememberedMs
    },
    async find(token, { address, requestId, isUnderWay = false }): Promise<Authentication | null> {
      const claims = readPersonToken(keyring, token)
      if (claims === null || (!isUnderWay && claims.expiresAt <= clock())) return null
      const found = await lookUp(claims)
      if (found === null) return null
      const { workspaceId, userId } = claims
      uses.set(`${workspaceId} ${userId}`, { workspaceId, userId, at: clock() })
      return { caller: { ...found.caller, requestId, address }, refusal: found.refusal }
    },
    forget: () => cache.clear(),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

/** What is remembered of all tokens of a session for one workspace and environment. */
const nameOf = ({ sessionId, workspaceId, environment }: PersonClaims): string =>
  `${sessionId} ${workspaceId} ${environment}`

/** The oldest entry makes room. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.set(name, value)
  const oldest = map.size > maxCached ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}
