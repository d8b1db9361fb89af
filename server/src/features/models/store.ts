/** The rows of model providers. They belong to the workspace, whatever the environment. */
import { type Selectable, sql, type Updateable } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { inserts } from '../../platform/database/insert-rows.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type ProviderRow = Selectable<Tables['model_providers']>

export const listProviders = (scope: Scope, query: Query, page: PageRequest): Promise<Page<ProviderRow>> =>
  pageOf(selectProviders(scope, query).selectAll(), page)

/** All of them, by name; the workspace's limit keeps them few. */
export const allProviders = (scope: Scope, query: Query): Promise<ProviderRow[]> =>
  selectProviders(scope, query).selectAll().orderBy('name').execute()

export const findProvider = (scope: Scope, query: Query, id: string): Promise<ProviderRow | undefined> =>
  selectProviders(scope, query).where('id', '=', id).selectAll().executeTakeFirst()

export const findProviderByName = (scope: Scope, query: Query, name: string) =>
  selectProviders(scope, query).where('name', '=', name).selectAll().executeTakeFirst()

/** The row, held until the transaction ends. */
export const lockProvider = (scope: Scope, tx: Tx, id: string) =>
  selectProviders(scope, tx).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

export async function countProviders(scope: Scope, query: Query): Promise<number> {
  const { count } = await selectProviders(scope, query)
    .select(sql<number>`count(*)`.as('count'))
    .executeTakeFirstOrThrow()
  return Number(count)
}

/** False if the name is taken. */
export const insertProvider = inserts('model_providers')

export async function updateProvider(
  scope: Scope,
  tx: Tx,
  id: string,
  change: Updateable<Tables['model_providers']>,
): Promise<void> {
  await tx
    .updateTable('model_providers')
    .set(change)
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .execute()
}

export async function deleteProvider(scope: Scope, tx: Tx, id: string): Promise<void> {
  await tx
    .deleteFrom('model_providers')
    .where('workspace_id', '=', scope.workspaceId)
    .where('id', '=', id)
    .execute()
}

const selectProviders = (scope: Scope, query: Query) =>
  query.selectFrom('model_providers').where('workspace_id', '=', scope.workspaceId)
