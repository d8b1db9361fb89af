/** How a model writes: the same parameters for all providers, in each one's words, and what a model takes. */
import type { LanguageModelV3CallOptions, SharedV3ProviderOptions, SharedV3Warning } from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { openProvider, type Provider } from './providers.ts'

export const reasoningEfforts = ['none', 'minimal', 'low', 'medium', 'high', 'xhigh', 'max'] as const
export type ReasoningEffort = (typeof reasoningEfforts)[number]

/** Null, and an empty `stop`, let the provider decide. */
export type ModelParameters = {
  temperature: number | null
  topP: number | null
  reasoningEffort: ReasoningEffort | null
  stop: string[]
  seed: number | null
}

export const parameterNames = ['temperature', 'topP', 'reasoningEffort', 'stop', 'seed'] as const
export type ParameterName = (typeof parameterNames)[number]

export const noParameters: ModelParameters = {
  temperature: null,
  topP: null,
  reasoningEffort: null,
  stop: [],
  seed: null,
}

type ParameterOptions = Pick<
  LanguageModelV3CallOptions,
  'temperature' | 'topP' | 'stopSequences' | 'seed' | 'providerOptions'
>

/** A parameter that the model does not take as given, and why. */
export type RefusedParameter = { name: ParameterName; reason: string }

/** `options` holds the parameters that the model takes. */
export type ReadParameters = { options: ParameterOptions; refused: readonly RefusedParameter[] }

export type ReadsParameters = (parameters: ModelParameters) => Promise<ReadParameters>

export const givenParameters = (parameters: ModelParameters): ParameterName[] =>
  parameterNames.filter(name => (name === 'stop' ? parameters.stop.length > 0 : parameters[name] !== null))

export const withoutParameters = (
  parameters: ModelParameters,
  names: readonly ParameterName[],
): ModelParameters => ({
  ...parameters,
  ...Object.fromEntries(names.map(name => [name, noParameters[name]])),
})

const mostAnswersKept = 200

/**
 * Reads the parameters for one provider's model. The provider's package decides which ones the model takes: it makes
 * a request that is never sent, and says what it left out or changed.
 */
export function createReadsParameters(provider: Provider, model: string): ReadsParameters {
  const kept = new Map<string, Promise<ReadParameters>>()

  async function read(parameters: ModelParameters): Promise<ReadParameters> {
    const refused: RefusedParameter[] = []
    let taken = parameters
    // A parameter may be taken only without another one, so the rest is asked for again.
    while (givenParameters(taken).length > 0) {
      const faults = await refusedBy(provider, model, taken)
      if (faults.length === 0) break
      refused.push(...faults)
      taken = withoutParameters(
        taken,
        faults.map(({ name }) => name),
      )
    }
    return { options: optionsOf(provider, model, taken), refused }
  }

  return parameters => {
    if (givenParameters(parameters).length === 0) return Promise.resolve({ options: {}, refused: [] })
    const key = JSON.stringify(parameterNames.map(name => parameters[name]))
    const answer = kept.get(key) ?? read(parameters)
    if (kept.size >= mostAnswersKept) kept.clear()
    kept.set(key, answer)
    // A package that could not be loaded may be installed by the next call.
    answer.catch(() => kept.delete(key))
    return answer
  }
}

async function refusedBy(
  provider: Provider,
  model: string,
  parameters: ModelParameters,
): Promise<RefusedParameter[]> {
  const { reasoningEffort: effort } = parameters
  if (effort !== null && effortOptions(provider.kind, model, effort) === null) {
    return [{ name: 'reasoningEffort', reason: `${effort} is not one of its levels` }]
  }
  const opened = await openProvider({ ...provider, apiKey: 'unsent' }, answersNothing)
  const { stream } = await opened.languageModel(model).doStream({
    prompt: [{ role: 'user', content: [{ type: 'text', text: '.' }] }],
    ...optionsOf(provider, model, parameters),
  })
  for await (const part of stream) {
    if (part.type === 'stream-start') return part.warnings.flatMap(warning => refusalOf(warning, parameters))
  }
  return []
}

/** Stands in for the network: the beginning of an empty answer. */
const answersNothing: typeof globalThis.fetch = async () =>
  new Response('data: {"type":"ping"}\n\n', { headers: { 'content-type': 'text/event-stream' } })

function refusalOf(warning: SharedV3Warning, parameters: ModelParameters): RefusedParameter[] {
  if (warning.type !== 'unsupported') return []
  const name = warning.feature === 'stopSequences' ? 'stop' : parameterNames.find(isIn(warning.feature))
  if (name === undefined || !givenParameters(parameters).includes(name)) return []
  return [{ name, reason: warning.details ?? 'it has no such parameter' }]
}

const isIn = (feature: string) => (name: ParameterName) => feature === name

function optionsOf({ kind }: Provider, model: string, parameters: ModelParameters): ParameterOptions {
  const { temperature, topP, reasoningEffort, stop, seed } = parameters
  return withoutUndefined({
    temperature: temperature ?? undefined,
    topP: topP ?? undefined,
    stopSequences: stop.length === 0 ? undefined : stop,
    seed: seed ?? undefined,
    providerOptions:
      reasoningEffort === null ? undefined : (effortOptions(kind, model, reasoningEffort) ?? undefined),
  })
}

const anthropicEfforts: readonly ReasoningEffort[] = ['low', 'medium', 'high', 'xhigh', 'max']
const geminiLevels: readonly ReasoningEffort[] = ['minimal', 'low', 'medium', 'high']

/**
 * Gemini 2.5 has a budget of tokens instead of levels. These are the budgets of the levels in Google's own
 * compatibility layer (ai.google.dev/gemini-api/docs/openai).
 */
const geminiBudgets: Partial<Record<ReasoningEffort, number>> = {
  none: 0,
  minimal: 1_024,
  low: 1_024,
  medium: 8_192,
  high: 24_576,
}

/** Null if the model has no such level. */
function effortOptions(
  kind: Provider['kind'],
  model: string,
  effort: ReasoningEffort,
): SharedV3ProviderOptions | null {
  switch (kind) {
    case 'openai':
    case 'openai_compatible':
      return { openai: { reasoningEffort: effort } }
    case 'anthropic':
      return anthropicEfforts.includes(effort) ? { anthropic: { effort } } : null
    case 'google': {
      if (!model.startsWith('gemini-2.5')) {
        return geminiLevels.includes(effort)
          ? { google: { thinkingConfig: { thinkingLevel: effort } } }
          : null
      }
      const thinkingBudget = geminiBudgets[effort]
      // Pro cannot stop thinking.
      const isTaken = thinkingBudget !== undefined && !(thinkingBudget === 0 && model.includes('-pro'))
      return isTaken ? { google: { thinkingConfig: { thinkingBudget } } } : null
    }
  }
}
