/** The models that a workspace can run agents on: the operator's, and those of its own providers. */
import type { Caller, Scope } from '../../platform/caller.ts'
import type { Database } from '../../platform/database/database.ts'
import { ModelError } from '../../platform/models/model-error.ts'
import type { ModelEntry, Models, ResolvedModel } from '../../platform/models/models.ts'
import { providerNames, splitModelName } from '../../platform/models/providers.ts'
import type { ProviderModels } from './provider-models.ts'
import type { Model } from './schemas.ts'
import { allProviders, findProviderByName } from './store.ts'

/** There is no fallback where none is configured, nor where it is the same model. */
export type ModelChoice = { model: ResolvedModel; fallback: ResolvedModel | null }

export type WorkspaceModels = ReturnType<typeof createWorkspaceModels>

export function createWorkspaceModels({
  database,
  models,
  providerModels,
}: {
  database: Database
  models: Models
  providerModels: ProviderModels
}) {
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
    /**
     * What is wrong with an agent's model, in words for its author; null if nothing is. A test agent may name any
     * provider that the workspace or the operator could have: it runs on `sandbox` anyway.
     */
    async check(scope: Scope, name: string): Promise<string | null> {
      const own = ownName(name)
      if (own === null) return models.check(name, scope.environment)
      const row = await findProviderByName(scope, database.read, own.provider)
      return row === undefined ? models.check(name, scope.environment) : null
    },
    /** In the test environment every name gives `sandbox`. Throws `ModelError` `model_not_configured`. */
    resolve,
    /** The same for a model that has another to fall back to, which takes its place where it is not configured. */
    async resolveBoth(scope: Scope, name: string, fallbackName: string | null): Promise<ModelChoice> {
      const fallback =
        fallbackName === null ? null : await resolve(scope, fallbackName).catch(nullWhereNotConfigured)
      const model = await resolve(scope, name).catch(error => {
        nullWhereNotConfigured(error)
        return fallback ?? Promise.reject(error)
      })
      return { model, fallback: fallback?.name === model.name ? null : fallback }
    },
    /** The models that can be used at once, the operator's first. */
    async list({ scope }: Caller): Promise<ModelEntry[]> {
      const operators = await models.list(scope.environment)
      if (scope.environment === 'test') return operators
      const rows = await allProviders(scope, database.read)
      const own = await Promise.all(rows.map(row => providerModels.entries(scope, row)))
      return [...operators, ...own.flat()]
    },
  }
}

function nullWhereNotConfigured(error: unknown): null {
  if (error instanceof ModelError && error.code === 'model_not_configured') return null
  throw error
}

/** Null if the name can only be one of the operator's, or none at all. */
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
