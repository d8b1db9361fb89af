/** Rows of tool calls that wait for an approval or a result or must not be repeated, and the trees of their runs. */
import type { Selectable } from 'kysely'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { encodeJson } from '../../../platform/database/json.ts'
import { countOf } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import type { RowRange } from '../../../platform/schedules/rounds.ts'
import type { RunRow } from './run-store.ts'
import type { PendingCall, WaitingCall } from './steps.ts'

export type ToolCallRow = Selectable<Tables['run_tool_calls']>

type Owner = Pick<RunRow, 'id' | 'root_run_id'>

export const toolCallsOf = (query: Query, runIds: readonly string[]): Promise<ToolCallRow[]> =>
  runIds.length === 0
    ? Promise.resolve([])
    : query
        .selectFrom('run_tool_calls')
        .selectAll()
        .where('run_id', 'in', runIds)
        .orderBy('call_id')
        .execute()

/** The calls of whole trees of runs that still wait for a decision or a result. */
export const pendingOfRoots = (query: Query, rootRunIds: readonly string[]): Promise<ToolCallRow[]> =>
  query
    .selectFrom('run_tool_calls')
    .selectAll()
    .where('root_run_id', 'in', rootRunIds)
    .where('requested_at', 'is not', null)
    .where('decision', 'is', null)
    .orderBy('run_id')
    .orderBy('call_id')
    .execute()

/** Stores that calls begin. The row of an approved call exists already. */
export const insertBegun = (tx: Tx, owner: Owner, calls: readonly PendingCall[], startedAt: number) =>
  tx
    .insertInto('run_tool_calls')
    .values(calls.map(call => ({ ...rowOf(owner, call), started_at: startedAt })))
    .onConflict(conflict => conflict.columns(['run_id', 'call_id']).doUpdateSet({ started_at: startedAt }))
    .execute()

/** How long the server waits for an approval, and how long for a result. */
export type WaitTimes = Record<WaitingCall['awaits'], number>

/** Stores that calls wait. Rows that exist stay as they are. */
export async function insertRequested(
  tx: Tx,
  owner: Owner,
  calls: readonly WaitingCall[],
  { now, waitMs }: { now: number; waitMs: WaitTimes },
): Promise<void> {
  if (calls.length === 0) return
  await tx
    .insertInto('run_tool_calls')
    .values(
      calls.map(call => ({
        ...rowOf(owner, call),
        awaits: call.awaits,
        requested_at: now,
        expires_at: now + waitMs[call.awaits],
      })),
    )
    .onConflict(conflict => conflict.doNothing())
    .execute()
}

const rowOf = ({ id, root_run_id: root }: Owner, { callId, name, input }: PendingCall) => ({
  run_id: id,
  call_id: callId,
  root_run_id: root ?? id,
  name,
  input: encodeJson(input),
  awaits: null,
  requested_at: null,
  expires_at: null,
  decision: null,
  reason: null,
  result: null,
  decided_by_user_id: null,
  decided_by_key_id: null,
  decided_at: null,
  started_at: null,
})

export async function decideCall(
  tx: Tx,
  runId: string,
  callId: string,
  decision: Pick<
    ToolCallRow,
    'decision' | 'reason' | 'result' | 'decided_by_user_id' | 'decided_by_key_id' | 'decided_at'
  >,
): Promise<void> {
  await tx
    .updateTable('run_tool_calls')
    .set(decision)
    .where('run_id', '=', runId)
    .where('call_id', '=', callId)
    .execute()
}

/** Counts the calls of the whole tree of runs that still wait for a decision or a result. */
export const countUndecided = (tx: Tx, rootRunId: string): Promise<number> =>
  countOf(
    tx
      .selectFrom('run_tool_calls')
      .where('root_run_id', '=', rootRunId)
      .where('requested_at', 'is not', null)
      .where('decision', 'is', null),
  )

/** The heads of trees that still wait for a decision or a result whose time is over. */
export const expiredRoots = (query: Query, now: number, { after, limit }: RowRange) =>
  query
    .selectFrom('run_tool_calls')
    .innerJoin('runs', 'runs.id', 'run_tool_calls.root_run_id')
    .select('run_tool_calls.root_run_id as id')
    .distinct()
    .where('requested_at', 'is not', null)
    .where('decision', 'is', null)
    .where('expires_at', '<=', now)
    .where('runs.status', '=', 'waiting')
    .where('run_tool_calls.root_run_id', '>', after)
    .orderBy('run_tool_calls.root_run_id')
    .limit(limit)
    .execute()

/** Locks a tree of runs, by the row of its head, until the transaction ends. Each change to a tree begins with it. */
export async function lockTree(tx: Tx, rootRunId: string): Promise<void> {
  await tx.selectFrom('runs').select('id').where('id', '=', rootRunId).forNoKeyUpdate().execute()
}

/** The run and all its parts, without those that have ended. */
export const treeOf = (tx: Tx, rootRunId: string): Promise<RunRow[]> =>
  tx
    .selectFrom('runs')
    .selectAll()
    .where(({ or, eb }) => or([eb('id', '=', rootRunId), eb('root_run_id', '=', rootRunId)]))
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute()

/** The runs within a run, at any depth, that have not ended. */
export async function unfinishedWithin(tx: Tx, { id, root_run_id: root }: Owner): Promise<string[]> {
  const rows = await tx
    .selectFrom('runs')
    .select(['id', 'parent_run_id'])
    .where('root_run_id', '=', root ?? id)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .execute()
  const within = new Set([id])
  // A part is made after the run that it belongs to, so it comes later in this order.
  for (const row of rows) if (row.parent_run_id !== null && within.has(row.parent_run_id)) within.add(row.id)
  within.delete(id)
  return [...within]
}

export const findPart = (query: Query, parentRunId: string, callId: string): Promise<RunRow | undefined> =>
  query
    .selectFrom('runs')
    .selectAll()
    .where('parent_run_id', '=', parentRunId)
    .where('parent_call_id', '=', callId)
    .executeTakeFirst()
