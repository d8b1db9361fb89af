/** The model `extractive`: calls the knowledge search like any model, then answers with the sentences that fit best. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3Content } from '@ai-sdk/provider'
import { readTurn, resultOf, streamOf, type Turn } from '../built-in.ts'
import { findAnswer } from './answer.ts'
import { termsOf } from './words.ts'

/** The tool that the built-in models call; an agent without it gets an answer that says so. */
export const searchToolName = 'search_knowledge'

export const declined = 'The documents do not answer this question.'
const withoutSearch = 'This agent has no knowledge to search, and its model can only quote documents.'

const longestQuery = 300
const mostTerms = 24

export function createExtractiveModel(): LanguageModelV3 {
  const generate = (options: LanguageModelV3CallOptions) =>
    resultOf([extractiveStep(readTurn(options.prompt), options)], options.prompt)
  return {
    specificationVersion: 'v3',
    provider: 'atrium',
    modelId: 'extractive',
    supportedUrls: {},
    doGenerate: async options => generate(options),
    doStream: async options => streamOf(generate(options)),
  }
}

/** One step: a search if there was none yet (or it failed), else the answer. */
export function extractiveStep(turn: Turn, options: LanguageModelV3CallOptions): LanguageModelV3Content {
  const canSearch = options.tools?.some(({ name }) => name === searchToolName) ?? false
  if (!canSearch) return { type: 'text', text: withoutSearch }
  if (turn.toolCalls === 0 || turn.lastToolFailed) {
    return searchCall(turn.toolCalls, { query: queryOf(turn.question) })
  }
  return { type: 'text', text: answerOf(turn) }
}

export const searchCall = (index: number, input: unknown): LanguageModelV3Content => ({
  type: 'tool-call',
  toolCallId: `call_${index + 1}`,
  toolName: searchToolName,
  input: JSON.stringify(input),
})

/** A question is searched as it is; of a long text, its first words that carry meaning. */
function queryOf(question: string): string {
  const text = question.trim().replace(/\s+/g, ' ')
  if (text.length <= longestQuery) return text
  const terms = termsOf(text.slice(0, 5_000)).slice(0, mostTerms).join(' ')
  return (terms === '' ? text : terms).slice(0, longestQuery)
}

function answerOf(turn: Turn): string {
  const quotes = findAnswer(turn.question.slice(0, 5_000), turn.passages)
  if (quotes.length === 0) return declined
  return quotes.map(({ text, cite }) => `"${text.replace(/\s+/g, ' ')}" ${cite}`).join('\n')
}
