/** Turns a run into a response. */

import type { Fields } from '@atrium/connectors/fields'
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import { searchToolName } from '../../platform/models/extractive/model.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import {
  type Annotation,
  type AnswerCall,
  hasOneCall,
  type LinkTo,
  modelOf,
  outcomeOf,
  type Text,
  tokensOf,
} from './answer.ts'
import { secondsOf } from './chat-reply.ts'
import type { Failure } from './errors.ts'
import { type FileOf, fileCitation, searchesOf, searchItem, showsSearches } from './file-search.ts'
import { callItemIdOf, messageIdOf, responseIdOf } from './items.ts'
import { type Asked, ownMetadata } from './requests/reading.ts'

/** The run's metadata keeps the fields of a response that a run does not have. */
export const responseMetadata = (
  asked: Pick<Asked, 'previousId' | 'conversationId' | 'hasInstructions' | 'background' | 'includesResults'>,
): Record<string, unknown> =>
  withoutUndefined<Record<string, unknown>>({
    [kept.previous]: asked.previousId ?? undefined,
    [kept.conversation]: asked.conversationId ?? undefined,
    [kept.instructions]: asked.hasInstructions || undefined,
    [kept.background]: asked.background || undefined,
    [kept.results]: asked.includesResults || undefined,
  })

const kept = {
  previous: `${ownMetadata}previous_response_id`,
  conversation: `${ownMetadata}conversation`,
  instructions: `${ownMetadata}instructions`,
  background: `${ownMetadata}background`,
  results: `${ownMetadata}file_search_results`,
}

/** Whether the run's first message was an instruction for its response alone. */
export const hasInstructions = ({ metadata }: Pick<Run, 'metadata'>): boolean => kept.instructions in metadata

const isBackground = ({ metadata }: Pick<Run, 'metadata'>): boolean => kept.background in metadata

/** Whether the request of the response asked for the results of its searches. */
export const includesResults = ({ metadata }: Pick<Run, 'metadata'>): boolean => kept.results in metadata

/** How sources are shown to the client. */
export type Sources = { linkTo: LinkTo; fileOf: FileOf; withResults: boolean }

type Status = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
type State = { status: Status; failure: Failure | null; reason: string | null; output: object[] }

export function responseOf(run: Run, sources: Sources) {
  return shownResponse(run, stateOf(run, sources))
}

function stateOf(run: Run, sources: Sources): State {
  const outcome = outcomeOf(run, sources.linkTo)
  const none = { failure: null, reason: null, output: [] }
  if (outcome.kind === 'working')
    return { ...none, status: run.status === 'queued' ? 'queued' : 'in_progress' }
  if (outcome.kind === 'failure') {
    if (run.status === 'cancelled') return { ...none, status: 'cancelled' }
    // A person may still decide, and then the run goes on.
    if (run.status === 'waiting') return { ...none, status: 'in_progress' }
    return { ...none, status: 'failed', failure: outcome.failure }
  }
  const { texts, calls, finish } = outcome.answer
  const steps = [
    ...texts.map(text => ({ at: text.stepIndex, item: messageItem(run.id, shownText(run, text, sources)) })),
    ...searchesOf(run).map(search => ({ at: search.stepIndex, item: searchItem(run.id, search, sources) })),
  ]
  const output = [
    ...steps.sort((one, other) => one.at - other.at).map(({ item }) => item),
    ...calls.map(call => callItem(run.id, call)),
  ]
  if (finish === 'length') return { status: 'incomplete', failure: null, reason: 'max_output_tokens', output }
  if (finish === 'content_filter') return { status: 'incomplete', failure: null, reason: finish, output }
  return { status: 'completed', failure: null, reason: null, output }
}

export function shownResponse(run: Run, { status, failure, reason, output }: State) {
  const { modelParameters, finishedAt, messages, endUserId } = run
  const metadata: Fields = { ...run.metadata }
  const conversationId = metadata[kept.conversation]
  const own = Object.entries(metadata).filter(([name]) => !name.startsWith(ownMetadata))
  const [first] = messages ?? []
  const isOver = status !== 'queued' && status !== 'in_progress'
  return {
    id: responseIdOf(run.id),
    object: 'response',
    created_at: secondsOf(run.createdAt),
    conversation: typeof conversationId === 'string' ? { id: conversationId } : null,
    completed_at: isOver ? secondsOf(finishedAt ?? run.createdAt) : null,
    status,
    background: isBackground(run),
    error: failure === null ? null : { code: failure.error.code, message: failure.error.message },
    incomplete_details: reason === null ? null : { reason },
    instructions: hasInstructions(run) && first?.role === 'system' ? first.content : null,
    max_output_tokens: null,
    max_tool_calls: null,
    model: modelOf(run),
    output,
    parallel_tool_calls: !hasOneCall(run),
    previous_response_id: metadata[kept.previous] ?? null,
    prompt_cache_key: null,
    reasoning: { effort: modelParameters.reasoningEffort, summary: null },
    safety_identifier: endUserId,
    service_tier: 'default',
    store: true,
    temperature: modelParameters.temperature ?? 1,
    text: { format: formatOf(run) },
    tool_choice: toolChoiceOf(run),
    tools: toolsOf(run),
    top_logprobs: 0,
    top_p: modelParameters.topP ?? 1,
    presence_penalty: 0,
    frequency_penalty: 0,
    truncation: 'disabled',
    usage: isOver ? usageOf(run) : null,
    metadata: Object.fromEntries(own),
  }
}

const formatOf = ({ responseSchema }: Run) =>
  responseSchema === null
    ? { type: 'text' }
    : { type: 'json_schema', name: 'answer', schema: responseSchema, strict: false }

const toolChoiceOf = ({ toolChoice }: Run) => {
  if (typeof toolChoice === 'string') return toolChoice
  const { function: name } = toolChoice
  return name === searchToolName ? { type: 'file_search' } : { type: 'function', name }
}

/** The functions, and the search where the request named its collections. */
const toolsOf = ({ functions, collectionIds }: Run): object[] => [
  ...functions.map(({ name, description = null, inputSchema }) => ({
    type: 'function',
    name,
    description,
    parameters: inputSchema,
    strict: false,
  })),
  ...(collectionIds === null ? [] : [{ type: 'file_search', vector_store_ids: collectionIds }]),
]

function usageOf(run: Run) {
  const { input, output, cached, reasoning, total } = tokensOf(run)
  return {
    input_tokens: input,
    input_tokens_details: { cached_tokens: cached },
    output_tokens: output,
    output_tokens_details: { reasoning_tokens: reasoning },
    total_tokens: total,
  }
}

export const outputText = (text: string, annotations: readonly object[]) => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
})

/** A text whose sources are as the client expects them: files, if it searches files. */
export type ShownText = Pick<Text, 'stepIndex' | 'text'> & { annotations: readonly object[] }

export const shownText = (
  run: Pick<Run, 'collectionIds'>,
  { annotations, ...text }: Text,
  sources: Sources,
): ShownText => ({
  ...text,
  annotations: showsSearches(run)
    ? annotations.map((annotation: Annotation) => fileCitation(annotation, sources.fileOf))
    : annotations,
})

export const messageItem = (runId: string, { stepIndex, text, annotations }: ShownText) => ({
  id: messageIdOf(runId, stepIndex),
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [outputText(text, annotations)],
})

export const callItem = (runId: string, { index, id, name, arguments: text }: AnswerCall) => ({
  id: callItemIdOf(runId, index),
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name,
  arguments: text,
})
