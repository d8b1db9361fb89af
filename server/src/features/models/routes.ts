/** The endpoints of models and of the workspace's own providers. */
import {
  createdRecord,
  defineRoute,
  listed,
  noContent,
  ok,
  okRecord,
  preview,
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
    tag: 'models',
    summary: 'List models',
    description:
      "The models that agents can run on here, with windows and prices: the operator's, then those of the workspace's own providers. Other models of a configured provider work too; their cost is then unknown. An OpenAI-compatible server is asked for its own list.",
    permission: 'agents:read',
    // A list that is no table has an order of its own, and no row to go on after.
    list: { ...standardList, ranked: true },
    data: Type.Array(Model),
    example: [modelExample],
    success: [200],
    errors: [],
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
    tag: 'models',
    summary: 'List model providers',
    description:
      "The workspace's own providers of models, newest first; those that the operator configured are not among them. Keys are never shown. Needs a live key.",
    permission: 'agents:read',
    liveOnly: true,
    list: standardList,
    data: Type.Array(ModelProvider),
    example: [modelProviderExample],
    success: [200],
    errors: [],
    handle: async ({ caller, page }) => listed(await providers.list(caller, page), page, presentProvider),
  }),
  defineRoute({
    method: 'GET',
    path: '/model-providers/:id',
    operationId: 'getModelProvider',
    tag: 'models',
    summary: 'Get a model provider',
    description: 'One provider as it is now, without its key. Needs a live key.',
    permission: 'agents:read',
    liveOnly: true,
    data: ModelProvider,
    example: modelProviderExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params }) => okRecord(await providers.get(caller, params.id), presentProvider),
  }),
]

const providerChanges = (providers: ModelProviderService): Route[] => [
  defineRoute({
    method: 'POST',
    path: '/model-providers',
    operationId: 'createModelProvider',
    tag: 'models',
    summary: 'Add a model provider',
    description:
      'Its models are then named `<name>/<model>` in this workspace. Nothing is called yet: POST /model-providers/:id/test does that. Test keys have no providers, since the sandbox reaches none. At most 20 in a workspace.',
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.create',
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
    errors: ['conflict'],
    handle: async ({ caller, body }) =>
      createdRecord(await providers.create(caller, body), presentProvider, '/model-providers'),
  }),
  defineRoute({
    method: 'PATCH',
    path: '/model-providers/:id',
    operationId: 'updateModelProvider',
    tag: 'models',
    summary: 'Change a model provider',
    description:
      'Changes the fields that are sent; `models` replaces the whole list. With a new `baseUrl` the key has to be sent again. Agents name models by the name of the provider, so a new name has to be told to them too. Calls under way go on as they began. Needs a live key.',
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.update',
    body: ModelProviderChange,
    bodyExample: { apiKey: 'sk-another-one-of-the-provider-k3Zb' },
    data: ModelProvider,
    example: { ...modelProviderExample, apiKeyEnding: 'k3Zb' },
    success: [200],
    errors: ['conflict', 'precondition_failed'],
    handle: async ({ caller, params, body, ifMatch }) =>
      okRecord(await providers.update(caller, params.id, body, ifMatch), presentProvider),
  }),
  defineRoute({
    method: 'POST',
    path: '/model-providers/:id/test',
    operationId: 'testModelProvider',
    tag: 'models',
    summary: 'Test a model provider',
    description:
      'Calls one model with a prompt of a few words, once, within 30 seconds. The reply is 200 whether or not the model answered: `ok` tells, and `error` has a code of those that runs have. Needs a live key.',
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.test',
    body: ModelProviderTestRequest,
    bodyExample: { model: 'llama-4-maverick' },
    data: ModelProviderTest,
    example: modelProviderTestExample,
    success: [200],
    errors: [],
    handle: async ({ caller, params, body, signal }) =>
      ok(await providers.test(caller, params.id, { ...body, signal })),
  }),
  defineRoute({
    method: 'DELETE',
    path: '/model-providers/:id',
    operationId: 'deleteModelProvider',
    tag: 'models',
    summary: 'Delete a model provider',
    description:
      'The provider and its key are erased. Agents that name one of its models fail with `model_not_configured` from then on, or go on with their fallback. Needs a live key.',
    permission: 'agents:write',
    liveOnly: true,
    audit: 'model_provider.delete',
    destructive: true,
    success: [204],
    errors: ['precondition_failed'],
    handle: async ({ caller, params, ifMatch, dryRun }) => {
      await providers.remove(caller, params.id, { ifMatch, dryRun })
      if (!dryRun) return noContent()
      return preview([{ effect: 'deleted', resource: 'model_provider', count: 1, ids: [params.id] }])
    },
  }),
]
