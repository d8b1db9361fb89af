/** API keys: their permissions, and the agents and collections that they are narrowed to. */
import type { Feature } from '../../http/feature.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import type { Outbox } from '../events/outbox-service.ts'
import type { WorkspaceService } from '../workspaces/service.ts'
import { createGrantKeys, type GrantKeys } from './grants-service.ts'
import { apiKeyRoutes, meRoute } from './routes.ts'
import { type ApiKeyService, createApiKeyService, type FindMissing, type ReadFilter } from './service.ts'

export type ApiKeysServices = { apiKeys: ApiKeyService; grantKeys: GrantKeys }

export function createApiKeysFeature(
  platform: Platform,
  others: {
    audit: AuditService
    outbox: Outbox
    missingAgents: FindMissing
    missingCollections: FindMissing
    readFilter: ReadFilter
    workspaces: WorkspaceService
    /** Called once the rights of a key have changed. */
    onChange: () => void
  },
): Feature<ApiKeysServices> {
  const apiKeys = createApiKeyService({ ...platform, ...others })
  return {
    services: { apiKeys, grantKeys: createGrantKeys({ ...platform, ...others }) },
    tag: 'workspace',
    routes: [...apiKeyRoutes(apiKeys, platform.clock), meRoute(apiKeys, others.workspaces)],
    workspaceData: { slices: [{ table: 'api_keys', key: ['id'] }] },
  }
}
