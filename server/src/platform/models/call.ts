/** One call of a model, followed to its end. It is tried again if that can help, until its signal is aborted. */

import type {
  LanguageModelV3CallOptions,
  LanguageModelV3Content,
  LanguageModelV3FinishReason,
  LanguageModelV3StreamPart,
  SharedV3ProviderOptions,
} from '@ai-sdk/provider'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
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
import type { LanguageModel } from './opened-provider.ts'
import { type End, endOf } from './replies/ends.ts'
import { estimatedInput, estimatedOutput } from './replies/estimate.ts'
import { notesOf } from './replies/notes.ts'
import { createThoughtSplitter, type ThoughtPiece, type ThoughtSplitter } from './replies/thoughts.ts'
import { tidyCalls } from './replies/tidy-calls.ts'

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
  /** An answer that is cut or filtered holds no calls. */
  finish: Exclude<End, 'broken'>
  usage: ModelUsage
  /** Null if the model's price is not known. */
  costUsd: number | null
  /** Set if the server told no tokens, or an attempt before came to nothing: then the usage is an estimate. */
  isEstimate?: true
  /** What was repaired in the reply. */
  notes?: string[]
}

/** What attempts have used that came to nothing. It is estimated from what was sent and heard. */
export type LostUsage = { usage: ModelUsage; costUsd: number | null }

export const nothingLost: LostUsage = {
  usage: { inputTokens: 0, cachedInputTokens: 0, outputTokens: 0 },
  costUsd: 0,
}

/** Receives an answer while the model writes it. */
export type ModelListener = {
  text(delta: string): void
  reasoning(delta: string): void
  /** The text so far is void: the call starts again. Called only after text was sent. */
  restart(): void
  /** The call has failed. Called before it throws, with the usage of all its attempts. */
  lost(used: LostUsage): void
}

export type CallModel = (
  model: ResolvedModel,
  options: LanguageModelV3CallOptions & { abortSignal: AbortSignal },
  listener?: Partial<ModelListener>,
) => Promise<ModelAnswer>

const ignore = (): void => undefined
const noListener: ModelListener = { text: ignore, reasoning: ignore, restart: ignore, lost: ignore }

/** Throws `ModelError`, or the signal's reason once the signal is aborted. */
export const createCallModel = (dependencies: RetryDependencies & { faults: Faults }): CallModel => {
  /** Models whose answers have begun with a thought that no tag opened. */
  const openWithout = new WeakSet<LanguageModel>()
  return async (model, options, given = {}) => {
    const listener = { ...noListener, ...given }
    const { faults } = dependencies
    let wasHeard = false
    const heard = <Part extends unknown[]>(tell: (...part: Part) => void) => {
      return (...part: Part) => {
        wasHeard = true
        tell(...part)
        faults.reach('model.writing')
      }
    }
    const restart = (): void => {
      if (wasHeard) listener.restart()
      wasHeard = false
    }
    const listening: ModelListener = {
      text: heard(listener.text),
      reasoning: heard(listener.reasoning),
      restart,
      lost(used) {
        lost.push(used)
      },
    }
    const lost: LostUsage[] = []
    const attempt = () => {
      restart()
      faults.reach('model.asked')
      return callOnce(model, options, listening, openWithout)
    }
    try {
      const answer = await withRetries(attempt, options.abortSignal, dependencies)
      if (lost.length === 0) return answer
      return { ...answer, ...sumOf([answer, ...lost]), isEstimate: true }
    } catch (error) {
      if (lost.length > 0) listener.lost(sumOf(lost))
      throw error
    }
  }
}

function sumOf(all: readonly LostUsage[]): LostUsage {
  const total = (count: keyof ModelUsage) => all.reduce((sum, { usage }) => sum + (usage[count] ?? 0), 0)
  return {
    usage: {
      inputTokens: total('inputTokens'),
      cachedInputTokens: total('cachedInputTokens'),
      outputTokens: total('outputTokens'),
      reasoningTokens: total('reasoningTokens'),
    },
    costUsd: all.some(({ costUsd: cost }) => cost === null)
      ? null
      : all.reduce((sum, { costUsd: cost }) => sum + (cost ?? 0), 0),
  }
}

