/** The models that a workspace can use for its agents: the operator's, and those of its own providers. */
import type { Caller, Environment, Scope } from '../../platform/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { builtInFacts, type ModelFacts } from '../../platform/models/catalog.ts'
import { type Embeddings, localPrefix } from '../../platform/models/embedding/embeddings.ts'
import { sandboxEmbeddingName } from '../../platform/models/embedding/sandbox-embedding.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelEntry, Models, ResolvedModel } from '../../platform/models/models.ts'
import { providerNames, splitModelName } from '../../platform/models/providers.ts'
import type { Reranker } from '../../platform/models/reranker.ts'
import type { ProviderModels } from './provider-models.ts'
import type { Model } from './schemas.ts'
import { allProviders, findProviderByName } from './store.ts'

/** `fallback` is null if none is configured, or if it is the same model. */
export type ModelChoice = { model: ResolvedModel; fallback: ResolvedModel | null }

export type WorkspaceModels = ReturnType<typeof createWorkspaceModels>

export function createWorkspaceModels({
  database,
  models,
  providerModels,
  embeddings,
  reranker,
}: {
  database: Database
  models: Models
  providerModels: ProviderModels
  embeddings: Pick<Embeddings, 'modelOf'>
  reranker: Pick<Reranker, 'model'> | null
}) {
  /** The models for search, which the operator chose. */
  function searchModels(environment: Environment): ModelEntry[] {
    const embedding = embeddings.modelOf(environment)
    const ranking = reranker === null || environment === 'test' ? null : (reranker.model ?? 'rerank')
    return [
      ...(embedding === null ? [] : [searchModel(embedding, 'embedding')]),
      ...(ranking === null ? [] : [searchModel(ranking, 'rerank')]),
    ]
  }

  const searchModel = (id: string, purpose: 'embedding' | 'rerank'): ModelEntry => ({
    id,
    provider: purpose === 'rerank' ? 'operator' : (splitModelName(id)?.provider ?? 'atrium'),
    description:
      purpose === 'rerank' ? 'Orders what search has found.' : 'Makes the vectors of search by meaning.',
    purposes: [purpose],
    ...factsOf(id),
    isDefault: false,
  })

  /** Vectors that are made in this process cost nothing. */
  const factsOf = (id: string): ModelFacts =>
    id === sandboxEmbeddingName || id.startsWith(localPrefix) ? builtInFacts : models.factsHere(id)

  async function resolve(scope: Scope, name: string): Promise<ResolvedModel> {
    const own = scope.environment === 'test' ? null : ownName(name)
    if (own === null) return models.resolve(name, scope)
    const row = await findProviderByName(scope, database.read, own.provider)
    if (row === undefined) {
      throw new ModelError(
        'model_not_configured',
        `The workspace has no model provider named ${own.provider}`,
      )
    }
    return providerModels.resolve(scope, row, own.model)
  }

  return {
    /** The price in US dollars of a million tokens for the model that makes the vectors; null if unknown. */
    embeddingPrice: (environment: Environment): number | null =>
      searchModels(environment).find(({ purposes }) => purposes[0] === 'embedding')?.price?.input ?? null,
    /**
     * The fault of an agent's model, in words for its author; null if there is none. A test agent may name any
     * provider that the workspace or the operator could have: it runs on `sandbox` anyway.
     */
    async check(scope: Scope, name: string): Promise<string | null> {
      const own = ownName(name)
      if (own === null) return models.check(name, scope.environment)
      const row = await findProviderByName(scope, database.read, own.provider)
      return row === undefined ? models.check(name, scope.environment) : null
    },
    /**
     * In the test environment every name gives `sandbox`. Throws a `ModelError` with the code `model_not_configured`.
     */
    resolve,
    /** Like `resolve`, but null for a model that cannot be used. */
    async find(scope: Scope, name: string): Promise<ResolvedModel | null> {
      try {
        return await resolve(scope, name)
      } catch (error) {
        if (error instanceof ModelError) return null
        throw error
      }
    },
    /** Like `resolve`, for a model with a fallback. If the model is not configured, the fallback takes its place. */
    async resolveBoth(scope: Scope, name: string, fallbackName: string | null): Promise<ModelChoice> {
      const fallback =
        fallbackName === null ? null : await resolve(scope, fallbackName).catch(nullWhereNotConfigured)
      const model = await resolve(scope, name).catch(error => {
        nullWhereNotConfigured(error)
        return fallback ?? Promise.reject(error)
      })
      return { model, fallback: fallback?.name === model.name ? null : fallback }
    },
    /** The models that can be used now: the operator's for agents and for search, then the workspace's own. */
    async list({ scope }: Caller): Promise<ModelEntry[]> {
      const operators = together(await models.list(scope.environment), searchModels(scope.environment))
      if (scope.environment === 'test') return operators
      const rows = await allProviders(scope, database.read)
      const own = await Promise.all(rows.map(row => providerModels.entries(scope, row)))
      return [...operators, ...own.flat()]
    },
  }
}

/** Merges entries with the same name: the sandbox has one name for all its purposes. */
function together(entries: readonly ModelEntry[], others: readonly ModelEntry[]): ModelEntry[] {
  const purposesOf = (name: string) => others.find(({ id }) => id === name)?.purposes ?? []
  const merged = entries.map(entry => ({
    ...entry,
    purposes: [...entry.purposes, ...purposesOf(entry.id)],
  }))
  return [...merged, ...others.filter(({ id }) => !entries.some(entry => entry.id === id))]
}

function nullWhereNotConfigured(error: unknown): null {
  if (error instanceof ModelError && error.code === 'model_not_configured') return null
  throw error
}

/** Null if the name can only be one of the operator's, or is not a model's name at all. */
function ownName(name: string): { provider: string; model: string } | null {
  const parts = splitModelName(name)
  return parts === null || providerNames.some(known => known === parts.provider) ? null : parts
}

export const presentModel = ({ price, ...entry }: ModelEntry): Model => ({
  ...entry,
  price:
    price === null
      ? null
      : {
          inputUsdPerMillionTokens: price.input,
          cachedInputUsdPerMillionTokens: price.cachedInput,
          outputUsdPerMillionTokens: price.output,
        },
})
