/** Rows of workspaces. A workspace is the scope of everything else, so these functions take its id instead. */
import type { Insertable, Selectable } from 'kysely'
import type { Plan } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type WorkspaceRow = Selectable<Tables['workspaces']>

export async function insertWorkspace(tx: Tx, row: Insertable<Tables['workspaces']>): Promise<void> {
  await tx.insertInto('workspaces').values(row).execute()
}

export const findWorkspace = (query: Query, id: string): Promise<WorkspaceRow | undefined> =>
  query.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()

/** By id or by slug, as the operator names it. */
export const findWorkspaceByName = (query: Query, idOrSlug: string): Promise<WorkspaceRow | undefined> =>
  query
    .selectFrom('workspaces')
    .selectAll()
    .where(({ eb, or }) => or([eb('id', '=', idOrSlug), eb('slug', '=', idOrSlug)]))
    .executeTakeFirst()

export const listWorkspaces = (query: Query): Promise<WorkspaceRow[]> =>
  query.selectFrom('workspaces').selectAll().orderBy('id').execute()

export async function updatePlan(
  tx: Tx,
  id: string,
  change: { plan: Plan; rateLimit: number | null; now: number },
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set(({ eb }) => ({
      plan: change.plan,
      rate_limit: change.rateLimit,
      updated_at: change.now,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

export async function updateCostLimit(
  tx: Tx,
  id: string,
  change: { monthlyCostLimitUsd: number | null; now: number },
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set(({ eb }) => ({
      monthly_cost_limit_usd: change.monthlyCostLimitUsd,
      updated_at: change.now,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}
