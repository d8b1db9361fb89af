/** One call of a model that comes to an end: tried again where that can help, within the time that its signal leaves. */
import type { LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider'
import { costUsd } from './catalog.ts'
import { ModelError } from './model-error.ts'
import type { ResolvedModel } from './models.ts'
import { type RetryDependencies, withRetries } from './retry.ts'

export type ModelUsage = {
  inputTokens: number
  /** The part of `inputTokens` that the provider read from its cache. */
  cachedInputTokens: number
  outputTokens: number
}

export type ModelAnswer = {
  content: LanguageModelV3Content[]
  finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  usage: ModelUsage
  /** Null where the model's price is not known. */
  costUsd: number | null
}

export type CallModel = (
  model: ResolvedModel,
  options: LanguageModelV3CallOptions & { abortSignal: AbortSignal },
) => Promise<ModelAnswer>

/** Throws `ModelError`, or the reason of the signal once that is aborted. */
export const createCallModel =
  (dependencies: RetryDependencies): CallModel =>
  (model, options) =>
    withRetries(() => callOnce(model, options), options.abortSignal, dependencies)

async function callOnce(model: ResolvedModel, options: LanguageModelV3CallOptions): Promise<ModelAnswer> {
  const {
    content,
    finishReason,
    usage: reported,
  } = await model.model.doGenerate({
    ...options,
    ...(model.providerOptions === undefined ? {} : { providerOptions: model.providerOptions }),
  })
  const usage = {
    inputTokens: reported.inputTokens.total ?? 0,
    cachedInputTokens: reported.inputTokens.cacheRead ?? 0,
    outputTokens: reported.outputTokens.total ?? 0,
  }
  if (content.length === 0 && finishReason.unified === 'stop') {
    throw new ModelError('model_invalid_response', "The model's answer is empty")
  }
  return { content, finish: finishReason.unified, usage, costUsd: costUsd(model.price, usage) }
}
