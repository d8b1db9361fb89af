/** The log of all changes and their authors, and the endpoint that reads it. */
import type { Feature } from '../../http/feature.ts'
import { defineRoute, listed, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import type { Platform } from '../../platform/platform.ts'
import { exampleId } from '../../platform/schemas.ts'
import { AuditEntry, type AuditService, createAuditService } from './service.ts'

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

const auditRoutes = (audit: AuditService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/audit-log',
    operationId: 'listAuditLog',
    summary: 'List the audit log',
    description:
      'All changes in the workspace, newest first: who made each one, with which key, and from where. It includes what members do with their accounts: `account.sign_in`, `account.sign_in_refused`, `account.second_factor_on`, `account.second_factor_off`, `account.recovery_codes`, `account.password_change`, `account.password_reset` and `account.set_up`. A refused sign-in names the account in `resourceId`, because the person is not proven. A test key sees the changes in the sandbox. A narrowed key sees changes to the workspace and to resources that it can access. One entry stands for all files of one upload; to list the entries of single files, filter by `action`, `resourceId` or `requestId`.',
    permission: 'audit:read',
    query: Type.Object({
      action: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only this action.', examples: ['agent.create'] }),
      ),
      resourceId: Type.Optional(Type.String({ maxLength: 100, description: 'Only changes to this record.' })),
      keyId: Type.Optional(Type.String({ maxLength: 100, description: 'Only changes made with this key.' })),
      requestId: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only changes by this request, including each file of an upload.',
        }),
      ),
      userId: Type.Optional(Type.String({ maxLength: 100, description: "Only this person's changes." })),
    }),
    list: { ...standardList, dates: ['created'] },
    data: Type.Array(AuditEntry),
    example: [
      {
        id: exampleId('auditEntry'),
        environment: 'live',
        actor: 'key',
        userId: exampleId('user'),
        keyId: exampleId('key'),
        action: 'agent.create',
        resourceId: exampleId('agent'),
        details: { name: 'Support' },
        address: '203.0.113.7',
        requestId: exampleId('request'),
        createdAt: '2026-11-21T09:30:00.000Z',
      },
    ],
    handle: async ({ caller, query, page }) => listed(await audit.list(caller, query, page), page),
  }),
]
