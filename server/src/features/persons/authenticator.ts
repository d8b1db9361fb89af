/** From a person's token to their caller: the signature, a cache of seconds, else one query. */
import type { Authentication, Authenticator } from '../../platform/admission.ts'
import { createBoundedMap } from '../../platform/bounded-map.ts'
import type { Caller } from '../../platform/caller.ts'
import { type Clock, hourMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { type PersonClaims, readPersonToken } from '../../platform/crypto/person-tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import type { ServiceError } from '../../platform/errors.ts'
import { createLookUps } from '../../platform/look-ups.ts'
import { createUseLog } from '../../platform/use-log.ts'
import { callerOf, refusalOf } from './person-caller.ts'
import { findBySession, type LastActive, updateLastActive } from './store.ts'

/** How long the end of a session may take to be seen by another server; the contract promises 10 s. */
const cachedMs = 5 * secondMs
const rememberedMs = hourMs
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
}

export function createPersonAuthenticator(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
}): PersonAuthenticator {
  const { database, keyring, clock } = dependencies
  const cache = createLookUps<Cached>({ clock, keptMs: cachedMs, limit: maxCached })
  const lastValid = createBoundedMap<number>(maxCached)
  const uses = createUseLog<LastActive>({ database, write: updateLastActive })

  const lookUp = (claims: PersonClaims): Promise<Cached | null> => {
    const { sessionId, userId, environment } = claims
    const name = nameOf(claims)
    return cache.find(name, async () => {
      const now = clock()
      // What does not hold any more is asked for again only as long as its address has requests left.
      lastValid.delete(name)
      const person = await findBySession(claims, database.read, { id: sessionId, userId, now })
      if (person === undefined) return null
      lastValid.set(name, now)
      return { caller: callerOf(person, environment), refusal: refusalOf(person) }
    })
  }

  // A request asks three times in a row.
  let last: { token: string; claims: PersonClaims | null } = { token: '', claims: null }
  const claimsOf = (token: string): PersonClaims | null => {
    if (last.token !== token) last = { token, claims: readPersonToken(keyring, token) }
    return last.claims
  }

  return {
    isWellFormed: token => claimsOf(token) !== null,
    wasValid(token) {
      const claims = claimsOf(token)
      return claims !== null && (lastValid.get(nameOf(claims)) ?? 0) > clock() - rememberedMs
    },
    async find(token, { address, requestId, isUnderWay = false }): Promise<Authentication | null> {
      const claims = claimsOf(token)
      if (claims === null || (!isUnderWay && claims.expiresAt <= clock())) return null
      const found = await lookUp(claims)
      if (found === null) return null
      const { workspaceId, userId } = claims
      uses.note(`${workspaceId} ${userId}`, { workspaceId, userId, at: clock() })
      return { caller: { ...found.caller, requestId, address }, refusal: found.refusal }
    },
    forget: cache.forget,
    flush: uses.flush,
    close: uses.close,
  }
}

/** What is remembered of all tokens of a session for one workspace and environment. */
const nameOf = ({ sessionId, workspaceId, environment }: PersonClaims): string =>
  `${sessionId} ${workspaceId} ${environment}`
