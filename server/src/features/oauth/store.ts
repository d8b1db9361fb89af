/** The rows of apps, and of the secrets behind the grants that people have given them. */
import { type Insertable, sql } from 'kysely'
import type { Query, Tx } from '../../platform/database/database.ts'
import { countOf } from '../../platform/database/rows.ts'
import type { Tables } from '../../platform/database/tables.ts'

export const findClient = (query: Query, id: string, now: number) =>
  query
    .selectFrom('app_clients')
    .selectAll()
    .where('id', '=', id)
    .where('expires_at', '>', now)
    .executeTakeFirst()

export async function insertClient(tx: Tx, row: Insertable<Tables['app_clients']>): Promise<void> {
  await tx.insertInto('app_clients').values(row).execute()
}

/**
 * Deletes apps that no person has connected, the oldest first, to make room for a new one: a flood keeps no app out.
 */
export async function makeRoomForClients(tx: Tx, most: number): Promise<void> {
  const surplus = await tx
    .selectFrom('app_clients')
    .select('id')
    .where('is_used', '=', 0)
    .orderBy('expires_at', 'desc')
    .offset(most - 1)
    .limit(100)
    .execute()
  if (surplus.length === 0) return
  await tx
    .deleteFrom('app_clients')
    .where(
      'id',
      'in',
      surplus.map(({ id }) => id),
    )
    .execute()
}

export async function keepClient(tx: Tx, id: string, expiresAt: number): Promise<void> {
  await tx
    .updateTable('app_clients')
    .set({ is_used: 1, expires_at: expiresAt })
    .where('id', '=', id)
    .execute()
}

export async function deleteExpiredClients(tx: Tx, now: number, limit: number): Promise<number> {
  const expired = tx
    .selectFrom('app_clients')
    .select('id')
    .where('is_used', 'in', [0, 1])
    .where('expires_at', '<=', now)
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('app_clients').where('id', 'in', expired).executeTakeFirst()
  return Number(numDeletedRows)
}

/** A grant with its person's role; undefined if the person has left the workspace. */
export const findGrant = (query: Query, keyId: string) =>
  query
    .selectFrom('api_keys')
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .innerJoin('members', join =>
      join
        .onRef('members.workspace_id', '=', 'api_keys.workspace_id')
        .onRef('members.user_id', '=', 'api_keys.user_id'),
    )
    .select([
      'api_keys.id',
      'api_keys.workspace_id',
      'api_keys.environment',
      'api_keys.user_id',
      'api_keys.permissions',
      'api_keys.expires_at',
      'api_keys.revoked_at',
      'api_keys.app_audience',
      'members.role',
      'workspaces.deletes_at',
    ])
    .where('api_keys.id', '=', keyId)
    .executeTakeFirst()

export type GrantRow = NonNullable<Awaited<ReturnType<typeof findGrant>>>

/** Makes simultaneous grants of one person take turns. */
export async function lockGiver(tx: Tx, userId: string): Promise<void> {
  await tx.selectFrom('users').select('id').where('id', '=', userId).forNoKeyUpdate().execute()
}

const liveGrants = (query: Query, userId: string, now: number) =>
  query
    .selectFrom('api_keys')
    .where('api_keys.user_id', '=', userId)
    .where('api_keys.app_client_id', 'is not', null)
    .where('api_keys.revoked_at', 'is', null)
    .where('api_keys.expires_at', '>', now)

export const countGrants = (query: Query, userId: string, now: number): Promise<number> =>
  countOf(liveGrants(query, userId, now))

/** The grants that a person has given to apps, in all of their workspaces, the newest first. */
export const listGrants = (query: Query, userId: string, now: number, limit: number) =>
  liveGrants(query, userId, now)
    .innerJoin('workspaces', 'workspaces.id', 'api_keys.workspace_id')
    .selectAll('api_keys')
    .select(['workspaces.name as workspace_name'])
    .orderBy('api_keys.id', 'desc')
    .limit(limit)
    .execute()

export const findOwnGrant = (query: Query, userId: string, id: string, now: number) =>
  liveGrants(query, userId, now)
    .select(['id', 'workspace_id', 'environment'])
    .where('id', '=', id)
    .executeTakeFirst()

/** Each use extends the end; the rights of the key stay the same. */
export async function setGrantEnd(tx: Tx, id: string, expiresAt: number): Promise<void> {
  await tx.updateTable('api_keys').set({ expires_at: expiresAt }).where('id', '=', id).execute()
}

export async function insertAccessToken(tx: Tx, row: Insertable<Tables['api_key_secrets']>): Promise<void> {
  await tx.insertInto('api_key_secrets').values(row).execute()
}

export async function deleteEndedAccessTokens(tx: Tx, keyId: string, now: number): Promise<void> {
  await tx.deleteFrom('api_key_secrets').where('key_id', '=', keyId).where('expires_at', '<=', now).execute()
}

