/** From a key's row to the caller that it makes. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, type KeyBounds, rolePermissions } from '../../platform/caller.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { KeyWithCreator } from './store.ts'

/** What it may do: its permissions, as far as its maker has them now. */
export function callerOf(key: KeyWithCreator): Omit<Caller, 'requestId' | 'address'> {
  const { workspaceId, environment, agentIds, collectionIds } = key
  const allowed = new Set(rolePermissions[key.role])
  return {
    kind: 'key',
    userId: key.userId,
    keyId: key.keyId,
    role: key.role,
    permissions: new Set(decodeJson(key.permissions).filter(permission => allowed.has(permission))),
    plan: key.plan,
    requestsPerMinute: key.rateLimit,
    idempotencyId: null,
    keyBounds: boundsOf(key),
    scope: withoutUndefined({
      workspaceId,
      environment,
      agentIds: agentIds === null ? undefined : decodeJson(agentIds),
      collectionIds: collectionIds === null ? undefined : decodeJson(collectionIds),
    }),
  }
}

/** A secret that lives on after a rotation ends before its key. */
function boundsOf({ expiresAt, secretExpiresAt, allowedAddresses }: KeyWithCreator): KeyBounds {
  const ends = [expiresAt, secretExpiresAt].filter(end => end !== null)
  return {
    expiresAt: ends.length === 0 ? null : Math.min(...ends),
    allowedAddresses: allowedAddresses === null ? null : decodeJson(allowedAddresses),
  }
}

export const isAlive = (key: KeyWithCreator, now: number): boolean =>
  key.revokedAt === null && isAhead(key.expiresAt, now) && isAhead(key.secretExpiresAt, now)

const isAhead = (time: number | null, now: number): boolean => time === null || time > now
