/**
 * The operations on integrations: show what can be connected and what is connected, connect, test, reopen,
 * disconnect.
 */
import type { Connector } from '@atrium/connectors'
import type { Caller, Scope } from '../../../platform/caller.ts'
import type { Database, Query } from '../../../platform/database/database.ts'
import type { Page, PageRequest } from '../../../platform/database/page.ts'
import { found, invalidField } from '../../../platform/errors.ts'
import type { StrangersSchemas } from '../../../platform/json-schema/strangers-schemas.ts'
import type { Platform } from '../../../platform/platform.ts'
import { checkRevision } from '../../../platform/revision.ts'
import type { AuditService } from '../../audit/service.ts'
import type { Outbox } from '../../events/outbox-service.ts'
import { createAuthorizations } from '../credentials/authorizations.ts'
import { createOAuthClients, createTermsOf } from '../credentials/clients-service.ts'
import { createConnectorHost } from '../credentials/connector-host.ts'
import { createDeviceQueue, deviceQueueName } from '../credentials/device.ts'
import { clientMetadata, createDiscover } from '../credentials/discovered.ts'
import { createGrants } from '../credentials/grants.ts'
import { createGiveUp, createKeeper, createRefreshSweep, createRevokeGrant } from '../credentials/keeper.ts'
import { createOAuth } from '../credentials/oauth.ts'
import type { OAuthClient } from '../credentials/oauth-result.ts'
import { createCallback, createConnectPages } from '../credentials/pages.ts'
import { createTryCredentials } from '../credentials/trial.ts'
import { changeable } from '../records/changeable.ts'
import type { CompileSchema } from '../records/config-check.ts'
import { recordConnectionEvent } from '../records/connection-outbox.ts'
import type { NewConnection } from '../records/schemas.ts'
import {
  type ConnectionFilter,
  type ConnectionRow,
  connectionsNamed,
  deleteConnection,
  findConnection,
  listConnections,
  lockConnection,
} from '../records/store.ts'
import type { Afterwards } from '../records/sync-schemas.ts'
import { createVault } from '../records/vault.ts'
import { leaveSyncs, previewLeaving } from '../syncs/forget-job.ts'
import { createAcceptedTools } from './accepted-tools-service.ts'
import { type Checked, createCheckConnection } from './check-connection.ts'
import { createConnect, type Started } from './connect.ts'
import { createInputChecks } from './input.ts'
import { createReconnect } from './reconnect.ts'

export type CatalogItem = { connector: Connector; isConfigured: boolean }

export type IntegrationService = ReturnType<typeof createIntegrationService>

// Registered with each service, after the public address.
const callbackPath = '/oauth/callback'

