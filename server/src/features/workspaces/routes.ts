/** The workspace that a key belongs to. */
import { defineRoute, ok, type Route } from '../../http/route.ts'
import { etagOf } from '../../platform/revision.ts'
import { exampleId } from '../../platform/schemas.ts'
import { Workspace, WorkspaceChange } from './schemas.ts'
import { presentWorkspace, type WorkspaceService } from './service.ts'

const workspaceExample: Workspace = {
  id: exampleId('workspace'),
  name: 'Example Ltd',
  slug: 'example-ltd',
  plan: 'professional',
  monthlyCostLimitUsd: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const workspaceRoutes = (workspaces: WorkspaceService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/workspace',
    operationId: 'getWorkspace',
    tag: 'workspace',
    summary: 'Get the workspace',
    description:
      'The workspace that the key belongs to, with its plan. Any valid key may ask, so it is a good first call.',
    permission: 'any',
    data: Workspace,
    example: workspaceExample,
    success: [200],
    errors: [],
    handle: async ({ caller }) => {
      const workspace = await workspaces.get(caller)
      return ok(presentWorkspace(workspace), etagOf(workspace))
    },
  }),
  defineRoute({
    method: 'PATCH',
    path: '/workspace',
    operationId: 'updateWorkspace',
    tag: 'workspace',
    summary: 'Change the workspace',
    description:
      'Sets what its runs may cost in a calendar month; holds from the next call of a model on. For owners and admins. Needs a live key.',
    permission: 'workspace:write',
    audit: 'workspace.update',
    liveOnly: true,
    body: WorkspaceChange,
    bodyExample: { monthlyCostLimitUsd: 250 },
    data: Workspace,
    example: { ...workspaceExample, monthlyCostLimitUsd: 250 },
    success: [200],
    errors: ['precondition_failed'],
    handle: async ({ caller, body, ifMatch }) => {
      const workspace = await workspaces.update(caller, body, ifMatch)
      return ok(presentWorkspace(workspace), etagOf(workspace))
    },
  }),
]
