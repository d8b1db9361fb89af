/**
 * Who sends a request: a key (`sk_…`), an app's token (`at_…`), a person's (`ct_…`) or a page's (`bt_…`). Each is
 * looked up at most every five seconds.
 */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { AdmittedRequest, Authentication, RefusedToken } from '../../platform/admission.ts'
import { createBoundedMap, createLookUps, createUseLog } from '../../platform/caches/caches.ts'
import { browserPageOf, type Door, type KeyCaller, type RequestCaller } from '../../platform/caller.ts'
import { isWithin } from '../../platform/client-address.ts'
import { hourMs, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import {
  isWellFormedAccessToken,
  isWellFormedApiKey,
  isWellFormedBrowserToken,
  type PersonClaims,
  readPersonToken,
} from '../../platform/crypto/tokens.ts'
import type { Query } from '../../platform/database/database.ts'
import { ServiceError } from '../../platform/errors.ts'
import type { Platform } from '../../platform/platform.ts'
import type { Callers, Origin } from './callers-service.ts'
import {
  findEndedBrowserToken,
  findEndedKey,
  findEndedSession,
  type LastUse,
  updateLastUse,
} from './store.ts'

/** How long a change on another server may take to apply here; the contract promises 10 s. */
export const cachedMs = 5 * secondMs
const rememberedMs = hourMs
const maxCached = 10_000

/**
 * The content of a token, checked without the database. An app's token is a secret of its key. `name` is the same for
 * all tokens of one session and workspace.
 */
type Credential =
  | { kind: 'key'; name: string; token: string }
  | { kind: 'browser'; name: string }
  | { kind: 'person'; name: string; claims: PersonClaims }

export type Authenticator = ReturnType<typeof createAuthenticator>

export function createAuthenticator({
  database,
  keyring,
  clock,
  callers,
}: Pick<Platform, 'database' | 'keyring' | 'clock'> & {
  callers: Callers
}) {
  const known = createLookUps<Authentication>({ clock, keptMs: cachedMs, limit: maxCached })
  const lastValid = createBoundedMap<number>(maxCached)
  const uses = createUseLog<LastUse>({ database, write: updateLastUse })

  // A request asks for the same token three times in a row.
  let last: { token: string; credential: Credential | null } = { token: '', credential: null }
  const credentialOf = (token: string): Credential | null => {
    if (last.token !== token) last = { token, credential: readCredential(keyring, token) }
    return last.credential
  }

  const callerOf = (credential: Credential, origin: Origin) => {
    if (credential.kind === 'key') return callers.byKeyHashes(hashesOf(keyring, credential), origin)
    if (credential.kind === 'browser') return callers.byBrowserToken(credential.name, origin)
    return callers.bySession(credential.claims, origin)
  }

  async function lookUp(credential: Credential, origin: Origin): Promise<Authentication | null> {
    const found = await callerOf(credential, origin)
    if (found === null) {
      // From now on the token is looked up only while its address has requests left.
      lastValid.delete(credential.name)
      return null
    }
    lastValid.set(credential.name, clock())
    return { ...found, caller: await callers.applyAccess<RequestCaller>(found.caller) }
  }

  /** Why nothing was found for a well-formed credential. */
  async function endOf(credential: Credential): Promise<RefusedToken> {
    switch (credential.kind) {
      case 'key':
        return await endOfKey(database.read, hashesOf(keyring, credential))
      case 'browser':
        return await endOfPage(database.read, credential.name)
      case 'person':
        return await endOfSession(database.read, credential.claims, clock())
    }
  }

  return {
    /** False if the text is neither a key nor a token; does not read the database. */
    isWellFormed: (token: string): boolean => credentialOf(token) !== null,

    /** True if the token was valid when this process last looked it up, within the past hour. */
    wasValid(token: string): boolean {
      const credential = credentialOf(token)
      return credential !== null && (lastValid.get(credential.name) ?? 0) > clock() - rememberedMs
    },

    /** The caller, or why the token is not valid. Only the sender of a secret is told what became of it. */
    async find(
      token: string,
      { address, requestId, isUnderWay = false, door = 'api', origin: pageOrigin = null }: AdmittedRequest,
    ): Promise<Authentication | RefusedToken> {
      const credential = credentialOf(token)
      if (credential === null) return { fault: 'malformed' }
      const hasEnded = credential.kind === 'person' && credential.claims.expiresAt <= clock()
      if (hasEnded && !isUnderWay) return { fault: 'expired', endedAt: credential.claims.expiresAt }
      const origin = { requestId, address, idempotencyId: null }
      const { name } = credential
      // Most tokens are cached, so most requests wait for nothing.
      const found = known.get(name) ?? (await known.find(name, () => lookUp(credential, origin)))
      if (found === null) return await endOf(credential)
      // The cached caller may have the origin of an earlier request.
      const caller = { ...found.caller, ...origin }
      const now = clock()
      if (caller.kind === 'key' && hasKeyEnded(caller, now)) {
        return withoutUndefined({ fault: 'expired', endedAt: caller.keyBounds.expiresAt ?? undefined })
      }
      if (caller.kind === 'key' && !opens(caller, door)) return { fault: 'wrong_door' }
      const page = browserPageOf(caller)
      if (page !== null) {
        if (page.expiresAt <= now && !isUnderWay) return { fault: 'expired', endedAt: page.expiresAt }
        // The page's visitors are not the key's maker, so neither the key nor its maker was active at this address.
        return { caller, refusal: found.refusal ?? originRefusal(page.origins, pageOrigin) }
      }
      const use = useOf(caller, now)
      uses.note(use.keyId ?? `${use.workspaceId} ${use.userId}`, use)
      return { caller, refusal: found.refusal ?? addressRefusal(caller, address) }
    },

    /** Drops the cached callers, so that a change made in this process applies from the next request on. */
    forget: known.forget,

    /** Writes when keys and persons were last active. */
    flush: uses.flush,
    close: uses.close,
  }
}

function readCredential(keyring: Keyring, token: string): Credential | null {
  if (token.startsWith('ct_')) {
    const claims = readPersonToken(keyring, token)
    if (claims === null) return null
    const { sessionId, workspaceId, environment } = claims
    return { kind: 'person', name: `${sessionId} ${workspaceId} ${environment}`, claims }
  }
  if (token.startsWith('bt_')) {
    if (!isWellFormedBrowserToken(token)) return null
    return { kind: 'browser', name: keyring.keyedHash('token', token) }
  }
  if (!isWellFormedApiKey(token) && !isWellFormedAccessToken(token)) return null
  return { kind: 'key', name: keyring.keyedHash('api-key', token), token }
}

/** The key's hashes under the current pepper and the earlier ones. */
const hashesOf = (keyring: Keyring, { name, token }: Extract<Credential, { kind: 'key' }>): string[] => [
  name,
  ...Array.from({ length: keyring.pepperVersion - 1 }, (_, index) =>
    keyring.keyedHash('api-key', token, index + 1),
  ),
]

/** Why no caller was found for a key with these hashes. */
async function endOfKey(query: Query, hashes: readonly string[]): Promise<RefusedToken> {
  const row = await findEndedKey(query, hashes)
  if (row === undefined) return { fault: 'unknown' }
  if (row.role === null) return { fault: 'owner_gone' }
  if (row.revokedAt !== null) return { fault: 'revoked', endedAt: row.revokedAt }
  const ends = [row.expiresAt, row.secretExpiresAt].filter(end => end !== null)
  // It may be valid again by now: for example, its maker has just become a member once more.
  return ends.length === 0 ? { fault: 'unknown' } : { fault: 'expired', endedAt: Math.min(...ends) }
}

/** A token that is not found was never given out, or it expired so long ago that it is deleted. */
async function endOfPage(query: Query, tokenHash: string): Promise<RefusedToken> {
  const row = await findEndedBrowserToken(query, tokenHash)
  if (row === undefined) return { fault: 'unknown' }
  // Where the token itself was not revoked, its key or its agent has ended.
  return withoutUndefined({ fault: 'revoked' as const, endedAt: row.revokedAt ?? undefined })
}

/** The signature is this server's, so the token was valid once. A session that a person ends is deleted. */
async function endOfSession(query: Query, claims: PersonClaims, now: number): Promise<RefusedToken> {
  const { sessionId: id, userId, workspaceId } = claims
  const session = await findEndedSession(query, { id, userId, workspaceId })
  if (session === undefined) return { fault: 'revoked' }
  if (session.expiresAt <= now) return { fault: 'expired', endedAt: session.expiresAt }
  return { fault: session.role === null ? 'owner_gone' : 'unknown' }
}

const hasKeyEnded = ({ keyBounds: { expiresAt } }: KeyCaller, now: number): boolean =>
  expiresAt !== null && expiresAt <= now

const opens = ({ keyBounds }: KeyCaller, door: Door): boolean =>
  keyBounds.door === undefined || keyBounds.door === door

const useOf = (caller: RequestCaller, at: number): LastUse => ({
  keyId: caller.kind === 'key' ? caller.keyId : null,
  workspaceId: caller.scope.workspaceId,
  userId: caller.userId,
  at,
  address: caller.address,
})

function addressRefusal(caller: RequestCaller, address: string): ServiceError | null {
  const allowed = caller.kind === 'key' ? caller.keyBounds.allowedAddresses : null
  return allowed === null || isWithin(allowed, address)
    ? null
    : new ServiceError('address_not_allowed', `The key cannot be used from the address ${address}`, {
        details: { address },
      })
}

/** Keeps other sites' pages from using a token. It cannot stop programs, which send any header they like. */
const originRefusal = (allowed: readonly string[], origin: string | null): ServiceError | null =>
  origin !== null && allowed.includes(origin)
    ? null
    : new ServiceError('origin_forbidden', 'The browser token does not work from this origin')
