/** The events of a response's stream. An event always has the same number, also where a run that has ended is shown. */
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import type { RunStep } from '../agents/records/step-schemas.ts'
import { type AnswerCall, createTeller, type LinkTo, outcomeOf, type Told } from './answer.ts'
import type { Failure } from './errors.ts'
import {
  begunItem,
  createSearchTurns,
  type SearchTurn,
  searchesOf,
  searchItem,
  showsSearches,
} from './file-search.ts'
import { messageIdOf } from './items.ts'
import {
  callItem,
  messageItem,
  outputText,
  responseOf,
  type ShownText,
  type Sources,
  shownResponse,
  shownText,
} from './response-reply.ts'

export type ResponseEvent = { type: string; sequence_number: number } & Record<string, unknown>

/** The steps of an event whose sources its response shows. */
export const stepsWithSources = ({ run, step }: RunEvent): readonly RunStep[] =>
  run?.steps ?? (step === undefined ? [] : [step])

/** A message that is being sent. */
type Open = { stepIndex: number; text: string; outputIndex: number }

/** The events of one stream, of a run whose answer must fit a schema if it `holds`. */
export function createResponseStream({ run, linkTo, holds }: { run: Run; linkTo: LinkTo; holds: boolean }) {
  const teller = createTeller({ holds, linkTo })
  const numbers = createNumbers()
  const { event } = numbers
  const searches = createSearchEvents(run, numbers)
  let open: Open | null = null

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
    open = { stepIndex, text: '', outputIndex: numbers.nextOutput() }
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

  function closed(texts: readonly ShownText[] = []): ResponseEvent[] {
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

  /** Some clients raise `error`, others `response.failed`. */
  function failed(failure: Failure): ResponseEvent[] {
    const { error } = failure
    const response = shownResponse(run, { ...begun, output: [], status: 'failed', failure })
    return [
      event('error', { ...error, type: 'error', error }),
      event('response.failed', { response: { ...response, error }, error }),
    ]
  }

  function shown(told: Told, sources: Sources): ResponseEvent[] {
    if (told.kind === 'failure') return failed(told.failure)
    if (told.kind === 'text') {
      const { stepIndex, text } = told
      const before = open?.stepIndex === stepIndex ? [] : [...closed(), ...opened(stepIndex)]
      if (open === null) return before
      open.text += text
      return [
        ...before,
        event('response.output_text.delta', { ...about(open), delta: text, logprobs: [] }, text.length),
      ]
    }
    const { texts, calls, run: ended } = told.answer
    const rest = closed(texts.map(text => shownText(ended, text, sources)))
    const called = calls.flatMap(call => callEvents(run.id, call, numbers))
    const response = responseOf(ended, sources)
    const type = response.status === 'incomplete' ? 'response.incomplete' : 'response.completed'
    return [...rest, ...called, event(type, { response })]
  }

  return {
    ending: teller.ending,
    beginning,
    failed,
    /** `sources` has the files of the event's steps. */
    take(happened: RunEvent, sources: Sources): ResponseEvent[] {
      const told = teller.take(happened)
      const searched = teller.ending() === null ? searches.take(happened, sources, closed) : []
      return [...searched, ...told.flatMap(one => shown(one, sources))]
    },
  }
}

type Numbers = ReturnType<typeof createNumbers>

/** A text raises the numbers by its length, so that they do not depend on how the text is cut into pieces. */
function createNumbers() {
  let sequence = -1
  let outputs = 0
  return {
    event(type: string, fields: object, length = 1): ResponseEvent {
      sequence += length
      return { type, sequence_number: sequence, ...fields }
    },
    /** The place of an item in the output. */
    nextOutput: () => outputs++,
  }
}

function callEvents(runId: string, call: AnswerCall, { event, nextOutput }: Numbers): ResponseEvent[] {
  const item = callItem(runId, call)
  const place = { output_index: nextOutput(), item_id: item.id }
  const added = { ...item, status: 'in_progress', arguments: '' }
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

function createSearchEvents(run: Run, { event, nextOutput }: Numbers) {
  const turns = createSearchTurns()
  /** Where the search that has begun stands in the output. */
  let at = 0

  function begun(nth: number): ResponseEvent[] {
    const item = begunItem(run.id, nth)
    at = nextOutput()
    const place = { output_index: at, item_id: item.id }
    return [
      event('response.output_item.added', { output_index: at, item }),
      event('response.file_search_call.in_progress', place),
      event('response.file_search_call.searching', place),
    ]
  }

  function ended(turn: Extract<SearchTurn, { kind: 'end' }>, sources: Sources): ResponseEvent[] {
    const item = searchItem(run.id, turn, sources)
    const place = { output_index: at, item_id: item.id }
    return [
      // There is no event for a search that failed: its item says so.
      ...(item.status === 'failed' ? [] : [event('response.file_search_call.completed', place)]),
      event('response.output_item.done', { output_index: at, item }),
    ]
  }

  return {
    /** `closed` ends the message before a search. */
    take(happened: RunEvent, sources: Sources, closed: () => ResponseEvent[]): ResponseEvent[] {
      if (!showsSearches(run)) return []
      return turns
        .take(happened)
        .flatMap(turn => (turn.kind === 'begin' ? [...closed(), ...begun(turn.nth)] : ended(turn, sources)))
    },
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
  const end: RunEvent = { type: run.status === 'waiting' ? 'run.waiting' : 'run.succeeded', ...about, run }
  const outcome = outcomeOf(run, linkTo)
  if (outcome.kind !== 'answer') return [end]
  const words = outcome.answer.texts.flatMap(({ stepIndex, text }) =>
    (text.match(/\s*\S+|\s+$/g) ?? []).map(word => ({
      type: 'text.delta' as const,
      ...about,
      stepIndex,
      text: word,
    })),
  )
  const searches = searchesOf(run).map(({ stepIndex, step }) => ({
    type: 'step.finished' as const,
    ...about,
    stepIndex,
    step,
  }))
  return [...[...words, ...searches].sort((one, other) => one.stepIndex - other.stepIndex), end]
}
