/** The endpoints of models and of the workspace's own providers. */
import {
  createdRecord,
  defineRoute,
  deletedRecord,
  listed,
  ok,
  okRecord,
  type Route,
  standardList,
} from '../../http/route.ts'
import { Type } from '../../platform/json-schema/type.ts'
import { presentModel, type WorkspaceModels } from './models-service.ts'
import {
  Model,
  ModelProvider,
  ModelProviderChange,
  ModelProviderTest,
  ModelProviderTestRequest,
  modelExample,
  modelProviderExample,
  modelProviderTestExample,
  NewModelProvider,
} from './schemas.ts'
import { type ModelProviderService, presentProvider } from './service.ts'

export const modelRoutes = (models: WorkspaceModels, providers: ModelProviderService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/models',
    operationId: 'listModels',
    summary: 'List models',
    description:
      "Models with their purposes, context windows and prices: first the operator's models for agents and for search, then those of the workspace's own providers. Other models of a configured provider work too, but their cost is unknown. Models of an OpenAI-compatible server come from the server's own list.",
    permission: 'agents:read',
    // The list is not a table: it has its own order, and no row after which a page could begin.
    list: { ...standardList, ranked: true },
    data: Type.Array(Model),
    example: [modelExample],
    handle: async ({ caller, page }) => {
      const all = await models.list(caller)
      const items = all.slice((page.page - 1) * page.pageSize, page.page * page.pageSize)
      return listed({ items, total: all.length }, page, presentModel)
    },
  }),
  ...providerReads(providers),
  ...providerChanges(providers),
]

const providerReads = (providers: ModelProviderService): Route[] => [
  defineRoute({
    method: 'GET',
    path: '/model-providers',
    operationId: 'listModelProviders',
    summary: 'List model providers',
    description:
      "The workspace's own model providers, newest first, without the operator's. Keys are never returned. Needs a live key.",
    permission: 'agents:read',
    liveOnly: true,
    list: { ...standardList, dates: ['created', 'updated'] },
    data: Type.Array(ModelProvider),
    example: [modelProviderExample],
    handle: async ({ caller, page }) => listed(await providers.list(caller, page), page, presentProvider),
  }),
  defineRoute({
    method: 'GET',
    path: '/model-providers/:id',
    operationId: 'getModelProvider',
    summary: 'Get a model provider',
    description: 'Returns one provider without its key. Needs a live key.',
    permission: 'agents:read',
    liveOnly: true,
    data: ModelProvider,
    example: modelProviderExample,
    handle: async ({ caller, params }) => okRecord(await providers.get(caller, params.id), presentProvider),
  }),
]

const providerChanges = (providers: ModelProviderService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/model-providers',
    operationId: 'createModelProvider',
    summary: 'Add a model provider',
    description:
      "The provider's models are then named `<name>/<model>` in this workspace. This makes no call to the provider: POST /model-providers/:id/test does. Test keys have no providers, because the sandbox calls no outside service. A workspace can have 20.",
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.create',
    wholeWorkspace: true,
    body: NewModelProvider,
    bodyExample: {
      name: 'acme-gpu',
      kind: 'openai_compatible',
      baseUrl: 'https://models.example.com/v1',
      apiKey: 'sk-of-the-provider-x7Qa',
    },
    data: ModelProvider,
    example: modelProviderExample,
    success: [201],
    errors: ['already_exists', 'limit_reached'],
    handle: async ({ caller, body }) =>
      createdRecord(await providers.create(caller, body), presentProvider, '/model-providers'),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/model-providers/:id',
    operationId: 'updateModelProvider',
    summary: 'Change a model provider',
    description:
      "Changes the fields that you send; `models` replaces the whole list. If you change `baseUrl`, send the key again. Agents refer to models by the provider's name, so after a rename you must update the agents too. Calls in progress continue unchanged. Needs a live key.",
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.update',
    wholeWorkspace: true,
    body: ModelProviderChange,
    bodyExample: { apiKey: 'sk-another-one-of-the-provider-k3Zb' },
    data: ModelProvider,
    example: { ...modelProviderExample, apiKeyEnding: 'k3Zb' },
    errors: ['already_exists', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      okRecord(await providers.update(caller, params.id, body, ifMatch), presentProvider),
  }),
  defineRoute({
    method: 'POST',
    path: '/model-providers/:id/test',
    operationId: 'testModelProvider',
    summary: 'Test a model provider',
    description:
      'Calls one model once with a short prompt, within 30 seconds. Answers 200 whether or not the model answered: see `ok`. `error` has one of the error codes of runs. Needs a live key.',
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.test',
    wholeWorkspace: true,
    body: ModelProviderTestRequest,
    bodyExample: { model: 'llama-4-maverick' },
    data: ModelProviderTest,
    example: modelProviderTestExample,
    replyTexts: { 200: 'Whether the model answered.' },
    handle: async ({ caller, params, body, signal }) =>
      ok(await providers.test(caller, params.id, { ...body, signal: signal() })),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/model-providers/:id',
    operationId: 'deleteModelProvider',
    summary: 'Delete a model provider',
    description:
      'Erases the provider and its key. Agents that use one of its models then fail with `model_not_configured`, or use their fallback. Needs a live key.',
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.delete',
    wholeWorkspace: true,
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      await providers.remove(caller, params.id, { ifMatch, dryRun })
      return deletedRecord(dryRun, 'model_provider', params.id)
    },
  }),
]
