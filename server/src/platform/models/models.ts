/** The models by name: which there are, which one an agent runs on, and what it costs. */
import type { LanguageModelV3, ProviderV3, SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Environment } from '../caller.ts'
import { defaultModels, knownModels, type Price } from './catalog.ts'
import { createExtractiveModel } from './extractive/model.ts'
import { ModelError } from './model-error.ts'
import {
  isConfigured,
  loadProvider,
  type ProviderName,
  type ProviderSettings,
  parseModelName,
} from './providers.ts'
import { createSandboxModel } from './sandbox.ts'

export type LanguageModel = LanguageModelV3

export type ModelSettings = ProviderSettings & { defaultModel: string | null }

export type ResolvedModel = {
  /** The name that the run's record shows. */
  name: string
  model: LanguageModel
  /** Null where it is not known. */
  price: Price | null
  /** What each call must tell the provider. */
  providerOptions?: SharedV3ProviderOptions
}

export type ModelEntry = {
  id: string
  provider: string
  description: string
  contextTokens: number | null
  price: Price | null
  isDefault: boolean
}

export type Models = {
  /** The name that `default` stands for. */
  readonly defaultName: string
  /**
   * What is wrong with an agent's model, in words for its author; null where nothing is. A test agent may name
   * a provider that is not configured: it runs on `sandbox` anyway.
   */
  check(name: string, environment: Environment): string | null
  /** In the test environment every name gives `sandbox`. Throws `ModelError` `model_not_configured`. */
  resolve(name: string, environment: Environment): Promise<ResolvedModel>
  /** The models that can be used at once; an OpenAI-compatible server is asked for its own. */
  list(environment: Environment): Promise<ModelEntry[]>
}

const builtInText = {
  extractive: 'Finds and quotes the sentences that answer best; no network, no cost.',
  sandbox: 'Answers as extractive does, and simulates failures on request (sim:…); test keys always use it.',
}
const free: Price = { input: 0, cachedInput: 0, output: 0 }

export function createModels(dependencies: {
  settings: ModelSettings
  fetch: typeof globalThis.fetch
  now: () => number
}): Models {
  const { settings, fetch } = dependencies
  const providers = new Map<ProviderName, Promise<ProviderV3>>()
  const made = new Map<string, LanguageModel>()
  const serverModels = createServerModels(dependencies)
  const builtIn = { extractive: createExtractiveModel(), sandbox: createSandboxModel() }
  const defaultName = settings.defaultModel ?? defaultOf(settings)

  function providerOf(name: ProviderName): Promise<ProviderV3> {
    const present = providers.get(name) ?? loadProvider(name, settings, fetch)
    providers.set(name, present)
    return present
  }

  /** Making one costs as much as calling it, so the latest are kept. */
  async function modelOf(provider: ProviderName, model: string): Promise<LanguageModel> {
    const name = `${provider}/${model}`
    const present = made.get(name) ?? (await providerOf(provider)).languageModel(model)
    if (made.size >= mostModelsKept) made.clear()
    made.set(name, present)
    return present
  }

  function check(name: string, environment: Environment): string | null {
    if (name === 'default' || Object.hasOwn(builtInText, name)) return null
    const { provider } = parseModelName(name)
    if (provider === null) return `Models are ${namesText}; GET /models lists them`
    return environment === 'test' || isConfigured(provider, settings)
      ? null
      : `The operator has not configured ${provider}`
  }

  async function resolve(name: string, environment: Environment): Promise<ResolvedModel> {
    const actual = environment === 'test' ? 'sandbox' : name === 'default' ? defaultName : name
    if (actual === 'sandbox' || actual === 'extractive') {
      return { name: actual, model: builtIn[actual], price: free }
    }
    const { provider, model } = parseModelName(actual)
    if (provider === null || !isConfigured(provider, settings)) {
      throw new ModelError('model_not_configured', `The model ${actual} is not configured on this server`)
    }
    return {
      name: actual,
      model: await modelOf(provider, model),
      price: priceOf(actual, settings),
      ...(provider === 'openai' && settings.openaiBaseUrl === null ? { providerOptions: keepNothing } : {}),
    }
  }

  async function list(environment: Environment): Promise<ModelEntry[]> {
    if (environment === 'test') return [entry('sandbox', true)]
    const known = knownModels.map(({ name }) => name).filter(name => isListed(name, settings))
    const served = settings.openaiBaseUrl === null ? [] : await serverModels(settings.openaiBaseUrl)
    const names = new Set([defaultName, ...known, ...served, 'extractive'])
    return [...names].map(name => entry(name, name === defaultName))
  }

  function entry(name: string, isDefault: boolean): ModelEntry {
    if (name === 'sandbox' || name === 'extractive') {
      const description = builtInText[name]
      return { id: name, provider: 'atrium', description, contextTokens: null, price: free, isDefault }
    }
    const provider = parseModelName(name).provider ?? 'unknown'
    const own = provider === 'openai' && settings.openaiBaseUrl !== null
    const known = own ? undefined : knownModels.find(candidate => candidate.name === name)
    return {
      id: name,
      provider,
      description: own ? 'Served by the OpenAI-compatible server of this installation.' : '',
      contextTokens: known?.contextTokens ?? null,
      price: known?.price ?? null,
      isDefault,
    }
  }

  return { defaultName, check, resolve, list }
}

