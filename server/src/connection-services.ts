/** Connections and what keeps them in sync, with the ways in which documents come, made from what the other features offer. */
import type { Connector } from '@atrium/connectors'
import type { Dependencies } from './dependencies.ts'
import type { Outbox } from './features/events/outbox-service.ts'
import { createConfigCheck } from './features/integrations/config-check.ts'
import { createIntegrationService, type IntegrationService } from './features/integrations/service.ts'
import { createForgetQueue, forgetQueue } from './features/integrations/syncs/forget-job.ts'
import { createScheduleSweep } from './features/integrations/syncs/schedule.ts'
import { connectionSyncQueue, createConnectionSyncQueue } from './features/integrations/syncs/sync-job.ts'
import {
  type ConnectionSyncService,
  createConnectionSyncService,
} from './features/integrations/syncs/sync-service.ts'
import { createStartSync } from './features/integrations/syncs/sync-start.ts'
import { createTakeItem } from './features/integrations/syncs/take-item.ts'
import {
  createUpdateConnection,
  type UpdateConnection,
} from './features/integrations/syncs/update-connection.ts'
import type { CollectionService } from './features/knowledge/documents/collections-service.ts'
import type { DocumentService } from './features/knowledge/documents/documents-service.ts'
import type { TrashService } from './features/knowledge/documents/trash-service.ts'
import { createActingMember } from './features/workspaces/acting-member-service.ts'
import type { WorkspaceService } from './features/workspaces/service.ts'
import { validation } from './http/validation.ts'
import { createIntakeServices, type IntakeServices } from './intake-services.ts'
import { oauthClients } from './oauth-clients.ts'
import type { Seals } from './platform/crypto/seals.ts'
import type { Queues } from './platform/jobs/job.ts'

export type ConnectionServices = IntakeServices & {
  integrations: IntegrationService
  connectionSyncs: ConnectionSyncService
  updateConnection: UpdateConnection
  /** Begins the syncs whose time has come; answers how many they were. */
  sweepSchedules: () => Promise<number>
}

export function createConnectionParts(
  given: Omit<Parameters<typeof createIntakeServices>[0], 'timeoutMs'> &
    Dependencies & {
      outbox: Outbox
      seals: Seals
      documents: DocumentService
      collections: CollectionService
      trash: TrashService
      workspaces: WorkspaceService
    },
): { queues: Queues; services: ConnectionServices } {
  const { settings, connectors, workspaces } = given
  const compileSchema = validation.body
  const connectorOf = (id: string): Connector | null =>
    connectors.find(connector => connector.id === id) ?? null
  const intake = createIntakeServices({ ...given, timeoutMs: settings.urlTimeoutMs })
  const integrations = createIntegrationService({
    ...given,
    compileSchema,
    oauthClients: oauthClients(settings),
    redirectOrigins: settings.redirectOrigins,
    workspaceName: async workspaceId => (await workspaces.find(workspaceId)).name,
  })
  const shared = { ...given, connectorOf, actingMember: createActingMember(given) }
  const start = createStartSync(shared)
  return {
    queues: {
      ...integrations.queues,
      [connectionSyncQueue]: createConnectionSyncQueue({
        ...shared,
        host: integrations.host,
        sessions: intake.syncs,
        takeItem: createTakeItem(given),
      }),
      [forgetQueue]: createForgetQueue(given),
    },
    services: {
      ...intake,
      integrations,
      connectionSyncs: createConnectionSyncService({ ...given, start }),
      updateConnection: createUpdateConnection({
        ...shared,
        checkConfig: createConfigCheck({ connectors, compileSchema }),
      }),
      sweepSchedules: createScheduleSweep({ ...shared, start }),
    },
  }
}