export async function findKeyOfSecret(query: Query, hashes: readonly string[]): Promise<string | undefined> {
  const row = await query
    .selectFrom('api_key_secrets')
    .innerJoin('api_keys', 'api_keys.id', 'api_key_secrets.key_id')
    .select('key_id')
    .where('secret_hash', 'in', hashes)
    .where('app_client_id', 'is not', null)
    .executeTakeFirst()
  return row?.key_id
}

export async function insertCode(tx: Tx, row: Insertable<Tables['app_codes']>): Promise<void> {
  await tx.insertInto('app_codes').values(row).execute()
}

/** The code, marked as used; undefined if it does not exist or was used before. */
export const useCode = (tx: Tx, hash: string, now: number) =>
  tx
    .updateTable('app_codes')
    .set({ used_at: now })
    .where('code_hash', '=', hash)
    .where('used_at', 'is', null)
    .returningAll()
    .executeTakeFirst()

export const findCode = (query: Query, hash: string) =>
  query.selectFrom('app_codes').selectAll().where('code_hash', '=', hash).executeTakeFirst()

export async function insertRefreshToken(
  tx: Tx,
  row: Insertable<Tables['app_refresh_tokens']>,
): Promise<void> {
  await tx.insertInto('app_refresh_tokens').values(row).execute()
}

export const findRefreshToken = (query: Query, hash: string) =>
  query.selectFrom('app_refresh_tokens').selectAll().where('token_hash', '=', hash).executeTakeFirst()

/** False if it was used before, even by a request at the same moment. */
export async function useRefreshToken(tx: Tx, hash: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_refresh_tokens')
    .set({ used_at: now })
    .where('token_hash', '=', hash)
    .where('used_at', 'is', null)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** False if the code that a person types is taken. */
export async function insertDevice(tx: Tx, row: Insertable<Tables['app_devices']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('app_devices')
    .values(row)
    .onConflict(conflict => conflict.column('user_code_hash').doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** The devices that have no tokens to fetch, the oldest first. */
export const listDevices = (query: Query, limit: number) =>
  query
    .selectFrom('app_devices')
    .select(['device_hash', 'address'])
    .where('status', '<>', 'approved')
    .orderBy('expires_at')
    .orderBy('device_hash')
    .limit(limit)
    .execute()

export async function deleteDevices(tx: Tx, hashes: readonly string[]): Promise<void> {
  if (hashes.length === 0) return
  await tx.deleteFrom('app_devices').where('device_hash', 'in', hashes).execute()
}

export const countDevices = (query: Query, most: number): Promise<number> =>
  countOf(query.selectFrom(query.selectFrom('app_devices').select('device_hash').limit(most).as('some')))

export const findWaitingDevice = (query: Query, userCodeHash: string, now: number) =>
  query
    .selectFrom('app_devices')
    .selectAll()
    .where('user_code_hash', '=', userCodeHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()

/** False if a decision was made before, or if the code has expired. */
export async function decideDevice(
  tx: Tx,
  userCodeHash: string,
  decided: { status: 'approved' | 'denied'; key_id: string | null },
  now: number,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_devices')
    .set(decided)
    .where('user_code_hash', '=', userCodeHash)
    .where('status', '=', 'pending')
    .where('expires_at', '>', now)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

export const findDevice = (query: Query, hash: string) =>
  query.selectFrom('app_devices').selectAll().where('device_hash', '=', hash).executeTakeFirst()

export async function notePoll(
  tx: Tx,
  hash: string,
  polled: { polled_at: number; interval_seconds: number },
): Promise<void> {
  await tx.updateTable('app_devices').set(polled).where('device_hash', '=', hash).execute()
}

/** False if its tokens were handed out before. */
export async function useDevice(tx: Tx, hash: string): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('app_devices')
    .set({ status: 'used' })
    .where('device_hash', '=', hash)
    .where('status', '=', 'approved')
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

const expiring = {
  app_codes: 'code_hash',
  app_refresh_tokens: 'token_hash',
  app_devices: 'device_hash',
} as const

/** Returns how many rows of the table were deleted. */
export async function deleteExpired(
  tx: Tx,
  table: keyof typeof expiring,
  before: number,
  limit: number,
): Promise<number> {
  const key = sql.ref(expiring[table])
  const { numAffectedRows } = await sql`
    DELETE FROM ${sql.table(table)} WHERE ${key} IN (
      SELECT ${key} FROM ${sql.table(table)} WHERE expires_at <= ${before} LIMIT ${limit}
    )`.execute(tx)
  return Number(numAffectedRows ?? 0)
}

/** Deletes grants whose app never fetched its tokens; returns how many. */
export async function deleteAbandonedGrants(tx: Tx, before: number, limit: number): Promise<number> {
  const abandoned = tx
    .selectFrom('api_keys')
    .select('id')
    .where('app_client_id', 'is not', null)
    .where('last_used_at', 'is', null)
    .where('expires_at', '<=', before)
    .limit(limit)
  const { numDeletedRows } = await tx.deleteFrom('api_keys').where('id', 'in', abandoned).executeTakeFirst()
  return Number(numDeletedRows)
}
