/** The models, the operator's and the workspaces' own, with the connections that lead to their servers. */
import type { Dependencies } from './dependencies.ts'
import type { AuditService } from './features/audit/service.ts'
import { createWorkspaceModels, type WorkspaceModels } from './features/models/models-service.ts'
import { createProviderCheck } from './features/models/provider-input.ts'
import { createProviderModels } from './features/models/provider-models.ts'
import { createModelProviderService, type ModelProviderService } from './features/models/service.ts'
import { createTestCall } from './features/models/test-call.ts'
import { secondMs } from './platform/clock.ts'
import type { Seals } from './platform/crypto/seals.ts'
import { createAddressRule } from './platform/fetch/addresses.ts'
import { createGuardedConnector, systemLookup } from './platform/fetch/connector.ts'
import { createEmbeddings, type Embeddings } from './platform/models/embedding/embeddings.ts'
import { createModelFetch } from './platform/models/model-fetch.ts'
import { createModels, type Models } from './platform/models/models.ts'
import { createReranker, type Reranker } from './platform/models/reranker.ts'

export type ModelServices = {
  embeddings: Embeddings
  reranker: Reranker | null
  models: WorkspaceModels
  modelProviders: ModelProviderService
  defaultModel: Models['defaultModel']
  closeModels(): Promise<void>
}

const connectTimeoutMs = 10 * secondMs

export function createModelServices(
  dependencies: Dependencies & { audit: AuditService; seals: Seals },
): ModelServices {
  const { settings, clock, priceTable } = dependencies
  const { modelSilenceMs: silenceMs, allowedPrivateNetworks } = settings
  const isAllowed = createAddressRule(allowedPrivateNetworks)
  // An address that the operator has set is trusted; one that came over the API is not.
  const trusted = createModelFetch({ silenceMs })
  const guarded = createModelFetch({
    silenceMs,
    connect: createGuardedConnector(isAllowed, systemLookup, connectTimeoutMs),
  })
  const operatorModels = createModels({
    ...dependencies,
    sample: dependencies.schemas.sample,
    fetch: trusted.fetch,
    now: clock,
    table: priceTable,
  })
  const providerModels = createProviderModels({
    ...dependencies,
    models: operatorModels,
    fetch: guarded.fetch,
    now: clock,
  })
  return {
    embeddings: createEmbeddings({ ...dependencies, fetch: trusted.fetch, random: Math.random }),
    reranker: createReranker({ settings, fetch: trusted.fetch }),
    models: createWorkspaceModels({ ...dependencies, models: operatorModels, providerModels }),
    defaultModel: operatorModels.defaultModel,
    modelProviders: createModelProviderService({
      ...dependencies,
      providerModels,
      check: createProviderCheck(isAllowed),
      testCall: createTestCall(clock),
    }),
    async closeModels() {
      await trusted.close()
      await guarded.close()
    },
  }
}