/** OpenAI would keep every prompt and answer for thirty days. */
const keepNothing = { openai: { store: false } }

const mostModelsKept = 200

const namesText = 'default, extractive, sandbox, or openai/…, anthropic/… or google/… with a model of theirs'

function isListed(name: string, settings: ModelSettings): boolean {
  const { provider } = parseModelName(name)
  if (provider === null || !isConfigured(provider, settings)) return false
  return provider !== 'openai' || settings.openaiBaseUrl === null
}

/** A compatible server's models are not OpenAI's, even where they share a name; nor are their prices. */
function priceOf(name: string, settings: ModelSettings): Price | null {
  if (!isListed(name, settings)) return null
  return knownModels.find(candidate => candidate.name === name)?.price ?? null
}

/** A compatible server alone names no default: which of its models could chat cannot be told. */
function defaultOf(settings: ModelSettings): string {
  if (settings.openaiApiKey !== null && settings.openaiBaseUrl === null) return defaultModels.openai
  if (settings.anthropicApiKey !== null) return defaultModels.anthropic
  if (settings.googleApiKey !== null) return defaultModels.google
  return 'extractive'
}

/** Asks a compatible server for its models, at most once a minute; a server that does not answer offers none. */
function createServerModels(dependencies: {
  settings: ModelSettings
  fetch: typeof globalThis.fetch
  now: () => number
}): (baseUrl: string) => Promise<string[]> {
  const { settings, fetch, now } = dependencies
  let cached: { names: Promise<string[]>; until: number } | null = null
  return baseUrl => {
    if (cached === null || now() >= cached.until) {
      cached = { names: askForModels(baseUrl, settings.openaiApiKey, fetch), until: now() + 60_000 }
    }
    return cached.names
  }
}

const maxServedModels = 200

async function askForModels(
  baseUrl: string,
  apiKey: string | null,
  fetch: typeof globalThis.fetch,
): Promise<string[]> {
  try {
    const answer = await fetch(`${baseUrl}/models`, {
      headers: apiKey === null ? {} : { authorization: `Bearer ${apiKey}` },
      signal: AbortSignal.timeout(3_000),
    })
    if (!answer.ok) {
      await answer.body?.cancel()
      return []
    }
    const body = (await answer.json()) as { data?: { id?: unknown }[] }
    const ids = (body.data ?? []).map(({ id }) => id).filter(id => typeof id === 'string')
    return ids.slice(0, maxServedModels).map(id => `openai/${id}`)
  } catch {
    // The list is a convenience: a server that is down must not take GET /models with it.
    return []
  }
}
