/** The rows of model providers. They belong to the workspace, in both environments. */
import type { Selectable } from 'kysely'
import type { Scope } from '../../platform/caller.ts'
import type { Query, Tx } from '../../platform/database/database.ts'
import { type Page, type PageRequest, pageOf } from '../../platform/database/page.ts'
import { countOf, deletes, inserts, updates } from '../../platform/database/rows.ts'
import type { Tables } from '../../platform/database/tables.ts'

export type ProviderRow = Selectable<Tables['model_providers']>

export const listProviders = (scope: Scope, query: Query, page: PageRequest): Promise<Page<ProviderRow>> =>
  pageOf(selectProviders(scope, query).selectAll(), page)

/** All providers, by name; the workspace's limit keeps them few. */
export const allProviders = (scope: Scope, query: Query): Promise<ProviderRow[]> =>
  selectProviders(scope, query).selectAll().orderBy('name').execute()

export const findProvider = (scope: Scope, query: Query, id: string): Promise<ProviderRow | undefined> =>
  selectProviders(scope, query).where('id', '=', id).selectAll().executeTakeFirst()

export const findProviderByName = (scope: Scope, query: Query, name: string) =>
  selectProviders(scope, query).where('name', '=', name).selectAll().executeTakeFirst()

/** The row, locked until the transaction ends. */
export const lockProvider = (scope: Scope, tx: Tx, id: string) =>
  selectProviders(scope, tx).where('id', '=', id).selectAll().forUpdate().executeTakeFirst()

export const countProviders = (scope: Scope, query: Query): Promise<number> =>
  countOf(selectProviders(scope, query))

export const insertProvider = inserts('model_providers')

export const updateProvider = updates('model_providers')

export const deleteProvider = deletes('model_providers')

const selectProviders = (scope: Scope, query: Query) =>
  query.selectFrom('model_providers').where('workspace_id', '=', scope.workspaceId)
