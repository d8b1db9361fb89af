/** The providers of models: which there are, whether the operator configured them, and their packages. */
import type { ProviderV3 } from '@ai-sdk/provider'

export type ProviderSettings = {
  openaiApiKey: string | null
  /** Any server that speaks OpenAI's chat completions; replaces OpenAI's own. */
  openaiBaseUrl: string | null
  anthropicApiKey: string | null
  googleApiKey: string | null
}

const providerNames = ['openai', 'anthropic', 'google'] as const
export type ProviderName = (typeof providerNames)[number]

/** What a provider may be asked for; anything else could change the address that is called. */
const modelPattern = /^\w[\w.:@+-]*(\/\w[\w.:@+-]*)*$/

/** The provider is null where the name is of none. */
export function parseModelName(name: string): { provider: ProviderName | null; model: string } {
  const slash = name.indexOf('/')
  const provider = providerNames.find(candidate => candidate === name.slice(0, slash)) ?? null
  const model = name.slice(slash + 1)
  return { provider: modelPattern.test(model) ? provider : null, model }
}

export function isConfigured(provider: ProviderName, settings: ProviderSettings): boolean {
  if (provider === 'openai') return settings.openaiApiKey !== null || settings.openaiBaseUrl !== null
  return (provider === 'anthropic' ? settings.anthropicApiKey : settings.googleApiKey) !== null
}

/** A provider's package is loaded when it is first needed: together they would slow every start. */
export async function loadProvider(
  name: ProviderName,
  settings: ProviderSettings,
  fetch: typeof globalThis.fetch,
): Promise<ProviderV3> {
  if (name === 'anthropic') {
    const { createAnthropic } = await import('@ai-sdk/anthropic')
    return createAnthropic({ apiKey: settings.anthropicApiKey ?? '', fetch })
  }
  if (name === 'google') {
    const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
    return createGoogleGenerativeAI({ apiKey: settings.googleApiKey ?? '', fetch })
  }
  if (settings.openaiBaseUrl === null) {
    const { createOpenAI } = await import('@ai-sdk/openai')
    return createOpenAI({ apiKey: settings.openaiApiKey ?? '', fetch })
  }
  const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible')
  return createOpenAICompatible({
    name: 'openai',
    baseURL: settings.openaiBaseUrl,
    ...(settings.openaiApiKey === null ? {} : { apiKey: settings.openaiApiKey }),
    fetch,
  })
}
