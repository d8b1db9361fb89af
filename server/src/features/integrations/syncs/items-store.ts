/** What a connection is known to hold, row by row: listed, waiting to be fetched, kept as a document, gone. */
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { ConnectionItemStatus } from '../records/sync-schemas.ts'
import type { ConnectionSyncRow } from './syncs-store.ts'

export type ItemRow = Selectable<Tables['connection_items']>
export type ItemChange = Updateable<Tables['connection_items']>

/** Few enough for the parameters of one statement. */
export const itemsAtOnce = 500
const documentsAtOnce = 500

const itemsOf = (scope: Scope, query: Query, connectionId: string) =>
  query
    .selectFrom('connection_items')
    .where('workspace_id', '=', scope.workspaceId)
    .where('connection_id', '=', connectionId)

export const findItems = (scope: Scope, query: Query, connectionId: string, externalIds: readonly string[]) =>
  itemsOf(scope, query, connectionId)
    .where('external_id', 'in', [...externalIds])
    .selectAll()
    .execute()

/** Adds items. For known items, updates what is to be fetched. */
export async function upsertItems(
  _scope: Scope,
  tx: Tx,
  rows: readonly Insertable<Tables['connection_items']>[],
): Promise<void> {
  if (rows.length === 0) return
  await tx
    .insertInto('connection_items')
    .values([...rows])
    .onConflict(conflict =>
      conflict.columns(['connection_id', 'external_id']).doUpdateSet(({ ref }) => ({
        version: ref('excluded.version'),
        title: ref('excluded.title'),
        data: ref('excluded.data'),
        pending: ref('excluded.pending'),
        gone: ref('excluded.gone'),
        seen_in: ref('excluded.seen_in'),
        updated_at: ref('excluded.updated_at'),
      })),
    )
    .execute()
}

/** Marks items that were listed unchanged. */
export async function markSeen(
  scope: Scope,
  tx: Tx,
  { id, connection_id }: ConnectionSyncRow,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return
  await itemsUpdate(scope, tx, connection_id, { seen_in: id, gone: 0 })
    .where('external_id', 'in', [...externalIds])
    .execute()
}

export async function markGone(
  scope: Scope,
  tx: Tx,
  connectionId: string,
  externalIds: readonly string[],
): Promise<void> {
  if (externalIds.length === 0) return
  await itemsUpdate(scope, tx, connectionId, { gone: 1, pending: 0 })
    .where('external_id', 'in', [...externalIds])
    .execute()
}

/**
 * Asks again for a slice of the items that an earlier sync took for gone and did not remove. Returns their number.
 */
