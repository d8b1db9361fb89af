/** Makes models and keeps them, since making one costs as much as calling it. */
import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { fitPrompt } from './asking/fit-prompt.ts'
import { learningFetch } from './asking/learning-fetch.ts'
import type { Profile, Profiles } from './asking/profiles.ts'
import type { LanguageModel } from './opened-provider.ts'
import { createReadsParameters, type ReadsParameters } from './parameters.ts'
import { openProvider, type Provider } from './providers.ts'

/** A provider under an id that changes whenever anything of the provider changes. */
export type KnownProvider = Provider & { id: string; workspaceId: string | null; profile: string }

export type OpenedModel = {
  model: LanguageModel
  /** Options that each call must send to the provider. */
  providerOptions?: SharedV3ProviderOptions
  readParameters: ReadsParameters
  /** What the model's server has taught. */
  profile: Profile
}

export type OpenModel = (provider: KnownProvider, model: string) => Promise<OpenedModel>

const mostModelsKept = 200

export function createOpenModel(fetch: typeof globalThis.fetch, profiles: Profiles): OpenModel {
  const models = new Map<string, Promise<OpenedModel>>()

  async function open(provider: KnownProvider, name: string): Promise<OpenedModel> {
    const { id, workspaceId, kind, apiKey } = provider
    const profile = profiles({ workspaceId, provider: provider.profile, model: name }, id)
    const opened = await openProvider(provider, learningFetch(fetch, apiKey, profile))
    return withoutUndefined({
      model: fitting(opened.languageModel(name)),
      providerOptions: optionsOf[kind],
      readParameters: createReadsParameters(provider, name),
      profile,
    })
  }

  return (provider, name) => {
    const key = `${provider.id}/${name}`
    const model = models.get(key) ?? open(provider, name)
    if (models.size >= mostModelsKept) models.clear()
    models.set(key, model)
    model.catch(() => models.delete(key))
    return model
  }
}

/** The model with prompts as every provider takes them. */
const fitting = (model: LanguageModel): LanguageModel => ({
  doStream: options => model.doStream({ ...options, prompt: fitPrompt(options.prompt) }),
})

/**
 * OpenAI would keep every prompt and answer for thirty days. Few schemas keep to the part of JSON Schema that strict
 * schemas allow, and Atrium itself checks whether an answer fits.
 */
const optionsOf: Partial<Record<KnownProvider['kind'], SharedV3ProviderOptions>> = {
  openai: { openai: { store: false, strictJsonSchema: false } },
}
