/** What agents' runs used in a calendar month, as it was counted when they ended. */
import { sql } from 'kysely'
import { type Caller, keyIdOf, type Scope } from '../../../platform/caller.ts'
import type { Query } from '../../../platform/database/database.ts'

type Environment = Pick<Scope, 'workspaceId' | 'environment'>

export type Spent = {
  workspaceLimitUsd: number | null
  /** 0 where the workspace has no limit, because the sum is then not read. */
  workspaceUsd: number
  agentUsd: number
}

/** By one query, which most runs ask once. */
export async function readSpent(
  { workspaceId, environment }: Environment,
  query: Query,
  agentId: string,
  month: string,
): Promise<Spent> {
  const { rows } = await sql<Spent>`
    SELECT monthly_cost_limit_usd AS "workspaceLimitUsd",
      CASE WHEN monthly_cost_limit_usd IS NULL THEN 0.0 ELSE (
        SELECT coalesce(sum(cost_usd), 0.0) FROM usage_periods
        WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND kind = 'agent_month'
          AND period = ${month}
      ) END AS "workspaceUsd",
      coalesce((
        SELECT cost_usd FROM usage_periods
        WHERE workspace_id = ${workspaceId} AND environment = ${environment} AND kind = 'agent_month'
          AND period = ${month} AND subject_id = ${agentId}
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

/**
 * What the caller's agents used in a month, over all of them. A key that is narrowed to collections reads no runs that reached
 * further, and their figures are among its agents': it gets its own usage.
 */
export async function readMonth(caller: Caller, query: Query, month: string): Promise<MonthUsage> {
  const { scope } = caller
  const { agentIds, collectionIds } = scope
  return await query
    .selectFrom('usage_periods')
    .select(({ fn }) => [
      fn.coalesce(fn.sum<number>('runs'), sql<number>`0`).as('runs'),
      fn.coalesce(fn.sum<number>('unpriced_runs'), sql<number>`0`).as('unpricedRuns'),
      fn.coalesce(fn.sum<number>('input_tokens'), sql<number>`0`).as('inputTokens'),
      fn.coalesce(fn.sum<number>('output_tokens'), sql<number>`0`).as('outputTokens'),
      fn.coalesce(fn.sum<number>('cost_usd'), sql<number>`0`).as('costUsd'),
    ])
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .$if(collectionIds !== undefined, own =>
      own
        .where('kind', '=', 'actor')
        .where('period', 'like', `${month}-%`)
        .where('subject_id', '=', keyIdOf(caller) ?? ''),
    )
    .$if(collectionIds === undefined, all =>
      all.where('kind', '=', 'agent_month').where('period', '=', month),
    )
    .$if(agentIds !== undefined && collectionIds === undefined, narrowed =>
      narrowed.where('subject_id', 'in', [...(agentIds ?? [])]),
    )
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
