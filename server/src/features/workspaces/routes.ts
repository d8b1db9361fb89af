/** The endpoints of the caller's workspace. */
import { defineRoute, okRecord, preview, type Route } from '../../http/route.ts'
import { exampleId } from '../../platform/schemas.ts'
import type { WorkspaceLifeService } from './life-service.ts'
import {
  presentWorkspace,
  Workspace,
  WorkspaceChange,
  WorkspaceDeletion,
  type WorkspaceService,
} from './service.ts'

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
    summary: 'Get the workspace',
    description: "Returns the key's workspace with its plan. Any valid key may call it.",
    permission: 'any',
    data: Workspace,
    example: workspaceExample,
    handle: async ({ caller }) => okRecord(await workspaces.get(caller), presentWorkspace),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/workspace',
    operationId: 'updateWorkspace',
    summary: 'Change the workspace',
    description:
      'Changes the name, or the monthly budget for runs, which applies from the next model call. The slug does not change. For owners and admins. Needs a live key.',
    permission: 'workspace:write',
    audit: 'workspace.update',
    wholeWorkspace: true,
    liveOnly: true,
    body: WorkspaceChange,
    bodyExample: { monthlyCostLimitUsd: 250 },
    data: Workspace,
    example: { ...workspaceExample, monthlyCostLimitUsd: 250 },
    errors: ['precondition_failed'],
    handle: async ({ caller, body, ifMatch }) =>
      okRecord(await workspaces.update(caller, body, ifMatch), presentWorkspace),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/workspace',
    operationId: 'deleteWorkspace',
    summary: 'Delete the workspace',
    description:
      'For owners. From now on every key, token and run of the workspace is refused with `workspace_deleted`. Until `deletesAt` an owner can restore the workspace in the console; then everything in it is erased. Export what you want to keep first: `POST /knowledge/collections/{id}/export`. The body repeats the slug as `confirm`; `dryRun=true` needs no body and returns what would be deleted. Needs a live key.',
    permission: 'workspace:write',
    audit: 'workspace.delete',
    wholeWorkspace: true,
    liveOnly: true,
    destructive: true,
    body: WorkspaceDeletion,
    bodyExample: { confirm: 'example-ltd' },
    data: Workspace,
    example: { ...workspaceExample, deletesAt: '2026-12-21T09:30:00.000Z' },
    replyTexts: { 200: 'The workspace, which is erased at `deletesAt` unless it is restored.' },
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
