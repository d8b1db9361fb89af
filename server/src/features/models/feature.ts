/** The models of the operator and of the workspaces, and the connections to their servers. */
import type { Feature } from '../../http/feature.ts'
import { secondMs } from '../../platform/clock.ts'
import { createAddressRule, createGuardedConnector, systemLookup } from '../../platform/fetch/connector.ts'
import { createProfiles } from '../../platform/models/asking/profiles.ts'
import { createEmbeddings } from '../../platform/models/embedding/embeddings.ts'
import { createModelFetch } from '../../platform/models/model-fetch.ts'
import { createModels } from '../../platform/models/models.ts'
import { createReranker } from '../../platform/models/reranker.ts'
import type { Platform } from '../../platform/platform.ts'
import type { AuditService } from '../audit/service.ts'
import { createLearnedStore } from './learned-store.ts'
import { createWorkspaceModels } from './models-service.ts'
import { createProviderModels } from './provider-models.ts'
import { modelRoutes } from './routes.ts'
import { createModelProviderService } from './service.ts'

export type ModelsServices = ReturnType<typeof createModelsFeature>['services']

const connectTimeoutMs = 10 * secondMs

export function createModelsFeature(platform: Platform, { audit }: { audit: AuditService }) {
  const { settings, clock, priceTable, schemas } = platform
  const { modelSilenceMs: silenceMs, allowedPrivateNetworks } = settings
  const isAllowed = createAddressRule(allowedPrivateNetworks)
  // An address that the operator has set is trusted; one that came over the API is checked.
  const trusted = createModelFetch({ silenceMs })
  const guarded = createModelFetch({
    silenceMs,
    connect: createGuardedConnector(isAllowed, systemLookup, connectTimeoutMs),
  })
  const store = createLearnedStore(platform)
  const profiles = createProfiles(store, clock)
  const operatorModels = createModels({
    ...platform,
    profiles,
    sample: schemas.sample,
    fetch: trusted.fetch,
    now: clock,
    table: priceTable,
  })
  const providerModels = createProviderModels({
    ...platform,
    models: operatorModels,
    fetch: guarded.fetch,
    now: clock,
    profiles,
  })
  const embeddings = createEmbeddings({ ...platform, fetch: trusted.fetch, random: Math.random })
  const reranker = createReranker({ settings, fetch: trusted.fetch })
  const models = createWorkspaceModels({
    ...platform,
    models: operatorModels,
    providerModels,
    embeddings,
    reranker,
  })
  const modelProviders = createModelProviderService({
    ...platform,
    audit,
    providerModels,
    isAllowed,
  })
  return {
    services: {
      embeddings,
      reranker,
      models,
      modelProviders,
      /** The default among the operator's models. */
      defaultModel: operatorModels.defaultModel,
    },
    tag: 'models',
    routes: modelRoutes(models, modelProviders),
    workspaceData: {
      slices: [
        { table: 'learned_fields', key: ['provider', 'model', 'field'] },
        { table: 'model_providers', key: ['id'] },
      ],
    },
    async close() {
      await store.settle()
      await trusted.close()
      await guarded.close()
    },
  } satisfies Feature<object>
}
