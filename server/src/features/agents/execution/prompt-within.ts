/** A prompt that the model can read at once: of what was said before, as much as there is room for. */
import type { LanguageModelV3Prompt } from '@ai-sdk/provider'
import type { Tool } from '../../../platform/tool.ts'
import type { PastTurn } from '../inputs/window.ts'
import {
  answerTokensOf,
  latestThatFit,
  tokensOf,
  tokensOfTurn,
  tokensPerMessage,
  usableTokensOf,
} from '../inputs/window.ts'
import { RunFailure } from '../records/run-errors.ts'
import type { Execution } from './execution.ts'
import { promptOf, readToolName } from './prompt.ts'

/** What the tools answer is part of the next prompt; so much of the window is kept free for it from the beginning. */
const toolShare = 0.25
/** Images are billed by their size in pixels; the largest come to about this. */
const tokensPerFile = 1_600

/** What there is for the turns before a run that begins. */
export function historyTokensOf(execution: Omit<Execution, 'history' | 'record' | 'events'>): number {
  const { model, tools, maxOutputTokens } = execution
  const usable = usableTokensOf(model)
  const forTools = tools.length === 0 ? 0 : Math.floor(usable * toolShare)
  const taken = tokensOfPrompt(bareOf(execution)) + tokensOfTools(tools)
  return Math.max(0, usable - answerTokensOf(model, maxOutputTokens) - forTools - taken)
}

/** What there is for documents that are attached to a prompt: half of what can be read at once at the most. */
export const attachmentTokensOf = (execution: Omit<Execution, 'history' | 'record' | 'events'>): number =>
  Math.min(historyTokensOf(execution), Math.floor(usableTokensOf(execution.model) / 2))

/** Throws `context_too_long` where the prompt does not fit by itself, and it is known how much would. */
export function promptWithin(execution: Omit<Execution, 'record' | 'events'>): LanguageModelV3Prompt {
  const { model, tools, history, maxOutputTokens } = execution
  const bare = bareOf(execution)
  if (model.contextTokens === null && history.length === 0) return bare
  const taken = tokensOfPrompt(bare) + tokensOfTools(tools)
  if (model.contextTokens !== null && taken > model.contextTokens) {
    const most = model.contextTokens
    throw new RunFailure(
      'context_too_long',
      `The prompt has about ${taken} tokens, and ${model.name} reads at most ${most} at once`,
    )
  }
  const room = usableTokensOf(model) - answerTokensOf(model, maxOutputTokens) - taken
  return promptOf({ ...execution, ...means(tools), history: withinRoom(history, room) })
}

const bareOf = (
  execution: Pick<Execution, 'instructions' | 'prompt' | 'tools' | 'steps' | 'responseSchema' | 'images'>,
) => promptOf({ ...execution, ...means(execution.tools), history: [] })

/** What the model can do, as far as the prompt has to say something about it. */
const means = (tools: Execution['tools']) => ({
  hasTools: tools.length > 0,
  canReadOn: tools.some(({ name }) => name === readToolName),
})

/** Turns go before their summary does. */
function withinRoom(history: readonly PastTurn[], room: number): PastTurn[] {
  const [first, ...turns] = history
  if (first?.isSummary === undefined) return latestThatFit(history, room)
  const left = room - tokensOfTurn(first)
  return left < 0 ? [] : [first, ...latestThatFit(turns, left)]
}

function tokensOfPrompt(prompt: LanguageModelV3Prompt): number {
  let tokens = 0
  for (const { content } of prompt) {
    tokens += tokensPerMessage
    if (typeof content === 'string') tokens += tokensOf(content)
    else for (const part of content) tokens += tokensOfPart(part)
  }
  return tokens
}

type Part = Exclude<LanguageModelV3Prompt[number]['content'], string>[number]

function tokensOfPart(part: Part): number {
  if (part.type === 'text' || part.type === 'reasoning') return tokensOf(part.text)
  return part.type === 'file' ? tokensPerFile : tokensOf(JSON.stringify(part))
}

const known = new WeakMap<Tool, number>()

function tokensOfTools(tools: readonly Tool[]): number {
  let tokens = 0
  for (const tool of tools) {
    const { name, description, input } = tool
    const own = known.get(tool) ?? tokensOf(JSON.stringify([name, description, input]))
    known.set(tool, own)
    tokens += own
  }
  return tokens
}
