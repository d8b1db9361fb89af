/** API keys: made once, shown once, never worth more than their maker, narrowed, rotated and revoked. */
import ipaddr from 'ipaddr.js'
import {
  type Caller,
  type Environment,
  type Permission,
  rolePermissions,
  roles,
  type Scope,
} from '../../platform/caller.ts'
import { type Clock, secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { newApiKey } from '../../platform/crypto/tokens.ts'
import type { Database, Tx } from '../../platform/database/database.ts'
import { decodeJson, encodeJson, type Json } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { type FieldError, notFound, ServiceError } from '../../platform/errors.ts'
import type { NewId } from '../../platform/ids.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import { findHolder } from './key-holder.ts'
import { recordKeyEvent } from './key-outbox.ts'
import type { ApiKeyChange, NewApiKey } from './schemas.ts'
import {
  expireSecrets,
  findKey,
  insertKey,
  insertSecret,
  type ListedApiKeyRow,
  listKeys,
  updateKey,
} from './store.ts'

/** A key with its secret, which exists nowhere else. */
export type MadeKey = { row: ListedApiKeyRow; key: string }

/** Tells which of these ids do not exist for the scope; handed in, since the features that know come later. */
export type FindMissing = (scope: Scope, ids: readonly string[]) => Promise<string[]>

export type ApiKeyService = {
  list(caller: Caller, page: PageRequest): Promise<Page<ListedApiKeyRow>>
  get(caller: Caller, id: string): Promise<ListedApiKeyRow>
  /** Throws a 400 that names each permission or narrowing that the caller, or the service account, does not have itself. */
  create(caller: Caller, wanted: NewApiKey): Promise<MadeKey>
  update(caller: Caller, id: string, change: ApiKeyChange, ifMatch: string | null): Promise<ListedApiKeyRow>
  /**
   * A new secret; the old one lives on for `overlapSeconds`. A revoked key is a 409 `conflict`, and one that may more
   * than the caller a 403 `permission_missing`: whoever rotates a key holds it.
   */
  rotate(caller: Caller, id: string, overlapSeconds: number): Promise<MadeKey>
  /** Ends the key at once; again does nothing more. */
  revoke(caller: Caller, id: string, ifMatch: string | null): Promise<ListedApiKeyRow>
}

export function createApiKeyService(dependencies: {
  database: Database
  keyring: Keyring
  audit: AuditService
  outbox: Outbox
  clock: Clock
  newId: NewId
  missingAgents: FindMissing
  missingCollections: FindMissing
  /** Called after each change, so that this process forgets what it had cached. */
  onChange: () => void
}): ApiKeyService {
  const { database, keyring, audit, outbox, clock, newId, onChange } = dependencies

  const addSecret = async (tx: Tx, keyId: string, environment: Environment): Promise<string> => {
    const key = newApiKey(environment)
    await insertSecret(tx, {
      secret_hash: keyring.keyedHash('api-key', key),
      pepper_version: keyring.pepperVersion,
      key_id: keyId,
      last_four: key.slice(-4),
      expires_at: null,
      created_at: clock(),
    })
    return key
  }

  /** Reads the key, lets `work` change it, and reads it again; the caller's own view of it all along. */
  const change = async <Result>(
    caller: Caller,
    id: string,
    ifMatch: string | null,
    work: (tx: Tx, key: ListedApiKeyRow) => Promise<Result>,
  ): Promise<{ row: ListedApiKeyRow; result: Result }> => {
    const changed = await database.write(async tx => {
      const key = found(await findKey(caller.scope, tx, id))
      checkRevision(ifMatch, key)
      const result = await work(tx, key)
      return { row: found(await findKey(caller.scope, tx, id)), result }
    })
    onChange()
    return changed
  }

  return {
    list: (caller, page) => listKeys(caller.scope, database.read, page),
    get: async (caller, id) => found(await findKey(caller.scope, database.read, id)),

    async create(caller, wanted) {
      const environment = wanted.environment ?? caller.scope.environment
      if (caller.scope.environment === 'test' && environment === 'live') {
        throw new ServiceError('sandbox_forbidden', 'A test key cannot make a live key')
      }
      const narrowing = inherited(caller.scope, wanted)
      await checkWithin(caller, { ...wanted, ...narrowing, environment }, dependencies)
      const userId = await findHolder(database.read, caller, wanted)
      const id = newId('key')
      const now = clock()
      return database.write(async tx => {
        await insertKey(caller.scope, tx, {
          id,
          workspace_id: caller.scope.workspaceId,
          environment,
          user_id: userId,
          ...columnsOf({ ...wanted, ...narrowing }),
          name: wanted.name,
          permissions: encodeJson(wanted.permissions),
          created_at: now,
          updated_at: now,
          revision: 1,
        })
        const key = await addSecret(tx, id, environment)
        await audit.record(tx, caller, {
          action: 'api_key.create',
          resourceId: id,
          details: { name: wanted.name, environment, permissions: wanted.permissions, userId },
        })
        const made = { type: 'key.created', id, environment, user_id: userId, at: now } as const
        await recordKeyEvent(tx, outbox, caller, made)
        return { row: found(await findKey(caller.scope, tx, id)), key }
      })
    },

    async update(caller, id, wanted, ifMatch) {
      const before = found(await findKey(caller.scope, database.read, id))
      await checkWithin(caller, { ...wanted, environment: before.environment }, dependencies)
      const { row } = await change(caller, id, ifMatch, async (tx, key) => {
        const columns = { ...columnsOf(wanted), updated_at: clock() }
        if (!(await updateKey(caller.scope, tx, key, columns))) throw new ServiceError('precondition_failed')
        await audit.record(tx, caller, { action: 'api_key.update', resourceId: id, details: { ...wanted } })
      })
      return row
    },

    async rotate(caller, id, overlapSeconds) {
      const { row, result } = await change(caller, id, null, async (tx, key) => {
        checkWithinReach(caller, key)
        if (key.revoked_at !== null) throw new ServiceError('conflict', 'The key is revoked; make a new one')
        await expireSecrets(tx, id, clock() + overlapSeconds * secondMs)
        const secret = await addSecret(tx, id, key.environment)
        await updateKey(caller.scope, tx, key, { updated_at: clock() })
        await audit.record(tx, caller, {
          action: 'api_key.rotate',
          resourceId: id,
          details: { overlapSeconds },
        })
        await recordKeyEvent(tx, outbox, caller, { ...key, type: 'key.rotated', at: clock() })
        return secret
      })
      return { row, key: result }
    },

    async revoke(caller, id, ifMatch) {
      const { row } = await change(caller, id, ifMatch, async (tx, key) => {
        if (key.revoked_at !== null) return
        await updateKey(caller.scope, tx, key, { revoked_at: clock(), updated_at: clock() })
        await audit.record(tx, caller, {
          action: 'api_key.revoke',
          resourceId: id,
          details: { name: key.name },
        })
        await recordKeyEvent(tx, outbox, caller, { ...key, type: 'key.revoked', at: clock() })
      })
      return row
    },
  }
}

/** A key made by a narrowed key is at least as narrow. */
function inherited(scope: Scope, wanted: NewApiKey): Pick<NewApiKey, 'agentIds' | 'collectionIds'> {
  return {
    agentIds: wanted.agentIds ?? (scope.agentIds === undefined ? null : [...scope.agentIds]),
    collectionIds:
      wanted.collectionIds ?? (scope.collectionIds === undefined ? null : [...scope.collectionIds]),
  }
}

type Wanted = Partial<NewApiKey> & { environment: Environment }

async function checkWithin(
  caller: Caller,
  wanted: Wanted,
  known: { missingAgents: FindMissing; missingCollections: FindMissing; clock: Clock },
): Promise<void> {
  const scope = { ...caller.scope, environment: wanted.environment }
  const errors = [
    ...permissionErrors(caller, wanted.permissions ?? []),
    ...addressErrors(wanted.allowedAddresses ?? []),
    ...wideningErrors(caller.scope, wanted),
    ...(await missingErrors('agentIds', wanted.agentIds ?? [], ids => known.missingAgents(scope, ids))),
    ...(await missingErrors('collectionIds', wanted.collectionIds ?? [], ids =>
      known.missingCollections(scope, ids),
    )),
  ]
  if (wanted.expiresAt != null && Date.parse(wanted.expiresAt) <= known.clock()) {
    errors.push({ field: 'expiresAt', message: 'must lie in the future' })
  }
  if (errors.length > 0) throw new ServiceError('validation_failed', undefined, { errors })
}

/** Throws 403 where the key may more, reaches further, or acts for somebody of a higher role than the caller. */
function checkWithinReach({ permissions, role, scope }: Caller, key: ListedApiKeyRow): void {
  const held = key.maker_role === null ? [] : rolePermissions[key.maker_role]
  const reached = (ids: Json<string[]> | null, narrowing: readonly string[] | undefined): boolean =>
    narrowing === undefined || (ids !== null && decodeJson(ids).every(id => narrowing.includes(id)))
  if (
    (key.maker_role === null || roles.indexOf(key.maker_role) >= roles.indexOf(role)) &&
    decodeJson(key.permissions).every(wanted => permissions.has(wanted) || !held.includes(wanted)) &&
    reached(key.agent_ids, scope.agentIds) &&
    reached(key.collection_ids, scope.collectionIds)
  )
    return
  throw new ServiceError('permission_missing', 'The key to rotate may more than the key that asks')
}

/** Null would lift a narrowing that the caller itself is under. */
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

const addressErrors = (addresses: readonly string[]): FieldError[] =>
  addresses.flatMap((address, index) =>
    ipaddr.isValid(address) || ipaddr.isValidCIDR(address)
      ? []
      : [
          {
            field: `allowedAddresses.${index}`,
            message: 'must be an IP address or a CIDR such as 203.0.113.0/24',
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

/** The columns of those fields that are given; null clears one. */
function columnsOf(wanted: ApiKeyChange) {
  const json = <Value>(value: Value[] | null | undefined): Json<Value[]> | null | undefined =>
    value == null ? value : encodeJson(value)
  const columns = {
    name: wanted.name,
    permissions: wanted.permissions === undefined ? undefined : encodeJson(wanted.permissions),
    agent_ids: json(wanted.agentIds),
    collection_ids: json(wanted.collectionIds),
    allowed_addresses: json(wanted.allowedAddresses),
    expires_at: wanted.expiresAt == null ? wanted.expiresAt : Date.parse(wanted.expiresAt),
  }
  return Object.fromEntries(Object.entries(columns).filter(([, value]) => value !== undefined)) as Partial<{
    [Name in keyof typeof columns]: Exclude<(typeof columns)[Name], undefined>
  }>
}

function found(row: ListedApiKeyRow | undefined): ListedApiKeyRow {
  if (row === undefined) throw notFound()
  return row
}
