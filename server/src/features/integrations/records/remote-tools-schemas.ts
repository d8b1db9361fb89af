/** The wire format of tools of connected servers. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const connectionToolStatuses = ['new', 'accepted', 'changed', 'missing', 'unusable'] as const

const hash = { minLength: 64, maxLength: 64, pattern: '^[0-9a-f]{64}$' }
const maxAtOnce = 200

const definition = (description: string) =>
  nullable(
    Type.Closed({
      name: Type.String({ description: 'What the server calls it.' }),
      description: Type.String({ description: 'Description for the model, in the words of the server.' }),
      inputSchema: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'JSON Schema of its arguments.',
      }),
      annotations: Type.Unsafe<Record<string, unknown>>({
        type: 'object',
        additionalProperties: true,
        description: 'What the server claims of it, such as `readOnlyHint`.',
      }),
    }),
    { description },
  )

export const ConnectionTool = Type.Closed('ConnectionTool', {
  name: Type.String({ description: "Name to use in an agent's `tools`." }),
  remoteName: Type.String({ description: 'What the server calls it.' }),
  status: stringEnum(connectionToolStatuses, {
    description:
      '`new`: never accepted. `accepted`: agents can use it. `changed`: the server offers something else than was accepted. `missing`: the server does not list it any more. `unusable`: see `fault`. Only accepted tools are used.',
  }),
  needsApproval: Type.Boolean({
    description:
      'True if every call waits for an approval. By default false only for tools with `readOnlyHint`.',
  }),
  hash: nullable(Type.String(), {
    description: 'SHA-256 of what the server offers now; send it as `accept`. Null if it is missing.',
  }),
  fault: nullable(Type.String(), { description: 'Why the tool cannot be used; null if it can.' }),
  offered: definition('What the server offers now; null if it is missing.'),
  accepted: definition('What a person has accepted; null if nothing.'),
  changedFields: Type.Array(Type.String(), {
    description: 'Fields in which `offered` and `accepted` differ.',
  }),
  acceptedAt: nullable(timestamp(), { description: 'When it was accepted.' }),
  acceptedBy: nullable(idOf('user'), { description: 'Who accepted it.' }),
})
export type ConnectionTool = Static<typeof ConnectionTool>

export const ToolsChange = Type.Closed('ConnectionToolsChange', {
  tools: Type.Array(
    Type.Closed({
      name: Type.String({
        minLength: 1,
        maxLength: 100,
        description: 'The `name` of a tool of the connection.',
      }),
      accept: Type.Optional(
        nullable(Type.String(hash), {
          description: 'The `hash` of the tool as you have seen it; null turns the tool off.',
        }),
      ),
      needsApproval: Type.Optional(
        Type.Boolean({ description: 'Whether every call waits for an approval.' }),
      ),
    }),
    { minItems: 1, maxItems: maxAtOnce, description: 'The tools to change; all or none of them are.' },
  ),
})
export type ToolsChange = Static<typeof ToolsChange>

export const ToolsRefresh = Type.Closed('ConnectionToolsRefresh', {
  added: Type.Integer({ description: 'Tools that are new.' }),
  changed: Type.Integer({ description: 'Tools that the server offers otherwise than before.' }),
  removed: Type.Integer({ description: 'Tools that the server does not list any more.' }),
  note: nullable(Type.String(), { description: 'What of the list was left out; null if nothing was.' }),
  listedAt: timestamp({ description: 'When the server listed them.' }),
})
export type ToolsRefresh = Static<typeof ToolsRefresh>

const exampleDefinition = {
  name: 'search_issues',
  description: 'Searches the issues of the project.',
  inputSchema: { type: 'object', properties: { query: { type: 'string' } }, required: ['query'] },
  annotations: { readOnlyHint: true },
}

const exampleHash = '6f1d0c2b8a9e4f7c3d5b1a0e2c4f6a8b9d7e5c3b1a0f2e4d6c8b0a9f7e5d3c1b'

export const connectionToolExample: ConnectionTool = {
  name: 'mcp_search_issues_3fa9c1d27b40',
  remoteName: 'search_issues',
  status: 'new',
  needsApproval: false,
  hash: exampleHash,
  fault: null,
  offered: exampleDefinition,
  accepted: null,
  changedFields: [],
  acceptedAt: null,
  acceptedBy: null,
}

export const toolsChangeExample: ToolsChange = {
  tools: [{ name: 'mcp_search_issues_3fa9c1d27b40', accept: exampleHash }],
}
