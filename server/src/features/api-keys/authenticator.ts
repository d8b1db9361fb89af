/** From a bearer token to its caller: checksum, keyed hash, a cache of seconds, else one query. */
import type { Authentication, Authenticator } from '../../platform/admission.ts'
import { createBoundedMap } from '../../platform/bounded-map.ts'
import type { Caller } from '../../platform/caller.ts'
import { isWithin } from '../../platform/client-address.ts'
import { type Clock, hourMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { isWellFormedApiKey } from '../../platform/crypto/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { ServiceError } from '../../platform/errors.ts'
import { createLookUps } from '../../platform/look-ups.ts'
import { createUseLog } from '../../platform/use-log.ts'
import { callerOf, isAlive } from './key-caller.ts'
import { findByHashes, type KeyWithCreator, type LastUse, updateLastUse } from './store.ts'

/** How long a revocation may take to be seen by another server; the contract promises 10 s. */
const cachedMs = 5 * secondMs
const rememberedMs = hourMs
const maxCached = 10_000

export type KeyAuthenticator = Authenticator & {
  /** Drops what is cached, so that a change made in this process holds from the next request on. */
  forget(): void
  /** Writes when keys were last used. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Cached = { key: KeyWithCreator; caller: Omit<Caller, 'requestId' | 'address'> }

export function createAuthenticator(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
}): KeyAuthenticator {
  const { database, keyring, clock } = dependencies
  const cache = createLookUps<Cached>({ clock, keptMs: cachedMs, limit: maxCached })
  const lastValid = createBoundedMap<number>(maxCached)
  const uses = createUseLog<LastUse>({ database, write: updateLastUse })

  /** Under the earlier versions of the pepper. */
  const olderHashesOf = (token: string): string[] =>
    Array.from({ length: keyring.pepperVersion - 1 }, (_, index) =>
      keyring.keyedHash('api-key', token, index + 1),
    )

  const lookUp = (token: string, hash: string): Promise<Cached | null> =>
    cache.find(hash, async () => {
      const key = await findByHashes(database.read, [hash, ...olderHashesOf(token)])
      return key === undefined ? null : { key, caller: callerOf(key) }
    })

  return {
    isWellFormed: isWellFormedApiKey,
    wasValid(token) {
      return (lastValid.get(keyring.keyedHash('api-key', token)) ?? 0) > clock() - rememberedMs
    },
    async find(token, { address, requestId }): Promise<Authentication | null> {
      const hash = keyring.keyedHash('api-key', token)
      const found = await lookUp(token, hash)
      const now = clock()
      if (found === null || !isAlive(found.key, now)) return null
      lastValid.set(hash, now)
      const { keyId, workspaceId, userId } = found.key
      uses.note(keyId, { keyId, workspaceId, userId, at: now, address })
      return {
        caller: { ...found.caller, requestId, address },
        refusal: refusalOf(found.key, address),
      }
    },
    forget: cache.forget,
    flush: uses.flush,
    close: uses.close,
  }
}

function refusalOf(key: KeyWithCreator, address: string): ServiceError | null {
  if (key.deletesAt !== null) return new ServiceError('workspace_deleted')
  if (key.plan === 'free') return new ServiceError('plan_required')
  if (key.allowedAddresses !== null && !isWithin(decodeJson(key.allowedAddresses), address)) {
    return new ServiceError('address_not_allowed')
  }
  return null
}
