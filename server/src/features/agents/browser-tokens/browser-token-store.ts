/** The rows of browser tokens, and the usage that runs count on them. */
import { type Selectable, sql } from 'kysely'
import { isNarrowed, type Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../../platform/database/page.ts'
import { countOf, inserts } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesAgent } from '../../../platform/database/within-reach.ts'
import type { RunRow, StepRow } from '../records/run-store.ts'

export type BrowserTokenRow = Selectable<Tables['browser_tokens']>

/** A narrowed key sees only its own tokens: others may belong to pages that reach further. */
const selectTokens = (scope: Scope, query: Query, keyId: string | null) => {
  const tokens = query
    .selectFrom('browser_tokens')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
  const own = isNarrowed(scope) ? tokens.where('key_id', '=', keyId ?? '') : tokens
  const reached = reachesAgent(scope, 'browser_tokens.agent_id')
  return reached === null ? own : own.where(reached)
}

type Asking = { scope: Scope; keyId: string | null }

export const listTokens = (
  { scope, keyId }: Asking,
  query: Query,
  { agentId, endUserId, isVisitor }: { agentId?: string; endUserId?: string; isVisitor?: boolean },
  page: PageRequest,
): Promise<Page<BrowserTokenRow>> => {
  const unfiltered = selectTokens(scope, query, keyId)
  const rows = unfiltered
    .$if(agentId !== undefined, tokens => tokens.where('agent_id', '=', agentId ?? ''))
    .$if(endUserId !== undefined, tokens => tokens.where('end_user_id', '=', endUserId ?? ''))
    .$if(isVisitor !== undefined, tokens =>
      tokens.where('address_hash', isVisitor === true ? 'is not' : 'is', null),
    )
  return pageOf(rows, page, { unfiltered })
}

export const findToken = (
  { scope, keyId }: Asking,
  query: Query,
  id: string,
): Promise<BrowserTokenRow | undefined> =>
  selectTokens(scope, query, keyId).where('id', '=', id).executeTakeFirst()

/** The number of live tokens that a key has made itself, without those of visitors. */
export const countLiveTokens = (query: Query, keyId: string, now: number): Promise<number> =>
  countOf(
    query
      .selectFrom('browser_tokens')
      .where('key_id', '=', keyId)
      .where('address_hash', 'is', null)
      .where('expires_at', '>', now)
      .where('revoked_at', 'is', null),
  )

export const insertToken = inserts('browser_tokens')

/** False if the token was revoked before. */
export async function revokeToken(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('browser_tokens')
    .set({ revoked_at: now })
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Without a scope: the id comes from a run of the token, or from its caller. */
export const findTokenOfRun = (query: Query, id: string): Promise<BrowserTokenRow | undefined> =>
  query.selectFrom('browser_tokens').selectAll().where('id', '=', id).executeTakeFirst()

/** Counts a run that begins. False if the token allows no further run, even when many requests come at once. */
export async function claimRun(tx: Tx, id: string, now: number): Promise<boolean> {
  const { numUpdatedRows } = await tx
    .updateTable('browser_tokens')
    .set(({ eb }) => ({ run_count: eb('run_count', '+', 1) }))
    .where('id', '=', id)
    .where('revoked_at', 'is', null)
    .where('expires_at', '>', now)
    .whereRef('run_count', '<', 'max_runs')
    .where(({ or, eb, ref }) => or([eb('max_tokens', 'is', null), eb('used_tokens', '<', ref('max_tokens'))]))
    .where(({ or, eb, ref }) =>
      or([eb('max_cost_usd', 'is', null), eb('used_cost_usd', '<', ref('max_cost_usd'))]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

/** Counts the usage of a run that ends. */
export const addUsage = (
  tx: Tx,
  id: string,
  { tokens, costUsd }: { tokens: number; costUsd: number },
): Promise<BrowserTokenRow | undefined> =>
  tx
    .updateTable('browser_tokens')
    .set(({ eb }) => ({
      used_tokens: eb('used_tokens', '+', tokens),
      used_cost_usd: eb('used_cost_usd', '+', costUsd),
    }))
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirst()

type UnderWay = Pick<RunRow, 'id' | 'status'>

/** The token's runs in progress, without their parts. An index finds the workspace's runs in progress. */
export const runsUnderWay = (
  { workspace_id: workspaceId, id }: Pick<BrowserTokenRow, 'workspace_id' | 'id'>,
  query: Query,
): Promise<UnderWay[]> =>
  query
    .selectFrom('runs')
    .select(['id', 'status'])
    .where('workspace_id', '=', workspaceId)
    .where('finished_at', 'is', null)
    .where('started_by_id', '=', id)
    .execute()

/** The model steps of these runs and their parts that are still in progress. Their usage is counted nowhere yet. */
export const stepsUnderWay = (
  query: Query,
  rootIds: readonly string[],
  exceptRunId: string,
): Promise<StepRow[]> =>
  query
    .selectFrom('run_steps')
    .innerJoin('runs', 'runs.id', 'run_steps.run_id')
    .selectAll('run_steps')
    .where('runs.finished_at', 'is', null)
    .where('runs.id', '<>', exceptRunId)
    .where('run_steps.type', '=', 'model')
    .where(({ or, eb }) => or([eb('runs.id', 'in', rootIds), eb('runs.root_run_id', 'in', rootIds)]))
    .execute()

/** Deletes tokens that ended before `before`: all, or visitors' `unused` tokens. Runs keep the token's id. */
export async function deleteTokensBefore(
  tx: Tx,
  { before, unused }: { before: number; unused: boolean },
  limit: number,
): Promise<number> {
  const { numDeletedRows } = await tx
    .deleteFrom('browser_tokens')
    .where('id', 'in', ({ selectFrom }) =>
      selectFrom('browser_tokens')
        .select('id')
        .where('expires_at', '<', before)
        .$if(unused, rows => rows.where('address_hash', 'is not', null).where('run_count', '=', sql.lit(0)))
        .orderBy('expires_at')
        .limit(limit),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}
