/** What agents' runs used in each calendar month. */
import { sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { statement } from '../../../platform/database/statement.ts'
import type { EndedRun } from '../runs/run-store.ts'

type Place = Pick<Scope, 'workspaceId' | 'environment'>

/** Adds a run that has ended. */
export async function countUsage(tx: Tx, run: EndedRun, month: string): Promise<void> {
  await addUsage(tx, {
    workspaceId: run.workspace_id,
    environment: run.environment,
    month,
    agentId: run.agent_id,
    unpricedRuns: run.cost_usd === null ? 1 : 0,
    inputTokens: run.input_tokens,
    outputTokens: run.output_tokens,
    costUsd: run.cost_usd ?? 0,
  })
}

type Addend = Place & { month: string; agentId: string; unpricedRuns: number } & Omit<
    MonthUsage,
    'runs' | 'unpricedRuns'
  >

const addUsage = statement((tx, added: Addend) =>
  tx
    .insertInto('usage_months')
    .values({
      workspace_id: added.workspaceId,
      environment: added.environment,
      month: added.month,
      agent_id: added.agentId,
      runs: 1,
      unpriced_runs: added.unpricedRuns,
      input_tokens: added.inputTokens,
      output_tokens: added.outputTokens,
      cost_usd: added.costUsd,
    })
    .onConflict(conflict =>
      conflict.columns(['workspace_id', 'environment', 'month', 'agent_id']).doUpdateSet({
        runs: sql`usage_months.runs + 1`,
        unpriced_runs: sql`usage_months.unpriced_runs + excluded.unpriced_runs`,
        input_tokens: sql`usage_months.input_tokens + excluded.input_tokens`,
        output_tokens: sql`usage_months.output_tokens + excluded.output_tokens`,
        cost_usd: sql`usage_months.cost_usd + excluded.cost_usd`,
      }),
    ),
)

export type Spent = {
  workspaceLimitUsd: number | null
  /** 0 where the workspace has no limit: then nobody needs it. */
  workspaceUsd: number
  agentUsd: number
}

/** By one query, which most runs ask once. */
export async function readSpent(
  { workspaceId, environment }: Place,
  query: Query,
  agentId: string,
  month: string,
): Promise<Spent> {
  const { rows } = await sql<Spent>`
    SELECT monthly_cost_limit_usd AS "workspaceLimitUsd",
      CASE WHEN monthly_cost_limit_usd IS NULL THEN 0.0 ELSE (
        SELECT coalesce(sum(cost_usd), 0.0) FROM usage_months
        WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND month = ${month}
      ) END AS "workspaceUsd",
      coalesce((
        SELECT cost_usd FROM usage_months
        WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND month = ${month}
          AND agent_id = ${agentId}
      ), 0.0) AS "agentUsd"
    FROM workspaces WHERE id = ${workspaceId}`.execute(query)
  return rows[0] ?? { workspaceLimitUsd: null, workspaceUsd: 0, agentUsd: 0 }
}

export type MonthUsage = {
  runs: number
  unpricedRuns: number
  inputTokens: number
  outputTokens: number
  costUsd: number
}

/** What the caller's agents used in a month, over all of them. */
export async function readMonth(scope: Scope, query: Query, month: string): Promise<MonthUsage> {
  const { agentIds } = scope
  return await query
    .selectFrom('usage_months')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('runs'), sql<number>`0`).as('runs'),
      fn.coalesce(fn.sum<number>('unpriced_runs'), sql<number>`0`).as('unpricedRuns'),
      fn.coalesce(fn.sum<number>('input_tokens'), sql<number>`0`).as('inputTokens'),
      fn.coalesce(fn.sum<number>('output_tokens'), sql<number>`0`).as('outputTokens'),
      fn.coalesce(fn.sum<number>('cost_usd'), sql<number>`0`).as('costUsd'),
    ])
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('month', '=', month)
    .$if(agentIds !== undefined, narrowed => narrowed.where('agent_id', 'in', [...(agentIds ?? [])]))
    .executeTakeFirstOrThrow()
}

export async function readCostLimit({ workspaceId }: Scope, query: Query): Promise<number | null> {
  const row = await query
    .selectFrom('workspaces')
    .select('monthly_cost_limit_usd')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.monthly_cost_limit_usd ?? null
}
