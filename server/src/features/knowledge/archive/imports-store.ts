/** Rows of imports. */
import type { Insertable, Selectable, Updateable } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'
import { reachesCollection } from '../../../platform/database/within-reach.ts'

export type ImportRow = Selectable<Tables['imports']>

/** Imports make collections of their own, so that a key that is narrowed to some sees only those that made one of these. */
export const findImport = (scope: Scope, query: Query, id: string): Promise<ImportRow | undefined> => {
  const row = query
    .selectFrom('imports')
    .selectAll()
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('id', '=', id)
  const reached = reachesCollection(scope, 'collection_id')
  if (reached === null) return row.executeTakeFirst()
  if (scope.collectionIds !== undefined) return row.where(reached).executeTakeFirst()
  // An import in progress may have no collection yet, so no access rule applies to it.
  return row.where(({ eb, or }) => or([eb('collection_id', 'is', null), reached])).executeTakeFirst()
}

export async function insertImport(_scope: Scope, tx: Tx, row: Insertable<Tables['imports']>): Promise<void> {
  await tx.insertInto('imports').values(row).execute()
}

/** Every change counts the revision up. */
export async function updateImport(
  scope: Scope,
  tx: Tx,
  id: string,
  change: Updateable<Tables['imports']>,
): Promise<void> {
  await tx
    .updateTable('imports')
    .set(({ eb }) => ({ ...change, revision: eb('revision', '+', 1) }))
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function countUnderWay(scope: Scope, query: Query): Promise<number> {
  const { count } = await query
    .selectFrom('imports')
    .select(({ fn }) => fn.countAll<number>().as('count'))
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('finished_at', 'is', null)
    .executeTakeFirstOrThrow()
  return Number(count)
}
