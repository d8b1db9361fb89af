/** API keys: shown once, never with more rights than their maker, narrowed, rotated and revoked. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { type Caller, type Environment, narrowingText } from '../../platform/caller.ts'
import { secondMs } from '../../platform/clock.ts'
import type { Keyring } from '../../platform/crypto/keyring.ts'
import { newApiKey } from '../../platform/crypto/tokens.ts'
import type { Tx } from '../../platform/database/database.ts'
import { encodeJson, type Json } from '../../platform/database/json.ts'
import type { Page, PageRequest } from '../../platform/database/page.ts'
import { narrowingOfRow } from '../../platform/database/within-reach.ts'
import { type FieldError, found, ServiceError } from '../../platform/errors.ts'
import type { Filter } from '../../platform/narrowing.ts'
import type { Platform } from '../../platform/platform.ts'
import { checkRevision } from '../../platform/revision.ts'
import type { AuditService } from '../audit/service.ts'
import { actorOf, type Outbox } from '../events/outbox-service.ts'
import {
  checkNarrower,
  checkWithin,
  checkWithinReach,
  type FindMissing,
  findHolder,
  inherited,
} from './key-reach.ts'
import type { ApiKeyChange, NewApiKey } from './schemas.ts'
import {
  expireSecrets,
  findKey,
  insertKey,
  insertSecret,
  type ListedApiKeyRow,
  listKeys,
  revokeKey,
  updateKey,
} from './store.ts'

/** A key with its secret, which is stored nowhere else. */
export type MadeKey = { row: ListedApiKeyRow; key: string }

/** Exported again, because later features may import only this file of the feature. */
export type { FindMissing }

/** Reads a filter, or returns its faults; handed in, since documents come later. */
export type ReadFilter = (
  wanted: Record<string, unknown> | undefined,
) => { filter: Filter | null } | { errors: FieldError[] }

export type ApiKeyService = ReturnType<typeof createApiKeyService>