export function createIntegrationService(
  dependencies: Pick<
    Platform,
    | 'database'
    | 'clock'
    | 'sleep'
    | 'newId'
    | 'keyring'
    | 'seals'
    | 'safeFetch'
    | 'log'
    | 'connectors'
    | 'jobs'
  > & {
    audit: AuditService
    outbox: Outbox
    /** The operator's OAuth clients, by integration id. An OAuth integration without a client is not configured. */
    oauthClients: Readonly<Record<string, OAuthClient | null>>
    /** The address under which people and services reach this server, without a slash at the end. */
    publicUrl: () => string
    /** The origins that a `redirectUrl` may have. */
    redirectOrigins: readonly string[]
    compileSchema: CompileSchema
    schemas: Pick<StrangersSchemas, 'faultOf'>
    workspaceName: (workspaceId: string) => Promise<string>
  },
) {
  const { database, clock, audit, outbox, log, connectors, publicUrl } = dependencies
  const byName = connectors.toSorted((a, b) => a.name.localeCompare(b.name, 'en'))
  const connectorOf = (id: string): Connector | null =>
    connectors.find(connector => connector.id === id) ?? null
  const termsOf = createTermsOf(connectorOf)
  const vault = createVault(dependencies.seals)
  const redirectUri = (): string => `${publicUrl()}${callbackPath}`
  const oauth = createOAuth({ safeFetch: dependencies.safeFetch, redirectUri })
  const clients = createOAuthClients({ ...dependencies, connectorOf, redirectUri })

  const giveUp = createGiveUp(dependencies)
  const revokeGrant = createRevokeGrant({ log, vault, oauth, clients, termsOf })
  const tryCredentials = createTryCredentials(dependencies)
  const credentials = { ...dependencies, vault, oauth, clients, termsOf, giveUp }
  const keeper = createKeeper(credentials)
  const host = createConnectorHost({ ...credentials, keeper, connectorOf })
  const acceptedTools = createAcceptedTools({ ...dependencies, host, connectorOf })
  const { onActive } = acceptedTools
  const parts = {
    ...dependencies,
    onActive,
    discover: createDiscover({ ...dependencies, vault, tryCredentials, redirectUri }),
    vault,
    oauth,
    connectorOf,
    termsOf,
    clients,
    giveUp,
    revokeGrant,
    tryCredentials,
  }
  const authorizations = createAuthorizations(parts)
  const grants = createGrants(parts)
  const checks = createInputChecks(dependencies)
  const connect = createConnect({ ...parts, ...checks, authorizations })
  const check = createCheckConnection({ ...parts, host })

  return {
    /** The services that can be connected, by name. */
    async catalog({ scope }: Caller, { page, pageSize }: PageRequest): Promise<Page<CatalogItem>> {
      const configured = await clients.configured(scope)
      const items = byName.slice((page - 1) * pageSize, page * pageSize).map(connector => ({
        connector,
        isConfigured: connector.auth[0].kind !== 'oauth2' || configured.has(connector.id),
      }))
      return { items, total: byName.length }
    },
    list: (caller: Caller, filter: ConnectionFilter, page: PageRequest): Promise<Page<ConnectionRow>> =>
      listConnections(caller.scope, database.read, filter, page, clock()),
    get: async (caller: Caller, id: string): Promise<ConnectionRow> =>
      found(await findConnection(caller.scope, database.read, id)),
    /**
     * Starts a connection. If the service does not accept the credentials, nothing is stored. Throws 400 for faulty
     * input, `integration_not_configured`, `credentials_rejected`, `integration_unreachable`.
     */
    async connect(caller: Caller, body: NewConnection): Promise<Started> {
      const connector = connectorOf(body.integrationId)
      if (connector === null) throw invalidField('integrationId', 'There is no integration with this id')
      return await connect(caller, connector, body)
    },
    /** Calls the service, and stores the result as the connection's status and last error. */
    async test(caller: Caller, id: string): Promise<Checked> {
      return await check(
        caller,
        changeable(caller.scope, await findConnection(caller.scope, database.read, id)),
      )
    },
    /** How many documents would go to the trash with a connection, and the first hundred of their ids. */
    async previewTrash(caller: Caller, id: string): Promise<{ count: number; ids: string[] }> {
      const row = changeable(caller.scope, await findConnection(caller.scope, database.read, id))
      return previewLeaving(database.read, caller, row)
    },
    /** Ends a connection: its secrets are erased, and the service is asked to end the grant. */
    async disconnect(
      caller: Caller,
      id: string,
      documents: Afterwards,
      ifMatch: string | null,
    ): Promise<void> {
      const row = await database.write(async tx => {
        const locked = changeable(caller.scope, await lockConnection(caller.scope, tx, id))
        checkRevision(ifMatch, locked)
        await leaveSyncs(dependencies.jobs, tx, caller, locked, documents)
        await deleteConnection(caller.scope, tx, id)
        await audit.record(tx, caller, {
          action: 'integration.disconnect',
          resourceId: id,
          details: { integrationId: locked.integration_id, name: locked.name, documents },
        })
        await recordConnectionEvent(tx, outbox, caller, locked, { status: 'deleted', at: clock() })
        return locked
      })
      await revokeGrant(caller.scope, row)
    },
    /** Reopens a connection under its own id. */
    reconnect: createReconnect({ ...parts, ...checks, authorizations }),
    /** Answers the browser that a service sends back to `callbackPath`. */
    handleCallback: createCallback({ ...parts, grants }),
    /** Answers the browser in which a person opens a connection's `connectUrl`. */
    connectPages: createConnectPages({ ...parts, authorizations, grants }),
    clients,
    /** Refreshes the credentials that expire soon. Runs each minute. */
    refreshSoonExpiring: createRefreshSweep({ ...parts, keeper }),
    queues: { [deviceQueueName]: createDeviceQueue({ ...parts, grants }) },
    /** The tools that connected servers name themselves. */
    acceptedTools,
    /** Describes this server to services that look it up. */
    clientMetadata: () => clientMetadata(publicUrl(), redirectUri()),
    /** For the features that use connections: syncs and tools. */
    host,
  }
}

/** A connection to which an agent is bound by the connection's id, so that the agent's tools use it. */
export type BoundConnection = Pick<ConnectionRow, 'id' | 'name' | 'integration_id' | 'sync_collection_id'>

/**
 * The ids that are connections of the scope, oldest first. A connection is left out if its documents lie in a
 * collection that the scope does not reach. Its tools would tell what that collection keeps.
 */
export type FindConnections = (
  scope: Scope,
  ids: readonly string[],
  query?: Query,
) => Promise<BoundConnection[]>

export const createFindConnections =
  ({ database }: { database: Database }): FindConnections =>
  async (scope, ids, query = database.read) =>
    ids.length === 0 ? [] : await connectionsNamed(scope, query, ids)
