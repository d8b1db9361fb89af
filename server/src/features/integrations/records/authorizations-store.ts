/**
 * A workspace's own OAuth clients, and authorizations in progress: states sent to services, links to this server's
 * page, codes for devices.
 */
import { type Insertable, type Selectable, sql } from 'kysely'
import type { Scope } from '../../../platform/caller.ts'
import type { Query, Tx } from '../../../platform/database/database.ts'
import { inserts } from '../../../platform/database/rows.ts'
import type { Tables } from '../../../platform/database/tables.ts'

export type OAuthStateRow = Selectable<Tables['oauth_states']>
export type ConnectLinkRow = Selectable<Tables['connect_links']>
export type DeviceRow = Selectable<Tables['device_authorizations']>

export const insertOAuthState = inserts('oauth_states')

/**
 * Takes an authorization out, so that its `state` works once. The answer comes from outside, so there is no scope
 * yet.
 */
export const takeOAuthState = (tx: Tx, stateHash: string): Promise<OAuthStateRow | undefined> =>
  tx.deleteFrom('oauth_states').where('state_hash', '=', stateHash).returningAll().executeTakeFirst()

/** Forgets the states that a connection's page has sent to the service before. Only the last state counts. */
export async function deletePageStates(scope: Scope, tx: Tx, connectionId: string): Promise<void> {
  await tx
    .deleteFrom('oauth_states')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', connectionId)
    .where('browser_hash', 'is not', null)
    .execute()
}

/** Ends every authorization of a connection that is in progress. */
export async function deleteAuthorizations(scope: Scope, tx: Tx, connectionId: string): Promise<void> {
  for (const table of ['oauth_states', 'connect_links', 'device_authorizations'] as const) {
    await tx
      .deleteFrom(table)
      .where('workspace_id', '=', scope.workspaceId)
      .where('environment', '=', scope.environment)
      .where('connection_id', '=', connectionId)
      .execute()
  }
}

export const insertConnectLink = inserts('connect_links')

/** A person who opens a link has only its token: there is no scope yet. */
export const findConnectLink = (query: Query, tokenHash: string): Promise<ConnectLinkRow | undefined> =>
  query.selectFrom('connect_links').where('token_hash', '=', tokenHash).selectAll().executeTakeFirst()

export const insertDevice = inserts('device_authorizations')

export const findDevice = (scope: Scope, query: Query, connectionId: string) =>
  query
    .selectFrom('device_authorizations')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', connectionId)
    .selectAll()
    .executeTakeFirst()

/** Deletes only this authorization; a newer one stays. */
export async function deleteDevice(scope: Scope, tx: Tx, device: DeviceRow): Promise<void> {
  await tx
    .deleteFrom('device_authorizations')
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', device.connection_id)
    .where('device_code', '=', device.device_code)
    .execute()
}

export async function slowDevice(
  scope: Scope,
  tx: Tx,
  connectionId: string,
  intervalSeconds: number,
): Promise<void> {
  await tx
    .updateTable('device_authorizations')
    .set({ interval_seconds: intervalSeconds })
    .where('workspace_id', '=', scope.workspaceId)
    .where('environment', '=', scope.environment)
    .where('connection_id', '=', connectionId)
    .execute()
}

/** In every workspace, since expired authorizations are of no use. */
export async function deleteExpiredAuthorizations(tx: Tx, nowMs: number): Promise<void> {
  for (const table of ['oauth_states', 'connect_links', 'device_authorizations'] as const) {
    await tx.deleteFrom(table).where('expires_at', '<=', nowMs).execute()
  }
}

/** OAuth clients belong to the workspace, in every environment. */
export type OAuthClientRow = Selectable<Tables['oauth_clients']>

export const findClient = (scope: Scope, query: Query, integrationId: string) =>
  selectClient(scope, query, integrationId).selectAll().executeTakeFirst()

/** The row, held until the transaction ends. */
export const lockClient = (scope: Scope, tx: Tx, integrationId: string) =>
  selectClient(scope, tx, integrationId).selectAll().forUpdate().executeTakeFirst()

export async function listClientIntegrations(scope: Scope, query: Query): Promise<string[]> {
  const rows = await query
    .selectFrom('oauth_clients')
    .where('workspace_id', '=', scope.workspaceId)
    .select('integration_id')
    .execute()
  return rows.map(row => row.integration_id)
}

/** Inserts a client, or replaces the present one. */
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