async function callOnce(
  { model, price, providerOptions }: ResolvedModel,
  options: Parameters<CallModel>[1],
  listener: ModelListener,
  openWithout: WeakSet<LanguageModel>,
): Promise<ModelAnswer> {
  const answer = createAnswer(listener, openWithout.has(model))
  try {
    const { stream } = await model.doStream(
      providerOptions === undefined
        ? options
        : { ...options, providerOptions: together(providerOptions, options.providerOptions ?? {}) },
    )
    for await (const part of stream) answer.take(part)
    const { content, end, opensWithout } = answer.end()
    if (opensWithout) openWithout.add(model)
    const finish = finishOf(end.finishReason, content)
    const tidied = tidyCalls(content.filter(isSaidBy(finish)), options.tools)
    if (isEmptyAnswer(finish, tidied.content)) {
      throw new ModelError(
        'model_invalid_response',
        content.length === 0 ? "The model's answer is empty" : 'The model answered without text',
      )
    }
    const used = usageOf(end, answer.length, options)
    const notes = [...new Set([...notesOf(end.providerMetadata), ...tidied.notes])]
    return withoutUndefined<ModelAnswer>({
      content: tidied.content,
      finish,
      usage: used.usage,
      costUsd: costUsd(price, { ...used.usage, cacheWriteTokens: used.cacheWriteTokens }),
      isEstimate: used.isEstimate ? true : undefined,
      notes: notes.length === 0 ? undefined : notes,
    })
  } catch (error) {
    if (answer.length > 0 || options.abortSignal.aborted) {
      const { usage } = usageOf(answer.told(), answer.length, options)
      listener.lost({ usage, costUsd: costUsd(price, usage) })
    }
    throw error
  }
}

/** The options that each call sends to the provider, with the options of this call. */
function together(always: SharedV3ProviderOptions, now: SharedV3ProviderOptions): SharedV3ProviderOptions {
  const names = new Set([...Object.keys(always), ...Object.keys(now)])
  return Object.fromEntries([...names].map(name => [name, { ...always[name], ...now[name] }]))
}

/** Throws `ModelError` for an answer that is not whole. Looks at the end before anything looks at the calls. */
function finishOf(
  reason: LanguageModelV3FinishReason,
  content: readonly LanguageModelV3Content[],
): ModelAnswer['finish'] {
  const end = endOf(reason)
  const hasCalls = content.some(({ type }) => type === 'tool-call')
  if (end === 'broken' || (end === 'tool-calls' && !hasCalls)) {
    const word = reason.raw === undefined || reason.raw.trim() === '' ? '' : `: ${reason.raw.slice(0, 100)}`
    throw new ModelError('model_invalid_response', `The model's answer broke off${word}`)
  }
  return end === 'stop' && hasCalls ? 'tool-calls' : end
}

/** A call in an answer that was cut off or withheld may lack a part of its arguments. */
const isSaidBy =
  (finish: ModelAnswer['finish']) =>
  ({ type }: LanguageModelV3Content): boolean =>
    type !== 'tool-call' || finish === 'stop' || finish === 'tool-calls'

/** An answer that was cut off or withheld may be empty: its end says why there is no more of it. */
const isEmptyAnswer = (finish: ModelAnswer['finish'], content: readonly LanguageModelV3Content[]): boolean =>
  (finish === 'stop' || finish === 'tool-calls') &&
  !content.some(part => part.type === 'tool-call' || (part.type === 'text' && part.text.trim() !== ''))

type Finish = Extract<LanguageModelV3StreamPart, { type: 'finish' }>

/** Counts that the server did not tell are estimated, since neither a prompt nor an answer has no tokens. */
function usageOf(
  end: Pick<Finish, 'usage'> | null,
  length: number,
  { prompt, tools }: Pick<LanguageModelV3CallOptions, 'prompt' | 'tools'>,
) {
  const toldInput = countedTokens(end?.usage.inputTokens.total)
  const toldOutput = countedTokens(end?.usage.outputTokens.total)
  const inputTokens = toldInput === 0 ? estimatedInput(prompt, tools) : toldInput
  const outputTokens = toldOutput === 0 ? estimatedOutput(length) : toldOutput
  const cachedInputTokens = Math.min(inputTokens, countedTokens(end?.usage.inputTokens.cacheRead))
  return {
    usage: {
      inputTokens,
      cachedInputTokens,
      outputTokens,
      reasoningTokens: Math.min(outputTokens, countedTokens(end?.usage.outputTokens.reasoning)),
    },
    cacheWriteTokens: Math.min(
      inputTokens - cachedInputTokens,
      countedTokens(end?.usage.inputTokens.cacheWrite),
    ),
    isEstimate: toldInput === 0 || (toldOutput === 0 && length > 0),
  }
}

// Puts the parts of a stream together into the content of an answer that was not streamed.

type WrittenPart = Extract<LanguageModelV3Content, { type: 'text' | 'reasoning' }>

/** `thoughts` is set for a text, which may hold thoughts; they become a part before it. */
type Begun = {
  part: WrittenPart
  written: GrowingText
  thoughts: { splitter: ThoughtSplitter; part: WrittenPart; written: GrowingText } | null
}

/** The limit of text, thoughts and tool calls together, in UTF-16 units. */
const maxAnswerLength = 2_000_000

