/** Turns a run into a response: whole, or as the events of a stream. An event always has the same number. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import {
  type AnswerCall,
  createTeller,
  hasOneCall,
  type LinkTo,
  modelOf,
  outcomeOf,
  ownMetadata,
  type Text,
  type Told,
} from './answer.ts'
import { secondsOf } from './chat-reply.ts'
import type { Failure } from './errors.ts'
import { callItemIdOf, messageIdOf, responseIdOf } from './items.ts'
import type { Asked, Fields } from './reading.ts'

/** The run's metadata keeps the fields of a response that a run does not have. */
export const responseMetadata = (
  asked: Pick<Asked, 'previousId' | 'conversationId' | 'hasInstructions' | 'background'>,
): Record<string, unknown> =>
  withoutUndefined<Record<string, unknown>>({
    [kept.previous]: asked.previousId ?? undefined,
    [kept.conversation]: asked.conversationId ?? undefined,
    [kept.instructions]: asked.hasInstructions || undefined,
    [kept.background]: asked.background || undefined,
  })

const kept = {
  previous: `${ownMetadata}previous_response_id`,
  conversation: `${ownMetadata}conversation`,
  instructions: `${ownMetadata}instructions`,
  background: `${ownMetadata}background`,
}

/** Whether the run's first message was an instruction for its response alone. */
export const hasInstructions = ({ metadata }: Pick<Run, 'metadata'>): boolean => kept.instructions in metadata

const isBackground = ({ metadata }: Pick<Run, 'metadata'>): boolean => kept.background in metadata

type Status = 'queued' | 'in_progress' | 'completed' | 'incomplete' | 'failed' | 'cancelled'
type State = { status: Status; failure: Failure | null; reason: string | null; output: object[] }

export function responseOf(run: Run, linkTo: LinkTo) {
  return shownResponse(run, stateOf(run, linkTo))
}

function stateOf(run: Run, linkTo: LinkTo): State {
  const outcome = outcomeOf(run, linkTo)
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
  const output = [
    ...texts.map(text => messageItem(run.id, text)),
    ...calls.map(call => callItem(run.id, call)),
  ]
  if (finish === 'length') return { status: 'incomplete', failure: null, reason: 'max_output_tokens', output }
  if (finish === 'content_filter') return { status: 'incomplete', failure: null, reason: finish, output }
  return { status: 'completed', failure: null, reason: null, output }
}

