/** One call of a model, followed to its end. It is tried again if that can help, until its signal is aborted. */

import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3StreamPart,
  LanguageModelV3Usage,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import type { Faults } from '../faults.ts'
import { createGrowingText, type GrowingText } from '../text/growing-text.ts'
import { costUsd } from './catalog.ts'
import {
  answerTooLarge,
  countedTokens,
  ModelError,
  maxToolCalls,
  type RetryDependencies,
  withRetries,
} from './model-error.ts'
import type { ResolvedModel } from './models.ts'

export type ModelUsage = {
  inputTokens: number
  /** The part of `inputTokens` that the provider read from its cache. */
  cachedInputTokens: number
  outputTokens: number
  /** The part of `outputTokens` that is reasoning. */
  reasoningTokens?: number
}

export type ModelAnswer = {
  content: LanguageModelV3Content[]
  finish: 'stop' | 'length' | 'content-filter' | 'tool-calls' | 'error' | 'other'
  usage: ModelUsage
  /** Null if the model's price is not known. */
  costUsd: number | null
}

/** Receives an answer while the model writes it. */
export type ModelListener = {
  text(delta: string): void
  reasoning(delta: string): void
  /** The text so far is void: the call starts again. Called only after text was sent. */
  restart(): void
}

export type CallModel = (
  model: ResolvedModel,
  options: LanguageModelV3CallOptions & { abortSignal: AbortSignal },
  listener?: ModelListener,
) => Promise<ModelAnswer>

const ignore = (): void => undefined
const noListener: ModelListener = { text: ignore, reasoning: ignore, restart: ignore }

/** Throws `ModelError`, or the signal's reason once the signal is aborted. */
export const createCallModel =
  (dependencies: RetryDependencies & { faults: Faults }): CallModel =>
  (model, options, listener = noListener) => {
    const { faults } = dependencies
    let wasHeard = false
    const heard = <Part extends unknown[]>(tell: (...part: Part) => void) => {
      return (...part: Part) => {
        wasHeard = true
        tell(...part)
        faults.reach('model.writing')
      }
    }
    const listening = { text: heard(listener.text), reasoning: heard(listener.reasoning) }
    const attempt = () => {
      if (wasHeard) listener.restart()
      wasHeard = false
      faults.reach('model.asked')
      return callOnce(model, options, listening)
    }
    return withRetries(attempt, options.abortSignal, dependencies)
  }

async function callOnce(
  { model, price, providerOptions }: ResolvedModel,
  options: LanguageModelV3CallOptions,
  listener: Pick<ModelListener, 'text' | 'reasoning'>,
): Promise<ModelAnswer> {
  const { stream } = await model.doStream(
    providerOptions === undefined
      ? options
      : { ...options, providerOptions: together(providerOptions, options.providerOptions ?? {}) },
  )
  const { content, end } = await collect(stream, listener)
  const inputTokens = countedTokens(end.usage.inputTokens.total)
  const outputTokens = countedTokens(end.usage.outputTokens.total)
  const usage = {
    inputTokens,
    cachedInputTokens: Math.min(inputTokens, countedTokens(end.usage.inputTokens.cacheRead)),
    outputTokens,
    reasoningTokens: Math.min(outputTokens, countedTokens(end.usage.outputTokens.reasoning)),
  }
  if (content.length === 0 && emptyEndings.includes(end.finishReason.unified)) {
    throw new ModelError('model_invalid_response', "The model's answer is empty")
  }
  const cacheWriteTokens = Math.min(
    inputTokens - usage.cachedInputTokens,
    countedTokens(end.usage.inputTokens.cacheWrite),
  )
  const cost = costUsd(price, { ...usage, cacheWriteTokens })
  return { content, finish: end.finishReason.unified, usage, costUsd: cost }
}

/** The options that each call sends to the provider, with the options of this call. */
function together(always: SharedV3ProviderOptions, now: SharedV3ProviderOptions): SharedV3ProviderOptions {
  const names = new Set([...Object.keys(always), ...Object.keys(now)])
  return Object.fromEntries([...names].map(name => [name, { ...always[name], ...now[name] }]))
}

/** With these endings an empty answer is an error. The other endings say why there is no more of it. */
const emptyEndings: ModelAnswer['finish'][] = ['stop', 'tool-calls', 'other']

type WrittenPart = Extract<LanguageModelV3Content, { type: 'text' | 'reasoning' }>

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }> & { usage: LanguageModelV3Usage }

/** The limit of text, thoughts and tool calls together, in UTF-16 units. */
const maxAnswerLength = 2_000_000

/** Puts the parts of a stream together into the content of an answer that was not streamed. */
async function collect(
  stream: AsyncIterable<LanguageModelV3StreamPart>,
  listener: Pick<ModelListener, 'text' | 'reasoning'>,
): Promise<{ content: LanguageModelV3Content[]; end: Finish }> {
  const content: LanguageModelV3Content[] = []
  const open = new Map<string, Begun>()
  let end: Finish | null = null
  let length = 0
  let toolCallCount = 0
  for await (const part of stream) {
    if ('delta' in part) length += part.delta.length
    if (length > maxAnswerLength) throw answerTooLarge()
    switch (part.type) {
      case 'text-start':
      case 'reasoning-start': {
        const begun = { type: kindOf(part.type), text: '', ...metadataOf(part) }
        open.set(part.id, { part: begun, written: createGrowingText() })
        content.push(begun)
        break
      }
      case 'text-delta':
      case 'reasoning-delta': {
        const begun = open.get(part.id)
        begun?.written.add(part.delta)
        Object.assign(begun?.part ?? {}, metadataOf(part))
        if (part.type === 'text-delta') listener.text(part.delta)
        else listener.reasoning(part.delta)
        break
      }
      case 'text-end':
      case 'reasoning-end':
        close(open.get(part.id), metadataOf(part))
        open.delete(part.id)
        break
      case 'tool-call':
        toolCallCount++
        length += part.toolName.length + part.toolCallId.length
        if (toolCallCount > maxToolCalls || length > maxAnswerLength) throw answerTooLarge()
        content.push(part)
        break
      case 'error':
        throw part.error
      case 'finish':
        end = part
        break
    }
  }
  if (end === null) throw new ModelError('model_invalid_response', "The model's answer broke off")
  for (const begun of open.values()) close(begun, {})
  const isWritten = (part: LanguageModelV3Content) => part.type !== 'text' || part.text !== ''
  return { content: content.filter(isWritten), end }
}

type Begun = { part: WrittenPart; written: GrowingText }

const close = (begun: Begun | undefined, metadata: object): void => {
  if (begun !== undefined) Object.assign(begun.part, { text: begun.written.text }, metadata)
}

const kindOf = (type: 'text-start' | 'reasoning-start'): 'text' | 'reasoning' =>
  type === 'text-start' ? 'text' : 'reasoning'

/** If a provider signs a thought, the signature may come with any part of the thought. */
const metadataOf = ({ providerMetadata }: Pick<LanguageModelV3Content & object, 'providerMetadata'>) =>
  providerMetadata === undefined ? {} : { providerMetadata }
