/**
 * The rows of connections' syncs. While a sync is in progress, only the attempt that holds its claim may write its
 * row.
 */
import { allItemsFailed } from '@atrium/connectors'
import { type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { inserts } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'

export type ConnectionSyncRow = Selectable<Tables['connection_syncs']>
export type ConnectionSyncChange = Updateable<Tables['connection_syncs']>

/** The counts that grow while a sync is in progress. */
export type Counts = Partial<
  Record<'pages' | 'listed' | 'added' | 'changed' | 'unchanged' | 'deleted' | 'failed' | 'setbacks', number>
>

/** Another attempt holds the claim, or the sync has ended. Nothing may be written for the sync any more. */
export class ClaimLost extends Error {
  override readonly name = 'ClaimLost'
  constructor(syncId: string) {
    super(`The sync ${syncId} is no longer ours`)
  }
}

const syncsOf = (scope: Scope, query: Query) => {
  const syncs = query
    .selectFrom('connection_syncs')
    .where('connection_syncs.workspace_id', '=', scope.workspaceId)
    .where('connection_syncs.environment', '=', scope.environment)
  const reached = reachesCollection(scope, 'connection_syncs.collection_id')
  return reached === null ? syncs : syncs.where(reached)
}

export const listSyncs = (
  scope: Scope,
  query: Query,
  connectionId: string,
  status: ConnectionSyncRow['status'] | undefined,
  page: PageRequest,
): Promise<Page<ConnectionSyncRow>> => {
  const rows = syncsOf(scope, query).where('connection_id', '=', connectionId)
  const chosen = status === undefined ? rows : rows.where('status', '=', status)
  return pageOf(chosen.selectAll(), page, { unfiltered: rows.selectAll() })
}

export const findSync = (scope: Scope, query: Query, id: string): Promise<ConnectionSyncRow | undefined> =>
  syncsOf(scope, query).where('id', '=', id).selectAll().executeTakeFirst()

/** How many items failed in the last sync before this one that tried all items; 0 if there was none. */
export async function failedBefore(
  scope: Scope,
  query: Query,
  { id, connection_id, collection_id }: ConnectionSyncRow,
): Promise<number> {
  const row = await syncsOf(scope, query)
    .where('connection_id', '=', connection_id)
    .where('collection_id', '=', collection_id)
    .where('id', '<', id)
    .where(({ eb, or }) => or([eb('status', '=', 'succeeded'), eb('error_code', '=', allItemsFailed)]))
    .orderBy('id', 'desc')
    .limit(1)
    .select('failed')
    .executeTakeFirst()
  return row?.failed ?? 0
}

export const lockSync = (scope: Scope, tx: Tx, id: string) =>
  syncsOf(scope, tx).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

/** The sync that is queued or running, even if the caller does not reach its collection. */
export const findSyncUnderWay = (scope: Scope, query: Query, connectionId: string) =>
  query
    .selectFrom('connection_syncs')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', connectionId)
    .where('finished_at', 'is', null)
    .selectAll()
    .executeTakeFirst()

export const insertSync = inserts('connection_syncs')

/** Undefined if `which` is no longer true of the sync. */
export const updateSync = (
  scope: Scope,
  tx: Tx,
  id: string,
  which: { claim: string } | { isUnderWay: true },
  change: ConnectionSyncChange,
  counts: Counts = {},
): Promise<ConnectionSyncRow | undefined> => {
  const added = Object.entries(counts).map(([name, by]) => [name, sql<number>`${sql.ref(name)} + ${by}`])
  const update = tx
    .updateTable('connection_syncs')
    .set(({ eb }) => ({ ...change, ...Object.fromEntries(added), revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
    .where('finished_at', 'is', null)
  const held = 'claim' in which ? update.where('claim', '=', which.claim) : update
  return held.returningAll().executeTakeFirst()
}

/** For the schedule, in every workspace: active connections whose time has come. */
export const listDue = (query: Query, nowMs: number, { after, limit }: RowRange) =>
  query
    .selectFrom('connections')
    .selectAll()
    .where('status', '=', 'active')
    .where('next_sync_at', '<=', nowMs)
    // A deleted workspace may be restored, and its schedules then go on.
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('workspaces')
          .select('workspaces.id')
          .whereRef('workspaces.id', '=', 'connections.workspace_id')
          .where('deletes_at', 'is', null),
      ),
    )
    .where('id', '>', after)
    .orderBy('id')
    .limit(limit)
    .execute()

/** What the change of a connection's sync can set. */
export type SyncSettings = Updateable<
  Pick<
    Tables['connections'],
    | 'name'
    | 'config'
    | 'sync_collection_id'
    | 'sync_every_minutes'
    | 'next_sync_at'
    | 'sync_since'
    | 'tools_listed_at'
    | 'last_full_at'
    | 'last_sync_at'
    | 'sync_user_id'
    | 'last_error'
    | 'updated_at'
  >
>

/** The caller holds the connection's row, or overwrites it without regard to its state. */
export const updateSyncSettings = (scope: Scope, tx: Tx, connectionId: string, change: SyncSettings) =>
  tx
    .updateTable('connections')
    .set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', connectionId)
    .returningAll()
    .executeTakeFirst()

/**
 * Sets the error of the last sync; null clears it. The error of a connection that is not active stays. Clearing also
 * keeps the reason why a schedule stopped.
 */
export async function updateSyncError(
  scope: Scope,
  tx: Tx,
  connectionId: string,
  last_error: Updateable<Tables['connections']>['last_error'],
): Promise<void> {
  const update = tx
    .updateTable('connections')
    .set(({ eb }) => ({ last_error, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', connectionId)
    .where('status', '=', 'active')
  const isCleared = last_error === null
  await update
    .$if(isCleared, rows =>
      rows
        .where('last_error', 'is not', null)
        .where(({ eb, or }) =>
          or([eb('sync_every_minutes', 'is', null), eb('next_sync_at', 'is not', null)]),
        ),
    )
    .execute()
}

/** Takes a due connection's turn; false if another server was quicker. */
export async function claimDue(
  scope: Scope,
  tx: Tx,
  { id, nowMs, nextMs }: { id: string; nowMs: number; nextMs: number },
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('connections')
    .set({ next_sync_at: nextMs })
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .where('next_sync_at', '<=', nowMs)
    .executeTakeFirst()
  return numUpdatedRows === 1n
}

/** The connection that keeps a collection in sync. */
export async function findTargeting(
  scope: Scope,
  query: Query,
  collectionId: string,
): Promise<string | undefined> {
  const row = await query
    .selectFrom('connections')
    .select('id')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('sync_collection_id', '=', collectionId)
    .executeTakeFirst()
  return row?.id
}

/** For housekeeping only, in every workspace: forgets syncs that ended before the time. Returns their number. */
export async function deleteSyncsEndedBefore(tx: Tx, endedBeforeMs: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('connection_syncs')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('connection_syncs')
        .select('id')
        .where(sql<SqlBool>`finished_at IS NOT NULL`)
        .where('finished_at', '<=', endedBeforeMs)
        .limit(limit),
    )
    .executeTakeFirst()
  return Number(numDeletedRows)
}
