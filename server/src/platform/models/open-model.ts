/** Makes models and keeps them, since making one costs as much as calling it. Also lists the models of a server. */
import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import { type Clock, minuteMs } from '../clock.ts'
import type { LanguageModel, OpenedProvider } from './opened-provider.ts'
import { createReadsParameters, type ReadsParameters } from './parameters.ts'
import { openProvider, type Provider } from './providers.ts'

/** A provider under an id that changes whenever anything of the provider changes. */
export type KnownProvider = Provider & { id: string }

export type OpenedModel = {
  model: LanguageModel
  /** Options that each call must send to the provider. */
  providerOptions?: SharedV3ProviderOptions
  readParameters: ReadsParameters
}

export type OpenModel = (provider: KnownProvider, model: string) => Promise<OpenedModel>

const mostModelsKept = 200

export function createOpenModel(fetch: typeof globalThis.fetch): OpenModel {
  const providers = new Map<string, Promise<OpenedProvider>>()
  const models = new Map<string, Pick<OpenedModel, 'model' | 'readParameters'>>()

  function opened(provider: KnownProvider): Promise<OpenedProvider> {
    const present = providers.get(provider.id) ?? openProvider(provider, fetch)
    if (providers.size >= mostModelsKept) providers.clear()
    providers.set(provider.id, present)
    return present
  }

  return async (provider, name) => {
    const key = `${provider.id}/${name}`
    const model = models.get(key) ?? {
      model: (await opened(provider)).languageModel(name),
      readParameters: createReadsParameters(provider, name),
    }
    if (models.size >= mostModelsKept) models.clear()
    models.set(key, model)
    const providerOptions = optionsOf[provider.kind]
    return providerOptions === undefined ? model : { ...model, providerOptions }
  }
}

/**
 * OpenAI would keep every prompt and answer for thirty days. Few schemas keep to the part of JSON Schema that strict
 * schemas allow, and Atrium itself checks whether an answer fits.
 */
const optionsOf: Partial<Record<KnownProvider['kind'], SharedV3ProviderOptions>> = {
  openai: { openai: { store: false, strictJsonSchema: false } },
}

// The models that an OpenAI-compatible server lists for conversations.

/** Asks at most once a minute. If a server does not answer, its earlier answer is used. */
type ServedModels = (provider: KnownProvider) => Promise<string[]>

const maxServedModels = 200
/** Of the list as it came, and of a name in it: more are not looked at. */
const maxListedModels = 2_000
const maxModelName = 500
const timeoutMs = 3_000
/** The list does not say what a model is for; models that make vectors, speech or pictures have such names. */
const otherKinds =
  /embed|rerank|whisper|transcri|moderation|(^|[^a-z])(bge|e5|gte|minilm|clip|tts|dall-e|stable-diffusion|flux)([^a-z]|$)/i

export const isForConversations = (name: string): boolean => !otherKinds.test(name)

const mostServersKept = 1_000

export function createServedModels({
  fetch,
  now,
}: {
  fetch: typeof globalThis.fetch
  now: Clock
}): ServedModels {
  const answers = new Map<string, { names: Promise<string[]>; until: number }>()
  return provider => {
    const cached = answers.get(provider.id)
    if (cached !== undefined && now() < cached.until) return cached.names
    if (answers.size >= mostServersKept) answers.clear()
    const names = ask(provider, fetch).then(async told => told ?? (await cached?.names) ?? [])
    answers.set(provider.id, { names, until: now() + minuteMs })
    return names
  }
}

async function ask({ baseUrl, apiKey }: KnownProvider, fetch: typeof globalThis.fetch) {
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(timeoutMs),
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      return null
    }
    const body = (await answer.json()) as { data?: { id?: unknown }[] }
    const ids = (body.data ?? []).slice(0, maxListedModels).map(({ id }) => id)
    return ids
      .filter(id => typeof id === 'string')
      .filter(id => id.length <= maxModelName && isForConversations(id))
      .slice(0, maxServedModels)
  } catch {
    // The list is only a convenience: GET /models must not fail because one server is down.
    return null
  }
}
