/** The log of who changed what. */
import type { Feature } from '../../http/feature.ts'
import type { Platform } from '../../platform/platform.ts'
import { auditRoutes } from './routes.ts'
import { type AuditService, createAuditService } from './service.ts'

export type AuditServices = { audit: AuditService }

export function createAuditFeature(platform: Platform): Feature<AuditServices> {
  const audit = createAuditService(platform)
  return {
    services: { audit },
    tag: 'workspace',
    routes: auditRoutes(audit),
    workspaceData: { slices: [{ table: 'audit_log', key: ['id'] }] },
  }
}