type Collected = { content: LanguageModelV3Content[]; end: Finish; opensWithout: boolean }

function createAnswer(listener: ModelListener, mayOpenWithout: boolean) {
  const content: LanguageModelV3Content[] = []
  const begun: Begun[] = []
  const open = new Map<string, Begun>()
  let end: Finish | null = null
  let length = 0
  let toolCallCount = 0

  function begin(type: WrittenPart['type'], part: { id: string } & MetadataOf): void {
    const written: WrittenPart = { type, text: '', ...metadataOf(part) }
    const thought: WrittenPart = { type: 'reasoning', text: '', providerMetadata: fromText }
    const isFirst = !content.some(each => each.type === 'text')
    const one: Begun = {
      part: written,
      written: createGrowingText(),
      thoughts:
        type === 'reasoning'
          ? null
          : {
              splitter: createThoughtSplitter(mayOpenWithout && isFirst),
              part: thought,
              written: createGrowingText(),
            },
    }
    open.set(part.id, one)
    begun.push(one)
    content.push(...(one.thoughts === null ? [] : [thought]), written)
  }

  function tell(one: Begun, pieces: readonly ThoughtPiece[]): void {
    const { thoughts } = one
    for (const piece of pieces) {
      if (piece.type === 'text') {
        one.written.add(piece.text)
        listener.text(piece.text)
      } else if (piece.type === 'reasoning') {
        thoughts?.written.add(piece.text)
        listener.reasoning(piece.text)
      } else if (thoughts !== null) {
        const [from, to] =
          piece.type === 'void' ? [one.written, thoughts.written] : [thoughts.written, one.written]
        if (from.text === '') continue
        to.add(from.text)
        from.clear()
        retell()
      }
    }
  }

  /** What followers have heard as text was a thought, or the other way round. */
  function retell(): void {
    listener.restart()
    for (const { part, written, thoughts } of begun) {
      const [thought, text] = [thoughts?.written.text ?? '', written.text]
      if (thought !== '') listener.reasoning(thought)
      if (text !== '') listener[part.type](text)
    }
  }

  function close(one: Begun | undefined, metadata: object): void {
    if (one === undefined) return
    if (one.thoughts !== null) {
      tell(one, one.thoughts.splitter.end())
      one.thoughts.part.text = one.thoughts.written.text
    }
    Object.assign(one.part, { text: one.written.text }, metadata)
  }

  return {
    get length() {
      return length
    },
    /** What the server has told of the usage; null before its end. */
    told: (): Finish | null => end,
    take(part: LanguageModelV3StreamPart): void {
      if ('delta' in part) length += part.delta.length
      if (length > maxAnswerLength) throw answerTooLarge()
      switch (part.type) {
        case 'text-start':
          begin('text', part)
          return
        case 'reasoning-start':
          begin('reasoning', part)
          return
        case 'text-delta':
        case 'reasoning-delta': {
          const one = open.get(part.id)
          if (one === undefined) return
          Object.assign(one.part, metadataOf(part))
          if (one.thoughts !== null) tell(one, one.thoughts.splitter.take(part.delta))
          else {
            one.written.add(part.delta)
            listener.reasoning(part.delta)
          }
          return
        }
        case 'text-end':
        case 'reasoning-end':
          close(open.get(part.id), metadataOf(part))
          open.delete(part.id)
          return
        case 'tool-call':
          toolCallCount++
          length += part.toolName.length + part.toolCallId.length
          if (toolCallCount > maxToolCalls || length > maxAnswerLength) throw answerTooLarge()
          content.push(part)
          return
        case 'error':
          throw part.error
        case 'finish':
          end = part
      }
    },
    end(): Collected {
      if (end === null) throw new ModelError('model_invalid_response', "The model's answer broke off")
      for (const one of open.values()) close(one, {})
      const opensWithout = begun.some(({ thoughts }) => thoughts?.splitter.opensWithout)
      return { content: content.filter(isWritten), end, opensWithout }
    },
  }
}

/** Marks a thought that the model has written into its text. No server wants it back as a thought. */
const fromText = { atrium: { isFromText: true } }

/** A provider may sign a thought that it does not show. */
const isWritten = (part: LanguageModelV3Content): boolean =>
  (part.type !== 'text' && part.type !== 'reasoning') ||
  part.text !== '' ||
  (part.type === 'reasoning' && part.providerMetadata !== fromText)

type MetadataOf = Pick<LanguageModelV3Content & object, 'providerMetadata'>

/** If a provider signs a thought, the signature may come with any part of the thought. */
const metadataOf = ({ providerMetadata }: MetadataOf) =>
  providerMetadata === undefined ? {} : { providerMetadata }
