/** The audit log's rows. */
import { type Insertable, type Selectable, type SqlBool, sql } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Engine, Query, Tx } from '../../platform/database/database.ts'
import { insertRow } from '../../platform/database/insert-rows.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { seesEntry } from './reached-entries.ts'
import type { SettledTotals } from './settled-totals.ts'

export type AuditRow = Selectable<Tables['audit_log']>

export type AuditFilter = {
  action?: string
  resourceId?: string
  keyId?: string
  userId?: string
  requestId?: string
}

export const insertEntry = (_scope: Scope, tx: Tx, row: Insertable<Tables['audit_log']>): Promise<void> =>
  insertRow(tx, 'audit_log', row)

/** Ties the request's Idempotency-Key to what the transaction made, so that a lost reply can be told from a lost request. */
export async function markCarriedOut(
  tx: Tx,
  idempotencyId: string,
  resourceId: string,
  replaces: boolean,
): Promise<void> {
  await tx
    .updateTable('idempotency')
    .set({ resource_id: resourceId })
    .where('id', '=', idempotencyId)
    .$if(!replaces, rows => rows.where('resource_id', 'is', null))
    .execute()
}

/** What the requests that made or changed the resources were answered is not repeated any more, but that it was done. */
export async function dropReplies(tx: Tx, resourceIds: readonly string[]): Promise<void> {
  if (resourceIds.length === 0) return
  await tx
    .updateTable('idempotency')
    .set({ state: 'locked', lease_until: 0, headers: null, body: null })
    .where('resource_id', 'in', [...resourceIds])
    .where('state', '=', 'done')
    .where('body', '<>', '')
    .execute()
}

/** One entry stands for the parts of a change, unless somebody asks what was done to a record, in a request, or how often. */
const showsWholes = ({ action, resourceId, requestId }: AuditFilter): boolean =>
  action === undefined && resourceId === undefined && requestId === undefined

export function listEntries(
  scope: Scope,
  query: Query,
  filter: AuditFilter,
  page: PageRequest,
  { totals, engine }: { totals: SettledTotals; engine: Engine },
): Promise<Page<AuditRow>> {
  let rows = query.selectFrom('audit_log').where('workspace_id', '=', scope.workspaceId)
  if (scope.environment === 'test') rows = rows.where('environment', '=', 'test')
  const unfiltered = rows.selectAll()
  if (filter.action !== undefined) rows = rows.where('action', '=', filter.action)
  if (filter.resourceId !== undefined) rows = rows.where('resource_id', '=', filter.resourceId)
  if (filter.keyId !== undefined) rows = rows.where('key_id', '=', filter.keyId)
  if (filter.userId !== undefined) rows = rows.where('user_id', '=', filter.userId)
  if (filter.requestId !== undefined) rows = rows.where('request_id', '=', filter.requestId)
  // Written out, so that both engines use the index of what is no part.
  if (showsWholes(filter)) rows = rows.where(sql<SqlBool>`is_part = 0`)
  const seen = seesEntry(scope, engine)
  // What a narrowed key sees changes with what there is, so its totals do not settle.
  if (seen !== null) return pageOf(rows.where(seen).selectAll(), page, { unfiltered: unfiltered.where(seen) })
  const count = async (from: string, until: string | null): Promise<number> => {
    const beginning = rows.where('id', '>=', from)
    const counted = until === null ? beginning : beginning.where('id', '<', until)
    const { total } = await counted.select(sql<number>`count(*)`.as('total')).executeTakeFirstOrThrow()
    return total
  }
  const { workspaceId, environment } = scope
  const { action, resourceId, keyId, userId, requestId } = filter
  const list = JSON.stringify([workspaceId, environment, action, resourceId, keyId, userId, requestId])
  return pageOf(rows.selectAll(), page, { unfiltered, total: () => totals(list, count) })
}
