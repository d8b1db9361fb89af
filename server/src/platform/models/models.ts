/** The models by name: which models there are, which one an agent runs on, and what is known of it. */
import type { SharedV3ProviderOptions } from '@ai-sdk/provider'
import type { Environment, Scope } from '../caller.ts'
import type { Sleep } from '../clock.ts'
import { NoSample } from '../json-schema/strangers-schemas.ts'
import { createProfiles, nothingStored, type Profile, type Profiles } from './asking/profiles.ts'
import { createServedModels, isForConversations } from './asking/served-models.ts'
import { createWithWindow } from './asking/windows.ts'
import type { Sample, SampleFor } from './built-in.ts'
import { builtInFacts, defaultModels, knownModels, type ModelFacts, noFacts } from './catalog.ts'
import { createExtractiveModel } from './extractive/model.ts'
import { ModelError } from './model-error.ts'
import { createOpenModel, type KnownProvider } from './open-model.ts'
import type { LanguageModel } from './opened-provider.ts'
import type { ReadsParameters } from './parameters.ts'
import { noPriceTable, type PriceTable } from './price-table.ts'
import {
  operatorProvider,
  type ProviderName,
  type ProviderSettings,
  parseModelName,
  providerNames,
} from './providers.ts'
import { createSandboxModel } from './sandbox/model.ts'

export type ModelSettings = ProviderSettings & { defaultModel: string | null }

export type ResolvedModel = ModelFacts & {
  /** The name that the run's record shows. */
  name: string
  model: LanguageModel
  /** Options that each call must send to the provider. */
  providerOptions?: SharedV3ProviderOptions
  /** Absent for the built-in models: they always answer the same, and ignore every parameter. */
  readParameters?: ReadsParameters
  /** Absent for the built-in models. */
  profile?: Profile
}

export type DefaultModel = { name: string; hint: string | null }

export type ModelEntry = ModelFacts & {
  id: string
  provider: string
  description: string
  purposes: ModelPurpose[]
  isDefault: boolean
}

/** Agents run on models for `chat`; `embedding` makes the vectors of search, and `rerank` orders what it found. */
export const modelPurposes = ['chat', 'embedding', 'rerank'] as const
export type ModelPurpose = (typeof modelPurposes)[number]

export type ModelScope = Pick<Scope, 'workspaceId' | 'environment'>

export type Models = {
  /** The model that `default` stands for, and what the operator must set if the model cannot be told. */
  defaultModel(): Promise<DefaultModel>
  /**
   * What is wrong with an agent's model, in words for its author; null if nothing is. A test agent may name
   * a provider that is not configured: it runs on `sandbox` anyway.
   */
  check(name: string, environment: Environment): string | null
  /** In the test environment every name gives `sandbox`. Throws `ModelError` `model_not_configured`. */
  resolve(name: string, scope: ModelScope): Promise<ResolvedModel>
  /** The models that can be used now. An OpenAI-compatible server is asked for its own models. */
  list(environment: Environment): Promise<ModelEntry[]>
  /** Facts about a model of one of the three companies, if it is called at the company's own address. */
  factsOf(name: string): ModelFacts
  /** Facts about a model that the operator has configured, at its configured address. */
  factsHere(name: string): ModelFacts
}

const builtInText = {
  extractive: 'Finds and quotes the sentences that answer best; no network, no cost.',
  sandbox: 'Answers as extractive does, and simulates failures on request (sim:…); test keys always use it.',
}