export function createApiKeyService(
  dependencies: Pick<Platform, 'database' | 'keyring' | 'clock' | 'newId'> & {
    audit: AuditService
    outbox: Outbox
    missingAgents: FindMissing
    missingCollections: FindMissing
    readFilter: ReadFilter
    /** Called after each change, so that this process drops what it has cached. */
    onChange: () => void
  },
) {
  const { database, keyring, audit, outbox, clock, newId, readFilter, onChange } = dependencies

  /** Reads the key, lets `work` change it, and reads it again; each time through the caller's scope. */
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
    list: (caller: Caller, page: PageRequest): Promise<Page<ListedApiKeyRow>> =>
      listKeys(caller.scope, database.read, page),
    get: async (caller: Caller, id: string): Promise<ListedApiKeyRow> =>
      found(await findKey(caller.scope, database.read, id)),

    /**
     * Throws a 400 that names each permission, narrowing, end or address that exceeds those of the caller or the
     * service account. A field that is not given is inherited from the calling key.
     */
    async create(caller: Caller, wanted: NewApiKey): Promise<MadeKey> {
      const environment = wanted.environment ?? caller.scope.environment
      if (caller.scope.environment === 'test' && environment === 'live') {
        throw new ServiceError('sandbox_forbidden', 'A test key cannot make a live key', {
          details: { environment: 'test', needed: 'live' },
        })
      }
      const narrowed = { ...wanted, ...inherited(caller, wanted) }
      const filter = filterOf(readFilter, wanted)
      await checkWithin(caller, { ...narrowed, environment, isFiltered: filter !== null }, dependencies)
      const userId = await findHolder(database.read, caller, wanted)
      const id = newId('key')
      const now = clock()
      return database.write(async tx => {
        const row = newKeyRow(caller, narrowed, { id, environment, userId, filter, now })
        await insertKey(caller.scope, tx, row)
        const key = await addSecret(tx, keyring, { id, environment, now })
        const { name, permissions } = wanted
        const details = withoutUndefined<Record<string, unknown>>({
          name,
          environment,
          permissions,
          userId,
          filter: filter ?? undefined,
        })
        await audit.record(tx, caller, { action: 'api_key.create', resourceId: id, details })
        const made = found(await findKey(caller.scope, tx, id))
        await recordKeyEvent(tx, outbox, caller, { ...made, type: 'key.created', at: now })
        return { row: made, key }
      })
    },

    /** Throws a 400 like `create`, and 403 `permission_missing` like `rotate`. */
    async update(
      caller: Caller,
      id: string,
      wanted: ApiKeyChange,
      ifMatch: string | null,
    ): Promise<ListedApiKeyRow> {
      const before = found(await findKey(caller.scope, database.read, id))
      const isFiltered = before.filter !== null
      await checkWithin(caller, { ...wanted, environment: before.environment, isFiltered }, dependencies)
      const { row } = await change(caller, id, ifMatch, async (tx, key) => {
        checkWithinReach(caller, key, 'change')
        if (key.app_client_id !== null) checkNarrower(key, wanted)
        const columns = { ...columnsOf(wanted), updated_at: clock() }
        if (!(await updateKey(caller.scope, tx, key, columns))) throw new ServiceError('precondition_failed')
        await audit.record(tx, caller, { action: 'api_key.update', resourceId: id, details: { ...wanted } })
      })
      return row
    },

    /**
     * Makes a new secret; the old one stays valid for `overlapSeconds`. Throws 409 `key_revoked` for a revoked key.
     * Throws 403 `permission_missing` for a key that may do more than the caller, who would get its secret.
     */
    async rotate(caller: Caller, id: string, overlapSeconds: number): Promise<MadeKey> {
      const { row, result } = await change(caller, id, null, async (tx, key) => {
        checkWithinReach(caller, key, 'rotate')
        checkHasSecret(key)
        await expireSecrets(tx, id, clock() + overlapSeconds * secondMs)
        const { environment } = key
        const secret = await addSecret(tx, keyring, { id, environment, now: clock() })
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

    /**
     * Ends the key at once; a second call changes nothing. It gives the caller nothing, so a key with fewer rights
     * can end one with more. A program that finds a leaked secret must not need a stronger key first.
     */
    async revoke(caller: Caller, id: string, ifMatch: string | null): Promise<ListedApiKeyRow> {
      const { row } = await change(caller, id, ifMatch, async (tx, key) => {
        if (!(await revokeKey(caller.scope, tx, { id, now: clock() }))) return
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

/** Throws a 409 for a key that is revoked, or that has no secret of its own. */
function checkHasSecret({ id, app_client_id, revoked_at }: ListedApiKeyRow): void {
  if (app_client_id !== null) {
    const message =
      'The key belongs to an app, which renews its tokens itself. Revoke the key, and connect the app again.'
    throw new ServiceError('key_of_app', message, { details: { keyId: id } })
  }
  if (revoked_at !== null) {
    throw new ServiceError('key_revoked', 'The key is revoked; make a new one', { details: { keyId: id } })
  }
}

/** Throws a 400 that names each fault. */
function filterOf(readFilter: ReadFilter, { filter }: NewApiKey): Filter | null {
  const read = readFilter(filter ?? undefined)
  if ('errors' in read) throw new ServiceError('validation_failed', undefined, { errors: read.errors })
  return read.filter
}

/** Exported because a grant to an app makes the same row. */
export const newKeyRow = (
  { scope }: Caller,
  wanted: NewApiKey,
  made: { id: string; environment: Environment; userId: string; filter: Filter | null; now: number },
) => ({
  id: made.id,
  workspace_id: scope.workspaceId,
  environment: made.environment,
  user_id: made.userId,
  ...columnsOf(wanted),
  name: wanted.name,
  permissions: encodeJson(wanted.permissions),
  filter: made.filter === null ? null : encodeJson(made.filter),
  created_at: made.now,
  updated_at: made.now,
  revision: 1,
})

/** Makes and returns a new secret of a key; only its hash is stored. */
async function addSecret(
  tx: Tx,
  keyring: Keyring,
  { id, environment, now }: { id: string; environment: Environment; now: number },
): Promise<string> {
  const key = newApiKey(environment)
  await insertSecret(tx, {
    secret_hash: keyring.keyedHash('api-key', key),
    pepper_version: keyring.pepperVersion,
    key_id: id,
    last_four: key.slice(-4),
    expires_at: null,
    created_at: now,
  })
  return key
}

/** The columns of the given fields; null clears a column. */
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
  return withoutUndefined<
    Partial<{ [Name in keyof typeof columns]: Exclude<(typeof columns)[Name], undefined> }>
  >(columns)
}

/** Recorded in the transaction of the change, and in the key's environment, not the caller's. */
export async function recordKeyEvent(
  tx: Tx,
  outbox: Outbox,
  caller: Caller,
  key: {
    type: 'key.created' | 'key.rotated' | 'key.revoked'
    id: string
    environment: Environment
    user_id: string
    agent_ids: Json<string[]> | null
    collection_ids: Json<string[]> | null
    at: number
  },
): Promise<void> {
  const { type, id, environment, user_id: userId, at } = key
  await outbox.record(tx, {
    workspaceId: caller.scope.workspaceId,
    environment,
    type,
    narrowing: narrowingText(narrowingOfRow(key)),
    at,
    data: { id, userId, actor: actorOf(caller) },
  })
}
