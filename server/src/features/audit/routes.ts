/** Reading the audit log. */

import { defineRoute, listed, type Route, standardList } from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { exampleId } from '../../platform/schemas.ts'
import { AuditEntry } from './schemas.ts'
import type { AuditService } from './service.ts'

export const auditRoutes = (audit: AuditService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/audit-log',
    operationId: 'listAuditLog',
    tag: 'workspace',
    summary: 'List the audit log',
    description:
      'Every change in the workspace, newest first: who made it, with which key, from where. It also has what members do with their accounts (`account.sign_in`, `account.sign_in_refused`, `account.second_factor_on`, `account.second_factor_off`, `account.recovery_codes`, `account.password_change`, `account.password_reset`, `account.set_up`); a refused one names the account in `resourceId`, since who tried is not proven. A test key sees what was done in the sandbox. A narrowed key sees what was done to what it reaches, and to the workspace itself. One entry stands for all files of one upload: the entries of the single files are listed with an `action`, a `resourceId` or a `requestId`.',
    permission: 'audit:read',
    query: Type.Object({
      action: Type.Optional(
        Type.String({ maxLength: 100, description: 'Only this action.', examples: ['agent.create'] }),
      ),
      resourceId: Type.Optional(Type.String({ maxLength: 100, description: 'Only changes of this record.' })),
      keyId: Type.Optional(Type.String({ maxLength: 100, description: 'Only changes made with this key.' })),
      requestId: Type.Optional(
        Type.String({
          maxLength: 100,
          description: 'Only what this request changed, each file of an upload included.',
        }),
      ),
      userId: Type.Optional(Type.String({ maxLength: 100, description: "Only this person's changes." })),
    }),
    list: standardList,
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
    success: [200],
    errors: [],
    handle: async ({ caller, query, page }) => listed(await audit.list(caller, query, page), page),
  }),
]
