/** How far a caller reaches among keys: what it may give to a key, and which keys it may change or have. */

import ipaddr from 'ipaddr.js'
import {
  type Caller,
  type Environment,
  filteredPermissions,
  type KeyBounds,
  noBounds,
  type Permission,
  rolePermissions,
  roles,
  type Scope,
} from '../../platform/caller.ts'
import { type Clock, toTimestamp } from '../../platform/clock.ts'
import type { Query } from '../../platform/database/database.ts'
import { decodeJson } from '../../platform/database/json.ts'
import { type FieldError, forbidden, invalidField, ServiceError } from '../../platform/errors.ts'
import type { ApiKeyChange, NewApiKey } from './schemas.ts'
import { findServiceAccount, type ListedApiKeyRow } from './store.ts'

/** Returns the ids that do not exist for the scope. Handed in, since the features that know come later. */
export type FindMissing = (scope: Scope, ids: readonly string[], query?: Query) => Promise<string[]>

type Inherited = Pick<NewApiKey, 'agentIds' | 'collectionIds' | 'expiresAt' | 'allowedAddresses'>

/** A key that a key makes reaches no further, lives no longer and works from no more addresses. */
export function inherited(caller: Caller, wanted: NewApiKey): Inherited {
  const { agentIds, collectionIds } = caller.scope
  return {
    agentIds: wanted.agentIds ?? (agentIds === undefined ? null : [...agentIds]),
    collectionIds: wanted.collectionIds ?? (collectionIds === undefined ? null : [...collectionIds]),
    ...inheritedBounds(caller, wanted),
  }
}

type KeyRequest = Partial<NewApiKey> & { environment: Environment }

