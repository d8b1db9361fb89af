/** The endpoint that lists the tools. */

import { defineRoute, listed, type Route, standardList } from '../../../http/route.ts'
import { Type } from '../../../platform/json-schema/type.ts'
import type { Tool } from '../../../platform/tool.ts'
import { AgentTool, agentToolExample } from './tool-schemas.ts'

export const toolRoutes = (tools: readonly Tool[]): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/tools',
    operationId: 'listAgentTools',
    tag: 'agents',
    summary: 'List tools',
    description:
      'The tools that an agent can be given by their names, with the schemas of what goes in and out: the server’s own, then those of the integrations that can be connected.',
    permission: 'agents:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(AgentTool),
    example: [agentToolExample],
    success: [200],
    errors: [],
    handle: async ({ page }) => {
      const first = (page.page - 1) * page.pageSize
      const items = tools.slice(first, first + page.pageSize).map(present)
      return listed({ items, total: tools.length }, page)
    },
  }),
]

const present = ({
  name,
  description,
  integrationId,
  permission,
  safeToRepeat,
  needsApproval,
  input,
  output,
}: Tool): AgentTool => ({
  name,
  description,
  integrationId: integrationId ?? null,
  permission,
  safeToRepeat,
  needsApproval,
  inputSchema: schemaOf(input),
  outputSchema: schemaOf(output),
})

/** A TypeBox schema is a JSON Schema, with marks of its own that JSON leaves out. */
const schemaOf = (schema: object): Record<string, unknown> => JSON.parse(JSON.stringify(schema))
