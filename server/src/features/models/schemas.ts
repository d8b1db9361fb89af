/** The wire format of models and of the workspace's own providers. */
import { type Static, Type } from '../../platform/json-schema/type.ts'
import { modelPurposes } from '../../platform/models/models.ts'
import { providerKinds } from '../../platform/models/providers.ts'
import { exampleId, idOf, nullable, stringEnum, timestamp } from '../../platform/schemas.ts'

const usd = (description: string) =>
  Type.Number({ minimum: 0, maximum: 1_000_000, description: `${description}, in US dollars per million.` })

export const Model = Type.Closed('Model', {
  id: Type.String({ description: "Name of the model. An agent's `model` is one for `chat`." }),
  provider: Type.String({ description: 'Who serves it; `atrium` for the built-in ones.' }),
  description: Type.String({ description: 'Notes about the model; often empty.' }),
  purposes: Type.Array(stringEnum(modelPurposes), {
    description:
      'What it is for: `chat` for agents, `embedding` for the vectors of search, `rerank` for the order of what search finds. Empty if unknown.',
  }),
  contextTokens: nullable(Type.Integer(), {
    description: 'Size of its context window, in tokens; null if unknown or unlimited.',
  }),
  seesImages: nullable(Type.Boolean(), {
    description: 'Whether a prompt may contain images; null if unknown.',
  }),
  price: nullable(
    Type.Object({
      inputUsdPerMillionTokens: Type.Number({ description: 'Price of a million tokens that it reads.' }),
      cachedInputUsdPerMillionTokens: Type.Number({
        description: 'Price of a million tokens that it reads from a cache.',
      }),
      outputUsdPerMillionTokens: Type.Number({ description: 'Price of a million tokens that it writes.' }),
    }),
    { description: 'List price; null if unknown, and then the cost of its runs is null too.' },
  ),
  isDefault: Type.Boolean({ description: 'Whether `default` means this model.' }),
})
export type Model = Static<typeof Model>

const ProviderModel = Type.Closed('ProviderModel', {
  id: Type.String({
    minLength: 1,
    maxLength: 500,
    pattern: '^[^\\s\\x00-\\x1f\\x7f]([^\\x00-\\x1f\\x7f]*[^\\s\\x00-\\x1f\\x7f])?$',
    examples: ['llama-4-maverick'],
    description: "The model's name at the provider.",
  }),
  contextTokens: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100_000_000,
      description: 'Size of its context window, in tokens.',
    }),
  ),
  seesImages: Type.Optional(Type.Boolean({ description: 'Whether a prompt may contain images.' })),
  price: Type.Optional(
    Type.Closed(
      {
        inputUsdPerMillionTokens: usd('Tokens of the prompt'),
        cachedInputUsdPerMillionTokens: Type.Optional(
          usd("Tokens that come from the provider's cache; as others unless given"),
        ),
        outputUsdPerMillionTokens: usd('Tokens of the answer'),
      },
      { description: 'Price; without it the cost of its runs is null.' },
    ),
  ),
})

const nameField = Type.String({
  minLength: 2,
  maxLength: 40,
  pattern: '^[a-z][a-z0-9-]*[a-z0-9]$',
  examples: ['acme-gpu'],
  description:
    'Unique in the workspace: its models are named `<name>/<model>`. `openai`, `anthropic` and `google` are the operator’s.',
})
const kindField = stringEnum(providerKinds, {
  description:
    'Protocol: `openai` (responses), `anthropic` (messages), `google` (Gemini), or `openai_compatible` (chat completions, as in Ollama, vLLM, Mistral, OpenRouter and most others).',
})
const baseUrlField = nullable(Type.String({ minLength: 1, maxLength: 500 }), {
  examples: ['https://models.example.com/v1'],
  description:
    'Base URL of the API, usually with a version. Required for `openai_compatible`, optional for `anthropic`, refused for the others. Private addresses are refused unless the operator allows them.',
})
const apiKeyField = nullable(Type.String({ minLength: 1, maxLength: 4_096, pattern: '^[!-~]+$' }), {
  description:
    'API key: printable ASCII characters without spaces. Stored encrypted and never returned. Only your own server may have none.',
})
const modelsField = Type.Array(ProviderModel, {
  maxItems: 200,
  description:
    'Models to list in GET /models, with their properties. Agents can use other models of the provider too. If empty, the models of an `openai_compatible` server come from the server.',
})