function shownResponse(run: Run, { status, failure, reason, output }: State) {
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
    tools: run.functions.map(({ name, description = null, inputSchema }) => ({
      type: 'function',
      name,
      description,
      parameters: inputSchema,
      strict: false,
    })),
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

const toolChoiceOf = ({ toolChoice }: Run) =>
  typeof toolChoice === 'string' ? toolChoice : { type: 'function', name: toolChoice.function }

function usageOf({ usage }: Run) {
  const { inputTokens, outputTokens } = usage
  return {
    input_tokens: inputTokens,
    input_tokens_details: { cached_tokens: 0 },
    output_tokens: outputTokens,
    output_tokens_details: { reasoning_tokens: 0 },
    total_tokens: inputTokens + outputTokens,
  }
}

const outputText = (text: string, annotations: readonly object[]) => ({
  type: 'output_text',
  text,
  annotations,
  logprobs: [],
})

const messageItem = (runId: string, { stepIndex, text, annotations }: Text) => ({
  id: messageIdOf(runId, stepIndex),
  type: 'message',
  role: 'assistant',
  status: 'completed',
  content: [outputText(text, annotations)],
})

const callItem = (runId: string, { index, id, name, arguments: text }: AnswerCall) => ({
  id: callItemIdOf(runId, index),
  type: 'function_call',
  status: 'completed',
  call_id: id,
  name,
  arguments: text,
})

export type ResponseEvent = { type: string; sequence_number: number } & Record<string, unknown>

/** A message that is being sent. */
type Open = { stepIndex: number; text: string; outputIndex: number }

/**
 * The events of one stream. A text raises the numbers by its length, so that they do not depend on how the text is
 * cut into pieces.
 */
export function createResponseStream({ run, linkTo, holds }: { run: Run; linkTo: LinkTo; holds: boolean }) {
  const teller = createTeller({ holds, linkTo })
  let sequence = -1
  let outputIndex = 0
  let open: Open | null = null

  const event = (type: string, fields: object, length = 1): ResponseEvent => {
    sequence += length
    return { type, sequence_number: sequence, ...fields }
  }
  const begun = { status: 'in_progress', failure: null, reason: null, output: [] } as const
  const beginning = (): ResponseEvent[] => {
    const response = { ...shownResponse(run, { ...begun, output: [] }), usage: null }
    return [event('response.created', { response }), event('response.in_progress', { response })]
  }

  const about = ({ stepIndex, outputIndex }: Open) => ({
    item_id: messageIdOf(run.id, stepIndex),
    output_index: outputIndex,
    content_index: 0,
  })

  function opened(stepIndex: number): ResponseEvent[] {
    open = { stepIndex, text: '', outputIndex }
    outputIndex += 1
    const item = {
      ...messageItem(run.id, { stepIndex, text: '', annotations: [] }),
      status: 'in_progress',
      content: [],
    }
    return [
      event('response.output_item.added', { output_index: open.outputIndex, item }),
      event('response.content_part.added', { ...about(open), part: outputText('', []) }),
    ]
  }

  function closed(texts: readonly Text[]): ResponseEvent[] {
    if (open === null) return []
    const { stepIndex, text } = open
    const place = about(open)
    const annotations = texts.find(one => one.stepIndex === stepIndex)?.annotations ?? []
    const item = messageItem(run.id, { stepIndex, text, annotations })
    open = null
    return [
      ...annotations.map((annotation, index) =>
        event('response.output_text.annotation.added', { ...place, annotation_index: index, annotation }),
      ),
      event('response.output_text.done', { ...place, text, logprobs: [] }),
      event('response.content_part.done', { ...place, part: outputText(text, annotations) }),
      event('response.output_item.done', { output_index: place.output_index, item }),
    ]
  }

  function called(call: AnswerCall): ResponseEvent[] {
    const item = callItem(run.id, call)
    const place = { output_index: outputIndex, item_id: item.id }
    const added = { ...item, status: 'in_progress', arguments: '' }
    outputIndex += 1
    return [
      event('response.output_item.added', { output_index: place.output_index, item: added }),
      event('response.function_call_arguments.delta', { ...place, delta: item.arguments }),
      event('response.function_call_arguments.done', {
        ...place,
        name: item.name,
        arguments: item.arguments,
      }),
      event('response.output_item.done', { output_index: place.output_index, item }),
    ]
  }

  /** Some clients raise `error`, others `response.failed`. */
  function failed(failure: Failure): ResponseEvent[] {
    const { error } = failure
    const response = shownResponse(run, { ...begun, output: [], status: 'failed', failure })
    return [
      event('error', { ...error, type: 'error', error }),
      event('response.failed', { response: { ...response, error }, error }),
    ]
  }

  function shown(told: Told): ResponseEvent[] {
    if (told.kind === 'failure') return failed(told.failure)
    if (told.kind === 'text') {
      const { stepIndex, text } = told
      const before = open?.stepIndex === stepIndex ? [] : [...closed([]), ...opened(stepIndex)]
      if (open === null) return before
      open.text += text
      return [
        ...before,
        event('response.output_text.delta', { ...about(open), delta: text, logprobs: [] }, text.length),
      ]
    }
    const { texts, calls, run: ended } = told.answer
    const rest = [...closed(texts), ...calls.flatMap(called)]
    const response = responseOf(ended, linkTo)
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed'
    return [...rest, event(type, { response })]
  }

  return {
    ending: teller.ending,
    beginning,
    failed,
    take: (happened: RunEvent): ResponseEvent[] => teller.take(happened).flatMap(shown),
  }
}

/** The event, if it comes after this number; of a text that contains the number, only the rest. */
export function eventsAfter(number: number, event: ResponseEvent): ResponseEvent[] {
  if (event.type === 'error' || event.type === 'response.failed') {
    // A failure may have a lower number than text that was sent before: a failed run keeps none of its text.
    return [{ ...event, sequence_number: Math.max(event.sequence_number, number + 1) }]
  }
  if (event.sequence_number <= number) return []
  const { delta } = event
  if (typeof delta !== 'string' || event.type !== 'response.output_text.delta') return [event]
  return [{ ...event, delta: delta.slice(-(event.sequence_number - number)) }]
}

/** Turns a run that has ended into the events that reported it: word by word, as models write. */
export function eventsOf(run: Run, linkTo: LinkTo): RunEvent[] {
  const about = { runId: run.id, at: run.createdAt }
  const outcome = outcomeOf(run, linkTo)
  const texts = outcome.kind === 'answer' ? outcome.answer.texts : []
  return [
    ...texts.flatMap(({ stepIndex, text }) =>
      (text.match(/\s*\S+|\s+$/g) ?? []).map(
        (word): RunEvent => ({ type: 'text.delta', ...about, stepIndex, text: word }),
      ),
    ),
    { type: run.status === 'waiting' ? 'run.waiting' : 'run.succeeded', ...about, run },
  ]
}
