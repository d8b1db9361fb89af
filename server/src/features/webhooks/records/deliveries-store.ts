/** Rows of deliveries and their attempts. Readers must have found the endpoint in their caller's scope. */
import { type ExpressionBuilder, type Insertable, type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { insertRow, insertRows } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { isOfReader } from '../../../platform/database/within-reach.ts'
import type { DeliveryFilter } from './deliveries-schemas.ts'
import { webhooksOf } from './store.ts'

export type DeliveryRow = Selectable<Tables['webhook_deliveries']>
export type AttemptRow = Selectable<Tables['webhook_attempts']>

type DeliverySelection = Omit<DeliveryFilter, 'eventType'> & {
  /** Null for all types. */
  types: readonly string[] | null
  /** The types that the caller may read, regardless of the filter; null for all types. */
  readable: readonly string[] | null
}

/** A delivery that is due at once and has not been tried. */
export const newDelivery = (
  delivery: Pick<DeliveryRow, 'id' | 'webhook_id' | 'event_id' | 'event_type' | 'origin' | 'created_at'> &
    Partial<Pick<DeliveryRow, 'url' | 'run_id'>>,
): DeliveryRow => ({
  url: null,
  run_id: null,
  ...delivery,
  status: 'pending',
  error: null,
  attempts: 0,
  next_attempt_at: delivery.created_at,
  finished_at: null,
})

export const insertDeliveries = (tx: Tx, rows: readonly Insertable<Tables['webhook_deliveries']>[]) =>
  insertRows(tx, 'webhook_deliveries', rows)

export function listDeliveries(
  query: Query,
  webhookId: string,
  { status, types, readable, eventId }: DeliverySelection,
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  const unfiltered = deliveriesOf(query, webhookId, readable)
  let rows = deliveriesOf(query, webhookId, types)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (eventId !== undefined) rows = rows.where('event_id', '=', eventId)
  return pageOf(rows, page, { unfiltered })
}

function deliveriesOf(query: Query, webhookId: string, types: readonly string[] | null) {
  const rows = query.selectFrom('webhook_deliveries').selectAll().where('webhook_id', '=', webhookId)
  if (types === null) return rows
  return rows.where(eb => isOneOf(eb, types))
}

/** PostgreSQL does not accept an empty list. */
const isOneOf = (eb: ExpressionBuilder<Tables, 'webhook_deliveries'>, types: readonly string[]) =>
  types.length === 0 ? eb.lit(false) : eb('event_type', 'in', types)

/** Lists deliveries to the callback hosts of a scope. */
export function listCallbackDeliveries(
  scope: Scope,
  query: Query,
  { status, types, readable, runId }: Omit<DeliverySelection, 'eventId'> & { runId?: string | undefined },
  page: PageRequest,
): Promise<Page<DeliveryRow>> {
  const unfiltered = callbackDeliveriesOf(scope, query, readable)
  let rows = callbackDeliveriesOf(scope, query, types)
  if (status !== undefined) rows = rows.where('status', '=', status)
  if (runId !== undefined) rows = rows.where('run_id', '=', runId)
  return pageOf(rows, page, { unfiltered })
}

export const findCallbackDelivery = (scope: Scope, query: Query, id: string) =>
  callbackDeliveriesOf(scope, query, null).where('id', '=', id).executeTakeFirst()

/** Leaves out the callbacks of runs that the scope may not read. */
function callbackDeliveriesOf(scope: Scope, query: Query, types: readonly string[] | null) {
  const hosts = webhooksOf(scope, query, 'callbacks').select('webhooks.id')
  const rows = query
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', 'in', hosts)
    .where(
      sql<boolean>`NOT EXISTS (
        SELECT 1 FROM runs WHERE runs.id = webhook_deliveries.run_id AND NOT ${isOfReader(scope, 'runs', 'lookup')}
      )`,
    )
  return types === null ? rows : rows.where(eb => isOneOf(eb, types))
}

export const findDelivery = (query: Query, webhookId: string, id: string): Promise<DeliveryRow | undefined> =>
  query
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where('id', '=', id)
    .executeTakeFirst()

export const listAttempts = (query: Query, deliveryId: string): Promise<AttemptRow[]> =>
  query
    .selectFrom('webhook_attempts')
    .selectAll()
    .where('delivery_id', '=', deliveryId)
    .orderBy('number')
    .execute()

// A literal, not a parameter: otherwise the engines would not see that the partial index covers the query.
const isPending = sql<boolean>`status = 'pending'`

export const listDue = (query: Query, webhookId: string, now: number, limit: number) =>
  query
    .selectFrom('webhook_deliveries')
    .selectAll()
    .where('webhook_id', '=', webhookId)
    .where(isPending)
    .where('next_attempt_at', '<=', now)
    .orderBy('next_attempt_at')
    .orderBy('id')
    .limit(limit)
    .execute()

/** When the next delivery is due; null if none is pending. */
export async function nextDueAt(query: Query, webhookId: string): Promise<number | null> {
  const row = await query
    .selectFrom('webhook_deliveries')
    .select('next_attempt_at')
    .where('webhook_id', '=', webhookId)
    .where(isPending)
    // A test has no due time, because only its own job sends it.
    .where('next_attempt_at', 'is not', null)
    .orderBy('next_attempt_at')
    .limit(1)
    .executeTakeFirst()
  return row?.next_attempt_at ?? null
}

/** False if the delivery has ended or is deleted. */
export async function updatePending(
  tx: Tx,
  id: string,
  change: Pick<DeliveryRow, 'status' | 'error' | 'attempts' | 'next_attempt_at' | 'finished_at'>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set(change)
    .where('id', '=', id)
    .where(isPending)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export const insertAttempt = (tx: Tx, row: Insertable<Tables['webhook_attempts']>): Promise<void> =>
  insertRow(tx, 'webhook_attempts', row)

/** Makes pending deliveries due at once, because the endpoint answers again. */
export async function hastenPending(tx: Tx, webhookId: string, now: number): Promise<void> {
  await tx
    .updateTable('webhook_deliveries')
    .set({ next_attempt_at: now })
    .where('webhook_id', '=', webhookId)
    .where(isPending)
    .where('next_attempt_at', '>', now)
    .execute()
}

/** Fails a slice of the pending deliveries whose ids are before `createdBefore`. Returns how many. */
export async function failLate(
  tx: Tx,
  { createdBefore, now, error }: { createdBefore: string; now: number; error: string },
  limit: number,
): Promise<number> {
  const { numUpdatedRows } = await tx
    .updateTable('webhook_deliveries')
    .set({ status: 'failed', error, next_attempt_at: null, finished_at: now })
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhook_deliveries')
        .select('id')
        .where(isPending)
        .where('id', '<', createdBefore)
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numUpdatedRows)
}

/** Deletes a slice of all deliveries whose ids are before `id`, with their attempts. Returns how many. */
export async function deleteDeliveriesBefore(tx: Tx, id: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhook_deliveries').select('id').where('id', '<', id).orderBy('id').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** Deletes a slice of an endpoint's deliveries. Returns how many. */
export async function deleteDeliveriesOf(tx: Tx, webhookId: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('webhook_deliveries')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('webhook_deliveries').select('id').where('webhook_id', '=', webhookId).limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