export async function askForGone(scope: Scope, tx: Tx, connectionId: string): Promise<number> {
  const { numUpdatedRows } = await itemsUpdate(scope, tx, connectionId, { gone: 0, pending: 1 })
    .where('external_id', 'in', () =>
      itemsOf(scope, tx, connectionId).select('external_id').where(sql<SqlBool>`gone = 1`).limit(itemsAtOnce),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Marks items that are to be asked for. */
export async function markPending(
  scope: Scope,
  tx: Tx,
  connectionId: string,
  externalIds: readonly string[],
): Promise<void> {
  await itemsUpdate(scope, tx, connectionId, { pending: 1, data: null })
    .where('external_id', 'in', [...externalIds])
    .execute()
}

/** The next items after `after` that this sync has not seen. */
export async function nextUnseen(
  scope: Scope,
  query: Query,
  { id, connection_id }: ConnectionSyncRow,
  { after, limit }: { after: string; limit: number },
): Promise<string[]> {
  const rows = await itemsOf(scope, query, connection_id)
    .where(({ eb, or }) => or([eb('seen_in', 'is', null), eb('seen_in', '<>', id)]))
    .where('gone', '=', 0)
    .where('external_id', '>', after)
    .orderBy('external_id')
    .limit(limit)
    .select('external_id')
    .execute()
  return rows.map(({ external_id }) => external_id)
}

/** The next waiting items after `after` that were tried fewer than `attempts` times in this sync. */
export const nextPending = (
  scope: Scope,
  query: Query,
  { id, connection_id }: ConnectionSyncRow,
  { after, attempts, limit }: { after: string; attempts: number; limit: number },
): Promise<ItemRow[]> =>
  itemsOf(scope, query, connection_id)
    // A literal, not a parameter. Otherwise the engines do not see that the partial index holds these rows.
    .where(sql<SqlBool>`pending = 1`)
    .where('external_id', '>', after)
    .where(({ eb, or }) =>
      or([eb('tried_in', 'is', null), eb('tried_in', '<>', id), eb('attempts', '<', attempts)]),
    )
    .orderBy('external_id')
    .limit(limit)
    .selectAll()
    .execute()

export async function updateItem(
  scope: Scope,
  tx: Tx,
  { connection_id, external_id }: Pick<ItemRow, 'connection_id' | 'external_id'>,
  change: ItemChange,
): Promise<void> {
  await itemsUpdate(scope, tx, connection_id, change).where('external_id', '=', external_id).execute()
}

/** How many are known, how many have a document, and how many still wait. */
export async function countItems(
  scope: Scope,
  query: Query,
  connectionId: string,
): Promise<{ known: number; kept: number; pending: number }> {
  const row = await itemsOf(scope, query, connectionId)
    .select(({ fn }) => [
      fn.countAll<number>().as('known'),
      sql<number>`count(CASE WHEN sha256 IS NOT NULL AND gone = 0 THEN 1 END)`.as('kept'),
      sql<number>`count(CASE WHEN pending = 1 THEN 1 END)`.as('pending'),
    ])
    .executeTakeFirstOrThrow()
  return { known: Number(row.known), kept: Number(row.kept), pending: Number(row.pending) }
}

/**
 * Counts one collection only. Documents in collections where the connection was kept before are no longer its own.
 */
export async function countKept(
  scope: Scope,
  query: Query,
  connectionId: string,
  collectionId: string,
): Promise<number> {
  const row = await itemsOf(scope, query, connectionId)
    .where('collection_id', '=', collectionId)
    .select(({ fn }) => fn.count<number>('document_id').as('kept'))
    .executeTakeFirstOrThrow()
  return Number(row.kept)
}

/** The next gone items that became documents, ordered by item id. */
export const nextGone = (scope: Scope, query: Query, connectionId: string, limit: number) =>
  chosen(itemsOf(scope, query, connectionId).where('document_id', 'is not', null), 'gone')
    .orderBy('external_id')
    .limit(limit)
    .select(['external_id', 'document_id'])
    .execute()

/** Which items: gone at the service, not gone, kept in a collection, or taken in by a sync. */
type Which = 'gone' | 'kept' | { keptIn: string } | { takenBy: string }

/**
 * The documents that these items became, ordered by item id. They are read in slices, so that the caller can write
 * meanwhile.
 */
export async function* documentsOf(
  scope: Scope,
  query: Query,
  connectionId: string,
  which: Which,
): AsyncGenerator<string> {
  const items = itemsOf(scope, query, connectionId).where('document_id', 'is not', null)
  for (let after = ''; ; ) {
    const slice = await chosen(items, which)
      .where('external_id', '>', after)
      .orderBy('external_id')
      .limit(documentsAtOnce)
      .select(['external_id', 'document_id'])
      .execute()
    for (const { document_id: id } of slice) if (id !== null) yield id
    const last = slice.at(-1)
    if (last === undefined) return
    after = last.external_id
  }
}

function chosen(items: ReturnType<typeof itemsOf>, which: Which): ReturnType<typeof itemsOf> {
  if (which === 'gone') return items.where(sql<SqlBool>`gone = 1`).where('sha256', 'is not', null)
  if (which === 'kept') return items.where('gone', '=', 0).where('sha256', 'is not', null)
  if ('keptIn' in which) return items.where('collection_id', '=', which.keptIn)
  return items.where('tried_in', '=', which.takenBy).where('error_code', 'is', null)
}

/** How many items a sync has tried, how many of them failed, and the first failure. */
export async function triedItems(
  scope: Scope,
  query: Query,
  { id, connection_id }: ConnectionSyncRow,
): Promise<{ tried: number; failed: number; first: ItemRow | undefined }> {
  const items = itemsOf(scope, query, connection_id).where('tried_in', '=', id)
  const counts = await items
    .select(({ fn }) => [fn.countAll<number>().as('tried'), fn.count<number>('error_code').as('failed')])
    .executeTakeFirstOrThrow()
  const failures = items.where('error_code', 'is not', null).orderBy('external_id').limit(1)
  const first = await failures.selectAll().executeTakeFirst()
  return { tried: Number(counts.tried), failed: Number(counts.failed), first }
}

/**
 * Forgets a slice of items: of the gone ones (up to an id), of those in another collection, or of all. Returns their
 * number.
 */
export async function deleteItems(
  scope: Scope,
  tx: Tx,
  connectionId: string,
  which: 'gone' | 'all' | { goneUntil: string } | { outside: string },
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('connection_items')
    .where('connection_id', '=', connectionId)
    .where('external_id', 'in', () => {
      const items = itemsOf(scope, tx, connectionId).select('external_id').limit(itemsAtOnce)
      if (which === 'all') return items
      if (which === 'gone') return items.where(sql<SqlBool>`gone = 1`)
      if ('goneUntil' in which)
        return items.where(sql<SqlBool>`gone = 1`).where('external_id', '<=', which.goneUntil)
      return items.where('collection_id', '<>', which.outside)
    })
    .executeTakeFirst()
  return Number(numDeletedRows)
}

/** The items of a sync that are in the status, ordered by id. `pending` and `gone` are as the connection is now. */
export const listItems = (
  scope: Scope,
  query: Query,
  sync: ConnectionSyncRow,
  status: ConnectionItemStatus | undefined,
  page: PageRequest,
): Promise<Page<ItemRow>> => {
  let items = itemsOf(scope, query, sync.connection_id).where('collection_id', '=', sync.collection_id)
  if (status === 'pending') {
    items = items.where(sql<SqlBool>`pending = 1`).where('tried_in', 'is distinct from', sync.id)
  } else if (status === 'gone') {
    items = items.where(sql<SqlBool>`gone = 1`).where('document_id', 'is not', null)
  } else {
    items = items.where('tried_in', '=', sync.id)
    if (status !== undefined) items = items.where('gone', '=', 0)
    if (status === 'failed') items = items.where('error_code', 'is not', null)
    if (status === 'synced') items = items.where('error_code', 'is', null)
  }
  return pageOf(items.selectAll(), page, { idColumn: 'external_id' })
}

const itemsUpdate = (scope: Scope, tx: Tx, connectionId: string, change: ItemChange) =>
  tx
    .updateTable('connection_items')
    .set(change)
    .where('workspace_id', '=', scope.workspaceId)
    .where('connection_id', '=', connectionId)