const LearnedField = Type.Closed('LearnedField', {
  model: Type.String({ description: "The model's name at the provider." }),
  field: Type.String({
    description: 'What its server refuses, such as `stream_options`; `contextTokens` is its window.',
  }),
  instead: Type.String({ description: 'What is sent in its place; `none` leaves it out.' }),
  because: Type.String({ description: "The server's words." }),
  learnedAt: timestamp({ description: 'When it was learned. It is tried again 14 days later.' }),
})

export const ModelProvider = Type.Closed('ModelProvider', {
  id: idOf('modelProvider'),
  name: nameField,
  kind: kindField,
  baseUrl: nullable(Type.String(), {
    description: "Base URL of the API; null for the provider's standard address.",
  }),
  apiKeyEnding: nullable(Type.String(), {
    description:
      'Last four characters of the key; empty if the key is too short to show any; null if there is no key.',
  }),
  models: modelsField,
  learned: Type.Array(LearnedField, {
    description:
      'Fields that its models have refused, the latest first, and the windows that they have told.',
  }),
  createdAt: timestamp({ description: 'When it was created.' }),
  updatedAt: timestamp({ description: 'When it last changed.' }),
})
export type ModelProvider = Static<typeof ModelProvider>

export const NewModelProvider = Type.Closed('ModelProviderInput', {
  name: nameField,
  kind: kindField,
  baseUrl: Type.Optional(baseUrlField),
  apiKey: Type.Optional(apiKeyField),
  models: Type.Optional(modelsField),
})
export type NewModelProvider = Static<typeof NewModelProvider>

export const ModelProviderChange = Type.Closed(
  'ModelProviderChange',
  {
    name: Type.Optional(nameField),
    baseUrl: Type.Optional(baseUrlField),
    apiKey: Type.Optional(apiKeyField),
    models: Type.Optional(modelsField),
    learned: Type.Optional(
      Type.Array(LearnedField, { maxItems: 0, description: 'An empty list forgets what was learned.' }),
    ),
  },
  { minProperties: 1 },
)
export type ModelProviderChange = Static<typeof ModelProviderChange>

export const ModelProviderTestRequest = Type.Closed('ModelProviderTestRequest', {
  model: Type.Optional(
    Type.String({
      minLength: 1,
      maxLength: 500,
      examples: ['llama-4-maverick'],
      description:
        "Name of the model at the provider. By default the first of the provider's `models`, or else one that the server or the catalog lists.",
    }),
  ),
})
export type ModelProviderTestRequest = Static<typeof ModelProviderTestRequest>

export const ModelProviderTest = Type.Closed('ModelProviderTest', {
  ok: Type.Boolean({ description: 'Whether the model answered.' }),
  model: Type.String({ description: "The model that was called, named as in an agent's `model`." }),
  error: nullable(
    Type.Closed({
      code: Type.String({ description: 'Error code for programs.' }),
      message: Type.String({ description: 'What went wrong, for people.' }),
      retryable: Type.Boolean({ description: 'Whether another test may succeed.' }),
    }),
    { description: 'The error, with the codes of runs; null if there is none.' },
  ),
  durationMs: Type.Integer({ description: 'How long the call took.' }),
  checkedAt: timestamp({ description: 'When it was tested.' }),
})
export type ModelProviderTest = Static<typeof ModelProviderTest>

export const modelExample: Model = {
  id: 'extractive',
  provider: 'atrium',
  description: 'Finds and quotes the sentences that answer best; no network, no cost.',
  purposes: ['chat'],
  contextTokens: null,
  seesImages: false,
  price: { inputUsdPerMillionTokens: 0, cachedInputUsdPerMillionTokens: 0, outputUsdPerMillionTokens: 0 },
  isDefault: true,
}

export const modelProviderExample: ModelProvider = {
  id: exampleId('modelProvider'),
  name: 'acme-gpu',
  kind: 'openai_compatible',
  baseUrl: 'https://models.example.com/v1',
  apiKeyEnding: 'x7Qa',
  models: [
    {
      id: 'llama-4-maverick',
      contextTokens: 128_000,
      price: { inputUsdPerMillionTokens: 0.2, outputUsdPerMillionTokens: 0.6 },
    },
  ],
  learned: [
    {
      model: 'llama-4-maverick',
      field: 'response_format',
      instead: 'json_object',
      because: 'This response_format type is not available',
      learnedAt: '2026-11-21T09:30:00.000Z',
    },
  ],
  createdAt: '2026-11-21T09:30:00.000Z',
  updatedAt: '2026-11-21T09:30:00.000Z',
}

export const modelProviderTestExample: ModelProviderTest = {
  ok: true,
  model: 'acme-gpu/llama-4-maverick',
  error: null,
  durationMs: 412,
  checkedAt: '2026-11-21T09:30:00.000Z',
}
