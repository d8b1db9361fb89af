/** Endpoints for the tools that a connected server names itself. */
import { defineRoute, listed, ok, type Route, standardList } from '../../../http/route.ts'
import { toTimestamp } from '../../../platform/clock.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import {
  ConnectionTool,
  connectionToolExample,
  ToolsChange,
  ToolsRefresh,
  toolsChangeExample,
} from '../records/remote-tools-schemas.ts'
import type { AcceptedTools } from './accepted-tools-service.ts'
import { presentTool } from './present.ts'

export const remoteToolsRoutes = (acceptedTools: AcceptedTools): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/integrations/:id/tools',
    operationId: 'listIntegrationTools',
    summary: "List a connection's tools",
    description:
      'Tools that the connected MCP server offers or has offered, by name, as the server listed them last. Descriptions are the words of the server: read them before you accept them.',
    permission: 'integrations:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(ConnectionTool),
    example: [connectionToolExample],
    handle: async ({ caller, params, page }) =>
      listed(await acceptedTools.list(caller, params.id, page), page, presentTool),
  }),
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/tools/refresh',
    operationId: 'refreshIntegrationTools',
    summary: "Read a connection's tools again",
    description:
      'Asks the MCP server for its tools now. New and changed tools are off until you accept them. In the sandbox no server is called: there are two simulated tools.',
    permission: 'integrations:write',
    audit: 'integration.refresh_tools',
    data: ToolsRefresh,
    example: { added: 1, changed: 0, removed: 0, note: null, listedAt: '2026-11-21T09:30:00.000Z' },
    replyTexts: { 200: 'What is different from the last time.' },
    errors: [
      'connection_not_active',
      'credentials_rejected',
      'integration_unreachable',
      'integration_removed',
    ],
    handle: async ({ caller, params }) => {
      const { row, added, changed, removed } = await acceptedTools.refresh(caller, params.id)
      const listedAt = toTimestamp(row.tools_listed_at ?? row.updated_at)
      return ok({ added, changed, removed, note: row.tools_note, listedAt })
    },
  }),
  defineRoute({
    method: 'POST',
    path: '/integrations/:id/tools',
    operationId: 'updateIntegrationTools',
    summary: "Accept a connection's tools",
    description:
      'Accepts tools exactly as their `hash` names them, turns them off, or decides whether their calls wait for an approval. All changes are made, or none. Agents can use accepted tools only.',
    permission: 'integrations:write',
    audit: 'integration.accept_tools',
    body: ToolsChange,
    bodyExample: toolsChangeExample,
    data: Type.Array(ConnectionTool),
    example: [
      {
        ...connectionToolExample,
        status: 'accepted',
        accepted: connectionToolExample.offered,
        acceptedAt: '2026-11-21T09:30:00.000Z',
      },
    ],
    replyTexts: { 200: 'The tools that were named, as they are now.' },
    handle: async ({ caller, params, body }) =>
      ok((await acceptedTools.change(caller, params.id, body)).map(presentTool)),
  }),
]
