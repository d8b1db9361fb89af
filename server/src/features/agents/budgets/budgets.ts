/** Keeps the monthly cost of runs within the budgets of their agent and their workspace. */
import { sql } from 'kysely'
import { type Caller, keyIdOf, type Scope } from '../../../platform/caller.ts'
import { secondMs, toTimestamp } from '../../../platform/clock.ts'
import type { Query } from '../../../platform/database/database.ts'
import { ServiceError } from '../../../platform/errors.ts'
import type { Platform } from '../../../platform/platform.ts'
import type { Limits } from '../../limits/service.ts'
import type { Usage } from '../../usage/schemas.ts'
import { RunFailure } from '../records/run-errors.ts'
import type { RunRow } from '../records/run-store.ts'

/** The workspace and agent of the run, and the agent's monthly limit; null means no limit. */
export type Spender = Pick<RunRow, 'workspace_id' | 'environment' | 'agent_id'> & {
  agentLimitUsd: number | null
}

export type Budgets = ReturnType<typeof createBudgets>

/** Within this time, the check at a run's start also holds for its first call. */
const startHoldsMs = secondMs

export function createBudgets({
  database,
  clock,
  limits,
}: Pick<Platform, 'database' | 'clock'> & {
  limits: Pick<Limits, 'reached'>
}) {
  async function read(spender: Spender, ownCostUsd: number) {
    const now = clock()
    const { workspace_id: workspaceId, environment, agent_id: agentId, agentLimitUsd } = spender
    const spent = await readSpent({ workspaceId, environment }, database.read, agentId, monthOf(now))
    const { workspaceLimitUsd } = spent
    const reached =
      reachedOf('agent', agentLimitUsd, spent.agentUsd + ownCostUsd) ??
      reachedOf('workspace', workspaceLimitUsd, spent.workspaceUsd + ownCostUsd)
    return { reached, now, isLimited: agentLimitUsd !== null || workspaceLimitUsd !== null }
  }

  /** `fault` is null until a budget is used up, and then the reason. A reached budget is an event. */
  async function check(
    spender: Spender,
    ownCostUsd: number,
  ): Promise<{ fault: Fault | null; isLimited: boolean }> {
    const { reached, now, isLimited } = await read(spender, ownCostUsd)
    if (reached === null) return { fault: null, isLimited }
    const { workspace_id: workspaceId, environment, agent_id } = spender
    const { whose, limitUsd: max, spentUsd } = reached
    const agentId = whose === 'agent' ? agent_id : null
    limits.reached({ workspaceId, environment }, { limit: `${whose}_budget`, agentId, max, used: spentUsd })
    return { fault: { message: faultOf(reached, now), limitUsd: max }, isLimited }
  }

  return {
    /** This month's usage of the caller's agents, and the workspace's limit. Narrowed callers get their own usage. */
    async month(caller: Caller): Promise<Usage['month']> {
      const now = clock()
      const name = monthOf(now)
      const { costUsd, ...used } = await readMonth(caller, database.read, name)
      const limit = await readCostLimit(caller.scope, database.read)
      return { name, resetsAt: toTimestamp(monthEnd(now)), ...used, costUsd: { limit, used: costUsd } }
    },
    /** Throws the 403 `budget_exceeded`. Returns whether there is any budget to keep. */
    async checkStart(spender: Spender): Promise<{ isLimited: boolean }> {
      const { fault, isLimited } = await check(spender, 0)
      if (fault !== null)
        throw new ServiceError('budget_exceeded', fault.message, {
          details: { limit: fault.limitUsd, unit: 'USD' },
        })
      return { isLimited }
    },
    /** Whether there is any budget to keep. */
    isLimited: async (spender: Spender): Promise<boolean> => (await read(spender, 0)).isLimited,
    /**
     * Call this before each call of a model, with the cost of the run so far. Throws `RunFailure`. The cost of other
     * runs in progress is not known before they end.
     */
    watch(
      spender: Spender & Pick<RunRow, 'created_at' | 'parent_run_id'>,
    ): (ownCostUsd: number | null) => Promise<void> {
      // A run within a run was not checked at its start.
      let isFirst = spender.parent_run_id === null
      return async ownCostUsd => {
        const isKnown = isFirst && ownCostUsd === 0 && clock() - spender.created_at < startHoldsMs
        isFirst = false
        if (isKnown) return
        const { fault } = await check(spender, ownCostUsd ?? 0)
        if (fault !== null) throw new RunFailure('budget_exceeded', fault.message)
      }
    },
  }
}

type Reached = { whose: 'agent' | 'workspace'; limitUsd: number; spentUsd: number }

const reachedOf = (whose: Reached['whose'], limitUsd: number | null, spentUsd: number): Reached | null =>
  limitUsd === null || spentUsd < limitUsd ? null : { whose, limitUsd, spentUsd }

type Fault = { message: string; limitUsd: number }

const faultOf = ({ whose, limitUsd, spentUsd }: Reached, now: number): string =>
  `The ${whose}'s runs have cost ${Number(spentUsd.toFixed(6))} of at most ${limitUsd} US dollars in ${monthOf(now)}; its budget renews at ${toTimestamp(monthEnd(now))}`

/** Such as `2026-11`. */
export const monthOf = (now: number): string => new Date(now).toISOString().slice(0, 7)

/** When the next month begins. */
export function monthEnd(now: number): number {
  const date = new Date(now)
  return Date.UTC(date.getUTCFullYear(), date.getUTCMonth() + 1)
}

// The usage of agents' runs in a calendar month, as counted when the runs ended.

type Environment = Pick<Scope, 'workspaceId' | 'environment'>

type Spent = {
  workspaceLimitUsd: number | null
  /** 0 if the workspace has no limit, because the sum is then not read. */
  workspaceUsd: number
  agentUsd: number
}

/** One query, which most runs make once. */
async function readSpent(
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

type MonthUsage = {
  runs: number
  unpricedRuns: number
  inputTokens: number
  outputTokens: number
  costUsd: number
}

/**
 * The usage of all of the caller's agents in a month. A key that is narrowed to collections gets its own usage,
 * because its agents' figures include runs that the key cannot read.
 */
async function readMonth(caller: Caller, query: Query, month: string): Promise<MonthUsage> {
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

async function readCostLimit({ workspaceId }: Scope, query: Query): Promise<number | null> {
  const row = await query
    .selectFrom('workspaces')
    .select('monthly_cost_limit_usd')
    .where('id', '=', workspaceId)
    .executeTakeFirst()
  return row?.monthly_cost_limit_usd ?? null
}
