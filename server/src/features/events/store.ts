/** The outbox's rows. */
import { type ExpressionBuilder, type Selectable, type SqlBool, sql } from 'kysely'
import { narrowingOf, narrowingText, type Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import { countOf } from '../../platform/database/rows.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Tables } from '../../platform/database/tables.ts'
import { reachesCollection } from '../../platform/database/within-reach.ts'
import { type EventType, narrowedKinds } from './schemas.ts'

export type EventRow = Selectable<Tables['events']>

export type EventSelection = {
  /** Null for all types. */
  types: readonly EventType[] | null
  agentId?: string | undefined
  collectionId?: string | undefined
  createdAfterMs?: number | undefined
  createdBeforeMs?: number | undefined
}

export async function insertEvent(tx: Tx, row: EventRow): Promise<void> {
  await insertRow(tx, row)
}

/** False if an event with this unique key exists already. */
export async function insertEventOnce(tx: Tx, row: EventRow): Promise<boolean> {
  const { numAffectedRows } = await insertRowOnce(tx, row)
  return numAffectedRows === 1n
}

const valuesOf = (row: EventRow): EventRow => ({
  id: row.id,
  workspace_id: row.workspace_id,
  environment: row.environment,
  type: row.type,
  data: row.data,
  agent_id: row.agent_id,
  collection_id: row.collection_id,
  narrowing: row.narrowing,
  unique_key: row.unique_key,
  created_at: row.created_at,
})

const insertRow = statement((tx, row: EventRow) => tx.insertInto('events').values(valuesOf(row)))
const insertRowOnce = statement((tx, row: EventRow) =>
  tx
    .insertInto('events')
    .values(valuesOf(row))
    .onConflict(conflict => conflict.doNothing()),
)

export const listEvents = (
  scope: Scope,
  query: Query,
  { readable, ...selection }: EventSelection & { readable: EventSelection['types'] },
  page: PageRequest,
): Promise<Page<EventRow>> =>
  pageOf(selected(scope, query, selection).selectAll(), page, {
    unfiltered: selected(scope, query, { types: readable }).selectAll(),
  })

export const findEvent = (scope: Scope, query: Query, id: string): Promise<EventRow | undefined> =>
  seenEvents(scope, query).selectAll().where('id', '=', id).executeTakeFirst()

export const listEventsBehind = (
  scope: Scope,
  query: Query,
  selection: EventSelection,
  { afterId, limit }: { afterId: string; limit: number },
): Promise<{ id: string; type: string }[]> =>
  selected(scope, query, selection)
    .select(['id', 'type'])
    .where('id', '>', afterId)
    .orderBy('id')
    .limit(limit)
    .execute()

export const countEvents = (scope: Scope, query: Query, selection: EventSelection): Promise<number> =>
  countOf(selected(scope, query, selection))

/** Deletes a slice of the events of all workspaces whose ids are before `id`. Returns how many. */
export async function deleteEventsBefore(tx: Tx, id: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('events')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('events').select('id').where('id', '<', id).orderBy('id').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

function selected(scope: Scope, query: Query, selection: EventSelection) {
  const { types, agentId, collectionId, createdAfterMs, createdBeforeMs } = selection
  let rows = seenEvents(scope, query)
  if (types !== null) rows = rows.where(({ eb }) => isIn(eb, 'type', types))
  if (agentId !== undefined) rows = rows.where('agent_id', '=', agentId)
  if (collectionId !== undefined) rows = rows.where('collection_id', '=', collectionId)
  if (createdAfterMs !== undefined) rows = rows.where('created_at', '>=', createdAfterMs)
  if (createdBeforeMs !== undefined) rows = rows.where('created_at', '<', createdBeforeMs)
  return rows
}

/**
 * A narrowed key sees the events of records that it could see: of its agents and collections, of runs made under its
 * narrowing, and of keys and endpoints under the same narrowing. It also sees events that concern no agent or
 * collection. Callers outside a team never see what is kept to that team.
 */
function seenEvents(scope: Scope, query: Query) {
  const { workspaceId, environment, agentIds, collectionIds, withheld } = scope
  let rows = query
    .selectFrom('events')
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
  if (withheld !== undefined) {
    rows = rows.where(({ or, not, eb }) =>
      not(or([isIn(eb, 'agent_id', withheld.agentIds), isIn(eb, 'collection_id', withheld.collectionIds)])),
    )
  }
  const reached = reachesCollection(scope, 'held.sync_collection_id')
  if (reached !== null) {
    // Since the event, the connection may have begun to fill a collection that the caller does not reach.
    rows = rows.where(
      sql<SqlBool>`NOT (events.type LIKE 'connection.%' AND events.collection_id IS NULL AND EXISTS (
        SELECT 1 FROM connections AS held
        WHERE held.workspace_id = ${workspaceId} AND held.environment = ${environment}
          AND held.sync_collection_id IS NOT NULL AND NOT ${reached}
          AND events.data LIKE '%"id":"' || held.id || '"%'
      ))`,
    )
  }
  const own = narrowingText(scope)
  if (own !== '') {
    rows = rows.where(({ eb, or, and }) =>
      or([and(narrowedKinds.map(kind => eb('type', 'not like', `${kind}.%`))), eb('narrowing', '=', own)]),
    )
  }
  if (agentIds !== undefined) {
    rows = rows.where(({ eb, or }) => or([eb('agent_id', 'is', null), isIn(eb, 'agent_id', agentIds)]))
  }
  if (collectionIds !== undefined) {
    const narrowing = narrowingOf(scope)
    rows = rows.where(({ eb, or, and }) =>
      or([
        isIn(eb, 'collection_id', collectionIds),
        and([
          eb('collection_id', 'is', null),
          or([eb('agent_id', 'is', null), eb('narrowing', '=', narrowing)]),
        ]),
      ]),
    )
  }
  return rows
}

/** PostgreSQL does not accept an empty list. An event whose column is null is in no list. */
const isIn = (
  eb: ExpressionBuilder<Tables, 'events'>,
  column: 'type' | 'agent_id' | 'collection_id',
  values: readonly string[],
) =>
  values.length === 0 ? eb.lit(false) : eb.and([eb(column, 'is not', null), eb(column, 'in', [...values])])
