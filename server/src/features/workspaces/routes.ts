/** The workspace that a key belongs to. */
import { defineRoute, okRecord, preview, type Route } from '../../http/route.ts'
import { exampleId } from '../../platform/schemas.ts'
import type { WorkspaceLifeService } from './life-service.ts'
import { Workspace, WorkspaceChange, WorkspaceDeletion } from './schemas.ts'
import { presentWorkspace, type WorkspaceService } from './service.ts'

const workspaceExample: Workspace = {
  id: exampleId('workspace'),
  name: 'Example Ltd',
  slug: 'example-ltd',
  plan: 'professional',
  monthlyCostLimitUsd: null,
  deletesAt: null,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const workspaceRoutes = ({
  workspaces,
  workspaceLife,
}: {
  workspaces: WorkspaceService
  workspaceLife: WorkspaceLifeService
}): Route[] => [
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
    handle: async ({ caller }) => okRecord(await workspaces.get(caller), presentWorkspace),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/workspace',
    operationId: 'updateWorkspace',
    tag: 'workspace',
    summary: 'Change the workspace',
    description:
      'Gives it another name, or sets what its runs may cost in a calendar month, which holds from the next call of a model on. The slug stays. For owners and admins. Needs a live key.',
    permission: 'workspace:write',
    audit: 'workspace.update',
    liveOnly: true,
    body: WorkspaceChange,
    bodyExample: { monthlyCostLimitUsd: 250 },
    data: Workspace,
    example: { ...workspaceExample, monthlyCostLimitUsd: 250 },
    success: [200],
    errors: ['precondition_failed'],
    handle: async ({ caller, body, ifMatch }) =>
      okRecord(await workspaces.update(caller, body, ifMatch), presentWorkspace),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace',
    operationId: 'deleteWorkspace',
    tag: 'workspace',
    summary: 'Delete the workspace',
    description:
      'For owners. Every key, token and run of the workspace is refused from then on with `workspace_deleted`; until `deletesAt` an owner can restore it in the console, and then everything in it is erased. Export what is to be kept before: `POST /knowledge/collections/{id}/export`. The body repeats the slug as `confirm`; `dryRun=true` needs none and tells what would go. Needs a live key that is not narrowed.',
    permission: 'workspace:write',
    audit: 'workspace.delete',
    liveOnly: true,
    destructive: true,
    body: WorkspaceDeletion,
    bodyExample: { confirm: 'example-ltd' },
    data: Workspace,
    example: { ...workspaceExample, deletesAt: '2026-12-21T09:30:00.000Z' },
    success: [200],
    errors: ['precondition_failed'],
    handle: async ({ caller, body, ifMatch, dryRun }) => {
      if (dryRun) {
        const contents = await workspaceLife.preview(caller, ifMatch)
        return preview(contents.map(content => ({ effect: 'deleted', ...content })))
      }
      const row = await workspaceLife.remove(caller, { confirm: body.confirm, ifMatch })
      return okRecord(row, presentWorkspace)
    },
  }),
]
