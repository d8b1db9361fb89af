/** The rows of workspaces. A workspace is the scope of everything else, so these functions take its id instead. */

import type { Insertable, Selectable } from 'kysely'
import type { Plan } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { countOf } from '../../platform/database/rows.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type WorkspaceRow = Selectable<Tables['workspaces']>

/** False if the slug is taken, even by a transaction that runs at the same time. */
export async function insertWorkspace(tx: Tx, row: Insertable<Tables['workspaces']>): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('workspaces')
    .values(row)
    .onConflict(conflict => conflict.column('slug').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export const findWorkspace = (query: Query, id: string): Promise<WorkspaceRow | undefined> =>
  query.selectFrom('workspaces').selectAll().where('id', '=', id).executeTakeFirst()

/** Finds a workspace by id or slug, for the operator. */
export const findWorkspaceByName = (query: Query, idOrSlug: string): Promise<WorkspaceRow | undefined> =>
  query
    .selectFrom('workspaces')
    .selectAll()
    .where(({ eb, or }) => or([eb('id', '=', idOrSlug), eb('slug', '=', idOrSlug)]))
    .executeTakeFirst()

export async function listIdsOf(query: Query, userId: string): Promise<string[]> {
  const rows = await query
    .selectFrom('members')
    .innerJoin('workspaces', 'workspaces.id', 'members.workspace_id')
    .where('members.user_id', '=', userId)
    .where('workspaces.deletes_at', 'is', null)
    .select('workspaces.id')
    .orderBy('workspaces.id')
    .limit(maxListedOfPerson)
    .execute()
  return rows.map(({ id }) => id)
}

const maxListedOfPerson = 100

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

const contents = [
  ['member', 'members'],
  ['api_key', 'api_keys'],
  ['agent', 'agents'],
  ['collection', 'collections'],
  ['document', 'documents'],
  ['connection', 'connections'],
] as const

export type ContentCount = { resource: (typeof contents)[number][0]; count: number; ids: string[] }

/** What would be deleted with a workspace, in both environments: the number of each kind, and the first ids. */
export const countContents = (query: Query, workspaceId: string, maxIds: number): Promise<ContentCount[]> =>
  Promise.all(
    contents.map(async ([resource, table]) => {
      const rows = query.selectFrom(table).where('workspace_id', '=', workspaceId)
      const count = await countOf(rows)
      const first = await rows.select('id').orderBy('id').limit(maxIds).execute()
      return { resource, count, ids: first.map(({ id }) => id) }
    }),
  )

/** Null takes the deletion back. */
export async function setDeletesAt(tx: Tx, id: string, change: { deletesAt: number | null; now: number }) {
  await tx
    .updateTable('workspaces')
    .set(({ eb }) => ({
      deletes_at: change.deletesAt,
      updated_at: change.now,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}

export async function updateWorkspace(
  tx: Tx,
  id: string,
  change: { name: string | undefined; monthlyCostLimitUsd: number | null | undefined; now: number },
): Promise<void> {
  await tx
    .updateTable('workspaces')
    .set(({ eb }) => ({
      name: change.name,
      monthly_cost_limit_usd: change.monthlyCostLimitUsd,
      updated_at: change.now,
      revision: eb('revision', '+', 1),
    }))
    .where('id', '=', id)
    .execute()
}
