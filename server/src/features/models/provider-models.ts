/** The models of a workspace's own provider: called with its key, with the properties that the workspace has set. */

import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { Scope } from '../../platform/caller.ts'
import { type Clock, secondMs } from '../../platform/clock.ts'
import type { Seals } from '../../platform/crypto/seals.ts'
import { decodeJson } from '../../platform/database/json.ts'
import type { Profiles } from '../../platform/models/asking/profiles.ts'
import { createServedModels, isForConversations } from '../../platform/models/asking/served-models.ts'
import { createWithWindow } from '../../platform/models/asking/windows.ts'
import { knownModels, type ModelFacts, noFacts } from '../../platform/models/catalog.ts'
import { ModelError, toModelError } from '../../platform/models/model-error.ts'
import type { ModelEntry, Models, ResolvedModel } from '../../platform/models/models.ts'
import { createOpenModel, type KnownProvider } from '../../platform/models/open-model.ts'
import { priceOf } from '../../platform/models/price-table.ts'
import type { ProviderRow } from './store.ts'

export type ProviderModels = ReturnType<typeof createProviderModels>

/** The field to which a sealed key is bound. */
export const apiKeyField = (providerId: string): string => `${providerId}|api_key`

/** `fetch` reaches only addresses that a stranger may name. */
export function createProviderModels({
  seals,
  models,
  fetch,
  now,
  profiles,
}: {
  seals: Seals
  models: Pick<Models, 'factsOf'>
  fetch: typeof globalThis.fetch
  now: () => number
  profiles: Profiles
}) {
  const open = createOpenModel(fetch, profiles)
  const served = createServedModels({ fetch, now })
  const withWindow = createWithWindow(served, now)

  const opened = async (scope: Scope, row: ProviderRow): Promise<KnownProvider> => ({
    id: `${row.id}.${row.revision}`,
    workspaceId: row.workspace_id,
    profile: row.id,
    kind: row.kind,
    baseUrl: row.base_url,
    apiKey: row.api_key === null ? null : await seals.open(scope, apiKeyField(row.id), row.api_key),
  })

  function factsOf(row: ProviderRow, model: string): ModelFacts {
    const { contextTokens, seesImages, price } =
      row.base_url === null ? models.factsOf(`${row.kind}/${model}`) : noFacts
    const listed = decodeJson(row.models).find(({ id }) => id === model)
    return {
      contextTokens: listed?.contextTokens ?? contextTokens,
      seesImages: listed?.seesImages ?? seesImages,
      price: listed?.price === undefined ? price : priceOf(listed.price),
    }
  }

  async function names(scope: Scope, row: ProviderRow): Promise<string[]> {
    const listed = decodeJson(row.models).map(({ id }) => id)
    if (listed.length > 0) return listed
    if (row.kind === 'openai_compatible') return (await served(await opened(scope, row))).map(({ id }) => id)
    return row.base_url === null ? catalogNames(row.kind) : []
  }

  return {
    async resolve(scope: Scope, row: ProviderRow, model: string): Promise<ResolvedModel> {
      const provider = await opened(scope, row)
      const ready = await open(provider, model)
      const facts = await withWindow(provider, model, ready, factsOf(row, model))
      return { name: `${row.name}/${model}`, ...ready, ...facts }
    },
    /** The names that the workspace lists; without any, those of the catalog or of the server itself. */
    names,
    async entries(scope: Scope, row: ProviderRow): Promise<ModelEntry[]> {
      return (await names(scope, row)).map(model => ({
        id: `${row.name}/${model}`,
        provider: row.name,
        description: "Of the workspace's own provider.",
        purposes: isForConversations(model) ? ['chat'] : [],
        ...factsOf(row, model),
        isDefault: false,
      }))
    },
  }
}

const catalogNames = (kind: string): string[] =>
  knownModels
    .map(({ name }) => name.split('/', 2))
    .flatMap(([of, model]) =>
      of === kind && model !== undefined && isForConversations(model) ? [model] : [],
    )

const timeoutMs = 30 * secondMs
/** The smallest limit that every provider accepts. */
const maxOutputTokens = 16

/** Any text of the model counts as an answer. The model is called once, and its text is not stored. */
export async function testCall(
  { model, providerOptions }: ResolvedModel,
  { clock, signal }: { clock: Clock; signal: AbortSignal },
): Promise<{ error: ModelError | null; durationMs: number }> {
  const begun = performance.now()
  const took = () => Math.round(performance.now() - begun)
  const timeout = AbortSignal.timeout(timeoutMs)
  try {
    const { stream } = await model.doStream(
      withoutUndefined({
        prompt: [{ role: 'user', content: [{ type: 'text', text: 'Answer with the word OK.' }] }],
        maxOutputTokens,
        abortSignal: AbortSignal.any([signal, timeout]),
        providerOptions,
      }),
    )
    for await (const part of stream) if (part.type === 'error') throw part.error
    return { error: null, durationMs: took() }
  } catch (error) {
    signal.throwIfAborted()
    return { error: timeout.aborted ? tooSlow() : toModelError(error, clock()), durationMs: took() }
  }
}

const tooSlow = (): ModelError =>
  new ModelError('model_timeout', `The model did not answer within ${timeoutMs / secondMs} seconds`)
