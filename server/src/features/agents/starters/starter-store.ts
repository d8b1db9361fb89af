/** The rows of schedules and triggers, and of the deliveries to triggers that must not be repeated. */
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { deletes, revisesRow } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'

export type ScheduleRow = Selectable<Tables['agent_schedules']>
export type TriggerRow = Selectable<Tables['agent_triggers']>

type StarterTable = 'agent_schedules' | 'agent_triggers'
export type StarterStore<Row extends ScheduleRow | TriggerRow> = ReturnType<typeof starterStore<Row, never>>

/** Names a schedule or a trigger of an agent. */
export type OfAgent = { agentId: string; id: string }

/** The statements that both tables share. The caller must have found the agent within its scope. */
function starterStore<Row extends ScheduleRow | TriggerRow, New>(table: StarterTable) {
  const select = ({ workspaceId, environment }: Scope, query: Query, agentId: string) =>
    query
      .selectFrom<StarterTable>(table)
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .where('agent_id', '=', agentId)

  // Kysely's types know only the columns that both tables have: here, and where a row is inserted or updated.
  const one = async (rows: ReturnType<typeof select>) => (await rows.executeTakeFirst()) as Row | undefined

  return {
    list: async (scope: Scope, query: Query, agentId: string, page: PageRequest) =>
      (await pageOf(select(scope, query, agentId), page)) as Page<Row>,

    find: (scope: Scope, query: Query, { agentId, id }: OfAgent) =>
      one(select(scope, query, agentId).where('id', '=', id)),

    /** Like `find`, and locks the row until the transaction ends. */
    lock: (scope: Scope, tx: Tx, { agentId, id }: OfAgent) =>
      one(select(scope, tx, agentId).where('id', '=', id).forUpdate()),

    /** Counts the rows of the agent, and those of the workspace in both environments. */
    async count({ workspaceId }: Scope, query: Query, agentId: string) {
      const counted = await query
        .selectFrom<StarterTable>(table)
        .select(sql<number>`count(*)`.as('workspace'))
        .select(sql<number>`coalesce(sum(CASE WHEN agent_id = ${agentId} THEN 1 ELSE 0 END), 0)`.as('agent'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      return { ofAgent: Number(counted.agent), ofWorkspace: Number(counted.workspace) }
    },

    async insert(_scope: Scope, tx: Tx, row: New): Promise<Row> {
      const inserting = tx.insertInto<StarterTable>(table).values(row as never)
      return (await inserting.returningAll().executeTakeFirstOrThrow()) as Row
    },

    update: revisesRow(table) as (scope: Scope, tx: Tx, id: string, change: Partial<Row>) => Promise<Row>,
    delete: deletes(table),
  }
}

export const scheduleStore = starterStore<ScheduleRow, Insertable<Tables['agent_schedules']>>(
  'agent_schedules',
)
export const triggerStore = starterStore<TriggerRow, Insertable<Tables['agent_triggers']>>('agent_triggers')

/** Has no scope: the server's own round lists the due schedules of workspaces that are not deleted. */
export const listDueSchedules = (query: Query, now: number, { after, limit }: RowRange) =>
  query
    .selectFrom('agent_schedules')
    .innerJoin('workspaces', 'workspaces.id', 'agent_schedules.workspace_id')
    .selectAll('agent_schedules')
    .where('agent_schedules.next_run_at', '<=', now)
    .where(notByIndex, '>', after)
    .where('workspaces.deletes_at', 'is', null)
    .orderBy(notByIndex)
    .limit(limit)
    .execute()

/** Keeps the engine from going through the ids: that would read all schedules in each round, although few are due. */
const notByIndex = sql<string>`agent_schedules.id || ''`

type Passed = Pick<ScheduleRow, 'id' | 'next_run_at' | 'revision'>

/** Takes the time that was due. False if another server has taken it or the schedule has changed meanwhile. */
export async function passTime(
  tx: Tx,
  { id, next_run_at: due, revision }: Passed,
  change: Updateable<Tables['agent_schedules']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('agent_schedules')
    .set(change)
    .where('id', '=', id)
    .where('next_run_at', '=', due)
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Whether the run has not ended; false if the run is deleted. */
export async function isUnderWay(query: Query, runId: string): Promise<boolean> {
  const run = await query
    .selectFrom('runs')
    .select('id')
    .where('id', '=', runId)
    .where('finished_at', 'is', null)
    .executeTakeFirst()
  return run !== undefined
}

type DeliveryRow = Selectable<Tables['trigger_deliveries']>

/**
 * Has no scope, because the token gives the right to the trigger. Finds a trigger of a workspace that is not deleted,
 * by a token that has not expired.
 */
export const findTriggerByToken = (query: Query, tokenHash: string, now: number) =>
  query
    .selectFrom('agent_triggers')
    .innerJoin('workspaces', 'workspaces.id', 'agent_triggers.workspace_id')
    .selectAll('agent_triggers')
    .where('workspaces.deletes_at', 'is', null)
    .where(({ or, and, eb }) =>
      or([
        eb('token_hash', '=', tokenHash),
        and([eb('previous_token_hash', '=', tokenHash), eb('previous_expires_at', '>', now)]),
      ]),
    )
    .executeTakeFirst()

/** Stores the trigger's last result, or its stop. False if it is no longer active or was changed meanwhile. */
export async function noteRequest(
  tx: Tx,
  { id, revision }: Pick<TriggerRow, 'id' | 'revision'>,
  change: Updateable<Tables['agent_triggers']>,
): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('agent_triggers')
    .set(change)
    .where('id', '=', id)
    .where('status', '=', 'active')
    .where('revision', '=', revision)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export const findDelivery = (query: Query, triggerId: string, nameHash: string) =>
  query
    .selectFrom('trigger_deliveries')
    .selectAll()
    .where('trigger_id', '=', triggerId)
    .where('name_hash', '=', nameHash)
    .executeTakeFirst()

/** False if a delivery with this name is younger than `before`. Waits for a transaction that is writing one. */
export async function insertDelivery(tx: Tx, row: DeliveryRow, before: number): Promise<boolean> {
  const taken = await tx
    .insertInto('trigger_deliveries')
    .values(row)
    .onConflict(conflict =>
      conflict
        .columns(['trigger_id', 'name_hash'])
        .doUpdateSet({ body_hash: row.body_hash, run_id: row.run_id, created_at: row.created_at })
        .where('trigger_deliveries.created_at', '<=', before),
    )
    .returning('run_id')
    .executeTakeFirst()
  return taken !== undefined
}

/** Deletes up to `limit` deliveries that are not younger than `before`. Returns how many. */
export async function deleteDeliveries(tx: Tx, before: number, limit: number): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('trigger_deliveries')
    .where(({ eb, refTuple, selectFrom }) =>
      eb(
        refTuple('trigger_id', 'name_hash'),
        'in',
        selectFrom('trigger_deliveries')
          .select(['trigger_id', 'name_hash'])
          .where('created_at', '<=', before)
          .limit(limit)
          .$asTuple('trigger_id', 'name_hash'),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