export function createModels(dependencies: {
  settings: ModelSettings
  fetch: typeof globalThis.fetch
  now: () => number
  sleep: Sleep
  sample: SampleFor
  /** The operator's own context windows and prices. */
  table?: PriceTable
  profiles?: Profiles
}): Models {
  const { settings, fetch, now, table = noPriceTable } = dependencies
  const open = createOpenModel(fetch, dependencies.profiles ?? createProfiles(nothingStored, now))
  const served = createServedModels(dependencies)
  const withWindow = createWithWindow(served, now)
  const chosen = settings.defaultModel ?? defaultOf(settings)

  function providerOf(name: ProviderName | null): KnownProvider | null {
    const provider = name === null ? null : operatorProvider(name, settings)
    if (provider === null) return null
    // Another address is another server.
    const profile = ['operator', name, ...(provider.baseUrl === null ? [] : [provider.baseUrl])].join(' ')
    return { id: `operator:${name}`, workspaceId: null, profile, ...provider }
  }

  function factsOf(name: string): ModelFacts {
    const { name: _, ...facts } = knownModels.find(candidate => candidate.name === name) ?? {
      name,
      ...noFacts,
    }
    return { ...facts, ...table.get(name) }
  }

  /** An operator's own server may give its models any names: only the operator knows their facts. */
  const factsAt = ({ baseUrl }: KnownProvider, name: string): ModelFacts =>
    baseUrl === null ? factsOf(name) : { ...noFacts, ...table.get(name) }

  function factsHere(name: string): ModelFacts {
    const provider = providerOf(parseModelName(name).provider)
    return provider === null ? { ...noFacts, ...table.get(name) } : factsAt(provider, name)
  }

  /** If a compatible server serves one model, that is the default. With several models, the default is unknown. */
  async function defaultModel(): Promise<DefaultModel> {
    if (chosen !== null) return { name: chosen, hint: null }
    const openai = providerOf('openai')
    if (openai === null || openai.baseUrl === null) return { name: 'extractive', hint: null }
    const names = (await served(openai)).map(({ id }) => id)
    if (names.length === 1) return { name: `openai/${names[0]}`, hint: null }
    const what = names.length === 0 ? 'lists no model for conversations' : `serves ${names.length} models`
    const example = names.length === 0 ? 'the one that it has' : `one of them, such as openai/${names[0]}`
    return {
      name: 'extractive',
      hint: `The server at OPENAI_BASE_URL ${what}, so agents that name none answer by quoting. Set ATRIUM_DEFAULT_MODEL to ${example}.`,
    }
  }

  function check(name: string, environment: Environment): string | null {
    if (name === 'default' || Object.hasOwn(builtInText, name)) return null
    const { provider } = parseModelName(name)
    if (provider === null) return `Models are ${namesText}; GET /models lists them`
    return environment === 'test' || providerOf(provider) !== null
      ? null
      : `The operator has not configured ${provider}`
  }

  async function resolve(name: string, { workspaceId, environment }: ModelScope): Promise<ResolvedModel> {
    const named = name === 'default' && environment === 'live' ? (await defaultModel()).name : name
    const actual = environment === 'test' ? 'sandbox' : named
    if (actual === 'sandbox' || actual === 'extractive') {
      return { name: actual, model: builtIn(actual, workspaceId, dependencies), ...builtInFacts }
    }
    const { provider: providerName, model } = parseModelName(actual)
    const provider = providerOf(providerName)
    if (provider === null) {
      throw new ModelError('model_not_configured', `The model ${actual} is not configured on this server`)
    }
    const opened = await open(provider, model)
    const facts = await withWindow(provider, model, opened, factsAt(provider, actual))
    return { name: actual, ...opened, ...facts }
  }

  async function list(environment: Environment): Promise<ModelEntry[]> {
    if (environment === 'test') return [entry('sandbox', true)]
    const usual = await defaultModel()
    const named = await Promise.all(providerNames.map(namesOf))
    const names = new Set([usual.name, ...named.flat(), 'extractive'])
    return [...names].map(name => {
      const { description, ...rest } = entry(name, name === usual.name)
      const hint = rest.isDefault && usual.hint !== null ? ` ${usual.hint}` : ''
      return { ...rest, description: `${description}${hint}` }
    })
  }

  /** The names of the provider's models: from the catalog, the operator's table, and the provider's server. */
  async function namesOf(providerName: ProviderName): Promise<string[]> {
    const provider = providerOf(providerName)
    if (provider === null) return []
    const isOfProvider = (name: string) => name.startsWith(`${providerName}/`)
    const catalog = provider.baseUrl === null ? knownModels.map(({ name }) => name) : []
    const told = provider.kind === 'openai_compatible' ? await served(provider) : []
    return [
      // The catalog and the table also name models for other purposes.
      ...[...catalog, ...table.keys()].filter(name => isOfProvider(name) && isForConversations(name)),
      ...told.map(({ id }) => `${providerName}/${id}`),
    ]
  }

  function entry(name: string, isDefault: boolean): ModelEntry {
    if (name === 'sandbox' || name === 'extractive') {
      const description = builtInText[name]
      return { id: name, provider: 'atrium', description, purposes: ['chat'], ...builtInFacts, isDefault }
    }
    const { provider: providerName } = parseModelName(name)
    const provider = providerOf(providerName)
    return {
      id: name,
      provider: providerName ?? 'unknown',
      description: (provider?.baseUrl ?? null) === null ? '' : "Served by the operator's own server.",
      purposes: ['chat'],
      ...factsHere(name),
      isDefault,
    }
  }

  return { defaultModel, check, resolve, list, factsOf, factsHere }
}

function builtIn(
  name: 'sandbox' | 'extractive',
  workspaceId: string,
  { sleep, sample: sampleFor }: { sleep: Sleep; sample: SampleFor },
): LanguageModel {
  const sample: Sample = (schema, text) =>
    sampleFor(schema, text, workspaceId).catch((cause: unknown) => {
      if (!(cause instanceof NoSample)) throw cause
      throw new ModelError('model_request_rejected', cause.message, { cause, final: true })
    })
  return name === 'sandbox' ? createSandboxModel({ sleep, sample }) : createExtractiveModel(sample)
}

const namesText =
  "default, extractive, sandbox, openai/…, anthropic/… or google/… with a model of theirs, or a model of the workspace's own providers"

/** Null if no company's model is configured: then a compatible server may tell. */
function defaultOf(settings: ModelSettings): string | null {
  if (settings.openaiApiKey !== null && settings.openaiBaseUrl === null) return defaultModels.openai
  if (settings.anthropicApiKey !== null && settings.anthropicBaseUrl === null) return defaultModels.anthropic
  if (settings.googleApiKey !== null) return defaultModels.google
  return null
}
