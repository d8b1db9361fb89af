/** The model `extractive`: calls the knowledge search, then answers with the sentences that fit best. */
import type { LanguageModelV3, LanguageModelV3CallOptions, LanguageModelV3ToolCall } from '@ai-sdk/provider'
import type { JsonSchema } from '../../json-schema/strangers-schemas.ts'
import {
  answerWith,
  createWritingModel,
  hasFailed,
  readTurn,
  type Sample,
  type Turn,
  type Written,
} from '../built-in.ts'
import { withoutOutsideMarks } from '../outside-text.ts'
import { findAnswer } from './answer.ts'
import { termsOf } from './words.ts'

/** The tool that the built-in models call; an agent without it gets an answer that says so. */
export const searchToolName = 'search_knowledge'

export const declined = 'The documents do not answer this question.'
/** Stands before quotes that may be about another year or another name than the question. */
export const doubtful = 'It is not certain that this answers the question, but the documents say:'
const withoutSearch = 'This agent has no knowledge to search, and its model can only quote documents.'
const mayNotSearch = 'The model may not search here, and it can only quote documents.'

const longestQuery = 300
const mostTerms = 24

export const createExtractiveModel = (sample: Sample): LanguageModelV3 =>
  createWritingModel('extractive', async function* (options) {
    yield await extractiveStep(readTurn(options.prompt), options, sample)
  })

/**
 * One step: the call that the request insists on, or a search if there was none yet or it failed, or else the answer.
 * The first `before` calls were not made by this model.
 */
export async function extractiveStep(
  given: Turn,
  options: LanguageModelV3CallOptions,
  sample: Sample,
  before = 0,
): Promise<Written> {
  const turn = { ...given, question: withoutOutsideMarks(given.question) }
  const wanted = wantedTool(options)
  if (wanted !== undefined && wanted.name !== searchToolName) {
    // The AI SDK and Atrium have different names for the same type.
    const input = await sample(wanted.inputSchema as JsonSchema, queryOf(turn.question))
    return callOf(turn.results.length, wanted.name, JSON.stringify(input))
  }
  const canSearch = options.tools?.some(({ name }) => name === searchToolName) ?? false
  if (!canSearch)
    return await answerWith(
      turn.passages.length === 0 ? withoutSearch : await answerOf(turn),
      options,
      sample,
    )
  const last = turn.results.slice(before).at(-1)
  if (last === undefined || hasFailed(last)) {
    if (options.toolChoice?.type === 'none') {
      return await answerWith(
        turn.passages.length === 0 ? mayNotSearch : await answerOf(turn),
        options,
        sample,
      )
    }
    return callOf(turn.results.length, searchToolName, JSON.stringify({ query: queryOf(turn.question) }))
  }
  return await answerWith(await answerOf(turn), options, sample)
}

/** The tool that must be called now. If any tool will do, it is the search: these models understand its results. */
function wantedTool({ tools = [], toolChoice }: LanguageModelV3CallOptions) {
  const offered = tools.filter(tool => tool.type === 'function')
  if (toolChoice?.type === 'tool') return offered.find(({ name }) => name === toolChoice.toolName)
  if (toolChoice?.type !== 'required') return undefined
  return offered.find(({ name }) => name === searchToolName) ?? offered[0]
}

/** The same place among the calls of a turn, counted from 0, always gives the same id. */
export const callOf = (index: number, toolName: string, input: string): LanguageModelV3ToolCall => ({
  type: 'tool-call',
  toolCallId: `call_${index + 1}`,
  toolName,
  input,
})

/** Searches for the question as it is. For a long text, searches for its first words that carry meaning. */
function queryOf(question: string): string {
  const text = question.trim().replace(/\s+/g, ' ')
  if (text.length <= longestQuery) return text
  const terms = termsOf(text.slice(0, 5_000)).slice(0, mostTerms).join(' ')
  return (terms === '' ? text : terms).slice(0, longestQuery)
}

async function answerOf(turn: Turn): Promise<string> {
  const { quotes, isSure } = await findAnswer(turn.question.slice(0, 5_000), turn.passages)
  if (quotes.length === 0) return declined
  const lines = quotes.map(({ text, cite, head }) => {
    const under = head === null ? '' : ` under ${onOneLine(head)}`
    return `"${onOneLine(text)}"${under} ${cite}`
  })
  return [...(isSure ? [] : [doubtful]), ...lines].join('\n')
}

const onOneLine = (text: string): string => text.replace(/\s+/g, ' ')
