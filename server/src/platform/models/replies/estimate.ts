/** Estimates the tokens of a call whose server told none. A count that is unknown is never 0. */
import type { LanguageModelV3CallOptions, LanguageModelV3Prompt } from '@ai-sdk/provider'

/** Where no tokenizer is at hand. */
export const charactersPerToken = 4

const withoutBytes = (_key: string, value: unknown): unknown => (value instanceof Uint8Array ? null : value)

const tokensOf = (value: unknown): number =>
  Math.ceil((JSON.stringify(value, withoutBytes) ?? '').length / charactersPerToken)

export const estimatedInput = (
  prompt: LanguageModelV3Prompt,
  tools: LanguageModelV3CallOptions['tools'] = [],
): number => tokensOf(prompt) + (tools.length === 0 ? 0 : tokensOf(tools))

export const estimatedOutput = (characters: number): number => Math.ceil(characters / charactersPerToken)
