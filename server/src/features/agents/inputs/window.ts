/** How much of a conversation a model can read at once: estimated tokens, and what fits. */
import type { ResolvedModel } from '../../../platform/models/models.ts'

/** An earlier turn, as a model reads it. */
export type PastTurn = {
  prompt: string
  output: string
  /** Set on the summary of earlier turns, which stays when other turns have to go. */
  isSummary?: true
}

/** Assumed context size of a model whose size neither its provider nor the workspace states. */
export const unknownContextTokens = 16_000

/** Marks the place where words were left out. */
export const cutMark = '[… left out, for it did not fit]'

/** Our estimate differs from the provider's count, so a tenth of the window stays free. */
const usableShare = 0.9
const mostAnswerTokens = 4_096

type Window = Pick<ResolvedModel, 'contextTokens'>

/** The tokens of a model's window that a call may use, including its answer. */
export const usableTokensOf = ({ contextTokens }: Window): number =>
  Math.floor((contextTokens ?? unknownContextTokens) * usableShare)

/** The tokens reserved for an answer: its limit, at most half of the window; without a limit at most a quarter. */
export function answerTokensOf(window: Window, maxOutputTokens: number | null = null): number {
  const usable = usableTokensOf(window)
  return maxOutputTokens === null
    ? Math.min(mostAnswerTokens, Math.floor(usable / 4))
    : Math.min(maxOutputTokens, Math.floor(usable / 2))
}

const latinCharactersPerToken = 4
/** The tokens of a message beside its words. */
export const tokensPerMessage = 4

/**
 * Estimates tokens: a quarter of the characters for English, half for other alphabets, all for Chinese and Japanese.
 * Providers count differently, so callers that fill a window leave a margin.
 */
export function tokensOf(text: string): number {
  let quarters = 0
  for (let i = 0; i < text.length; i++) {
    const unit = text.charCodeAt(i)
    quarters += unit < 0x250 ? 1 : unit < 0x2e80 ? 2 : latinCharactersPerToken
  }
  return Math.ceil(quarters / latinCharactersPerToken)
}

export const tokensOfTurn = ({ prompt, output }: PastTurn): number =>
  tokensOf(prompt) + tokensOf(output) + 2 * tokensPerMessage

/** The beginning of a text, with a mark where it was cut. */
export function cutTo(text: string, mostTokens: number): string {
  if (tokensOf(text) <= mostTokens) return text
  const room = Math.max(0, mostTokens - tokensOf(cutMark) - 1)
  let [low, high] = [0, text.length]
  while (low < high) {
    const middle = Math.ceil((low + high) / 2)
    if (tokensOf(text.slice(0, middle)) <= room) low = middle
    else high = middle - 1
  }
  return `${text.slice(0, low).toWellFormed()} ${cutMark}`
}

/** Cuts a turn that is larger than `mostTokens` at the end of its prompt and output; the longer text loses more. */
export function cutTurn(turn: PastTurn, mostTokens: number): PastTurn {
  if (tokensOfTurn(turn) <= mostTokens) return turn
  const room = Math.max(0, mostTokens - 2 * tokensPerMessage)
  const [prompt, output] = [tokensOf(turn.prompt), tokensOf(turn.output)]
  const half = Math.floor(room / 2)
  const forPrompt = Math.min(prompt, Math.max(half, room - output))
  return {
    prompt: cutTo(turn.prompt, forPrompt),
    output: cutTo(turn.output, room - Math.min(prompt, forPrompt)),
  }
}

/** The latest turns that fit, oldest first. If the last turn alone is too large, it is cut. */
export function latestThatFit(turns: readonly PastTurn[], mostTokens: number): PastTurn[] {
  const fitting: PastTurn[] = []
  let left = mostTokens
  for (const turn of turns.toReversed()) {
    const tokens = tokensOfTurn(turn)
    if (tokens > left) break
    left -= tokens
    fitting.unshift(turn)
  }
  const latest = turns.at(-1)
  if (fitting.length === 0 && latest !== undefined && mostTokens >= leastForATurn)
    return [cutTurn(latest, mostTokens)]
  return fitting
}

/** A turn that is cut to fewer tokens than this says nothing. */
const leastForATurn = 100