/** Throws a 400 that names each field that would give the key more than the caller has. */
export async function checkWithin(
  caller: Caller,
  wanted: KeyRequest & { isFiltered: boolean },
  known: { missingAgents: FindMissing; missingCollections: FindMissing; clock: Clock },
): Promise<void> {
  const { isFiltered } = wanted
  const scope = { ...caller.scope, environment: wanted.environment }
  const errors = [
    ...permissionErrors(caller, wanted.permissions ?? []),
    ...(isFiltered ? filteredErrors(wanted.permissions ?? []) : []),
    ...addressErrors(caller, wanted.allowedAddresses),
    ...wideningErrors(caller.scope, wanted),
    ...(await missingErrors('agentIds', wanted.agentIds ?? [], ids => known.missingAgents(scope, ids))),
    ...(await missingErrors('collectionIds', wanted.collectionIds ?? [], ids =>
      known.missingCollections(scope, ids),
    )),
    ...endErrors(caller, wanted.expiresAt, known.clock()),
  ]
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/**
 * Throws 403 if the key may do more than the caller, lives longer, works from more addresses, or acts for a higher
 * role. Permissions that the member has lost also count: they may come back.
 */
export function checkWithinReach(caller: Caller, key: ListedApiKeyRow, what: 'change' | 'rotate'): void {
  const { permissions, role } = caller
  const lacking = decodeJson(key.permissions).filter(permission => !permissions.has(permission))
  const more = [
    ...(key.maker_role !== null && roles.indexOf(key.maker_role) < roles.indexOf(role)
      ? [`acts for a member with the role ${key.maker_role}`]
      : []),
    ...(lacking.length > 0 ? [`has ${lacking.join(', ')}`] : []),
    ...(isWithinEnd(caller, key.expires_at) ? [] : ['lives longer']),
    ...(isWithinAddresses(caller, key.allowed_addresses === null ? null : decodeJson(key.allowed_addresses))
      ? []
      : ['works from more addresses']),
  ]
  if (more.length === 0) return
  throw forbidden(
    'permission',
    `The key to ${what} may more than the caller: it ${more.join(', and ')}. Use a key that has as much, or let an owner do it in the console.`,
  )
}

/** Throws a 400 if a change would let an app do more than the person allowed, or set the end of its key. */
export function checkNarrower(key: ListedApiKeyRow, wanted: ApiKeyChange): void {
  const remedy = 'a key of an app can only be narrowed; for more, connect the app again'
  const widened = (['agentIds', 'collectionIds'] as const).filter(field => {
    const held = field === 'agentIds' ? key.agent_ids : key.collection_ids
    if (wanted[field] === undefined || held === null) return false
    const kept = decodeJson(held)
    return wanted[field]?.every(id => kept.includes(id)) !== true
  })
  const held = decodeJson(key.permissions)
  const errors = [
    ...widened.map(field => ({ field, message: `must lie within what it reaches now: ${remedy}` })),
    ...(wanted.permissions ?? []).flatMap((permission, index) =>
      held.includes(permission) ? [] : [{ field: `permissions.${index}`, message: `is new: ${remedy}` }],
    ),
    ...(wanted.expiresAt === undefined
      ? []
      : [{ field: 'expiresAt', message: 'follows from the use of the app; revoke the key to end it' }]),
  ]
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** Null would lift a narrowing that also binds the caller. */
const wideningErrors = (scope: Scope, wanted: Partial<NewApiKey>): FieldError[] =>
  (['agentIds', 'collectionIds'] as const)
    .filter(field => wanted[field] === null && scope[field] !== undefined)
    .map(field => ({ field, message: 'must not be null: the calling key is narrowed itself' }))

const permissionErrors = (caller: Caller, wanted: readonly Permission[]): FieldError[] =>
  wanted.flatMap((permission, index) =>
    caller.permissions.has(permission)
      ? []
      : [{ field: `permissions.${index}`, message: `is more than the caller has itself: ${permission}` }],
  )

/** Every other permission would reveal other documents, or change them. */
const filteredErrors = (wanted: readonly Permission[]): FieldError[] =>
  wanted.flatMap((permission, index) =>
    filteredPermissions.includes(permission)
      ? []
      : [
          {
            field: `permissions.${index}`,
            message: `A key with a filter may have ${filteredPermissions.join(', ')}`,
          },
        ],
  )

async function missingErrors(
  field: string,
  ids: readonly string[],
  findMissing: (ids: readonly string[]) => Promise<string[]>,
): Promise<FieldError[]> {
  if (ids.length === 0) return []
  const missing = new Set(await findMissing(ids))
  return ids.flatMap((id, index) =>
    missing.has(id) ? [{ field: `${field}.${index}`, message: 'does not exist' }] : [],
  )
}

/** Returns the user. Throws a 400 that names `memberId`, or each permission that the account's role does not have. */
export async function findHolder(
  query: Query,
  caller: Caller,
  { memberId, permissions }: NewApiKey,
): Promise<string> {
  if (memberId === undefined) {
    if (caller.userId === null) throw new ServiceError('member_required', 'A key needs a member who makes it')
    return caller.userId
  }
  const account = await findServiceAccount(caller.scope, query, memberId)
  if (account === undefined) throw invalidField('memberId', 'There is no service account with this id')
  const { role } = account
  if (roles.indexOf(role) < roles.indexOf(caller.role)) {
    const message = `The role ${caller.role} cannot make a key for a service account with the role ${role}`
    throw forbidden('role', message, { role: caller.role })
  }
  const held = rolePermissions[role]
  const errors = permissions.flatMap((permission, index) =>
    held.includes(permission)
      ? []
      : [{ field: `permissions.${index}`, message: `is more than the role ${role} has: ${permission}` }],
  )
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
  return account.userId
}

// When a key ends and from which addresses it works. A key cannot give another key a longer life or more addresses.

type Bounded = Pick<NewApiKey, 'expiresAt' | 'allowedAddresses'>

/** The end and the addresses of a new key; a field that is not given is inherited from the calling key. */
function inheritedBounds(caller: Caller, wanted: Bounded): Bounded {
  const { expiresAt: end, allowedAddresses: addresses } = boundsOf(caller)
  return {
    expiresAt: wanted.expiresAt === undefined && end !== null ? toTimestamp(end) : (wanted.expiresAt ?? null),
    allowedAddresses:
      wanted.allowedAddresses === undefined && addresses !== null
        ? [...addresses]
        : (wanted.allowedAddresses ?? null),
  }
}

/** `wanted` is undefined if a change does not name the end. */
function endErrors(caller: Caller, wanted: string | null | undefined, now: number): FieldError[] {
  const field = 'expiresAt'
  if (wanted === undefined) return []
  const end = wanted === null ? null : Date.parse(wanted)
  if (end !== null && end <= now) return [{ field, message: 'must lie in the future' }]
  if (isWithinEnd(caller, end)) return []
  const latest = toTimestamp(boundsOf(caller).expiresAt ?? now)
  return [
    {
      field,
      message: `must be ${latest} at the latest, when the calling key ends; for more use a key that lives longer, or the console`,
    },
  ]
}

/** `wanted` is undefined if a change does not name the addresses. */
function addressErrors(caller: Caller, wanted: readonly string[] | null | undefined): FieldError[] {
  if (wanted === undefined) return []
  const field = 'allowedAddresses'
  const own = (boundsOf(caller).allowedAddresses ?? []).join(', ')
  const remedy = 'for more use a key with more addresses, or the console'
  if (wanted === null) {
    if (isWithinAddresses(caller, null)) return []
    return [{ field, message: `must lie within the addresses of the calling key, ${own}; ${remedy}` }]
  }
  return wanted.flatMap((address, index) => {
    const place = { field: `${field}.${index}` }
    if (!ipaddr.isValid(address) && !ipaddr.isValidCIDR(address)) {
      return [{ ...place, message: 'must be an IP address or a CIDR such as 203.0.113.0/24' }]
    }
    if (isWithinAddresses(caller, [address])) return []
    return [{ ...place, message: `is outside the addresses of the calling key, ${own}; ${remedy}` }]
  })
}

/** A null `end` means no end. */
function isWithinEnd(caller: Caller, end: number | null): boolean {
  const latest = boundsOf(caller).expiresAt
  return latest === null || (end !== null && end <= latest)
}

/** Null `addresses` mean any address. */
function isWithinAddresses(caller: Caller, addresses: readonly string[] | null): boolean {
  const allowed = boundsOf(caller).allowedAddresses
  if (allowed === null) return true
  return addresses?.every(address => allowed.some(entry => covers(entry, address))) === true
}

/** Only a key has bounds; other callers get none. */
const boundsOf = (caller: Caller): KeyBounds => (caller.kind === 'key' ? caller.keyBounds : noBounds)

/** Whether `outer` contains every address of `inner`; each is an address or a CIDR. */
function covers(outer: string, inner: string): boolean {
  const [network, bits] = networkOf(outer)
  const [wanted, wantedBits] = networkOf(inner)
  return network.kind() === wanted.kind() && wantedBits >= bits && wanted.match([network, bits])
}

/** A single address is a network of one. An IPv4 address counts in either spelling. */
function networkOf(entry: string): [ipaddr.IPv4 | ipaddr.IPv6, number] {
  if (entry.includes('/')) return ipaddr.parseCIDR(entry)
  const address = ipaddr.process(entry)
  return [address, address.kind() === 'ipv4' ? 32 : 128]
}
