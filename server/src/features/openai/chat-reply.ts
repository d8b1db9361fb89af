/** Turns a run into a chat completion: whole, or as chunks of a stream. */
import { withoutUndefined } from '@atrium/sdk/without-undefined'
import type { RunEvent } from '../agents/events/run-event-schemas.ts'
import type { Run } from '../agents/records/run-schemas.ts'
import { type Annotation, type Answer, createTeller, type LinkTo, modelOf, type Told } from './answer.ts'
import type { Failure } from './errors.ts'
import { completionIdOf } from './items.ts'

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

const toolCall = ({ id, name, arguments: text }: Answer['calls'][number]) => ({
  id,
  type: 'function',
  function: { name, arguments: text },
})

export const secondsOf = (timestamp: string): number => Math.floor(Date.parse(timestamp) / 1_000)

function usageOf({ usage }: Run) {
  const { inputTokens, outputTokens } = usage
  return {
    prompt_tokens: inputTokens,
    completion_tokens: outputTokens,
    total_tokens: inputTokens + outputTokens,
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

/** The `data` of the events of one stream. After the end, `take` returns nothing more. */
export function createChatStream({
  runId,
  model,
  holds,
  linkTo,
  includeUsage,
}: {
  runId: string
  model: string
  holds: boolean
  linkTo: LinkTo
  includeUsage: boolean
}) {
  const teller = createTeller({ holds, linkTo })
  let created: number | null = null
  let lastStep: number | null = null

  const chunk = (delta: object, finish: string | null = null) => ({
    id: completionIdOf(runId),
    object: 'chat.completion.chunk',
    created,
    model,
    choices: [{ index: 0, delta, logprobs: null, finish_reason: finish }],
  })

  function shown(told: Told): object[] {
    if (told.kind === 'failure') return [failureChunk(told.failure)]
    if (told.kind === 'text') {
      const { stepIndex, text } = told
      const between = lastStep === null || lastStep === stepIndex ? '' : betweenTexts
      lastStep = stepIndex
      return [chunk({ content: `${between}${text}` })]
    }
    const { texts, calls, finish, run } = told.answer
    const annotations = annotationsOf(texts)
    const usage = { ...chunk({}), choices: [], usage: usageOf(run) }
    return [
      ...(annotations.length === 0 ? [] : [chunk({ annotations })]),
      ...calls.map((call, index) => chunk({ tool_calls: [{ index, ...toolCall(call) }] })),
      chunk({}, finish),
      ...(includeUsage ? [usage] : []),
    ]
  }

  return {
    ending: teller.ending,
    take(event: RunEvent): object[] {
      const begins = created === null
      created ??= secondsOf(event.at)
      const first = begins ? [chunk({ role: 'assistant', content: '' })] : []
      return [...first, ...teller.take(event).flatMap(shown)]
    },
  }
}

/** Every client raises a chunk with an `error`. A stream that just ends would pass for a complete one. */
export const failureChunk = ({ error }: Failure) => ({ error })
