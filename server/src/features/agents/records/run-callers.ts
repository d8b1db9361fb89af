/** On whose behalf a run acts, kept with it so that any worker can go on. */
import type { Caller, Permission } from '../../../platform/caller.ts'
import { decodeJson, encodeJson, type Json } from '../../../platform/database/json.ts'
import type { RunRow } from './run-store.ts'

/** What a run keeps of its author, so that any worker can act on their behalf. */
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

/** Who began the run, for those who only count: the rest of the caller is not made again. */
export const authorOf = (run: Pick<RunRow, 'caller'>): Pick<Caller, 'kind' | 'keyId' | 'userId'> =>
  decodeJson(run.caller as Json<StoredCaller>)

/** The author as it may act now; null where it may not any more: its key is revoked or has expired, its maker has gone. */
export type CurrentCaller = (caller: Caller) => Promise<Caller | null>
