/** The schemas of the agent's fields that its runs use: the same where an agent is made, changed and shown. */
import { type Static, Type } from '../../../platform/json-schema/type.ts'
import { noParameters, reasoningEfforts } from '../../../platform/models/parameters.ts'
import { exampleId, idOf, nullable, stringEnum } from '../../../platform/schemas.ts'
import { AgentFunction, maxFunctions } from './functions.ts'

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
  maxLength: 500,
  description:
    "`default` (the server's default), `extractive`, or a provider's model: `openai/…`, `anthropic/…`, `google/…`, or `<name>/…` for the workspace's own provider. GET /models lists them. Test keys always run `sandbox`.",
  examples: ['default'],
})

const fallbackModel = nullable(Type.String({ minLength: 1, maxLength: 500 }), {
  description:
    'The model to use if `model` is not configured or fails, unless it would surely fail in the same way; null for none.',
  examples: ['extractive'],
})

const instructions = Type.String({
  maxLength: 50_000,
  description: 'System prompt of the model. `{{name}}` is replaced by the variable of that name.',
})

/** The fields that list the ids of what else an agent uses. */
export const idFields = ['collectionIds', 'agentIds', 'connectionIds'] as const
export const maxIds = { collectionIds: 100, agentIds: 20, connectionIds: 10 }

const collectionIds = Type.Array(idOf('collection'), {
  maxItems: maxIds.collectionIds,
  uniqueItems: true,
  description:
    'Collections that the agent searches; empty for all collections that the key running it can access.',
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
  description: 'Tools in `tools` whose calls wait for an approval.',
  examples: [[]],
})

const functions = Type.Array(AgentFunction, {
  maxItems: maxFunctions,
  description:
    'Functions of your own program that the model may call. A run that waits for their results shows the calls in `pendingToolCalls`.',
  examples: [[]],
})

const httpHosts = Type.Array(Type.String({ minLength: 1, maxLength: 260 }), {
  maxItems: 50,
  uniqueItems: true,
  description:
    'Hosts that the tool `http_request` may call: a name (`api.example.com`), with a port (`api.example.com:8443`), or all subdomains (`*.example.com`). IP addresses are refused.',
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
    'Connections for the tools of integrations. A connection is not used for a key or member without access to the collection that holds its documents.',
  examples: [[]],
})

const variables = Type.Unsafe<Record<string, string | null>>({
  type: 'object',
  maxProperties: 50,
  propertyNames: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]{0,63}$', examples: ['customer_name'] },
  additionalProperties: { type: ['string', 'null'], maxLength: 10_000 },
  description:
    'Variables of the instructions by name, with their default values; null if every run must give a value.',
  examples: [{ language: 'English', customer_name: null }],
})

/** No cost is so small. Some generators cannot read a number that must only be more than 0. */
export const leastUsd = 0.000001

export const AgentLimits = Type.Closed(
  {
    maxSteps: nullable(Type.Integer({ minimum: 1, maximum: 50 }), {
      description: 'Maximum number of model calls in a run.',
    }),
    maxCostUsd: nullable(Type.Number({ minimum: leastUsd, maximum: 1_000 }), {
      description: 'Cost in US dollars after which a run makes no more model calls.',
    }),
    timeoutSeconds: nullable(Type.Integer({ minimum: 1, maximum: 600 }), {
      description: 'Maximum duration of a run, in seconds.',
    }),
    maxOutputTokens: nullable(Type.Integer({ minimum: 1, maximum: 1_000_000 }), {
      description: 'Maximum number of tokens that the model writes in one call.',
    }),
    maxCostUsdPerMonth: nullable(Type.Number({ minimum: leastUsd, maximum: 1_000_000 }), {
      description: "Budget for the agent's runs in a calendar month (UTC), in US dollars.",
    }),
  },
  { description: 'Limits of its runs; null for no limit by the agent.' },
)
export type AgentLimits = Static<typeof AgentLimits>

const limits = Type.Partial(AgentLimits, {
  description: 'Limits of its runs. Replaces all five: a limit that is null or left out is removed.',
})

/** How the model writes, for an agent and for a single run. */
export const parameterFields = {
  temperature: nullable(Type.Number({ minimum: 0, maximum: 2 }), {
    description:
      'Sampling temperature: low values give similar answers each time. Some providers take at most 1.',
  }),
  topP: nullable(Type.Number({ minimum: 0.000001, maximum: 1 }), {
    description: 'Share of the most probable tokens from which the model picks. Set this or `temperature`.',
  }),
  reasoningEffort: nullable(stringEnum(reasoningEfforts), {
    description: 'How much the model thinks before it answers. Models differ in the levels that they have.',
  }),
  stop: Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
    maxItems: 4,
    uniqueItems: true,
    description: 'Texts at which the model stops writing; they are not part of the answer.',
    examples: [[]],
  }),
  seed: nullable(Type.Integer({ minimum: 0, maximum: 2_147_483_647 }), {
    description: 'Number with which a provider tries to give the same answer to the same prompt.',
  }),
}

export const AgentParameters = Type.Closed(
  {
    ...parameterFields,
    lenient: Type.Boolean({
      description:
        'Whether a parameter that the model does not take is left out. Otherwise it is an error of the request.',
    }),
  },
  {
    description:
      "How the model writes; null for the provider's default. `limits.maxOutputTokens` limits its length.",
  },
)
export type AgentParameters = Static<typeof AgentParameters>

const modelParameters = Type.Partial(AgentParameters, {
  description:
    "How the model writes. Replaces all six: one that is null or left out is the provider's default. One that the model does not take is an error, unless `lenient` is true.",
})

/** The fields as an agent shows them: always all of them. */
export const contentFields = {
  name,
  description,
  model,
  fallbackModel,
  instructions,
  collectionIds,
  tools,
  approvalTools,
  functions,
  httpHosts,
  agentIds,
  connectionIds,
  variables,
  limits: AgentLimits,
  modelParameters: AgentParameters,
}

/** The fields as a request gives them: each may be left out. */
export const changeableFields = {
  description: Type.Optional(description),
  model: Type.Optional(model),
  fallbackModel: Type.Optional(fallbackModel),
  instructions: Type.Optional(instructions),
  collectionIds: Type.Optional(collectionIds),
  tools: Type.Optional(tools),
  approvalTools: Type.Optional(approvalTools),
  functions: Type.Optional(functions),
  httpHosts: Type.Optional(httpHosts),
  agentIds: Type.Optional(agentIds),
  connectionIds: Type.Optional(connectionIds),
  variables: Type.Optional(variables),
  limits: Type.Optional(limits),
  modelParameters: Type.Optional(modelParameters),
}

export const AgentContent = Type.Closed('AgentContent', contentFields, {
  description: 'Content of the agent in this revision.',
})
export type AgentContent = Static<typeof AgentContent>

export const noLimits: AgentLimits = {
  maxSteps: null,
  maxCostUsd: null,
  timeoutSeconds: null,
  maxOutputTokens: null,
  maxCostUsdPerMonth: null,
}

export const usualParameters: AgentParameters = { ...noParameters, lenient: false }

export const contentExample: AgentContent = {
  name: 'Knowledge assistant',
  description: 'Answers questions from your documents and shows where each answer stands.',
  model: 'default',
  fallbackModel: null,
  instructions: 'Answer from the documents, briefly, and say so when they do not answer.',
  collectionIds: [exampleId('collection')],
  tools: ['search_knowledge'],
  approvalTools: [],
  functions: [],
  httpHosts: [],
  agentIds: [],
  connectionIds: [],
  variables: {},
  limits: noLimits,
  modelParameters: usualParameters,
}
