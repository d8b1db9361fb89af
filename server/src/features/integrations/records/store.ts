/** The rows of connections. */
import type { Insertable, Selectable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { decodeJson, encodeJson } from '../../../platform/database/json.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'
import type { connectionStatuses } from './schemas.ts'

export type ConnectionRow = Selectable<Tables['connections']>
type ConnectionStatus = (typeof connectionStatuses)[number]

/** The limit for all scopes together: those asked for at first, and those wanted later. */
const maxWanted = 50

export type ConnectionFilter = { integrationId?: string; status?: ConnectionStatus }

/** What the change of a connection can set; the change is visible, so the revision goes up. */
export type ConnectionChange = Partial<
  Pick<
    ConnectionRow,
    | 'status'
    | 'account'
    | 'scopes'
    | 'oauth'
    | 'credentials'
    | 'credentials_expire_at'
    | 'last_error'
    | 'refresh_lease_until'
    | 'sync_since'
    | 'expires_at'
  >
>

export function listConnections(
  scope: Scope,
  query: Query,
  filter: ConnectionFilter,
  page: PageRequest,
  nowMs: number,
): Promise<Page<ConnectionRow>> {
  const unfiltered = selectConnections(scope, query).selectAll()
  let rows = selectConnections(scope, query)
  if (filter.integrationId !== undefined) rows = rows.where('integration_id', '=', filter.integrationId)
  if (filter.status === 'pending') {
    rows = rows.where('status', '=', 'pending').where('expires_at', '>', nowMs)
  } else if (filter.status === 'expired') {
    rows = rows.where('status', '=', 'pending').where('expires_at', '<=', nowMs)
  } else if (filter.status !== undefined) {
    rows = rows.where('status', '=', filter.status)
  }
  const columns = { named: { query, name: 'name', texts: ['name'] } }
  return pageOf(rows.selectAll(), page, { unfiltered, columns })
}

export const findConnection = (scope: Scope, query: Query, id: string): Promise<ConnectionRow | undefined> =>
  selectConnections(scope, query).where('id', '=', id).selectAll().executeTakeFirst()

/** Oldest first. */
export async function connectionsNamed(
  scope: Scope,
  query: Query,
  ids: readonly string[],
): Promise<Pick<ConnectionRow, 'id' | 'name' | 'integration_id' | 'sync_collection_id'>[]> {
  return await selectConnections(scope, query)
    .where('id', 'in', ids)
    .orderBy('id')
    .select(['id', 'name', 'integration_id', 'sync_collection_id'])
    .execute()
}

/** The row, held until the transaction ends. */
export const lockConnection = (scope: Scope, tx: Tx, id: string) =>
  selectConnections(scope, tx).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

/**
 * Counts the connections that exist for the scope. To check the limit of an environment, pass a scope that is not
 * narrowed.
 */
export async function countConnections(
  scope: Scope,
  query: Query,
  filter: Pick<ConnectionFilter, 'integrationId'> = {},
): Promise<number> {
  const { integrationId } = filter
  return countOf(
    selectConnections(scope, query).$if(integrationId !== undefined, rows =>
      rows.where('integration_id', '=', integrationId ?? ''),
    ),
  )
}

export async function insertConnection(
  _scope: Scope,
  tx: Tx,
  row: Insertable<Tables['connections']>,
): Promise<ConnectionRow> {
  return await tx.insertInto('connections').values(row).returningAll().executeTakeFirstOrThrow()
}

/** Changes a connection only while it is as `expected` says. Undefined if it is not. */
export async function changeConnection(
  scope: Scope,
  tx: Tx,
  id: string,
  expected: { status?: 'pending'; config?: string; credentials?: string | null },
  change: ConnectionChange & { updated_at: number },
): Promise<ConnectionRow | undefined> {
  let update = tx
    .updateTable('connections')
    .set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
  if (expected.status !== undefined) update = update.where('status', '=', expected.status)
  if (expected.config !== undefined) update = update.where('config', '=', expected.config)
  if (expected.credentials === null) update = update.where('credentials', 'is', null)
  else if (expected.credentials !== undefined) {
    update = update.where('credentials', '=', expected.credentials)
  }
  return await update.returningAll().executeTakeFirst()
}

/**
 * Notes scopes that the server wants; reconnecting asks the person for them. Each is written once, since a server may
 * refuse every call.
 */
export async function noteWanted(
  scope: Scope,
  tx: Tx,
  { id, wanted, at }: { id: string; wanted: readonly string[]; at: number },
): Promise<void> {
  const row = await lockConnection(scope, tx, id)
  if (row === undefined || row.oauth === null) return
  const stored = decodeJson(row.oauth)
  const granted = [...stored.terms.scopes, ...(stored.wanted ?? [])]
  const all = [...new Set([...granted, ...wanted])].slice(0, maxWanted)
  if (all.length === new Set(granted).size) return
  const message = `The server asks for a further permission: ${wanted.join(' ')}. Reconnect to grant it.`
  await changeConnection(
    scope,
    tx,
    id,
    {},
    {
      oauth: encodeJson({ ...stored, wanted: all }),
      last_error: encodeJson({ code: 'insufficient_scope', message: message.slice(0, 1_000), at }),
      updated_at: at,
    },
  )
}

export async function deleteConnection(scope: Scope, tx: Tx, id: string): Promise<void> {
  await tx
    .deleteFrom('connections')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .execute()
}

/** Forgets connections that were never authorized and expired before the given time. */
export async function deleteExpiredConnections(scope: Scope, tx: Tx, expiredBefore: number): Promise<void> {
  await tx
    .deleteFrom('connections')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('status', '=', 'pending')
    .where('expires_at', '<', expiredBefore)
    .execute()
}

/**
 * Takes the lease to refresh exactly these credentials. Returns false if another process has the lease, or if the
 * credentials have changed.
 */
export async function takeRefreshLease(
  scope: Scope,
  tx: Tx,
  id: string,
  credentials: string,
  lease: { nowMs: number; untilMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connections')
    .set({ refresh_lease_until: lease.untilMs })
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .where(({ eb, or }) =>
      or([eb('refresh_lease_until', 'is', null), eb('refresh_lease_until', '<=', lease.nowMs)]),
    )
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** Replaces credentials by the fresher ones that the service gave for them; ends the lease. */
export async function replaceCredentials(
  scope: Scope,
  tx: Tx,
  id: string,
  stale: string,
  fresh: Pick<ConnectionRow, 'credentials' | 'credentials_expire_at'>,
): Promise<ConnectionRow | undefined> {
  return await tx
    .updateTable('connections')
    .set({ ...fresh, refresh_lease_until: null })
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .where('credentials', '=', stale)
    .returningAll()
    .executeTakeFirst()
}

export async function endRefreshLease(scope: Scope, tx: Tx, id: string, credentials: string): Promise<void> {
  await tx
    .updateTable('connections')
    .set({ refresh_lease_until: null })
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .where('credentials', '=', credentials)
    .execute()
}

/**
 * A connection does not exist for a scope that does not reach the collection of its documents. Its name, its account
 * and its tools would tell what that collection keeps.
 */
const selectConnections = (scope: Scope, query: Query) => {
  const rows = query
    .selectFrom('connections')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
  // A service's answers have no metadata, so a filter cannot tell which of them the scope must not see.
  if (scope.documentFilter !== undefined) return rows.where('connections.sync_collection_id', 'is', null)
  const reached = reachesCollection(scope, 'connections.sync_collection_id')
  if (reached === null) return rows
  return rows.where(({ eb, or }) => or([eb('connections.sync_collection_id', 'is', null), reached]))
}

/** Active connections of every workspace whose credentials stop working within the span, ordered by id. */
export const listSoonExpiring = (
  query: Query,
  span: { fromMs: number; toMs: number },
  { after, limit }: RowRange,
): Promise<Pick<ConnectionRow, 'id' | 'workspace_id' | 'environment'>[]> =>
  query
    .selectFrom('connections')
    .select(['id', 'workspace_id', 'environment'])
    .where('credentials_expire_at', '>', span.fromMs)
    .where('credentials_expire_at', '<=', span.toMs)
    .where('status', '=', 'active')
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** A pending connection expires by itself: nothing is written when its time is over. */
export const statusOf = (row: ConnectionRow, nowMs: number): ConnectionStatus =>
  row.status === 'pending' && row.expires_at !== null && row.expires_at <= nowMs ? 'expired' : row.status

export const integrationRemoved = (integrationId: string): ServiceError =>
  new ServiceError('integration_removed', undefined, { details: { integrationId } })
