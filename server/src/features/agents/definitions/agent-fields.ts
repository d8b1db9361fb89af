/** The fields of an agent that its runs work with, as schemas: the same where an agent is made, changed and shown. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { exampleId, idOf, nullable } from '../../../platform/schemas.ts'

const name = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name of the agent.',
})

const description = nullable(Type.String({ maxLength: 1_000 }), {
  description: 'What the agent is for.',
})

const model = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "`default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` of a provider of the workspace's own; GET /models lists them. Test keys always run `sandbox`.",
  examples: ['default'],
})

const fallbackModel = nullable(Type.String({ minLength: 1, maxLength: 200 }), {
  description:
    'The model that the run goes on with where `model` is not configured or has failed, other than by `model_request_rejected`; null for none.',
  examples: ['extractive'],
})

const instructions = Type.String({
  maxLength: 50_000,
  description: 'What the model is told to be and to do. `{{name}}` stands for the variable of that name.',
})

/** The lists of what else an agent names. */
export const idFields = ['collectionIds', 'agentIds', 'connectionIds'] as const
export const maxIds = { collectionIds: 100, agentIds: 20, connectionIds: 10 }

const collectionIds = Type.Array(idOf('collection'), {
  maxItems: maxIds.collectionIds,
  uniqueItems: true,
  description: 'Collections that the agent searches; empty for all that the key which runs it can reach.',
})

const toolName = Type.String({ minLength: 1, maxLength: 100 })

const tools = Type.Array(toolName, {
  maxItems: 20,
  uniqueItems: true,
  description:
    'Tools that the model may call, by name; GET /agents/tools lists them: `search_knowledge`, `read_passages`, `calculator`, `current_time`, `http_request` (with `httpHosts`), `call_agent` (with `agentIds`), and those of integrations, such as `github_search_issues` (with `connectionIds`).',
  examples: [['search_knowledge']],
})

const approvalTools = Type.Array(toolName, {
  maxItems: 20,
  uniqueItems: true,
  description: 'Those of `tools` whose calls wait for an approval.',
  examples: [[]],
})

const httpHosts = Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Hosts that the tool `http_request` may reach: a name (`api.example.com`), with a port (`api.example.com:8443`), or all names below one (`*.example.com`). Addresses are not taken.',
  examples: [['api.example.com']],
})

const agentIds = Type.Array(idOf('agent'), {
  maxItems: maxIds.agentIds,
  uniqueItems: true,
  description: 'Agents that the tool `call_agent` may call.',
  examples: [[]],
})

const connectionIds = Type.Array(idOf('connection'), {
  maxItems: maxIds.connectionIds,
  uniqueItems: true,
  description:
    'Connections that the tools of integrations use. A connection whose documents lie in a collection that a key, or a member, does not reach is not used for them.',
  examples: [[]],
})

const variables = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  maxProperties: 50,
  propertyNames: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$', examples: ['customer_name'] },
  additionalProperties: { type: ['string', 'null'], maxLength: 10_000 },
  description:
    'Variables of the instructions by name, each with the value that it has where a run gives none; null where a run must give one.',
  examples: [{ language: 'English', customer_name: null }],
})

export const AgentLimits = Type.Object(
  {
    maxSteps: nullable(Type.Integer({ minimum: 1, maximum: 50 }), {
      description: 'Most calls of the model in a run.',
    }),
    maxCostUsd: nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000 }), {
      description: 'No further call of the model once a run has cost this much, in US dollars.',
    }),
    timeoutSeconds: nullable(Type.Integer({ minimum: 1, maximum: 600 }), {
      description: 'When a run ends at the latest.',
    }),
    maxOutputTokens: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description: 'Most tokens that the model writes in one call.',
    }),
    maxCostUsdPerMonth: nullable(Type.Number({ exclusiveMinimum: 0, maximum: 1_000_000 }), {
      description: "What the agent's runs may cost in a calendar month (UTC), in US dollars.",
    }),
  },
  { additionalProperties: false, description: 'What its runs may use; null where the agent sets no limit.' },
)
export type AgentLimits = Static<typeof AgentLimits>

const limits = Type.Partial(AgentLimits, {
  additionalProperties: false,
  description: 'What its runs may use; a limit that is null or left out is not set. Replaces all five.',
})

/** As they are shown: all of them, always. */
export const contentFields = {
  name,
  description,
  model,
  fallbackModel,
  instructions,
  collectionIds,
  tools,
  approvalTools,
  httpHosts,
  agentIds,
  connectionIds,
  variables,
  limits: AgentLimits,
}

/** As they are given: whichever are meant. */
export const changeableFields = {
  description: Type.Optional(description),
  model: Type.Optional(model),
  fallbackModel: Type.Optional(fallbackModel),
  instructions: Type.Optional(instructions),
  collectionIds: Type.Optional(collectionIds),
  tools: Type.Optional(tools),
  approvalTools: Type.Optional(approvalTools),
  httpHosts: Type.Optional(httpHosts),
  agentIds: Type.Optional(agentIds),
  connectionIds: Type.Optional(connectionIds),
  variables: Type.Optional(variables),
  limits: Type.Optional(limits),
}

export const AgentContent = Type.Object(contentFields, {
  title: 'AgentContent',
  additionalProperties: false,
  description: 'What runs of this revision work with.',
})
export type AgentContent = Static<typeof AgentContent>

export const noLimits: AgentLimits = {
  maxSteps: null,
  maxCostUsd: null,
  timeoutSeconds: null,
  maxOutputTokens: null,
  maxCostUsdPerMonth: null,
}

export const contentExample: AgentContent = {
  name: 'Knowledge assistant',
  description: 'Answers questions from your documents and shows where each answer stands.',
  model: 'default',
  fallbackModel: null,
  instructions: 'Answer from the documents, briefly, and say so when they do not answer.',
  collectionIds: [exampleId('collection')],
  tools: ['search_knowledge'],
  approvalTools: [],
  httpHosts: [],
  agentIds: [],
  connectionIds: [],
  variables: {},
  limits: noLimits,
}
