/** The audit log's rows. */
import { type RawBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { createBoundedMap } from '../../platform/caches/caches.ts'
import { narrowingOf, type Scope } from '../../platform/caller.ts'
import { type Clock, minuteMs } from '../../platform/clock.ts'
import type { Engine, Query, Tx } from '../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import { countOf, inserts } from '../../platform/database/rows.ts'
import { engineOf } from '../../platform/database/statement.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { namesOnly, reachesAgent, reachesCollection } from '../../platform/database/within-reach.ts'
import { firstIdAt } from '../../platform/ids.ts'

export type AuditRow = Selectable<Tables['audit_log']>

export type AuditFilter = {
  action?: string
  resourceId?: string
  keyId?: string
  userId?: string
  requestId?: string
}

export const insertEntry = inserts('audit_log')

/**
 * Ties the Idempotency-Key to the record that the transaction made, so that a lost reply differs from a lost request.
 */
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

/**
 * Drops replies to requests that made or changed the resources. A repetition learns that its request was carried out.
 */
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

/** One entry stands for the parts of a change, unless a filter names a record, a request or an action. */
const showsWholes = ({ action, resourceId, requestId }: AuditFilter): boolean =>
  action === undefined && resourceId === undefined && requestId === undefined

export function listEntries(
  scope: Scope,
  query: Query,
  filter: AuditFilter,
  page: PageRequest,
  totals: SettledTotals,
): Promise<Page<AuditRow>> {
  let rows = query.selectFrom('audit_log').where('workspace_id', '=', scope.workspaceId)
  if (scope.environment === 'test') rows = rows.where('environment', '=', 'test')
  const unfiltered = rows.selectAll()
  if (filter.action !== undefined) rows = rows.where('action', '=', filter.action)
  if (filter.resourceId !== undefined) rows = rows.where('resource_id', '=', filter.resourceId)
  if (filter.keyId !== undefined) rows = rows.where('key_id', '=', filter.keyId)
  if (filter.userId !== undefined) rows = rows.where('user_id', '=', filter.userId)
  if (filter.requestId !== undefined) rows = rows.where('request_id', '=', filter.requestId)
  // Written as a literal, so that both engines use the index of rows that are not parts.
  if (showsWholes(filter)) rows = rows.where(sql<SqlBool>`is_part = 0`)
  const seen = seesEntry(scope, engineOf(query))
  // The entries that a narrowed key sees depend on the existing records, so its totals do not settle.
  if (seen !== null) return pageOf(rows.where(seen).selectAll(), page, { unfiltered: unfiltered.where(seen) })
  const count = (from: string, until: string | null): Promise<number> => {
    const beginning = rows.where('id', '>=', from)
    return countOf(until === null ? beginning : beginning.where('id', '<', until))
  }
  const { workspaceId, environment } = scope
  const { action, resourceId, keyId, userId, requestId } = filter
  const list = JSON.stringify([workspaceId, environment, action, resourceId, keyId, userId, requestId])
  return pageOf(rows.selectAll(), page, { unfiltered, total: () => totals(list, count) })
}

/** Longer than any transaction, and than the clock difference of two servers: all older rows are present. */
const settlesAfterMs = 5 * minuteMs
const maxLists = 1_000

/** `count` counts the rows from one id up to another; null means up to the end. */
type SettledTotals = (
  list: string,
  count: (from: string, until: string | null) => Promise<number>,
) => Promise<number>

export function createSettledTotals(clock: Clock): SettledTotals {
  const known = createBoundedMap<{ total: number; until: string }>(maxLists)
  return async (list, count) => {
    const before = known.get(list) ?? { total: 0, until: '' }
    const until = firstIdAt('auditEntry', clock() - settlesAfterMs)
    if (until > before.until) {
      known.set(list, { total: before.total + (await count(before.until, until)), until })
    }
    const settled = known.get(list) ?? before
    return settled.total + (await count(settled.until, null))
  }
}

type Condition = RawBuilder<SqlBool>

/**
 * Null if the scope reaches everything. The check needs the record's row, so entries of erased records are not seen.
 */
function seesEntry(scope: Scope, engine: Engine): Condition | null {
  const { agentIds, collectionIds, withheld } = scope
  if (agentIds === undefined && collectionIds === undefined && withheld === undefined) return null
  const ofKind = Object.entries(seenByKind(scope, engine)).map(
    ([kind, seen]) => sql<SqlBool>`(audit_log.action LIKE ${`${kind}.%`} AND ${seen})`,
  )
  return sql<SqlBool>`((${sql.join(ofKind, sql` OR `)}) AND ${namesNothingElse(scope, engine)})`
}

/** By the first word of the action. Only a caller who reaches everything sees actions that are not named here. */
function seenByKind(scope: Scope, engine: Engine): Record<string, Condition> {
  const { agentIds, collectionIds } = scope
  const narrowing =
    collectionIds === undefined ? always : sql<SqlBool>`told.narrowing = ${narrowingOf(scope)}`
  const collection = reachesCollection(scope, 'audit_log.resource_id') ?? always
  const inCollection = reachesCollection(scope, 'told.collection_id') ?? always
  const ofAgent = reachesAgent(scope, 'told.agent_id') ?? always
  const target = reachesCollection(scope, 'told.sync_collection_id') ?? always
  // An entry about a key or an endpoint that reaches further would reveal what the caller does not reach.
  const isNoWider = sql<SqlBool>`${namesOnly(engine, 'told.agent_ids', agentIds)}
    AND ${namesOnly(engine, 'told.collection_ids', collectionIds)}`
  return {
    agent: reachesAgent(scope, 'audit_log.resource_id') ?? always,
    collection,
    // An event about many documents names their collection, or no record if they are of all collections.
    document: sql<SqlBool>`(${isAbout('documents', inCollection)}
      OR (audit_log.resource_id IN (SELECT id FROM collections) AND ${collection}))`,
    upload: isAbout('uploads', inCollection),
    sync: isAbout('syncs', inCollection),
    trash: collection,
    // An OAuth client belongs to the workspace.
    integration: sql<SqlBool>`(audit_log.action IN ('integration.set_client', 'integration.remove_client')
      OR ${isAbout('connections', sql<SqlBool>`(told.sync_collection_id IS NULL OR ${target})`)})`,
    run: isAbout('runs', sql<SqlBool>`${ofAgent} AND ${narrowing}`),
    conversation: isAbout('conversations', sql<SqlBool>`${ofAgent} AND ${narrowing}`),
    api_key: isAbout('api_keys', isNoWider),
    webhook: isAbout('webhooks', isNoWider),
    account: always,
    member: always,
    invitation: always,
    team: always,
    workspace: always,
    model_provider: always,
  }
}

const always = sql<SqlBool>`1 = 1`

const isAbout = (table: string, isReached: Condition): Condition =>
  sql<SqlBool>`EXISTS (SELECT 1 FROM ${sql.table(table)} AS told
    WHERE told.id = audit_log.resource_id AND told.workspace_id = audit_log.workspace_id AND ${isReached})`

/** The details of an entry may name another collection or agent, such as a connection's earlier collection. */
function namesNothingElse(scope: Scope, engine: Engine): Condition {
  const detail = (name: string) =>
    engine === 'sqlite'
      ? sql`json_extract(audit_log.details, ${`$.${name}`})`
      : sql`(audit_log.details::json ->> ${name})`
  const named = sql`(SELECT ${detail('collectionId')} AS collection_id, ${detail('agentId')} AS agent_id) AS named`
  const collection = reachesCollection(scope, 'named.collection_id') ?? always
  const agent = reachesAgent(scope, 'named.agent_id') ?? always
  return sql<SqlBool>`EXISTS (SELECT 1 FROM ${named}
    WHERE (named.collection_id IS NULL OR ${collection}) AND (named.agent_id IS NULL OR ${agent}))`
}
