/** One call of a model that comes to an end: tried again where that can help, within the time that its signal leaves. */
import { setTimeout as sleep } from 'node:timers/promises'
import type { LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider'
import type { Clock } from '../clock.ts'
import { costUsd } from './catalog.ts'
import { ModelError, toModelError } from './model-error.ts'
import type { ResolvedModel } from './models.ts'

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

const maxAttempts = 3
const firstDelayMs = 500
/** A provider that asks for more patience than this is not waited for. */
const longestDelayMs = 20_000

/** Throws `ModelError`, or the reason of the signal once that is aborted. `random` gives numbers from 0 to 1. */
export function createCallModel(dependencies: { clock: Clock; random: () => number }): CallModel {
  const { clock, random } = dependencies
  return async (model, options) => {
    for (let attempt = 1; ; attempt++) {
      try {
        return await callOnce(model, options)
      } catch (error) {
        options.abortSignal.throwIfAborted()
        const failure = toModelError(error, clock())
        const delayMs = failure.retryAfterMs ?? firstDelayMs * 2 ** (attempt - 1) * (0.5 + random())
        const hopeless = !failure.retryable || failure.final || delayMs > longestDelayMs
        if (hopeless || attempt === maxAttempts) throw failure
        await sleep(delayMs, undefined, { signal: options.abortSignal }).catch(() => {
          options.abortSignal.throwIfAborted()
        })
      }
    }
  }
}

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
