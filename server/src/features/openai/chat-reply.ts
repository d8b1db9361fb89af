/** Turns a run into a completion of a chat or of a text: whole, or as chunks of a stream. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import {
  type Annotation,
  type Answer,
  createTeller,
  type LinkTo,
  modelOf,
  type Told,
  tokensOf,
} from './answer.ts'
import { callsFunctions, type Failure } from './errors.ts'
import { completionIdOf, textCompletionIdOf } from './items.ts'

/** Stands between the texts of two steps: before and after the model used a tool. */
const betweenTexts = '\n\n'

export function completionOf({ texts, calls, finish, run }: Answer) {
  const content = texts.map(({ text }) => text).join(betweenTexts)
  return {
    id: completionIdOf(run.id),
    object: 'chat.completion',
    created: secondsOf(run.createdAt),
    model: modelOf(run),
    choices: [
      {
        index: 0,
        message: withoutUndefined({
          role: 'assistant',
          content: content === '' ? null : content,
          refusal: null,
          annotations: annotationsOf(texts),
          tool_calls: calls.length === 0 ? undefined : calls.map(toolCall),
        }),
        logprobs: null,
        finish_reason: finish,
      },
    ],
    usage: usageOf(run),
  }
}

/** The answer must have no calls. */
export function textCompletionOf({ texts, finish, run }: Answer) {
  const text = texts.map(one => one.text).join(betweenTexts)
  return {
    id: textCompletionIdOf(run.id),
    object: 'text_completion',
    created: secondsOf(run.createdAt),
    model: modelOf(run),
    choices: [{ index: 0, text, logprobs: null, finish_reason: finish }],
    usage: usageOf(run),
  }
}

const toolCall = ({ id, name, arguments: text }: Answer['calls'][number]) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

export const secondsOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1_000)

function usageOf(run: Run) {
  const { input, output, cached, reasoning, total } = tokensOf(run)
  return {
    prompt_tokens: input,
    completion_tokens: output,
    total_tokens: total,
    prompt_tokens_details: { cached_tokens: cached },
    completion_tokens_details: { reasoning_tokens: reasoning },
  }
}

/** The offsets count from the beginning of the whole content. */
function annotationsOf(texts: Answer['texts']) {
  let offset = 0
  return texts.flatMap(({ text, annotations }) => {
    const shown = annotations.map(annotation => shownAnnotation(annotation, offset))
    offset += [...text].length + betweenTexts.length
    return shown
  })
}

const shownAnnotation = ({ type, citation, ...place }: Annotation, offset: number) => ({
  type,
  [type]: {
    ...place,
    start_index: place.start_index + offset,
    end_index: place.end_index + offset,
    citation,
  },
})

type Delta = { role?: 'assistant'; content?: string; annotations?: object[]; tool_calls?: object[] }

/** The differences between the chunks of a chat and those of a text. */
type Form = {
  object: string
  idOf: (runId: string) => string
  /** The choice of a chunk; null if the delta has no place in it. */
  choiceOf: (delta: Delta, finish: string | null) => object | null
  /** Whether an answer may call functions. */
  hasCalls: boolean
}

export const chatForm: Form = {
  object: 'chat.completion.chunk',
  idOf: completionIdOf,
  choiceOf: (delta, finish) => ({ index: 0, delta, logprobs: null, finish_reason: finish }),
  hasCalls: true,
}

export const textForm: Form = {
  object: 'text_completion',
  idOf: textCompletionIdOf,
  choiceOf: ({ content = '' }, finish) =>
    content === '' && finish === null
      ? null
      : { index: 0, text: content, logprobs: null, finish_reason: finish },
  hasCalls: false,
}

/** The `data` of the events of one stream. After the end, `take` returns nothing more. */
export function createChatStream({
  runId,
  model,
  holds,
  linkTo,
  includeUsage,
  form,
}: {
  runId: string
  model: string
  holds: boolean
  linkTo: LinkTo
  includeUsage: boolean
  form: Form
}) {
  const teller = createTeller({ holds, linkTo })
  let created: number | null = null
  let lastStep: number | null = null

  const chunkOf = (choices: object[]) => ({
    id: form.idOf(runId),
    object: form.object,
    created,
    model,
    choices,
  })
  const chunk = (delta: Delta, finish: string | null = null): object[] => {
    const choice = form.choiceOf(delta, finish)
    return choice === null ? [] : [chunkOf([choice])]
  }

  function shown(told: Told): object[] {
    if (told.kind === 'failure') return [failureChunk(told.failure)]
    if (told.kind === 'text') {
      const { stepIndex, text } = told
      const between = lastStep === null || lastStep === stepIndex ? '' : betweenTexts
      lastStep = stepIndex
      return chunk({ content: `${between}${text}` })
    }
    const { texts, calls, finish, run } = told.answer
    if (calls.length > 0 && !form.hasCalls)
      return [failureChunk(callsFunctions(calls.map(({ name }) => name)))]
    const annotations = annotationsOf(texts)
    return [
      ...(annotations.length === 0 ? [] : chunk({ annotations })),
      ...calls.flatMap((call, index) => chunk({ tool_calls: [{ index, ...toolCall(call) }] })),
      ...chunk({}, finish),
      ...(includeUsage ? [{ ...chunkOf([]), usage: usageOf(run) }] : []),
    ]
  }

  return {
    ending: teller.ending,
    take(event: RunEvent): object[] {
      const begins = created === null
      created ??= secondsOf(event.at)
      const first = begins ? chunk({ role: 'assistant', content: '' }) : []
      return [...first, ...teller.take(event).flatMap(shown)]
    },
  }
}

/** Every client raises a chunk with an `error`. A stream that just ends would pass for a complete one. */
export const failureChunk = ({ error }: Failure) => ({ error })
