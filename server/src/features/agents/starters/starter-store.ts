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
export type StarterStore<Row extends ScheduleRow | TriggerRow> = ReturnType<typeof starterStore<Row>>

/** One of them, of an agent. */
export type OfAgent = { agentId: string; id: string }

/** What is the same for both tables: rows of an agent that the caller has found within its scope. */
function starterStore<Row extends ScheduleRow | TriggerRow>(table: StarterTable) {
  const select = ({ workspaceId, environment }: Scope, query: Query, agentId: string) =>
    query
      .selectFrom<StarterTable>(table)
      .selectAll()
      .where('workspace_id', '=', workspaceId)
      .where('environment', '=', environment)
      .where('agent_id', '=', agentId)

  // Kysely tells of the columns that both tables have.
  const one = async (rows: ReturnType<typeof select>) => (await rows.executeTakeFirst()) as Row | undefined

  return {
    list: async (scope: Scope, query: Query, agentId: string, page: PageRequest) =>
      (await pageOf(select(scope, query, agentId), page)) as Page<Row>,

    find: (scope: Scope, query: Query, { agentId, id }: OfAgent) =>
      one(select(scope, query, agentId).where('id', '=', id)),

    /** The same, locked until the transaction ends. */
    lock: (scope: Scope, tx: Tx, { agentId, id }: OfAgent) =>
      one(select(scope, tx, agentId).where('id', '=', id).forUpdate()),

    /** Of the workspace those of both environments. */
    async count({ workspaceId }: Scope, query: Query, agentId: string) {
      const counted = await query
        .selectFrom<StarterTable>(table)
        .select(sql<number>`count(*)`.as('workspace'))
        .select(sql<number>`coalesce(sum(CASE WHEN agent_id = ${agentId} THEN 1 ELSE 0 END), 0)`.as('agent'))
        .where('workspace_id', '=', workspaceId)
        .executeTakeFirstOrThrow()
      return { ofAgent: Number(counted.agent), ofWorkspace: Number(counted.workspace) }
    },

    delete: deletes(table),
  }
}

export const scheduleStore = starterStore<ScheduleRow>('agent_schedules')
export const triggerStore = starterStore<TriggerRow>('agent_triggers')

export const updateSchedule = revisesRow('agent_schedules')
export const updateTrigger = revisesRow('agent_triggers')

export const insertSchedule = (_scope: Scope, tx: Tx, row: Insertable<Tables['agent_schedules']>) =>
  tx.insertInto('agent_schedules').values(row).returningAll().executeTakeFirstOrThrow()

export const insertTrigger = (_scope: Scope, tx: Tx, row: Insertable<Tables['agent_triggers']>) =>
  tx.insertInto('agent_triggers').values(row).returningAll().executeTakeFirstOrThrow()

/** Without a scope, for the server's own round: those whose time has come, of workspaces that are not deleted. */
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

/** Few of the schedules are due: an engine that went through their ids would read them all in each round. */
const notByIndex = sql<string>`agent_schedules.id || ''`

type Passed = Pick<ScheduleRow, 'id' | 'next_run_at' | 'revision'>

/** Takes the time that was due; false if another server has taken it, or if the schedule has changed meanwhile. */
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

/** Whether a run that it started has not ended; false if the run is deleted. */
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

/** Without a scope, since the token is the right to it: of a workspace that is not deleted, by a token that has not expired. */
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

/** What became of its last request, or its end. False if it is not active any more, or was changed meanwhile. */
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

/** False if there is one of this name that is younger than `before`: a transaction that is writing it is waited for. */
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

/** Returns how many it has deleted. */
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
