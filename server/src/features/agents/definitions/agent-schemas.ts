/** What goes over the wire about agents, their templates and the models that they run on. */
import Type, { type Static } from 'typebox'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../../platform/schemas.ts'

export const agentStatuses = ['active', 'paused'] as const

const nameField = Type.String({
  minLength: 1,
  maxLength: 100,
  pattern: '\\S',
  description: 'Name of the agent.',
})
const descriptionField = nullable(Type.String({ maxLength: 1_000 }), {
  description: 'What the agent is for.',
})
const modelField = Type.String({
  minLength: 1,
  maxLength: 200,
  description:
    "`default` (the server's default), `extractive`, or a provider's model such as `openai/…`, `anthropic/…` or `google/…`; GET /models lists them. Test keys always run `sandbox`.",
  examples: ['default'],
})
const instructionsField = Type.String({
  maxLength: 50_000,
  description: 'What the model is told to be and to do.',
})
const collectionIdsField = Type.Array(idOf('collection'), {
  maxItems: 100,
  uniqueItems: true,
  description: 'Collections that the agent searches; empty for all that the key which runs it can reach.',
})
const toolsField = Type.Array(Type.String({ minLength: 1, maxLength: 100 }), {
  maxItems: 20,
  uniqueItems: true,
  description: 'Tools that the model may call: `search_knowledge`.',
  examples: [['search_knowledge']],
})
const statusField = stringEnum(agentStatuses, {
  description: 'A `paused` agent refuses new runs with 409.',
})

export const Agent = Type.Object(
  {
    id: idOf('agent', { description: 'Id of the agent.' }),
    name: Type.String({ description: 'Name of the agent.' }),
    description: nullable(Type.String(), { description: 'What the agent is for.' }),
    model: Type.String({ description: 'The model that it runs on; `default` follows the server.' }),
    instructions: Type.String({ description: 'What the model is told to be and to do.' }),
    collectionIds: Type.Array(Type.String(), { description: 'Collections that it searches; empty for all.' }),
    tools: Type.Array(Type.String(), { description: 'Tools that the model may call.' }),
    status: statusField,
    revision: Type.Integer({
      minimum: 1,
      description: 'Grows by one with every change; a run names the one it used.',
    }),
    createdAt: timestamp({ description: 'When the agent was made.' }),
    updatedAt: timestamp({ description: 'When it last changed.' }),
  },
  { title: 'Agent', additionalProperties: false },
)
export type Agent = Static<typeof Agent>

const changeable = {
  description: Type.Optional(descriptionField),
  model: Type.Optional(modelField),
  instructions: Type.Optional(instructionsField),
  collectionIds: Type.Optional(collectionIdsField),
  tools: Type.Optional(toolsField),
  status: Type.Optional(statusField),
}

export const NewAgent = Type.Object(
  { name: nameField, ...changeable },
  { title: 'NewAgent', additionalProperties: false },
)
export type NewAgent = Static<typeof NewAgent>

export const AgentChange = Type.Object(
  { name: Type.Optional(nameField), ...changeable },
  { title: 'AgentChange', additionalProperties: false, minProperties: 1 },
)
export type AgentChange = Static<typeof AgentChange>

export const AgentTemplate = Type.Object(
  {
    id: Type.String({ description: 'Id of the template.', examples: ['knowledge-assistant'] }),
    name: Type.String({ description: 'Name that an installed agent gets.' }),
    description: Type.String({ description: 'What the agent is for.' }),
    category: stringEnum(['knowledge', 'support', 'writing', 'research'], { description: 'Kind of work.' }),
    instructions: Type.String({ description: 'Instructions that an installed agent gets.' }),
    tools: Type.Array(Type.String(), { description: 'Tools that an installed agent gets.' }),
  },
  { title: 'AgentTemplate', additionalProperties: false },
)
export type AgentTemplate = Static<typeof AgentTemplate>

export const AgentInstallation = Type.Object(
  {
    name: Type.Optional(nameField),
    model: Type.Optional(modelField),
    collectionIds: Type.Optional(collectionIdsField),
  },
  { title: 'AgentInstallation', additionalProperties: false },
)
export type AgentInstallation = Static<typeof AgentInstallation>

export const Model = Type.Object(
  {
    id: Type.String({ description: "Name to give as an agent's `model`." }),
    provider: Type.String({ description: 'Who serves it; `atrium` for the built-in ones.' }),
    description: Type.String({ description: 'What is special about it; often empty.' }),
    contextTokens: nullable(Type.Integer(), { description: 'Tokens that it can read at once, where known.' }),
    price: nullable(
      Type.Object({
        inputUsdPerMillionTokens: Type.Number(),
        cachedInputUsdPerMillionTokens: Type.Number(),
        outputUsdPerMillionTokens: Type.Number(),
      }),
      { description: 'List price; null where it is not known, and then the cost of its runs is null too.' },
    ),
    isDefault: Type.Boolean({ description: 'Whether `default` stands for it.' }),
  },
  { title: 'Model', additionalProperties: false },
)
export type Model = Static<typeof Model>

export const agentExample: Agent = {
  id: exampleId('agent'),
  name: 'Knowledge assistant',
  description: 'Answers questions from your documents and shows where each answer stands.',
  model: 'default',
  instructions: 'Answer from the documents, briefly, and say so when they do not answer.',
  collectionIds: [exampleId('collection')],
  tools: ['search_knowledge'],
  status: 'active',
  revision: 1,
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const templateExample: AgentTemplate = {
  id: 'knowledge-assistant',
  name: 'Knowledge assistant',
  description: 'Answers questions from your documents and shows where each answer stands.',
  category: 'knowledge',
  instructions: 'Answer from the documents, briefly, and say so when they do not answer.',
  tools: ['search_knowledge'],
}

export const modelExample: Model = {
  id: 'extractive',
  provider: 'atrium',
  description: 'Finds and quotes the sentences that answer best; no network, no cost.',
  contextTokens: null,
  price: { inputUsdPerMillionTokens: 0, cachedInputUsdPerMillionTokens: 0, outputUsdPerMillionTokens: 0 },
  isDefault: true,
}
