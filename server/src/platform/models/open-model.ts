/** Makes models and keeps them, since making one costs as much as calling it. */
import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import { fitPrompt } from './asking/fit-prompt.ts'
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
      model: fitting((await opened(provider)).languageModel(name)),
      readParameters: createReadsParameters(provider, name),
    }
    if (models.size >= mostModelsKept) models.clear()
    models.set(key, model)
    const providerOptions = optionsOf[provider.kind]
    return providerOptions === undefined ? model : { ...model, providerOptions }
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
