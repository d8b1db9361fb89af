/** The rows of workspaces' own OAuth clients. They belong to the workspace, whatever the environment. */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Database, Query, Tx } from '../../../platform/database/database.ts'
import type { Tables } from '../../../platform/database/tables.ts'

export type OAuthClientRow = Selectable<Tables['oauth_clients']>

export const findClient = (scope: Scope, query: Query, integrationId: string) =>
  selectClient(scope, query, integrationId).selectAll().executeTakeFirst()

/** The row, held until the transaction ends. */
export function lockClient(
  scope: Scope,
  tx: Tx,
  engine: Database['engine'],
  integrationId: string,
): Promise<OAuthClientRow | undefined> {
  const query = selectClient(scope, tx, integrationId).selectAll()
  return (engine === 'postgres' ? query.forUpdate() : query).executeTakeFirst()
}

export async function listClientIntegrations(scope: Scope, query: Query): Promise<string[]> {
  const rows = await query
    .selectFrom('oauth_clients')
    .where('workspace_id', '=', scope.workspaceId)
    .select('integration_id')
    .execute()
  return rows.map(row => row.integration_id)
}

/** Puts a client in the place of the one that there was. */
export const putClient = (_scope: Scope, tx: Tx, row: Insertable<Tables['oauth_clients']>) =>
  tx
    .insertInto('oauth_clients')
    .values(row)
    .onConflict(conflict =>
      conflict.columns(['workspace_id', 'integration_id']).doUpdateSet(({ ref }) => ({
        client_id: row.client_id,
        client_secret: row.client_secret,
        updated_at: row.updated_at,
        revision: sql<number>`${ref('oauth_clients.revision')} + 1`,
      })),
    )
    .returningAll()
    .executeTakeFirstOrThrow()

export async function deleteClient(scope: Scope, tx: Tx, integrationId: string): Promise<void> {
  await tx
    .deleteFrom('oauth_clients')
    .where('workspace_id', '=', scope.workspaceId)
    .where('integration_id', '=', integrationId)
    .execute()
}

const selectClient = (scope: Scope, query: Query, integrationId: string) =>
  query
    .selectFrom('oauth_clients')
    .where('workspace_id', '=', scope.workspaceId)
    .where('integration_id', '=', integrationId)
