/** From a bearer token to its caller: checksum, keyed hash, a cache of seconds, else one query. */
import ipaddr from 'ipaddr.js'
import type { Authentication, Authenticator } from '../../platform/admission.ts'
import type { Caller } from '../../platform/caller.ts'
import { type Clock, hourMs, minuteMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { isWellFormedApiKey } from '../../platform/crypto/tokens.ts'
import type { Database } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Log } from '../../platform/log.ts'
import { callerOf, isAlive } from './key-caller.ts'
import { findByHashes, type KeyWithCreator, updateLastUse } from './store.ts'

/** How long a revocation may take to be seen by another server; the contract promises 10 s. */
const cachedMs = 5 * secondMs
const rememberedMs = hourMs
const flushEveryMs = minuteMs
const maxCached = 10_000

export type KeyAuthenticator = Authenticator & {
  /** Drops what is cached, so that a change made in this process holds from the next request on. */
  forget(): void
  /** Writes when keys were last used. */
  flush(): Promise<void>
  close(): Promise<void>
}

type Cached = { key: KeyWithCreator; caller: Omit<Caller, 'requestId' | 'address'>; until: number }

export function createAuthenticator(dependencies: {
  database: Database
  keyring: Keyring
  clock: Clock
  log: Log
}): KeyAuthenticator {
  const { database, keyring, clock, log } = dependencies
  const cache = new Map<string, Cached>()
  const lastValid = new Map<string, number>()
  const uses = new Map<string, { key: KeyWithCreator; at: number; address: string }>()

  /** Under the earlier versions of the pepper. */
  const olderHashesOf = (token: string): string[] =>
    Array.from({ length: keyring.pepperVersion - 1 }, (_, index) =>
      keyring.keyedHash('api-key', token, index + 1),
    )

  const lookUp = async (token: string, hash: string): Promise<Cached | null> => {
    const now = clock()
    const cached = cache.get(hash)
    if (cached !== undefined && cached.until > now) return cached
    const key = await findByHashes(database.read, [hash, ...olderHashesOf(token)])
    if (key === undefined) {
      cache.delete(hash)
      return null
    }
    const found = { key, caller: callerOf(key), until: now + cachedMs }
    remember(cache, hash, found)
    return found
  }

  const flush = async (): Promise<void> => {
    if (uses.size === 0) return
    const written = [...uses.values()]
    uses.clear()
    await database.write(async tx => {
      for (const { key, at, address } of written) {
        await updateLastUse(tx, {
          keyId: key.keyId,
          workspaceId: key.workspaceId,
          userId: key.userId,
          at,
          address,
        })
      }
    })
  }
  const timer = setInterval(() => {
    flush().catch(error => log.warn('The last use of keys could not be written', { error }))
  }, flushEveryMs)
  timer.unref()

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
      remember(lastValid, hash, now)
      uses.set(found.key.keyId, { key: found.key, at: now, address })
      return {
        caller: { ...found.caller, requestId, address },
        refusal: refusalOf(found.key, address),
      }
    },
    forget: () => cache.clear(),
    flush,
    async close() {
      clearInterval(timer)
      await flush()
    },
  }
}

function refusalOf(key: KeyWithCreator, address: string): ServiceError | null {
  if (key.deletesAt !== null) return new ServiceError('workspace_deleted')
  if (key.plan === 'free') return new ServiceError('plan_required')
  if (key.allowedAddresses !== null && !isAllowed(decodeJson(key.allowedAddresses), address)) {
    return new ServiceError('address_not_allowed')
  }
  return null
}

/** Whether an address lies in one of the addresses or CIDRs; an IPv4 address counts in either spelling. */
export function isAllowed(allowed: readonly string[], address: string): boolean {
  if (!ipaddr.isValid(address)) return false
  const parsed = ipaddr.process(address)
  return allowed.some(entry => {
    if (!entry.includes('/')) return ipaddr.process(entry).toString() === parsed.toString()
    const [network, bits] = ipaddr.parseCIDR(entry)
    return network.kind() === parsed.kind() && parsed.match([network, bits])
  })
}

/** The oldest entry makes room, so that a flood of keys cannot fill the memory. */
function remember<Value>(map: Map<string, Value>, name: string, value: Value): void {
  map.delete(name)
  map.set(name, value)
  const oldest = map.size > maxCached ? map.keys().next().value : undefined
  if (oldest !== undefined) map.delete(oldest)
}
