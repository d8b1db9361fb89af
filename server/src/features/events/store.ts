/** The outbox's rows. */
import type { Selectable } from 'kysely'
import { narrowingOf, type Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import { statement } from '../../platform/database/statement.ts'
import type { Tables } from '../../platform/database/tables.ts'
import type { EventType } from './schemas.ts'

export type EventRow = Selectable<Tables['events']>

export type EventSelection = { type?: EventType; createdAfterMs?: number; createdBeforeMs?: number }

export async function insertEvent(tx: Tx, row: EventRow): Promise<void> {
  await insertRow(tx, row)
}

const insertRow = statement((tx, row: EventRow) =>
  tx.insertInto('events').values({
    id: row.id,
    workspace_id: row.workspace_id,
    environment: row.environment,
    type: row.type,
    data: row.data,
    agent_id: row.agent_id,
    narrowing: row.narrowing,
    created_at: row.created_at,
  }),
)

export function listEvents(
  scope: Scope,
  query: Query,
  { type, createdAfterMs, createdBeforeMs }: EventSelection,
  page: PageRequest,
): Promise<Page<EventRow>> {
  let rows = selectEvents(scope, query)
  if (type !== undefined) rows = rows.where('type', '=', type)
  if (createdAfterMs !== undefined) rows = rows.where('created_at', '>=', createdAfterMs)
  if (createdBeforeMs !== undefined) rows = rows.where('created_at', '<', createdBeforeMs)
  return pageOf(rows, page)
}

export const findEvent = (scope: Scope, query: Query, id: string): Promise<EventRow | undefined> =>
  selectEvents(scope, query).where('id', '=', id).executeTakeFirst()

/** Of all workspaces, those whose ids are before `id`: a slice of them. Answers how many they were. */
export async function deleteEventsBefore(tx: Tx, id: string, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('events')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('events').select('id').where('id', '<', id).orderBy('id').limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

/** A narrowed key sees of the outbox what it could see of the records that the events are about. */
const selectEvents = (scope: Scope, query: Query) => {
  const { workspaceId, environment, agentIds, collectionIds } = scope
  return query
    .selectFrom('events')
    .selectAll()
    .where('workspace_id', '=', workspaceId)
    .where('environment', '=', environment)
    .$if(agentIds !== undefined, narrowed => narrowed.where('agent_id', 'in', [...(agentIds ?? [])]))
    .$if(collectionIds !== undefined, narrowed => narrowed.where('narrowing', '=', narrowingOf(scope)))
}
