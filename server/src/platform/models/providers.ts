/** The providers of models: which providers there are, how each is spoken to, and their packages. */
import { withoutTrailing } from '@atrium/connectors/trim'
import { ModelError } from './model-error.ts'
import type { OpenedProvider } from './opened-provider.ts'
import { asAnthropic, asGoogle, asResponses } from './replies/package-replies.ts'

export type ProviderSettings = {
  openaiApiKey: string | null
  /** Any server that speaks OpenAI's chat completions; replaces OpenAI's own. */
  openaiBaseUrl: string | null
  anthropicApiKey: string | null
  /** Any server that speaks Anthropic's messages; replaces Anthropic's own. */
  anthropicBaseUrl: string | null
  googleApiKey: string | null
}

/** The operator's providers, as the names of models write them. */
export const providerNames = ['openai', 'anthropic', 'google'] as const
export type ProviderName = (typeof providerNames)[number]

/** The protocol of a provider: one of three companies' protocols, or the one that everybody else imitates. */
export const providerKinds = ['openai', 'anthropic', 'google', 'openai_compatible'] as const
export type ProviderKind = (typeof providerKinds)[number]

/** Where a provider is and how it is opened. */
export type Provider = {
  kind: ProviderKind
  /** Null means the company's own address; `openai_compatible` has no such address. */
  baseUrl: string | null
  apiKey: string | null
}

/** Servers name their models as they like: by paths, with spaces, in any script. */
const modelPattern = /^(?! )[^\p{Cc}\p{Cf}\p{Zl}\p{Zp}\p{Cs}]{1,500}(?<! )$/u
/** A name that stands in the address of a call. Any other name could change the address. */
const addressPattern = /^\w[\w.:@+-]*(\/\w[\w.:@+-]*)*$/

export const isModelPart = (model: string, kind: ProviderKind | null = null): boolean =>
  (kind === 'google' ? addressPattern : modelPattern).test(model)

/** `acme/large` split into its parts; null if it is not the name of a provider's model. */
export function splitModelName(name: string): { provider: string; model: string } | null {
  const slash = name.indexOf('/')
  const model = name.slice(slash + 1)
  return slash > 0 && isModelPart(model) ? { provider: name.slice(0, slash), model } : null
}

/** The provider is null if the name has none that an operator can configure. */
export function parseModelName(name: string): { provider: ProviderName | null; model: string } {
  const parts = splitModelName(name)
  const named = providerNames.find(candidate => candidate === parts?.provider) ?? null
  const provider = named !== null && isModelPart(parts?.model ?? '', named) ? named : null
  return { provider, model: parts?.model ?? '' }
}

/** A provider from the settings; null if the operator has not configured it. */
export function operatorProvider(name: ProviderName, settings: ProviderSettings): Provider | null {
  const { kind, baseUrl, apiKey } = settingsOf(name, settings)
  return apiKey === null && baseUrl === null ? null : { kind, baseUrl, apiKey }
}

function settingsOf(name: ProviderName, settings: ProviderSettings): Provider {
  if (name === 'google') return { kind: 'google', baseUrl: null, apiKey: settings.googleApiKey }
  if (name === 'anthropic') {
    return { kind: 'anthropic', baseUrl: settings.anthropicBaseUrl, apiKey: settings.anthropicApiKey }
  }
  const { openaiBaseUrl: baseUrl, openaiApiKey: apiKey } = settings
  return { kind: baseUrl === null ? 'openai' : 'openai_compatible', baseUrl, apiKey }
}

/** Shorter keys are not secrets, but words that satisfy local servers. */
const leastKeyLength = 8

/** A server's words are shown and recorded. If they repeat the key, the key must not be shown. */
export const withoutKey = (text: string, apiKey: string | null): string =>
  apiKey === null || apiKey.length < leastKeyLength ? text : text.replaceAll(apiKey, '[key]')

/** The same fetch; refusals do not repeat the key. */
export const hidingKey =
  (fetch: typeof globalThis.fetch, apiKey: string | null): typeof globalThis.fetch =>
  async (...request) => {
    const answer = await fetch(...request)
    if (answer.status < 400) return answer
    const { status, statusText, headers } = answer
    return new Response(withoutKey(await answer.text(), apiKey), { status, statusText, headers })
  }

/** A provider's package is loaded when it is first needed: all packages together would slow every start. */
export async function openProvider(
  { kind, baseUrl, apiKey }: Provider,
  fetch: typeof globalThis.fetch,
): Promise<OpenedProvider> {
  switch (kind) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic')
      // Given even if it is the company's own address: the package would read an environment variable instead.
      return createAnthropic({
        apiKey: apiKey ?? '',
        baseURL: versioned(baseUrl ?? anthropicUrl),
        fetch: asAnthropic(fetch),
      })
    }
    case 'google': {
      const { createGoogleGenerativeAI } = await import('@ai-sdk/google')
      const google = createGoogleGenerativeAI({ apiKey: apiKey ?? '', fetch: asGoogle(fetch) })
      return {
        languageModel: model => google.languageModel(inAddress(model)),
        embeddingModel: model => google.embeddingModel(inAddress(model)),
      }
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai')
      return createOpenAI({ apiKey: apiKey ?? '', baseURL: openaiUrl, fetch: asResponses(fetch) })
    }
    case 'openai_compatible': {
      if (baseUrl === null) throw new Error('An OpenAI-compatible provider has no address')
      const { createChatCompletions } = await import('./chat-completions/chat-completions.ts')
      return createChatCompletions({ baseUrl, apiKey, fetch })
    }
  }
}

function inAddress(model: string): string {
  if (isModelPart(model, 'google')) return model
  throw new ModelError('model_not_found', `Google has no model with the name ${JSON.stringify(model)}`)
}

const anthropicUrl = 'https://api.anthropic.com'
const openaiUrl = 'https://api.openai.com/v1'

/** Anthropic's own tools write the address without a version, gateways write it with one. */
const versioned = (baseUrl: string): string =>
  new URL(baseUrl).pathname === '/' ? `${withoutTrailing(baseUrl, '/')}/v1` : baseUrl
