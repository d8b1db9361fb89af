/** Connections to outside services: how they are opened, kept in sync with collections, and used by agents. */
import type { Connector } from '@atrium/connectors'
import type { Feature } from '../../http/feature.ts'
import { validation } from '../../http/validation.ts'
import type { Platform } from '../../platform/platform.ts'
import { eachHour, eachMinute } from '../../platform/schedules/schedules.ts'
import type { Settings } from '../../settings/settings.ts'
import type { AuditService } from '../audit/service.ts'
import type { ActingMember } from '../authentication/callers-service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import type { CollectionService } from '../knowledge/documents/collections-service.ts'
import type { DocumentService } from '../knowledge/documents/documents-service.ts'
import type { TrashService } from '../knowledge/documents/trash-service.ts'
import type { SyncService } from '../knowledge/syncs/sync-service.ts'
import type { Limits } from '../limits/service.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import { createRemoteTools } from './connections/remote-tools-service.ts'
import { integrationRoutes, oauthClientRoutes, remoteToolsRoutes, updateRoute } from './connections/routes.ts'
import { createFindConnections, createIntegrationService } from './connections/service.ts'
import { createConnectionTools } from './connections/tools.ts'
import { createUpdateConnection } from './connections/update-connection.ts'
import type { OAuthClient } from './credentials/oauth-result.ts'
import { createConfigCheck } from './records/config-check.ts'
import { createForgetQueue, forgetQueue } from './syncs/forget-job.ts'
import { connectionSyncRoutes } from './syncs/routes.ts'
import { connectionSyncQueue, createConnectionSyncQueue } from './syncs/sync-job.ts'
import { createConnectionSyncService } from './syncs/sync-service.ts'
import { createScheduleSweep, createStartSync } from './syncs/sync-start.ts'

export type IntegrationsServices = ReturnType<typeof createIntegrationsFeature>['services']

export function createIntegrationsFeature(
  platform: Platform,
  earlier: {
    audit: AuditService
    outbox: Outbox
    limits: Limits
    workspaces: WorkspaceService
    collections: CollectionService
    documents: DocumentService
    trash: TrashService
    syncs: SyncService
    actingMember: ActingMember
  },
) {
  const { settings, connectors, clock } = platform
  const compileSchema = validation.body
  const connectorOf = (id: string): Connector | null =>
    connectors.find(connector => connector.id === id) ?? null
  const shared = { ...platform, ...earlier, compileSchema, connectorOf }
  const integrations = createIntegrationService({
    ...shared,
    oauthClients: oauthClients(settings),
    redirectOrigins: settings.redirectOrigins,
    workspaceName: async workspaceId => (await earlier.workspaces.find(workspaceId)).name,
  })
  const start = createStartSync(shared)
  const connectionSyncs = createConnectionSyncService({ ...shared, start })
  const checkConfig = createConfigCheck({ connectors, compileSchema })
  const updateConnection = createUpdateConnection({ ...shared, checkConfig })
  const findConnections = createFindConnections(platform)
  const { acceptedTools, host } = integrations
  const remoteTools = createRemoteTools({ ...platform, findConnections, host, acceptedTools })
  const sweepSchedules = createScheduleSweep({ ...shared, start })
  return {
    services: {
      integrations,
      connectionSyncs,
      updateConnection,
      findConnections,
      /** The tools with which agents use connections. */
      connectionTools: createConnectionTools({ connectors, findConnections, host: integrations.host }),
      /** The tools of servers that name their tools themselves. */
      remoteTools,
      /** Begins the syncs whose time has come. Returns their number. */
      sweepSchedules,
    },
    tag: 'integrations',
    routes: [
      ...integrationRoutes(integrations, clock),
      ...remoteToolsRoutes(acceptedTools),
      ...oauthClientRoutes(integrations.clients),
      updateRoute(updateConnection, clock),
      ...connectionSyncRoutes(connectionSyncs),
    ],
    schedules: [
      eachMinute('refresh credentials of connections', integrations.refreshSoonExpiring),
      eachMinute('start scheduled syncs', sweepSchedules),
      eachHour('remove old syncs of connections', connectionSyncs.tidy),
    ],
    workspaceData: {
      slices: [
        { table: 'connection_items', key: ['connection_id', 'external_id'] },
        { table: 'connection_syncs', key: ['id'], of: { column: 'connection_id', parent: 'connections' } },
        { table: 'connection_tools', key: ['connection_id', 'name'] },
        { table: 'connections', key: ['id'] },
        { table: 'oauth_clients', key: ['workspace_id', 'integration_id'] },
      ],
    },
    queues: {
      ...integrations.queues,
      [connectionSyncQueue]: createConnectionSyncQueue({
        ...shared,
        host: integrations.host,
        sessions: earlier.syncs,
      }),
      [forgetQueue]: createForgetQueue(shared),
    },
  } satisfies Feature<object>
}

/**
 * The OAuth clients that the operator has registered with the services, by integration. A client needs id and secret.
 */
function oauthClients(settings: Settings): Record<string, OAuthClient | null> {
  const clientOf = (id: string | null, secret: string | null): OAuthClient | null =>
    id === null || secret === null ? null : { id, secret }
  return {
    github: clientOf(settings.githubClientId, settings.githubClientSecret),
    'google-drive': clientOf(settings.googleClientId, settings.googleClientSecret),
    slack: clientOf(settings.slackClientId, settings.slackClientSecret),
    notion: clientOf(settings.notionClientId, settings.notionClientSecret),
  }
}
