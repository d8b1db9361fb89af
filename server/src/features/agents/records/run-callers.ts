/** The author of a run, stored with it so that any worker can continue it. */
import type { Caller, Permission } from '../../../platform/caller.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { RunRow } from './run-store.ts'

type StoredCaller = Omit<Caller, 'permissions' | 'address' | 'idempotencyId'> & {
  permissions: Permission[]
}

export const storeCaller = (caller: Caller): Json<Record<string, unknown>> => {
  const { kind, userId, keyId, role, scope, plan, requestsPerMinute, requestId } = caller
  const permissions = [...caller.permissions]
  const stored: StoredCaller = {
    kind,
    userId,
    keyId,
    role,
    permissions,
    scope,
    plan,
    requestsPerMinute,
    requestId,
  }
  return encodeJson<Record<string, unknown>>(stored)
}

export function callerOf(run: Pick<RunRow, 'caller'>): Caller {
  // What `storeCaller` wrote.
  const stored = decodeJson(run.caller as Json<StoredCaller>)
  return { ...stored, permissions: new Set(stored.permissions), address: null, idempotencyId: null }
}

/** Who began the run, where the rest of the caller is not needed. */
export const authorOf = (run: Pick<RunRow, 'caller'>): Pick<Caller, 'kind' | 'keyId' | 'userId'> =>
  decodeJson(run.caller as Json<StoredCaller>)

/** The author with today's permissions; null once the key is revoked or has expired, or its creator has left. */
export type CurrentCaller = (caller: Caller) => Promise<Caller | null>
