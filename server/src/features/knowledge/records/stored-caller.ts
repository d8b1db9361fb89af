/** A caller as a job or a record keeps it: what goes on after the request is done in its caller's name. */
import type { Caller } from '../../../platform/caller.ts'
import type { Json } from '../../../platform/database/json.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'

type Stored = Omit<Caller, 'permissions' | 'address' | 'idempotencyId'> & {
  permissions: Caller['permissions'] extends ReadonlySet<infer Permission> ? Permission[] : never
}

export const storeCaller = (caller: Caller): Json<Record<string, unknown>> => {
  const { address: _address, idempotencyId: _idempotencyId, permissions, ...rest } = caller
  const stored: Stored = { ...rest, permissions: [...permissions] }
  return encodeJson<Record<string, unknown>>(stored)
}

export const restoreCaller = (stored: Json<Record<string, unknown>>): Caller => {
  // What `storeCaller` wrote.
  const { permissions, ...rest } = decodeJson(stored as Json<Stored>)
  return { ...rest, permissions: new Set(permissions), address: null, idempotencyId: null }
}
