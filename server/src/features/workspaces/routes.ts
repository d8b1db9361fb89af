/** Reading the workspace that a key belongs to. */
import { defineRoute, ok, type Route } from '../../http/route.ts'
import { etagOf } from '../../platform/revision.ts'
import { exampleId } from '../../platform/schemas.ts'
import { Workspace } from './schemas.ts'
import { presentWorkspace, type WorkspaceService } from './service.ts'

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
    example: {
      id: exampleId('workspace'),
      name: 'Example Ltd',
      slug: 'example-ltd',
      plan: 'professional',
      createdAt: '2026-11-21T09:30:00.000Z',
      updatedAt: '2026-11-21T09:30:00.000Z',
    },
    success: [200],
    errors: [],
    handle: async ({ caller }) => {
      const workspace = await workspaces.get(caller)
      return ok(presentWorkspace(workspace), etagOf(workspace))
    },
  }),
]
