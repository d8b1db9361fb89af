/** A caller as a job or a record stores it, so that any worker can act for the caller after the request. */
import {
  browserTokenIdOf,
  type Caller,
  type KeyBounds,
  keyIdOf,
  noBounds,
  type Permission,
} from './caller.ts'
import { decodeJson, encodeJson, type Json } from './database/json.ts'

/** One form for every kind of caller. Rows of earlier servers have the same form. */
export type StoredCaller = Pick<
  Caller,
  'kind' | 'userId' | 'role' | 'scope' | 'plan' | 'requestsPerMinute' | 'requestId'
> & {
  permissions: Permission[]
  /** Null for any caller but a key. */
  keyId: string | null
  /** Absent for any caller but a key, and in runs that an earlier server stored. */
  keyBounds?: KeyBounds
  /** Present if a page with this token began the work. */
  browserTokenId?: string
  hops?: number
}

export const storeCaller = (caller: Caller): Json<Record<string, unknown>> => {
  const { kind, userId, role, scope, plan, requestsPerMinute, requestId } = caller
  const stored: StoredCaller = {
    kind,
    userId,
    keyId: keyIdOf(caller),
    role,
    permissions: [...caller.permissions],
    scope,
    plan,
    requestsPerMinute,
    requestId,
  }
  if (caller.kind === 'key') stored.keyBounds = caller.keyBounds
  const tokenId = browserTokenIdOf(caller)
  if (tokenId !== null) stored.browserTokenId = tokenId
  if (caller.hops !== undefined) stored.hops = caller.hops
  return encodeJson<Record<string, unknown>>(stored)
}

/** The kind of a stored caller, from the first 20 characters of its text: `storeCaller` always writes it first. */
export const kindIn = (begin: string): string => begin.split('"', 4)[3] ?? ''

export function restoreCaller(json: Json<Record<string, unknown>>): Caller {
  // `storeCaller` wrote this text.
  const { kind, userId, keyId, keyBounds, browserTokenId, permissions, ...rest } = decodeJson(
    json as Json<StoredCaller>,
  )
  const shared = { ...rest, permissions: new Set(permissions), address: null }
  if (kind === 'operator' || kind === 'system') return { ...shared, kind, userId }
  if (userId === null) throw new Error(`The stored caller is a ${kind} without a user`)
  if (kind === 'person') return { ...shared, kind, userId, idempotencyId: null }
  if (keyId === null) throw new Error('The stored caller is a key without an id')
  const key = { ...shared, kind, userId, keyId, keyBounds: keyBounds ?? noBounds, idempotencyId: null }
  return browserTokenId === undefined ? key : { ...key, browserTokenId }
}
