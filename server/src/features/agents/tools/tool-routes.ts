/** The endpoint that lists the tools. */
import { defineRoute, listed, type Route, standardList } from '../../../http/route.ts'
import { permissions } from '../../../platform/caller.ts'
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { nullable, stringEnum } from '../../../platform/schemas.ts'
import type { Tool } from '../../../platform/tool.ts'
import type { RemoteTools } from '../../integrations/connections/remote-tools-service.ts'

export const toolRoutes = (tools: readonly Tool[], remoteTools: RemoteTools): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/agents/tools',
    operationId: 'listAgentTools',
    summary: 'List tools',
    description:
      "Tools that you can name in an agent's `tools`, with the schemas of their input and output: the server's own tools first, then those of the integrations that can be connected, then those of connected MCP servers that were accepted.",
    permission: 'agents:read',
    list: { ...standardList, ranked: true },
    data: Type.Array(AgentTool),
    example: [agentToolExample],
    handle: async ({ caller: { scope }, page }) => {
      const first = (page.page - 1) * page.pageSize
      const own = tools.slice(first, first + page.pageSize)
      const limit = page.pageSize - own.length
      const offset = Math.max(0, first - tools.length)
      const remote = limit === 0 ? [] : await remoteTools.list(scope, { offset, limit })
      const total = tools.length + (await remoteTools.count(scope))
      return listed({ items: [...own, ...remote].map(present), total }, page)
    },
  }),
]

const present = ({
  name,
  description,
  integrationId,
  connectionId,
  permission,
  safeToRepeat,
  needsApproval,
  input,
  output,
}: Tool): AgentTool => ({
  name,
  description,
  integrationId: integrationId ?? null,
  connectionId: connectionId ?? null,
  permission,
  safeToRepeat,
  needsApproval,
  inputSchema: schemaOf(input),
  outputSchema: schemaOf(output),
})

/** A TypeBox schema is a JSON Schema with additional marks that JSON leaves out. */
const schemaOf = (schema: object): Record<string, unknown> => JSON.parse(JSON.stringify(schema))

const jsonSchema = (description: string) =>
  Type.Unsafe<Record<string, unknown>>({ type: 'object', additionalProperties: true, description })

export const AgentTool = Type.Closed('AgentTool', {
  name: Type.String({ description: "Name to use in an agent's `tools`.", examples: ['calculator'] }),
  description: Type.String({ description: 'Description of the tool for the model.' }),
  integrationId: nullable(Type.String(), {
    description:
      'The integration that it uses: the agent needs one of its connections in `connectionIds`. Null if it needs none.',
  }),
  connectionId: nullable(Type.String(), {
    description:
      'The connection whose MCP server offers it: the agent needs it in `connectionIds`. Null for other tools.',
  }),
  permission: stringEnum(permissions, {
    description: 'Permission that the key running the agent needs, because tools act for that key.',
  }),
  safeToRepeat: Type.Boolean({
    description:
      'False if a second call could do something twice: a run that resumes after a crash does not repeat such a call. For `http_request`, GET and HEAD are safe.',
  }),
  needsApproval: Type.Boolean({
    description:
      'True if every call waits for an approval; an agent’s `approvalTools` adds more tools. For `http_request`, all methods except GET and HEAD wait.',
  }),
  inputSchema: jsonSchema('JSON Schema of its arguments.'),
  outputSchema: jsonSchema('JSON Schema of the result that the model reads and the step stores.'),
})
export type AgentTool = Static<typeof AgentTool>

export const agentToolExample: AgentTool = {
  name: 'current_time',
  description: 'Tells the date, the time and the day of the week now, in any time zone.',
  integrationId: null,
  connectionId: null,
  permission: 'agents:run',
  safeToRepeat: true,
  needsApproval: false,
  inputSchema: {
    type: 'object',
    properties: { timeZone: { type: 'string', minLength: 1, maxLength: 100 } },
    additionalProperties: false,
  },
  outputSchema: {
    type: 'object',
    required: ['utc', 'timeZone', 'local', 'weekday'],
    properties: {
      utc: { type: 'string' },
      timeZone: { type: 'string' },
      local: { type: 'string' },
      weekday: { type: 'string' },
    },
    additionalProperties: false,
  },
}
